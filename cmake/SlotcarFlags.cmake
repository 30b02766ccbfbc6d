# Compiler and linker settings, the same for every target.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(LIBURING REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(LIBLZF REQUIRED IMPORTED_TARGET liblzf)
pkg_check_modules(LIBCURL REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.1-c++)
if(SLOTCAR_MIMALLOC AND NOT SLOTCAR_SANITIZE)
  find_package(mimalloc REQUIRED)
endif()

function(slotcar_flags TARGET)
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror
                         -fno-rtti)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # only the fuzz targets are built with it
    target_compile_options(${TARGET} PRIVATE -Wno-unused-command-line-argument -Wno-error)
  else()
    target_compile_options(${TARGET} PRIVATE -fcoroutines -fpch-preprocess)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64")
    target_compile_options(${TARGET} PRIVATE -march=x86-64-v2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
    target_compile_options(${TARGET} PRIVATE -march=armv8-a+crc)
  endif()
  if(SLOTCAR_SANITIZE)
    # Frame pointers only where sanitizers walk stacks: a request makes some 80 calls, and they would
    # cost 8 % of its instructions. (gdb and `perf record --call-graph dwarf` do without.)
    target_compile_options(${TARGET} PRIVATE -fsanitize=${SLOTCAR_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # vptr checks need RTTI, which the sources do without.
    if(SLOTCAR_SANITIZE MATCHES "undefined")
      target_compile_options(${TARGET} PRIVATE -fno-sanitize=vptr)
    endif()
    target_link_options(${TARGET} PRIVATE -fsanitize=${SLOTCAR_SANITIZE})
    target_compile_definitions(${TARGET} PRIVATE SLOTCAR_SANITIZED=1)
  endif()
  target_include_directories(${TARGET} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  if(NOT CMAKE_CROSSCOMPILING)  # a cross compiler does not find it
    target_link_options(${TARGET} PRIVATE -fuse-ld=mold)
  endif()
endfunction()

# Two precompiled headers of what nearly every file includes from elsewhere: most of the time that a
# file takes to compile goes into these. One for the modules, one for tests, which have RTTI. None
# for clang, which builds the fuzz targets only. Each file still includes what it uses.
function(slotcar_precompiled NAME)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/${NAME}.cc "")
  add_library(${NAME} OBJECT ${CMAKE_BINARY_DIR}/${NAME}.cc)
  slotcar_flags(${NAME})
  target_compile_options(${NAME} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${NAME} PRIVATE ${ARG_LIBRARIES})
  list(TRANSFORM ARG_HEADERS REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${NAME} PRIVATE ${ARG_HEADERS})
endfunction()

function(slotcar_use_precompiled TARGET NAME)
  if(TARGET ${NAME})
    target_precompile_headers(${TARGET} REUSE_FROM ${NAME})
  endif()
endfunction()

set(slotcar_everyday_headers
    algorithm array atomic bit charconv chrono cmath coroutine cstddef cstdint cstring deque functional
    limits map memory mutex new optional set span string string_view unordered_map utility vector
    fmt/format.h)
slotcar_precompiled(slotcar_everyday HEADERS ${slotcar_everyday_headers}
                    LIBRARIES fmt::fmt Threads::Threads)
if(SLOTCAR_TESTS)
  find_package(GTest REQUIRED)
  slotcar_precompiled(slotcar_everyday_tests OPTIONS -frtti
                      HEADERS ${slotcar_everyday_headers} random gtest/gtest.h rapidcheck/gtest.h
                      LIBRARIES fmt::fmt Threads::Threads GTest::gtest rapidcheck)
endif()
