// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear layers, norms and embeddings.

#include "ImportLlama.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static bool isFloat(Value value) {
  return isa<FloatType>(tensorType(value).getElementType());
}

/// A value as a vector of `size` floats, when its shape is [size] or [1,size].
static Value toVector(GraphImporter &importer, Location loc, Value value,
                      int64_t size) {
  auto shape = tensorType(value).getShape();
  if (!isFloat(value) || shape.empty() || shape.back() != size ||
      tensorType(value).getNumElements() != size)
    return {};
  return importer.reshape(loc, value, {size});
}

static LogicalResult importMatMul(GraphImporter &importer, const Node &node) {
  Value a = importer.getValue(node, 0), b = importer.getValue(node, 1);
  if (!a || !b)
    return failure();
  auto left = tensorType(a), right = tensorType(b);
  if (left.getRank() < 2 || right.getRank() != 2)
    return importer.unsupported(
        node, "only products of [..., K] with a matrix [K, N] are; attention "
              "is imported from the Attention operator, which "
              "scaled_dot_product_attention exports to with opset 23");
  if (!isFloat(a) || left.getElementType() != right.getElementType() ||
      left.getShape().back() != right.getDimSize(0))
    return importer.unsupported(node, "the types of its inputs do not fit");
  Location loc = importer.getLayerLoc(node, b);
  Value folded = importer.toMatrix(loc, a);
  auto type = RankedTensorType::get(
      {tensorType(folded).getDimSize(0), right.getDimSize(1)},
      left.getElementType());
  Value d = MatmulOp::create(importer.builder, loc, type, folded, b,
                             /*bias=*/Value(), /*addend=*/Value());
  SmallVector<int64_t> shape(left.getShape());
  shape.back() = right.getDimSize(1);
  importer.define(node, importer.reshape(loc, d, shape));
  return success();
}

static LogicalResult importGemm(GraphImporter &importer, const Node &node) {
  Value a = importer.getValue(node, 0), b = importer.getValue(node, 1);
  if (!a || !b)
    return failure();
  bool transA = node.getInt("transA").value_or(0) != 0;
  bool transB = node.getInt("transB").value_or(0) != 0;
  bool hasC = node.hasInput(2);
  if (node.getFloat("alpha").value_or(1.0f) != 1.0f ||
      (node.getFloat("beta").value_or(1.0f) != 1.0f && hasC))
    return importer.unsupported(node, "it scales by alpha or beta");
  auto left = tensorType(a), right = tensorType(b);
  if (left.getRank() != 2 || right.getRank() != 2 || !isFloat(a) ||
      left.getElementType() != right.getElementType() ||
      left.getDimSize(transA ? 0 : 1) != right.getDimSize(transB ? 1 : 0))
    return importer.unsupported(node, "the types of its inputs do not fit");
  int64_t m = left.getDimSize(transA ? 1 : 0),
          n = right.getDimSize(transB ? 0 : 1);
  Location loc = importer.getLayerLoc(node, b);
  Value bias;
  if (hasC) {
    Value c = importer.getValue(node, 2);
    if (!c)
      return failure();
    bias = toVector(importer, loc, c, n);
    if (!bias)
      return importer.unsupported(node, "its C is not a bias of " + Twine(n) +
                                            " elements");
  }
  auto op = MatmulOp::create(
      importer.builder, loc,
      RankedTensorType::get({m, n}, left.getElementType()), a, b, bias,
      /*addend=*/Value());
  op.setTransposeA(transA);
  op.setTransposeB(transB);
  importer.define(node, op.getD());
  return success();
}

static LogicalResult importLayerNorm(GraphImporter &importer,
                                     const Node &node) {
  Value x = importer.getValue(node, 0), scale = importer.getValue(node, 1);
  if (!x || !scale)
    return failure();
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  int64_t axis = node.getInt("axis").value_or(-1);
  // Statistics are always in float32.
  (void)node.getInt("stash_type");
  if (shape.empty() || !isFloat(x) ||
      (axis != -1 && axis != int64_t(shape.size()) - 1))
    return importer.unsupported(node, "it normalizes over more than the last "
                                      "dimension");
  Location loc = importer.getLayerLoc(node, scale);
  int64_t n = shape.back();
  Value gamma = toVector(importer, loc, scale, n), beta;
  if (node.hasInput(2)) {
    Value bias = importer.getValue(node, 2);
    if (!bias)
      return failure();
    beta = toVector(importer, loc, bias, n);
  } else {
    beta = importer.splat(
        loc, RankedTensorType::get({n}, tensorType(x).getElementType()), 0.0);
  }
  if (!gamma || !beta)
    return importer.unsupported(node, "its scale or bias is not a vector of " +
                                          Twine(n) + " floats");
  float eps = node.getFloat("epsilon").value_or(1e-5f);
  auto op = LayerNormOp::create(importer.builder, loc,
                                importer.toMatrix(loc, x), gamma, beta, eps);
  importer.define(node, importer.reshape(loc, op.getY(), shape));
  return success();
}

/// Whether the constant counts 0, 1, 2, ... in row-major order.
static bool isIota(ArrayRef<int64_t> values) {
  return llvm::equal(values, llvm::seq<int64_t>(0, values.size()));
}

/// A lookup in a table: te.embedding, or the table's own first rows when the
/// ids are known to count from 0 (position embeddings).
static LogicalResult importGather(GraphImporter &importer, const Node &node) {
  Value table = importer.getValue(node, 0);
  if (!table)
    return failure();
  auto type = tensorType(table);
  if (node.getInt("axis").value_or(0) != 0 || type.getRank() != 2 ||
      !isFloat(table))
    return importer.unsupported(
        node, "only lookups of rows in a matrix of floats are");
  Location loc = importer.getLayerLoc(node, table);
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  Value y;
  SmallVector<int64_t> shape;
  const ConstantTensor *constant = importer.getConstant(node, 1);
  if (constant) {
    auto ids = importer.getInts(node, 1);
    if (failed(ids))
      return failure();
    llvm::append_range(shape, constant->getShape());
    for (int64_t id : *ids)
      if (id < 0 || id >= rows)
        return importer.unsupported(node, "index " + Twine(id) +
                                              " is outside its table of " +
                                              Twine(rows) + " rows");
    if (ids->empty())
      return importer.unsupported(node, "it looks up nothing");
    if (isIota(*ids)) {
      int64_t count = ids->size();
      OpBuilder &b = importer.builder;
      y = count == rows ? table
                        : tensor::ExtractSliceOp::create(
                              b, loc,
                              RankedTensorType::get({count, columns},
                                                    type.getElementType()),
                              table,
                              ArrayRef<OpFoldResult>{b.getIndexAttr(0),
                                                     b.getIndexAttr(0)},
                              ArrayRef<OpFoldResult>{b.getIndexAttr(count),
                                                     b.getIndexAttr(columns)},
                              ArrayRef<OpFoldResult>{b.getIndexAttr(1),
                                                     b.getIndexAttr(1)});
    }
  }
  if (!y) {
    Value ids = importer.getValue(node, 1);
    if (!ids)
      return failure();
    auto idType = tensorType(ids);
    if (!idType.getElementType().isInteger(64) &&
        !idType.getElementType().isInteger(32))
      return importer.unsupported(node, "its ids are not integers");
    shape.assign(idType.getShape().begin(), idType.getShape().end());
    Value vector = importer.reshape(loc, ids, {idType.getNumElements()});
    y = EmbeddingOp::create(
        importer.builder, loc,
        RankedTensorType::get({idType.getNumElements(), columns},
                              type.getElementType()),
        vector, table);
  }
  shape.push_back(columns);
  importer.define(node, importer.reshape(loc, y, shape));
  return success();
}

void mlir::te::onnx_import::populateLinearHandlers(HandlerTable &table) {
  table["MatMul"] = importMatMul;
  table["Gemm"] = importGemm;
  table["LayerNormalization"] = importLayerNorm;
  table["Gather"] = importGather;
  populateLlamaHandlers(table);
}
