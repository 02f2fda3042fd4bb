#include "engine/flights_private.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "gpu/device.hpp"

namespace weft::engine {
namespace {

// A token is the flight's number and what completed: its kernels or one of its pictures.
constexpr uint64_t kinds = 2;
constexpr uint64_t kernels = 0;
constexpr uint64_t picture = 1;

} // namespace

Flights::Flights(const gpu::Device& device) : completions_(device), thread_([this] { work(); }) {}

Flights::~Flights() {
    land();
}

void Flights::launch(Flight flight) {
    auto in_air = std::make_unique<InAir>();
    in_air->flight = std::move(flight);
    in_air->left = in_air->flight.painted.size();
    const cl::Event done = in_air->flight.done;
    std::vector<cl::Event> ready;
    for (const Flight::Painted& painted : in_air->flight.painted)
        ready.push_back(painted.ready);
    uint64_t number = 0;
    {
        const std::lock_guard lock(mutex_);
        number = next_number_++;
        air_.push_back(std::move(in_air));
    }
    for (const cl::Event& event : ready)
        completions_.watch(event, number * kinds + picture);
    completions_.watch(done, number * kinds + kernels);
}

void Flights::wait_landed() {
    std::unique_lock lock(mutex_);
    landed_.wait(lock, [&] { return air_.empty() && !handing_over_; });
}

void Flights::land() {
    completions_.close();
    if (thread_.joinable()) thread_.join();
}

std::exception_ptr Flights::error() const {
    const std::lock_guard lock(mutex_);
    return error_;
}

void Flights::work() noexcept {
    while (const auto completion = completions_.wait())
        complete(completion->token, completion->status);
}

void Flights::complete(uint64_t token, int status) {
    const uint64_t number = token / kinds;
    std::vector<Flight::Read> over;
    {
        const std::lock_guard lock(mutex_);
        if (status < 0 && !error_)
            error_ = std::make_exception_ptr(
                Error(ErrorKind::device, "a command failed on the device: " + gpu::cl_error_name(status)));
        InAir& in_air = *air_.at(number - first_number_);
        if (token % kinds == kernels) {
            in_air.done = true;
            over.swap(in_air.flight.reads);
        } else {
            --in_air.left;
        }
    }
    for (const Flight::Read& read : over)
        if (read.slot != nullptr) read.stream->end_use(*read.slot);
    over.clear();
    deliver();
}

// Pictures go on in the order of ticks, whatever order the driver calls back in.
void Flights::deliver() {
    for (;;) {
        std::unique_ptr<InAir> landed;
        bool good = false;
        {
            const std::lock_guard lock(mutex_);
            handing_over_ = false;
            if (air_.empty() || !air_.front()->done || air_.front()->left > 0) {
                landed_.notify_all();
                return;
            }
            handing_over_ = true;
            landed = std::move(air_.front());
            air_.pop_front();
            ++first_number_;
            good = error_ == nullptr;
        }
        const Flight& flight = landed->flight;
        for (const Flight::Painted& painted : flight.painted) {
            if (good)
                painted.sink->publish(painted.slot, flight.tick, flight.time);
            else
                painted.sink->cancel(painted.slot);
        }
        if (!good) continue;
        if (delivered_.fetch_add(1) == 0) first_delivery_ = SteadyClock().now().count();
    }
}

} // namespace weft::engine
