// Small readings of text that the parsers of this module share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/scene.hpp"

namespace weft::graph {

std::string trim(std::string_view text);
std::string lower_case(std::string text);

// The whole text as a finite decimal number in the C locale; nullopt when it is anything else.
std::optional<double> read_number(std::string_view text);

// "true", "yes", "on", "1" and their opposites, in any case.
std::optional<bool> read_bool(const std::string& text);

// Shortest text that reads back to the same double: "1.2", "30", "-0.001".
std::string number_text(double value);

// Numbers separated by any of `separators`; nullopt when a piece is no number.
std::optional<std::vector<double>> read_numbers(const std::string& text, std::string_view separators);

// A CSS colour name, "#rgb", "#rrggbb", "#rrggbbaa", "0xRRGGBB[AA]", each with an optional "@alpha" of 0..1.
std::optional<Rgba> read_colour(const std::string& text);

// The eight-bit value of a colour name, 0xRRGGBB; case does not matter.
std::optional<unsigned> named_colour(const std::string& name);

// ", did you mean 'x'?" for the nearest of `known`, else "; known: a, b, c" (or as many as fit a line).
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

std::string join(const std::vector<std::string>& words, std::string_view between);

bool is_identifier(std::string_view text);

} // namespace weft::graph
