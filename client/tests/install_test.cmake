# Installs everything into a folder of its own, runs the installed programs and builds a program
# with the installed client library:
#   cmake -DBUILD=build/release -DCONSUMER=client/tests/consumer -DWORK=folder -P install_test.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
foreach(program slotcar-server slotcar-check slotcar-bench)
  run(${WORK}/prefix/bin/${program} --help)
  if(NOT EXISTS ${WORK}/prefix/share/man/man1/${program}.1)
    message(FATAL_ERROR "the man page of ${program} was not installed")
  endif()
endforeach()
run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${WORK}/build -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
# The same program without CMake.
file(GLOB_RECURSE pc ${WORK}/prefix/slotcar-client.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
run(sh -c "PKG_CONFIG_PATH=${pc_folder} c++ ${CONSUMER}/main.cc -o ${WORK}/plain \
$(PKG_CONFIG_PATH=${pc_folder} pkg-config --cflags --libs slotcar-client)")
run(${WORK}/plain)
# Components: the client is the only one.
file(WRITE ${WORK}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES CXX)
find_package(slotcar QUIET COMPONENTS nonsense)
if(slotcar_FOUND)
  message(FATAL_ERROR \"there is no such component\")
endif()
")
run(${CMAKE_COMMAND} -G Ninja -S ${WORK}/wrong -B ${WORK}/wrong/build -DCMAKE_PREFIX_PATH=${WORK}/prefix)
message("PASS 1 FAIL 0")
