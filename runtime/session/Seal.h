// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seal of an artifact: digests by which te-run sees, before it loads the
// program, that program and weights are the bytes that te-compile wrote.

#ifndef TERT_SESSION_SEAL_H
#define TERT_SESSION_SEAL_H

#include "session/Error.h"

#include <string>
#include <string_view>

namespace tert::session {

/// The file of the weights that belong to a program: "gpt.so" has
/// "gpt.so.weights.safetensors", a name that no export has by itself.
std::string weightsPathOf(const std::string &program);

/// Whether a file is a program or an object that te-compile wrote, whole or
/// not, also of older versions.
bool isProgramImage(std::string_view image);

/// Writes the digests into `image`, a linked program whose seal is empty.
/// `weights` is the checksum of the weights' file, empty if there is none.
Error sealProgram(std::string &image, const std::string &weights);

/// What a sealed program says, taken from its bytes alone.
struct SealedProgram {
  std::string_view description; ///< JSON
  std::string seal;             ///< its bytes, which differ between programs
  std::string weights;          ///< checksum of the weights; empty: none
};

/// Checks that `image` is a shared library, sealed and undamaged. `path` is
/// for messages.
Expected<SealedProgram> checkSealedProgram(std::string_view image,
                                           const std::string &path);

} // namespace tert::session

#endif // TERT_SESSION_SEAL_H
