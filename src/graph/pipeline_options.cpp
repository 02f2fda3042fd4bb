// The short options of `render` and `play` as a pipeline, or put over one.
#include <algorithm>

#include "graph/pipeline_values_private.hpp"
#include "graph/pipeline_yaml_private.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

Place option(const char* name) {
    return {name, 0, 0};
}

// Runs one reading; its Error joins the others.
template<class Read>
void collect(std::vector<Error>& errors, Read&& read) {
    try {
        read();
    } catch (const Error& e) {
        errors.push_back(e);
    }
}

void put_canvas(CanvasSpec& canvas, const ShortOptions& options, std::vector<Error>& errors) {
    collect(errors, [&] {
        if (!options.size.empty()) canvas.size = read_size(options.size, option("--size"));
    });
    collect(errors, [&] {
        if (!options.rate.empty()) canvas.rate = read_rate(options.rate, option("--rate"));
    });
    if (!options.background.empty()) {
        if (const auto colour = read_colour(options.background))
            canvas.background = *colour;
        else
            errors.emplace_back(ErrorKind::usage,
                                "background is '" + options.background +
                                    "', expected a colour such as black, #101010",
                                option("--background"));
    }
    if (!options.tonemap.empty()) {
        const auto tone = std::find(tone_names.begin(), tone_names.end(), options.tonemap);
        if (tone != tone_names.end())
            canvas.tone_map = static_cast<colour::ToneMap>(tone - tone_names.begin());
        else
            errors.emplace_back(ErrorKind::usage,
                                "tonemap is '" + options.tonemap + "', allowed: " + join(tone_names, ", "),
                                option("--tonemap"));
    }
    if (!options.layout.empty()) {
        if (is_layout(options.layout))
            canvas.layout = options.layout;
        else
            errors.emplace_back(ErrorKind::usage,
                                "layout is '" + options.layout +
                                    "', allowed: grid, hstack, vstack, or such as 3x2",
                                option("--layout"));
    }
}

void put_deinterlace(PipelineSpec& spec, const ShortOptions& options, std::vector<Error>& errors) {
    if (options.deinterlace.empty()) return;
    const auto found = std::find(deinterlace_words.begin(), deinterlace_words.end(), options.deinterlace);
    if (found == deinterlace_words.end())
        errors.emplace_back(ErrorKind::usage,
                            "deinterlace is '" + options.deinterlace +
                                "', allowed: " + join(deinterlace_words, ", "),
                            option("--deinterlace"));
    else
        for (InputSpec& input : spec.inputs)
            input.deinterlace = static_cast<Deinterlace>(found - deinterlace_words.begin());
}

void put_times(PipelineSpec& spec, const ShortOptions& options, std::vector<Error>& errors) {
    collect(errors, [&] {
        if (options.start.empty()) return;
        spec.start = parse_time(options.start, option("--start"), spec.canvas.rate);
        if (*spec.start < Rational(0))
            throw Error(ErrorKind::usage, "start is '" + options.start + "', expected 0 or more",
                        option("--start"));
    });
    collect(errors, [&] {
        if (options.duration.empty()) return;
        spec.duration = parse_time(options.duration, option("--duration"), spec.canvas.rate);
        if (*spec.duration <= Rational(0))
            throw Error(ErrorKind::usage, "duration is '" + options.duration + "', expected more than 0",
                        option("--duration"));
    });
}

void append(std::vector<FilterSpec>& to, const std::vector<FilterSpec>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// "2:gblur=sigma=2" is for the second input alone, "logo:negate" for the one of that name.
void put_filter(PipelineSpec& spec, const std::string& text) {
    const Place place = option("--filter");
    const size_t colon = text.find(':');
    const std::string head = text.substr(0, colon);
    const bool number =
        !head.empty() && head.size() <= 4 && head.find_first_not_of("0123456789") == std::string::npos;
    const InputSpec* input = colon == std::string::npos ? nullptr : spec.input(head);
    if (!input && number && colon != std::string::npos) {
        const size_t index = std::stoul(head);
        if (index < 1 || index > spec.inputs.size())
            throw Error(ErrorKind::usage,
                        "'" + text + "' is for input " + head + ", but there are " +
                            std::to_string(spec.inputs.size()),
                        place);
        input = &spec.inputs[index - 1];
    }
    const std::vector<FilterSpec> chain = parse_filter_chain(input ? text.substr(colon + 1) : text, place);
    for (LayerSpec& layer : spec.layers)
        if (!input || layer.from == input->name) append(layer.filters, chain);
    if (!input) return;
    for (TrackSpec& track : spec.tracks)
        for (TrackEntry& entry : track.entries)
            if (auto* play = std::get_if<PlayEntry>(&entry); play && play->input == input->name)
                append(play->filters, chain);
}

void put_filters(PipelineSpec& spec, const ShortOptions& options, std::vector<Error>& errors) {
    for (const std::string& text : options.filters)
        collect(errors, [&] { put_filter(spec, text); });
}

bool is_time(const std::string& text) {
    try {
        parse_time(text);
        return true;
    } catch (const Error&) {
        return false;
    }
}

void throw_all(std::vector<Error> errors) {
    if (!errors.empty()) throw Errors(std::move(errors));
}

// A time where a parameter stands is a duration in the wrong place, as in "wipeleft:1s:2".
void check_positions(const std::string& text, const TransitionEntry& entry) {
    for (const auto& [key, value] : entry.transition.args) {
        const auto* word = std::get_if<std::string>(&value);
        if (!key.empty() || !word || read_number(*word) || !is_time(*word)) continue;
        throw Error(ErrorKind::usage,
                    "'" + text +
                        "': the last value is the duration, those before it are the parameters of '" +
                        entry.transition.name + "' in their order, and '" + *word + "' is a time",
                    option("--transition"));
    }
}

// Pixel rects were meant for the old canvas.
void rescale_rects(PipelineSpec& spec, std::pair<int, int> from, std::pair<int, int> to) {
    const double across = static_cast<double>(to.first) / from.first;
    const double down = static_cast<double>(to.second) / from.second;
    for (LayerSpec& layer : spec.layers) {
        if (!layer.rect) continue;
        for (size_t i = 0; i < 4; ++i)
            if (Length& length = (*layer.rect)[i]; !length.percent)
                length.value *= i % 2 == 0 ? across : down;
    }
}

} // namespace

PipelineSpec pipeline_from_options(const ShortOptions& options) {
    PipelineSpec spec;
    std::vector<Error> errors;
    if (options.files.empty()) errors.emplace_back(ErrorKind::usage, "no input files");
    for (size_t i = 0; i < options.files.size(); ++i) {
        InputSpec input;
        input.name = std::to_string(i + 1);
        input.url = options.files[i];
        spec.inputs.push_back(std::move(input));
    }
    put_canvas(spec.canvas, options, errors);
    put_deinterlace(spec, options, errors);
    put_times(spec, options, errors);
    const auto layer = [&](const std::string& from) {
        LayerSpec out;
        out.from = from;
        spec.layers.push_back(std::move(out));
    };
    if (options.transition.empty()) {
        for (const InputSpec& input : spec.inputs)
            layer(input.name);
        if (spec.layers.size() > 1 && spec.canvas.layout.empty()) spec.canvas.layout = "grid";
    } else {
        if (!options.layout.empty())
            errors.emplace_back(ErrorKind::usage, "--layout and --transition exclude each other");
        if (options.files.size() == 1)
            errors.emplace_back(ErrorKind::usage, "needs at least two files", option("--transition"));
        TrackSpec track;
        track.name = "show";
        collect(errors, [&] {
            const TransitionEntry between =
                parse_transition(options.transition, spec.canvas.rate, option("--transition"));
            check_positions(options.transition, between);
            for (const InputSpec& input : spec.inputs) {
                if (!track.entries.empty()) track.entries.emplace_back(between);
                PlayEntry play;
                play.input = input.name;
                track.entries.emplace_back(std::move(play));
            }
        });
        spec.tracks.push_back(std::move(track));
        layer("show");
    }
    put_filters(spec, options, errors);
    throw_all(std::move(errors));
    return spec;
}

void apply_options(PipelineSpec& spec, const ShortOptions& options) {
    std::vector<Error> errors;
    if (options.files.size() > spec.inputs.size())
        errors.emplace_back(ErrorKind::usage,
                            std::to_string(options.files.size()) + " files, but the pipeline has " +
                                std::to_string(spec.inputs.size()) + " inputs",
                            Place{spec.file, 0, 0});
    for (size_t i = 0; i < std::min(options.files.size(), spec.inputs.size()); ++i)
        spec.inputs[i].url = options.files[i];
    const auto old_size = spec.canvas.size;
    put_canvas(spec.canvas, options, errors);
    if (old_size && spec.canvas.size && old_size != spec.canvas.size)
        rescale_rects(spec, *old_size, *spec.canvas.size);
    if (!options.layout.empty())
        for (LayerSpec& layer : spec.layers)
            layer.rect.reset();
    put_deinterlace(spec, options, errors);
    put_times(spec, options, errors);
    if (!options.transition.empty())
        errors.emplace_back(ErrorKind::usage, "works between files; a pipeline says its transitions itself",
                            option("--transition"));
    put_filters(spec, options, errors);
    throw_all(std::move(errors));
}

} // namespace weft::graph
