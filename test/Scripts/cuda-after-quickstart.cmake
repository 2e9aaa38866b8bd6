# A build folder that was configured without CUDA, as scripts/quickstart leaves
# one, has the CUDA backend once scripts/setup --cuda has put packages there; a
# package of files with the right names stands for them. And what the user asks
# for with TE_ENABLE_CUDA is what happens.
set(work "${CMAKE_CURRENT_BINARY_DIR}/cuda-after-quickstart")
file(REMOVE_RECURSE "${work}")
file(WRITE "${work}/source/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.25)
project(FindsCUDA LANGUAGES NONE)
include(\"${SOURCE}/cmake/FindCUDAForTE.cmake\")
")

# configure(<what to expect> <words of the command>...): TE_CUDA_BACKEND, or
# FAILS.
function(configure expected)
  # Not what this machine may have installed.
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${work}/source" -B "${work}/build"
            "-DCMAKE_MAKE_PROGRAM=${MAKE}"
            -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
            -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(found FAILS)
  if(code EQUAL 0)
    file(STRINGS "${work}/build/CMakeCache.txt" found REGEX "^TE_CUDA_BACKEND:")
    string(REGEX REPLACE "^.*=" "" found "${found}")
  endif()
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "expected ${expected}, found ${found}: ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

configure(OFF)
if(NOT output MATCHES "left out, missing .*scripts/setup --cuda")
  message(FATAL_ERROR "not said what is missing:\n${output}")
endif()
configure(FAILS -DTE_ENABLE_CUDA=ON)
configure(OFF -DTE_ENABLE_CUDA=AUTO)

set(root "${work}/build/cuda-packages/nvidia/cu13")
foreach(name cuda_runtime.h cublasLt.h cudnn.h cudnn_frontend.h)
  file(WRITE "${root}/include/${name}" "")
endforeach()
foreach(name libcudart_static.a libcublasLt.so.13 libcudnn.so.9 libnvrtc.so.13)
  file(WRITE "${root}/lib/${name}" "")
endforeach()
file(WRITE "${root}/bin/nvcc" "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n")
file(CHMOD "${root}/bin/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

configure(ON)
configure(OFF -DTE_ENABLE_CUDA=OFF)
configure(OFF)
if(NOT output MATCHES "TE_ENABLE_CUDA is OFF")
  message(FATAL_ERROR "not said why:\n${output}")
endif()
configure(ON -DTE_ENABLE_CUDA=AUTO)
