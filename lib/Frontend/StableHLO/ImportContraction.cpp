// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions: matmul, einsum.

#include "ModuleImporter.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

/// The dimensions of one operand that are neither batch nor contracted.
static SmallVector<int64_t> getFree(int64_t rank, ArrayRef<int64_t> batch,
                                    ArrayRef<int64_t> summed) {
  SmallVector<int64_t> free;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(summed, dim))
      free.push_back(dim);
  return free;
}

static LogicalResult importDotGeneral(ModuleImporter &importer,
                                      const HloOp &op) {
  auto numbers = op.getDimensionNumbers("dot_dimension_numbers", "dot");
  if (op->getNumOperands() != 2 || !numbers)
    return importer.unsupported(op, "its dimension numbers are not known");
  auto aType = op.getOperandType(0), bType = op.getOperandType(1);
  SmallVector<int64_t> aBatch = numbers->lookup("lhs_batching_dimensions"),
                       bBatch = numbers->lookup("rhs_batching_dimensions"),
                       aSums = numbers->lookup("lhs_contracting_dimensions"),
                       bSums = numbers->lookup("rhs_contracting_dimensions");
  auto all = [](ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
    SmallVector<int64_t> dims(first);
    dims.append(second.begin(), second.end());
    return dims;
  };
  bool fits = aBatch.size() == bBatch.size() && aSums.size() == bSums.size() &&
              areDimensions(all(aBatch, aSums), aType.getRank()) &&
              areDimensions(all(bBatch, bSums), bType.getRank());
  if (fits)
    for (auto [i, j] : llvm::zip(all(aBatch, aSums), all(bBatch, bSums)))
      fits &= aType.getDimSize(i) == bType.getDimSize(j);
  if (!fits)
    return importer.unsupported(op, "its dimensions do not fit its operands");
  SmallVector<int64_t> aFree = getFree(aType.getRank(), aBatch, aSums),
                       bFree = getFree(bType.getRank(), bBatch, bSums), shape;
  // A label for every dimension; the result has the batch, then the free
  // dimensions.
  SmallVector<unsigned> aLabels(aType.getRank()), bLabels(bType.getRank()),
      result;
  unsigned next = 0;
  for (auto [i, j] : llvm::zip(aBatch, bBatch)) {
    shape.push_back(aType.getDimSize(i));
    aLabels[i] = bLabels[j] = next;
    result.push_back(next++);
  }
  for (int64_t dim : aFree) {
    shape.push_back(aType.getDimSize(dim));
    aLabels[dim] = next;
    result.push_back(next++);
  }
  for (int64_t dim : bFree) {
    shape.push_back(bType.getDimSize(dim));
    bLabels[dim] = next;
    result.push_back(next++);
  }
  for (auto [i, j] : llvm::zip(aSums, bSums))
    aLabels[i] = bLabels[j] = next++;
  if (op.getShape() != ArrayRef<int64_t>(shape))
    return importer.unsupported(op, "its type does not fit its operands");
  Type element = op.getType().getElementType();
  for (Type type : {aType.getElementType(), bType.getElementType(), element})
    if (!isa<FloatType>(type))
      return importer.unsupported(op, "it multiplies integers");
  Value a = importer.getValue(op, 0), b = importer.getValue(op, 1);
  if (!a || !b)
    return failure();
  // A layer's product is named after its weight.
  Value weight = importer.getParameterName(b).empty() ? a : b;
  TensorMath math(importer, importer.getLayerLoc(op, weight));
  // Sums have the type of the left operand.
  if (element != aType.getElementType())
    a = math.convert(a, element);
  return importer.define(op, math.contract(a, aLabels, b, bLabels, result));
}

void mlir::te::stablehlo_import::populateContractionHandlers(
    HandlerTable &table) {
  table["stablehlo.dot_general"] = importDotGeneral;
}
