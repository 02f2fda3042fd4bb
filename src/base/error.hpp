// The one exception of weft and the place it speaks of.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace weft {

// What kind of failure: decides the exit status and whether a caller may go on.
enum class ErrorKind {
    usage,       // the command line or a pipeline file says something wrong
    not_found,   // a file, device, filter or stream that is not there
    bad_input,   // a file or value that cannot be read
    unsupported, // right, but not something this build or device can do
    device,      // OpenCL, GL or window failure
    resource,    // out of memory, disk full, too many handles
    internal     // a broken contract inside weft
};

// Where in a text file a complaint belongs; line and column count from 1, 0 = unknown.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;
    bool known() const { return !file.empty(); }
    std::string text() const; // "file:line:column", shorter when parts are unknown
};

// Text names the thing, the value and what was allowed: "strength is 1.7, allowed 0..1".
class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message, Place place = {});
    ErrorKind kind() const { return kind_; }
    const Place& place() const { return place_; }
    const std::string& message() const { return message_; } // without the place

  private:
    ErrorKind kind_;
    Place place_;
    std::string message_;
};

// Every complaint about one text at once. what() has one line each.
class Errors : public Error {
  public:
    explicit Errors(std::vector<Error> errors);
    const std::vector<Error>& all() const { return errors_; }

  private:
    std::vector<Error> errors_;
};

// The same without repetitions of a text; a filter for every input complains once for each of them.
std::vector<Error> told_once(std::vector<Error> errors);

// One line of text for an exception and everything nested in it, outermost first, joined by ": ".
std::string describe(const std::exception& e);

// Exit status of a process that ends with this error: 2 always; 130 is the signal handler's business.
int exit_status(const std::exception& e);

[[noreturn]] void fail_check(const char* expression, const char* file, int line);

// The entry of `known` nearest to `word` by edit distance, or "" when none is near enough to suggest.
std::string nearest_name(const std::string& word, const std::vector<std::string>& known);

} // namespace weft

// A broken contract inside weft throws ErrorKind::internal, in release builds too. Our only macro.
#define WEFT_CHECK(expression)                                                                               \
    do {                                                                                                     \
        if (!(expression)) ::weft::fail_check(#expression, __FILE__, __LINE__);                              \
    } while (false)
