// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-shard-states: shards parameters and optimizer states over data parallel
// ranks.

#include "Distribution/States/EntrySharder.h"
#include "Distribution/States/PersistentTables.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESHARDSTATES
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class TEShardStates : public te::impl::TEShardStatesBase<TEShardStates> {
public:
  using TEShardStatesBase::TEShardStatesBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
};
} // namespace

LogicalResult TEShardStates::run() {
  if (zero > 3)
    return emitError(getOperation().getLoc())
           << "there is no level " << zero.getValue()
           << " of sharded states; it is 0, 1, 2 or 3";
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(getOperation());
  if (failed(mesh))
    return failure();
  if (!*mesh)
    return success();
  std::optional<shard::GridAxis> data = (*mesh)->findAxis(kDataAxis);
  if (!data || (*mesh)->getAxes()[*data].size == 1)
    return success();
  const ShardAxis axis = {(*mesh)->getName(), *data,
                          (*mesh)->getAxes()[*data].size};
  ShardPlan plan;
  if (zero != 0)
    plan = makeShardPlan(getOperation(), axis, zero);
  if (zero != 3 && failed(persistTables(getOperation(), plan)))
    return failure();
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!function->hasAttr(kEntryAttr) || function.isExternal() ||
        !function.getBody().hasOneBlock())
      continue;
    if (plan.parameters.empty())
      shareNorms(function, axis,
                 /*parts=*/llvm::DenseMap<Operation *, Value>());
    else
      EntrySharder(function, plan, axis, /*keepsCopies=*/zero != 3).run();
  }
  numSharded = plan.parameters.size();
  return success();
}
