// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Partitioning/PartitionBody.h"

#include "te/Support/Captures.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

/// `op` is computed from replicated values, on every rank.
static void computeReplicated(Operation *op, ShardedValues &values) {
  for (OpOperand &operand : op->getOpOperands())
    operand.set(values.getWhole(operand.get()));
  if (op->getNumRegions() == 0)
    return;
  for (Value captured : getCapturedValues(op)) {
    Value whole = values.getWhole(captured);
    if (whole != captured)
      captured.replaceUsesWithIf(whole, [&](OpOperand &use) {
        return op->isProperAncestor(use.getOwner());
      });
  }
}

static void buildPart(Operation *op, const OpSharding &sharding,
                      const Shardings &shardings, const AxisRanks &mesh,
                      OpBuilder &builder, ShardedValues &values) {
  SmallVector<Value> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const std::optional<DimSplit> &cut = sharding.operands[i];
    operands.push_back(cut ? values.getPart(operand, *cut)
                       : sharding.localOperands.test(i)
                           ? values.getWhole(operand)
                           : values.getVarying(operand));
  }
  SmallVector<Type> types;
  for (auto [result, cut] : llvm::zip_equal(op->getResults(), sharding.results))
    types.push_back(cut ? getPartType(tensorType(result), *cut, mesh.ranks)
                        : result.getType());
  SmallVector<Value> parts = cast<ShardableOpInterface>(op).buildPart(
      builder, operands, types, sharding, mesh);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    // A rank may have left out unused values.
    if (!parts[i])
      continue;
    if (sharding.sums.test(i))
      values.setHomeOfSum(result, parts[i], shardings.lookup(result));
    else
      values.setHome(result, parts[i], sharding.results[i]);
  }
}

void mlir::te::partitionBody(func::FuncOp function, const Shardings &shardings,
                             const AxisRanks &mesh, OpBuilder &builder,
                             ShardedValues &values) {
  Block &body = function.getBody().front();
  SmallVector<Operation *> replaced;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    builder.setInsertionPoint(&op);
    if (const OpSharding *sharding = shardings.lookup(&op)) {
      buildPart(&op, *sharding, shardings, mesh, builder, values);
      replaced.push_back(&op);
    } else {
      computeReplicated(&op, values);
    }
  }
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  eraseDeadOps(body);
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     function.getResultTypes()));
}
