#include "present/player.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

#include <unistd.h>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/log.hpp"
#include "present/live_run_private.hpp"
#include "present/overlay.hpp"
#include "present/painter.hpp"
#include "present/screenshots.hpp"
#include "present/window.hpp"

namespace weft::present {
namespace {

using std::chrono::milliseconds;

constexpr Nanoseconds message_time = milliseconds(1500);
constexpr Nanoseconds longest_wait = milliseconds(10); // also how long a key may wait
constexpr Nanoseconds overlay_period = milliseconds(250);
constexpr Nanoseconds rate_period = milliseconds(500);
constexpr Nanoseconds status_period = milliseconds(200);
constexpr double slowest = 0.1, fastest = 10;
constexpr double loudest = 130;
// Times of ticks are fractions; rounded to nanoseconds they may lie a little early. So much later they never
// do.
constexpr Nanoseconds past_rounding = std::chrono::microseconds(1);

Rational rational(Nanoseconds time) {
    return {time.count(), 1'000'000'000};
}

// Speeds reached by factors of 1.1 and back land on 1 again, not beside it.
double tidy_speed(double speed) {
    speed = std::clamp(speed, slowest, fastest);
    return std::abs(speed - 1) < 1e-3 ? 1 : speed;
}

class Player {
  public:
    Player(const RunFunction& run, std::vector<std::unique_ptr<engine::FrameSink>> others,
           engine::RunOptions options, const PlayerOptions& player)
        : run_function_(run), options_(std::move(options)), player_(player), others_(std::move(others)),
          window_({player.title, player.fullscreen, player.vsync}), painter_(window_), overlay_(window_),
          screenshots_(player.screenshot_folder) {
        paths_ = working_paths(window_);
        if (options_.control == nullptr) options_.control = &own_control_;
        options_.master = &clock_;
        stats_.volume = std::clamp(player.volume, 0.0, loudest);
        stats_.mute = player.mute;
        stats_.paused = player.paused;
        stats_.renderer = window_.renderer();
        show_stats_ = player.stats;
        loop_ = player.loop;
        terminal_ = player.status_line && isatty(STDERR_FILENO) != 0;
    }

    PlayerReport play();

  private:
    // The run.
    void start_run();
    void adopt_ready();
    void at_end();

    // Pictures.
    bool present();
    void note_shown(int64_t index, Nanoseconds time);
    void draw();
    void idle();
    std::vector<std::string> overlay_lines();

    // Time.
    Nanoseconds interval() const { return (Rational(1) / rate_).nanoseconds(); }
    Nanoseconds position() const { return hold_ ? target_ : clock_.media_time(); }
    int64_t shown_tick() const { return (rational(shown_time_) * rate_).round(); }
    bool seek(Nanoseconds to); // false, and said, where an input cannot
    void step(int pictures);
    void apply_running();
    void check_loop_points();

    // The user.
    void handle(const Action& action);
    void change_speed(double speed);
    void change_volume(double percent, bool mute);
    void mark_loop_point();
    void say(const std::string& message);
    void refresh_stats();
    void print_status();

    const RunFunction& run_function_;
    engine::RunOptions options_;
    const PlayerOptions& player_;
    std::vector<std::unique_ptr<engine::FrameSink>> others_;
    engine::RunControl own_control_;
    SteadyClock steady_;
    MasterClock clock_{steady_};

    Window window_;
    Painter painter_;
    Overlay overlay_;
    Screenshots screenshots_;
    std::vector<InteropPath> paths_;
    std::optional<AudioOutput> audio_;
    std::optional<LiveRun> run_; // the last to be made, the first to go

    Rational rate_{25};
    PlayStats stats_;
    bool opened_ = false;
    bool seekable_ = true;
    bool quit_ = false;     // by the user
    bool finished_ = false; // at the end
    bool loop_ = false;
    bool show_stats_ = false;
    bool redraw_ = false;
    bool ended_ = false;      // keep_open: the last picture stays
    bool hold_ = true;        // the clock waits for the first picture of a new place
    bool audio_moved_ = true; // sound must be brought to the clock's place before it goes on
    Nanoseconds target_{0};   // of the seek that hold_ waits for
    Nanoseconds shown_time_{0};
    std::optional<int64_t> shown_index_; // none: the next is the first of a new place
    std::optional<int64_t> step_to_;     // tick that a step waits for
    int steps_waiting_ = 0;
    std::optional<Nanoseconds> loop_a_, loop_b_;

    std::string message_;
    Nanoseconds message_until_{0};
    Nanoseconds overlay_next_{0}, status_next_{0}, rate_since_{0};
    int64_t rate_shown_ = 0;
    bool terminal_ = false, printed_ = false;
};

PlayerReport Player::play() {
    start_run();
    while (!quit_ && !finished_ && !options_.control->stop_requested()) {
        for (const Action& action : window_.poll())
            handle(action);
        adopt_ready();
        if (!present()) idle();
        for (const std::string& line : screenshots_.news())
            say(line);
        check_loop_points();
        refresh_stats();
        if (terminal_) print_status();
        if (run_->done() && !ended_) at_end();
    }
    if (printed_) std::fputc('\n', stderr);
    if (!run_->done()) {
        options_.control->request_stop();
        run_->queue().stop();
        // A window that answers nothing would be called hung while files are being finished.
        while (!run_->done()) {
            window_.poll();
            std::this_thread::sleep_for(longest_wait);
        }
    }
    return {run_->report(), stats_, quit_};
}

// --- the run ---

void Player::start_run() {
    run_.reset();
    run_.emplace(run_function_, std::exchange(others_, {}), options_, audio_ ? nullptr : player_.sound);
}

void Player::adopt_ready() {
    auto ready = run_->take_ready();
    if (!ready) return;
    const engine::RunPlan& plan = ready->plan;
    if (plan.canvas.rate.num > 0) rate_ = plan.canvas.rate;
    stats_.rate = rate_;
    stats_.width = plan.canvas.width;
    stats_.height = plan.canvas.height;
    stats_.device = plan.device;
    stats_.upload = gpu::name(plan.upload);
    seekable_ = plan.seekable;
    stats_.length.reset();
    if (plan.frames) stats_.length = (Rational(*plan.frames) / rate_).nanoseconds();
    if (!opened_) window_.open(plan.canvas.width, plan.canvas.height);
    opened_ = true;
    if (ready->sound) {
        audio_.emplace(std::move(*ready->sound), clock_);
        audio_->set_volume(stats_.volume);
        audio_->set_mute(stats_.mute);
        audio_->seek(target_);
        audio_moved_ = false;
        apply_running();
    }
}

void Player::at_end() {
    // A key was faster than the end of a run that could not heed it any more: the next one does.
    if (hold_ && options_.control->seek_requested()) {
        start_run();
        run_->queue().expect(target_, interval());
        return;
    }
    // The engine is through, so every picture was taken; the last one is shown for its time.
    if (!hold_ && clock_.media_time() < shown_time_ + interval()) return;
    if (loop_ && stats_.shown > 0 && run_->report().failure == nullptr && seek(Nanoseconds(0))) return;
    if (player_.keep_open && stats_.shown > 0) {
        ended_ = true;
        stats_.paused = true;
        apply_running();
        return;
    }
    finished_ = true;
    stats_.position = shown_time_;
}

// --- pictures ---

bool Player::present() {
    // Half a picture early is nearer to its time than half a picture late.
    const Nanoseconds early =
        clock_.running() ? std::min<Nanoseconds>(interval() / 2, milliseconds(4)) : Nanoseconds(0);
    if (auto frame = run_->queue().take_due(clock_.media_time() + early)) {
        const InteropPath path = choose_path(paths_, run_->shares_host_memory());
        stats_.interop = name(path);
        painter_.upload((*frame)->picture, path);
        const int64_t index = (*frame)->index;
        const Nanoseconds time = (*frame)->time;
        frame.reset(); // the engine paints on while the window is drawn
        stats_.position = time;
        draw();
        window_.swap();
        note_shown(index, time);
        return true;
    }
    const Nanoseconds now = steady_.now();
    if (!message_.empty() && now >= message_until_) {
        message_.clear();
        redraw_ = true;
    }
    if (show_stats_ && now >= overlay_next_) redraw_ = true;
    const bool stale = window_.take_stale();
    if (!opened_ || !(stale || redraw_)) return false;
    draw();
    window_.swap();
    return true;
}

void Player::note_shown(int64_t index, Nanoseconds time) {
    ++stats_.shown;
    if (shown_index_) {
        stats_.dropped += std::max<int64_t>(0, index - *shown_index_ - 1);
        if (clock_.running() && clock_.media_time() - time > interval()) ++stats_.late;
    }
    shown_index_ = index;
    shown_time_ = time;
    if (step_to_ && shown_tick() >= *step_to_) step_to_.reset();
    if (hold_) {
        hold_ = false;
        apply_running();
        if (steps_waiting_ != 0) step(std::exchange(steps_waiting_, 0));
    }
}

void Player::draw() {
    redraw_ = false;
    painter_.draw(window_.size());
    overlay_.draw(overlay_lines(), message_);
}

std::vector<std::string> Player::overlay_lines() {
    if (!show_stats_) return {};
    overlay_next_ = steady_.now() + overlay_period;
    return stats_lines(stats_);
}

void Player::idle() {
    FrameQueue& queue = run_->queue();
    const auto next = queue.next_due();
    if (next && clock_.running()) {
        const auto wait = Nanoseconds(static_cast<int64_t>(
            static_cast<double>((*next - clock_.media_time()).count()) / clock_.speed()));
        if (wait < milliseconds(2))
            std::this_thread::sleep_for(std::max<Nanoseconds>(wait, std::chrono::microseconds(200)));
        else
            window_.wait(std::min(wait - milliseconds(1), longest_wait));
    } else if (next || queue.drained())
        window_.wait(longest_wait);
    else
        queue.wait(longest_wait);
}

// --- time ---

void Player::apply_running() {
    const bool running = !stats_.paused && !hold_;
    window_.keep_awake(running);
    if (running)
        clock_.start();
    else
        clock_.pause();
    if (!audio_) return;
    if (!running) {
        audio_->pause();
        return;
    }
    if (std::exchange(audio_moved_, false)) audio_->seek(clock_.media_time());
    audio_->play();
}

bool Player::seek(Nanoseconds to) {
    if (!seekable_) {
        say("a pipe or live address cannot seek");
        return false;
    }
    if (stats_.length) to = std::min(to, *stats_.length - interval());
    to = std::max(to, Nanoseconds(0));
    target_ = to;
    hold_ = true;
    ended_ = false;
    shown_index_.reset();
    step_to_.reset();
    apply_running();
    clock_.seek(to + past_rounding);
    options_.control->request_seek(rational(to));
    if (run_->done()) start_run();
    run_->queue().expect(to, interval());
    if (audio_) audio_->seek(to);
    audio_moved_ = false;
    return true;
}

void Player::step(int pictures) {
    stats_.paused = true;
    apply_running();
    if (hold_) {
        steps_waiting_ += pictures; // from the picture that is on its way
        return;
    }
    const int64_t from = step_to_ ? *step_to_ : shown_tick();
    const int64_t to = std::max<int64_t>(0, from + pictures);
    const Rational at = Rational(to) / rate_;
    if (pictures < 0) {
        seek(at.nanoseconds());
        return;
    }
    // On a stopped clock the next tick comes when the clock is put there.
    clock_.seek(at.nanoseconds() + past_rounding);
    step_to_ = to;
    audio_moved_ = true;
}

void Player::check_loop_points() {
    if (loop_a_ && loop_b_ && !hold_ && clock_.media_time() >= *loop_b_) seek(*loop_a_);
}

// --- the user ---

void Player::handle(const Action& action) {
    switch (action.command) {
    case Command::quit:
        quit_ = true;
        break;
    case Command::pause:
        stats_.paused = !stats_.paused;
        if (ended_) seek(Nanoseconds(0)); // once more
        apply_running();
        say(stats_.paused ? "pause" : "play");
        break;
    case Command::seek:
        if (seek(position() + action.seconds.nanoseconds())) say(clock_text(target_));
        break;
    case Command::step:
        step(static_cast<int>(action.amount));
        break;
    case Command::speed:
        change_speed(stats_.speed * action.amount);
        break;
    case Command::speed_reset:
        change_speed(1);
        break;
    case Command::mute:
        change_volume(stats_.volume, !stats_.mute);
        break;
    case Command::volume:
        change_volume(stats_.volume + action.amount, stats_.mute);
        break;
    case Command::fullscreen:
        window_.toggle_fullscreen();
        break;
    case Command::screenshot:
        if (painter_.has_picture()) screenshots_.take(painter_.read_picture());
        break;
    case Command::window_shot:
        if (!painter_.has_picture()) break;
        draw();
        screenshots_.take(painter_.read_drawn(window_.size()));
        break;
    case Command::loop_points:
        mark_loop_point();
        break;
    case Command::loop_file:
        loop_ = !loop_;
        say(loop_ ? "loop: on" : "loop: off");
        break;
    case Command::stats:
        show_stats_ = !show_stats_;
        redraw_ = true;
        break;
    case Command::reserved:
        break;
    }
}

void Player::change_speed(double speed) {
    stats_.speed = tidy_speed(speed);
    clock_.set_speed(stats_.speed);
    if (audio_) audio_->set_speed(stats_.speed);
    audio_moved_ = true; // what is mixed already has the old speed
    apply_running();
    say(fmt::format("speed: {:.2f}", stats_.speed));
}

void Player::change_volume(double percent, bool mute) {
    stats_.volume = std::clamp(percent, 0.0, loudest);
    stats_.mute = mute;
    if (audio_) {
        audio_->set_volume(stats_.volume);
        audio_->set_mute(mute);
    }
    say(fmt::format("volume: {:.0f} %{}", stats_.volume, mute ? " (mute)" : ""));
}

void Player::mark_loop_point() {
    if (!loop_a_) {
        loop_a_ = shown_time_;
        say("loop from " + clock_text(*loop_a_));
    } else if (!loop_b_ && shown_time_ > *loop_a_) {
        loop_b_ = shown_time_;
        say("loop to " + clock_text(*loop_b_));
    } else {
        loop_a_.reset();
        loop_b_.reset();
        say("loop: off");
    }
}

void Player::say(const std::string& message) {
    message_ = message;
    message_until_ = steady_.now() + message_time;
    redraw_ = true;
}

void Player::refresh_stats() {
    stats_.position = hold_ ? target_ : shown_time_;
    stats_.av.reset();
    if (audio_ && clock_.running())
        if (const auto heard = audio_->heard()) stats_.av = *heard - clock_.media_time();
    const Nanoseconds now = steady_.now();
    if (now - rate_since_ < rate_period) return;
    const double seconds = static_cast<double>((now - rate_since_).count()) / 1e9;
    stats_.shown_rate = static_cast<double>(stats_.shown - rate_shown_) / seconds;
    rate_since_ = now;
    rate_shown_ = stats_.shown;
}

void Player::print_status() {
    const Nanoseconds now = steady_.now();
    if (now < status_next_) return;
    status_next_ = now + status_period;
    std::fprintf(stderr, "\r\033[K%s", status_line(stats_).c_str());
    std::fflush(stderr);
    printed_ = true;
}

} // namespace

PlayerReport play(const RunFunction& run, std::vector<std::unique_ptr<engine::FrameSink>> others,
                  engine::RunOptions options, const PlayerOptions& player) {
    return Player(run, std::move(others), std::move(options), player).play();
}

PlayerReport run_player(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                        const std::string& prelude, std::vector<std::unique_ptr<engine::FrameSink>> others,
                        const engine::RunOptions& options, const PlayerOptions& player) {
    const auto run = [&](const std::vector<std::unique_ptr<engine::FrameSink>>& sinks,
                         const engine::RunOptions& live) {
        return engine::run(spec, library, prelude, sinks, live);
    };
    return play(run, std::move(others), options, player);
}

} // namespace weft::present
