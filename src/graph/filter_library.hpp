// All filters that were found, by scanning folders: the built-in one, then the user's.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "graph/filter_manifest.hpp"
#include "graph/pipeline_spec.hpp"

namespace weft::graph {

class FilterLibrary {
  public:
    // Each folder holds picture/, transition/ and generator/; a later folder's filter replaces an earlier
    // one's of the same name (reported in the log). Errors : Errors with the problems of every broken
    // manifest.
    explicit FilterLibrary(const std::vector<std::filesystem::path>& folders);

    const std::vector<std::shared_ptr<const FilterManifest>>& all() const { return all_; }
    // nullptr when there is none.
    std::shared_ptr<const FilterManifest> find(FilterKind kind, const std::string& name) const;
    // Checks a user's filter against its manifest and fills in defaults. Problems (unknown name with the
    // nearest one, unknown parameter, wrong type, out of range) go to `errors`; nullopt when there were any.
    std::optional<FilterUse> use(FilterKind kind, const FilterSpec& spec, std::vector<Error>& errors) const;

  private:
    std::vector<std::shared_ptr<const FilterManifest>> all_;
};

// Evaluates the manifest's expressions for one use: every numeric parameter and derived value by name, in
// double. `extra` adds variables (lo, mid, hi, chroma, w, h). Errors : bad_input naming filter, name and
// expression.
std::map<std::string, double> evaluate_params(const FilterUse& use,
                                              const std::map<std::string, double>& extra = {});
double evaluate(const std::string& expression, const std::map<std::string, double>& variables);

} // namespace weft::graph
