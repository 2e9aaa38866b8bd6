// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-validate-spmd: no rank drifts apart, and nothing is summed twice.

#include "Distribution/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEVALIDATESPMD
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class TEValidateSPMD : public te::impl::TEValidateSPMDBase<TEValidateSPMD> {
  void runOnOperation() override;
  void check(func::FuncOp function, const Mesh &mesh);
  void checkSum(Operation *op, ValueRange sums, AxisSet axes,
                const SpmdAnalysis &analysis, const Mesh &mesh);
  InFlightDiagnostic error(Location loc) {
    signalPassFailure();
    return emitError(loc);
  }
};
} // namespace

static std::string listAxes(AxisSet axes, const Mesh &mesh) {
  SmallVector<std::string> names;
  for (auto [i, axis] : llvm::enumerate(mesh.getAxes()))
    if (axes >> i & 1)
      names.push_back("'" + axis.name + "'");
  return llvm::join(names, ", ");
}

void TEValidateSPMD::runOnOperation() {
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(getOperation());
  if (failed(mesh))
    return signalPassFailure();
  if (*mesh)
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kEntryAttr) && !function.isExternal())
        check(function, **mesh);
}

void TEValidateSPMD::checkSum(Operation *op, ValueRange sums, AxisSet axes,
                              const SpmdAnalysis &analysis, const Mesh &mesh) {
  for (Value value : sums) {
    Agreement agreement = analysis.get(value);
    AxisSet again = agreement.reduced & axes & ~agreement.own;
    if (again)
      error(op->getLoc())
          << "sums over the ranks along " << listAxes(again, mesh)
          << " what an exchange has made the same on all of them: the sum is a "
             "multiple of it";
  }
}

void TEValidateSPMD::check(func::FuncOp function, const Mesh &mesh) {
  if (!function.getBody().hasOneBlock()) {
    error(function.getLoc())
        << "the entry has control flow; what its ranks agree about is known of "
           "straight-line entries only";
    return;
  }
  SpmdAnalysis analysis(function, mesh);
  for (Operation &op : function.getBody().front()) {
    if (auto reduce = dyn_cast<shard::AllReduceOp>(op)) {
      if (reduce.getReduction() == shard::ReductionKind::Sum)
        checkSum(&op, reduce.getInput(), toAxisSet(reduce.getGridAxes()),
                 analysis, mesh);
    } else if (auto exchange = dyn_cast<ReduceScalarsOp>(op)) {
      checkSum(&op, exchange.getSums(), toAxisSet(exchange.getGridAxes()),
               analysis, mesh);
    }
  }
  Operation *terminator = function.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned result = operand.getOperandNumber();
    auto param = function.getResultAttrOfType<StringAttr>(result, kParamAttr);
    auto state = function.getResultAttrOfType<StringAttr>(result, kStateAttr);
    auto kind = function.getResultAttrOfType<StringAttr>(result, kKindAttr);
    if ((!param && !state) || (kind && isOwnStateKind(kind)))
      continue;
    AxisSet parts = getPartAxes(function.getResultAttrDict(result));
    if (AxisSet own = analysis.get(operand.get()).own & ~parts)
      error(operand.get().getLoc())
          << "the new value of the " << (param ? "parameter '" : "state '")
          << (param ? param : state).getValue()
          << "' would differ between the ranks along " << listAxes(own, mesh)
          << ": it is computed from what each has for itself; exchange that "
             "first (te-parallelize, te-reduce-amaxes)";
  }
}
