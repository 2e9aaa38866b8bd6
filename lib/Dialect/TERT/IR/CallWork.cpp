// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of runtime calls. Most of them move their tensors; the others
// implement te's CostOpInterface.

#include "te/Dialect/TERT/IR/CallWork.h"

#include "te/Dialect/TE/IR/AttentionCost.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TERT/IR/TERT.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::tert;

/// The kernel's name in cost models: an update of several parameters has the
/// name of a single update, a call that also recomputes a copy that of the
/// plain call; the actual name of a generated kernel differs by program.
static StringRef getKernelName(Operation *op) {
  if (isa<LaunchOp>(op))
    return "generated";
  StringRef name = op->getName().stripDialect();
  name.consume_front("multi_");
  name.consume_front("add_");
  name.consume_back("_recompute");
  return name;
}

/// Every tensor is moved once, and twice if it is read before it is written.
static Work movesTensors(Operation *op) {
  auto call = cast<RuntimeCallOpInterface>(op);
  auto inits = cast<DestinationStyleOpInterface>(op).getDpsInitsMutable();
  Work work;
  work.kernel = getKernelName(op);
  bool quantizes = false, sumsRows = false;
  for (OpOperand &operand : op->getOpOperands()) {
    double bytes = getBytes(operand.get().getType());
    work.bytes += bytes;
    StringRef name = call.getOperandName(operand);
    quantizes |= name == "rowwise" || name == "columnwise";
    sumsRows |= name == "dbias";
  }
  // A generated kernel reports that it may read all its results.
  if (!isa<LaunchOp>(op))
    for (OpOperand &init : inits)
      if (call.readsInit(init))
        work.bytes += getBytes(init.get().getType());
  if (quantizes && work.kernel != "quantize")
    work.addExtra("quantize");
  if (sumsRows)
    work.addExtra("dbias");
  return work;
}

std::optional<Work> mlir::te::tert::getCallWork(Operation *op) {
  if (auto known = dyn_cast<CostOpInterface>(op))
    return known.getWork();
  if (!isa<RuntimeCallOpInterface>(op) || communicatesAmongRanks(op) ||
      isa<AwaitOp>(op))
    return std::nullopt;
  return movesTensors(op);
}

//===----------------------------------------------------------------------===//
// CostOpInterface
//===----------------------------------------------------------------------===//

static ShapedType typeOf(Value value) {
  return cast<ShapedType>(value.getType());
}

static MatrixProduct getProduct(Value a, bool transposeA, Value b, Value d) {
  MatrixProduct product;
  product.m = typeOf(d).getDimSize(0);
  product.n = typeOf(d).getDimSize(1);
  product.k = typeOf(a).getDimSize(transposeA ? 0 : 1);
  product.a = typeOf(a).getElementType();
  product.b = typeOf(b).getElementType();
  product.d = typeOf(d).getElementType();
  product.transposeA = transposeA;
  return product;
}

static Work workOf(tert::MatmulOp op) {
  MatrixProduct product =
      getProduct(op.getA(), op.getTransposeA(), op.getB(), op.getD());
  product.transposeB = op.getTransposeB();
  product.hasBias = bool(op.getBias());
  product.addToD = op.getAddToD();
  return Work::ofProduct("matmul", product);
}

static Work workOf(tert::ScaledMatmulOp op) {
  MatrixProduct product =
      getProduct(op.getA(), /*transposeA=*/false, op.getB(), op.getD());
  product.transposeB = true;
  product.hasBias = bool(op.getBias());
  product.addToD = bool(op.getAddend());
  product.fastAccumulate = op.getAccumulate() == Accumulate::Fast;
  Work work = Work::ofProduct("scaled_matmul", product);
  if (StringRef scales = getScaledProduct(
          typeOf(op.getA()).getShape(), typeOf(op.getAScaleInv()).getShape(),
          typeOf(op.getB()).getShape(), typeOf(op.getBScaleInv()).getShape());
      !scales.empty())
    work.addExtra(scales);
  return work;
}

/// Each row is multiplied with one matrix, and all matrices are read; of wgrad
/// all rows are summed, into the matrices of all experts.
template <typename Op>
static Work multipliesExperts(Op op, StringRef kernel, bool isColumnwise) {
  const bool wgrad = op.getWgrad();
  ShapedType a = typeOf(op.getA()), d = typeOf(op.getD());
  const unsigned rows = wgrad && isColumnwise ? 1 : 0;
  MatrixProduct product =
      getProduct(op.getA(), wgrad && !isColumnwise, op.getB(), op.getD());
  product.m = a.getDimSize(wgrad ? 1 - rows : 0);
  product.n = d.getDimSize(1);
  product.k = a.getDimSize(wgrad ? rows : 1);
  product.transposeB = isColumnwise || op.getTransposeB();
  Work work = Work::ofProduct(kernel, product);
  work.bytes = movesTensors(op).bytes;
  return work;
}
static Work workOf(tert::ExpertMatmulOp op) {
  return multipliesExperts(op, "matmul", /*isColumnwise=*/false);
}
static Work workOf(tert::ScaledExpertMatmulOp op) {
  Work work = multipliesExperts(op, "scaled_matmul", /*isColumnwise=*/true);
  work.product->fastAccumulate = op.getAccumulate() == Accumulate::Fast;
  return work;
}

static Work workOf(QuantizeBlocksOp op) {
  Work work = movesTensors(op);
  Value scales = op.getRowwiseScaleInv() ? op.getRowwiseScaleInv()
                                         : op.getColumnwiseScaleInv();
  work.kernel = getBlockQuantization(typeOf(scales).getShape());
  return work;
}

template <typename Op>
static Work attends(Op op, int products, bool isPart = false) {
  Work work = movesTensors(op);
  addAttention(work,
               {typeOf(op.getQ()), typeOf(op.getK()), op.getLayout(),
                op.getCausal(), int64_t(op.getWindow()), isPart},
               products);
  return work;
}
static Work workOf(tert::AttentionOp op) { return attends(op, /*products=*/2); }
static Work workOf(tert::AttentionGradOp op) {
  return attends(op, /*products=*/5);
}
// The same kernels, launched once or twice.
static Work workOf(AttentionPartOp op) {
  Work work = attends(op, /*products=*/2, /*isPart=*/true);
  work.kernel = "attention";
  return work;
}
static Work workOf(AttentionPartGradOp op) {
  Work work = attends(op, /*products=*/5, /*isPart=*/true);
  work.kernel = "attention_grad";
  return work;
}

static Work workOf(tert::UpdateOp op) {
  Work work = movesTensors(op);
  if (StringRef rounding = getUpdateRounding(op.getParams().getTypes(),
                                             op.getStates().getTypes());
      !rounding.empty())
    work.addExtra(rounding);
  return work;
}

// Only the rows of the table that ids name are read.
static Work workOf(tert::EmbeddingOp op) {
  Work work = movesTensors(op);
  work.bytes +=
      getBytes(op.getY().getType()) - getBytes(op.getTable().getType());
  return work;
}

static Work workOf(EmbeddingPartOp op) {
  Work work;
  work.kernel = "embedding";
  work.bytes =
      getBytes(op.getIds().getType()) + 2 * getBytes(op.getY().getType());
  return work;
}

// Only the rows of the table that ids name are read and written.
template <typename Op> static Work addsRows(Op op) {
  Work work = movesTensors(op);
  work.kernel = "embedding_grad";
  double rows = double(typeOf(op.getDy()).getNumElements()) * sizeof(float);
  work.bytes += 2 * (rows - getBytes(op.getDtable().getType()));
  return work;
}
static Work workOf(tert::AddEmbeddingGradOp op) { return addsRows(op); }
static Work workOf(AddEmbeddingGradPartOp op) { return addsRows(op); }

// The rank's shard of x is as large as y; no communication.
template <typename Op> static Work slices(Op op) {
  Work work;
  work.kernel = "copy";
  work.bytes = 2 * getBytes(op.getY().getType());
  return work;
}
static Work workOf(tert::AllSliceOp op) { return slices(op); }
static Work workOf(tert::AllSliceSequenceOp op) { return slices(op); }

/// The number of ranks of the module's mesh along these axes; 1 without a mesh.
static int64_t countRanks(Operation *op, int32_t meshAxes) {
  int64_t ranks = 1;
  auto module = op->getParentOfType<ModuleOp>();
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (succeeded(mesh) && *mesh)
    for (auto [number, axis] : llvm::enumerate((*mesh)->getAxes()))
      if (meshAxes >> number & 1)
        ranks *= axis.size;
  return ranks;
}

// Each rank reads its shards, and a shard of replicated gradients.
static Work workOf(tert::ReduceNormOp op) {
  Work work;
  work.kernel = "global_norm";
  const double ranks =
      double(countRanks(op, static_cast<int32_t>(op.getAxes())));
  for (auto [gradient, isPart] :
       llvm::zip_equal(op.getGradients(), op.getIsPart()))
    work.bytes += getBytes(gradient.getType()) / (isPart ? 1 : ranks);
  return work;
}

namespace {
template <typename Op>
struct CallCosts : CostOpInterface::ExternalModel<CallCosts<Op>, Op> {
  Work getWork(Operation *op) const { return workOf(cast<Op>(op)); }
};

template <typename... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<CallCosts<Ops>>(*context), ...);
}
} // namespace

void mlir::te::tert::registerCostOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    attach<tert::MatmulOp, tert::ScaledMatmulOp, tert::ExpertMatmulOp,
           tert::ScaledExpertMatmulOp, tert::AttentionOp, QuantizeBlocksOp,
           tert::AttentionGradOp, AttentionPartOp, AttentionPartGradOp,
           tert::EmbeddingOp, EmbeddingPartOp, tert::UpdateOp,
           tert::AddEmbeddingGradOp, AddEmbeddingGradPartOp, tert::ReduceNormOp,
           tert::AllSliceOp, tert::AllSliceSequenceOp>(context);
  });
}
