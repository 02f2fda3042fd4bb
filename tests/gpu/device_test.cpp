#include "gpu/device.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/device.hpp"

namespace weft::gpu {
namespace {

DeviceInfo made(const std::string& name, DeviceKind kind, int units, int platform, int number) {
    DeviceInfo info;
    info.platform = platform;
    info.device = number;
    info.platform_name = "Maker " + std::to_string(platform);
    info.traits.name = name;
    info.traits.kind = kind;
    info.traits.compute_units = units;
    info.usable = true;
    return info;
}

std::vector<DeviceInfo> house() {
    return {made("pthread-cpu", DeviceKind::cpu, 64, 0, 0), made("Small GPU", DeviceKind::gpu, 8, 1, 0),
            made("Big GPU", DeviceKind::gpu, 80, 1, 1)};
}

TEST(ChooseDevice, PrefersTheBiggestGpuToAnyCpu) {
    EXPECT_EQ(choose_device(house(), "").index, 2u);
}

TEST(ChooseDevice, TakesTheCpuWhenNoGpuIsUsable) {
    auto devices = house();
    devices[1].usable = devices[2].usable = false;
    EXPECT_EQ(choose_device(devices, "").index, 0u);
}

TEST(ChooseDevice, UnderstandsNumberPairAndPartOfTheName) {
    EXPECT_EQ(choose_device(house(), "1").index, 1u);
    EXPECT_EQ(choose_device(house(), "1.1").index, 2u);
    EXPECT_EQ(choose_device(house(), "small").index, 1u);
    EXPECT_EQ(choose_device(house(), "PTHREAD").index, 0u);
    EXPECT_EQ(choose_device(house(), "maker 1").index, 1u);
}

TEST(ChooseDevice, SaysWhatThereIsWhenTheNameIsUnknown) {
    try {
        choose_device(house(), "radeon");
        FAIL() << "an unknown device was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("radeon"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("Big GPU"), std::string::npos);
    }
}

TEST(ChooseDevice, RefusesANamedDeviceThatIsNotUsable) {
    auto devices = house();
    devices[2].usable = false;
    devices[2].why_not = "needs OpenCL 1.2, has 1.1";
    try {
        choose_device(devices, "big");
        FAIL() << "an unusable device was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(std::string(error.what()).find("has 1.1"), std::string::npos);
    }
}

TEST(ChooseDevice, NoPlatformAtAllIsOneClearError) {
    try {
        choose_device({}, "");
        FAIL() << "chose a device out of none";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(std::string(error.what()).find("no OpenCL device"), std::string::npos);
    }
}

TEST(Device, TellsLimitsThatAnyDeviceOfOpenCl12Has) {
    const DeviceTraits& traits = test::device().traits();
    EXPECT_FALSE(traits.name.empty());
    EXPECT_GE(traits.compute_units, 1);
    EXPECT_GE(traits.vector_width, 1);
    EXPECT_GE(traits.max_parameter_bytes, 1024u); // OpenCL 1.2, table 4.3
    EXPECT_GE(traits.max_constant_bytes, 65536u);
    EXPECT_GE(traits.local_bytes, 32768u);
}

TEST(Device, ErrorNamesCarryNameAndCode) {
    EXPECT_EQ(cl_error_name(CL_BUILD_PROGRAM_FAILURE), "CL_BUILD_PROGRAM_FAILURE (-11)");
    EXPECT_EQ(cl_error_name(-54), "CL_INVALID_WORK_GROUP_SIZE (-54)");
    EXPECT_NE(cl_error_name(-123456).find("-123456"), std::string::npos);
}

} // namespace
} // namespace weft::gpu
