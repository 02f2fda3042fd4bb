// The inputs of a pipeline, opened at once and found out about.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "engine/stream.hpp"
#include "graph/pipeline_spec.hpp"
#include "graph/timeline.hpp"

namespace weft::engine {

// Makes the uploader of one stream whose decoder writes into `memory`; nullptr where pictures only need to be
// looked at.
using MakeUploader = std::function<std::unique_ptr<gpu::Uploader>(std::shared_ptr<gpu::HostBlocks> memory)>;

// Files and addresses being opened and their first pictures decoded, each on a thread of its own, so that the
// device can start meanwhile.
class InputReaders {
  public:
    // cancelled : as media::InputOptions has it
    // trace : told of every packet that is read; nullptr: nobody measures
    explicit InputReaders(const graph::PipelineSpec& spec, std::function<bool()> cancelled = {},
                          Trace* trace = nullptr);
    const media::InputOptions& options() const { return options_; }
    Trace* trace() const { return trace_; }
    // Waits for input `index`; once for each. It has no uploader yet, and no decoder when there is only
    // sound. Errors : what opening it throws.
    OpenedInput take(size_t index) { return opening_.at(index).get(); }

  private:
    media::InputOptions options_;
    Trace* trace_;
    std::vector<std::future<OpenedInput>> opening_;
};

class Inputs {
  public:
    // Waits for all readers.
    //   endless : pictures are shown in turn and do not end; facts have no duration
    // Errors : Errors with one entry for each required input that cannot be used.
    Inputs(const graph::PipelineSpec& spec, InputReaders& readers, const MakeUploader& make_uploader,
           bool endless = false);
    ~Inputs();

    const std::vector<graph::InputFacts>& facts() const { return facts_; }
    // How each input was opened and is to be opened again.
    const media::InputOptions& options() const { return options_; }
    // Lines about inputs that are not required and cannot be used, and about rates that are no plain fact.
    const std::vector<std::string>& notes() const { return notes_; }
    // What was opened for the facts, or, when that is taken, opened anew: begins at once, on a thread of its
    // own. `streams` is the number of streams that decode at the same time.
    std::future<OpenedInput> take(int input, int streams);
    // Closes what was opened for facts and nobody took, of these inputs.
    void let_go(const std::vector<int>& inputs);
    // The input's shared reader, for sound from an address that cannot be opened twice; nullptr for files.
    std::shared_ptr<media::Input> reader(int input) const;
    // Whether the pictures of one come through a pipe that does not say how long it is: it has an end, which
    // only its pictures tell.
    bool any_pipe() const;
    // Whether the input comes from elsewhere, an address or a pipe, so that `reconnect` has a sense.
    bool can_break(int input) const;
    // Whether every input that is there can go back to what it has shown.
    bool seekable() const;
    // Errors : Errors with one usage entry for each use that asks an input that can only be read on, a pipe
    // or a
    //          live address, to begin elsewhere than at its beginning or to loop.
    void refuse_moves(const graph::Timeline& timeline) const;
    // Opens an input once more, whatever became of it before; outlives nothing but this.
    OpenAgain opener(int input) const;
    // Ends all waiting for packets.
    void stop();

  private:
    // What a stream of the device needs besides.
    void equip(OpenedInput& opened, const graph::InputSpec& spec) const;
    void take_covers();
    void note_rates();

    const graph::PipelineSpec& spec_;
    MakeUploader make_uploader_;
    media::InputOptions options_;
    Trace* trace_;
    std::vector<std::shared_ptr<media::Input>> readers_;
    std::vector<std::optional<OpenedInput>> opened_;
    std::vector<graph::InputFacts> facts_;
    std::vector<std::string> video_streams_; // which one of each input, as InputSpec::video_stream
    std::vector<std::string> notes_;
};

} // namespace weft::engine
