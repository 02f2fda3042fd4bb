// Where one component's samples lie: index arithmetic as text.
#pragma once

#include <string>
#include <vector>

#include "base/format.hpp"
#include "graph/emit_private.hpp"

namespace weft::graph {

// Index arithmetic of one component of a fetch: from upright (row, column) to memory.
class SampleReader {
  public:
    SampleReader(BodyWriter& writer, const Fetch& fetch, int component)
        : component_(fetch.image.components[static_cast<size_t>(component)]), turn_(fetch.turn),
          name_(writer.plane(component_, false)) {
        if (!component_.palette) return;
        ImageComponent palette;
        palette.plane = *component_.palette;
        palette_ = writer.plane(palette, false);
    }

    const SampleLayout& sample() const { return component_.sample; }
    std::string type() const { return pointer_type(component_.sample.type, false); }
    int columns() const { return turn_.swap ? component_.height : component_.width; }
    int rows() const { return turn_.swap ? component_.width : component_.height; }

    bool palette() const { return !palette_.empty(); }
    // Pointer to sample 0 of a row as it is stored.
    std::string stored_row(const std::string& row) const {
        return fmt::format("(({})({} + ({}) * {}p) + {})", type(), name_, row, name_,
                           component_.sample.offset);
    }
    // Pointer to the start of an upright row; `row` is an expression inside 0..rows()-1.
    std::string row_pointer(const std::string& row) const {
        const std::string index =
            turn_.flip_y ? fmt::format("({} - ({}))", rows() - 1, row) : fmt::format("({})", row);
        const SampleLayout& s = component_.sample;
        if (turn_.swap)
            return fmt::format("({} + ({} * {} + {}) * {})", name_, index, s.step, s.offset, s.bytes());
        return fmt::format("(({})({} + {} * {}p) + {})", type(), name_, index, name_, s.offset);
    }
    bool by_pitch() const { return turn_.swap; }
    // Bytes or elements that one column is apart, signed, as text; and as an int when it is known.
    std::string column_stride() const {
        if (turn_.swap) return fmt::format("{}{}p", turn_.flip_x ? "-" : "", name_);
        return literal(turn_.flip_x ? -component_.sample.step : component_.sample.step);
    }
    // Column 0's position relative to the row pointer.
    std::string column_zero() const {
        if (!turn_.flip_x) return "0";
        if (turn_.swap) return fmt::format("{} * {}p", columns() - 1, name_);
        return literal((columns() - 1) * component_.sample.step);
    }
    // An element as the number that the sample's shift and mask apply to: itself, or its palette's word.
    std::string looked_up(const std::string& element) const {
        return palette_.empty() ? element : fmt::format("((const __global uint*){})[{}]", palette_, element);
    }
    // The element at upright column `column` (expression).
    std::string at(const std::string& row, const std::string& column) const {
        return looked_up(stored_at(row, column));
    }

  private:
    std::string stored_at(const std::string& row, const std::string& column) const {
        if (turn_.swap)
            return fmt::format("(*({})({} + {} + ({}) * ({})))", type(), row, column_zero(), column,
                               column_stride());
        if (turn_.flip_x)
            return fmt::format("{}[{} - ({}) * {}]", row, column_zero(), column, component_.sample.step);
        if (component_.sample.step == 1) return fmt::format("{}[{}]", row, column);
        return fmt::format("{}[({}) * {}]", row, column, component_.sample.step);
    }

    const ImageComponent& component_;
    const Orientation turn_;
    std::string name_, palette_;
};

// Row pointers of the vertical taps and their weights: literals, or variables read from a table.
struct Rows {
    std::string text;
    std::vector<std::string> pointers;
    std::vector<double> weights;      // empty: runtime
    std::vector<std::string> runtime; // names
};
// tag : prefix of the variables it declares.  y : expression of the result's row.
Rows row_taps(BodyWriter& writer, const SampleReader& reader, const AxisTaps& axis, const std::string& tag,
              const std::string& y);

} // namespace weft::graph
