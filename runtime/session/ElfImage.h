// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads ELF files as bytes that anybody may have written: nothing is loaded,
// and every offset and size is checked before it is used.

#ifndef TERT_SESSION_ELFIMAGE_H
#define TERT_SESSION_ELFIMAGE_H

#include <optional>
#include <string>
#include <string_view>

namespace tert::session {

/// Why `image` is no shared library that a loader of this machine could map
/// without reading behind its end; empty if it is one. The loader does not ask
/// how long a file is, and a truncated one kills the process.
std::string findImageProblem(std::string_view image);

/// The bytes of the section of that name, in a shared library or an object
/// file; nothing if there is none inside of `image`.
std::optional<std::string_view> findSection(std::string_view image,
                                            std::string_view name);

} // namespace tert::session

#endif // TERT_SESSION_ELFIMAGE_H
