#include "present/play_stats.hpp"

#include "base/format.hpp"

namespace weft::present {
namespace {

double seconds(Nanoseconds time) {
    return static_cast<double>(time.count()) / 1e9;
}

std::string flags(const PlayStats& stats) {
    std::string text;
    if (stats.speed != 1) text += fmt::format("  x{:.2f}", stats.speed);
    if (stats.paused) text += "  (paused)";
    return text;
}

std::string place(const PlayStats& stats) {
    std::string text = clock_text(stats.position);
    if (stats.length && stats.length->count() > 0)
        text += fmt::format(" / {} ({}%)", clock_text(*stats.length),
                            100 * stats.position.count() / stats.length->count());
    return text;
}

} // namespace

std::string clock_text(Nanoseconds time) {
    const bool negative = time.count() < 0;
    const int64_t ms = (negative ? -time.count() : time.count()) / 1'000'000;
    return fmt::format("{}{:02}:{:02}:{:02}.{:03}", negative ? "-" : "", ms / 3'600'000, ms / 60'000 % 60,
                       ms / 1000 % 60, ms % 1000);
}

std::vector<std::string> stats_lines(const PlayStats& stats) {
    std::vector<std::string> lines;
    lines.push_back(place(stats) + flags(stats));
    lines.push_back(fmt::format("canvas    {}x{} at {} fps", stats.width, stats.height, stats.rate.text()));
    lines.push_back(fmt::format("shown     {:.2f} fps, {} pictures", stats.shown_rate, stats.shown));
    lines.push_back(fmt::format("late      {}   dropped {}", stats.late, stats.dropped));
    if (stats.av) lines.push_back(fmt::format("A-V       {:+.3f} s", seconds(*stats.av)));
    lines.push_back(fmt::format("volume    {:.0f} %{}", stats.volume, stats.mute ? " (mute)" : ""));
    lines.push_back("device    " + stats.device);
    lines.push_back("upload    " + stats.upload);
    lines.push_back("display   " + stats.interop + ", " + stats.renderer);
    return lines;
}

std::string status_line(const PlayStats& stats) {
    std::string text = place(stats) + fmt::format("  {:.2f} fps", stats.shown_rate);
    if (stats.av) text += fmt::format("  A-V: {:+.3f}", seconds(*stats.av));
    return text + fmt::format("  late {}  dropped {}", stats.late, stats.dropped) + flags(stats);
}

} // namespace weft::present
