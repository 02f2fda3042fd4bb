// Runs the built program as a child process, on clips that the ffmpeg program makes.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::test {

struct Result {
    int status = -1; // exit status; 128 + n when signal n killed it
    std::string out, err;
};

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline void write_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

// A child that may still be running.
class Child {
  public:
    // words[0] is the program. `folder` is where it runs and where its output is collected. stdin is empty.
    Child(const std::vector<std::string>& words, const std::filesystem::path& folder,
          const std::string& out_to = "")
        : out_(out_to.empty() ? folder / ".out" : std::filesystem::path(out_to)), err_(folder / ".err") {
        std::vector<char*> argv;
        for (const std::string& word : words)
            argv.push_back(const_cast<char*>(word.c_str())); // NOLINT: execv's type
        argv.push_back(nullptr);
        pid_ = fork();
        if (pid_ != 0) return;
        if (chdir(folder.c_str()) != 0) _exit(126);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
        dup2(open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    pid_t pid() const { return pid_; }
    std::string err_so_far() const { return read_file(err_); }
    Result wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        Result result;
        result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (std::filesystem::is_regular_file(out_)) result.out = read_file(out_);
        result.err = read_file(err_);
        return result;
    }

  private:
    std::filesystem::path out_, err_;
    pid_t pid_ = -1;
};

// Each test has a folder of its own, removed at the end.
class Cli : public testing::Test {
  protected:
    Cli() {
        std::string pattern = (std::filesystem::temp_directory_path() / "weft-cli-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~Cli() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    static std::vector<std::string> words(const std::vector<std::string>& arguments) {
        std::vector<std::string> all{std::string(WEFT_BIN_DIR) + "/weft"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }
    Result weft(const std::vector<std::string>& arguments) { return Child(words(arguments), folder_).wait(); }

    // Runs ffmpeg with these words; the test fails when it fails.
    void ffmpeg(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"ffmpeg", "-v", "error", "-y", "-nostdin"});
        const Result result = Child(arguments, folder_).wait();
        ASSERT_EQ(result.status, 0) << result.err;
    }
    // What ffprobe says: `entries` as in "stream=width,height", one value a line.
    std::string ffprobe(const std::string& file, const std::string& entries,
                        const std::string& streams = "v:0") {
        const Result result = Child({"ffprobe", "-v", "error", "-count_frames", "-select_streams", streams,
                                     "-show_entries", entries, "-of", "default=nw=1:nk=1", file},
                                    folder_)
                                  .wait();
        EXPECT_EQ(result.status, 0) << result.err;
        return result.out;
    }
    // "red 64x48 at 25 fps for 1 s", stored without loss.
    void make_clip(const std::string& name, const std::string& source) {
        ffmpeg({"-f", "lavfi", "-i", source, "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", name});
    }
    // Writes what a phone held upright writes into an MP4's first track: a quarter turn clockwise when shown.
    // ffmpeg's options for it differ between its versions. Matrix of the track header: ISO/IEC
    // 14496-12, 8.3.2.
    void turn_upright(const std::string& name) {
        std::string bytes = read_file(at(name));
        const size_t header = bytes.find("tkhd");
        ASSERT_NE(header, std::string::npos);
        const size_t matrix = header + 4 + (bytes[header + 4] == 1 ? 52 : 40);
        const std::string one("\0\1\0\0", 4), zero(4, '\0'), minus_one("\xff\xff\0\0", 4),
            whole("\x40\0\0\0", 4);
        bytes.replace(matrix, 36, zero + one + zero + minus_one + zero + zero + zero + zero + whole);
        write_file(at(name), bytes);
    }
    std::filesystem::path at(const std::string& name) const { return folder_ / name; }
    bool exists(const std::string& name) const { return std::filesystem::exists(at(name)); }
    // Names in the folder, without our own collected output.
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            if (const std::string name = entry.path().filename().string(); name != ".out" && name != ".err")
                names.push_back(name);
        return names;
    }

    std::filesystem::path folder_;
};

} // namespace weft::test
