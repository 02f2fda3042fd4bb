#include "graph/filter_examples.hpp"

#include <gtest/gtest.h>

#include "graph/filter_library.hpp"

namespace weft::graph {
namespace {

FilterManifest with_params(const std::vector<ParamSpec>& params,
                           const std::map<std::string, std::string>& neutral) {
    FilterManifest filter;
    filter.name = "some";
    filter.params = params;
    filter.neutral = neutral;
    return filter;
}

ParamSpec number(const std::string& name, double value, double min = -1e30, double max = 1e30) {
    ParamSpec param;
    param.name = name;
    param.default_value = value;
    param.min = min;
    param.max = max;
    return param;
}

// As FFmpeg's documentation has them, of the built-in files.
TEST(FilterExamples, are_the_manifests_own) {
    const FilterLibrary library({std::filesystem::path(WEFT_SOURCE_DIR) / "filters"});
    EXPECT_EQ(example_options(*library.find(FilterKind::picture, "gblur")),
              (std::vector<std::string>{"sigma=1.5", "sigma=5", "sigma=20"}));
}

TEST(FilterExamples, are_the_defaults_where_these_change_the_picture) {
    EXPECT_EQ(example_options(with_params({}, {})), std::vector<std::string>{""});
    EXPECT_EQ(example_options(with_params({number("k", 0.5)}, {{"k", "0"}})), std::vector<std::string>{""});
}

// Another value than the neutral one, within its range: a fifth more, or a tenth of the range from 0.
TEST(FilterExamples, leave_neutral_defaults) {
    EXPECT_EQ(example_options(with_params({number("k", 1, 0, 3)}, {{"k", "1"}})).front(), "k=1.2");
    EXPECT_EQ(example_options(with_params({number("k", 1, 0, 1.1)}, {{"k", "1"}})).front(), "k=1.1");
    EXPECT_EQ(example_options(with_params({number("k", 0, 0, 20)}, {{"k", "0"}})).front(), "k=2");
}

TEST(FilterExamples, give_what_is_required) {
    ParamSpec file;
    file.name = "file";
    file.type = ParamType::file;
    file.default_value = std::string();
    file.required = true;
    EXPECT_EQ(example_options(with_params({file, number("k", 0)}, {})).front(), "file=FILE");
}

TEST(FilterExamples, of_the_built_in_filters_fit_their_manifests) {
    const FilterLibrary library({std::filesystem::path(WEFT_SOURCE_DIR) / "filters"});
    for (const auto& manifest : library.all())
        for (const std::string& options : example_options(*manifest)) {
            std::vector<Error> errors;
            library.use(manifest->kind, parse_filter_string(with_options(manifest->name, options)), errors);
            EXPECT_TRUE(errors.empty()) << manifest->name << "=" << options << ": " << errors.front().what();
        }
}

} // namespace
} // namespace weft::graph
