#include "support/temp_folder.hpp"

#include <cstdlib>
#include <fstream>

#include "base/error.hpp"

namespace weft::test {

TempFolder::TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft-test-XXXXXX").string();
    WEFT_CHECK(mkdtemp(name.data()) != nullptr);
    path_ = name;
}

TempFolder::~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name, const std::string& text) const {
    const std::string path = file(name);
    std::ofstream out(path, std::ios::binary);
    out << text;
    WEFT_CHECK(out.good());
    return path;
}

} // namespace weft::test
