// A file in the folder for temporary ones that goes with its object.
#pragma once

#include <string>
#include <string_view>

namespace weft::app {

class TemporaryFile {
  public:
    // A file of a name that nobody has: "weft-bench-" + something + ".cube". Errors : resource.
    TemporaryFile(const std::string& begin, const std::string& ending, std::string_view contents = {});
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

} // namespace weft::app
