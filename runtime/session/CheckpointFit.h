// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors of a checkpoint are which states of a program: by name, in
// whatever order either has them.

#ifndef TERT_SESSION_CHECKPOINTFIT_H
#define TERT_SESSION_CHECKPOINTFIT_H

#include "session/Session.h"
#include "session/TensorFiles.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tert::session {

/// How much of a checkpoint a program has to take.
enum class CheckpointPart {
  /// All of it: program and checkpoint have the same states and slots.
  Whole,
  /// The same, but a checkpoint of another mesh may have other slots: then all
  /// states of FP8 begin anew, which takes initializeFp8().
  Continued,
  /// What the program has; the checkpoint may hold more, as one of a training
  /// does for a forward pass.
  Needed
};

/// "name:format" lines, in the order of the slots: what a checkpoint keeps.
std::string slotList(const Description &description);

/// Every state of a program with its tensor of the checkpoint, and every slot
/// with its column there.
class CheckpointFit {
public:
  /// `slots` is the checkpoint's slotList(). Fails with the first state or slot
  /// that keeps the two apart. Not an FP8 copy of a matrix, rowwise or
  /// columnwise, where there is the other one: which of them a program has
  /// depends on what its ranks hold.
  static Expected<CheckpointFit> find(const TensorFiles &file,
                                      const std::string &slots,
                                      const Description &description,
                                      CheckpointPart part);

  /// Gives every state of the session its value, or this rank's part of it, but
  /// for those of FP8 where they begin anew.
  Error write(Session &session) const;

  bool beginsFp8Anew() const { return isFp8New; }

private:
  Error findSlots(const std::string &slots, const Description &description,
                  CheckpointPart part);
  Error findTensors(const TensorFiles &file, const Description &description,
                    CheckpointPart part);
  /// The tensor's columns of this program's slots, in their order.
  std::string columnsOf(const StoredTensor &tensor) const;

  struct Source {
    const StoredTensor *tensor; ///< Null: the state is cleared.
    bool isTransposed;
  };
  std::vector<Source> tensors; ///< By state.
  std::vector<size_t> columns; ///< By slot.
  size_t slotsInFile = 0;
  bool isFp8New = false;
};

} // namespace tert::session

#endif // TERT_SESSION_CHECKPOINTFIT_H
