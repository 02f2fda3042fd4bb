#include <algorithm>

#include "base/format.hpp"
#include "bench/convolution_steps_private.hpp"

namespace weft::bench {
namespace {

using Weights = StepLaunch::Weights;

Step plain(const std::string& name, const std::string& file, int gx, int gy,
           std::vector<std::string> defines = {}, Weights weights = Weights::buffer) {
    StepLaunch launch;
    launch.file = file;
    launch.defines = std::move(defines);
    launch.gx = gx;
    launch.gy = gy;
    launch.weights = weights;
    return {name, fmt::format("group {}x{}", gx, gy), {launch}, false};
}

struct Block {
    int rx, ry, gx, gy;
};

StepLaunch block_launch(const std::string& file, const Block& block) {
    StepLaunch launch;
    launch.file = file;
    launch.defines = {fmt::format("RX {}", block.rx), fmt::format("RY {}", block.ry)};
    launch.across = block.rx;
    launch.down = block.ry;
    launch.gx = block.gx;
    launch.gy = block.gy;
    return launch;
}

void add_blocks(std::vector<Step>& steps, const std::string& name, const StepLaunch& like,
                const std::vector<Block>& blocks, int vector) {
    for (const Block& block : blocks) {
        StepLaunch launch = block_launch(like.file, block);
        launch.across *= vector;
        launch.weights = like.weights;
        steps.push_back({name,
                         fmt::format("{}x{}, group {}x{}", launch.across, block.ry, block.gx, block.gy),
                         {launch},
                         false});
    }
}

void add_register_blocks(std::vector<Step>& steps, bool cpu, int filter_height) {
    if (cpu) {
        add_blocks(steps, "register block", {.file = "wide_block.cl", .defines = {}},
                   {{1, 8, 1, 1}, {2, 4, 1, 1}, {2, 8, 1, 1}, {4, 4, 1, 1}}, 16);
        return;
    }
    add_blocks(steps, "register block", {.file = "register_block.cl", .defines = {}},
               {{4, 4, 16, 16}, {4, 8, 32, 8}, {4, 8, 16, 16}, {4, 8, 16, 8}, {8, 8, 16, 8}}, 1);
    StepLaunch window{.file = "register_window.cl", .defines = {}};
    window.weights = Weights::buffer;
    for (const Block& block :
         {Block{4, 4, 32, 8}, {4, 4, 16, 16}, {4, 8, 32, 8}, {4, 8, 16, 8}, {8, 4, 16, 16}})
        if (filter_height % block.ry == 0) add_blocks(steps, "register window", window, {block}, 1);
}

void add_separable(std::vector<Step>& steps, bool cpu, const FilterJob& job, const Factors& factors) {
    const std::vector<std::string> lists{"ROW_LIST " + literals(factors.row),
                                         "COLUMN_LIST " + literals(factors.column)};
    const auto with = [&](std::vector<std::string> defines) {
        defines.insert(defines.end(), lists.begin(), lists.end());
        return defines;
    };
    const int rows = cpu ? 8 : 16;
    StepLaunch across{.file = "rows.cl", .defines = with({"WIDTH 4"})};
    across.across = 4;
    across.gx = 32;
    across.gy = cpu ? 1 : 8;
    across.rows_more = job.filter_height - 1;
    StepLaunch down{.file = "columns.cl", .defines = with({fmt::format("RY {}", rows)})};
    down.across = 4;
    down.down = rows;
    down.gx = 32;
    down.gy = cpu ? 1 : 4;
    down.source = StepLaunch::Source::between;
    steps.push_back({"separable, two passes", fmt::format("4x1, 4x{}", rows), {across, down}, true});

    const int width = cpu ? 16 : 4;
    for (const int band : cpu ? std::vector{4} : std::vector{1, 2, 4}) {
        StepLaunch one{.file = "separable.cl",
                       .defines = with({fmt::format("WIDTH {}", width), fmt::format("BAND {}", band)})};
        one.across = width;
        one.down = band * job.filter_height;
        one.gx = cpu ? 1 : 32;
        one.gy = cpu ? 1 : std::clamp(reach_down / one.down, 1, 4);
        if (one.down <= reach_down)
            steps.push_back({"separable, one pass", fmt::format("{}x{}", width, one.down), {one}, true});
    }
}

} // namespace

std::string literals(const std::vector<float>& values) {
    std::string out;
    for (const float value : values) {
        std::string text = fmt::format("{:.9g}", value);
        if (text.find_first_of(".e") == std::string::npos) text += ".0";
        out += (out.empty() ? "" : ", ") + text + "f";
    }
    return out;
}

std::vector<Step> convolution_steps(DeviceKind device, const FilterJob& job, const Factors* factors) {
    const bool cpu = device == DeviceKind::cpu;
    const std::string global = "WEIGHTS __global", constant = "WEIGHTS __constant";
    std::vector<Step> steps{
        plain("naive", "naive.cl", 8, 8),
        plain("local tile", "tile.cl", 8, 8, {global}),
        plain("larger group", "tile.cl", 16, 16, {global}),
        plain("image object", "image.cl", 16, 16),
        plain("constant filter", "tile.cl", 16, 16, {constant}),
        plain("unrolled float4", "unrolled.cl", 16, 16, {global}),
        plain("both, constant float", "unrolled.cl", 16, 16, {constant}),
        plain("both, constant float4", "unrolled.cl", 16, 16, {constant, "FLOAT4_POINTER"}),
        plain("literals", "literals.cl", 16, 16, {}, Weights::in_text),
    };
    steps[3].launches.front().source = StepLaunch::Source::image;
    if (cpu) steps.push_back(plain("literals, no tile", "literals_direct.cl", 256, 1, {}, Weights::in_text));
    add_register_blocks(steps, cpu, job.filter_height);
    if (factors != nullptr) add_separable(steps, cpu, job, *factors);
    return steps;
}

} // namespace weft::bench
