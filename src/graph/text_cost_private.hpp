// What can be told from a filter's text: how much arithmetic it asks for, and whether it knows its place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "graph/filter_manifest.hpp"

namespace weft::graph {

// An estimate, from the text alone: every +, -, *, / between two values counts 1, a call of a function counts
// what that one's body does, and a built-in one 1. Both ways of a condition are counted, loops once.
class TextCost {
  public:
    // prelude : load_prelude(); "": its functions count as built-in ones
    explicit TextCost(const std::string& prelude) : prelude_(functions_of(prelude)) {}
    // Of one call of a function of the prelude.
    double of(const std::string& function) const;
    // Of one call of a filter's text.
    double of(const FilterManifest& manifest) const;

  private:
    using Functions = std::map<std::string, std::string>; // name -> body
    static Functions functions_of(std::string_view text);
    double of_body(const std::string& body, const Functions& own, int depth) const;
    double of_call(const std::string& name, const Functions& own, int depth) const;

    Functions prelude_;
};

// Whether what a filter's text gives may depend on the place, for all that can be seen from it: it uses its
// `at` for more than the component, its range and the time.
bool reads_place(const std::string& text);

} // namespace weft::graph
