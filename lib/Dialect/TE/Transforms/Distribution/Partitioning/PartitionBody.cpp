// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Partitioning/PartitionBody.h"

#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/Captures.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"

#include "llvm/ADT/StringMap.h"

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

void mlir::te::shardArgument(BlockArgument argument, const DimSplit &cut,
                             ArrayRef<int64_t> shape, const AxisRanks &mesh,
                             ShardedValues &values) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  SmallVector<int64_t> blocks = cut.cut.list();
  if (blocks.size() == 1)
    blocks.clear();
  function.setArgAttr(argument.getArgNumber(), kShardAttr,
                      ShardAttr::get(function.getContext(), shape,
                                     /*dimAxes=*/1 << mesh.axis, cut.dim,
                                     blocks, /*flatAxes=*/0));
  argument.setType(getPartType(tensorType(argument), cut, mesh.ranks));
  values.setHome(argument, argument, cut);
}

LogicalResult mlir::te::checkShardAgreement(ModuleOp module) {
  struct Known {
    func::FuncOp function;
    Attribute shard;
  };
  llvm::StringMap<Known> known;
  for (auto function : module.getOps<func::FuncOp>()) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      auto name = function.getArgAttrOfType<StringAttr>(i, kParamAttr);
      if (!name)
        continue;
      Attribute shard = function.getArgAttr(i, kShardAttr);
      auto [it, inserted] =
          known.try_emplace(name.getValue(), Known{function, shard});
      if (!inserted && it->second.shard != shard)
        return emitError(function.getLoc())
               << "ranks would hold another shard of the parameter '"
               << name.getValue() << "' in the entry '"
               << getEntryName(function) << "' than in '"
               << getEntryName(it->second.function)
               << "'; compile these entries one by one";
    }
  }
  return success();
}
