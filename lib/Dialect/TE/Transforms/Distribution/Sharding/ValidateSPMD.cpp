// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-validate-spmd: replicated values stay equal, and nothing is summed twice.

#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/IR/Matchers.h"

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
  void checkShards(Operation *op, const SpmdAnalysis &analysis,
                   const Mesh &mesh);
  void checkNorm(ReduceNormOp op, const SpmdAnalysis &analysis,
                 const Mesh &mesh);
  void checkGather(shard::AllGatherOp op, const SpmdAnalysis &analysis,
                   const Mesh &mesh);
  void checkAmaxes(Operation *op, const SpmdAnalysis &analysis,
                   const Mesh &mesh);
  void checkState(func::FuncOp function, OpOperand &result,
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
      error(op->getLoc()) << "sums over the ranks along "
                          << listAxes(again, mesh)
                          << " what a collective has made the same on all of "
                             "them: the sum is a "
                             "multiple of it";
    if (AxisSet cut = agreement.parts & axes)
      error(op->getLoc())
          << "sums over the ranks along " << listAxes(cut, mesh)
          << " what are shards of one tensor: it adds different "
             "elements to each "
             "other; gather them (shard.all_gather)";
  }
}

/// Only elementwise ops may take shards; others would take them for the full
/// tensor.
void TEValidateSPMD::checkShards(Operation *op, const SpmdAnalysis &analysis,
                                 const Mesh &mesh) {
  if (isElementwise(op) || op->hasTrait<OpTrait::IsTerminator>() ||
      movesShardElements(op) ||
      isa_and_present<shard::ShardDialect>(op->getDialect()) ||
      isa<ReduceScalarsOp, ReduceNormOp>(op))
    return;
  // The maximum or sum of a shard may be reduced later.
  bool isReduction = op->getNumRegions() == 0 && op->getNumResults() != 0 &&
                     llvm::all_of(op->getResultTypes(), [](Type type) {
                       auto tensor = dyn_cast<RankedTensorType>(type);
                       return tensor && tensor.getRank() == 0;
                     });
  AxisSet cut = 0;
  op->walk([&](Operation *inner) {
    // These ops know which of their operands is a shard.
    Value part;
    if (auto lookup = dyn_cast<SharedEmbeddingOp>(inner))
      part = lookup.getPart();
    else if (auto adds = dyn_cast<AddEmbeddingPartOp>(inner))
      part = adds.getPart();
    for (Value operand : inner->getOperands())
      if (operand != part)
        cut |= analysis.get(operand).parts;
  });
  if (cut && !isReduction)
    error(op->getLoc()) << "reads a rank's shard along " << listAxes(cut, mesh)
                        << " of a tensor as if it were replicated; gather it "
                           "first (te-shard-states)";
}

/// Operands declared as shards are shards, and those declared as replicated are
/// the same on all ranks.
void TEValidateSPMD::checkNorm(ReduceNormOp op, const SpmdAnalysis &analysis,
                               const Mesh &mesh) {
  AxisSet axes = toAxisSet(op.getGridAxes());
  for (auto [i, gradient] : llvm::enumerate(op.getGradients())) {
    Agreement agreement = analysis.get(gradient);
    bool isPart = op.getIsPart()[i] != 0;
    AxisSet wrong = isPart ? axes & ~agreement.parts
                           : axes & (agreement.parts | agreement.own);
    if (wrong)
      error(op.getLoc()) << "takes gradient " << i << " for "
                         << (isPart ? "shards of one tensor"
                                    : "the same on all ranks")
                         << " along " << listAxes(wrong, mesh)
                         << ", which it is not";
  }
}

/// FP8 bytes of several ranks mean the same values only with the same scale.
void TEValidateSPMD::checkGather(shard::AllGatherOp op,
                                 const SpmdAnalysis &analysis,
                                 const Mesh &mesh) {
  auto quantizing = op.getInput().getDefiningOp<QuantizingOpInterface>();
  if (!quantizing)
    return;
  Quantization quantization = quantizing.getQuantization();
  if (op.getInput() != quantization.rowwise &&
      op.getInput() != quantization.columnwise)
    return;
  AxisSet own =
      analysis.get(quantization.scale).own & toAxisSet(op.getGridAxes());
  if (own)
    error(op->getLoc()) << "gathers FP8 copies that the ranks along "
                        << listAxes(own, mesh)
                        << " quantized with scales of their own; make the "
                           "scale of an amax that is reduced over them";
}

/// Scales that are carried are the same on all ranks, and so are the amaxes
/// that they are made of.
void TEValidateSPMD::checkAmaxes(Operation *op, const SpmdAnalysis &analysis,
                                 const Mesh &mesh) {
  RecipeAttrInterface recipe = getRecipe(getOperation());
  std::optional<ScaleUpdate> update;
  if (recipe && !(update = recipe.getUpdate(op)))
    update = recipe.getRecord(op);
  if (!update)
    return;
  auto slots = getOperation()->getAttrOfType<ArrayAttr>(kSlotsAttr);
  for (auto [slot, amax] : llvm::enumerate(update->amaxes)) {
    AxisSet own = analysis.get(amax).own;
    if (!own)
      continue;
    InFlightDiagnostic diagnostic = error(op->getLoc());
    diagnostic << "reads as amax " << slot;
    if (slots && slot < slots.size())
      diagnostic << ", of " << slots[slot] << ",";
    diagnostic << " what each of the ranks along " << listAxes(own, mesh)
               << " measured; expects the maximum over them "
                  "(te-reduce-amaxes)";
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
    } else if (auto scatter = dyn_cast<shard::ReduceScatterOp>(op)) {
      if (scatter.getReduction() == shard::ReductionKind::Sum)
        checkSum(&op, scatter.getInput(), toAxisSet(scatter.getGridAxes()),
                 analysis, mesh);
    } else if (auto gather = dyn_cast<shard::AllGatherOp>(op)) {
      checkGather(gather, analysis, mesh);
    } else if (auto norm = dyn_cast<ReduceNormOp>(op)) {
      checkNorm(norm, analysis, mesh);
    } else if (auto collective = dyn_cast<ReduceScalarsOp>(op)) {
      checkSum(&op, collective.getSums(), toAxisSet(collective.getGridAxes()),
               analysis, mesh);
    }
    checkShards(&op, analysis, mesh);
    checkAmaxes(&op, analysis, mesh);
  }
  Operation *terminator = function.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    checkState(function, operand, analysis, mesh);
}

void TEValidateSPMD::checkState(func::FuncOp function, OpOperand &operand,
                                const SpmdAnalysis &analysis,
                                const Mesh &mesh) {
  unsigned result = operand.getOperandNumber();
  auto param = function.getResultAttrOfType<StringAttr>(result, kParamAttr);
  auto state = function.getResultAttrOfType<StringAttr>(result, kStateAttr);
  if (!param && !state)
    return;
  auto kind = function.getResultAttrOfType<StringAttr>(result, kKindAttr);
  auto shard = function.getResultAttrOfType<ShardAttr>(result, kShardAttr);
  const Agreement agreement = analysis.get(operand.get());
  auto complain = [&]() {
    return error(operand.get().getLoc())
           << "the new value of the " << (param ? "parameter '" : "state '")
           << (param ? param : state).getValue() << "' ";
  };
  const AxisSet flat = shard ? shard.getFlatAxes() : 0;
  // A splat is the same in every shard.
  SplatElementsAttr splat;
  const bool isUniform = matchPattern(operand.get(), m_Constant(&splat));
  if (AxisSet missing = flat & ~agreement.parts; missing && !isUniform)
    complain() << "is not the rank's shard of it along "
               << listAxes(missing, mesh)
               << ", which te.shard says it is; scatter it "
                  "(shard.reduce_scatter), or compute it from shards";
  else if (AxisSet cut = agreement.parts & ~flat)
    complain() << "is only the rank's shard of it along " << listAxes(cut, mesh)
               << "; gather it (shard.all_gather), or say so with te.shard";
  AxisSet allowed = flat | (shard ? shard.getDimAxes() : 0);
  if (kind && state && isOwnStateKind(kind))
    allowed |= analysis.getOwnAxes(kind) | ~analysis.getTerms();
  if (AxisSet own = agreement.own & ~allowed)
    complain()
        << "would differ between the ranks along " << listAxes(own, mesh)
        << ": it is computed from values that differ between them; reduce "
           "that first (te-parallelize, te-reduce-amaxes)";
}
