// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of costs, and the work of kernels that move data.

#include "OpMethods.h"

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

StringRef mlir::te::getBlockQuantization(ArrayRef<int64_t> scales) {
  return scales[1] == 1 ? "quantize_rows" : "quantize_blocks";
}

StringRef mlir::te::getUpdateRounding(TypeRange params, TypeRange states) {
  auto hasBits = [](unsigned bits) {
    return [bits](Type type) {
      return cast<ShapedType>(type).getElementTypeBitWidth() == bits;
    };
  };
  if (llvm::any_of(states, hasBits(8)))
    return "fp8";
  return llvm::any_of(params, hasBits(16)) || llvm::any_of(states, hasBits(16))
             ? "bf16"
             : "";
}

StringRef mlir::te::getScaledProduct(ArrayRef<int64_t> a,
                                     ArrayRef<int64_t> aScales,
                                     ArrayRef<int64_t> b,
                                     ArrayRef<int64_t> bScales) {
  // One of them may have a single scale.
  if (aScales.empty() && bScales.empty())
    return {};
  auto isOfRows = [](ArrayRef<int64_t> scales) {
    return scales.empty() || scales[1] == 1;
  };
  if (isOfRows(aScales) && isOfRows(bScales))
    return "row_scales";
  auto isOfVectors = [](ArrayRef<int64_t> matrix, ArrayRef<int64_t> scales) {
    return !scales.empty() && scales[0] == matrix[0];
  };
  return isOfVectors(a, aScales) && isOfVectors(b, bScales) ? "vector_scales"
                                                            : "block_scales";
}

Work mlir::te::getMovingWork(Operation *op) {
  Work work;
  work.kernel = op->getName().stripDialect();
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      work.bytes += getBytes(type);
  if (auto summing = dyn_cast<RowSummingOpInterface>(op);
      summing && summing.getRowSum())
    work.addExtra("dbias");
  if (isa<QuantizingProducerOpInterface>(op) &&
      cast<QuantizingOpInterface>(op).getQuantization().scale)
    work.addExtra("quantize");
  return work;
}
