// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/ReportData.h"

#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/RecomputedOps.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;

/// "e4m3", "bf16"
static std::string getFormatName(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  if (isa<Float8E4M3FNType>(type))
    return "e4m3";
  if (isa<Float8E5M2Type>(type))
    return "e5m2";
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static std::string getSizes(Value value) {
  std::string sizes;
  llvm::raw_string_ostream os(sizes);
  llvm::interleave(cast<ShapedType>(value.getType()).getShape(), os, "x");
  return sizes;
}

static std::optional<MatmulRole> findRole(Operation *op) {
  if (auto product = dyn_cast<ScaledProductOpInterface>(op))
    return product.getRole();
  auto product = dyn_cast<Fp8OpInterface>(op);
  if (!product)
    return std::nullopt;
  bool hasGradient = false, hasWeight = false;
  for (const Fp8Operand &operand : product.getFp8Operands()) {
    hasGradient |= operand.role == TensorRole::GradOutput;
    hasWeight |= operand.role == TensorRole::Weight;
  }
  return !hasGradient ? MatmulRole::Fprop
         : hasWeight  ? MatmulRole::Dgrad
                      : MatmulRole::Wgrad;
}

/// The layer, the sizes and the formats of a product. Returns false for ops
/// that are none of a layer.
static bool describeProduct(Operation *op, ReportOp &described) {
  std::optional<MatmulRole> role = findRole(op);
  if (!role || *role == MatmulRole::Other)
    return false;
  SmallVector<Value> operands;
  if (auto product = dyn_cast<ScaledProductOpInterface>(op)) {
    described.isFp8 = true;
    operands = {product.getA(), product.getB()};
    described.path = product.getLayerAttr() ? product.getLayerAttr().str() : "";
  } else {
    auto fp8Op = cast<Fp8OpInterface>(op);
    for (const Fp8Operand &operand : fp8Op.getFp8Operands())
      operands.push_back(op->getOperand(operand.operandNumber));
    if (StringAttr layer = fp8Op.getLayerAttr())
      described.path = layer.str();
  }
  if (operands.empty() || !isa<ShapedType>(op->getResult(0).getType()))
    return false;
  described.product = stringifyMatmulRole(*role).str();
  described.shape = llvm::join(llvm::map_range(operands, getSizes), ", ") +
                    " -> " + getSizes(op->getResult(0));
  described.formats =
      llvm::join(llvm::map_range(operands, getFormatName), " x ") + " -> " +
      getFormatName(op->getResult(0));
  return true;
}

/// Whether a picture has a place for an op: it computes with matrices, or
/// updates parameters.
static bool isShown(Operation *op) {
  if (isa<CastOpInterface, DataMovementOpInterface>(op))
    return false;
  if (isa<UpdateOp>(op))
    return true;
  auto isMatrix = [](Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    return shaped && shaped.getRank() > 1 &&
           isa<FloatType>(shaped.getElementType());
  };
  return llvm::any_of(op->getOperandTypes(), isMatrix) ||
         llvm::any_of(op->getResultTypes(), isMatrix);
}

static ReportGraph collectGraph(func::FuncOp func, StringRef name,
                                const CostModel &model) {
  ReportGraph graph;
  graph.entry = name.str();
  // The phase that an op without a role of its own belongs to.
  auto phase = ReportOp::Phase::Forward;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The norm of all gradients, or the first new value, ends the gradients.
    if (isa<GlobalNormOp, ReduceNormOp, UpdateGuardOpInterface, UpdateOp>(op))
      phase = ReportOp::Phase::Update;
    std::optional<Work> work = getWork(op);
    ReportOp described;
    const bool isProduct = describeProduct(op, described);
    const bool isLoss = isa<LossOpInterface>(op);
    // A row of its own it has already.
    if (op->hasAttr(kRecomputedAttr))
      return;
    if (!isProduct && (!work || !(isShown(op) || isLoss)))
      return;
    if (described.product == "dgrad" || described.product == "wgrad")
      phase = ReportOp::Phase::Backward;
    described.phase = phase;
    if (isLoss || described.product == "fprop")
      described.phase = ReportOp::Phase::Forward;
    else if (isa<UpdateScalesOp>(op)) // as soon as all amaxes are known
      described.phase = ReportOp::Phase::Update;
    // Parts of a loss that is computed piece by piece come behind it.
    if (isLoss)
      phase = std::max(phase, ReportOp::Phase::Backward);
    if (!isProduct)
      described.path = getModulePath(op).str();
    described.kernel =
        work ? work->kernel.str() : op->getName().stripDialect().str();
    if (work) {
      described.flops = work->flops;
      if (std::optional<Cost> cost = model.getCost(*work))
        described.seconds = cost->seconds;
    }
    graph.ops.push_back(std::move(described));
  });
  return graph;
}

std::vector<ReportGraph> mlir::te::collectGraphs(ModuleOp module) {
  CostModel model(module);
  std::vector<ReportGraph> graphs;
  for (auto func : module.getOps<func::FuncOp>()) {
    auto name = func->getAttrOfType<StringAttr>(kEntryAttr);
    if (!name)
      continue;
    ReportGraph graph = collectGraph(func, name, model);
    if (llvm::any_of(graph.ops,
                     [](const ReportOp &op) { return !op.product.empty(); }))
      graphs.push_back(std::move(graph));
  }
  return graphs;
}
