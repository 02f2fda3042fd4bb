#include "present/screenshots.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "media/writer.hpp"

namespace weft::present {
namespace {

// For the writer a percent sign begins a number.
std::string literal_target(const std::filesystem::path& file) {
    std::string text;
    for (const char c : file.string()) {
        text += c;
        if (c == '%') text += '%';
    }
    return text;
}

} // namespace

void write_png(const std::filesystem::path& file, const OwnedPicture& picture) {
    media::OutputSettings settings;
    settings.target = literal_target(file);
    settings.format = "png";
    settings.pixel_format = "rgba";
    colour::PictureFormat format;
    format.width = picture.width;
    format.height = picture.height;
    format.pixels = colour::pixel_format("rgba");
    format.colour = colour::resolve({}, format.pixels, format.width, format.height);
    const auto writer = media::open_writer(settings, format);
    colour::HostPlanes planes;
    planes.data[0] = picture.pixels.data();
    planes.pitch[0] = 4 * picture.width;
    writer->write_video(planes, 0, [] {});
    writer->finish();
}

std::filesystem::path Screenshots::take(OwnedPicture picture) {
    std::filesystem::path file;
    std::error_code ignored; // a folder that cannot be read shows when the file is written
    do
        file = folder_ / fmt::format("weft-{:04}.png", ++last_number_);
    while (std::filesystem::exists(file, ignored));
    writing_.push_back(std::async(std::launch::async, [file, shot = std::move(picture)] {
        try {
            write_png(file, shot);
            return "screenshot " + file.filename().string();
        } catch (const std::exception& error) {
            return "screenshot failed: " + describe(error);
        }
    }));
    return file;
}

std::vector<std::string> Screenshots::news() {
    std::vector<std::string> lines;
    std::erase_if(writing_, [&](std::future<std::string>& one) {
        if (one.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
        lines.push_back(one.get());
        return true;
    });
    return lines;
}

} // namespace weft::present
