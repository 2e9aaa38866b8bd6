// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/ExpertRows.h"

#include "Raise/Matchers.h"

#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

ExpertProducts mlir::te::findExpertProducts(func::FuncOp function) {
  ExpertProducts products;
  function.walk([&](ExpertMatmulOp op) {
    if (op.getAlignment() == 1 && op.getRole() == MatmulRole::Fprop)
      products[{op->getBlock(), op.getGroups()}].push_back(op);
  });
  return products;
}

ExpertRows::ExpertRows(IRRewriter &rewriter, ExpertMatmulOp first,
                       int64_t places, int64_t alignment, int64_t ranks)
    : rewriter(rewriter), rows(tensorDim(first.getGroups(), 0)) {
  Value experts = first.getGroups();
  rewriter.setInsertionPoint(first);
  RankedTensorType type = tensorType(experts), placed = type.clone({places});
  order = GroupRowsOp::create(rewriter, first.getLoc(), placed, type, placed,
                              experts, first.getExperts() * ranks, alignment,
                              ranks);
}

/// The operands of an op that works row by row, by number: all that have a row
/// for each row of its results. Nothing if it is no such op, or does not map
/// zeros to zeros.
static std::optional<SmallVector<unsigned>> getRowOperands(Operation *op,
                                                           int64_t rows) {
  auto hasRows = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() > 0 && tensor.getDimSize(0) == rows;
  };
  if (!llvm::all_of(op->getResultTypes(), hasRows))
    return std::nullopt;
  SmallVector<unsigned> operands;
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    // What its body makes of rows of zeros is set to zero again.
    if (generic.getNumReductionLoops() || !generic.hasPureTensorSemantics() ||
        llvm::any_of(generic.getBody()->getOps<linalg::IndexOp>(),
                     [](linalg::IndexOp index) { return index.getDim() == 0; }))
      return std::nullopt;
    for (OpOperand &init : generic.getDpsInitsMutable())
      if (!generic.getMatchingIndexingMap(&init).isIdentity() ||
          generic.payloadUsesValueFromOperand(&init))
        return std::nullopt;
    for (OpOperand *input : generic.getDpsInputOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(input);
      if (!map.isFunctionOfDim(0))
        continue;
      if (map.getNumResults() == 0 ||
          map.getResult(0) != getAffineDimExpr(0, map.getContext()) ||
          map.dropResult(0).isFunctionOfDim(0))
        return std::nullopt;
      operands.push_back(input->getOperandNumber());
    }
    return operands;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (slice.getSourceType().getRank() != slice.getType().getRank() ||
        !slice.getOffsets().empty() || !slice.getSizes().empty() ||
        !slice.getStrides().empty() || slice.getStaticOffset(0) != 0 ||
        slice.getSourceType().getDimSize(0) != rows)
      return std::nullopt;
    return SmallVector<unsigned>{0};
  }
  // Rows stay rows.
  auto keepsRows = [](ArrayRef<ReassociationIndices> groups) {
    return !groups.empty() && groups.front().size() == 1;
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return keepsRows(expand.getReassociationIndices()) &&
                   expand.getOutputShape().empty()
               ? std::optional(SmallVector<unsigned>{0})
               : std::nullopt;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return keepsRows(collapse.getReassociationIndices())
               ? std::optional(SmallVector<unsigned>{0})
               : std::nullopt;
  if (auto activation = dyn_cast<ActivationOp>(op);
      activation && activation.getKind() == ActivationKind::Sigmoid)
    return std::nullopt;
  const bool isConversion = isa<arith::ExtFOp, arith::TruncFOp>(op);
  if (auto split = dyn_cast<SplitOp>(op); split && split.getAxis() == 0)
    return std::nullopt;
  if (!isConversion && !isa<ActivationOp, ActivationGradOp, GatedActivationOp,
                            GatedActivationGradOp, SplitOp>(op))
    return std::nullopt;
  // Scales and sums of rows have other shapes.
  for (OpOperand &operand : op->getOpOperands()) {
    if (!hasRows(operand.get().getType()))
      return std::nullopt;
    operands.push_back(operand.getOperandNumber());
  }
  return operands;
}

Value ExpertRows::getGroups() {
  if (!groups)
    groups = exchange(order.getGroups());
  return groups;
}

void ExpertRows::move(ExpertMatmulOp product) {
  rewriter.setInsertionPoint(product);
  Location loc = product.getLoc();
  Value a = toPlaces(product.getA());
  RankedTensorType type = tensorType(product.getD());
  auto moved = ExpertMatmulOp::create(
      rewriter, loc, type.clone({tensorDim(a, 0), type.getDimSize(1)}), a,
      product.getB(), getGroups(), product.getTransposeBAttr(),
      order.getAlignmentAttr(), product.getRoleAttr(),
      product.getInputFirstAttr(), product.getLayerAttr());
  auto back = UnpermuteOp::create(
      rewriter, loc, type, exchange(moved.getD()), order.getSlot(),
      /*weights=*/Value(), rewriter.getI64IntegerAttr(1));
  permuted[back.getY()] = moved.getD();
  known[back.getY()] = true;
  rewriter.replaceOp(product, back.getY());
}

/// Whether a kernel does nothing with an operand's elements but compare them:
/// unlike an index, a place without an expert, -1, does no harm there.
static bool onlyCompares(Operation *op, unsigned number) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic &&
         llvm::all_of(generic.getBody()->getArgument(number).getUsers(),
                      llvm::IsaPred<arith::CmpIOp>);
}

bool ExpertRows::comesFromPlaces(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  std::optional<SmallVector<unsigned>> operands;
  if (op && op->getBlock() == order->getBlock())
    operands = getRowOperands(op, rows);
  if (!operands)
    return known[value] = false;
  bool comes = false;
  for (unsigned number : *operands) {
    Value operand = op->getOperand(number);
    // Where ranks share experts, each counts its own from 0.
    if (operand == order.getExperts() && order.getRanks() == 1 &&
        onlyCompares(op, number))
      continue;
    const bool isMoved = comesFromPlaces(operand);
    comes |= isMoved;
    // Nothing but floats is permuted.
    Type element = getElementTypeOrSelf(operand);
    if (!isMoved && !element.isF32() && !element.isBF16())
      return known[value] = false;
  }
  return known[value] = comes;
}

/// The same op on sorted rows.
Value ExpertRows::movePermuted(Value value) {
  Operation *op = value.getDefiningOp();
  const int64_t places = tensorDim(order.getSource(), 0);
  auto resize = [&](Type type) -> Type {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(tensor.getShape());
    shape.front() = places;
    return tensor.clone(shape);
  };
  IRMapping mapping;
  const SmallVector<unsigned> operands = *getRowOperands(op, rows);
  for (unsigned number : operands) {
    Value operand = op->getOperand(number);
    mapping.map(operand, toPlaces(operand));
  }
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    SmallVector<Value> inputs, inits;
    for (Value input : generic.getInputs())
      inputs.push_back(mapping.lookupOrDefault(input));
    for (Type type : op->getResultTypes()) {
      auto resized = cast<RankedTensorType>(resize(type));
      inits.push_back(tensor::EmptyOp::create(rewriter, op->getLoc(),
                                              resized.getShape(),
                                              resized.getElementType()));
    }
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    AffineMap ofRows =
        AffineMap::get(generic.getNumLoops(), 0, rewriter.getAffineDimExpr(0));
    inputs.push_back(getGroups());
    maps.insert(maps.begin() + generic.getNumDpsInputs(), ofRows);
    auto moved = linalg::GenericOp::create(
        rewriter, op->getLoc(), TypeRange(inits), inputs, inits, maps,
        generic.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          const unsigned numInputs = generic.getNumDpsInputs();
          IRMapping body;
          for (auto [from, to] : llvm::zip(
                   generic.getBody()->getArguments().take_front(numInputs),
                   arguments.take_front(numInputs)))
            body.map(from, to);
          for (Operation &inner : generic.getBody()->without_terminator())
            builder.clone(inner, body);
          Value group = arguments[numInputs];
          Value none = arith::ConstantOp::create(
              builder, loc, builder.getIntegerAttr(group.getType(), 0));
          Value isRow = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::sge, group, none);
          SmallVector<Value> results;
          for (Value result :
               generic.getBody()->getTerminator()->getOperands()) {
            Value zero = arith::ConstantOp::create(
                builder, loc, builder.getZeroAttr(result.getType()));
            results.push_back(arith::SelectOp::create(
                builder, loc, isRow, body.lookupOrDefault(result), zero));
          }
          linalg::YieldOp::create(builder, loc, results);
        });
    for (auto [from, to] : llvm::zip(op->getResults(), moved->getResults()))
      permuted[from] = to;
    return permuted[value];
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    sizes.front() = rewriter.getIndexAttr(places);
    return permuted[value] = tensor::ExtractSliceOp::create(
               rewriter, op->getLoc(),
               cast<RankedTensorType>(resize(slice.getType())),
               mapping.lookup(slice.getSource()), slice.getMixedOffsets(),
               sizes, slice.getMixedStrides());
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return permuted[value] = tensor::ExpandShapeOp::create(
               rewriter, op->getLoc(), resize(expand.getType()),
               mapping.lookup(expand.getSrc()),
               expand.getReassociationIndices());
  Operation *moved = rewriter.clone(*op, mapping);
  for (auto [from, to] : llvm::zip(op->getResults(), moved->getResults())) {
    to.setType(resize(from.getType()));
    permuted[from] = to;
  }
  return permuted[value];
}

/// The matrix [T, H] whose rows `value`, [T·repeat, H], repeats, and `repeat`;
/// the value itself and 1 if it repeats none.
static std::pair<Value, int64_t> getRepeatedRows(Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || collapse.getSrcType().getRank() != 3 ||
      collapse.getReassociationIndices().front().size() != 2)
    return {value, 1};
  Value source;
  SmallVector<int64_t> added;
  Operation *op = collapse.getSrc().getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<linalg::BroadcastOp>(op)) {
    source = broadcast.getInput();
    added.assign(broadcast.getDimensions().begin(),
                 broadcast.getDimensions().end());
  } else if (auto generic = dyn_cast_or_null<linalg::GenericOp>(op)) {
    if (auto dims = linalg::isaBroadcastOpInterface(generic)) {
      source = generic.getInputs().front();
      added = *dims;
    }
  }
  if (!source || added != SmallVector<int64_t>{1})
    return {value, 1};
  return {source, collapse.getSrcType().getDimSize(1)};
}

/// A tensor [rows, ...] as a matrix, with all that belongs to a row in one.
static Value foldRows(OpBuilder &builder, Value value) {
  RankedTensorType type = tensorType(value);
  if (type.getRank() == 2)
    return value;
  if (type.getRank() == 1)
    return tensor::ExpandShapeOp::create(
        builder, value.getLoc(), type.clone({type.getDimSize(0), 1}), value,
        ArrayRef<ReassociationIndices>{{0, 1}});
  auto inner = llvm::to_vector<2>(llvm::seq<int64_t>(1, type.getRank()));
  return tensor::CollapseShapeOp::create(
      builder, value.getLoc(), value,
      ArrayRef<ReassociationIndices>{{0}, ReassociationIndices(inner)});
}

/// The inverse of foldRows(), of a matrix to a tensor of this type.
static Value unfoldRows(OpBuilder &builder, Value matrix,
                        RankedTensorType type) {
  if (type.getRank() == 2)
    return matrix;
  if (type.getRank() == 1)
    return tensor::CollapseShapeOp::create(
        builder, matrix.getLoc(), type, matrix,
        ArrayRef<ReassociationIndices>{{0, 1}});
  auto inner = llvm::to_vector<2>(llvm::seq<int64_t>(1, type.getRank()));
  return tensor::ExpandShapeOp::create(
      builder, matrix.getLoc(), type, matrix,
      ArrayRef<ReassociationIndices>{{0}, ReassociationIndices(inner)});
}

Value ExpertRows::permute(Value value) {
  RankedTensorType type = tensorType(value);
  const int64_t places = tensorDim(order.getSource(), 0);
  // One rounding of wider rows is the permutation's own.
  Value wide = value;
  if (auto narrow = value.getDefiningOp<arith::TruncFOp>())
    wide = narrow.getIn();
  auto [source, repeat] = getRepeatedRows(wide);
  if (repeat == 1)
    source = value;
  Value matrix = foldRows(rewriter, source);
  Value y =
      PermuteOp::create(rewriter, value.getLoc(),
                        type.clone({places, tensorDim(matrix, 1)}), matrix,
                        order.getSource(), /*weights=*/Value(), repeat)
          .getY();
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = places;
  return unfoldRows(rewriter, exchange(y), type.clone(shape));
}

/// A value [S, ...] with its rows in the order of the places, [P, ...], and
/// zeros between them.
Value ExpertRows::toPlaces(Value value) {
  if (value == order.getExperts())
    return getGroups();
  if (Value known = permuted.lookup(value))
    return known;
  if (comesFromPlaces(value))
    return movePermuted(value);
  return permuted[value] = permute(value);
}

namespace {
/// Rows, [T·k, H] or [T, k, H], and a weight for each of them, [T·k] or [T, k].
struct WeightedRows {
  Value rows, weights;
  explicit operator bool() const { return rows != nullptr; }
};
} // namespace

/// The operands of a kernel that multiplies the rows of one of its two inputs
/// with the other, whose dimensions are the first ones; null if it does
/// anything else, but for adding up the products if it `sums`.
static WeightedRows getWeightedRows(linalg::GenericOp op, bool sums) {
  if (!op || op.getNumDpsInputs() != 2 || op.getNumResults() != 1)
    return {};
  Block &body = *op.getBody();
  auto product = dyn_cast<arith::MulFOp>(body.front());
  auto isProductOf = [&](Value x, Value y) {
    return product && ((product.getLhs() == x && product.getRhs() == y) ||
                       (product.getLhs() == y && product.getRhs() == x));
  };
  if (!isProductOf(body.getArgument(0), body.getArgument(1)))
    return {};
  Operation *last = product;
  if (sums) {
    auto add = dyn_cast<arith::AddFOp>(product->getNextNode());
    Value sum = body.getArgument(2), term = product.getResult();
    if (!add || !((add.getLhs() == sum && add.getRhs() == term) ||
                  (add.getLhs() == term && add.getRhs() == sum)))
      return {};
    last = add;
  }
  if (last->getNextNode() != body.getTerminator() ||
      body.getTerminator()->getOperand(0) != last->getResult(0))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap outer =
      AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext())
          .dropResult(op.getNumLoops() - 1);
  for (unsigned matrix : {0u, 1u})
    if (maps[matrix].isIdentity() && maps[1 - matrix] == outer)
      return {op.getInputs()[matrix], op.getInputs()[1 - matrix]};
  return {};
}

/// The rows of T tokens, k of each, that a kernel adds up, [T, k, H] to [T, H],
/// each times a weight: in the same kernel, or before in one of its own.
static WeightedRows getSummedRows(linalg::GenericOp sum) {
  if (sum.getNumLoops() != 3 || sum.getNumResults() != 1 ||
      sum.getNumReductionLoops() != 1 ||
      sum.getIteratorTypesArray()[1] != utils::IteratorType::reduction ||
      !isZero(sum.getOutputs().front()))
    return {};
  SmallVector<AffineMap> maps = sum.getIndexingMapsArray();
  if (maps.back() !=
      AffineMap::getMultiDimIdentityMap(3, sum.getContext()).dropResult(1))
    return {};
  if (WeightedRows weighted = getWeightedRows(sum, /*sums=*/true))
    return weighted;
  if (sum.getNumDpsInputs() != 1 || !maps.front().isIdentity() ||
      !addsUp(*sum.getBody()))
    return {};
  auto expand = sum.getInputs().front().getDefiningOp<tensor::ExpandShapeOp>();
  auto product =
      expand ? expand.getSrc().getDefiningOp<linalg::GenericOp>() : nullptr;
  if (!product || product.getNumLoops() != 2 ||
      product.getNumReductionLoops() ||
      !product.getIndexingMapsArray().back().isIdentity())
    return {};
  return getWeightedRows(product, /*sums=*/false);
}

/// Weighted sums of the rows of each token are summed where they are.
static void combineRows(IRRewriter &rewriter, linalg::GenericOp sum) {
  WeightedRows weighted = getSummedRows(sum);
  if (!weighted)
    return;
  Value source = weighted.rows;
  if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>();
      expand && expand.getSrcType().getRank() == 2 &&
      expand.getReassociationIndices().front().size() == 2)
    source = expand.getSrc();
  auto rows = source.getDefiningOp<UnpermuteOp>();
  auto type = cast<RankedTensorType>(sum.getResult(0).getType());
  RankedTensorType weights = tensorType(weighted.weights);
  if (!rows || rows.getWeights() || rows.getRepeat() != 1 ||
      !weights.getElementType().isF32() ||
      tensorType(rows.getY()).getElementType() != type.getElementType() ||
      type.getDimSize(0) == 0)
    return;
  rewriter.setInsertionPoint(sum);
  Value vector = weighted.weights;
  if (weights.getRank() == 2)
    vector = tensor::CollapseShapeOp::create(
        rewriter, sum.getLoc(), vector, ArrayRef<ReassociationIndices>{{0, 1}});
  rewriter.replaceOpWithNewOp<UnpermuteOp>(
      sum, type, rows.getX(), rows.getSlot(), vector,
      rewriter.getI64IntegerAttr(weights.getNumElements() /
                                 type.getDimSize(0)));
}

void mlir::te::combineExpertRows(IRRewriter &rewriter, func::FuncOp function) {
  SmallVector<linalg::GenericOp> sums;
  function.walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() == 1)
      sums.push_back(op);
  });
  for (linalg::GenericOp op : sums)
    combineRows(rewriter, op);
}
