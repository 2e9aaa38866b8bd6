# The Python of the tests: with PyTorch and JAX, where scripts/setup --python has put
# these, or the one on PATH, whatever it has. Sets TE_PYTHON.
set(TE_PYTHON_PACKAGES "${PROJECT_BINARY_DIR}/python-packages" CACHE PATH
    "Where scripts/setup --python has put PyTorch and JAX")
# Asked anew whenever CMake runs: the folder may have been made since. The stamp is
# not in one that is half made.
if(EXISTS "${TE_PYTHON_PACKAGES}/.packages")
  set(TE_PYTHON "${TE_PYTHON_PACKAGES}/bin/python3")
else()
  find_program(TE_PYTHON python3 REQUIRED)
endif()
message(STATUS "Python of the tests: ${TE_PYTHON}")
