#include "app/temporary_file.hpp"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {

TemporaryFile::TemporaryFile(const std::string& begin, const std::string& ending)
    : path_((std::filesystem::temp_directory_path() / (begin + "XXXXXX" + ending)).string()) {
    const int handle = mkstemps(path_.data(), static_cast<int>(ending.size())); // fills in the six
    if (handle < 0)
        throw Error(ErrorKind::resource, fmt::format("a temporary file like '{}' cannot be made", path_));
    close(handle);
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

} // namespace weft::app
