// Every loop that the generator marks with VEC must vectorise: one that does not costs ten times as much and
// changes no picture. clang compiles the plans of all built-in filters as PoCL does, and says what it made of
// each loop.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "bench/content.hpp"
#include "bench/filter_cases.hpp"
#include "graph/planner.hpp"
#include "support/ffmpeg.hpp"
#include "support/filters.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

// The files that filters name live as long as the program.
const std::vector<bench::FilterCase>& cases() {
    static const TempFolder folder;
    static const auto all = bench::filter_cases(
        built_in_filters(), {.size = {}, .cube = folder.write("warm.cube", bench::cube_text())});
    return all;
}

// A CPU with vectors of 16 floats, as PoCL describes it.
DeviceTraits cpu() {
    DeviceTraits traits;
    traits.compute_units = 2;
    traits.shares_host_memory = true;
    traits.max_group_size = 4096;
    traits.local_bytes = 1 << 20;
    traits.max_alloc_bytes = size_t{1} << 31;
    traits.global_bytes = size_t{1} << 32;
    return traits;
}

graph::Plan plan_of(graph::Scene scene, const std::string& pixels) {
    const auto change = [&](colour::PictureFormat& format) {
        format.pixels = colour::pixel_format(pixels);
        if (format.pixels.model != colour::Model::rgb) return;
        format.colour.matrix = colour::Matrix::rgb;
        format.colour.range = colour::Range::full;
        format.colour.transfer = colour::Transfer::srgb;
    };
    for (colour::PictureFormat& format : scene.streams)
        change(format);
    change(scene.outputs.front().format);
    scene.colour = scene.outputs.front().format.colour;
    graph::PlannerOptions options;
    options.prelude = graph::load_prelude(std::string(WEFT_SOURCE_DIR) + "/kernels");
    options.load_mask = [](const std::string&) {
        return graph::Mask{48, 27, std::vector<float>(48 * 27, 0.5f)};
    };
    return graph::make_plan(scene, cpu(), options);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

// Lines, counted from 1, that the compiler's remarks and warnings name: "pass.cl:12:34: remark: ...". Of a
// loop that was found to do nothing it says nothing.
struct Remarks {
    std::set<size_t> done;
    std::map<size_t, std::string> missed;
    // Loops that vectorise only where a check at run time finds their pictures apart: clang was not sure that
    // the mark holds for all that they read. In practice the check says no.
    size_t checked = 0;
};
Remarks remarks_of(const std::string& said) {
    Remarks remarks;
    for (const std::string& line : lines_of(said)) {
        const size_t at = line.find("pass.cl:");
        if (at == std::string::npos) continue;
        const size_t number = std::strtoul(line.c_str() + at + 8, nullptr, 10);
        if (line.find("remark: vectorized loop") != std::string::npos) remarks.done.insert(number);
        if (line.find("loop not vectorized") != std::string::npos) {
            std::string& why = remarks.missed[number];
            const std::string words = line.substr(line.find("loop not vectorized"));
            if (why.find(words) == std::string::npos) why += (why.empty() ? "" : "; ") + words;
        }
    }
    return remarks;
}

Remarks compile(const std::string& text) {
    const TempFolder folder;
    const std::string file = folder.write("pass.cl", text), out = folder.file("pass.ll");
    const std::string stand_ins = std::string(WEFT_SOURCE_DIR) + "/tests/vectorise/stand_ins.cl";
    Remarks remarks = remarks_of(run_command(
        std::string(WEFT_CLANG) +
        " -x cl -cl-std=CL1.2 -O3 -march=x86-64-v4 -fno-discard-value-names -S -emit-llvm" +
        " -Rpass=loop-vectorize -Rpass-missed=loop-vectorize -Rpass-analysis=loop-vectorize -include " +
        shell_quoted(stand_ins) + " -o " + shell_quoted(out) + " " + shell_quoted(file)));
    std::ifstream ir(out);
    for (std::string line; std::getline(ir, line);)
        remarks.checked += line.starts_with("vector.memcheck") || line.starts_with("vector.scevcheck");
    return remarks;
}

struct Plans {
    std::string title, pixels;
};
void PrintTo(const Plans& plans, std::ostream* out) {
    *out << plans.title << " on " << plans.pixels;
}
std::vector<Plans> all_plans() {
    std::vector<Plans> all;
    for (const bench::FilterCase& kernel : cases())
        for (const char* pixels : {"yuv420p", "gbrp"})
            all.push_back({kernel.title, pixels});
    return all;
}

class Vectorise : public testing::TestWithParam<Plans> {};

TEST_P(Vectorise, every_marked_loop) {
    const auto& all = cases();
    const auto kernel =
        std::find_if(all.begin(), all.end(), [](const auto& k) { return k.title == GetParam().title; });
    ASSERT_NE(kernel, all.end());
    const graph::Plan plan = plan_of(kernel->scene, GetParam().pixels);
    size_t vectorised = 0;
    bool only_turns = true; // squares of words, without a marked loop
    for (const graph::Pass& pass : plan.passes) {
        const std::string bodies = pass.text.substr(std::min(pass.text.find("FN void p0"), pass.text.size()));
        only_turns = only_turns && bodies.find("wf_turn_part_") != std::string::npos;
        const Remarks remarks = compile(pass.text);
        EXPECT_EQ(remarks.checked, 0u) << "pass '" << pass.title << "'";
        const std::vector<std::string> lines = lines_of(pass.text);
        for (size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].find("VEC for") == std::string::npos) continue;
            vectorised += remarks.done.contains(i + 1);
            const auto missed = remarks.missed.find(i + 1);
            if (missed != remarks.missed.end())
                ADD_FAILURE() << "pass '" << pass.title << "', line " << i + 1 << ": " << missed->second
                              << "\n"
                              << lines[i];
        }
    }
    if (!only_turns) {
        EXPECT_GT(vectorised, 0u);
    }
}

std::string test_name(const testing::TestParamInfo<Plans>& info) {
    std::string name = info.param.title + "_" + info.param.pixels;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(plans, Vectorise, testing::ValuesIn(all_plans()), test_name);

} // namespace
} // namespace weft::test
