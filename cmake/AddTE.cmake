# Thin wrappers around CMake's and MLIR's own functions: they set what every
# target of this project shares.

option(TE_PRECOMPILED_HEADERS
       "Parse MLIR's headers once: a clean build takes less than half the time" ON)

option(TE_UNITY_BUILD
       "Compile files of a component together: a clean build takes less time, one after a change more" ON)

# te_unity(<target>): its files are compiled some at a time. They share headers
# and what those instantiate, so no two may define the same name.
function(te_unity target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${TE_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# ccache and lld are used where they are present.
find_program(TE_CCACHE ccache)
if(TE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(te_launcher "${TE_CCACHE}")
  if(TE_PRECOMPILED_HEADERS)
    # What ccache asks for where a precompiled header is read; its checksum is
    # that of precompile.sh.
    set(te_launcher "${CMAKE_COMMAND}" -E env CCACHE_PCH_EXTSUM=1
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
  mlir_tablegen(Passes.capi.h.inc -gen-pass-capi-header --prefix ${name})
  mlir_tablegen(Passes.capi.cpp.inc -gen-pass-capi-impl --prefix ${name})
  add_public_tablegen_target(${target})
  set_property(GLOBAL APPEND PROPERTY TE_TABLEGEN_TARGETS ${target})
endfunction()

# add_te_library(<name> sources... [DEPENDS libraries...]): a component of the
# compiler. It may use what its DEPENDS declare: other components, and libraries.
# Components are object libraries; add_te_shared_library joins them. That a
# component uses nothing else is checked by linking it alone (te_check_layers).
function(add_te_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  add_library(${name} OBJECT ${arg_UNPARSED_ARGUMENTS})
  get_property(generated GLOBAL PROPERTY TE_TABLEGEN_TARGETS)
  if(generated)
    add_dependencies(${name} ${generated})
  endif()
  te_compiler_options(${name})
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS})
  if(TARGET TEPrecompiled)
    target_precompile_headers(${name} REUSE_FROM TEPrecompiled)
  endif()
  set_property(GLOBAL APPEND PROPERTY TE_COMPONENTS ${name})
  set_property(GLOBAL PROPERTY TE_DEPENDS_OF_${name} ${arg_DEPENDS})
endfunction()

# add_te_shared_library(<name> COMPONENTS components... [LINK libraries...]):
# components as one shared library. What tool and plugin have in common comes
# from one such library, so that a TypeID exists once in a process: no component
# may be in two. What a component depends on must be in the same library, or in
# one that LINK names.
function(add_te_shared_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMPONENTS;LINK")
  add_library(${name} SHARED)
  set(reachable ${arg_COMPONENTS})
  foreach(library IN LISTS arg_LINK)
    get_property(others GLOBAL PROPERTY TE_COMPONENTS_OF_${library})
    list(APPEND reachable ${others})
  endforeach()
  get_property(components GLOBAL PROPERTY TE_COMPONENTS)
  foreach(component IN LISTS arg_COMPONENTS)
    get_property(owner GLOBAL PROPERTY TE_OWNER_OF_${component})
    if(owner)
      message(FATAL_ERROR "${component} is in ${owner} and cannot be in ${name}, too")
    endif()
    set_property(GLOBAL PROPERTY TE_OWNER_OF_${component} ${name})
    get_property(depends GLOBAL PROPERTY TE_DEPENDS_OF_${component})
    foreach(dependency IN LISTS depends)
      if(dependency IN_LIST components)
        if(NOT dependency IN_LIST reachable)
          message(FATAL_ERROR "${component} in ${name} depends on ${dependency}, "
                  "which is in no library that ${name} links")
        endif()
      else()
        target_link_libraries(${name} PRIVATE ${dependency})
      endif()
    endforeach()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${component}>)
  endforeach()
  set_property(GLOBAL PROPERTY TE_COMPONENTS_OF_${name} ${reachable})
  target_link_libraries(${name} PUBLIC ${arg_LINK} MLIR LLVM)
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} LINKER_LANGUAGE CXX)
  te_no_undefined(${name})
endfunction()

# te_no_undefined(<target>): a symbol that no linked library has is an error.
function(te_no_undefined target)
  # The sanitizers' own symbols come with the executable.
  if(NOT TE_SANITIZE)
    target_link_options(${target} PRIVATE "LINKER:-z,defs")
  endif()
endfunction()

# Links every component by itself.
add_custom_target(te-layers ALL)

# te_check_layer(<library> dependencies...): the library linked by itself with
# what it declares and nothing else. A dependency that was not declared does not
# link.
function(te_check_layer name)
  add_library(${name}-alone SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}>)
  set_target_properties(${name}-alone PROPERTIES
    LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/alone")
  te_no_undefined(${name}-alone)
  target_link_libraries(${name}-alone PRIVATE ${ARGN})
  add_dependencies(te-layers ${name}-alone)
endfunction()

# te_check_layers(): checks every component of the compiler.
function(te_check_layers)
  get_property(components GLOBAL PROPERTY TE_COMPONENTS)
  foreach(component IN LISTS components)
    get_property(depends GLOBAL PROPERTY TE_DEPENDS_OF_${component})
    set(libraries)
    foreach(dependency IN LISTS depends)
      if(dependency IN_LIST components)
        set(dependency ${dependency}-alone)
      endif()
      list(APPEND libraries ${dependency})
    endforeach()
    te_check_layer(${component} ${libraries} MLIR LLVM)
  endforeach()
endfunction()

# add_te_runtime_library(<name> sources... [PUBLIC libraries...]
# [PRIVATE libraries...]): a static library of the runtime. Its headers are
# included as "folder/Header.h". The compiler's libraries do not export what they
# link of it.
function(add_te_runtime_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE")
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/runtime")
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  te_warnings(${name})
  te_check_layer(${name} ${arg_PUBLIC} ${arg_PRIVATE})
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

# add_te_tool(<name> sources... LINK libraries...): an executable that is
# installed, on top of the shared libraries named.
function(add_te_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  te_compiler_options(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
