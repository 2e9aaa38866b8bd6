// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States in another dtype than that of a checkpoint: f32, bf16, or FP8 with an
// f32 scale for every 128 elements of a row, as optimizers keep them.

#ifndef TERT_CHECKPOINT_STATECONVERSION_H
#define TERT_CHECKPOINT_STATECONVERSION_H

#include "checkpoint/ProgramStates.h"
#include "checkpoint/TensorFiles.h"

#include <functional>
#include <string>
#include <vector>

namespace tert::session {

/// The name of the scales of an FP8 state: "adamw.exp_avg_scale.fc.weight" for
/// "adamw.exp_avg.fc.weight". Empty if no such name exists.
std::string scaleNameOf(const std::string &state,
                        const std::function<bool(const std::string &)> &exists);

/// The shape of the scales of a state of rank 2 or more.
Shape scaleShapeOf(const Shape &state);

/// A stored state that is written in another dtype.
class StateConversion {
public:
  /// `scales` of an FP8 tensor, otherwise null.
  StateConversion(const StoredTensor &tensor, const StoredTensor *scales)
      : tensor(&tensor), scales(scales) {}

  /// Writes the state at `index`, rounded to nearest, except that a positive
  /// number stays positive in E5M2, which is for averages of squares: a step
  /// divides by their roots.
  Error write(ProgramStates &program, size_t index) const;
  /// Writes the scales of an FP8 state of dtype `dtype`.
  Error writeScales(ProgramStates &program, size_t index, DType dtype) const;

private:
  Expected<std::vector<float>> readValues() const;

  const StoredTensor *tensor, *scales;
};

} // namespace tert::session

#endif // TERT_CHECKPOINT_STATECONVERSION_H
