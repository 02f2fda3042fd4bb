#include "base/text_file.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

class TextFile : public testing::Test {
  protected:
    TextFile() { fs::create_directories(root_); }
    ~TextFile() override { fs::remove_all(root_); }
    fs::path write(const std::string& bytes) const {
        std::ofstream(root_ / "file", std::ios::binary) << bytes;
        return root_ / "file";
    }
    static Error complaint(const fs::path& file) {
        try {
            read_text(file);
        } catch (const Error& e) {
            EXPECT_EQ(e.place().file, file.string());
            return e;
        }
        return Error(ErrorKind::internal, "no complaint");
    }
    fs::path root_ = fs::temp_directory_path() / ("weft-text-" + std::to_string(getpid()));
};

TEST_F(TextFile, IsReadWhole) {
    const std::string bytes = std::string(200000, 'a') + "line\r\nend \xC3\xA9 \xE9";
    EXPECT_EQ(read_text(write(bytes)), bytes);
    EXPECT_EQ(read_text(write("")), "");
    const std::string utf16 = "\xFF\xFEw\0e\0"s;
    EXPECT_EQ(read_text(write(utf16)), utf16);
}

TEST_F(TextFile, NamesWhatItCannotRead) {
    EXPECT_EQ(complaint(root_ / "missing").kind(), ErrorKind::not_found);
    EXPECT_EQ(complaint(root_).kind(), ErrorKind::bad_input);
}

TEST_F(TextFile, OtherFilesAreToldFromText) {
    const auto told = [&](const std::string& bytes) { return complaint(write(bytes)).message(); };
    EXPECT_EQ(told("\0\0\0\x20"
                   "ftypisom"s),
              "is no text file but an MP4 or QuickTime file (weft probe tells about media)");
    EXPECT_EQ(told("weft: 1\n\0"s), "is no text file");
    EXPECT_EQ(told(std::string(100000, ' ') + '\0'), "is no text file");
    EXPECT_EQ(kind_of_bytes("\x1A\x45\xDF\xA3"), "a Matroska or WebM file");
    std::string packets(400, 'x');
    packets[0] = packets[188] = packets[376] = 0x47;
    EXPECT_EQ(kind_of_bytes(packets), "an MPEG transport stream");
    EXPECT_EQ(kind_of_bytes("weft: 1\n"), "");
}

TEST_F(TextFile, AHugeOneIsRefused) {
    std::ofstream out(root_ / "file", std::ios::binary);
    const std::string piece(size_t{1} << 20, '\n');
    for (int i = 0; i < 65; ++i)
        out << piece;
    out.close();
    EXPECT_EQ(complaint(root_ / "file").message(),
              "is larger than 64 MiB, which no text that is read here is");
}

// RFC 3629, section 4: the grammar, at its edges.
TEST(Utf8, IsToldFromOtherBytes) {
    const auto good = [](const std::string& text) { return !first_not_utf8(text); };
    for (const char* text : {"", "plain", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                             "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
        EXPECT_TRUE(good(text)) << text;
    for (const char* text : {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                             "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3", "\xE2\x82", "\xC3("})
        EXPECT_FALSE(good(text)) << text;
    EXPECT_EQ(first_not_utf8("caf\xE9"), 3u);
}

} // namespace
} // namespace weft
