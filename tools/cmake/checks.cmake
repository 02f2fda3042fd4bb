# Checks of the tree itself, run as tests with the label `tools`.
function(weft_check name)
  add_test(NAME tools.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(tools.${name} PROPERTIES LABELS tools TIMEOUT 600)
endfunction()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
weft_check(layers ${Python3_EXECUTABLE} tools/check_layers)
weft_check(layers_breaches ${Python3_EXECUTABLE} tests/tools/check_layers_test.py)
weft_check(headers ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER} tools/check_headers)
if(TARGET weft)
  weft_check(install tests/tools/install_test.sh ${CMAKE_BINARY_DIR})
endif()

# Releases of clang-format disagree with each other, so only the one that our files are formatted with may judge.
find_program(CLANG_FORMAT clang-format)
if(CLANG_FORMAT)
  execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE clang_format_version)
endif()
if(clang_format_version MATCHES "version 14\\.")
  weft_check(format tools/format --check)
else()
  message(STATUS "clang-format 14 is not here: the tests leave the format unchecked")
endif()
