// What a call complains about.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace weft::test {

// One line for each problem of the Errors that `call` throws; none when it throws nothing.
template<class Call>
std::vector<std::string> complaints(Call&& call) {
    std::vector<std::string> out;
    try {
        call();
    } catch (const Errors& errors) {
        for (const Error& one : errors.all())
            out.emplace_back(one.what());
    }
    return out;
}

} // namespace weft::test
