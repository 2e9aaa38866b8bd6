// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges among ranks, whichever op they are.

#ifndef TE_DIALECT_TERT_IR_COLLECTIVES_H
#define TE_DIALECT_TERT_IR_COLLECTIVES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::te::tert {

enum class CollectiveKind {
  AllReduce,     ///< the sum of all ranks, on every rank
  ReduceScatter, ///< a part of it, on each
  AllGather,     ///< the parts of all ranks, on every rank
  ReduceScalars  ///< many scalars at once, gathered and reduced
};

/// As the runtime calls it: "all_reduce".
llvm::StringRef getName(CollectiveKind kind);

/// Whether `op` exchanges something with other ranks: it says so by
/// CollectiveOpInterface, or else seems to, because the runtime is told a set
/// of the mesh's axes and nothing is known of what it computes
/// (CostOpInterface).
bool exchangesAmongRanks(Operation *op);

/// Gives the dialect's collectives CollectiveOpInterface.
void registerCollectiveOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::te::tert

#include "te/Dialect/TERT/IR/TERTCollectiveInterface.h.inc"

#endif // TE_DIALECT_TERT_IR_COLLECTIVES_H
