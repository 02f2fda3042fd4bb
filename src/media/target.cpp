#include "media/target_private.hpp"

#include <atomic>

#include <unistd.h>

#include "base/error.hpp"
#include "media/reader_private.hpp"

namespace weft::media {

namespace fs = std::filesystem;

std::string partial_name(const std::string& target) {
    const fs::path path(target);
    return (path.parent_path() / (path.stem().string() + ".partial" + path.extension().string())).string();
}

Target::Target(const std::string& target)
    : target_(target), name_(target == "-" ? "standard output" : target), temporary_(target) {
    if (target == "-" || is_address(target)) {
        direct_ = true;
        return;
    }
    std::error_code error;
    const fs::path path(target);
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) throw Error(ErrorKind::bad_input, target + ": is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        direct_ = true;
        return;
    }
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        throw Error(ErrorKind::not_found, target + ": there is no folder " + folder.string());
    static std::atomic<int> counter{0};
    const std::string name = "." + path.stem().string() + ".weft-" + std::to_string(::getpid()) + "-" +
                             std::to_string(++counter) + path.extension().string();
    temporary_ = (folder / name).string();
}

Target::~Target() {
    if (!done_) discard();
}

void Target::write_directly() {
    own_names_ = direct_ = true;
    temporary_ = target_;
}

void Target::commit() {
    done_ = true;
    if (direct_) return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) {
        discard();
        throw Error(ErrorKind::bad_input, target_ + ": cannot be put in place: " + error.message());
    }
}

std::string Target::commit_partial() noexcept {
    try {
        done_ = true;
        if (own_names_) return target_;
        if (direct_) return {}; // it went where it went; there is nothing to find later
        const std::string name = partial_name(target_);
        std::error_code error;
        fs::rename(temporary_, name, error);
        if (!error) return name;
    } catch (...) { // out of memory: nothing can be kept
    }
    discard();
    return {};
}

void Target::discard() noexcept {
    done_ = true;
    if (direct_) return;
    std::error_code error;
    fs::remove(temporary_, error);
}

} // namespace weft::media
