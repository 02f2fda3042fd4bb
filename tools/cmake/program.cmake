# The program, its data beside it, and what an installation holds. Data is always found at
# <folder of the executable>/../share/weft, so the build tree holds links there and an installed tree can move.
if(EXISTS ${CMAKE_SOURCE_DIR}/src/app/main.cpp)
  target_compile_definitions(weft_app PRIVATE WEFT_VERSION="${PROJECT_VERSION}")
  add_executable(weft ${CMAKE_SOURCE_DIR}/src/app/main.cpp)
  target_link_libraries(weft PRIVATE weft_app)
  install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Manual page and completion are printed by the program itself, so that they cannot disagree with it.
  set(manual ${CMAKE_BINARY_DIR}/manual)
  file(MAKE_DIRECTORY ${manual})
  add_custom_command(OUTPUT ${manual}/weft.1 ${manual}/weft.bash
    COMMAND weft --man > ${manual}/weft.1
    COMMAND weft --completion bash > ${manual}/weft.bash
    DEPENDS weft COMMENT "Writing weft.1 and the bash completion" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${manual}/weft.1 ${manual}/weft.bash)
  install(FILES ${manual}/weft.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${manual}/weft.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME weft)
endif()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/weft)
foreach(folder kernels filters pipelines)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${CMAKE_BINARY_DIR}/share/weft/${folder} SYMBOLIC)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/weft)
endforeach()
# The page that weft profile --html fills in.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/report/page ${CMAKE_BINARY_DIR}/share/weft/report SYMBOLIC)
install(DIRECTORY src/report/page/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/weft/report)
