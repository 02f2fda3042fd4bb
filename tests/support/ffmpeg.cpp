#include "support/ffmpeg.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/format.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

std::string raw_input(const Picture& picture, const std::string& file) {
    return fmt::format(" -f rawvideo -pix_fmt {} -s {}x{} -r 25 -i {}", picture.layout.ffmpeg_name(),
                       picture.width(), picture.height(), shell_quoted(file));
}

} // namespace

std::string shell_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out + "'";
}

std::string run_command(const std::string& command) {
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    WEFT_CHECK(pipe != nullptr);
    std::string output;
    std::array<char, 4096> buffer;
    while (const size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
        output.append(buffer.data(), got);
    const int status = pclose(pipe);
    if (status != 0) throw Error(ErrorKind::internal, command + "\n" + output);
    return output;
}

void write_raw(const std::string& file, const std::vector<Picture>& pictures) {
    std::ofstream out(file, std::ios::binary);
    for (const Picture& picture : pictures) {
        const std::vector<uint8_t> codes = picture.codes();
        out.write(reinterpret_cast<const char*>(codes.data()), static_cast<std::streamsize>(codes.size()));
    }
    WEFT_CHECK(out.good());
}

std::vector<Picture> read_raw(const std::string& file, const Layout& layout, int width, int height) {
    std::ifstream in(file, std::ios::binary);
    WEFT_CHECK(in.good());
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const size_t size = Picture::byte_count(layout, width, height);
    WEFT_CHECK(bytes.size() % size == 0);
    std::vector<Picture> out;
    for (size_t at = 0; at < bytes.size(); at += size)
        out.push_back(
            Picture::from_codes(layout, width, height, reinterpret_cast<const uint8_t*>(&bytes[at])));
    return out;
}

std::vector<Picture> ffmpeg_filter(const std::vector<Picture>& pictures, const std::string& filter,
                                   int out_width, int out_height) {
    const TempFolder folder;
    const Picture& first = pictures.front();
    write_raw(folder.file("in.raw"), pictures);
    run_command("ffmpeg -v error -nostdin" + raw_input(first, folder.file("in.raw")) + " -vf " +
                shell_quoted(filter) + " -f rawvideo -pix_fmt " + first.layout.ffmpeg_name() + " " +
                shell_quoted(folder.file("out.raw")));
    return read_raw(folder.file("out.raw"), first.layout, out_width ? out_width : first.width(),
                    out_height ? out_height : first.height());
}

Picture ffmpeg_filter(const Picture& picture, const std::string& filter, int out_width, int out_height) {
    return ffmpeg_filter(std::vector<Picture>{picture}, filter, out_width, out_height).front();
}

std::vector<Picture> ffmpeg_transition(const Picture& a, const Picture& b, const std::string& transition,
                                       int count) {
    const TempFolder folder;
    write_raw(folder.file("a.raw"), std::vector<Picture>(static_cast<size_t>(count), a));
    write_raw(folder.file("b.raw"), std::vector<Picture>(static_cast<size_t>(count), b));
    run_command(fmt::format("ffmpeg -v error -nostdin{}{} -filter_complex {} -f rawvideo -pix_fmt {} {}",
                            raw_input(a, folder.file("a.raw")), raw_input(b, folder.file("b.raw")),
                            shell_quoted(fmt::format("[0:v][1:v]xfade=transition={}:duration={}:offset=0",
                                                     transition, count / 25.0)),
                            a.layout.ffmpeg_name(), shell_quoted(folder.file("out.raw"))));
    return read_raw(folder.file("out.raw"), a.layout, a.width(), a.height());
}

int ffmpeg_major() {
    static const int major = [] {
        // "ffmpeg version 5.1.9-0+deb12u1 ..." or "ffmpeg version n7.1 ..."
        const std::string said = run_command("ffmpeg -version");
        const size_t digit = said.find_first_of("0123456789");
        return digit == std::string::npos ? 0 : std::stoi(said.substr(digit));
    }();
    return major;
}

} // namespace weft::test
