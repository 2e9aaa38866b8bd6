// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models in folders of Hugging Face (config.json, safetensors) as programs.

#ifndef TE_RUN_MODELFOLDER_H
#define TE_RUN_MODELFOLDER_H

#include "support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tert::run {

struct ModelFolder {
  std::string model;   ///< Empty: the program is given.
  std::string adapter; ///< LoRA adapters of PEFT; empty: none.
  std::string python = "python3";
  std::string cache; ///< Where program and graph are; empty: by default.
  uint64_t batch = 8;
  uint64_t sequence = 0; ///< 0: by the model.
  bool keepsDropout = false;
  bool masksDocuments = false; ///< With an input position_ids.
  /// Options of te-compile, without dashes: "NAME=VALUE", or "NAME".
  std::vector<std::string> compileOptions;

  /// Adds --model and what needs it.
  void addTo(CLI::App &command);
  /// The option of te-compile with that name, among those that are given.
  bool gives(const std::string &name) const;
};

/// Files of a model's program in its folder.
struct ProgramFolder {
  explicit ProgramFolder(std::string path) : path(std::move(path)) {}
  /// That of a training with these checkpoints, or, without, of a model in the
  /// current folder.
  static ProgramFolder of(const ModelFolder &source,
                          const std::string &checkpoints);
  /// The one beside a checkpoint, or in the folder of a run.
  static ProgramFolder ofCheckpoint(const std::string &checkpoint);

  std::string graph() const { return path + "/model.onnx"; }
  std::string program() const { return path + "/model.so"; }
  std::string tokens() const { return path + "/tokens"; }
  std::string record() const { return path + "/source.json"; }

  const std::string path;
};

/// The model and the adapters that a program was made of; nothing is known of
/// them if the folder has no record.
struct ModelSource {
  std::string model, adapter;
};
session::Expected<ModelSource> readSource(const ProgramFolder &folder);

/// The token that a folder's tokenizer ends texts with.
session::Expected<uint64_t> endOfTexts(const std::string &folder);

/// Exports the model with Python (temlir_export) and compiles it with
/// te-compile, into `folder`. What is there is used again if the files of the
/// model, the options and the tools are the same. Waits for another process
/// that does the same. Returns the program's path.
session::Expected<std::string> prepareProgram(const ModelFolder &source,
                                              const ProgramFolder &folder,
                                              bool isQuiet);

} // namespace tert::run

#endif // TE_RUN_MODELFOLDER_H
