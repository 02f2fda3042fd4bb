// What the figures say could be done about them.
#pragma once

#include <vector>

#include "report/profile.hpp"

namespace weft::report {

// Sentences on the overlapped schedule, which is how pipelines run, the largest gain first; empty when
// nothing stands out. Reads everything but Profile::advice.
std::vector<Advice> advise(const Profile& profile);

} // namespace weft::report
