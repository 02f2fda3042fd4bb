// The ways in which a finished picture gets from the OpenCL device to the window.
#pragma once

#include <string>
#include <vector>

namespace weft::present {

class Window;

enum class InteropPath {
    mapped, // the texture is fed from the kernel's own output memory: devices that share memory with the host
    readback // read back into pinned memory, then through a pixel buffer object
};

std::string name(InteropPath path);

// The paths that carry a known pattern through GL unchanged, best first; one that fails is skipped with a
// line in the log. Errors : device when none works.
std::vector<InteropPath> working_paths(Window& window);

// The best of `working` for a device: `mapped` only where host and device share memory.
InteropPath choose_path(const std::vector<InteropPath>& working, bool shares_host_memory);

// What `weft devices` tells of the display.
struct DisplayInfo {
    std::string renderer;             // OpenGL's
    std::vector<InteropPath> working; // best first
};
// With a window that is never shown. Errors : as Window and working_paths.
DisplayInfo probe_display();

} // namespace weft::present
