// The options of weft bench, what weft tune shares of them, and the two kinds of tables.
#pragma once

#include <string>
#include <vector>

#include "app/command.hpp"
#include "bench/filter_bench.hpp"

namespace weft::app {

struct BenchOptions {
    std::string what = "filters";
    std::string device;
    std::vector<std::string> sizes, only, chains;
    std::string pixels = "yuv420p";
    std::string filter_size = "16x16";
    bench::FilterOptions measure;
    bool dense = false, list = false, json = false, no_tune = false;
};

// Options of a command that measures, under one heading of its help.
struct OptionGroup {
    CLI::App& command;
    std::string name;
    void text(const std::string& option, std::string& value, const std::string& shown,
              const std::string& help) const;
    void list(const std::string& option, std::vector<std::string>& values, const std::string& shown,
              const std::string& help) const; // repeated for several
    void rounds(int& value, const std::string& help) const;
    void milliseconds(double& value, const std::string& help) const;
};

// What weft bench measures besides filters.
std::vector<std::string> ladder_names();

// Each --size, or the usual one. Errors : usage.
std::vector<bench::Size> sizes_of(const BenchOptions& options, bench::Size usual);
gpu::DeviceInfo device_of(const BenchOptions& options);
std::string driver_text(const gpu::DeviceInfo& info);

// Measure, print and give the exit status: 1 when something was wrong or could not be measured. Tables grow
// on standard output as rows are measured; JSON comes at the end.
int bench_filters(const Common& common, const BenchOptions& options);
int bench_ladder(const Common& common, const BenchOptions& options);

} // namespace weft::app
