# Every third-party library, found once. Versions: Debian 12 and 13, Ubuntu 24.04.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp) # before yaml-cpp 0.8 the target had no namespace
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
pkg_check_modules(FFMPEG REQUIRED IMPORTED_TARGET libavformat>=59 libavcodec>=59 libavfilter>=8
                  libavutil>=57 libswscale>=6 libswresample>=4)
pkg_check_modules(OPENCL REQUIRED IMPORTED_TARGET OpenCL)
pkg_check_modules(SDL2 REQUIRED IMPORTED_TARGET sdl2)
pkg_check_modules(IMGUI REQUIRED IMPORTED_TARGET imgui) # libimgui-dev, with its OpenGL 3 backend
# Only for what weft bench convolution runs beside its kernels.
find_package(OpenMP COMPONENTS CXX)
if(WEFT_OPENCV)
  find_package(OpenCV REQUIRED COMPONENTS core imgproc)
endif()
