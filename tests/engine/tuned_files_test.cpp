#include "engine/tuned_files.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "base/data_dirs.hpp"
#include "base/text_file.hpp"
#include "support/temp_folder.hpp"

namespace weft::engine {
namespace {

namespace fs = std::filesystem;

gpu::DeviceInfo some_device(const std::string& name, const std::string& driver = "1.0") {
    gpu::DeviceInfo info;
    info.platform_name = "Platform";
    info.version = "OpenCL 3.0";
    info.driver = driver;
    info.traits.name = name;
    info.traits.compute_units = 4;
    return info;
}

graph::Tuned some_table() {
    graph::Tuned tuned;
    tuned.weft = "1";
    tuned.slots = 3;
    tuned.shapes[{}] = {{.band = 16}, 2, 1};
    return tuned;
}

class TunedFilesTest : public testing::Test {
  protected:
    test::TempFolder folder_;
    TunedFiles files_{fs::path(folder_.file("tune"))};
    const gpu::DeviceInfo device_ = some_device("A GPU (R) 9000");
};

TEST_F(TunedFilesTest, each_device_and_driver_has_a_table_of_its_own) {
    EXPECT_FALSE(files_.load(device_));
    files_.save(device_, some_table());
    const auto read = files_.load(device_);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->shapes, some_table().shapes);
    EXPECT_EQ(read->slots, 3);
    EXPECT_EQ(read->device, "A GPU (R) 9000");
    gpu::DeviceInfo fewer = device_, other = device_;
    fewer.traits.compute_units = 2;
    other.platform_name = "Another";
    for (const gpu::DeviceInfo& info :
         {some_device("A GPU (R) 9000", "1.1"), some_device("B"), fewer, other}) {
        EXPECT_NE(files_.file_of(info), files_.file_of(device_));
        EXPECT_FALSE(files_.load(info));
    }
    EXPECT_TRUE(files_.clear(device_));
    EXPECT_FALSE(files_.clear(device_));
    EXPECT_FALSE(files_.load(device_));
}

TEST_F(TunedFilesTest, nothing_is_left_beside_a_table) {
    files_.save(device_, some_table());
    files_.save(device_, some_table());
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(files_.file_of(device_).parent_path()))
        ++count;
    EXPECT_EQ(count, 1u);
}

TEST_F(TunedFilesTest, a_file_that_is_no_table_of_the_device_counts_as_none) {
    files_.save(device_, some_table());
    const fs::path file = files_.file_of(device_);
    const std::string good = read_text(file);
    files_.save(some_device("B"), some_table());
    const std::string foreign = read_text(files_.file_of(some_device("B")));
    for (const std::string& text :
         {std::string(), std::string("\x7f\x45LF\0\0", 6), good.substr(0, good.size() / 2), foreign,
          good + "upload: sideways\n", good + "upload: host\n", // this device does not share memory
          good + std::string(TunedFiles::most_bytes, '#')}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
        EXPECT_FALSE(files_.load(device_)) << text.substr(0, 200);
    }
    std::ofstream(file, std::ios::binary | std::ios::trunc) << good;
    EXPECT_TRUE(files_.load(device_));
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_FALSE(files_.load(device_));
}

TEST_F(TunedFilesTest, the_tables_tuned_longest_ago_go) {
    const size_t count = TunedFiles::most_files + 4;
    for (size_t i = 0; i < count; ++i) {
        files_.save(some_device("device " + std::to_string(i)), some_table());
        // Files of one moment would have no order.
        const fs::path file = files_.file_of(some_device("device " + std::to_string(i)));
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(count - i));
    }
    for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(files_.load(some_device("device " + std::to_string(i))).has_value(),
                  i >= count - TunedFiles::most_files)
            << i;
}

} // namespace
} // namespace weft::engine
