// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_FOOTPRINT_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_FOOTPRINT_H

#include "BufferBox.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::te {

/// The memory that operations read and write, by buffer. Buffers are
/// allocations and arguments, which do not overlap.
class Footprint {
public:
  /// The allocation or argument that `view` is a view of.
  static Value getBuffer(Value view);

  /// Returns false for an op with unknown effects.
  bool add(Operation *op);
  void add(const Footprint &other);
  void addRead(Value buffer) { addAccess(buffer, /*writes=*/false); }
  void addWrite(Value buffer) { addAccess(buffer, /*writes=*/true); }
  /// True if the two must not be reordered.
  bool conflictsWith(const Footprint &other) const;
  /// The first op from `begin` up to `end` that has unknown effects or must not
  /// be reordered; `end` if there is none.
  Operation *findConflict(Operation *begin, Operation *end) const;

private:
  struct Access {
    BufferBox box;
    bool writes;
  };
  void addAccess(Value buffer, bool writes);

  llvm::MapVector<Value, SmallVector<Access>> accesses;
};

/// True if `ops`, in program order, may move behind `place`.
bool canMoveBehind(ArrayRef<Operation *> ops, Operation *place);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_FOOTPRINT_H
