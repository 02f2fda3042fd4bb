#include "colour/picture_format.hpp"

namespace weft::colour {
namespace {

struct Size {
    int width, height;
};

// Enlarges the axis that the sample aspect calls for and never shrinks the other, so that no sample is lost.
Size square_pixels(const PictureFormat& format) {
    const Rational aspect = format.sample_aspect;
    if (aspect <= Rational(0) || aspect == Rational(1)) return {format.width, format.height};
    if (aspect > Rational(1))
        return {static_cast<int>((Rational(format.width) * aspect).round()), format.height};
    return {format.width, static_cast<int>((Rational(format.height) / aspect).round())};
}

bool on_its_side(const PictureFormat& format) {
    return format.rotation % 2 != 0;
}

} // namespace

int PictureFormat::display_width() const {
    const Size size = square_pixels(*this);
    return on_its_side(*this) ? size.height : size.width;
}

int PictureFormat::display_height() const {
    const Size size = square_pixels(*this);
    return on_its_side(*this) ? size.width : size.height;
}

} // namespace weft::colour
