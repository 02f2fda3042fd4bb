// Program text to something that runs, with complaints that name the author's own file and line.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include "gpu/device.hpp"

namespace weft::gpu {

// Which lines of a program text come from which file: lines first_line .. first_line + line_count - 1,
// counted from 1, are lines file_line ... of `file`.
struct SourceRange {
    int first_line = 0;
    int line_count = 0;
    std::string file;
    int file_line = 1;
};

// Programs of one device, built once each and kept in memory; across processes the driver's own cache does
// that.
//   threads: any number at once.
class Programs {
  public:
    explicit Programs(Device& device) : device_(device) {}
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    // The program of this text, built with `options` (besides -cl-std=CL1.2).
    //   title : for people, where the text has no file: "pass 'grid'"
    // Errors : device; the place is the first complaint's line in the author's file, the text holds all of
    // them.
    cl::Program build(const std::string& text, const std::string& title,
                      const std::vector<SourceRange>& ranges = {}, const std::string& options = "");
    size_t built() const; // programs compiled so far

  private:
    Device& device_;
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, cl::Program> programs_;
};

// One complaint of a compiler, its line counted in the whole program text; line 0: none was named.
struct CompilerMessage {
    int line = 0, column = 0;
    std::string text;
};
// Understands "<kernel>:3:5: error: ..." (NVIDIA), "3:5: error: ..." (Intel, AMD), "file.cl:3:5: ..." and
// "error: file.cl:3:5: ..." (PoCL's clang). Lines of source and carets are left out.
std::vector<CompilerMessage> parse_build_log(const std::string& log);

} // namespace weft::gpu
