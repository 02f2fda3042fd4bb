// A layer between a program and the OpenCL loader that counts every call and writes the counts when the
// process ends. Both common loaders (ocl-icd from 2.3, Khronos) load it:
//
//   OPENCL_LAYERS=libweft_count_layer.so WEFT_COUNT_FILE=counts.json weft render ...
//
//   WEFT_COUNT_FILE : where the counts go, as JSON; without it nothing is written
//   WEFT_COUNT_SKIP : the steady state is what happens between the N-th launch of a kernel and the N-th from
//   the end;
//                     20 when not given
//
//   {"launches": 140, "skip": 20, "steady_launches": 100,
//    "total":    {"clFlush": 602, ...},                calls by name
//    "steady":   {"clFlush": 500, ...},
//    "blocking": {"total": {"clFinish": 2, ...}, "steady": {}},      calls that make their thread wait for
//    the device "objects":  {"event": {"created": 700, "retained": 10, "released": 710, "most": 40}, ...}}
//
// "most" is how many references were held at one time.
//
// Kernels made by clCreateKernelsInProgram and functions fetched by clGetExtensionFunctionAddress are not
// followed.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_layer.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#define WEFT_CALLS(X)                                                                                        \
    X(clGetPlatformIDs)                                                                                      \
    X(clGetPlatformInfo)                                                                                     \
    X(clGetDeviceIDs)                                                                                        \
    X(clGetDeviceInfo)                                                                                       \
    X(clCreateContext)                                                                                       \
    X(clCreateContextFromType)                                                                               \
    X(clRetainContext)                                                                                       \
    X(clReleaseContext)                                                                                      \
    X(clGetContextInfo)                                                                                      \
    X(clCreateCommandQueue)                                                                                  \
    X(clCreateCommandQueueWithProperties)                                                                    \
    X(clRetainCommandQueue)                                                                                  \
    X(clReleaseCommandQueue)                                                                                 \
    X(clGetCommandQueueInfo)                                                                                 \
    X(clCreateBuffer)                                                                                        \
    X(clCreateBufferWithProperties)                                                                          \
    X(clCreateSubBuffer)                                                                                     \
    X(clCreateImage)                                                                                         \
    X(clCreateImage2D)                                                                                       \
    X(clCreateImage3D)                                                                                       \
    X(clCreateImageWithProperties)                                                                           \
    X(clCreateFromGLBuffer)                                                                                  \
    X(clCreateFromGLTexture)                                                                                 \
    X(clCreateFromGLTexture2D)                                                                               \
    X(clCreateFromGLRenderbuffer)                                                                            \
    X(clRetainMemObject)                                                                                     \
    X(clReleaseMemObject)                                                                                    \
    X(clGetMemObjectInfo)                                                                                    \
    X(clGetImageInfo)                                                                                        \
    X(clGetSupportedImageFormats)                                                                            \
    X(clSetMemObjectDestructorCallback)                                                                      \
    X(clCreateSampler)                                                                                       \
    X(clCreateSamplerWithProperties)                                                                         \
    X(clRetainSampler)                                                                                       \
    X(clReleaseSampler)                                                                                      \
    X(clCreateProgramWithSource)                                                                             \
    X(clCreateProgramWithBinary)                                                                             \
    X(clCreateProgramWithIL)                                                                                 \
    X(clRetainProgram)                                                                                       \
    X(clReleaseProgram)                                                                                      \
    X(clBuildProgram)                                                                                        \
    X(clCompileProgram)                                                                                      \
    X(clLinkProgram)                                                                                         \
    X(clGetProgramInfo)                                                                                      \
    X(clGetProgramBuildInfo)                                                                                 \
    X(clCreateKernel)                                                                                        \
    X(clCreateKernelsInProgram)                                                                              \
    X(clCloneKernel)                                                                                         \
    X(clRetainKernel)                                                                                        \
    X(clReleaseKernel)                                                                                       \
    X(clSetKernelArg)                                                                                        \
    X(clSetKernelArgSVMPointer)                                                                              \
    X(clSetKernelExecInfo)                                                                                   \
    X(clGetKernelInfo)                                                                                       \
    X(clGetKernelArgInfo)                                                                                    \
    X(clGetKernelWorkGroupInfo)                                                                              \
    X(clCreateUserEvent)                                                                                     \
    X(clSetUserEventStatus)                                                                                  \
    X(clWaitForEvents)                                                                                       \
    X(clGetEventInfo)                                                                                        \
    X(clSetEventCallback)                                                                                    \
    X(clRetainEvent)                                                                                         \
    X(clReleaseEvent)                                                                                        \
    X(clGetEventProfilingInfo)                                                                               \
    X(clFlush)                                                                                               \
    X(clFinish)                                                                                              \
    X(clEnqueueReadBuffer)                                                                                   \
    X(clEnqueueReadBufferRect)                                                                               \
    X(clEnqueueWriteBuffer)                                                                                  \
    X(clEnqueueWriteBufferRect)                                                                              \
    X(clEnqueueFillBuffer)                                                                                   \
    X(clEnqueueCopyBuffer)                                                                                   \
    X(clEnqueueCopyBufferRect)                                                                               \
    X(clEnqueueReadImage)                                                                                    \
    X(clEnqueueWriteImage)                                                                                   \
    X(clEnqueueFillImage)                                                                                    \
    X(clEnqueueCopyImage)                                                                                    \
    X(clEnqueueCopyImageToBuffer)                                                                            \
    X(clEnqueueCopyBufferToImage)                                                                            \
    X(clEnqueueMapBuffer)                                                                                    \
    X(clEnqueueMapImage)                                                                                     \
    X(clEnqueueUnmapMemObject)                                                                               \
    X(clEnqueueMigrateMemObjects)                                                                            \
    X(clEnqueueNDRangeKernel)                                                                                \
    X(clEnqueueTask)                                                                                         \
    X(clEnqueueNativeKernel)                                                                                 \
    X(clEnqueueMarker)                                                                                       \
    X(clEnqueueWaitForEvents)                                                                                \
    X(clEnqueueBarrier)                                                                                      \
    X(clEnqueueMarkerWithWaitList)                                                                           \
    X(clEnqueueBarrierWithWaitList)                                                                          \
    X(clEnqueueAcquireGLObjects)                                                                             \
    X(clEnqueueReleaseGLObjects)                                                                             \
    X(clSVMAlloc)                                                                                            \
    X(clSVMFree)                                                                                             \
    X(clEnqueueSVMFree)                                                                                      \
    X(clEnqueueSVMMemcpy)                                                                                    \
    X(clEnqueueSVMMemFill)                                                                                   \
    X(clEnqueueSVMMap)                                                                                       \
    X(clEnqueueSVMUnmap)                                                                                     \
    X(clEnqueueSVMMigrateMem)                                                                                \
    X(clGetExtensionFunctionAddress)                                                                         \
    X(clGetExtensionFunctionAddressForPlatform)                                                              \
    X(clGetDeviceAndHostTimer)                                                                               \
    X(clGetHostTimer)                                                                                        \
    X(clUnloadPlatformCompiler)

namespace {

#define WEFT_ENUMERATOR(name) name,
enum class Call : uint8_t { WEFT_CALLS(WEFT_ENUMERATOR) };
#define WEFT_NAME(name) #name,
constexpr std::array<std::string_view, 256> call_names{WEFT_CALLS(WEFT_NAME)};
#define WEFT_ONE(name) +1
constexpr size_t call_count = WEFT_CALLS(WEFT_ONE);
constexpr uint8_t blocks = 0x80; // added to a call in the log
static_assert(call_count <= blocks);

constexpr std::string_view name_of(Call call) {
    return call_names[static_cast<size_t>(call)];
}

// Kinds of counted objects, found by their handles' types.
constexpr std::array<const char*, 7> object_names{"context", "queue", "memory", "program",
                                                  "kernel",  "event", "sampler"};
template<class T>
constexpr int object_of() {
    if constexpr (std::is_same_v<T, cl_context>) return 0;
    if constexpr (std::is_same_v<T, cl_command_queue>) return 1;
    if constexpr (std::is_same_v<T, cl_mem>) return 2;
    if constexpr (std::is_same_v<T, cl_program>) return 3;
    if constexpr (std::is_same_v<T, cl_kernel>) return 4;
    if constexpr (std::is_same_v<T, cl_event>) return 5;
    if constexpr (std::is_same_v<T, cl_sampler>) return 6;
    return -1;
}

struct ObjectCounts {
    uint64_t created = 0, retained = 0, released = 0, most = 0;

    void take(uint64_t& counter) {
        ++counter;
        most = std::max(most, created + retained - released);
    }
};

// Lives until the process is gone: calls may come from threads that outlast main().
struct Counts {
    std::mutex mutex;
    std::vector<uint8_t> log; // every call in the order of their beginnings, a byte each
    std::array<ObjectCounts, object_names.size()> objects;
};
Counts& counts() {
    static auto* const all = new Counts;
    return *all;
}

const cl_icd_dispatch* target = nullptr;
cl_icd_dispatch table{};

// Where the argument that makes a call wait stands; -1: it has none.
constexpr int blocking_argument(Call call) {
    switch (call) {
    case Call::clEnqueueReadBuffer:
    case Call::clEnqueueReadBufferRect:
    case Call::clEnqueueWriteBuffer:
    case Call::clEnqueueWriteBufferRect:
    case Call::clEnqueueReadImage:
    case Call::clEnqueueWriteImage:
    case Call::clEnqueueMapBuffer:
    case Call::clEnqueueMapImage:
        return 2;
    case Call::clEnqueueSVMMemcpy:
    case Call::clEnqueueSVMMap:
        return 1;
    default:
        return -1;
    }
}

template<Call call, class... A>
bool waits(const A&... args) {
    if constexpr (call == Call::clFinish || call == Call::clWaitForEvents) return true;
    if constexpr (blocking_argument(call) >= 0)
        return std::get<static_cast<size_t>(blocking_argument(call))>(std::tie(args...)) == CL_TRUE;
    return false;
}

// Objects that a successful call made, kept or gave back.
template<Call call, class R, class... A>
void count_objects(const R& result, const A&... args) {
    constexpr std::string_view name = name_of(call);
    Counts& all = counts();
    if constexpr (object_of<R>() >= 0) {
        if (result == nullptr) return;
        const std::lock_guard lock(all.mutex);
        ObjectCounts& objects = all.objects[static_cast<size_t>(object_of<R>())];
        objects.take(objects.created);
    } else if constexpr (name.starts_with("clRetain") || name.starts_with("clRelease")) {
        if (result != CL_SUCCESS) return;
        using Handle = std::tuple_element_t<0, std::tuple<A...>>;
        const std::lock_guard lock(all.mutex);
        ObjectCounts& objects = all.objects[static_cast<size_t>(object_of<Handle>())];
        if (name.starts_with("clRetain"))
            objects.take(objects.retained);
        else
            ++objects.released;
    } else if constexpr (name.starts_with("clEnqueue")) {
        // The event of a command is its last argument, the error of a mapping comes after it.
        constexpr bool maps = name.starts_with("clEnqueueMap");
        constexpr size_t at = sizeof...(A) - (maps ? 2 : 1);
        if constexpr (std::is_same_v<std::tuple_element_t<at, std::tuple<A...>>, cl_event*>) {
            const cl_event* const event = std::get<at>(std::tie(args...));
            bool good = false;
            if constexpr (maps)
                good = result != nullptr;
            else
                good = result == CL_SUCCESS;
            if (event == nullptr || !good) return;
            const std::lock_guard lock(all.mutex);
            ObjectCounts& objects = all.objects[static_cast<size_t>(object_of<cl_event>())];
            objects.take(objects.created);
        }
    }
}

template<Call call, auto member>
struct Wrapper;
template<Call call, class R, class... A, R (CL_API_CALL* cl_icd_dispatch::*member)(A...)>
struct Wrapper<call, member> {
    static R CL_API_CALL run(A... args) {
        {
            Counts& all = counts();
            const std::lock_guard lock(all.mutex);
            all.log.push_back(
                static_cast<uint8_t>(static_cast<uint8_t>(call) | (waits<call>(args...) ? blocks : 0)));
        }
        if constexpr (std::is_void_v<R>) {
            (target->*member)(args...);
        } else {
            const R result = (target->*member)(args...);
            count_objects<call, R, A...>(result, args...);
            return result;
        }
    }
};

using Tally = std::array<uint64_t, 256>;

std::string as_json(const Tally& tally, bool blocking) {
    std::string text;
    for (size_t i = 0; i < call_count; ++i) {
        const uint64_t count = blocking ? tally[i | blocks] : tally[i] + tally[i | blocks];
        if (count == 0) continue;
        text += text.empty() ? "\"" : ", \"";
        text += call_names[i];
        text += "\": " + std::to_string(count);
    }
    return "{" + text + "}";
}

std::string as_json(const Counts& all, size_t skip) {
    const auto launch = static_cast<uint8_t>(Call::clEnqueueNDRangeKernel);
    std::vector<size_t> launches;
    Tally total{}, steady{};
    for (size_t i = 0; i < all.log.size(); ++i) {
        ++total[all.log[i]];
        if (all.log[i] == launch) launches.push_back(i);
    }
    size_t steady_launches = 0;
    if (launches.size() > 2 * skip + 1) {
        const size_t from = launches[skip], until = launches[launches.size() - 1 - skip];
        for (size_t i = from; i < until; ++i)
            ++steady[all.log[i]];
        steady_launches = steady[launch];
    }
    std::string text = "{\"launches\": " + std::to_string(launches.size());
    text += ", \"skip\": " + std::to_string(skip);
    text += ", \"steady_launches\": " + std::to_string(steady_launches);
    text += ",\n\"total\": " + as_json(total, false) + ",\n\"steady\": " + as_json(steady, false);
    text += ",\n\"blocking\": {\"total\": " + as_json(total, true) + ", \"steady\": " + as_json(steady, true);
    text += "},\n\"objects\": {";
    for (size_t i = 0; i < all.objects.size(); ++i) {
        const ObjectCounts& o = all.objects[i];
        text += std::string(i ? ",\n  \"" : "\n  \"") + object_names[i] +
                "\": {\"created\": " + std::to_string(o.created) +
                ", \"retained\": " + std::to_string(o.retained) +
                ", \"released\": " + std::to_string(o.released) + ", \"most\": " + std::to_string(o.most) +
                "}";
    }
    return text + "}}\n";
}

[[gnu::destructor]] void write_counts() {
    const char* const file = std::getenv("WEFT_COUNT_FILE");
    if (file == nullptr || target == nullptr) return;
    const char* const skip = std::getenv("WEFT_COUNT_SKIP");
    Counts& all = counts();
    const std::lock_guard lock(all.mutex);
    const std::string text = as_json(all, skip != nullptr ? std::strtoul(skip, nullptr, 10) : 20);
    FILE* const out = std::fopen(file, "w");
    const bool good = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
    if (out == nullptr || std::fclose(out) != 0 || !good) std::perror(file);
}

cl_int give(const void* value, size_t bytes, size_t size, void* to, size_t* size_ret) {
    if (to != nullptr && size < bytes) return CL_INVALID_VALUE;
    if (to != nullptr) std::memcpy(to, value, bytes);
    if (size_ret != nullptr) *size_ret = bytes;
    return CL_SUCCESS;
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param, size_t size,
                                                                         void* value, size_t* size_ret) {
    static constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static constexpr char name[] = "weft call counter";
    if (param == CL_LAYER_API_VERSION) return give(&version, sizeof version, size, value, size_ret);
    if (param == CL_LAYER_NAME) return give(name, sizeof name, size, value, size_ret);
    return CL_INVALID_VALUE;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint entries,
                                                                      const cl_icd_dispatch* next,
                                                                      cl_uint* entries_ret,
                                                                      const cl_icd_dispatch** table_ret) {
    constexpr size_t known = sizeof(cl_icd_dispatch) / sizeof(void*);
    if (next == nullptr || entries_ret == nullptr || table_ret == nullptr || entries < known)
        return CL_INVALID_VALUE;
    target = next;
#define WEFT_ENTRY(name) table.name = Wrapper<Call::name, &cl_icd_dispatch::name>::run;
    WEFT_CALLS(WEFT_ENTRY)
    *entries_ret = known;
    *table_ret = &table;
    return CL_SUCCESS;
}
}
