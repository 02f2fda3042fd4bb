#include "present/overlay.hpp"

#include <algorithm>

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "base/log.hpp"
#include "present/gl_private.hpp"

namespace weft::present {
namespace {

constexpr float font_points = 13; // the built-in bitmap font's own size
constexpr float margin_points = 8;

constexpr ImGuiWindowFlags box_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                                       ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

} // namespace

struct Overlay::Impl {
    Window& window;
    ImGuiContext* context = nullptr;
    bool works = false;
    float unit = 1; // pixels per point
};

Overlay::Overlay(Window& window) : impl_(std::make_unique<Impl>(Impl{window})) {
    impl_->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(impl_->context);
    impl_->unit = static_cast<float>(std::max(1.0, window.scale()));
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // no file in the user's folder
    io.LogFilename = nullptr;
    ImFontConfig font;
    font.SizePixels = font_points * impl_->unit;
    io.Fonts->AddFontDefault(&font);
    ImGui::StyleColorsDark();
    ImGui::GetStyle().ScaleAllSizes(impl_->unit);
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
    if (!lines.empty()) {
        ImGui::SetNextWindowPos(ImVec2(margin, margin));
        ImGui::SetNextWindowBgAlpha(0.6f);
        ImGui::Begin("statistics", nullptr, box_flags);
        for (const std::string& line : lines)
            ImGui::TextUnformatted(line.data(), line.data() + line.size());
        ImGui::End();
    }
    if (!message.empty()) {
        ImGui::SetNextWindowPos(ImVec2(margin, io.DisplaySize.y - margin), ImGuiCond_Always, ImVec2(0, 1));
        ImGui::SetNextWindowBgAlpha(0.6f);
        ImGui::Begin("message", nullptr, box_flags);
        ImGui::TextUnformatted(message.data(), message.data() + message.size());
        ImGui::End();
    }
    ImGui::Render();
    impl_->window.gl().Viewport(0, 0, size.width, size.height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

} // namespace weft::present
