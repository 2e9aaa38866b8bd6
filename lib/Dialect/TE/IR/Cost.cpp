// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CostOpInterface and EpilogueOpInterface: what the ops' kernels have to do,
// and what a product's epilogue could do of it.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/AttentionCost.h"

using namespace mlir;
using namespace mlir::te;

double mlir::te::getBytes(Type type) {
  auto shaped = dyn_cast_if_present<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() ||
      !shaped.getElementType().isIntOrFloat())
    return 0;
  double bytes = llvm::divideCeil(shaped.getElementTypeBitWidth(), 8);
  // In floating point: sizes that overflow are somebody else's error.
  for (int64_t size : shaped.getShape())
    bytes *= double(size);
  return bytes;
}

static double getElementBytes(Type type) {
  return type && type.isIntOrFloat()
             ? double(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8))
             : 0;
}

double MatrixProduct::getBytes() const {
  double result = double(m) * double(n) * getElementBytes(d);
  return double(m) * double(k) * getElementBytes(a) +
         double(k) * double(n) * getElementBytes(b) + result * (addToD ? 2 : 1);
}

void Work::addExtra(StringRef extra) {
  extras.insert(llvm::lower_bound(extras, extra), extra);
}

std::string Work::getName() const {
  std::string name = kernel.str();
  for (StringRef extra : extras)
    name += "+" + extra.str();
  return name;
}

Work Work::ofProduct(StringRef kernel, const MatrixProduct &product) {
  Work work;
  work.kernel = kernel;
  work.bytes = product.getBytes();
  work.flops = product.getFlops();
  // Of two FP8 types the tensor cores make no difference.
  work.math = product.a;
  work.product = product;
  return work;
}

Work mlir::te::moves(Operation *op) {
  Work work;
  work.kernel = op->getName().stripDialect();
  for (Type type : op->getOperandTypes())
    work.bytes += getBytes(type);
  for (Type type : op->getResultTypes())
    work.bytes += getBytes(type);
  return work;
}

static Type elementTypeOf(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}

Work MatmulOp::getWork() {
  MatrixProduct product{getM(),
                        getN(),
                        getK(),
                        elementTypeOf(getA()),
                        elementTypeOf(getB()),
                        elementTypeOf(getD())};
  product.transposeA = getTransposeA();
  product.transposeB = getTransposeB();
  product.hasBias = bool(getBias());
  product.addToD = bool(getAddend());
  return Work::ofProduct("matmul", product);
}

Work ScaledMatmulOp::getWork() {
  MatrixProduct product{
      getD().getType().getDimSize(0), getD().getType().getDimSize(1),
      getA().getType().getDimSize(1), elementTypeOf(getA()),
      elementTypeOf(getB()),          elementTypeOf(getD())};
  product.transposeB = true;
  product.hasBias = bool(getBias());
  product.addToD = bool(getAddend());
  product.fastAccumulate = getAccumulate() == Accumulate::Fast;
  return Work::ofProduct("scaled_matmul", product);
}

//===----------------------------------------------------------------------===//
// EpilogueOpInterface
//===----------------------------------------------------------------------===//

/// A quantization in a kernel of its own of what `x` is.
static Work quantizes(Type x, Value rowwise, Value columnwise) {
  Work work;
  work.kernel = "quantize";
  work.bytes = getBytes(x);
  for (Value copy : {rowwise, columnwise})
    if (copy)
      work.bytes += getBytes(copy.getType());
  return work;
}

// The epilogue writes the argument, for the backward pass, and the row-wise
// copy; the column-wise one has to be transposed from that.
std::optional<ProductEpilogue> ActivationOp::getEpilogue() {
  if (getKind() != ActivationKind::GeluTanh || !getScale() ||
      getX().hasOneUse())
    return std::nullopt;
  ProductEpilogue epilogue{getX(), "gelu_aux", "GELU", {}};
  if (Value columnwise = getColumnwise())
    epilogue.rest.push_back(
        quantizes(columnwise.getType(), Value(), columnwise));
  return epilogue;
}

// An epilogue that sums rows writes bf16, which is quantized afterwards.
std::optional<ProductEpilogue> ActivationGradOp::getEpilogue() {
  if (getKind() != ActivationKind::GeluTanh || !getScale() || !getDbias() ||
      !getDy().hasOneUse())
    return std::nullopt;
  return ProductEpilogue{
      getDy(),
      "dgelu_bgrad",
      "the gradients of GELU and of the bias",
      {quantizes(getDy().getType(), getRowwise(), getColumnwise())}};
}

//===----------------------------------------------------------------------===//
// Kernels that move data
//===----------------------------------------------------------------------===//

Work mlir::te::movesAndMore(Operation *op, bool sumsRows, bool quantizes) {
  Work work = moves(op);
  if (sumsRows)
    work.addExtra("dbias");
  if (quantizes)
    work.addExtra("quantize");
  return work;
}

Work QuantizeOp::getWork() {
  return movesAndMore(*this, bool(getDbias()), /*quantizes=*/false);
}

Work LayerNormOp::getWork() {
  return movesAndMore(*this, /*sumsRows=*/false, bool(getScale()));
}

Work LayerNormGradOp::getWork() {
  return movesAndMore(*this, bool(getDbias()), bool(getScale()));
}

Work ActivationOp::getWork() {
  return movesAndMore(*this, /*sumsRows=*/false, bool(getScale()));
}

Work ActivationGradOp::getWork() {
  return movesAndMore(*this, bool(getDbias()), bool(getScale()));
}

// Of the table only the rows that ids name are read.
Work EmbeddingOp::getWork() {
  Work work = moves(*this);
  work.bytes += getBytes(getY().getType()) - getBytes(getTable().getType());
  return work;
}

void mlir::te::addAttention(Work &work, const AttentionProblem &problem,
                            int products) {
  const auto [q, k, layout, causal, window, isPart] = problem;
  int sequence = layout == AttentionLayout::BHSD   ? 2
                 : layout == AttentionLayout::SBHD ? 0
                                                   : 1;
  double keys = double(k.getDimSize(sequence));
  // Parts see as much as the whole on average.
  double queries = isPart ? keys : double(q.getDimSize(sequence));
  // Query i of the last rows sees all keys but those after it.
  double seen = keys;
  if (causal && queries > 0)
    seen = queries <= keys ? keys - (queries - 1) / 2
                           : keys * (keys + 1) / 2 / queries;
  if (window > 0 && queries > 0) {
    seen = 0;
    for (double i = 0; i < queries; ++i) {
      double last = i + keys - queries, end = causal ? last + 1 : keys;
      seen += std::max(0.0, std::min(end, keys) -
                                std::max(0.0, last + 1 - double(window)));
    }
    seen /= queries;
  }
  double elements = 1;
  for (int64_t size : q.getShape())
    elements *= double(size);
  work.flops = 2.0 * products * elements * seen;
  work.math = q.getElementType();
  work.addExtra(q.getDimSize(3) <= 64 ? "d64" : "d128");
}

template <typename Op> static Work attends(Op op, int products) {
  Work work = moves(op);
  addAttention(work,
               {cast<ShapedType>(op.getQ().getType()),
                cast<ShapedType>(op.getK().getType()), op.getLayout(),
                op.getCausal(), int64_t(op.getWindow()),
                op.getQueryAxes() != 0},
               products);
  return work;
}

Work AttentionOp::getWork() { return attends(*this, /*products=*/2); }

Work AttentionGradOp::getWork() { return attends(*this, /*products=*/5); }
