# A Debian package of what `cmake --install` brings, made by cpack.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME te-mlir)
set(CPACK_PACKAGE_VENDOR "TE-MLIR")
set(CPACK_PACKAGE_CONTACT "TE-MLIR contributors <te-mlir@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ahead-of-time compiler for training transformers in FP8")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "te-compile reads a model that PyTorch or JAX exported, builds the whole training
step, decides which matrix products are computed in 8 bits, and writes a native
library, which te-run trains. Libraries, headers, TableGen files and examples for
programs that embed the compiler are in it as well.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Libraries are found by what ours need; ours are in the package itself.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")
# te-compile starts the linker.
set(CPACK_DEBIAN_PACKAGE_DEPENDS lld-22)
# Programs with passes or dialects of their own compile against MLIR.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS libmlir-22-dev)
include(CPack)
