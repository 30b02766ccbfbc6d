# slotcar_module(NAME DEPENDS a b): the library of one folder of src/ and of the rooms (subfolders) in
# it, and its unit tests. Fixtures of tests are headers in the room testing/.
# Sources are *.cc; *_test.cc beside them become the test program test_NAME, *_threads_test.cc the
# program test_NAME_threads.
function(slotcar_module NAME)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/src/${NAME}/*.cc ${CMAKE_SOURCE_DIR}/src/${NAME}/*.h
       ${CMAKE_SOURCE_DIR}/src/${NAME}/*/*.cc ${CMAKE_SOURCE_DIR}/src/${NAME}/*/*.h)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  set(compiled ${sources})
  list(FILTER compiled INCLUDE REGEX "\\.cc$")
  if(NOT compiled)
    file(WRITE ${CMAKE_BINARY_DIR}/empty_${NAME}.cc "")
    list(APPEND sources ${CMAKE_BINARY_DIR}/empty_${NAME}.cc)
  endif()
  add_library(slotcar_${NAME} STATIC ${sources})
  slotcar_flags(slotcar_${NAME})
  slotcar_use_precompiled(slotcar_${NAME} slotcar_everyday)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(slotcar_${NAME} PUBLIC slotcar_${dependency})
  endforeach()
  if(NAME STREQUAL "base")
    target_link_libraries(slotcar_base PUBLIC fmt::fmt PkgConfig::XXHASH Threads::Threads)
    if(TARGET mimalloc)
      target_link_libraries(slotcar_base PUBLIC mimalloc)
      target_compile_definitions(slotcar_base PUBLIC SLOTCAR_MIMALLOC=1)
    endif()
  elseif(NAME STREQUAL "runtime")
    target_link_libraries(slotcar_runtime PUBLIC PkgConfig::LIBURING spdlog::spdlog OpenSSL::SSL)
  elseif(NAME STREQUAL "storage")
    target_link_libraries(slotcar_storage PUBLIC PkgConfig::LIBLZF)
  endif()
  if(SLOTCAR_TESTS AND tests)
    set(one_thread "")
    if(NAME MATCHES "^(resp|schema|types|keyspace)$")  # no threads in these by design
      set(one_thread ONE_THREAD)
    endif()
    set(threads_tests ${tests})
    list(FILTER threads_tests INCLUDE REGEX "_threads_test\\.cc$")
    list(FILTER tests EXCLUDE REGEX "_threads_test\\.cc$")
    slotcar_test(test_${NAME} SOURCES ${tests} DEPENDS ${NAME} ${one_thread})
    if(threads_tests)
      slotcar_test(test_${NAME}_threads SOURCES ${threads_tests} DEPENDS ${NAME})
    endif()
  endif()
endfunction()

# slotcar_test(NAME SOURCES ... DEPENDS modules [ONE_THREAD]): a GoogleTest (and RapidCheck)
# program run by ctest. Without ONE_THREAD it bears the label `threads`: those run under the thread
# sanitizer too, the others would only cost time there (target `thread_tests`: the former alone).
add_custom_target(thread_tests)
function(slotcar_test NAME)
  cmake_parse_arguments(ARG "ONE_THREAD" "" "SOURCES;DEPENDS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${NAME} ${ARG_SOURCES})
  slotcar_flags(${NAME})
  # g++ 12 warns of overruns inside std::string that are none once it is precompiled.
  target_compile_options(${NAME} PRIVATE -frtti -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
  if(NOT "client" IN_LIST ARG_DEPENDS)  # its tests have no formatting library
    slotcar_use_precompiled(${NAME} slotcar_everyday_tests)
  endif()
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(${NAME} PRIVATE slotcar_${dependency})
  endforeach()
  target_link_libraries(${NAME} PRIVATE GTest::gtest GTest::gmock GTest::gtest_main rapidcheck)
  set_property(GLOBAL APPEND PROPERTY SLOTCAR_TEST_PROGRAMS ${NAME})
  add_test(NAME ${NAME} COMMAND ${NAME})
  set_tests_properties(${NAME} PROPERTIES TIMEOUT 600)
  if(NOT ARG_ONE_THREAD)
    set_tests_properties(${NAME} PROPERTIES LABELS threads)
    add_dependencies(thread_tests ${NAME})
  endif()
endfunction()

# The commands: one file each under src/commands/GROUP/. The table of all of them is generated
# from the files' own `extern constinit const Command` lines.
function(slotcar_commands)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/commands/*/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  set(table ${CMAKE_BINARY_DIR}/generated/command_table.cc)
  add_custom_command(
    OUTPUT ${table}
    COMMAND ${CMAKE_COMMAND} -DOUT=${table} -DROOT=${CMAKE_SOURCE_DIR}/src/commands
            -P ${CMAKE_SOURCE_DIR}/cmake/command_table.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/cmake/command_table.cmake)
  add_library(slotcar_commands STATIC ${sources} ${table})
  slotcar_flags(slotcar_commands)
  slotcar_use_precompiled(slotcar_commands slotcar_everyday)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(slotcar_commands PUBLIC slotcar_${dependency})
  endforeach()
endfunction()
