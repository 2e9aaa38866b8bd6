// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/Vocabulary.h"

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

/// With fewer classes per rank, the collective costs more than it saves.
static constexpr int64_t kFewestClasses = 16;
/// The logit of padding classes: exp gives 0 in a softmax, also in bf16.
static constexpr float kNoLogit = -1.0e30f;

static bool isParameter(func::FuncOp function, Value value) {
  auto argument = dyn_cast_or_null<BlockArgument>(value);
  return argument && argument.getOwner() == &function.getBody().front() &&
         function.getArgAttr(argument.getArgNumber(), kParamAttr);
}

/// True if only losses with sharded classes, or function results, read a value,
/// through reshapes and slices of tokens.
static bool areLogits(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (auto loss = dyn_cast<CrossEntropyOp>(user))
             return use.getOperandNumber() == loss.getLogitsOperand() &&
                    loss.getReduction() == Reduction::Sum &&
                    loss.getLabelSmoothing().isZero();
           if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
             return areLogits(user->getResult(0));
           if (auto gather = dyn_cast<AllGatherSequenceOp>(user))
             return int64_t(gather.getDim()) + 1 !=
                        tensorType(use.get()).getRank() &&
                    areLogits(user->getResult(0));
           return user->hasTrait<OpTrait::IsTerminator>();
         });
}

/// True if an op looks up rows of this operand.
static bool isLookup(OpOperand &use) {
  auto lookup = dyn_cast<EmbeddingOp>(use.getOwner());
  return lookup &&
         use.getOperandNumber() == lookup.getTableMutable().getOperandNumber();
}

bool Vocabulary::isHead(MatmulOp op) {
  if (const ShardRule *rule = requested.lookup(op.getB());
      rule && rule->dim != op.getFeatureDim())
    return false;
  if (const ShardRule *rule = requested.lookup(op.getBias());
      rule && !rule->dim)
    return false;
  if (!op.isLinear() || op.getAddend() || !isParameter(function, op.getB()) ||
      (op.getBias() && !isParameter(function, op.getBias())) ||
      op.getN() < kFewestClasses * ranks || !areLogits(op.getD()))
    return false;
  if (op.getN() % ranks == 0)
    return true;
  // All readers of a padded weight must be known.
  return op.getTransposeB() &&
         llvm::all_of(op.getB().getUses(),
                      [&](OpOperand &use) {
                        return use.getOwner() == op || isLookup(use);
                      }) &&
         (!op.getBias() || op.getBias().hasOneUse());
}

/// Pads a table that is looked up to `size` rows.
void Vocabulary::padTable(Value table, int64_t size) {
  RankedTensorType type = tensorType(table);
  SmallVector<int64_t> shape(type.getShape());
  unpadded[table] = shape[0];
  Attribute classes = OpBuilder(table.getContext()).getI64IntegerAttr(shape[0]);
  shape[0] = size;
  table.setType(type.clone(shape));
  for (Operation *user : table.getUsers())
    if (isa<EmbeddingOp>(user))
      user->setAttr(kClassesAttr, classes);
}

/// Pads the layer to `size` features.
void Vocabulary::pad(MatmulOp op, int64_t size) {
  int64_t classes = op.getN();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  IntegerAttr ofClasses = builder.getI64IntegerAttr(classes);
  padTable(op.getB(), size);

  auto vector = RankedTensorType::get({size}, builder.getF32Type());
  SmallVector<float> mask(classes, 0.0f);
  mask.resize(size, kNoLogit);
  Value bias = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(vector, ArrayRef<float>(mask)));
  if (op.getBias()) {
    padTable(op.getBias(), size);
    bias =
        Formula(builder, loc)
            .map("n", builder.getF32Type(), {{op.getBias(), "n"}, {bias, "n"}},
                 [](Scalars &s, ValueRange x) { return s.add(x[0], x[1]); });
  }
  op.getBiasMutable().assign(bias);
  RankedTensorType before = tensorType(op.getD());
  op.getD().setType(before.clone({before.getDimSize(0), size}));

  builder.setInsertionPointAfter(op);
  Value real;
  for (OpOperand &use : llvm::make_early_inc_range(op.getD().getUses())) {
    if (isa<CrossEntropyOp>(use.getOwner())) {
      use.getOwner()->setAttr(kClassesAttr, ofClasses);
      continue;
    }
    if (!real)
      real = sliceDim(builder, loc, op.getD(), /*dim=*/1, /*first=*/0,
                      before.getDimSize(1));
    use.set(real);
  }
}

Vocabulary::Vocabulary(func::FuncOp function, int64_t ranks,
                       const RequestedShards &requested)
    : function(function), ranks(ranks), requested(requested) {
  for (auto op :
       llvm::to_vector(function.getBody().front().getOps<MatmulOp>())) {
    if (!isHead(op))
      continue;
    if (op.getN() % ranks != 0)
      pad(op, llvm::alignTo(op.getN(), ranks));
    logits.push_back(op.getD());
  }
  for (auto [parameter, rule] : requested.get()) {
    if (rule->dim != 0u || unpadded.contains(parameter) ||
        !llvm::all_of(parameter.getUses(), isLookup))
      continue;
    int64_t rows = tensorType(parameter).getDimSize(0);
    if (rows % ranks != 0)
      padTable(parameter, llvm::alignTo(rows, ranks));
  }
}

/// Rounds the columns up so that rows are aligned for tensor cores, and to
/// whole tiles if that is not much more.
static int64_t alignClasses(int64_t classes) {
  for (int64_t multiple : {64, 16})
    if (int64_t aligned = llvm::alignTo(classes, multiple);
        (aligned - classes) * 8 <= classes)
      return aligned;
  return classes;
}

void mlir::te::padRankClasses(func::FuncOp function) {
  for (auto loss : llvm::to_vector(
           function.getBody().front().getOps<VocabularyCrossEntropyOp>())) {
    // Other readers need the classes without padding.
    auto head = loss.getLogits().getDefiningOp<MatmulOp>();
    if (!head || !head.getD().hasOneUse())
      continue;
    int64_t classes = head.getN(), columns = alignClasses(classes);
    if (columns == classes)
      continue;
    OpBuilder builder(head);
    Location loc = head.getLoc();
    auto extend = [&](Value value, int64_t dim, Value rest) -> Value {
      return tensor::ConcatOp::create(builder, loc, dim,
                                      ValueRange{value, rest});
    };
    int64_t dim = head.getFeatureDim();
    RankedTensorType weight = tensorType(head.getB());
    SmallVector<int64_t> rest(weight.getShape());
    rest[dim] = columns - classes;
    head.getBMutable().set(extend(
        head.getB(), dim, createZeros(builder, loc, weight.clone(rest))));
    auto vector = RankedTensorType::get({columns}, builder.getF32Type());
    if (head.getBias()) {
      Value none = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(vector.clone({columns - classes}), kNoLogit));
      head.getBiasMutable().assign(extend(head.getBias(), /*dim=*/0, none));
    } else {
      SmallVector<float> mask(classes, 0.0f);
      mask.resize(columns, kNoLogit);
      head.getBiasMutable().assign(arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(vector, ArrayRef<float>(mask))));
    }
    RankedTensorType logits = tensorType(head.getD());
    head.getD().setType(logits.clone({logits.getDimSize(0), columns}));
    loss.setRankClasses(classes);
  }
}
