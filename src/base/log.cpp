#include "base/log.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace weft {
namespace {

std::atomic<void (*)(std::string_view)> tap{nullptr};

class TapSink : public spdlog::sinks::base_sink<std::mutex> {
    void sink_it_(const spdlog::details::log_msg& msg) override {
        if (auto* write = tap.load()) {
            spdlog::memory_buf_t buffer;
            formatter_->format(msg, buffer);
            write({buffer.data(), buffer.size()});
        }
    }
    void flush_() override {}
};

struct Loggers {
    std::mutex mutex;
    spdlog::level::level_enum level = spdlog::level::warn;
    std::shared_ptr<spdlog::sinks::sink> err = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    std::shared_ptr<spdlog::sinks::sink> tapped = std::make_shared<TapSink>();
    std::map<std::string, std::unique_ptr<spdlog::logger>, std::less<>> by_area;
};

Loggers& loggers() {
    // Never destroyed: threads of third-party libraries may still log while the process ends.
    static auto* all = new Loggers;
    return *all;
}

} // namespace

spdlog::logger& log(std::string_view area) {
    Loggers& all = loggers();
    const std::lock_guard lock(all.mutex);
    auto found = all.by_area.find(area);
    if (found == all.by_area.end()) {
        auto logger =
            std::make_unique<spdlog::logger>(std::string(area), spdlog::sinks_init_list{all.err, all.tapped});
        logger->set_pattern("%l: %n: %v");
        logger->set_level(all.level);
        found = all.by_area.emplace(std::string(area), std::move(logger)).first;
    }
    return *found->second;
}

void set_log_level(spdlog::level::level_enum level) {
    Loggers& all = loggers();
    const std::lock_guard lock(all.mutex);
    all.level = level;
    for (auto& [area, logger] : all.by_area)
        logger->set_level(level);
}

void set_log_tap(void (*write)(std::string_view line)) {
    tap = write;
}

} // namespace weft
