# The program, its data beside it, and what an installation holds. Data is always found at
# <folder of the executable>/../share/weft, so the build tree holds links there and an installed tree can move.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/app/main.cpp)
  get_target_property(app_sources weft_app SOURCES)
  add_executable(weft ${CMAKE_SOURCE_DIR}/src/app/main.cpp)
  target_link_libraries(weft PRIVATE weft_app)
  install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/weft)
foreach(folder kernels filters pipelines)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_BINARY_DIR}/share/weft/${folder} SYMBOLIC)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/weft)
endforeach()
