#include "app/temporary_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {

TemporaryFile::TemporaryFile(const std::string& begin, const std::string& ending, std::string_view contents)
    : path_((std::filesystem::temp_directory_path() / (begin + "XXXXXX" + ending)).string()) {
    const int handle = mkstemps(path_.data(), static_cast<int>(ending.size())); // fills in the six
    if (handle < 0)
        throw Error(ErrorKind::resource, fmt::format("a temporary file like '{}' cannot be made", path_));
    close(handle);
    std::ofstream file(path_, std::ios::binary);
    if (file << contents << std::flush) return;
    remove(path_.c_str());
    throw Error(ErrorKind::resource, fmt::format("{}: cannot be written", path_));
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

} // namespace weft::app
