#include "graph/tuned.hpp"

#include <bit>
#include <cmath>

#include "base/format.hpp"
#include "graph/yaml_tree_private.hpp"

namespace weft::graph {
namespace {

const std::vector<std::string> sums_names{"by rule", "at once", "by columns"};

// A member of a shape in the table.
struct Member {
    const char* name;
    int Shape::*value;
    int least, most;
    bool power_of_two;
};
constexpr Member members[] = {{"band", &Shape::band, 1, 4096, false},
                              {"lanes", &Shape::lanes, 4, 64, true},
                              {"across", &Shape::across, 4, 16, true},
                              {"down", &Shape::down, 1, 8, true},
                              {"group", &Shape::group, 1, 1024, true}};

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
    return out + "\"";
}

class Reader {
  public:
    Reader(const YamlNode& root, std::vector<Error>& errors)
        : map_(root, "a table of weft tune", errors), errors_(errors) {}

    Tuned read() {
        Tuned out;
        const auto generation = whole(map_, "tuned", 0, 1 << 30);
        if (!generation)
            complain(errors_, map_.node().place, "has no key 'tuned': it is no table of weft tune");
        if (generation && *generation != shapes_generation) {
            complain(errors_, map_.node().place,
                     fmt::format("is of generation {}, this program's is {}", *generation, shapes_generation),
                     ErrorKind::unsupported);
            return out;
        }
        out.device = map_.text("device").value_or("");
        out.driver = map_.text("driver").value_or("");
        out.weft = map_.text("weft").value_or("");
        out.upload = map_.text("upload").value_or("");
        out.slots = whole(map_, "slots", 1, 64).value_or(0);
        if (const YamlNode* list = map_.find("shapes"); list != nullptr && list->is_sequence())
            for (const YamlNode& item : list->items)
                read_shape(item, out);
        map_.finish();
        return out;
    }

  private:
    std::optional<int> whole(MapReader& map, const char* key, int least, int most) {
        const auto value = map.number(key);
        if (!value) return std::nullopt;
        if (*value >= least && *value <= most && *value == std::floor(*value))
            return static_cast<int>(*value);
        complain(errors_, map.node().place,
                 fmt::format("'{}' is {}, allowed are whole numbers {}..{}", key, *value, least, most));
        return std::nullopt;
    }

    void read_shape(const YamlNode& item, Tuned& out) {
        MapReader map(item, "a shape", errors_);
        const auto work = map.choice("work", work_names());
        const auto extent = map.choice("extent", extent_names());
        const auto samples = map.choice("samples", samples_names());
        TunedShape read;
        for (const Member& member : members) {
            const auto value = whole(map, member.name, member.least, member.most);
            if (value && member.power_of_two && !std::has_single_bit(static_cast<unsigned>(*value)))
                complain(errors_, item.place,
                         fmt::format("'{}' is {}, which is no power of two", member.name, *value));
            read.shape.*member.value = value.value_or(0);
        }
        if (const auto sums = map.choice("sums", sums_names))
            read.shape.sums = static_cast<WindowSums>(*sums);
        read.rule_ms = map.number("rule_ms").value_or(0);
        read.ms = map.number("ms").value_or(0);
        map.finish();
        if (!work || !extent || !samples) {
            complain(errors_, item.place, "a shape needs work, extent and samples");
            return;
        }
        const ShapeKey key{static_cast<Work>(*work), static_cast<Extent>(*extent),
                           static_cast<Samples>(*samples)};
        if (!out.shapes.emplace(key, read).second)
            complain(errors_, item.place, fmt::format("'{}' is there twice", name(key)));
    }

    MapReader map_;
    std::vector<Error>& errors_;
};

std::string shape_line(const ShapeKey& key, const TunedShape& tuned) {
    std::string out = fmt::format("  - {{work: {}, extent: {}, samples: {}", name(key.work), name(key.extent),
                                  name(key.samples));
    for (const Member& member : members)
        if (const int value = tuned.shape.*member.value; value > 0)
            out += fmt::format(", {}: {}", member.name, value);
    if (tuned.shape.sums != WindowSums::by_rule)
        out += ", sums: " + sums_names[static_cast<size_t>(tuned.shape.sums)];
    return out + fmt::format(", rule_ms: {:.4f}, ms: {:.4f}}}\n", tuned.rule_ms, tuned.ms);
}

} // namespace

Shapes Tuned::for_planner() const {
    Shapes out;
    for (const auto& [key, tuned] : shapes)
        out[key] = tuned.shape;
    return out;
}

std::string to_yaml(const Tuned& tuned) {
    std::string out = "# Measured by weft tune: --show prints this, --clear removes it. Speed depends on it, "
                      "pictures never.\n";
    out += fmt::format("tuned: {}\ndevice: {}\ndriver: {}\nweft: {}\n", shapes_generation,
                       quoted(tuned.device), quoted(tuned.driver), quoted(tuned.weft));
    if (!tuned.upload.empty()) out += fmt::format("upload: {}\n", tuned.upload);
    if (tuned.slots > 0) out += fmt::format("slots: {}\n", tuned.slots);
    if (!tuned.shapes.empty()) out += "shapes:\n";
    for (const auto& [key, shape] : tuned.shapes)
        out += shape_line(key, shape);
    return out;
}

Tuned parse_tuned(const std::string& text, const std::string& file) {
    std::vector<Error> errors;
    const YamlNode root = read_yaml(text, file);
    Tuned tuned = Reader(root, errors).read();
    if (!errors.empty()) throw Errors(std::move(errors));
    return tuned;
}

} // namespace weft::graph
