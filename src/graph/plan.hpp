// What is to be done on the device for one picture: a plain value, made by the planner, run by
// engine::PlanRunner. It holds no OpenCL: planning and code generation are pure functions, tested without a
// device.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "colour/picture_format.hpp"
#include "graph/shapes.hpp"

namespace weft::graph {

// A device buffer that the plan owns: an intermediate image or a table of constants. `slot` is filled in by
// placement: buffers with the same slot are never alive at once and share memory.
struct PlanBuffer {
    std::string name;
    size_t bytes = 0;
    std::vector<uint8_t> initial; // uploaded once when the plan is loaded; empty = scratch
    int slot = -1;
};

// A picture of a stream, from the one that is due: steps forwards (above 0) and backwards in time, one after
// another. A step beyond the input's first or last picture ends there. Empty: the one that is due.
using FramePath = std::vector<int>;

// A plane of the picture that a stream delivers. The runner sets pointer, byte offset and pitch (three
// arguments:
// __global const uchar*, int, int) from the slot in use.
struct StreamPlane {
    int stream = 0; // index into the scene's streams
    int plane = 0;
    FramePath frame = {};
    friend bool operator==(const StreamPlane&, const StreamPlane&) = default;
};
// Which lines a picture of a stream has from the moment that is shown, one int argument: see FieldsOf.
struct FieldsArg {
    int stream = 0;
    FramePath frame = {};
    friend bool operator==(const FieldsArg&, const FieldsArg&) = default;
};
// A plane of the caller's output picture, likewise (__global uchar*, int offset, int pitch).
struct OutputPlane {
    int output = 0; // index into Plan::outputs
    int plane = 0;
    friend bool operator==(const OutputPlane&, const OutputPlane&) = default;
};
struct BufferArg {
    int buffer = 0; // index into Plan::buffers
    friend bool operator==(const BufferArg&, const BufferArg&) = default;
};
// Raw bytes set with clSetKernelArg: the parameters of one filter use (4-byte members in manifest order).
// `live` is an index into Plan::live, or -1 when the bytes never change.
struct BytesArg {
    std::vector<uint8_t> bytes;
    int live = -1;
    friend bool operator==(const BytesArg&, const BytesArg&) = default;
};
// The values of a tick, one struct argument: {float t; float n; float progress; uint seed}. progress is that
// of transition `transition` of the scene (-1: none).
struct TickArg {
    int transition = -1;
    friend bool operator==(const TickArg&, const TickArg&) = default;
};
using Arg = std::variant<StreamPlane, OutputPlane, BufferArg, BytesArg, TickArg, FieldsArg>;

// The value of a FieldsArg.
struct FieldsOf {
    // No fields in it: every line is of one moment.
    static constexpr int whole = -1;
    // Fields: the sum of
    static constexpr int odd_lines = 1; // the field shown has lines 1, 3, ..., else 0, 2, ...
    static constexpr int second = 2;    // it is the later one of its picture
    static constexpr int alone = 4;     // there is no picture on its side in time: before a first field,
                                        // behind a second
};

struct TickValues {
    float t = 0; // seconds
    float n = 0; // tick number
    float progress = 0;
    uint32_t seed = 0;
};

// One kernel launch.
struct Pass {
    std::string title;  // for people: "4 layers: scale area, eq, convolution 3x3"
    std::string text;   // whole program, prelude included
    std::string kernel; // entry point
    std::array<size_t, 2> global{1, 1};
    std::array<size_t, 2> local{1, 1};
    std::vector<Arg> args;
    double bytes_read = 0; // the parts of pictures that it reads, each once, and its tables
    double bytes_written = 0;
    double operations = 0; // multiplications and additions; filters' own texts are estimated
};

// A parameter set that may change while the plan runs: which filter of which layer.
struct LiveParams {
    std::string path; // "layers[0].filters[1]"
    std::string filter;
};

// One form of the finished canvas that the plan stores.
struct PlanOutput {
    colour::PictureFormat format;
};

// A line of text of a user's file inside the program text, to map compiler messages back.
struct SourceLines {
    int first_line = 0; // in Pass::text, counted from 1
    int line_count = 0;
    std::string file;
    int file_line = 1;
};

// A kind of work of the plan and the shape that it has.
struct ShapeUse {
    ShapeKey key;
    Shape shape;
    bool tuned = false; // false: nobody has measured it on this device
    friend bool operator==(const ShapeUse&, const ShapeUse&) = default;
};

struct Plan {
    std::vector<PlanBuffer> buffers;
    std::vector<Pass> passes; // in order; a pass may read what earlier ones wrote
    std::vector<LiveParams> live;
    std::vector<PlanOutput> outputs;
    std::vector<std::string> report;               // what conforming and conversion did, one line each
    std::vector<std::vector<SourceLines>> sources; // per pass
    std::vector<ShapeUse> shapes;                  // each once, in the order of the passes
    int slot_count = 0;
    size_t device_bytes = 0; // of buffers, after placement

    std::string explain() const; // the plan as text for people
    std::string dot() const;     // as a DOT graph
};

} // namespace weft::graph
