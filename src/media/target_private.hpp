// Where a writer writes while its file is not complete.
#pragma once

#include <filesystem>
#include <string>

namespace weft::media {

// A file is written under a hidden temporary name beside its target, with the same extension, so that neither
// a reader nor a crash ever meets half a file under the real name. Pipes, devices and addresses are written
// directly.
class Target {
  public:
    // Errors : not_found when the folder is missing; bad_input when the target is a folder.
    explicit Target(const std::string& target);
    ~Target(); // removes what was not committed
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    const std::string& name() const { return name_; }      // for people
    const std::string& path() const { return temporary_; } // to be opened
    bool direct() const { return direct_; }
    void write_directly(); // for muxers that make files of their own

    void commit(); // Errors : bad_input naming the target
    // Renames to "NAME.partial.EXT" and returns that; "" when it cannot be done, and for pipes and addresses.
    std::string commit_partial() noexcept;
    void discard() noexcept;

  private:
    std::string target_, name_, temporary_;
    bool direct_ = false;
    bool own_names_ = false; // write_directly()
    bool done_ = false;
};

// "out.partial.mp4"
std::string partial_name(const std::string& target);

} // namespace weft::media
