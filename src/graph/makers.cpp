#include "graph/makers_private.hpp"

#include "base/format.hpp"

namespace weft::graph {
namespace {

template<class T>
const T& value_of(const FilterUse& use, const std::string& name) {
    const auto found = use.values.find(name);
    const T* value = found == use.values.end() ? nullptr : std::get_if<T>(&found->second);
    if (value == nullptr)
        throw Error(ErrorKind::internal,
                    fmt::format("filter '{}' has no value '{}'", use.manifest->name, name));
    return *value;
}

} // namespace

double number(const FilterUse& use, const std::string& name) {
    return value_of<double>(use, name);
}

const std::vector<double>& number_list(const FilterUse& use, const std::string& name) {
    return value_of<std::vector<double>>(use, name);
}

const std::string& text_value(const FilterUse& use, const std::string& name) {
    return value_of<std::string>(use, name);
}

Error maker_error(const FilterUse& use, const std::string& problem) {
    return Error(ErrorKind::bad_input, fmt::format("filter '{}': {}", use.manifest->name, problem),
                 use.place);
}

} // namespace weft::graph
