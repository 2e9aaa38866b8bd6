// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the tensors of a checkpoint with the states of a program, by name,
// whatever their order.

#ifndef TERT_CHECKPOINT_CHECKPOINTFIT_H
#define TERT_CHECKPOINT_CHECKPOINTFIT_H

#include "checkpoint/ProgramStates.h"
#include "checkpoint/StateConversion.h"
#include "checkpoint/TensorFiles.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tert::session {

/// Required coverage of a checkpoint.
enum class CheckpointCoverage {
  /// All: program and checkpoint have the same states and slots.
  Whole,
  /// All, but the checkpoint may be of another mesh, precision, recipe or
  /// policy and so have other slots and FP8 states; then all FP8 states are
  /// initialized again, which requires initializeFp8(). Parameters and
  /// optimizer
  /// states of other dtypes are converted (StateConversion).
  Continued,
  /// All that the program requires; the checkpoint may contain more, as one of
  /// a training does for a forward pass.
  Needed
};

/// "name:format" lines in the order of the slots, as stored in a checkpoint.
std::string slotList(const Description &description);

/// Maps every state of a program to its tensor in the checkpoint, and every
/// slot to its column there.
class CheckpointFit {
public:
  /// `slots` is the checkpoint's slotList(). Fails with the first state or slot
  /// that does not match. An FP8 copy of a matrix, rowwise or columnwise, may
  /// be missing if its counterpart exists: which of them a program has depends
  /// on its ranks' shards.
  static Expected<CheckpointFit> find(const TensorFiles &file,
                                      const std::string &slots,
                                      const Description &description,
                                      CheckpointCoverage part);

  /// Writes all states of the program, or this rank's shards of them, except
  /// for FP8 states that are to be initialized again.
  Error write(ProgramStates &program) const;

  bool reinitializesFp8() const { return isFp8New; }
  /// The first difference between the FP8 slots or states, if they differ
  /// although program and checkpoint are of one mesh.
  const std::string &fp8Difference() const { return difference; }

private:
  Error findSlots(const std::string &slots, const Description &description,
                  CheckpointCoverage part);
  Error findTensors(const TensorFiles &file, const Description &description,
                    CheckpointCoverage part);
  /// The tensor's columns of this program's slots, in the program's order.
  std::string columnsOf(const StoredTensor &tensor) const;

  struct Source {
    const StoredTensor *tensor; ///< Null: clear the state.
    bool isTransposed = false;
    /// Set if the tensor is of another dtype than the state, or if the state is
    /// the scales of one that is FP8 in the program alone: its dtype.
    std::optional<StateConversion> conversion{};
    std::optional<DType> scalesFor{};
    /// The name of the checkpoint's scales that the conversion reads.
    std::string scales{};
  };
  Source findConverted(const TensorFiles &file, const Description &description,
                       const StateDescription &state) const;
  std::vector<Source> tensors; ///< Indexed by state.
  std::vector<size_t> columns; ///< Indexed by slot.
  size_t slotsInFile = 0;
  bool isFp8New = false;
  std::string difference;
};

} // namespace tert::session

#endif // TERT_CHECKPOINT_CHECKPOINTFIT_H
