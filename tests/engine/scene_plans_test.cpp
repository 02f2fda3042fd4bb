// Plans for what streams have become, built beside the one that is running.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/scene_plans_private.hpp"
#include "engine_clips.hpp"
#include "support/plan_rig.hpp"

namespace weft::engine {
namespace {

class ScenePlansTest : public testing::Test {
  protected:
    ScenePlansTest() {
        const auto devices = gpu::list_devices();
        device_.emplace(devices.at(gpu::choose_device(devices, "").index));
        graph::TimelineScene scene;
        scene.scene = test::empty_scene(test::yuv420(), 64, 32);
        scene.scene.streams = {planned_, planned_};
        for (int i = 0; i < 2; ++i) {
            graph::SceneLayer layer;
            layer.x = 32.0 * i;
            layer.w = layer.h = 32;
            layer.picture.clip.stream = i;
            if (i == 0)
                layer.picture.clip.filters = {test::picture_filter("crop", {{"w", "48"}, {"h", "48"}})};
            scene.scene.layers.push_back(layer);
        }
        scene.streams = {0, 1};
        timeline_.scenes.push_back(scene);
        graph::PlannerOptions options;
        options.prelude = test::prelude();
        plans_.emplace(timeline_, device_->traits(), options);
        plans_->load(*device_, nullptr);
    }
    SceneNow now() const { return {0, {&planned_, &planned_}, {false, false}, {false, false}}; }

    colour::PictureFormat planned_ = test::format_of(test::yuv420(), 64, 64);
    colour::PictureFormat other_ = test::format_of(test::yuv420(), 96, 48);
    std::optional<gpu::Device> device_;
    graph::Timeline timeline_;
    std::optional<ScenePlans> plans_;
};

TEST_F(ScenePlansTest, WhatChangesIsBuiltWithoutHoldingUpWhatRuns) {
    PlanRunner* const running = plans_->find(now());
    ASSERT_NE(running, nullptr);
    SceneNow resized = now(), hidden = now(), fields = now();
    resized.formats[1] = &other_;
    hidden.hidden[0] = true;
    fields.fields[1] = true;
    for (const SceneNow& changed : {resized, hidden, fields}) {
        EXPECT_EQ(plans_->find(changed), nullptr); // nobody asked for it
        plans_->start(changed);
        EXPECT_EQ(plans_->find(now()), running);
        PlanRunner& built = plans_->wait_for(changed);
        EXPECT_NE(&built, running);
        EXPECT_EQ(plans_->find(changed), &built);
        EXPECT_EQ(plans_->find(now()), running);
    }
}

TEST_F(ScenePlansTest, WhatCannotBePlannedIsToldAndNotTriedAgain) {
    // Smaller than what is cropped out of it.
    const colour::PictureFormat impossible = test::format_of(test::yuv420(), 32, 32);
    SceneNow changed = now();
    changed.formats[0] = &impossible;
    plans_->start(changed);
    EXPECT_THROW(plans_->wait_for(changed), std::exception);
    plans_->start(changed);
    EXPECT_EQ(plans_->find(changed), nullptr);
    EXPECT_THROW(plans_->wait_for(changed), Error);
    EXPECT_NE(plans_->find(now()), nullptr);
}

} // namespace
} // namespace weft::engine
