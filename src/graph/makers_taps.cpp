#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/format.hpp"
#include "graph/makers_private.hpp"

namespace weft::graph {
namespace {

constexpr int largest_side = 31;   // of a matrix
constexpr int largest_line = 49;   // of a row or column
constexpr int split_from_side = 5; // a 3x3 costs less as it is than through a line between

double magnitude(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0,
                           [](double sum, double w) { return sum + std::fabs(w); });
}

double sum_of(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

WindowTaps identity_taps() {
    WindowTaps out;
    out.matrix = {1};
    return out;
}

// Scales by a power of two, so that whole numbers stay exact, to a magnitude of at most 1; returns the factor
// undone.
double scale_down(std::vector<double>& weights) {
    const double size = magnitude(weights);
    if (size == 0) return 1;
    const double factor = std::exp2(std::ceil(std::log2(size)));
    for (double& w : weights)
        w /= factor;
    return factor;
}

WindowTaps separable_taps(std::vector<double> column, std::vector<double> row, double gain) {
    WindowTaps out;
    out.separable = true;
    out.radius_x = static_cast<int>(row.size() / 2);
    out.radius_y = static_cast<int>(column.size() / 2);
    out.gain = gain * scale_down(column) * scale_down(row);
    out.column = std::move(column);
    out.row = std::move(row);
    return out;
}

bool chosen(const FilterUse& use, int component) {
    return (static_cast<unsigned>(number(use, "planes")) >> component & 1u) != 0;
}

// Drops rings of zeros around the weights.
int trimmed_side(std::vector<double>& weights, int side) {
    while (side > 1) {
        const auto n = static_cast<size_t>(side);
        bool empty = true;
        for (size_t i = 0; i < n; ++i)
            empty = empty && weights[i] == 0 && weights[(n - 1) * n + i] == 0 && weights[i * n] == 0 &&
                    weights[i * n + n - 1] == 0;
        if (!empty) break;
        std::vector<double> inner;
        for (size_t j = 1; j + 1 < n; ++j)
            for (size_t i = 1; i + 1 < n; ++i)
                inner.push_back(weights[j * n + i]);
        weights = std::move(inner);
        side -= 2;
    }
    return side;
}

class ConvolutionTaps {
  public:
    ConvolutionTaps(const FilterUse& use, int component) : use_(use), component_(component) {}

    WindowTaps read() const {
        if (!chosen(use_, component_)) return identity_taps();
        const std::string own = fmt::format("m{}", component_);
        const auto matrix = number_list(use_, "matrix");
        const auto row = number_list(use_, "row");
        const auto column = number_list(use_, "column");
        if (!matrix.empty() && !(row.empty() && column.empty()))
            throw maker_error(use_, fmt::format("{} is given beside a matrix, allowed is one of them",
                                                row.empty() ? "column" : "row"));
        if (!number_list(use_, own).empty()) return square(own);
        if (!matrix.empty()) return square("matrix");
        if (!row.empty() || !column.empty()) {
            const std::vector<double> across = line("row"), down = line("column");
            return finished(separable_taps(down, across, factor(sum_of(across) * sum_of(down))));
        }
        return identity_taps();
    }

  private:
    // FFmpeg's rule for a missing factor.
    double factor(double sum) const {
        const double given = number(use_, "rdiv");
        return given != 0 ? given : sum != 0 ? 1 / sum : 1;
    }

    std::vector<double> line(const std::string& name) const {
        std::vector<double> out = number_list(use_, name);
        if (out.empty()) return {1};
        if (out.size() % 2 == 0 || out.size() > largest_line)
            throw maker_error(use_, fmt::format("{} has {} weights, allowed is an odd number up to {}", name,
                                                out.size(), largest_line));
        return out;
    }

    WindowTaps square(const std::string& name) const {
        std::vector<double> weights = number_list(use_, name);
        auto side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(weights.size()))));
        if (static_cast<size_t>(side) * static_cast<size_t>(side) != weights.size() || side % 2 == 0 ||
            side > largest_side)
            throw maker_error(
                use_,
                fmt::format("{} has {} weights, allowed 1, 9, 25, 49 ... {}: an odd number a side up to {}",
                            name, weights.size(), largest_side * largest_side, largest_side));
        const double gain = factor(sum_of(weights));
        side = trimmed_side(weights, side);
        if (side >= split_from_side)
            if (auto split = split_separable(weights, side, side))
                return finished(separable_taps(std::move(split->first), std::move(split->second), gain));
        WindowTaps out;
        out.radius_x = out.radius_y = side / 2;
        out.gain = gain;
        out.matrix = std::move(weights);
        return finished(std::move(out));
    }

    WindowTaps finished(WindowTaps taps) const {
        taps.bias = number(use_, "bias") / 255;
        return taps;
    }

    const FilterUse& use_;
    int component_;
};

WindowTaps gaussian_taps(const FilterUse& use, int component) {
    const auto [across, down] = gaussian_sigmas(use);
    if (!chosen(use, component) || (across == 0 && down == 0)) return identity_taps();
    return separable_taps(gaussian_row(down), gaussian_row(across), 1);
}

// Weights that (1 1)/2 convolved size - 1 times with itself gives, as vf_unsharp builds them by repeated
// sums.
std::vector<double> binomial_row(int size) {
    std::vector<double> out{1};
    while (static_cast<int>(out.size()) < size) {
        out.push_back(0);
        for (size_t i = out.size() - 1; i > 0; --i)
            out[i] = (out[i] + out[i - 1]) / 2;
        out[0] /= 2;
    }
    return out;
}

WindowTaps unsharp_taps(const FilterUse& use, int component) {
    const std::string kind = component == 0 ? "luma" : component == 3 ? "alpha" : "chroma";
    const auto weights = [&](const char* axis) {
        const std::string name = kind + "_msize_" + axis;
        const int size = static_cast<int>(number(use, name));
        if (size % 2 == 0)
            throw maker_error(use, fmt::format("{} is {}, allowed are odd numbers 3..23", name, size));
        return binomial_row(size);
    };
    std::vector<double> row = weights("x"), column = weights("y");
    const double amount = number(use, kind + "_amount");
    if (amount == 0) return identity_taps();
    WindowTaps out = separable_taps(std::move(column), std::move(row), -amount);
    out.keep = 1 + amount;
    return out;
}

// The whole number that all weights share as a factor; 0 when they are not whole.
double common_factor(const std::vector<double>& weights) {
    long long out = 0;
    for (const double w : weights) {
        if (w != std::round(w) || std::fabs(w) > 1e15) return 0;
        out = std::gcd(out, static_cast<long long>(w));
    }
    return static_cast<double>(out);
}

} // namespace

double WindowTaps::sum() const {
    const auto total = [](const std::vector<double>& weights) {
        return std::accumulate(weights.begin(), weights.end(), 0.0);
    };
    return keep + gain * (separable ? total(row) * total(column) : total(matrix));
}

bool WindowTaps::identity() const {
    if (bias != 0) return false;
    const auto x = static_cast<size_t>(radius_x), y = static_cast<size_t>(radius_y);
    const auto only_centre = [](const std::vector<double>& weights, size_t centre) {
        for (size_t i = 0; i < weights.size(); ++i)
            if (i != centre && weights[i] != 0) return false;
        return centre < weights.size();
    };
    if (gain == 0) return keep == 1;
    if (separable)
        return only_centre(row, x) && only_centre(column, y) && keep + gain * row[x] * column[y] == 1;
    const size_t centre = y * (2 * x + 1) + x;
    return only_centre(matrix, centre) && keep + gain * matrix[centre] == 1;
}

WindowTaps window_taps(const FilterUse& use, int component) {
    WEFT_CHECK(component >= 0 && component < 4);
    const std::string& maker = use.manifest->maker;
    if (maker == "convolution") return ConvolutionTaps(use, component).read();
    if (maker == "gaussian") return gaussian_taps(use, component);
    if (maker == "unsharp") return unsharp_taps(use, component);
    throw Error(ErrorKind::internal,
                fmt::format("filter '{}' has no window maker '{}'", use.manifest->name, maker));
}

std::vector<double> gaussian_row(double sigma) {
    if (sigma <= 0) return {1};
    const int radius = static_cast<int>(std::ceil(4 * sigma));
    std::vector<double> out;
    for (int i = -radius; i <= radius; ++i)
        out.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    const double sum = sum_of(out);
    for (double& w : out)
        w /= sum;
    return out;
}

std::pair<double, double> gaussian_sigmas(const FilterUse& use) {
    const double across = number(use, "sigma"), down = number(use, "sigmaV");
    return {across, down < 0 ? across : down};
}

std::optional<std::pair<std::vector<double>, std::vector<double>>>
split_separable(const std::vector<double>& matrix, int width, int height) {
    const auto w = static_cast<size_t>(width), h = static_cast<size_t>(height);
    WEFT_CHECK(w > 0 && matrix.size() == w * h);
    const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
    const auto pivot =
        static_cast<size_t>(std::max_element(matrix.begin(), matrix.end(), smaller) - matrix.begin());
    const double largest = std::fabs(matrix[pivot]);
    if (largest == 0) return std::nullopt;
    const auto from = matrix.begin() + static_cast<std::ptrdiff_t>(pivot / w * w);
    std::vector<double> row(from, from + width), column;
    // By its common factor the row of a whole matrix becomes such that the column is whole as well.
    const double factor = common_factor(row);
    for (double& v : row)
        v /= factor != 0 ? factor : matrix[pivot];
    for (size_t j = 0; j < h; ++j)
        column.push_back(matrix[j * w + pivot % w] / row[pivot % w]);
    for (size_t j = 0; j < h; ++j)
        for (size_t i = 0; i < w; ++i)
            if (std::fabs(column[j] * row[i] - matrix[j * w + i]) > 1e-6 * largest) return std::nullopt;
    return std::pair{std::move(column), std::move(row)};
}

} // namespace weft::graph
