// Sound at other speeds: the pitch stays, the time goes faster.
#include "media/tempo.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace weft::media {
namespace {

TEST(Tempo, KeepsThePitchAndUsesTheSourceFaster) {
    for (const double speed : {0.3, 0.5, 0.9, 1.1, 2.0, 5.0}) {
        int64_t used = 0;
        Tempo tempo(speed, [&](float* out, size_t frames) {
            for (size_t i = 0; i < frames; ++i, ++used)
                out[2 * i] = out[2 * i + 1] = static_cast<float>(
                    0.5 * std::sin(2 * std::numbers::pi * 440 * static_cast<double>(used) / 48000));
        });
        std::vector<float> sound(2 * 96000);
        tempo.pull(sound.data(), 50000);
        tempo.pull(sound.data() + 2 * 50000, 46000);
        int rising = 0;
        double power = 0;
        for (size_t i = 48000; i < 96000; ++i) { // the second second
            rising += sound[2 * (i - 1)] < 0 && sound[2 * i] >= 0 ? 1 : 0;
            power += sound[2 * i] * sound[2 * i];
            EXPECT_EQ(sound[2 * i], sound[2 * i + 1]);
        }
        EXPECT_NEAR(rising, 440, 5) << speed;
        EXPECT_NEAR(std::sqrt(power / 48000), 0.5 / std::numbers::sqrt2, 0.02) << speed;
        // What was used is what two seconds at this speed are, and what the filter holds ahead.
        EXPECT_NEAR(static_cast<double>(used), 96000 * speed, 8192) << speed;
    }
}

} // namespace
} // namespace weft::media
