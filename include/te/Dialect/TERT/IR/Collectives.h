// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of collectives.

#ifndef TE_DIALECT_TERT_IR_COLLECTIVES_H
#define TE_DIALECT_TERT_IR_COLLECTIVES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::te::tert {

enum class CollectiveKind {
  AllReduce,     ///< every rank gets the sum over all ranks
  ReduceScatter, ///< every rank gets a shard of the sum
  AllGather,     ///< every rank gets the shards of all ranks
  ReduceScalars  ///< many scalars at once, gathered and reduced
};

/// The runtime's name: "all_reduce".
llvm::StringRef getName(CollectiveKind kind);

/// True if `op` communicates with other ranks: it implements
/// CollectiveOpInterface, or takes a set of the mesh's axes and has no known
/// work (CostOpInterface).
bool communicatesAmongRanks(Operation *op);

/// Attaches CollectiveOpInterface to the dialect's collectives.
void registerCollectiveOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::te::tert

#include "te/Dialect/TERT/IR/TERTCollectiveInterface.h.inc"

#endif // TE_DIALECT_TERT_IR_COLLECTIVES_H
