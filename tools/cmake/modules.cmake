# weft_module(NAME DEPENDS ... PRIVATE ...): one static library from src/NAME. PRIVATE third parties stay
# behind the module's headers.
set(WEFT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-qual -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND WEFT_WARNINGS -Wno-restrict) # false alarms in joined strings, https://gcc.gnu.org/PR105651
endif()

add_library(weft_options INTERFACE)
target_compile_options(weft_options INTERFACE ${WEFT_WARNINGS})
target_include_directories(weft_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(weft_options INTERFACE
  CL_TARGET_OPENCL_VERSION=300 CL_HPP_TARGET_OPENCL_VERSION=300 CL_HPP_MINIMUM_OPENCL_VERSION=110
  CL_HPP_ENABLE_EXCEPTIONS)
if(WEFT_SANITIZE)
  target_compile_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer)
  target_compile_definitions(weft_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE})
endif()

function(weft_module name)
  cmake_parse_arguments(M "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "app/main.cpp$") # the program itself; the rest of app is a library for tests
  if(NOT sources)
    add_library(weft_${name} INTERFACE)
    target_link_libraries(weft_${name} INTERFACE weft_options ${M_DEPENDS})
    return()
  endif()
  add_library(weft_${name} STATIC ${sources})
  target_link_libraries(weft_${name} PUBLIC weft_options ${M_DEPENDS} PRIVATE ${M_PRIVATE})
endfunction()
