// Steps of one computation, each a little cleverer than the one before, measured and verified in one run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/yardsticks.hpp"

namespace weft::bench {

struct Rung {
    std::string name;
    std::string about; // the group, the block: what was chosen
    Spread ms;         // of one run
    double bytes = 0;  // that it has to read and write at least
    double operations = 0;
    double worst = 0, tolerance = 0; // largest difference from the verifying result, and what is allowed
    std::string refusal;             // why there is no result: the device or the compiler would not
    bool host = false;               // plain C++ on the host, beside the device's

    bool ran() const { return refusal.empty(); }
    bool good() const { return !ran() || worst <= tolerance; }
    double gb_per_s() const { return ms.median > 0 ? bytes / ms.median / 1e6 : 0; }
    double gflop_per_s() const { return ms.median > 0 ? operations / ms.median / 1e6 : 0; }
};

struct Ladder {
    std::string bench;      // "convolution"
    std::string job;        // what is computed, for people
    std::string comparison; // what every result is held against, and how
    std::string device, driver;
    int width = 0, height = 0;
    Yardsticks peak;
    std::vector<Rung> rungs; // the first one is what the others are compared with

    bool good() const;
};

// Which rungs are run: those whose name holds one of these texts; all when there are none.
bool wanted(const std::string& name, const std::vector<std::string>& only);

// Does `work`; what OpenCL and the compiler complain of becomes the rung's refusal.
void attempt(Rung& rung, const std::function<void()>& work);

// Called once when the yardsticks are known, with no rung yet; then with each rung.
using Told = std::function<void(const Ladder&, const Rung*)>;

// A ladder grows on a terminal line by line.
std::string ladder_head(const Ladder& ladder);
std::string ladder_line(const Ladder& ladder, const Rung& rung);
// {"bench", "job", "device", "driver", "width", "height", "copy_gb_per_s", "peak_gflop_per_s", "rungs":
// [{"name", "about", "ms", "speedup", "gb_per_s", "of_copy", "gflop_per_s", "of_peak", "worst", "tolerance",
// "good"}]}
std::string to_json(const std::vector<Ladder>& ladders);

} // namespace weft::bench
