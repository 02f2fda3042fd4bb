#pragma once

#include <nlohmann/json.hpp>

#include "report/profile.hpp"

namespace weft::report {

// The whole profile; what could not be told is null.
nlohmann::ordered_json json_of(const Profile& profile);

} // namespace weft::report
