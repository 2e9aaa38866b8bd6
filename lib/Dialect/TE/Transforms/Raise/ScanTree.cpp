// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/ScanTree.h"

#include "Raise/Matchers.h"
#include "Raise/StridedView.h"

#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// What one token of a tensor is: of the tokens [first, end) the product of
/// decays, the state behind them from zero, or, with `middle`, the state behind
/// [first, middle) times the decays of [middle, end).
struct Part {
  enum Kind { Zero, Decay, State, DecayedState } kind;
  int64_t first = 0, middle = 0, end = 0;

  bool operator==(const Part &other) const {
    return kind == other.kind && first == other.first &&
           middle == other.middle && end == other.end;
  }
};
using Parts = SmallVector<Part>;

/// Follows the tokens of one pair of tensors through a block.
class TreeReader {
public:
  explicit TreeReader(const ScanTree &tree) : tree(tree) {
    Parts decays, inputs;
    for (int64_t token = 0; token < tree.tokens; ++token) {
      decays.push_back({Part::Decay, token, 0, token + 1});
      inputs.push_back({Part::State, token, 0, token + 1});
    }
    parts[tree.decay] = std::move(decays);
    parts[tree.input] = std::move(inputs);
  }

  /// Whether the op's result is the state behind each of all tokens.
  bool read(Operation *op);

private:
  std::optional<Parts> compute(Operation *op);
  std::optional<Parts> get(Value value);
  std::optional<Parts> slice(tensor::ExtractSliceOp op);
  std::optional<Parts> concat(tensor::ConcatOp op);
  /// The number of pieces that dimensions before `dim` divide the tokens into;
  /// nullopt if they do not.
  std::optional<int64_t> getPiecesBefore(ArrayRef<int64_t> shape, int64_t dim);

  const ScanTree &tree;
  llvm::DenseMap<Value, Parts> parts;
};
} // namespace

std::optional<Parts> TreeReader::get(Value value) {
  if (auto known = parts.find(value); known != parts.end())
    return known->second;
  if (!isZero(value))
    return std::nullopt;
  int64_t elements = tensorType(value).getNumElements();
  int64_t each = tree.outer * tree.inner;
  if (elements % each != 0)
    return std::nullopt;
  return Parts(elements / each, Part{Part::Zero});
}

std::optional<int64_t> TreeReader::getPiecesBefore(ArrayRef<int64_t> shape,
                                                   int64_t dim) {
  int64_t before = 1, behind = 1;
  for (int64_t i = 0; i < int64_t(shape.size()); ++i)
    (i < dim ? before : behind) *= i == dim ? 1 : shape[i];
  if (before % tree.outer != 0 || behind % tree.inner != 0)
    return std::nullopt;
  return before / tree.outer;
}

std::optional<Parts> TreeReader::slice(tensor::ExtractSliceOp op) {
  auto known = parts.find(op.getSource());
  ArrayRef<int64_t> shape = op.getSourceType().getShape();
  if (known == parts.end() ||
      ShapedType::isDynamicShape(op.getStaticOffsets()) ||
      ShapedType::isDynamicShape(op.getStaticStrides()))
    return std::nullopt;
  std::optional<int64_t> cut;
  for (auto [dim, size] : llvm::enumerate(op.getStaticSizes()))
    if (size != shape[dim]) {
      if (cut)
        return std::nullopt;
      cut = dim;
    }
  if (!cut)
    return known->second;
  std::optional<int64_t> pieces = getPiecesBefore(shape, *cut);
  if (!pieces)
    return std::nullopt;
  const Parts &all = known->second;
  int64_t run = int64_t(all.size()) / *pieces / shape[*cut];
  Parts result;
  for (int64_t piece = 0; piece < *pieces; ++piece)
    for (int64_t i = 0; i < op.getStaticSizes()[*cut]; ++i) {
      int64_t at =
          op.getStaticOffsets()[*cut] + i * op.getStaticStrides()[*cut];
      for (int64_t token = 0; token < run; ++token)
        result.push_back(all[(piece * shape[*cut] + at) * run + token]);
    }
  return result;
}

std::optional<Parts> TreeReader::concat(tensor::ConcatOp op) {
  std::optional<int64_t> pieces =
      getPiecesBefore(op.getType().getShape(), op.getDim());
  if (!pieces || *pieces == 0)
    return std::nullopt;
  SmallVector<Parts> inputs;
  for (Value input : op.getInputs()) {
    std::optional<Parts> own = get(input);
    if (!own || own->size() % *pieces != 0)
      return std::nullopt;
    inputs.push_back(std::move(*own));
  }
  Parts result;
  for (int64_t piece = 0; piece < *pieces; ++piece)
    for (const Parts &input : inputs) {
      size_t run = input.size() / *pieces;
      llvm::append_range(result, ArrayRef(input).slice(piece * run, run));
    }
  return result;
}

static std::optional<Part> multiply(const Part &a, const Part &b) {
  if (a.kind == Part::Decay && b.kind == Part::Decay) {
    if (a.end == b.first)
      return Part{Part::Decay, a.first, 0, b.end};
    if (b.end == a.first)
      return Part{Part::Decay, b.first, 0, a.end};
  }
  for (auto [decay, state] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (decay->kind == Part::Decay && state->kind == Part::State &&
        state->end == decay->first)
      return Part{Part::DecayedState, state->first, state->end, decay->end};
  return std::nullopt;
}

static std::optional<Part> add(const Part &a, const Part &b) {
  if (a.kind == Part::Zero)
    return b;
  if (b.kind == Part::Zero)
    return a;
  for (auto [before, own] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (before->kind == Part::DecayedState && own->kind == Part::State &&
        own->first == before->middle && own->end == before->end)
      return Part{Part::State, before->first, 0, own->end};
  return std::nullopt;
}

std::optional<Parts> TreeReader::compute(Operation *op) {
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    auto known = parts.find(op->getOperand(0));
    return known == parts.end() ? std::nullopt : std::optional(known->second);
  }
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice(extract);
  if (auto joined = dyn_cast<tensor::ConcatOp>(op))
    return llvm::any_of(joined.getInputs(),
                        [&](Value input) { return parts.contains(input); })
               ? concat(joined)
               : std::nullopt;
  auto sum = op->getNumResults() == 1 ? getSum(op->getResult(0)) : std::nullopt;
  auto mul = dyn_cast<arith::MulFOp>(op);
  if (!sum && !mul)
    return std::nullopt;
  Value left = sum ? sum->first : mul.getLhs(),
        right = sum ? sum->second : mul.getRhs();
  if (!parts.contains(left) && !parts.contains(right))
    return std::nullopt;
  std::optional<Parts> a = get(left), b = get(right);
  if (!a || !b || a->size() != b->size())
    return std::nullopt;
  Parts result;
  for (auto [own, other] : llvm::zip_equal(*a, *b)) {
    std::optional<Part> part = sum ? add(own, other) : multiply(own, other);
    if (!part)
      return std::nullopt;
    result.push_back(*part);
  }
  return result;
}

bool TreeReader::read(Operation *op) {
  if (op->getNumResults() != 1 || parts.contains(op->getResult(0)))
    return false;
  std::optional<Parts> result = compute(op);
  if (!result)
    return false;
  bool isWhole = int64_t(result->size()) == tree.tokens;
  for (auto [token, part] : llvm::enumerate(*result))
    isWhole &= part == Part{Part::State, 0, 0, int64_t(token) + 1};
  parts[op->getResult(0)] = std::move(*result);
  return isWhole;
}

/// The sizes of a pair whose even and odd tokens a sum combines, as the first
/// of a tree: decay[odd] * input[even] + input[odd].
static std::optional<ScanTree> getFirst(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  auto sum = type ? getSum(op->getResult(0)) : std::nullopt;
  if (!sum || !type.hasStaticShape() || !type.getElementType().isF32() ||
      type.getNumElements() == 0)
    return std::nullopt;
  // Slices with a stride of 2 along one dimension, perhaps without the last.
  auto getSlice = [](Value value) {
    auto slice = skipReshapes(value).getDefiningOp<tensor::ExtractSliceOp>();
    while (slice && slice.hasUnitStride() &&
           llvm::all_of(slice.getStaticOffsets(),
                        [](int64_t offset) { return offset == 0; }))
      slice = slice.getSource().getDefiningOp<tensor::ExtractSliceOp>();
    return slice;
  };
  for (auto [product, odd] : {std::pair(sum->first, sum->second),
                              std::pair(sum->second, sum->first)}) {
    auto mul = skipReshapes(product).getDefiningOp<arith::MulFOp>();
    tensor::ExtractSliceOp own = getSlice(odd);
    if (!mul || !own)
      continue;
    for (auto [factor, even] : {std::pair(mul.getLhs(), mul.getRhs()),
                                std::pair(mul.getRhs(), mul.getLhs())}) {
      tensor::ExtractSliceOp decays = getSlice(factor), before = getSlice(even);
      if (!decays || !before || before.getSource() != own.getSource() ||
          decays.getSource() == own.getSource() ||
          decays.getSourceType() != own.getSourceType())
        continue;
      ArrayRef<int64_t> shape = own.getSourceType().getShape();
      for (auto [dim, stride] : llvm::enumerate(own.getStaticStrides())) {
        if (stride != 2)
          continue;
        ScanTree tree{
            decays.getSource(), own.getSource(), 1, shape[dim], 1, {}};
        for (size_t i = 0; i < shape.size(); ++i)
          if (i != dim)
            (i < dim ? tree.outer : tree.inner) *= shape[i];
        return tree;
      }
    }
  }
  return std::nullopt;
}

SmallVector<ScanTree> mlir::te::findScanTrees(Block &block, int64_t least) {
  SmallVector<ScanTree> trees;
  for (Operation &op : block) {
    std::optional<ScanTree> tree = getFirst(&op);
    if (!tree || tree->tokens < least ||
        llvm::any_of(
            trees,
            [&](const ScanTree &other) {
              return other.decay == tree->decay && other.input == tree->input;
            }))
      continue;
    TreeReader reader(*tree);
    // What is sliced is there before the sum.
    for (Operation &other : block)
      if (reader.read(&other)) {
        tree->result = other.getResult(0);
        trees.push_back(*tree);
        break;
      }
  }
  return trees;
}
