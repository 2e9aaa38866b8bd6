// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The discrete Fourier transform, as a product with its matrix: models use
// short ones to mix tokens and features.

#include "LinearMap.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

namespace {
struct Transform {
  int64_t axis;
  int64_t inputs;  ///< along the axis
  int64_t outputs; ///< along the axis
  int64_t length;  ///< of the transform
  bool isInverse, isOnesided;
  bool readsComplex, writesComplex;
};
} // namespace

/// The real part of `value`, [..., 2], if its imaginary part is a concatenated
/// zero, as for real numbers made complex. Null otherwise.
static Value getRealOnly(Value value) {
  auto concat = value.getDefiningOp<tensor::ConcatOp>();
  if (!concat || concat.getInputs().size() != 2 ||
      int64_t(concat.getDim()) != tensorType(value).getRank() - 1)
    return {};
  Value imaginary = concat.getInputs()[1];
  return matchPattern(imaginary, m_AnyZeroFloat()) ? concat.getInputs()[0]
                                                   : Value();
}

/// The matrix [inputs, 1 or 2, outputs, 1 or 2]. With w = 2π / length:
///   forward   X[k] = Σ x[n] e^(-iwnk)
///   inverse   x[n] = Σ X[k] e^(iwnk) / length
///   inverse of a half spectrum, whose other half is its conjugate:
///             x[n] = Σ c[k] (re X[k] cos wnk - im X[k] sin wnk) / length
///             with c = 1 for k = 0 and k = length / 2, 2 for all others
static std::vector<float> getMatrix(const Transform &t) {
  int64_t from = t.readsComplex ? 2 : 1, to = t.writesComplex ? 2 : 1;
  std::vector<float> matrix(t.inputs * from * t.outputs * to);
  double sign = t.isInverse ? 1 : -1;
  for (int64_t i = 0; i < std::min(t.inputs, t.length); ++i) {
    double factor = t.isInverse ? 1.0 / double(t.length) : 1;
    if (t.isInverse && t.isOnesided && i > 0 && 2 * i != t.length)
      factor *= 2 * i < t.length ? 2 : 0;
    for (int64_t o = 0; o < t.outputs; ++o) {
      // Exact for whole turns: the angle is reduced in integers.
      int64_t turns = int64_t((__int128(i) * o) % t.length);
      double angle = 2 * llvm::numbers::pi * double(turns) / double(t.length);
      double cosine = factor * std::cos(angle),
             sine = sign * factor * std::sin(angle);
      float *row = matrix.data() + (i * from * t.outputs + o) * to;
      row[0] = float(cosine);
      if (t.writesComplex)
        row[1] = float(sine);
      if (!t.readsComplex)
        continue;
      row += t.outputs * to;
      row[0] = float(-sine);
      if (t.writesComplex)
        row[1] = float(cosine);
    }
  }
  return matrix;
}

static LogicalResult importDFT(GraphImporter &importer, const Node &node,
                               Value x) {
  int64_t rank = tensorType(x).getRank();
  int64_t parts = rank ? tensorType(x).getShape().back() : 0;
  if (!isFloat(x) || rank < 2 || parts < 1 || parts > 2 ||
      tensorType(x).getNumElements() == 0)
    return importer.unsupported(
        node, "its input is not made of real numbers, [..., 1], or complex "
              "ones, [..., 2]");
  // An input since opset 20, with a different default.
  std::optional<int64_t> given = node.getInt("axis");
  auto readNumber = [&](size_t input, std::optional<int64_t> &number) {
    if (node.getNumInputs() <= input || !node.hasInput(input))
      return success();
    auto numbers = importer.getInts(node, input);
    if (failed(numbers))
      return LogicalResult(failure());
    if (numbers->size() != 1)
      return importer.unsupported(node,
                                  "its axis or its length is not a number");
    number = numbers->front();
    return success();
  };
  std::optional<int64_t> length;
  if (failed(readNumber(2, given)) || failed(readNumber(1, length)))
    return failure();
  if (!given && rank != 3)
    return importer.unsupported(node, "it does not say its axis, whose default "
                                      "depends on the version of ONNX");
  auto axis = getAxis(importer, node, given.value_or(1), rank);
  if (failed(axis))
    return failure();
  if (*axis == rank - 1)
    return importer.unsupported(node,
                                "its axis is that of real and imaginary parts");
  Transform t;
  t.axis = *axis;
  t.inputs = tensorType(x).getDimSize(t.axis);
  t.isInverse = node.getInt("inverse").value_or(0) != 0;
  t.isOnesided = node.getInt("onesided").value_or(0) != 0;
  t.readsComplex = parts == 2;
  if (t.isOnesided && t.isInverse != t.readsComplex)
    return importer.unsupported(
        node, "it is onesided, but not of real numbers (onesided and inverse: "
              "of complex ones)");
  t.writesComplex = !(t.isOnesided && t.isInverse);
  t.length = length.value_or(t.isOnesided && t.isInverse ? 2 * (t.inputs - 1)
                                                         : t.inputs);
  if (t.length < 1 || t.length > kMostCoefficients ||
      t.inputs * 4 > kMostCoefficients / t.length)
    return importer.unsupported(node, "its length is 0, or its matrix is too "
                                      "large");
  t.outputs = t.isOnesided && !t.isInverse ? t.length / 2 + 1 : t.length;
  if (Value real = t.readsComplex ? getRealOnly(x) : Value();
      real && t.writesComplex) {
    t.readsComplex = false;
    x = real;
  }
  Value y = mapDimensions(importer, node, x, {t.axis, rank - 1}, getMatrix(t),
                          {t.outputs, t.writesComplex ? 2 : 1});
  if (!y)
    return failure();
  return importer.define(node, y);
}

void mlir::te::onnx_import::populateFourierHandlers(HandlerTable &table) {
  table["DFT"] = withValue(importDFT);
}
