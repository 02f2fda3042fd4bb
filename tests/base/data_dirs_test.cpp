#include "base/data_dirs.hpp"

#include <cstdlib>
#include <fstream>
#include <optional>

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Sets an environment variable for one test.
class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        if (value)
            setenv(name, value, 1);
        else
            unsetenv(name);
    }
    ~Variable() {
        if (old_)
            setenv(name_, old_->c_str(), 1);
        else
            unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::optional<std::string> old_;
};

class DataDirsTest : public ::testing::Test {
  protected:
    DataDirsTest() : root_(fs::temp_directory_path() / ("weft-data-dirs-" + std::to_string(getpid()))) {
        for (const char* tree : {"one", "two"})
            for (const char* folder : {"kernels", "filters"})
                fs::create_directories(root_ / tree / folder);
        fs::create_directories(root_ / "half/kernels");
    }
    ~DataDirsTest() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    fs::path root_;
};

TEST_F(DataDirsTest, TheOptionGoesBeforeTheEnvironment) {
    const Variable assets("WEFT_ASSETS", (root_ / "two").c_str());
    EXPECT_EQ(DataDirs(root_ / "one").root(), fs::canonical(root_ / "one"));
    EXPECT_EQ(DataDirs().root(), fs::canonical(root_ / "two"));
    EXPECT_EQ(DataDirs().filters(), fs::canonical(root_ / "two/filters"));
    EXPECT_EQ(DataDirs().pipelines(), fs::canonical(root_ / "two") / "pipelines");
}

TEST_F(DataDirsTest, AFolderWithoutFiltersIsRefusedByName) {
    try {
        DataDirs(root_ / "half");
        FAIL() << "accepted a folder without filters";
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::not_found);
        EXPECT_NE(e.message().find((root_ / "half").string()), std::string::npos);
    }
}

TEST_F(DataDirsTest, WithoutEitherTheDataLiesBesideTheExecutable) {
    const Variable assets("WEFT_ASSETS", nullptr);
    const fs::path beside = fs::read_symlink("/proc/self/exe").parent_path() / "../share/weft";
    EXPECT_EQ(DataDirs().root(), fs::weakly_canonical(beside));
}

TEST_F(DataDirsTest, UserFoldersFollowXdg) {
    const Variable home("HOME", "/home/somebody");
    {
        const Variable data("XDG_DATA_HOME", "/data"), cache("XDG_CACHE_HOME", "/cache");
        EXPECT_EQ(DataDirs::user_filters(), "/data/weft/filters");
        EXPECT_EQ(DataDirs::user_cache(), "/cache/weft");
    }
    const Variable data("XDG_DATA_HOME", nullptr), cache("XDG_CACHE_HOME", "");
    EXPECT_EQ(DataDirs::user_filters(), "/home/somebody/.local/share/weft/filters");
    EXPECT_EQ(DataDirs::user_cache(), "/home/somebody/.cache/weft");
}

} // namespace
} // namespace weft
