// What was measured to be best on one device: a table that people can read, and its text.
#pragma once

#include <map>
#include <string>

#include "graph/shapes.hpp"

namespace weft::graph {

// Of what shapes mean. It rises with every change of the generator after which other shapes may be best;
// tables of another generation are of no use.
constexpr int shapes_generation = 1;

struct TunedShape {
    Shape shape;                // by rule where nothing was better
    double rule_ms = 0, ms = 0; // of a picture of what was measured: by rule, and with the shape
    friend bool operator==(const TunedShape&, const TunedShape&) = default;
};

struct Tuned {
    std::string device, driver; // whose table it is
    std::string weft;           // the version that measured last, for people
    std::map<ShapeKey, TunedShape> shapes;
    std::string upload; // the name of an upload path; "": by rule
    int slots = 0;      // of each stream; 0: by rule
    friend bool operator==(const Tuned&, const Tuned&) = default;

    bool empty() const { return shapes.empty() && upload.empty() && slots == 0; }
    Shapes for_planner() const;
};

std::string to_yaml(const Tuned& tuned);
// Errors : Errors with every line that is no part of such a table; unsupported for another generation's.
Tuned parse_tuned(const std::string& text, const std::string& file);

} // namespace weft::graph
