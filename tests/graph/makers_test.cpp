// Weights, curves and rectangles against closed forms, published values and the ffmpeg program.
#include "graph/makers_private.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/filter_library.hpp"

namespace weft::graph {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

using Args = std::vector<std::pair<std::string, std::string>>;

FilterUse use_of(const std::string& name, const Args& args = {}) {
    static const FilterLibrary library({fs::path(WEFT_SOURCE_DIR) / "filters"});
    FilterSpec spec;
    spec.name = name;
    for (const auto& [key, value] : args) {
        spec.args.emplace_back(key, value);
        spec.arg_places.push_back({});
    }
    spec.place = {"pipeline.yaml", 7, 3};
    std::vector<Error> errors;
    auto use = library.use(FilterKind::picture, spec, errors);
    if (!use) throw Errors(errors);
    return *use;
}

// The message of the Error that `work` must end with.
template<class Work>
std::string complaint(Work work) {
    try {
        work();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::bad_input);
        return e.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

// What the taps give the sample at (dx, dy) in the result.
double weight(const WindowTaps& taps, int dx, int dy) {
    const double own = dx == 0 && dy == 0 ? taps.keep : 0;
    if (std::abs(dx) > taps.radius_x || std::abs(dy) > taps.radius_y) return own;
    const auto i = static_cast<size_t>(dx + taps.radius_x), j = static_cast<size_t>(dy + taps.radius_y);
    const size_t width = static_cast<size_t>(2 * taps.radius_x) + 1;
    return own +
           taps.gain * (taps.separable ? taps.column.at(j) * taps.row.at(i) : taps.matrix.at(j * width + i));
}

double weight_sum(const WindowTaps& taps) {
    double sum = 0;
    for (int dy = -taps.radius_y; dy <= taps.radius_y; ++dy)
        for (int dx = -taps.radius_x; dx <= taps.radius_x; ++dx)
            sum += weight(taps, dx, dy);
    return sum;
}

std::string repeated(const std::string& word, int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
        out += word + " ";
    return out;
}

class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "weft-makers-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream(file(name), std::ios::binary) << content;
        return file(name);
    }

  private:
    fs::path path_;
};

LookupTable cube(const std::string& text) {
    const Folder folder;
    return read_cube(folder.write("t.cube", text));
}

std::string cube_complaint(const std::string& text) {
    return complaint([&] { cube(text); });
}

// ---- convolution

TEST(Convolution, keeps_a_sharpening_matrix_as_it_is) {
    const WindowTaps taps = window_taps(use_of("convolution", {{"matrix", "0 -1 0 -1 5 -1 0 -1 0"}}), 0);
    EXPECT_FALSE(taps.separable);
    EXPECT_EQ(taps.radius_x, 1);
    EXPECT_EQ(taps.radius_y, 1);
    EXPECT_DOUBLE_EQ(weight(taps, 0, 0), 5);
    EXPECT_DOUBLE_EQ(weight(taps, 1, 0), -1);
    EXPECT_DOUBLE_EQ(weight(taps, 1, 1), 0);
    EXPECT_FALSE(taps.identity());
}

TEST(Convolution, divides_by_the_sum_unless_it_is_zero_or_a_factor_is_given) {
    EXPECT_DOUBLE_EQ(weight(window_taps(use_of("convolution", {{"matrix", repeated("2", 9)}}), 0), 1, 1),
                     1.0 / 9);
    const std::string edges = "-1 -1 -1 -1 8 -1 -1 -1 -1";
    EXPECT_DOUBLE_EQ(weight(window_taps(use_of("convolution", {{"matrix", edges}}), 0), 0, 0), 8);
    const WindowTaps half = window_taps(use_of("convolution", {{"matrix", edges}, {"rdiv", "0.5"}}), 0);
    EXPECT_DOUBLE_EQ(weight(half, 0, 0), 4);
}

TEST(Convolution, splits_a_large_separable_matrix) {
    const WindowTaps box = window_taps(use_of("convolution", {{"matrix", repeated("1", 25)}}), 0);
    ASSERT_TRUE(box.separable);
    ASSERT_EQ(box.row.size(), 5u);
    ASSERT_EQ(box.column.size(), 5u);
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x)
            EXPECT_NEAR(weight(box, x, y), 1.0 / 25, 1e-15);
    // An intermediate line must hold what the column makes of it.
    double magnitude = 0;
    for (const double w : box.column)
        magnitude += std::fabs(w);
    EXPECT_LE(magnitude, 1);
}

TEST(Convolution, does_not_split_what_is_not_separable_or_small) {
    std::string ring = repeated("1", 12) + "-3 " + repeated("1", 12);
    EXPECT_FALSE(window_taps(use_of("convolution", {{"matrix", ring}}), 0).separable);
    EXPECT_FALSE(window_taps(use_of("convolution", {{"matrix", repeated("1", 9)}}), 0).separable);
}

TEST(Convolution, drops_zeros_around_a_matrix) {
    std::string matrix = repeated("0", 7 * 3) + "0 0 1 4 -2 0 0 " + repeated("0", 7 * 3);
    const WindowTaps taps = window_taps(use_of("convolution", {{"matrix", matrix}, {"rdiv", "1"}}), 0);
    EXPECT_EQ(taps.radius_x, 1);
    EXPECT_EQ(weight(taps, -1, 0), 1);
    EXPECT_EQ(weight(taps, 0, 0), 4);
    EXPECT_EQ(weight(taps, 1, 0), -2);
}

TEST(Convolution, takes_rows_and_columns) {
    const WindowTaps row = window_taps(use_of("convolution", {{"row", "1 2 5"}}), 0);
    EXPECT_EQ(row.radius_y, 0);
    EXPECT_DOUBLE_EQ(weight(row, -1, 0), 1.0 / 8);
    EXPECT_DOUBLE_EQ(weight(row, 1, 0), 5.0 / 8);
    const WindowTaps column = window_taps(use_of("convolution", {{"column", "1 2 5"}}), 0);
    EXPECT_EQ(column.radius_x, 0);
    EXPECT_DOUBLE_EQ(weight(column, 0, 1), 5.0 / 8);
    const WindowTaps both = window_taps(use_of("convolution", {{"row", "1 2 1"}, {"column", "-1 0 1"}}), 0);
    EXPECT_DOUBLE_EQ(weight(both, 0, 1), 2);
    EXPECT_DOUBLE_EQ(weight(both, 1, -1), -1);
}

TEST(Convolution, gives_each_plane_its_own_weights) {
    const Args args{{"0m", "0 0 0 0 2 0 0 0 1"}, {"2m", repeated("1", 9)}, {"bias", "51"}, {"planes", "7"}};
    const FilterUse use = use_of("convolution", args);
    EXPECT_DOUBLE_EQ(weight(window_taps(use, 0), 1, 1), 1.0 / 3);
    EXPECT_DOUBLE_EQ(window_taps(use, 0).bias, 0.2);
    EXPECT_TRUE(window_taps(use, 1).identity()); // no weights for it
    EXPECT_DOUBLE_EQ(weight(window_taps(use, 2), 1, 1), 1.0 / 9);
    EXPECT_TRUE(window_taps(use, 3).identity()); // not among the planes
}

TEST(Convolution, knows_the_identity) {
    const auto identity = [](const Args& args) {
        return window_taps(use_of("convolution", args), 0).identity();
    };
    EXPECT_TRUE(identity({{"matrix", "0 0 0 0 7 0 0 0 0"}}));
    EXPECT_TRUE(identity({{"row", "0 3 0"}}));
    EXPECT_FALSE(identity({{"matrix", "0 0 0 0 7 0 0 0 0"}, {"rdiv", "1"}}));
    EXPECT_FALSE(identity({{"matrix", "0 0 0 0 7 0 0 0 0"}, {"bias", "1"}}));
    EXPECT_FALSE(identity({{"matrix", "0 0 0 1 0 0 0 0 0"}}));
}

TEST(Convolution, refuses_counts_that_are_no_odd_square) {
    const auto refusal = [](const Args& args) {
        return complaint([&] { window_taps(use_of("convolution", args), 0); });
    };
    const std::string eight = refusal({{"matrix", repeated("1", 8)}});
    EXPECT_THAT(eight, HasSubstr("pipeline.yaml:7:3: filter 'convolution': matrix has 8 weights"));
    EXPECT_THAT(eight, HasSubstr("961"));
    EXPECT_THAT(refusal({{"matrix", repeated("1", 16)}}), HasSubstr("16 weights"));
    EXPECT_THAT(refusal({{"m0", repeated("1", 33 * 33)}}), HasSubstr("m0 has 1089 weights"));
    EXPECT_THAT(refusal({{"row", "1 1"}}), HasSubstr("row has 2 weights, allowed is an odd number up to 49"));
    EXPECT_THAT(refusal({{"row", "1"}, {"matrix", "1"}}), HasSubstr("row is given beside a matrix"));
    EXPECT_NO_THROW(window_taps(use_of("convolution", {{"matrix", repeated("1", 31 * 31)}}), 0));
}

// ---- gaussian and unsharp

TEST(Gaussian, samples_the_bell) {
    const std::vector<double> row = gaussian_row(1);
    ASSERT_EQ(row.size(), 9u);
    EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0), 1, 1e-15);
    // The sum of exp(-k^2 / 2) over all whole k is the square root of 2 pi to 1e-8; beyond 4 lie 7.6e-6 of
    // it.
    EXPECT_NEAR(row[4], 1 / std::sqrt(2 * M_PI), 2e-6);
    EXPECT_NEAR(row[5] / row[4], std::exp(-0.5), 1e-15);
    EXPECT_NEAR(row[0] / row[4], std::exp(-8.0), 1e-15);
    EXPECT_THAT(gaussian_row(0), ElementsAre(1.0));
    EXPECT_EQ(gaussian_row(2.6).size(), 2u * 11 + 1);
}

TEST(Gaussian, takes_sigmas_and_planes) {
    const WindowTaps taps = window_taps(use_of("gblur", {{"sigma", "0"}, {"sigmaV", "0.5"}}), 0);
    EXPECT_EQ(taps.radius_x, 0);
    EXPECT_EQ(taps.radius_y, 2);
    EXPECT_NEAR(weight(taps, 0, 1) / weight(taps, 0, 0), std::exp(-2.0), 1e-15);
    EXPECT_NEAR(weight_sum(taps), 1, 1e-14);
    const WindowTaps round = window_taps(use_of("gblur", {{"sigma", "3"}}), 2);
    EXPECT_NEAR(weight(round, 2, 1) / weight(round, 0, 0), std::exp(-5.0 / 18), 1e-15);
    EXPECT_TRUE(window_taps(use_of("gblur", {{"sigma", "0"}}), 0).identity());
    EXPECT_TRUE(window_taps(use_of("gblur", {{"sigma", "2"}, {"planes", "1"}}), 1).identity());
    EXPECT_EQ(gaussian_sigmas(use_of("gblur", {{"sigma", "2"}})), (std::pair{2.0, 2.0}));
}

TEST(Unsharp, adds_what_the_binomial_blur_takes_away) {
    const WindowTaps taps = window_taps(use_of("unsharp"), 0);
    EXPECT_DOUBLE_EQ(weight(taps, 0, 0), 2 - 36.0 / 256);
    EXPECT_DOUBLE_EQ(weight(taps, 2, 2), -1.0 / 256);
    EXPECT_DOUBLE_EQ(weight(taps, 1, -2), -4.0 / 256);
    EXPECT_DOUBLE_EQ(weight_sum(taps), 1);
    const WindowTaps wide = window_taps(use_of("unsharp", {{"lx", "7"}, {"ly", "3"}, {"la", "-1"}}), 0);
    EXPECT_DOUBLE_EQ(weight(wide, 3, 1), 1.0 / 64 / 4);
    EXPECT_DOUBLE_EQ(weight(wide, 0, 0), 20.0 / 64 / 2);
}

TEST(Unsharp, tells_luma_chroma_and_alpha_apart) {
    const FilterUse use = use_of("unsharp", {{"ca", "0.5"}, {"cx", "3"}, {"cy", "3"}});
    EXPECT_DOUBLE_EQ(weight(window_taps(use, 1), 1, 1), -0.5 / 16);
    EXPECT_DOUBLE_EQ(weight(window_taps(use, 2), 1, 1), -0.5 / 16);
    EXPECT_TRUE(window_taps(use, 3).identity());
    EXPECT_THAT(complaint([] {
                    window_taps(use_of("unsharp", {{"luma_msize_y", "4"}}), 0);
                }),
                HasSubstr("filter 'unsharp': luma_msize_y is 4, allowed are odd numbers 3..23"));
}

// ---- split_separable

TEST(Split, gives_whole_numbers_for_a_whole_matrix) {
    const std::vector<double> column{1, 4, 6, 4, 1}, row{-1, 0, 3};
    std::vector<double> matrix;
    for (const double c : column)
        for (const double r : row)
            matrix.push_back(c * r);
    const auto split = split_separable(matrix, 3, 5);
    ASSERT_TRUE(split);
    const double sign = split->second[2] > 0 ? 1 : -1;
    for (size_t i = 0; i < 5; ++i)
        EXPECT_EQ(split->first[i] * sign, column[i]);
    for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(split->second[i] * sign, row[i]);
}

TEST(Split, is_exact_to_a_millionth_of_the_largest_weight) {
    std::vector<double> matrix{1, 2, 4, 8};
    EXPECT_TRUE(split_separable(matrix, 2, 2));
    matrix[0] = 1 + 4e-6;
    EXPECT_TRUE(split_separable(matrix, 2, 2));
    matrix[0] = 1 + 16e-6;
    EXPECT_FALSE(split_separable(matrix, 2, 2));
    EXPECT_FALSE(split_separable({0, -1, 0, -1, 5, -1, 0, -1, 0}, 3, 3));
    EXPECT_FALSE(split_separable({0, 0, 0, 0}, 2, 2));
}

// ---- curves

// A curve of the table between its samples.
double curve(const LookupTable& table, int component, double x) {
    const double at = x * (table.size - 1);
    const int i = std::min(static_cast<int>(at), table.size - 2);
    const float* t = &table.values[static_cast<size_t>(component * table.size + i)];
    return t[0] + (static_cast<double>(t[1]) - t[0]) * (at - i);
}

TEST(Curves, are_natural_cubic_splines) {
    // Through (0, 0), (1/2, 1), (1, 0): the second derivative in the middle is -12, hence 11/16 at the
    // quarters.
    const LookupTable table = curves_table(use_of("curves", {{"green", "0/0 0.5/1 1/0"}}));
    EXPECT_EQ(table.dimensions, 1);
    ASSERT_EQ(table.values.size(), 3u * static_cast<size_t>(table.size));
    EXPECT_NEAR(curve(table, 1, 0.25), 0.6875, 1e-6);
    EXPECT_NEAR(curve(table, 1, 0.75), 0.6875, 1e-6);
    EXPECT_NEAR(curve(table, 1, 0.5), 1, 1e-6);
    for (const double x : {0.0, 0.1234, 1.0})
        EXPECT_NEAR(curve(table, 0, x), x, 1e-6);
}

TEST(Curves, are_straight_between_two_points_and_flat_outside) {
    const LookupTable table = curves_table(use_of("curves", {{"all", "0.25/0.2 0.75/0.8"}}));
    EXPECT_NEAR(curve(table, 2, 0), 0.2, 1e-6);
    EXPECT_NEAR(curve(table, 2, 0.5), 0.5, 1e-6);
    EXPECT_NEAR(curve(table, 2, 0.9), 0.8, 1e-6);
    EXPECT_NEAR(curve(curves_table(use_of("curves", {{"red", "0.5/0.3"}})), 0, 0.9), 0.3, 1e-6);
}

TEST(Curves, let_master_act_last_and_all_stand_in) {
    const Args args{{"master", "0/1 1/0"}, {"all", "0/0.25 1/0.25"}, {"blue", "0/0 1/0.5"}};
    const LookupTable table = curves_table(use_of("curves", args));
    EXPECT_NEAR(curve(table, 0, 0.9), 0.75, 1e-6);
    EXPECT_NEAR(curve(table, 1, 0.1), 0.75, 1e-6);
    EXPECT_NEAR(curve(table, 2, 0.5), 0.75, 1e-6);
    EXPECT_NEAR(curve(table, 2, 1), 0.5, 1e-6);
}

TEST(Curves, hold_overshoots_to_the_range) {
    const LookupTable table = curves_table(use_of("curves", {{"all", "0/0 0.2/1 0.4/0 0.6/1 1/0"}}));
    EXPECT_EQ(*std::max_element(table.values.begin(), table.values.end()), 1.0f);
    EXPECT_EQ(*std::min_element(table.values.begin(), table.values.end()), 0.0f);
}

TEST(Curves, refuse_points_outside_the_range) {
    EXPECT_THAT(complaint([] {
                    curves_table(use_of("curves", {{"red", "0/0 1/1.5"}}));
                }),
                HasSubstr("filter 'curves': red has the point 1/1.5, allowed 0..1"));
}

class CurvesPreset : public testing::TestWithParam<const char*> {};

TEST_P(CurvesPreset, is_the_one_of_ffmpeg) {
    // A line of all 16-bit greys in steps of 257, that is of all 8-bit ones.
    const Folder folder;
    std::string line;
    for (int i = 0; i < 256; ++i)
        for (int c = 0; c < 3; ++c)
            line += std::string(2, static_cast<char>(i));
    folder.write("in.raw", line);
    const std::string command = "ffmpeg -v error -nostdin -f rawvideo -pix_fmt rgb48le -s 256x1 -i '" +
                                folder.file("in.raw") + "' -vf curves=preset=" + GetParam() +
                                " -f rawvideo -pix_fmt rgb48le '" + folder.file("out.raw") + "'";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(folder.file("out.raw"), std::ios::binary);
    const std::string out{std::istreambuf_iterator<char>(file), {}};
    ASSERT_EQ(out.size(), line.size());
    const LookupTable table = curves_table(use_of("curves", {{"preset", GetParam()}}));
    for (int i = 0; i < 256; ++i)
        for (int c = 0; c < 3; ++c) {
            const auto at = static_cast<size_t>(6 * i + 2 * c);
            const int code =
                static_cast<unsigned char>(out[at]) + 256 * static_cast<unsigned char>(out[at + 1]);
            // ffmpeg moves the points to whole codes of 16 bits and cuts off at the end: some codes of 16
            // bits.
            ASSERT_NEAR(curve(table, c, i / 255.0) * 65535, code, 8) << "grey " << i << " component " << c;
        }
}

INSTANTIATE_TEST_SUITE_P(All, CurvesPreset,
                         testing::Values("none", "color_negative", "cross_process", "darker",
                                         "increase_contrast", "lighter", "linear_contrast", "medium_contrast",
                                         "negative", "strong_contrast", "vintage"),
                         [](const auto& param) { return std::string(param.param); });

// ---- .cube files

TEST(Cube, reads_one_dimension) {
    const LookupTable table = cube("TITLE \"a LUT_3D_SIZE 5\"\n# comment\nLUT_1D_SIZE 4\n0 0 0\n0.3 .1 5e-2\n"
                                   "0.6 0.7 0.2\n1.0 1 +1\n");
    EXPECT_EQ(table.dimensions, 1);
    EXPECT_EQ(table.size, 4);
    EXPECT_THAT(table.values,
                ElementsAre(0, 0.3f, 0.6f, 1, 0, 0.1f, 0.7f, 1, 0, 0.05f, 0.2f, 1)); // red, green, blue
    EXPECT_THAT(table.domain_max, ElementsAre(1, 1, 1));
}

TEST(Cube, reads_three_dimensions_with_red_fastest) {
    const LookupTable table = cube("\r\nLUT_3D_SIZE 2\r\n0 0 0\r\n1 0 0\r\n\r\n  0\t.75 0\r\n1 .75 0\r\n0 "
                                   ".25 1\r\n1 .25 1\r\n0 1 1\r\n1 1 1");
    EXPECT_EQ(table.dimensions, 3);
    EXPECT_EQ(table.size, 2);
    ASSERT_EQ(table.values.size(), 24u);
    EXPECT_EQ(table.values[3 * 1 + 0], 1);
    EXPECT_EQ(table.values[3 * 2 + 1], 0.75f);
    EXPECT_EQ(table.values[3 * 4 + 1], 0.25f);
    EXPECT_EQ(table.values[3 * 7 + 2], 1);
}

TEST(Cube, reads_domains_and_ranges) {
    const std::string rows = "1 0 0\n0 0 1\n";
    const LookupTable domain = cube("DOMAIN_MIN 0 -1 0.5\nDOMAIN_MAX 0.1 2 1\nLUT_1D_SIZE 2\n" + rows);
    EXPECT_THAT(domain.domain_min, ElementsAre(0, -1, 0.5));
    EXPECT_THAT(domain.domain_max, ElementsAre(0.1, 2, 1));
    const LookupTable range = cube("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -0.5 1.5\n" + rows);
    EXPECT_THAT(range.domain_min, ElementsAre(-0.5, -0.5, -0.5));
    EXPECT_THAT(range.domain_max, ElementsAre(1.5, 1.5, 1.5));
}

TEST(Cube, packs_nodes_to_21_bits_of_their_own_range) {
    LookupTable table;
    table.dimensions = 3;
    table.size = 2;
    for (float i = 0; i < 8; ++i)
        table.values.insert(table.values.end(), {i * 0.7f - 2, 0.5f, i * i * 0.01f});
    pack(table);
    ASSERT_EQ(table.packed.size(), 8u);
    for (size_t i = 0; i < 8; ++i)
        for (size_t c = 0; c < 3; ++c) {
            const auto bits = static_cast<double>(table.packed[i] >> (21 * c) & 0x1fffff);
            EXPECT_NEAR(table.packed_low[c] + bits * table.packed_step[c], table.values[3 * i + c],
                        4.9 / 2097151 / 2);
        }
}

TEST(Cube, names_file_line_and_counts) {
    const std::string few = cube_complaint("LUT_3D_SIZE 2\n0 0 0");
    EXPECT_THAT(few, HasSubstr("t.cube:1: "));
    EXPECT_THAT(few, HasSubstr("found 1 rows, LUT_3D_SIZE 2 needs 8"));
    EXPECT_THAT(cube_complaint("LUT_1D_SIZE 2\n" + repeated("0 0 0\n", 3)), HasSubstr("found 3 rows"));
    EXPECT_THAT(cube_complaint("# x\nLUT_1D_SIZE 1\n"),
                HasSubstr("t.cube:2: LUT_1D_SIZE is 1, allowed 2..65536"));
    EXPECT_THAT(cube_complaint("LUT_3D_SIZE 257\n"), HasSubstr("LUT_3D_SIZE is 257, allowed 2..256"));
    EXPECT_THAT(cube_complaint("LUT_3D_SIZE 2.5\n"), HasSubstr("2.5"));
    EXPECT_THAT(cube_complaint("LUT_3D_SIZE 2\nLUT_1D_SIZE 4\n"),
                HasSubstr("t.cube:2: LUT_1D_SIZE is a second size"));
    EXPECT_THAT(cube_complaint(""), HasSubstr("neither LUT_1D_SIZE nor LUT_3D_SIZE"));
    EXPECT_THAT(cube_complaint("0 0 0\nLUT_1D_SIZE 2\n"), HasSubstr("t.cube:1: a row stands before"));
}

TEST(Cube, refuses_what_is_no_number_or_no_domain) {
    EXPECT_THAT(cube_complaint("LUT_1D_SIZE 2\n0 0 0\n0 nan 0\n"),
                HasSubstr("t.cube:3: 'nan' is no finite number"));
    EXPECT_THAT(cube_complaint("LUT_1D_SIZE 2\n0 0 1e999\n0 0 0\n"), HasSubstr("'1e999'"));
    EXPECT_THAT(cube_complaint("LUT_1D_SIZE 2\n0 0 1e50\n0 0 0\n"), HasSubstr("beyond the range of a float"));
    EXPECT_THAT(cube_complaint("LUT_1D_SIZE 2\n0 0\n"), HasSubstr("the row has 2 numbers, expected 3"));
    EXPECT_THAT(cube_complaint("LUT_1D_SIZE 2\r\n0 0 0\r\nhello\r\n"), HasSubstr("t.cube:3: 'hello'"));
    EXPECT_THAT(cube_complaint("DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 0 1\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n"),
                HasSubstr("t.cube:2: the domain of g ends at 0, which is not above its start 0"));
    EXPECT_THROW(read_cube("/nowhere/x.cube"), Error);
}

// ---- geometry

Geometry crop(const Args& args, int width = 100, int height = 60) {
    return geometry_of(use_of("crop", args), width, height);
}

TEST(Crop, is_centred_unless_told_otherwise) {
    const Geometry g = crop({{"w", "50"}, {"h", "20"}});
    EXPECT_EQ(g.x, 25);
    EXPECT_EQ(g.y, 20);
    EXPECT_EQ(g.w, 50);
    EXPECT_EQ(g.h, 20);
    EXPECT_FALSE(g.swap || g.flip_x || g.flip_y);
    EXPECT_EQ(crop({}).w, 100);
}

TEST(Crop, reads_expressions_and_rounds_down) {
    const Geometry g = crop({{"w", "iw/3"}, {"h", "in_h*0.51"}, {"x", "in_w-ow"}, {"y", "(ih-out_h)/2"}});
    EXPECT_EQ(g.w, 33);
    EXPECT_EQ(g.h, 30);
    EXPECT_EQ(g.x, 67);
    EXPECT_EQ(g.y, 15);
    EXPECT_EQ(crop({{"w", "oh*2"}, {"h", "20"}}).w, 40); // either size by the other
    EXPECT_EQ(crop({{"w", "40"}, {"h", "ow/2"}}).h, 20);
}

TEST(Crop, must_lie_inside_the_picture) {
    const auto refusal = [](const Args& args) { return complaint([&] { crop(args); }); };
    EXPECT_THAT(refusal({{"w", "iw+1"}}), HasSubstr("filter 'crop': w is 101 ('iw+1'), allowed 1..100"));
    EXPECT_THAT(refusal({{"h", "0"}}), HasSubstr("h is 0 ('0'), allowed 1..60 in a picture of 100x60"));
    EXPECT_THAT(refusal({{"w", "50"}, {"x", "51"}}), HasSubstr("x is 51 ('51'), allowed 0..50"));
    EXPECT_THAT(refusal({{"y", "-1"}}), HasSubstr("allowed 0..0"));
    EXPECT_THAT(refusal({{"w", "0/0"}}), HasSubstr("which has no value"));
    EXPECT_THAT(refusal({{"x", "nonsense"}}), HasSubstr("pipeline.yaml:7:3: filter 'crop': x: "));
}

// 1 2 3 / 4 5 6 turned: transposed first, then flipped.
std::vector<std::vector<int>> turned(const Geometry& g) {
    const std::vector<std::vector<int>> in{{1, 2, 3}, {4, 5, 6}};
    const size_t w = g.swap ? 2 : 3, h = g.swap ? 3 : 2;
    std::vector<std::vector<int>> out(h, std::vector<int>(w));
    for (size_t y = 0; y < h; ++y)
        for (size_t x = 0; x < w; ++x) {
            const size_t u = g.flip_x ? w - 1 - x : x, v = g.flip_y ? h - 1 - y : y;
            out[y][x] = g.swap ? in[u][v] : in[v][u];
        }
    return out;
}

TEST(Turns, are_those_of_ffmpeg) {
    using Rows = std::vector<std::vector<int>>;
    const auto turn = [](const char* name, const Args& args = {}) {
        return turned(geometry_of(use_of(name, args), 3, 2));
    };
    EXPECT_EQ(turn("hflip"), (Rows{{3, 2, 1}, {6, 5, 4}}));
    EXPECT_EQ(turn("vflip"), (Rows{{4, 5, 6}, {1, 2, 3}}));
    EXPECT_EQ(turn("transpose", {{"dir", "clock"}}), (Rows{{4, 1}, {5, 2}, {6, 3}}));
    EXPECT_EQ(turn("transpose", {{"dir", "cclock"}}), (Rows{{3, 6}, {2, 5}, {1, 4}}));
    EXPECT_EQ(turn("transpose", {{"dir", "cclock_flip"}}), (Rows{{1, 4}, {2, 5}, {3, 6}}));
    EXPECT_EQ(turn("transpose", {{"dir", "clock_flip"}}), (Rows{{6, 3}, {5, 2}, {4, 1}}));
}

TEST(Turns, leave_pictures_of_a_shape_alone) {
    const auto turns = [](const char* pass, int width, int height) {
        return geometry_of(use_of("transpose", {{"dir", "clock"}, {"passthrough", pass}}), width, height)
            .swap;
    };
    EXPECT_TRUE(turns("none", 4, 3));
    EXPECT_FALSE(turns("landscape", 4, 3));
    EXPECT_TRUE(turns("landscape", 3, 4));
    EXPECT_FALSE(turns("portrait", 3, 4));
    EXPECT_TRUE(turns("portrait", 4, 3));
    EXPECT_FALSE(turns("portrait", 4, 4));
}

} // namespace
} // namespace weft::graph
