// What a filter's kernel text must not say; found without a compiler.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace weft::graph {

// Complains about: a missing `apply`; built-ins and statements that cost ten to a thousand times more than
// their stand-ins in the prelude on a CPU device; vector arithmetic; names at file scope that could meet
// those of another filter in the same program.
//   text : the .cl file;  filter : the manifest's name;  file : for the complaints' places
void lint_kernel_text(const std::string& text, const std::string& filter, const std::string& file,
                      std::vector<Error>& errors);

} // namespace weft::graph
