#include "ffmpeg_side.hpp"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/format.hpp"
#include "content.hpp"

extern char** environ;

namespace weft::bench {
namespace {

double milliseconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// Runs a program and waits. Errors : internal when it cannot be started or fails.
Cost run_program(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
        throw Error(ErrorKind::internal, words.front() + " cannot be started");
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    const auto wall = std::chrono::steady_clock::now() - begin;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw Error(ErrorKind::internal, fmt::format("{} failed", fmt::join(words, " ")));
    return {milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
            std::chrono::duration<double, std::milli>(wall).count()};
}

void replace(std::string& text, const std::string& what, const std::string& with) {
    const size_t at = text.find(what);
    if (at != std::string::npos) text.replace(at, what.size(), with);
}

} // namespace

FfmpegSide::FfmpegSide(std::string folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
}

std::string FfmpegSide::loop_file(const colour::PictureFormat& format, int loop) {
    const std::string file =
        fmt::format("{}/loop{}_{}x{}_{}.raw", folder_, loop, format.width, format.height, format.pixels.name);
    if (std::filesystem::exists(file)) return file;
    std::ofstream out(file, std::ios::binary);
    for (int n = 0; n < loop_length; ++n) {
        const std::vector<uint8_t> bytes = content(format, n, loop);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    if (!out.good()) throw Error(ErrorKind::resource, "cannot write '" + file + "'");
    return file;
}

std::vector<std::string> FfmpegSide::command(const KernelCase& row, const std::string& filter, int count) {
    std::vector<std::string> words{"ffmpeg", "-v", "error", "-nostdin", "-y"};
    const int loops = row.transition ? 2 : 1;
    const colour::PictureFormat& in = row.scene.streams.front();
    std::string graph;
    for (int i = 0; i < loops; ++i) {
        for (const std::string& word :
             {std::string("-f"), std::string("rawvideo"), std::string("-pix_fmt"), in.pixels.name,
              std::string("-s"), fmt::format("{}x{}", row.in.width, row.in.height), std::string("-r"),
              std::string("25"), std::string("-i"), loop_file(in, i)})
            words.push_back(word);
        graph += fmt::format("[{0}:v]setparams={2},loop=loop=-1:size={1}:start=0[l{0}];", i, loop_length,
                             row.tags);
    }
    words.emplace_back("-filter_complex");
    if (filter.empty()) { // the loops alone
        graph.pop_back();
        words.push_back(graph);
        for (int i = 0; i < loops; ++i)
            words.insert(words.end(), {"-map", fmt::format("[l{}]", i)});
        return words;
    }
    std::string last = filter;
    replace(last, "$DURATION", fmt::format("{}", count / 25.0));
    words.push_back(graph + (loops == 2 ? "[l0][l1]" : "[l0]") + last + "[out]");
    words.insert(words.end(), {"-map", "[out]"});
    return words;
}

Cost FfmpegSide::base(const KernelCase& row, int count) {
    std::vector<std::string> words = command(row, "", count);
    words.insert(words.end(), {"-frames:v", std::to_string(count), "-f", "null", "-"});
    return run_program(words);
}

Cost FfmpegSide::run(const KernelCase& row, int count) {
    std::vector<std::string> words = command(row, row.ffmpeg, count);
    words.insert(words.end(), {"-frames:v", std::to_string(count), "-f", "null", "-"});
    const Cost with = run_program(words);
    return (with - base(row, count)) / count;
}

std::vector<uint8_t> FfmpegSide::picture(const KernelCase& row, int number, int count) {
    const std::string file = folder_ + "/picture.raw";
    const std::string pick =
        fmt::format("{},trim=start_frame={}:end_frame={}", row.ffmpeg, number, number + 1);
    std::vector<std::string> words = command(row, pick, count);
    words.insert(words.end(), {"-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", file});
    run_program(words);
    std::ifstream in(file, std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    return {bytes.begin(), bytes.end()};
}

} // namespace weft::bench
