// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the methods of ops share.

#include "OpMethods.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

static constexpr StringLiteral kResultSegmentSizes = "resultSegmentSizes";

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static std::string shapeToString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

LogicalResult mlir::te::verifyShape(Operation *op, StringRef what, Value value,
                                    ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return success();
  return op->emitOpError() << "expects " << what << " to have shape "
                           << shapeToString(shape) << ", but it is " << type;
}

LogicalResult mlir::te::verifyShapes(Operation *op,
                                     ArrayRef<ExpectedShape> values) {
  for (const ExpectedShape &expected : values)
    if (expected.value &&
        failed(verifyShape(op, expected.what, expected.value, expected.shape)))
      return failure();
  return success();
}

/// One dimension of a copy may be the value's own or that rounded up.
static bool isPaddedSize(int64_t size, int64_t padded) {
  return padded == size ||
         padded == static_cast<int64_t>(llvm::alignTo(size, kFp8Alignment));
}

LogicalResult mlir::te::verifyScale(Operation *op, StringRef what, Value scale,
                                    ArrayRef<int64_t> matrix) {
  auto type = cast<RankedTensorType>(scale.getType());
  if (getScaleBlock(matrix, type.getShape()))
    return success();
  return op->emitOpError()
         << "expects " << what << " to be a scalar, or [r, c] for blocks of a "
         << shapeToString(matrix)
         << " matrix whose sizes are powers of two, or all of a dimension, but "
            "it is "
         << type;
}

/// The sizes of the groups of results that an op defines.
static SmallVector<int32_t> getResultGroups(Operation *op) {
  auto sizes =
      cast<DenseI32ArrayAttr>(*op->getInherentAttr(kResultSegmentSizes));
  return SmallVector<int32_t>(sizes.asArrayRef());
}

LogicalResult mlir::te::verifyQuantizedResults(QuantizingOpInterface op,
                                               ArrayRef<int64_t> shape) {
  auto [self, source, scale, rowwise, columnwise, amax] = op.getQuantization();
  bool hasCopies = rowwise || columnwise;
  if (hasCopies && !scale)
    return op->emitOpError()
           << "has quantized results but no scale; add quantize(%scale)";
  // The amax is that of the float32 result, which nobody else could tell from
  // that of a result in bf16.
  if (amax && !scale && getResultGroups(op).front() != 0)
    return op->emitOpError() << "has an amax beside its result but no scale; "
                                "add quantize(%scale), or use te.amax";
  if (scale && !hasCopies && !amax)
    return op->emitOpError() << "has a scale but no quantized result";
  auto check = [&](StringRef what, Value copy, int64_t rows,
                   int64_t columns) -> LogicalResult {
    if (!copy)
      return success();
    auto type = cast<RankedTensorType>(copy.getType());
    if (isPaddedSize(rows, type.getDimSize(0)) &&
        isPaddedSize(columns, type.getDimSize(1)))
      return success();
    return op->emitOpError()
           << "expects the " << what << " copy to have shape "
           << shapeToString({rows, columns})
           << ", each dimension as it is or rounded up to a multiple of "
           << kFp8Alignment << ", but it is " << type;
  };
  if (failed(check("rowwise", rowwise, shape[0], shape[1])) ||
      failed(check("columnwise", columnwise, shape[1], shape[0])))
    return failure();
  if (rowwise && columnwise &&
      getElementTypeOrSelf(rowwise) != getElementTypeOrSelf(columnwise))
    return op->emitOpError()
           << "expects both copies to have one element type, but they are "
           << rowwise.getType() << " and " << columnwise.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Differentiation
//===----------------------------------------------------------------------===//

LogicalResult mlir::te::onlyCotangentOf(Operation *op, Value differentiable,
                                        ValueRange cotangents) {
  if (!differentiable)
    return op->emitOpError() << "is differentiated in its quantized form; run "
                                "te-differentiate before te-fuse";
  for (auto [result, cotangent] : llvm::zip_equal(op->getResults(), cotangents))
    if (cotangent && result != differentiable)
      return op->emitOpError()
             << "has no gradient for its result #" << result.getResultNumber()
             << ", which is saved for the backward pass only; compute what is "
                "needed of it from result #"
             << cast<OpResult>(differentiable).getResultNumber();
  return success();
}

//===----------------------------------------------------------------------===//
// Results of another form
//===----------------------------------------------------------------------===//

/// `op` anew with results of these types; `groups` are the sizes of the groups
/// of results that it defines.
static Operation *createWithResults(OpBuilder &builder, Operation *op,
                                    TypeRange types, ArrayRef<int32_t> groups) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(types);
  state.addAttributes(op->getAttrs());
  state.attributes.set(kResultSegmentSizes,
                       builder.getDenseI32ArrayAttr(groups));
  return builder.create(state);
}

Operation *mlir::te::createQuantizing(RewriterBase &rewriter, Operation *op,
                                      Type rowwise, Type columnwise,
                                      bool keepResult) {
  SmallVector<Type> types(op->getResultTypes());
  SmallVector<int32_t> groups = getResultGroups(op);
  // The copies and the amax stand behind the other results, but before a sum of
  // rows, and are not there yet.
  const bool canSum = isa<RowSummingOpInterface>(op);
  const unsigned place = types.size() - (canSum ? groups.back() : 0);
  MutableArrayRef<int32_t> copies =
      MutableArrayRef(groups).drop_back(canSum).take_back(3);
  const Type wanted[] = {rowwise, columnwise,
                         RankedTensorType::get({}, rewriter.getF32Type())};
  SmallVector<Type> added;
  for (auto [group, type] : llvm::zip_equal(copies, wanted))
    if (type) {
      group = 1;
      added.push_back(type);
    }
  types.insert(types.begin() + place, added.begin(), added.end());
  if (!keepResult) {
    groups.front() = 0;
    types.erase(types.begin());
  }
  Operation *quantizing = createWithResults(rewriter, op, types, groups);
  for (OpResult result : llvm::drop_begin(op->getResults())) {
    unsigned number = result.getResultNumber() - !keepResult;
    if (result.getResultNumber() >= place)
      number += added.size();
    rewriter.replaceAllUsesWith(result, quantizing->getResult(number));
  }
  return quantizing;
}

Value mlir::te::createSummingRows(RewriterBase &rewriter, Operation *op,
                                  Type type) {
  SmallVector<Type> types(op->getResultTypes());
  types.push_back(type);
  SmallVector<int32_t> groups = getResultGroups(op);
  groups.back() = 1;
  Operation *summing = createWithResults(rewriter, op, types, groups);
  rewriter.replaceOp(op, summing->getResults().drop_back());
  return summing->getResults().back();
}
