// A YAML text as a plain tree that knows where each of its nodes stands. Pipelines and manifests are read
// from it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace weft::graph {

struct YamlNode {
    enum class Kind { null, scalar, sequence, map };
    Kind kind = Kind::null;
    std::string text;                                // of a scalar
    std::vector<YamlNode> items;                     // of a sequence, or a map's values
    std::vector<std::pair<std::string, Place>> keys; // of a map; same size as items
    Place place;

    bool is_null() const { return kind == Kind::null; }
    bool is_scalar() const { return kind == Kind::scalar; }
    bool is_sequence() const { return kind == Kind::sequence; }
    bool is_map() const { return kind == Kind::map; }
    const char* kind_name() const;
};

// Reads a text's only document. Errors : bad_input at the place of the first syntax error, or of a second
// document.
YamlNode read_yaml(const std::string& text, const std::string& file);

// Reads one map, key by key. Every key that the caller asks for counts as known; finish() complains about all
// others with the nearest known name, and the constructor about duplicates and nodes that are no map.
class MapReader {
  public:
    MapReader(const YamlNode& node, std::string what, std::vector<Error>& errors);
    // The value of `key`, or nullptr when absent. Empty values ("key:") count as present, with kind null.
    const YamlNode* find(const std::string& key);
    const YamlNode* require(const std::string& key);
    // Keys that nobody asked for yet, in order: for maps with open-ended names.
    std::vector<size_t> rest() const;
    void finish();

    // Typed readings of a key; a wrong value is a complaint and reads as absent.
    std::optional<std::string> text(const std::string& key);
    std::optional<double> number(const std::string& key);
    std::optional<bool> boolean(const std::string& key);
    // Index into `names`.
    std::optional<size_t> choice(const std::string& key, const std::vector<std::string>& names);
    std::vector<std::string> texts(const std::string& key); // a sequence of scalars, or one scalar

    const YamlNode& node() const { return node_; }

  private:
    const YamlNode& node_;
    std::string what_;
    std::vector<Error>& errors_;
    std::vector<std::string> known_;
};

void complain(std::vector<Error>& errors, const Place& place, const std::string& message,
              ErrorKind kind = ErrorKind::bad_input);
// Index of the node's text in `names`, with a complaint when it is not one of them.
std::optional<size_t> read_choice(const YamlNode& node, const std::string& what,
                                  const std::vector<std::string>& names, std::vector<Error>& errors);

} // namespace weft::graph
