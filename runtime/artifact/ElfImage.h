// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads untrusted ELF files: nothing is loaded, and every offset and size is
// checked before it is used.

#ifndef TERT_ARTIFACT_ELFIMAGE_H
#define TERT_ARTIFACT_ELFIMAGE_H

#include <optional>
#include <string>
#include <string_view>

namespace tert::session {

/// The reason why `image` is not a shared library that this machine's loader
/// can map without reading beyond its end; empty if it is one. The loader does
/// not check a file's length, and a truncated one kills the process.
std::string findImageProblem(std::string_view image);

/// The bytes of a section of a shared library or an object file; nothing if
/// `image` does not contain it.
std::optional<std::string_view> findSection(std::string_view image,
                                            std::string_view name);

} // namespace tert::session

#endif // TERT_ARTIFACT_ELFIMAGE_H
