// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a checkpoint holds, against a program's description: fits are found
// or refused, names of parameters are read.

#include "InMemoryFile.h"
#include "checkpoint/Checkpoint.h"
#include "checkpoint/CheckpointFit.h"
#include "checkpoint/ParameterNames.h"

using namespace tert::session;

/// A program with a parameter, scales of two slots and their histories.
static const Description &getProgram() {
  static const Description program = [] {
    Description description;
    description.slots = {{"a.input", TERT_F8E4M3}, {"b.input", TERT_F8E5M2}};
    description.states = {
        {"w", "parameter", {TERT_F32, {2, 2}}, {}},
        {"fp8.scale", "fp8_scale", {TERT_F32, {2}}, {}},
        {"fp8.amax_history", "fp8_amax_history", {TERT_F32, {4, 2}}, {}}};
    return description;
  }();
  return program;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::InMemoryFile input(data, size);
  (void)!openCheckpoint(input.path());
  Expected<TensorFiles> file = TensorFiles::open(input.path());
  if (!file)
    return 0;
  for (CheckpointCoverage part :
       {CheckpointCoverage::Whole, CheckpointCoverage::Continued,
        CheckpointCoverage::Needed})
    (void)!CheckpointFit::find(*file, file->note("slots"), getProgram(), part);
  (void)parseParameterNames(file->note("parameters"));
  if (auto parts = parseShards(file->note("parts")))
    for (auto &[name, part] : *parts)
      (void)!ShardLayout::create(part.cut);
  return 0;
}
