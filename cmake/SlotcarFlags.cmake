# Compiler and linker settings, the same for every target.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(LIBURING REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(LIBLZF REQUIRED IMPORTED_TARGET liblzf)
if(SLOTCAR_MIMALLOC AND NOT SLOTCAR_SANITIZE)
  find_package(mimalloc REQUIRED)
endif()

function(slotcar_flags TARGET)
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Werror
                         -fno-rtti)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # only the fuzz targets are built with it
    target_compile_options(${TARGET} PRIVATE -Wno-unused-command-line-argument -Wno-error)
  else()
    target_compile_options(${TARGET} PRIVATE -fcoroutines)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64")
    target_compile_options(${TARGET} PRIVATE -march=x86-64-v2)
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
  target_link_options(${TARGET} PRIVATE -fuse-ld=mold)
endfunction()
