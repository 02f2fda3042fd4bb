#include "present/overlay.hpp"

#include <algorithm>
#include <cmath>

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "base/log.hpp"
#include "present/gl_private.hpp"

namespace weft::present {
namespace {

constexpr float font_points = 13; // the built-in bitmap font's own size
constexpr float margin_points = 8;

constexpr ImU32 box_colour = IM_COL32(0, 0, 0, 150);
constexpr ImU32 text_colour = IM_COL32(255, 255, 255, 255);

// Straight onto a draw list: ImGui's own windows stay invisible in the frame in which they appear, and a
// paused player draws only one. `up`: y is the lower edge.
void text_box(const std::string& text, float x, float y, bool up, float padding) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const char* end = text.data() + text.size();
    const ImVec2 size = ImGui::CalcTextSize(text.data(), end);
    const float height = size.y + 2 * padding;
    const float top = up ? y - height : y;
    list->AddRectFilled(ImVec2(x, top), ImVec2(x + size.x + 2 * padding, top + height), box_colour, padding);
    list->AddText(ImVec2(x + padding, top + padding), text_colour, text.data(), end);
}

} // namespace

struct Overlay::Impl {
    Window& window;
    ImGuiContext* context = nullptr;
    bool works = false;
    float unit = 1; // whole pixels per point: the font is made of pixels
};

Overlay::Overlay(Window& window) : impl_(std::make_unique<Impl>(Impl{window})) {
    impl_->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(impl_->context);
    impl_->unit = static_cast<float>(std::max(1.0, std::round(window.scale())));
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // no file in the user's folder
    io.LogFilename = nullptr;
    ImFontConfig font;
    font.SizePixels = std::floor(font_points * impl_->unit);
    io.Fonts->AddFontDefault(&font);
    impl_->works = ImGui_ImplOpenGL3_Init("#version 330 core");
    if (!impl_->works) log("present").warn("no overlay: Dear ImGui cannot use this OpenGL");
}

Overlay::~Overlay() {
    ImGui::SetCurrentContext(impl_->context);
    if (impl_->works) ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(impl_->context);
}

void Overlay::draw(const std::vector<std::string>& lines, const std::string& message) {
    if (!impl_->works || (lines.empty() && message.empty())) return;
    ImGui::SetCurrentContext(impl_->context);
    const PixelSize size = impl_->window.size();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(size.width), static_cast<float>(size.height));
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const float margin = margin_points * impl_->unit;
    const float padding = std::floor(margin / 2);
    std::string block;
    for (const std::string& line : lines)
        block += (block.empty() ? "" : "\n") + line;
    if (!block.empty()) text_box(block, margin, margin, false, padding);
    if (!message.empty()) text_box(message, margin, io.DisplaySize.y - margin, true, padding);
    ImGui::Render();
    impl_->window.gl().Viewport(0, 0, size.width, size.height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

} // namespace weft::present
