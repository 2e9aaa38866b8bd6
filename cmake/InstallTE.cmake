# What `cmake --install` brings for programs that embed this project: headers,
# TableGen files, libraries, the package that find_package(TEMLIR) reads, examples,
# and the generated reference.
include(CMakePackageConfigHelpers)

set(te_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/TEMLIR")
if(TE_BUILD_COMPILER)
  install(TARGETS TEMLIR TEMLIRDriver TEMLIR-C EXPORT TEMLIRTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/te"
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/te-c"
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/include/te"
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
  set(te_doc_dir "${CMAKE_INSTALL_DATADIR}/doc/te-mlir")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/embedding"
          DESTINATION "${te_doc_dir}/examples")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/" DESTINATION "${te_doc_dir}/reference"
          FILES_MATCHING PATTERN "*.md" PATTERN "CMakeFiles" EXCLUDE)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${te_doc_dir}" RENAME copyright)
  set(TE_MLIR_VERSION "${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}")
endif()
install(EXPORT TEMLIRTargets NAMESPACE TEMLIR:: DESTINATION "${te_package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/TEMLIRConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/TEMLIRConfig.cmake"
  INSTALL_DESTINATION "${te_package_dir}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/cmake/TEMLIRConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/TEMLIRConfig.cmake"
              "${PROJECT_BINARY_DIR}/cmake/TEMLIRConfigVersion.cmake"
        DESTINATION "${te_package_dir}")
