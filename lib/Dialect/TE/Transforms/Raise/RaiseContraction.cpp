// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises contractions of any form to te.matmul.

#include "GenericForm.h"
#include "Precision/Layers.h"
#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Analysis/Contraction.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::te;

using LoopList = SmallVector<unsigned>;

static LoopList joinLoops(ArrayRef<unsigned> first, ArrayRef<unsigned> second) {
  LoopList loops(first);
  loops.append(second.begin(), second.end());
  return loops;
}

/// Those of `loops` that `dimensions` have, in the order of `dimensions`.
static LoopList inOrderOf(ArrayRef<unsigned> dimensions,
                          ArrayRef<unsigned> loops) {
  LoopList ordered;
  for (unsigned loop : dimensions)
    if (llvm::is_contained(loops, loop))
      ordered.push_back(loop);
  return ordered;
}

static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return value;
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), permutation);
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, init, permutation)
      ->getResult(0);
}

/// The position of each of `to` in `from`.
static SmallVector<int64_t> permutationOf(ArrayRef<unsigned> from,
                                          ArrayRef<unsigned> to) {
  return llvm::map_to_vector(to, [&](unsigned loop) -> int64_t {
    return llvm::find(from, loop) - from.begin();
  });
}

static SmallVector<ReassociationIndices> group(int64_t rows, int64_t cols) {
  ReassociationIndices first = llvm::to_vector<2>(llvm::seq<int64_t>(0, rows));
  ReassociationIndices second =
      llvm::to_vector<2>(llvm::seq<int64_t>(rows, rows + cols));
  SmallVector<ReassociationIndices> groups;
  for (ReassociationIndices &indices : {std::ref(first), std::ref(second)})
    if (!indices.empty())
      groups.push_back(indices);
  return groups;
}

/// Folds a tensor into a matrix: its first `rows` dimensions are the rows, the
/// others the columns.
static Value fold(OpBuilder &builder, Location loc, Value value, int64_t rows) {
  RankedTensorType type = tensorType(value);
  int64_t cols = type.getRank() - rows;
  if (rows == 1 && cols == 1)
    return value;
  if (type.getRank() > 1) {
    SmallVector<ReassociationIndices> groups = group(rows, cols);
    if (groups.size() == 2)
      return tensor::CollapseShapeOp::create(builder, loc, value, groups);
    value = tensor::CollapseShapeOp::create(builder, loc, value, groups);
  }
  int64_t size = type.getNumElements();
  SmallVector<int64_t> shape{rows ? size : 1, rows ? 1 : size};
  SmallVector<ReassociationIndices> groups;
  if (type.getRank() > 0)
    groups.push_back({0, 1});
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       groups);
}

/// The inverse of fold(), to a tensor of this shape.
static Value unfold(OpBuilder &builder, Location loc, Value matrix,
                    ArrayRef<int64_t> shape, int64_t rows) {
  RankedTensorType type = tensorType(matrix).clone(shape);
  int64_t rank = shape.size(), cols = rank - rows;
  if (rows == 1 && cols == 1)
    return matrix;
  SmallVector<ReassociationIndices> groups = group(rows, cols);
  if (groups.size() == 2)
    return tensor::ExpandShapeOp::create(builder, loc, type, matrix, groups);
  SmallVector<ReassociationIndices> all;
  if (rank > 0)
    all.push_back({0, 1});
  RankedTensorType flat =
      rank == 0 ? type : type.clone({tensorType(matrix).getNumElements()});
  Value value =
      tensor::CollapseShapeOp::create(builder, loc, flat, matrix, all);
  if (rank > 1)
    value = tensor::ExpandShapeOp::create(builder, loc, type, value, groups);
  return value;
}

/// The vector that `value` repeats along all dimensions but `dim`, or null.
static Value getRepeatedVector(Value value, int64_t dim) {
  Value source;
  std::optional<SmallVector<int64_t>> added;
  if (auto broadcast = value.getDefiningOp<linalg::BroadcastOp>()) {
    source = broadcast.getInput();
    added = SmallVector<int64_t>(broadcast.getDimensions());
  } else if (auto generic = value.getDefiningOp<linalg::GenericOp>()) {
    added = linalg::isaBroadcastOpInterface(generic);
    if (added)
      source = generic.getInputs().front();
  }
  auto type = source ? dyn_cast<RankedTensorType>(source.getType()) : nullptr;
  bool isVector =
      type && type.getRank() == 1 && !llvm::is_contained(*added, dim);
  return isVector ? source : Value();
}

namespace {
/// An operand as a matrix, and whether its rows are the product's columns.
struct Matrix {
  Value value;
  bool isTransposed;
};

/// Writes one contraction without batch loops as a te.matmul.
class ContractionRaiser {
public:
  /// `first` is the preferred left operand, if the result's order does not
  /// decide.
  ContractionRaiser(OpBuilder &builder, Location loc, Contraction contraction,
                    std::optional<unsigned> first)
      : builder(builder), loc(loc), contraction(std::move(contraction)),
        first(first) {}

  Value build();

private:
  Matrix getMatrix(unsigned operand, ArrayRef<unsigned> rows,
                   ArrayRef<unsigned> cols);

  OpBuilder &builder;
  Location loc;
  Contraction contraction;
  std::optional<unsigned> first;
};

/// Finds the operand of a product that holds tokens, if the other is a weight:
/// te.matmul has its weight on the right. With the weight on the left, as in
/// JAX's `weight @ x`, the product has no FP8 form.
class TokenOperands {
public:
  /// Reads all of `root` before anything in it is rewritten.
  explicit TokenOperands(Operation *root);

  /// The operand; nullopt if both or none are weights, or if the result would
  /// have to be transposed for it and its reader is no transpose.
  std::optional<unsigned> get(Operation *op) const;

private:
  llvm::DenseMap<Operation *, unsigned> operands;
};
} // namespace

TokenOperands::TokenOperands(Operation *root) {
  root->walk([&](func::FuncOp function) {
    ParameterValues parameters(function);
    function.walk([&](Operation *op) {
      if (!isa<linalg::LinalgOp, MatmulOp>(op) || op->getNumOperands() < 2)
        return;
      Value a = op->getOperand(0), b = op->getOperand(1);
      for (auto [i, weight, tokens] : {std::tuple(1u, a, b), {0u, b, a}})
        if (!parameters.getParam(weight).empty() &&
            !parameters.contains(tokens))
          operands[op] = i;
    });
  });
}

/// Whether an op that reads a product reads it transposed, perhaps after its
/// dimensions were split: features and tokens, where transposes change places.
static bool readsTransposed(Operation *user) {
  return isa<linalg::TransposeOp>(user) ||
         (isa<tensor::ExpandShapeOp>(user) && !user->use_empty() &&
          llvm::all_of(user->getUsers(), llvm::IsaPred<linalg::TransposeOp>));
}

std::optional<unsigned> TokenOperands::get(Operation *op) const {
  auto it = operands.find(op);
  if (it == operands.end() || op->use_empty() ||
      !llvm::all_of(op->getUsers(), readsTransposed))
    return std::nullopt;
  return it->second;
}

/// The operand with the loops `rows` before `cols`, transposed if needed.
Matrix ContractionRaiser::getMatrix(unsigned operand, ArrayRef<unsigned> rows,
                                    ArrayRef<unsigned> cols) {
  ArrayRef<unsigned> dimensions = contraction.dimensions[operand];
  Value value = contraction.operands[operand];
  if (dimensions == ArrayRef(joinLoops(cols, rows)) && !rows.empty() &&
      !cols.empty())
    return {fold(builder, loc, value, cols.size()), true};
  value = transpose(builder, loc, value,
                    permutationOf(dimensions, joinLoops(rows, cols)));
  return {fold(builder, loc, value, rows.size()), false};
}

Value ContractionRaiser::build() {
  // Its readers or else the result's first dimensions decide which operand is
  // the left one.
  ArrayRef<unsigned> result = contraction.dimensions[2];
  unsigned left = 0, right = 1;
  LoopList m = inOrderOf(result, contraction.m);
  LoopList n = inOrderOf(result, contraction.n);
  bool isSecondFirst =
      first ? *first == 1 : result == ArrayRef(joinLoops(n, m));
  if (!m.empty() && !n.empty() && isSecondFirst) {
    std::swap(left, right);
    std::swap(m, n);
  }
  // Loops of one iteration that both operands have are rows or columns of one,
  // and summed over in the other, where they change nothing.
  auto sumsOf = [&](unsigned operand, ArrayRef<unsigned> kept) {
    LoopList loops;
    for (unsigned loop : contraction.dimensions[operand])
      if (!llvm::is_contained(kept, loop))
        loops.push_back(loop);
    return loops;
  };
  LoopList leftSums = sumsOf(left, m), rightSums = sumsOf(right, n);
  // Both operands sum in the left one's order.
  LoopList sums = inOrderOf(leftSums, contraction.k);
  auto ordered = [&](ArrayRef<unsigned> own) {
    LoopList loops;
    for (unsigned loop : own)
      if (!llvm::is_contained(sums, loop))
        loops.push_back(loop);
    return joinLoops(loops, sums);
  };
  Matrix a = getMatrix(left, m, ordered(leftSums));
  Matrix b = getMatrix(right, ordered(rightSums), n);

  LoopList produced = joinLoops(m, n);
  auto sizesOf = [&](ArrayRef<unsigned> loops) {
    return llvm::map_to_vector(
        loops, [&](unsigned loop) { return contraction.loopSizes[loop]; });
  };
  auto product = [&](ArrayRef<unsigned> loops) {
    int64_t size = 1;
    for (unsigned loop : loops)
      size *= contraction.loopSizes[loop];
    return size;
  };
  Value bias, addend;
  if (n.size() == 1)
    bias = getRepeatedVector(contraction.init(),
                             llvm::find(result, n.front()) - result.begin());
  if (!bias && !isZero(contraction.init()))
    addend = fold(builder, loc,
                  transpose(builder, loc, contraction.init(),
                            permutationOf(result, produced)),
                  m.size());
  RankedTensorType type = tensorType(contraction.init());
  Value d = MatmulOp::create(builder, loc, type.clone({product(m), product(n)}),
                             a.value, b.value, bias, addend, a.isTransposed,
                             b.isTransposed);
  d = unfold(builder, loc, d, sizesOf(produced), m.size());
  return transpose(builder, loc, d, permutationOf(produced, result));
}

/// (x op(W)^T)^T instead of W x, whose transpose is read.
static void putWeightRight(IRRewriter &rewriter, MatmulOp op) {
  rewriter.setInsertionPoint(op);
  auto type = RankedTensorType::get({op.getN(), op.getM()},
                                    op.getD().getType().getElementType());
  auto product = MatmulOp::create(
      rewriter, op.getLoc(), type, op.getB(), op.getA(), /*bias=*/Value(),
      /*addend=*/Value(), !op.getTransposeB(), !op.getTransposeA());
  if (StringAttr layer = op.getLayerAttr())
    product.setLayerAttr(layer);
  rewriter.replaceOp(op,
                     transpose(rewriter, op.getLoc(), product.getD(), {1, 0}));
}

/// True if `value` is a parameter, perhaps reshaped or transposed. Values
/// computed from parameters may be the queries of an attention.
static bool isParameter(Value value, const ParameterValues &parameters) {
  value = skipReshapesAndCasts(value);
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    value = skipReshapesAndCasts(transpose.getInput());
  return isa<BlockArgument>(value) && !parameters.getParam(value).empty();
}

/// Merges a weight that is broadcast over batches into one matrix, whose rows
/// are multiplied with those of all batches.
static void dropRepetitions(IRRewriter &rewriter, Operation *root) {
  SmallVector<std::pair<linalg::LinalgOp, unsigned>> repeated;
  root->walk([&](func::FuncOp function) {
    ParameterValues parameters(function);
    function.walk([&](linalg::LinalgOp op) {
      FailureOr<Contraction> contraction = Contraction::get(op);
      if (failed(contraction) || contraction->batch.empty())
        return;
      for (unsigned i : {0u, 1u}) {
        auto broadcast =
            contraction->operands[i].getDefiningOp<linalg::BroadcastOp>();
        if (broadcast && contraction->operands[i] == op->getOperand(i) &&
            isParameter(broadcast.getInput(), parameters)) {
          repeated.push_back({op, i});
          return;
        }
      }
    });
  });
  for (auto &entry : repeated) {
    linalg::LinalgOp op = entry.first;
    unsigned number = entry.second;
    FailureOr<linalg::GenericOp> form = toGeneric(rewriter, op);
    if (failed(form))
      continue;
    linalg::GenericOp generic = *form;
    auto broadcast =
        generic->getOperand(number).getDefiningOp<linalg::BroadcastOp>();
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    SmallVector<AffineExpr> kept;
    for (auto [dim, expr] : llvm::enumerate(maps[number].getResults()))
      if (!llvm::is_contained(broadcast.getDimensions(), int64_t(dim)))
        kept.push_back(expr);
    maps[number] = AffineMap::get(maps[number].getNumDims(), 0, kept,
                                  generic.getContext());
    rewriter.modifyOpInPlace(generic, [&] {
      generic->setOperand(number, broadcast.getInput());
      generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
  }
}

void mlir::te::raiseContractions(Operation *root) {
  IRRewriter rewriter(root->getContext());
  dropRepetitions(rewriter, root);
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  TokenOperands tokens(root);
  SmallVector<MatmulOp> products;
  root->walk([&](MatmulOp op) {
    if (op.getRole() == MatmulRole::Fprop && !op.getBias() && !op.getAddend() &&
        tokens.get(op) == 1u)
      products.push_back(op);
  });
  for (MatmulOp op : products)
    putWeightRight(rewriter, op);
  for (linalg::LinalgOp op : ops) {
    auto options = [&](StringRef name) {
      auto function = op->getParentOfType<func::FuncOp>();
      return remark::RemarkOpts::name(name)
          .category("te-raise")
          .function(function ? function.getName() : StringRef());
    };
    std::string reason;
    FailureOr<Contraction> contraction = Contraction::get(op, &reason);
    if (failed(contraction)) {
      if (!reason.empty())
        remark::missed(op.getLoc(), options("Contraction"))
            << remark::reason("{0}", reason);
      continue;
    }
    rewriter.setInsertionPoint(op);
    if (!contraction->batch.empty()) {
      remark::missed(op.getLoc(), options("Contraction"))
          << remark::reason("both operands and the result have a loop in "
                            "common, and te.matmul takes two matrices; it "
                            "becomes a kernel");
      if (!isa<linalg::GenericOp>(op))
        (void)linalg::generalizeNamedOp(rewriter, op);
      continue;
    }
    Value d =
        ContractionRaiser(rewriter, op.getLoc(), *contraction, tokens.get(op))
            .build();
    remark::passed(op.getLoc(), options("Contraction")) << remark::add(
        "'{0}' is a product of matrices", op->getName().getStringRef());
    rewriter.replaceOp(op, d);
  }
}
