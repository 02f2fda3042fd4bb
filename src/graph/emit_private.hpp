// Small tools for writing kernel text.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/chain_private.hpp"
#include "graph/shapes.hpp"

namespace weft::graph {

// Replaces every $NAME of the template. Errors : internal when a name is not given.
std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string>> values);

// A float literal with nine significant digits. Errors : internal when not finite.
std::string literal(double value);
std::string literal(int value);

// A body: one function of generated text with formal parameters, and what one instance passes for them.
// Instances whose text and formals are equal share the function.
struct Formal {
    std::string type, name;
};
struct Actual { // what an instance passes: an argument of the plan and how it is used
    enum class Kind { pointer, pitch, bytes, tick, fields, table, integer } kind = Kind::integer;
    Arg arg;
    int byte_offset = 0; // added to a pointer; lines and samples of the cell's place
    int lines = 0;       // added to a pointer times the pitch
    int integer = 0;
};
// What a body reads of a plane: of each of these lines the bytes [from, until).
struct Read {
    Arg plane;           // StreamPlane or BufferArg
    int byte_offset = 0; // of the plane in its buffer
    int from = 0, until = 0;
    std::vector<int> lines;
};
struct Body {
    std::string text; // of the functions; the entry is @(int item, formals...), other names start with @
    std::vector<Formal> formals;
    std::vector<Actual> actuals;
    int items = 1;
    int depth = 1;                  // pass in which it can run
    std::vector<FilterUse> filters; // whose texts the body calls
    std::vector<int> writes;        // buffers
    std::string title;
    std::vector<Read> reads; // of pictures; see work_private.hpp
    double bytes_written = 0, operations = 0;
    std::optional<int> looked_up = {}; // results are a table's, of which each item computes so many
    std::optional<ShapeKey> key;       // none: nothing is left to choose
    Shape shape;
    bool tuned = false; // the shape was looked up, even if it is the rule's
};

// Collects formals and actuals while a body's text is written.
class BodyWriter {
  public:
    // buffers : of the plan that is being made; constant tables are added to it.
    explicit BodyWriter(std::vector<PlanBuffer>& buffers) : buffers_(buffers) {}
    // "s0" and its pitch "s0p" (an int, or a literal for buffers).
    std::string plane(const ImageComponent& component, bool written, int x = 0, int y = 0);
    std::string params(const FilterUse& use);              // a struct by value
    std::string floats(const std::vector<double>& values); // a struct of floats: name, members f0, f1, ...
    std::string tick(int transition);
    std::string fields(int stream, const FramePath& frame); // an int, see FieldsOf
    std::string table(int buffer, const std::string& type);

    Body body;
    std::string formals() const; // "GI s0, const int s0p, ..."
    std::string names() const;   // "s0, s0p, ..."
    // Of those that a text names. For functions called inside a marked loop: clang takes arguments that are
    // not used away, and with them, from the call, the mark that lets it vectorise what the function reads.
    std::string formals(const std::string& used_by) const;
    std::string names(const std::string& used_by) const;

    // A constant table of the plan; equal tables are stored once.
    std::string table(const std::string& title, const std::vector<float>& values);
    std::string table(const std::string& title, const std::vector<int>& values);
    std::string table(const std::string& title, const std::vector<uint64_t>& values);

  private:
    std::string table(const std::string& title, const void* data, size_t bytes, const std::string& type);
    std::vector<PlanBuffer>& buffers_;
    std::map<std::string, std::string> known_;
};

std::string struct_name(const FilterManifest& manifest); // wf_picture_eq_params
std::string function_name(const FilterManifest& manifest);
// The struct's declaration, the text and its wrapping; the lines of the user's text are told to `lines`.
std::string filter_text(const FilterManifest& manifest, int first_line, std::vector<SourceLines>& lines);
bool per_component(const FilterManifest& manifest); // float apply(...) rather than Px apply(...)
std::vector<uint8_t> param_bytes(const FilterUse& use);

// Name of a use's parameters. Choices (enum, bool) are made literals by the statements in `settle`: as
// arguments, both ways of an `if` on them would be paid at every pixel.
std::string settled_params(BodyWriter& writer, const FilterUse& use, std::string& settle);

// "_m1_p1" for one back, one on: part of a name.
std::string frame_name(const FramePath& frame);
const char* element_type(SampleType type); // "uchar" and the like
// "const __global uchar*" and the like.
std::string pointer_type(SampleType type, bool written);

// Steps on a value as text. In plane mode `v` names a float, in pixel mode a Px. Texts find their At in `at`.
bool needs_at(const std::vector<Op>& ops);
std::string emit_ops(BodyWriter& writer, const std::vector<Op>& ops, const std::string& v, bool pixel,
                     int component);
// A sample's place, expressions.
struct PlaceText {
    std::string x, y;
    std::string centre_x = "(float)(" + x + ") + 0.5f", centre_y = "(float)(" + y + ") + 0.5f";
};
// "At at = {...};" for a sample of a component of w x h.
std::string emit_at(const PlaceText& place, int w, int h, double aspect, const std::string& tick);
// What "at" must be told before a text runs on a component.
std::string emit_at_component(const Op& op, int component);

} // namespace weft::graph
