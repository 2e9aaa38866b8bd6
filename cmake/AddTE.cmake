# Thin wrappers around CMake's and MLIR's own functions: they set what every
# target of this project shares.

# ccache and lld are used where they are present.
find_program(TE_CCACHE ccache)
if(TE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${TE_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${TE_CCACHE}")
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
