#include <cmath>
#include <limits>
#include <map>

#include "base/format.hpp"
#include "graph/filter_library.hpp"
#include "graph/makers_private.hpp"

namespace weft::graph {
namespace {

// The expressions of a crop, with the names that FFmpeg's crop knows.
class CropReader {
  public:
    CropReader(const FilterUse& use, int width, int height) : use_(use), width_(width), height_(height) {
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        set({"in_w", "iw"}, width);
        set({"in_h", "ih"}, height);
        set({"out_w", "ow"}, unknown);
        set({"out_h", "oh"}, unknown);
        names_["a"] = static_cast<double>(width) / height;
    }

    Geometry read() {
        // Width and height may each be given by the other, so the width is read again once the height is
        // known.
        set({"out_w", "ow"}, whole("w"));
        set({"out_h", "oh"}, whole("h"));
        set({"out_w", "ow"}, whole("w"));
        set({"out_h", "oh"}, whole("h"));
        Geometry out;
        out.w = check("w", names_.at("ow"), 1, width_);
        out.h = check("h", names_.at("oh"), 1, height_);
        out.x = check("x", whole("x"), 0, width_ - out.w);
        out.y = check("y", whole("y"), 0, height_ - out.h);
        return out;
    }

  private:
    void set(std::initializer_list<const char*> names, double value) {
        for (const char* name : names)
            names_[name] = value;
    }

    double whole(const char* name) const {
        try {
            return std::floor(evaluate(text_value(use_, name), names_));
        } catch (const Error& e) {
            if (e.kind() != ErrorKind::bad_input) throw;
            throw maker_error(use_, fmt::format("{}: {}", name, e.message()));
        }
    }

    double check(const char* name, double value, double low, double high) const {
        if (value >= low && value <= high) return value;
        const std::string text = text_value(use_, name);
        const std::string given = std::isnan(value) ? fmt::format("'{}', which has no value", text)
                                                    : fmt::format("{} ('{}')", value, text);
        throw maker_error(use_, fmt::format("{} is {}, allowed {}..{} in a picture of {}x{}", name, given,
                                            low, high, width_, height_));
    }

    const FilterUse& use_;
    int width_, height_;
    std::map<std::string, double> names_;
};

} // namespace

Geometry geometry_of(const FilterUse& use, int width, int height) {
    const std::string& maker = use.manifest->maker;
    if (maker == "crop") return CropReader(use, width, height).read();
    Geometry out;
    out.w = width;
    out.h = height;
    if (maker == "hflip") {
        out.flip_x = true;
    } else if (maker == "vflip") {
        out.flip_y = true;
    } else if (maker == "transpose") {
        enum Pass { none, landscape, portrait };
        const auto pass = static_cast<int>(number(use, "passthrough"));
        // A square counts as both, as in FFmpeg.
        if ((pass == landscape && width >= height) || (pass == portrait && height >= width)) return out;
        enum Turn { cclock_flip, clock, cclock, clock_flip };
        const auto turn = static_cast<int>(number(use, "dir"));
        out.swap = true;
        out.flip_x = turn == clock || turn == clock_flip;
        out.flip_y = turn == cclock || turn == clock_flip;
    } else {
        throw Error(ErrorKind::internal,
                    fmt::format("filter '{}' has no geometry '{}'", use.manifest->name, maker));
    }
    return out;
}

} // namespace weft::graph
