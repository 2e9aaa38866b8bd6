# The CUDA toolkit: an installed one, or NVIDIA's Python packages in a folder
# of the build tree (scripts/setup --cuda). cudnn-frontend, which is headers
# only, comes from there in either case.
#
# Sets TE_CUDA_BACKEND to whether the CUDA backend is built, and says why if it
# is not. That is asked anew whenever CMake runs, so that a toolkit that was
# installed since is used; it stands in the cache for scripts alone.
set(TE_ENABLE_CUDA AUTO CACHE STRING
    "Build the CUDA backend: ON, OFF, or AUTO, where CUDA is found")
set_property(CACHE TE_ENABLE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(TE_CUDA_MINIMUM 12.8)
set(TE_CUDA_PACKAGES "${PROJECT_BINARY_DIR}/cuda-packages" CACHE PATH
    "Where scripts/setup --cuda has put NVIDIA's packages")

# A package's files lie in nvidia/<cu13 or its own name>/{bin,include,lib}.
file(GLOB te_cuda_package_roots "${TE_CUDA_PACKAGES}/nvidia/*")
find_program(TE_NVCC nvcc
  HINTS /usr/local/cuda/bin PATHS ${te_cuda_package_roots} PATH_SUFFIXES bin)
set(te_cuda_roots ${te_cuda_package_roots})
if(TE_NVCC)
  get_filename_component(te_nvcc_real "${TE_NVCC}" REALPATH)
  get_filename_component(te_nvcc_root "${te_nvcc_real}/../.." ABSOLUTE)
  list(PREPEND te_cuda_roots "${te_nvcc_root}")
endif()

find_path(TE_CUDART_INCLUDE_DIR cuda_runtime.h
  HINTS ${te_cuda_roots} PATH_SUFFIXES include)
find_library(TE_CUDART_LIBRARY cudart_static
  HINTS ${te_cuda_roots} PATH_SUFFIXES lib64 lib)
find_path(TE_CUBLASLT_INCLUDE_DIR cublasLt.h
  HINTS ${te_cuda_roots} PATH_SUFFIXES include)
# The packages have the library under its versioned name alone.
find_library(TE_CUBLASLT_LIBRARY
  NAMES cublasLt libcublasLt.so.13 libcublasLt.so.12 NAMES_PER_DIR
  HINTS ${te_cuda_roots} PATH_SUFFIXES lib64 lib)
find_path(TE_CUDNN_INCLUDE_DIR cudnn.h
  HINTS ${te_cuda_roots} PATH_SUFFIXES include)
find_library(TE_CUDNN_LIBRARY
  NAMES cudnn libcudnn.so.9 NAMES_PER_DIR
  HINTS ${te_cuda_roots} PATH_SUFFIXES lib64 lib)
# cudnn-frontend calls it.
find_library(TE_NVRTC_LIBRARY
  NAMES nvrtc libnvrtc.so.13 libnvrtc.so.12 NAMES_PER_DIR
  HINTS ${te_cuda_roots} PATH_SUFFIXES lib64 lib)
find_path(TE_CUDNN_FRONTEND_INCLUDE_DIR cudnn_frontend.h
  HINTS "${TE_CUDA_PACKAGES}" ${te_cuda_roots} PATH_SUFFIXES include)

# Connects several GPUs; nothing else needs it.
find_path(TE_NCCL_INCLUDE_DIR nccl.h
  HINTS ${te_cuda_roots} PATH_SUFFIXES include)
find_library(TE_NCCL_LIBRARY
  NAMES nccl libnccl.so.2 NAMES_PER_DIR
  HINTS ${te_cuda_roots} PATH_SUFFIXES lib64 lib)

set(te_cuda_missing "")
foreach(pair "TE_NVCC=nvcc" "TE_CUDART_INCLUDE_DIR=cuda_runtime.h"
             "TE_CUDART_LIBRARY=libcudart_static" "TE_CUBLASLT_INCLUDE_DIR=cublasLt.h"
             "TE_CUBLASLT_LIBRARY=libcublasLt" "TE_CUDNN_INCLUDE_DIR=cudnn.h"
             "TE_CUDNN_LIBRARY=libcudnn" "TE_NVRTC_LIBRARY=libnvrtc"
             "TE_CUDNN_FRONTEND_INCLUDE_DIR=cudnn_frontend.h")
  string(REGEX MATCH "^([^=]+)=(.+)$" pair "${pair}")
  if(NOT ${CMAKE_MATCH_1})
    list(APPEND te_cuda_missing "${CMAKE_MATCH_2}")
  endif()
endforeach()
if(TE_NVCC AND NOT te_cuda_missing)
  execute_process(COMMAND "${TE_NVCC}" --version OUTPUT_VARIABLE te_nvcc_text)
  string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" te_nvcc_text "${te_nvcc_text}")
  set(TE_CUDA_VERSION "${CMAKE_MATCH_1}")
  if(NOT TE_CUDA_VERSION)
    list(APPEND te_cuda_missing "an nvcc that runs (${TE_NVCC} does not say its version)")
  elseif(TE_CUDA_VERSION VERSION_LESS TE_CUDA_MINIMUM)
    list(APPEND te_cuda_missing
         "a toolkit of at least ${TE_CUDA_MINIMUM} (${TE_NVCC} is ${TE_CUDA_VERSION})")
  endif()
endif()

set(te_cuda_reason "")
if(NOT TE_ENABLE_CUDA)
  set(te_cuda_reason "because TE_ENABLE_CUDA is OFF (-DTE_ENABLE_CUDA=AUTO builds it where CUDA is found)")
elseif(TE_SANITIZE)
  set(te_cuda_reason "because sanitizers do not reach device code")
elseif(te_cuda_missing)
  list(JOIN te_cuda_missing ", " te_cuda_missing)
  set(te_cuda_reason "missing ${te_cuda_missing} (scripts/setup --cuda fetches it)")
endif()
if(NOT te_cuda_reason)
  set(te_cuda_backend ON)
  # CMake names no folder of the build tree in a RUNPATH that is for installed
  # programs, too.
  foreach(library "${TE_CUBLASLT_LIBRARY}" "${TE_CUDNN_LIBRARY}"
                  "${TE_NVRTC_LIBRARY}" "${TE_NCCL_LIBRARY}")
    get_filename_component(folder "${library}" DIRECTORY)
    file(RELATIVE_PATH folder "${PROJECT_BINARY_DIR}" "${folder}")
    if(library AND NOT folder MATCHES "^\\.\\.")
      list(APPEND CMAKE_INSTALL_RPATH "$ORIGIN/../${folder}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES CMAKE_INSTALL_RPATH)
  message(STATUS "CUDA backend: CUDA ${TE_CUDA_VERSION} in ${te_nvcc_root}")
  if(TE_NCCL_INCLUDE_DIR AND TE_NCCL_LIBRARY)
    message(STATUS "Several GPUs: NCCL in ${TE_NCCL_LIBRARY}")
  else()
    message(STATUS "Several GPUs: left out, missing NCCL's nccl.h or library "
                   "(scripts/setup --cuda fetches them)")
  endif()
elseif(TE_ENABLE_CUDA AND NOT TE_ENABLE_CUDA STREQUAL AUTO)
  message(FATAL_ERROR "TE_ENABLE_CUDA is ON, but the CUDA backend cannot be built: ${te_cuda_reason}")
else()
  set(te_cuda_backend OFF)
  message(STATUS "CUDA backend: left out, ${te_cuda_reason}")
endif()
set(TE_CUDA_BACKEND ${te_cuda_backend} CACHE INTERNAL "Whether the CUDA backend is built")
