// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear layers, norms and embeddings.

#include "BroadcastOperand.h"
#include "TensorMath.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// The product of [..., K] and one matrix [K, N], as of a linear layer.
static Value multiplyByMatrix(GraphImporter &importer, const Node &node,
                              Value a, Value b) {
  Location loc = importer.getLayerLoc(node, b);
  Value folded = importer.toMatrix(loc, a);
  auto left = tensorType(a), right = tensorType(b);
  auto type = RankedTensorType::get(
      {tensorType(folded).getDimSize(0), right.getDimSize(1)},
      left.getElementType());
  Value d = MatmulOp::create(importer.builder, loc, type, folded, b,
                             /*bias=*/Value(), /*addend=*/Value());
  SmallVector<int64_t> shape(left.getShape());
  shape.back() = right.getDimSize(1);
  return importer.reshape(loc, d, shape);
}

/// The products of the matrices of two batches, broadcast against each other: a
/// contraction that keeps the dimensions of the batch.
static Value multiplyBatches(TensorMath &math, Value a, Value b,
                             ArrayRef<int64_t> batch) {
  // Loops: the batch, then m, n, k.
  unsigned m = batch.size(), n = m + 1, k = m + 2;
  SmallVector<unsigned> labels[2], result;
  Value operands[2] = {a, b};
  for (int side : {0, 1}) {
    ArrayRef<int64_t> shape = tensorType(operands[side]).getShape();
    int64_t shift = int64_t(batch.size()) - (int64_t(shape.size()) - 2);
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < int64_t(shape.size()) - 2; ++dim)
      if (shape[dim] == batch[dim + shift]) {
        labels[side].push_back(dim + shift);
        kept.push_back(shape[dim]);
      }
    labels[side].append(side == 0 ? SmallVector<unsigned>{m, k}
                                  : SmallVector<unsigned>{k, n});
    llvm::append_range(kept, shape.take_back(2));
    operands[side] = math.reshape(operands[side], kept);
  }
  for (unsigned dim = 0; dim < batch.size(); ++dim)
    result.push_back(dim);
  result.append({m, n});
  return math.contract(operands[0], labels[0], operands[1], labels[1], result);
}

static LogicalResult importMatMul(GraphImporter &importer, const Node &node) {
  Value a = importer.getValue(node, 0), b = importer.getValue(node, 1);
  if (!a || !b)
    return failure();
  // A product of constants is no layer, and may be one of integers.
  bool isLayer =
      !importer.getConstant(node, 0) || !importer.getConstant(node, 1);
  if ((isLayer && !isFloat(a)) ||
      tensorType(a).getElementType() != tensorType(b).getElementType() ||
      tensorType(a).getRank() < 1 || tensorType(b).getRank() < 1)
    return importer.unsupported(node, "the types of its inputs do not fit");
  TensorMath math(importer, node.getLoc());
  // A vector is a row on the left, a column on the right.
  SmallVector<int64_t> left(tensorType(a).getShape()),
      right(tensorType(b).getShape());
  bool isRow = left.size() == 1, isColumn = right.size() == 1;
  if (isRow)
    left.insert(left.begin(), 1);
  if (isColumn)
    right.push_back(1);
  auto batch = broadcastShapes({ArrayRef<int64_t>(left).drop_back(2),
                                ArrayRef<int64_t>(right).drop_back(2)});
  if (left.back() != right[right.size() - 2] || !batch)
    return importer.unsupported(node, "the types of its inputs do not fit");
  SmallVector<int64_t> shape(batch->begin(), batch->end());
  if (!isRow)
    shape.push_back(left[left.size() - 2]);
  if (!isColumn)
    shape.push_back(right.back());
  a = math.reshape(a, left);
  Value d;
  if (isLayer &&
      ShapedType::getNumElements(ArrayRef<int64_t>(right).drop_back(2)) == 1)
    d = multiplyByMatrix(
        importer, node, a,
        math.reshape(b, {right[right.size() - 2], right.back()}));
  else
    d = multiplyBatches(math, a, math.reshape(b, right), *batch);
  return importer.define(node, math.reshape(d, shape));
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

/// The dimensions of an operand by letters; "..." becomes capitals that are not
/// used otherwise.
static std::optional<std::string> spellOut(StringRef term, int64_t rank) {
  size_t at = term.find("...");
  if (at == StringRef::npos)
    return int64_t(term.size()) == rank ? std::optional<std::string>(term.str())
                                        : std::nullopt;
  int64_t hidden = rank - (int64_t(term.size()) - 3);
  if (hidden < 0 || hidden > 8)
    return std::nullopt;
  std::string text = term.take_front(at).str();
  // Aligned on the right, as in NumPy broadcasting.
  for (int64_t i = 8 - hidden; i < 8; ++i)
    text.push_back(char('0' + i));
  return text + term.drop_front(at + 3).str();
}

static LogicalResult importEinsum(GraphImporter &importer, const Node &node) {
  std::string equation = node.getString("equation").value_or("").str();
  llvm::erase(equation, ' ');
  auto [inputs, output] = StringRef(equation).split("->");
  SmallVector<StringRef> terms;
  inputs.split(terms, ',');
  if (equation.find("->") == std::string::npos ||
      terms.size() != node.getNumInputs() || terms.size() < 1 ||
      terms.size() > 2)
    return importer.unsupported(
        node, "its equation '" + equation +
                  "' is not of one or two operands with a result written out");
  SmallVector<Value> operands;
  SmallVector<std::string> letters;
  int64_t hidden = 0;
  for (auto [i, term] : llvm::enumerate(terms)) {
    operands.push_back(importer.getValue(node, i));
    if (!operands.back())
      return failure();
    auto spelled = spellOut(term, tensorType(operands.back()).getRank());
    bool repeats = spelled && llvm::any_of(*spelled, [&](char c) {
                     return llvm::count(*spelled, c) > 1;
                   });
    if (!isFloat(operands.back()) || !spelled || repeats)
      return importer.unsupported(node, "its equation '" + equation +
                                            "' does not fit its inputs");
    hidden = std::max<int64_t>(hidden, llvm::count_if(*spelled, [](char c) {
                                 return llvm::isDigit(c);
                               }));
    letters.push_back(*spelled);
  }
  std::string result = output.str();
  if (size_t at = result.find("..."); at != std::string::npos) {
    std::string digits;
    for (int64_t i = 8 - hidden; i < 8; ++i)
      digits.push_back(char('0' + i));
    result.replace(at, 3, digits);
  }
  TensorMath math(importer, node.getLoc());
  // Loops in the order of the result, then those summed over. A broadcast
  // dimension of size 1 is dropped from its operand.
  std::string loops = result;
  llvm::StringMap<int64_t> sizes;
  for (auto [operand, own] : llvm::zip(operands, letters))
    for (auto [letter, size] : llvm::zip(own, tensorType(operand).getShape())) {
      int64_t &known =
          sizes.try_emplace(StringRef(&letter, 1), 1).first->second;
      if (size != 1 && known != 1 && size != known)
        return importer.unsupported(node,
                                    "the shapes of its inputs do not fit");
      known = std::max(known, size);
      if (loops.find(letter) == std::string::npos)
        loops.push_back(letter);
    }
  SmallVector<int64_t> shape;
  for (char letter : result) {
    if (!sizes.contains(StringRef(&letter, 1)))
      return importer.unsupported(node, "its equation '" + equation +
                                            "' does not fit its inputs");
    shape.push_back(sizes[StringRef(&letter, 1)]);
  }
  if (operands.size() == 1) {
    operands.push_back(math.number(
        RankedTensorType::get({}, tensorType(operands[0]).getElementType()),
        1));
    letters.push_back("");
  }
  SmallVector<unsigned> labels[2], resultLabels;
  // Sizes of 1 have no effect.
  SmallVector<char> live;
  for (char letter : loops)
    if (sizes[StringRef(&letter, 1)] != 1)
      live.push_back(letter);
  auto labelOf = [&](char letter) {
    return unsigned(llvm::find(live, letter) - live.begin());
  };
  SmallVector<int64_t> liveShape;
  for (char letter : result)
    if (sizes[StringRef(&letter, 1)] != 1) {
      resultLabels.push_back(labelOf(letter));
      liveShape.push_back(sizes[StringRef(&letter, 1)]);
    }
  for (int side : {0, 1}) {
    SmallVector<int64_t> kept;
    for (auto [letter, size] :
         llvm::zip(letters[side], tensorType(operands[side]).getShape()))
      if (size != 1) {
        labels[side].push_back(labelOf(letter));
        kept.push_back(size);
      }
    operands[side] = math.reshape(operands[side], kept);
  }
  return importer.define(
      node, math.reshape(math.contract(operands[0], labels[0], operands[1],
                                       labels[1], resultLabels),
                         shape));
}

static LogicalResult importGemm(GraphImporter &importer, const Node &node) {
  Value a = importer.getValue(node, 0), b = importer.getValue(node, 1);
  if (!a || !b)
    return failure();
  bool transA = node.getInt("transA").value_or(0) != 0;
  bool transB = node.getInt("transB").value_or(0) != 0;
  bool hasC = node.hasInput(2);
  float alpha = node.getFloat("alpha").value_or(1.0f);
  float beta = node.getFloat("beta").value_or(1.0f);
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
  TensorMath math(importer, loc);
  auto scaled = [&](Value value, float by) -> Value {
    if (by == 1.0f)
      return value;
    return math.apply<arith::MulFOp>(value, math.number(tensorType(value), by));
  };
  a = scaled(a, alpha);
  bias = bias ? scaled(bias, beta) : bias;
  auto op = MatmulOp::create(
      importer.builder, loc,
      RankedTensorType::get({m, n}, left.getElementType()), a, b, bias,
      /*addend=*/Value());
  op.setTransposeA(transA);
  op.setTransposeB(transB);
  return importer.define(node, op.getD());
}

/// True if the constant counts 0, 1, 2, ... in row-major order.
static bool isIota(ArrayRef<int64_t> values) {
  return llvm::equal(values, llvm::seq<int64_t>(0, values.size()));
}

/// A lookup in a table: te.embedding, or the table's own first rows if the ids
/// are known to count from 0 (position embeddings).
static LogicalResult importGather(GraphImporter &importer, const Node &node,
                                  Value table) {
  auto type = tensorType(table);
  if (type.getRank() == 0)
    return importer.unsupported(node, "its input is a number");
  bool isTable = node.getInt("axis").value_or(0) == 0 && type.getRank() == 2 &&
                 isFloat(table);
  if (const ConstantTensor *ids = importer.getConstant(node, 1);
      isTable && ids && ids->isInt())
    isTable = llvm::none_of(ids->toInts(), [](int64_t id) { return id < 0; });
  if (!isTable)
    return importGatherAlong(importer, node, table);
  Location loc = importer.getLayerLoc(node, table);
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  Value y;
  SmallVector<int64_t> shape;
  const ConstantTensor *constant = importer.getConstant(node, 1);
  if (constant) {
    if (!constant->isInt())
      return importer.unsupported(node, "its ids are not integers");
    SmallVector<int64_t> ids = constant->toInts();
    llvm::append_range(shape, constant->getShape());
    for (int64_t id : ids)
      if (id < 0 || id >= rows)
        return importer.unsupported(node, "index " + Twine(id) +
                                              " is outside its table of " +
                                              Twine(rows) + " rows");
    if (ids.empty())
      return importer.unsupported(node, "it looks up nothing");
    if (isIota(ids)) {
      int64_t count = ids.size();
      y = count == rows ? table
                        : sliceDim(importer.builder, loc, table, /*dim=*/0,
                                   /*first=*/0, count);
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
  return importer.define(node, importer.reshape(loc, y, shape));
}

void mlir::te::onnx_import::populateLinearHandlers(HandlerTable &table) {
  table["MatMul"] = importMatMul;
  table["Einsum"] = importEinsum;
  table["Gemm"] = importGemm;
  table["Gather"] = withValue(importGather);
}
