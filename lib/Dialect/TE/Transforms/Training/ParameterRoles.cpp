// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training/ParameterRoles.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::te;

static void addRoles(Value value, SmallVectorImpl<ParameterRole> &roles) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto reader = dyn_cast<ParameterReaderOpInterface>(user)) {
      std::optional<ParameterRole> role =
          reader.getParameterRole(use.getOperandNumber());
      if (role && !llvm::is_contained(roles, *role))
        roles.push_back(*role);
    } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                   tensor::ExtractSliceOp, arith::ExtFOp, arith::TruncFOp>(
                   user)) {
      addRoles(user->getResult(0), roles);
    } else if (auto transpose = dyn_cast<linalg::TransposeOp>(user)) {
      if (transpose.getInput() == value)
        addRoles(transpose->getResult(0), roles);
    }
  }
}

SmallVector<ParameterRole> mlir::te::findParameterRoles(Value param) {
  SmallVector<ParameterRole> roles;
  addRoles(param, roles);
  return roles;
}
