// weft devices: every OpenCL device, which one is used, and why.
#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/text.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "engine/run.hpp"
#include "engine/tuned_files.hpp"
#include "gpu/device.hpp"
#include "gpu/upload.hpp"
#include "present/interop.hpp"

namespace weft::app {
namespace {

struct DevicesOptions {
    std::string device;
    bool json = false;
};

std::string kind_name(DeviceKind kind) {
    switch (kind) {
    case DeviceKind::cpu:
        return "cpu";
    case DeviceKind::gpu:
        return "gpu";
    case DeviceKind::other:
        return "other";
    }
    return "";
}

// The upload path that a run would use, or why there is none. Opens the device and measures.
std::string upload_text(const gpu::DeviceInfo& info, const graph::Tuned& tuned) {
    try {
        gpu::Device device(info);
        return gpu::name(gpu::choose_upload_path(device, engine::settled({}, tuned).upload));
    } catch (const Error& e) {
        return std::string("none: ") + describe(e);
    }
}

// How pictures of this device would reach a window: "mapped (llvmpipe)"; or why there is none.
std::string display_text(const DeviceTraits& traits) {
    const auto set = [](const char* variable) {
        const char* value = std::getenv(variable);
        return value != nullptr && *value != '\0';
    };
    if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) return "none: neither DISPLAY nor WAYLAND_DISPLAY is set";
    try {
        const present::DisplayInfo display = present::probe_display();
        const auto path = present::choose_path(display.working, traits.shares_host_memory);
        return present::name(path) + " (" + display.renderer + ")";
    } catch (const Error& e) {
        return std::string("none: ") + describe(e);
    }
}

graph::Tuned tuned_of(const gpu::DeviceInfo& info) {
    return engine::TunedFiles::of_user().load(info).value_or(graph::Tuned{});
}

std::string tuned_text(const graph::Tuned& tuned) {
    if (tuned.empty()) return "no, everything goes by rule (weft tune measures)";
    const auto better = std::count_if(tuned.shapes.begin(), tuned.shapes.end(),
                                      [](const auto& entry) { return entry.second.shape != graph::Shape{}; });
    return fmt::format("{} kind{} of work, {} other than by rule (weft tune --show)", tuned.shapes.size(),
                       tuned.shapes.size() == 1 ? "" : "s", better);
}

std::string device_text(const gpu::DeviceInfo& info, size_t index,
                        const std::optional<gpu::DeviceChoice>& choice) {
    const DeviceTraits& traits = info.traits;
    const bool used = choice && choice->index == index;
    std::string out = fmt::format("{} {}  {}.{}  {}  {}\n", used ? '*' : ' ', index, info.platform,
                                  info.device, kind_name(traits.kind), traits.name);
    const auto line = [&](const std::string& text) { out += "       " + text + "\n"; };
    line(fmt::format("{}, {}, driver {}", info.platform_name, info.version, info.driver));
    line(fmt::format("{} units, vector width {}, groups up to {}, local memory {}", traits.compute_units,
                     traits.vector_width, traits.max_group_size,
                     byte_size(static_cast<double>(traits.local_bytes))));
    line(fmt::format("memory {}, largest block {}{}", byte_size(static_cast<double>(traits.global_bytes)),
                     byte_size(static_cast<double>(traits.max_alloc_bytes)),
                     traits.shares_host_memory ? ", shared with the host" : ""));
    if (used) {
        line("used: " + choice->why);
        const graph::Tuned tuned = tuned_of(info);
        line("tuned: " + tuned_text(tuned));
        line("upload path: " + upload_text(info, tuned));
        line("display path: " + display_text(traits));
    }
    if (!info.usable) line("not usable: " + info.why_not);
    return out;
}

nlohmann::ordered_json device_json(const gpu::DeviceInfo& info, size_t index,
                                   const std::optional<gpu::DeviceChoice>& choice) {
    const DeviceTraits& traits = info.traits;
    const bool used = choice && choice->index == index;
    nlohmann::ordered_json out{{"index", index},
                               {"id", fmt::format("{}.{}", info.platform, info.device)},
                               {"name", traits.name},
                               {"kind", kind_name(traits.kind)},
                               {"platform", info.platform_name},
                               {"vendor", info.vendor},
                               {"driver", info.driver},
                               {"version", info.version},
                               {"usable", info.usable},
                               {"used", used},
                               {"compute_units", traits.compute_units},
                               {"vector_width", traits.vector_width},
                               {"max_group_size", traits.max_group_size},
                               {"local_bytes", traits.local_bytes},
                               {"global_bytes", traits.global_bytes},
                               {"max_alloc_bytes", traits.max_alloc_bytes},
                               {"shares_host_memory", traits.shares_host_memory}};
    if (used) {
        out["why"] = choice->why;
        const graph::Tuned tuned = tuned_of(info);
        out["tuned"] = tuned.shapes.size();
        out["upload"] = upload_text(info, tuned);
        out["display"] = display_text(traits);
    }
    if (!info.usable) out["why_not"] = info.why_not;
    return out;
}

int devices(const DevicesOptions& options) {
    const std::vector<gpu::DeviceInfo> all = gpu::list_devices();
    std::optional<gpu::DeviceChoice> choice;
    std::exception_ptr refusal;
    try {
        choice = gpu::choose_device(all, options.device);
    } catch (const Error&) {
        refusal = std::current_exception(); // the list helps to see why, so it is printed first
    }
    if (options.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (size_t i = 0; i < all.size(); ++i)
            list.push_back(device_json(all[i], i, choice));
        print(list.dump(2) + "\n");
    } else {
        std::string out;
        for (size_t i = 0; i < all.size(); ++i)
            out += device_text(all[i], i, choice);
        print(out);
    }
    if (refusal) std::rethrow_exception(refusal);
    return 0;
}

} // namespace

void add_devices(CLI::App& program, Session& session) {
    auto* command = program.add_subcommand("devices", "List the OpenCL devices and say which one is used");
    auto options = std::make_shared<DevicesOptions>();
    command->add_option("--device", options->device, "Which one would be used for this --device")
        ->option_text("NAME");
    command->add_flag("--json", options->json, "As JSON");
    add_common_options(*command, session.common);
    command->footer(
        "A device is named by its number, by PLATFORM.DEVICE or by a part of its name.\n\n"
        "Examples:\n  weft devices\n  weft devices --device nvidia\n  weft devices --json | jq '.[].name'");
    command->callback([&session, options] { session.run = [options] { return devices(*options); }; });
}

} // namespace weft::app
