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

/// An artifact whose version fits this runtime, whose description is sound and
/// whose entry points are there.
class Artifact {
public:
  /// Loading runs the library's own code: open only artifacts you would run.
  static Expected<Artifact> open(const std::string &path);

  const std::string &path() const { return file; }
  const Description &description() const { return about; }
  /// The function of description().entries[index].
  tert_entry entry(size_t index) const { return functions[index]; }

  /// The parameters' file: "model.safetensors" beside "model.so".
  std::string weightsPath() const;
  /// "cpu", or "cuda:0" for a program that was compiled for a GPU.
  std::string defaultDevice() const;
  /// Fails unless the artifact's target runs on the device ("cpu", "cuda:0").
  Error checkDevice(const std::string &device) const;

private:
  struct Close {
    void operator()(void *handle) const;
  };
  std::string file;
  std::unique_ptr<void, Close> library;
  Description about;
  std::vector<tert_entry> functions;
};

} // namespace tert::session

#endif // TERT_SESSION_ARTIFACT_H
