# Thin wrappers around CMake's and MLIR's own functions: they set what every
# target of this project shares.

option(TE_PRECOMPILED_HEADERS
       "Parse MLIR's headers once: a clean build takes less than half the time" ON)

# ccache and lld are used where they are present.
find_program(TE_CCACHE ccache)
if(TE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(te_launcher "${TE_CCACHE}")
  if(TE_PRECOMPILED_HEADERS)
    # Without these ccache passes by everything that reads a precompiled header.
    set(te_launcher "${CMAKE_COMMAND}" -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros "${TE_CCACHE}")
  endif()
  set(CMAKE_C_COMPILER_LAUNCHER ${te_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${te_launcher})
endif()
include(CheckLinkerFlag)
check_linker_flag(CXX "-fuse-ld=lld" TE_HAVE_LLD)
if(TE_HAVE_LLD)
  add_link_options(-fuse-ld=lld)
endif()

if(TE_SANITIZE)
  # LLVM's packages are built without run-time type information checks for our
  # types, so vptr stays off.
  add_compile_options(-fsanitize=${TE_SANITIZE} -fno-sanitize=vptr
                      -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TE_SANITIZE})
endif()

# te_warnings(<target>): the warnings this project keeps at zero.
function(te_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
endfunction()

# te_tablegen(<target> <td file> GENERATORS <generator args>...): runs
# mlir-tblgen; each generator is "OUTPUT_FILE;args".
function(te_tablegen_dialect target td dialect)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${dialect}Dialect.h.inc -gen-dialect-decls -dialect=${ARGV3})
  mlir_tablegen(${dialect}Dialect.cpp.inc -gen-dialect-defs -dialect=${ARGV3})
  mlir_tablegen(${dialect}Ops.h.inc -gen-op-decls)
  mlir_tablegen(${dialect}Ops.cpp.inc -gen-op-defs)
  add_public_tablegen_target(${target})
  set_property(GLOBAL APPEND PROPERTY TE_TABLEGEN_TARGETS ${target})
endfunction()

# te_pass_tablegen(<target> <td file> <group name>)
function(te_pass_tablegen target td name)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(${target})
  set_property(GLOBAL APPEND PROPERTY TE_TABLEGEN_TARGETS ${target})
endfunction()

# add_te_library(<name> sources...): a part of libTEMLIR. Parts are object
# libraries: every tool uses the one shared library, so that a TypeID exists
# once in a process.
function(add_te_library name)
  add_library(${name} OBJECT ${ARGN})
  get_property(generated GLOBAL PROPERTY TE_TABLEGEN_TARGETS)
  if(generated)
    add_dependencies(${name} ${generated})
  endif()
  te_compiler_options(${name})
  if(TARGET TEPrecompiled)
    target_precompile_headers(${name} REUSE_FROM TEPrecompiled)
  endif()
  set_property(GLOBAL APPEND PROPERTY TE_LIBRARIES ${name})
endfunction()

# te_compiler_options(<target>): includes and flags of code that uses MLIR.
function(te_compiler_options target)
  target_include_directories(${target} PUBLIC
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
  target_include_directories(${target} SYSTEM PUBLIC
    ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${target} PRIVATE -fno-rtti)
  endif()
  # LLVM's packages are built without assertions and sanitizers.
  set(differs "$<NOT:$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>")
  if(TE_SANITIZE)
    set(differs 1)
  endif()
  if(NOT LLVM_ENABLE_ASSERTIONS)
    target_compile_options(${target} PRIVATE
      "$<${differs}:SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/MatchLLVMBuild.h>")
  endif()
  te_warnings(${target})
endfunction()

# add_te_tool(<name> sources...): an executable on top of libTEMLIR.
function(add_te_tool name)
  add_executable(${name} ${ARGN})
  te_compiler_options(${name})
  target_link_libraries(${name} PRIVATE TEMLIR)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
