// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program on disk: the shared library that te-compile writes.

#ifndef TERT_SESSION_ARTIFACT_H
#define TERT_SESSION_ARTIFACT_H

#include "session/Description.h"
#include "session/Error.h"
#include "tert/artifact.h"

#include <memory>
#include <string>
#include <vector>

namespace tert::session {

/// What can be known of an artifact without running any of its code: that it is
/// whole, by its digest, and its description, which is sound.
struct ArtifactFile {
  static Expected<ArtifactFile> read(const std::string &path);

  std::string path;
  Description description;
  /// The description's text and the seal, as they are in the file.
  std::string text, seal;
  /// Checksum of the weights that were written with it; empty: none were.
  std::string weights;
};

/// An artifact whose version fits this runtime, whose description is sound and
/// whose entry points are there.
class Artifact {
public:
  /// Checks the file (ArtifactFile), then loads it. Loading runs the library's
  /// own code: open only artifacts you would run.
  static Expected<Artifact> open(const std::string &path);

  const std::string &path() const { return file.path; }
  const Description &description() const { return file.description; }
  /// The function of description().entries[index].
  tert_entry entry(size_t index) const { return functions[index]; }

  /// The parameters' file: "model.so.weights.safetensors" beside "model.so".
  std::string weightsPath() const;
  /// The checksum of that file when the artifact was written; empty: none was.
  const std::string &weightsChecksum() const { return file.weights; }
  /// "cpu", or "cuda:0" for a program that was compiled for a GPU.
  std::string defaultDevice() const;
  /// Fails unless the artifact's target runs on the device ("cpu", "cuda:0").
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

#endif // TERT_SESSION_ARTIFACT_H
