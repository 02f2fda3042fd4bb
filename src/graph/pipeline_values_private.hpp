// Values that both pipeline files and short options give.
#pragma once

#include <string>
#include <utility>

#include "graph/pipeline_spec.hpp"

namespace weft::graph {

// "1920x1080", or FFmpeg's "hd720", "hd1080", "uhd2160". Errors : usage at `place`.
std::pair<int, int> read_size(const std::string& text, const Place& place);

// parse_rate() with a place.
Rational read_rate(const std::string& text, const Place& place);

// "-6dB", or a linear factor of 0 and more ("0.5"; 0 is silence, -inf dB). Errors : usage at `place`.
struct Volume {
    double db = 0;
    bool mute = false;
};
Volume read_volume(const std::string& text, const Place& place);

// "120", "50%". Errors : usage at `place`.
Length read_length(const std::string& text, const Place& place);

} // namespace weft::graph
