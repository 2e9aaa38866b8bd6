// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training/ParameterRoles.h"

#include "Precision/Layers.h"

#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::te;

/// The results into which an op moves or converts an operand's elements: their
/// readers read the parameter.
static ResultRange getMovedResults(OpOperand &use) {
  Operation *op = use.getOwner();
  bool moves = isa<CastOpInterface>(op);
  if (auto movement = dyn_cast<DataMovementOpInterface>(op))
    moves =
        llvm::is_contained(movement.getMovedOperands(), use.getOperandNumber());
  return moves ? op->getResults() : op->getResults().take_front(0);
}

static bool isHead(Operation *layer) {
  auto function = layer->getParentOfType<func::FuncOp>();
  return function && llvm::any_of(layer->getResults(), [&](Value result) {
           return isModelResult(result, function);
         });
}

SmallVector<ParameterRole> mlir::te::findParameterRoles(Value param) {
  SmallVector<ParameterRole> roles;
  SmallVector<Value> worklist = {param};
  llvm::SmallDenseSet<Value> seen = {param};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      if (auto reader = dyn_cast<ParameterReaderOpInterface>(use.getOwner())) {
        std::optional<ParameterRole> role =
            reader.getParameterRole(use.getOperandNumber());
        if (role == ParameterRole::Weight && isHead(use.getOwner()))
          role = ParameterRole::Head;
        if (role && !llvm::is_contained(roles, *role))
          roles.push_back(*role);
      }
      for (Value result : getMovedResults(use))
        if (seen.insert(result).second)
          worklist.push_back(result);
    }
  }
  return roles;
}
