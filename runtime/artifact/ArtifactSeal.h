// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seal of an artifact: digests by which te-run verifies, before it loads
// the program, that program and weights are the bytes that te-compile wrote.

#ifndef TERT_ARTIFACT_ARTIFACTSEAL_H
#define TERT_ARTIFACT_ARTIFACTSEAL_H

#include "support/Error.h"

#include <string>
#include <string_view>

namespace tert::session {

/// The weights file of a program: "gpt.so.weights.safetensors" for "gpt.so", a
/// name that no exporter uses.
std::string weightsPathOf(const std::string &program);

/// True if a file is a program or an object by te-compile, complete or not,
/// also of older versions.
bool isProgramImage(std::string_view image);

/// Writes the digests into `image`, a linked program with an empty seal.
/// `weights` is the checksum of the weights file, empty if there is none.
Error sealProgram(std::string &image, const std::string &weights);

/// Contents of a sealed program, from its bytes alone.
struct SealedProgram {
  std::string_view description; ///< JSON
  std::string seal;             ///< its bytes, unique to the program
  std::string weights;          ///< checksum of the weights; empty if there are
                                ///< none
};

/// Checks that `image` is a shared library, sealed and undamaged. `path` is for
/// messages.
Expected<SealedProgram> checkSealedProgram(std::string_view image,
                                           const std::string &path);

} // namespace tert::session

#endif // TERT_ARTIFACT_ARTIFACTSEAL_H
