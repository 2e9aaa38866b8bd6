// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program: the shared library that te-compile writes.

#ifndef TERT_ARTIFACT_ARTIFACT_H
#define TERT_ARTIFACT_ARTIFACT_H

#include "artifact/Description.h"
#include "support/Error.h"
#include "tert/artifact.h"

#include <memory>
#include <string>
#include <vector>

namespace tert::session {

/// Contents of an artifact that are available without running its code: its
/// description, which is valid. The file's digest has been checked.
struct ArtifactFile {
  static Expected<ArtifactFile> read(const std::string &path);

  std::string path;
  Description description;
  /// The description's text and the seal, as stored in the file.
  std::string text, seal;
  /// Checksum of the weights written with it; empty if there are none.
  std::string weights;
};

/// An artifact of this runtime's version, with a valid description and all
/// entry points.
class Artifact {
public:
  /// Checks the file (ArtifactFile), then loads it. Loading runs the library's
  /// own code: open only artifacts that you would run.
  static Expected<Artifact> open(const std::string &path);

  const std::string &path() const { return file.path; }
  const Description &description() const { return file.description; }
  /// The function of description().entries[index].
  tert_entry entry(size_t index) const { return functions[index]; }

  /// The parameters' file: "model.so.weights.safetensors" for "model.so".
  std::string weightsPath() const;
  /// Checksum of that file when the artifact was written; empty if there was
  /// none.
  const std::string &weightsChecksum() const { return file.weights; }
  /// "cpu", or "cuda:0" for a program that was compiled for a GPU.
  std::string defaultDevice() const;
  /// Fails unless the artifact's target supports the device ("cpu", "cuda:0").
  Error checkDevice(const std::string &device) const;

private:
  struct Close {
    void operator()(void *handle) const;
  };
  ArtifactFile file;
  std::unique_ptr<void, Close> library;
  std::vector<tert_entry> functions;
};

} // namespace tert::session

#endif // TERT_ARTIFACT_ARTIFACT_H
