#include <algorithm>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include "base/text_file.hpp"
#include "graph/text_private.hpp"
#include "graph/yaml_tree_private.hpp"

namespace weft::graph {
namespace {

// Aliases may repeat a node, and even contain themselves: both limits keep a hostile file small.
constexpr int max_depth = 40;
constexpr size_t max_nodes = 200000;

Place place_of(const YAML::Mark& mark, const std::string& file) {
    if (mark.is_null()) return {file, 1, 1};
    return {file, mark.line + 1, mark.column + 1};
}

class TreeBuilder {
  public:
    explicit TreeBuilder(const std::string& file) : file_(file) {}

    YamlNode build(const YAML::Node& from, int depth = 0) {
        YamlNode out;
        out.place = place_of(from.Mark(), file_);
        if (depth > max_depth) throw Error(ErrorKind::bad_input, "is nested too deeply", out.place);
        if (++count_ > max_nodes) throw Error(ErrorKind::bad_input, "has too many nodes", out.place);
        switch (from.Type()) {
        case YAML::NodeType::Scalar:
            out.kind = YamlNode::Kind::scalar;
            out.text = from.Scalar();
            break;
        case YAML::NodeType::Sequence:
            out.kind = YamlNode::Kind::sequence;
            for (const auto& item : from)
                out.items.push_back(build(item, depth + 1));
            break;
        case YAML::NodeType::Map:
            out.kind = YamlNode::Kind::map;
            for (const auto& entry : from) {
                const Place key_place = place_of(entry.first.Mark(), file_);
                if (!entry.first.IsScalar() && !entry.first.IsNull())
                    throw Error(ErrorKind::bad_input, "a key must be a plain word", key_place);
                // `null: {}` is an output, though YAML takes the word for nothing.
                out.keys.emplace_back(entry.first.IsNull() ? "null" : entry.first.Scalar(), key_place);
                out.items.push_back(build(entry.second, depth + 1));
                // An empty value has no place of its own.
                if (out.items.back().is_null()) out.items.back().place = key_place;
            }
            break;
        default:
            break;
        }
        return out;
    }

  private:
    const std::string& file_;
    size_t count_ = 0;
};

void refuse_other_encodings(const std::string& text, const std::string& file) {
    const bool marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); // UTF-16
    const auto bad = marked ? std::nullopt : first_not_utf8(text);
    if (!bad) return;
    const auto behind = text.begin() + static_cast<std::ptrdiff_t>(*bad);
    const auto line_end = text.rfind('\n', *bad);
    const size_t line_begin = line_end == std::string::npos ? 0 : line_end + 1;
    throw Error(ErrorKind::bad_input, "is not UTF-8: save it as such",
                Place{file, static_cast<int>(std::count(text.begin(), behind, '\n')) + 1,
                      static_cast<int>(*bad - line_begin) + 1});
}

// What people most often did where the parser says this; it speaks of its own trouble.
std::string cause_of(const std::string& message) {
    if (message.find("end of map not found") != std::string::npos ||
        message.find("end of sequence not found") != std::string::npos)
        return " (is a line indented by more or fewer blanks than those beside it?)";
    if (message.find("illegal map value") != std::string::npos)
        return " (a tab where blanks belong, or a second colon in the line?)";
    return "";
}

} // namespace

const char* YamlNode::kind_name() const {
    switch (kind) {
    case Kind::null:
        return "nothing";
    case Kind::scalar:
        return "a single value";
    case Kind::sequence:
        return "a list";
    case Kind::map:
        return "a map";
    }
    return "?";
}

YamlNode read_yaml(const std::string& text, const std::string& file) {
    refuse_other_encodings(text, file);
    try {
        const std::vector<YAML::Node> documents = YAML::LoadAll(text);
        for (size_t i = 1; i < documents.size(); ++i)
            if (!documents[i].IsNull())
                throw Error(ErrorKind::bad_input, "a second document (after '---') is not read",
                            place_of(documents[i].Mark(), file));
        return TreeBuilder(file).build(documents.empty() ? YAML::Node() : documents.front());
    } catch (const YAML::DeepRecursion& e) {
        throw Error(ErrorKind::bad_input, "is nested too deeply", place_of(e.mark, file));
    } catch (const YAML::Exception& e) {
        throw Error(ErrorKind::bad_input, "is not YAML: " + e.msg + cause_of(e.msg), place_of(e.mark, file));
    }
}

void complain(std::vector<Error>& errors, const Place& place, const std::string& message, ErrorKind kind) {
    errors.emplace_back(kind, message, place);
}

std::optional<size_t> read_choice(const YamlNode& node, const std::string& what,
                                  const std::vector<std::string>& names, std::vector<Error>& errors) {
    if (node.is_scalar()) {
        const auto found = std::find(names.begin(), names.end(), node.text);
        if (found != names.end()) return static_cast<size_t>(found - names.begin());
    }
    complain(errors, node.place,
             what + " is " + (node.is_scalar() ? "'" + node.text + "'" : node.kind_name()) +
                 ", allowed: " + join(names, ", "));
    return std::nullopt;
}

MapReader::MapReader(const YamlNode& node, std::string what, std::vector<Error>& errors)
    : node_(node), what_(std::move(what)), errors_(errors) {
    if (!node.is_map() && !node.is_null())
        complain(errors, node.place, what_ + " is " + node.kind_name() + ", expected a map");
    for (size_t i = 0; i < node.keys.size(); ++i) {
        const auto same = [&](const auto& key) { return key.first == node.keys[i].first; };
        const auto first = std::find_if(node.keys.begin(), node.keys.end(), same);
        if (first != node.keys.begin() + static_cast<std::ptrdiff_t>(i))
            complain(errors, node.keys[i].second,
                     what_ + ": '" + first->first + "' is given twice, first in line " +
                         std::to_string(first->second.line));
    }
}

const YamlNode* MapReader::find(const std::string& key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
    for (size_t i = 0; i < node_.keys.size(); ++i)
        if (node_.keys[i].first == key) return &node_.items[i];
    return nullptr;
}

const YamlNode* MapReader::require(const std::string& key) {
    const YamlNode* found = find(key);
    if (!found && (node_.is_map() || node_.is_null()))
        complain(errors_, node_.place, what_ + ": '" + key + "' is missing");
    return found;
}

std::vector<size_t> MapReader::rest() const {
    std::vector<size_t> out;
    for (size_t i = 0; i < node_.keys.size(); ++i)
        if (std::find(known_.begin(), known_.end(), node_.keys[i].first) == known_.end()) out.push_back(i);
    return out;
}

void MapReader::finish() {
    for (const size_t i : rest()) {
        const auto& [key, place] = node_.keys[i];
        const size_t colon = key.find(':');
        const bool joined = std::find(known_.begin(), known_.end(), key.substr(0, colon)) != known_.end();
        complain(errors_, place,
                 what_ + ": unknown key '" + key + "'" +
                     (joined ? ", a blank is missing behind the colon" : suggestion(key, known_)));
    }
}

std::optional<std::string> MapReader::text(const std::string& key) {
    const YamlNode* found = find(key);
    if (!found) return std::nullopt;
    if (found->is_scalar()) return found->text;
    complain(errors_, found->place,
             what_ + ": " + key + " is " + found->kind_name() + ", expected a single value");
    return std::nullopt;
}

std::optional<double> MapReader::number(const std::string& key) {
    const std::optional<std::string> value = text(key);
    if (!value) return std::nullopt;
    if (const std::optional<double> out = read_number(*value)) return out;
    complain(errors_, find(key)->place, what_ + ": " + key + " is '" + *value + "', expected a number");
    return std::nullopt;
}

std::optional<bool> MapReader::boolean(const std::string& key) {
    const std::optional<std::string> value = text(key);
    if (!value) return std::nullopt;
    if (const std::optional<bool> out = read_bool(*value)) return out;
    complain(errors_, find(key)->place, what_ + ": " + key + " is '" + *value + "', allowed: true, false");
    return std::nullopt;
}

std::optional<size_t> MapReader::choice(const std::string& key, const std::vector<std::string>& names) {
    const YamlNode* found = find(key);
    if (!found) return std::nullopt;
    return read_choice(*found, what_ + ": " + key, names, errors_);
}

std::vector<std::string> MapReader::texts(const std::string& key) {
    std::vector<std::string> out;
    const YamlNode* found = find(key);
    if (!found) return out;
    if (found->is_scalar()) return {found->text};
    for (const YamlNode& item : found->items) {
        if (found->is_sequence() && item.is_scalar()) {
            out.push_back(item.text);
        } else {
            complain(errors_, item.place, what_ + ": " + key + " must be a list of single values");
            return {};
        }
    }
    return out;
}

} // namespace weft::graph
