// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raises products of rows with matrices that are gathered for each row to
// te.expert_matmul.

#include "Raise/Matchers.h"
#include "Raise/Raise.h"

#include "te/Analysis/Contraction.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Remarks.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

namespace {
/// One matrix for each row, of the experts' matrices in a table.
struct GatheredMatrices {
  EmbeddingOp lookup;
  /// The two sizes of a matrix as the table holds it.
  int64_t rows, columns;
  /// The contraction's loop of either.
  unsigned rowLoop, columnLoop;
};

/// Writes one batched contraction as a te.expert_matmul.
class ExpertProduct {
public:
  ExpertProduct(const Contraction &contraction) : contraction(contraction) {}

  /// Whether the contraction is a product of rows with matrices that `operand`
  /// gathers for them.
  bool match(unsigned operand);
  Value build(OpBuilder &builder, Location loc);

private:
  /// Whether grouping rows by matrix takes less than a matrix for each row.
  bool pays();
  /// The loops of an operand that run more than once, in its order.
  SmallVector<unsigned> getLoops(unsigned operand) const;

  const Contraction &contraction;
  GatheredMatrices matrices;
  unsigned rowsOperand, rowLoop, sumLoop, columnLoop;
};
} // namespace

SmallVector<unsigned> ExpertProduct::getLoops(unsigned operand) const {
  SmallVector<unsigned> loops;
  for (unsigned loop : contraction.dimensions[operand])
    if (contraction.loopSizes[loop] != 1 || loop == contraction.batch.front())
      loops.push_back(loop);
  return loops;
}

/// Looks through transposes that leave the first dimension where it is.
/// `loops` are those of the dimensions, and follow.
static Value skipTransposes(Value value, SmallVector<unsigned> &loops) {
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (permutation.empty() || permutation.front() != 0)
      break;
    SmallVector<unsigned> before(loops.size());
    for (auto [dim, source] : llvm::enumerate(permutation))
      before[source] = loops[dim];
    loops = std::move(before);
    value = transpose.getInput();
  }
  return value;
}

bool ExpertProduct::match(unsigned operand) {
  if (contraction.batch.size() != 1)
    return false;
  rowLoop = contraction.batch.front();
  rowsOperand = 1 - operand;
  SmallVector<unsigned> ofGathered(contraction.dimensions[operand]);
  Value gathered = skipTransposes(contraction.operands[operand], ofGathered);
  if (ofGathered.empty() || ofGathered.front() != rowLoop)
    return false;
  matrices.lookup = skipReshapes(gathered).getDefiningOp<EmbeddingOp>();
  // Of the table's rows, none is divided.
  if (!matrices.lookup ||
      tensorDim(matrices.lookup.getY(), 0) != contraction.loopSizes[rowLoop])
    return false;
  SmallVector<unsigned> own;
  for (unsigned loop : llvm::drop_begin(ofGathered))
    if (contraction.loopSizes[loop] != 1)
      own.push_back(loop);
  SmallVector<unsigned> ofRows = getLoops(rowsOperand), ofResult = getLoops(2);
  if (own.size() != 2 || ofRows.size() != 2 || ofResult.size() != 2 ||
      ofRows[0] != rowLoop || ofResult[0] != rowLoop)
    return false;
  sumLoop = ofRows[1];
  columnLoop = ofResult[1];
  if (!llvm::is_contained(own, sumLoop) ||
      !llvm::is_contained(own, columnLoop) || sumLoop == columnLoop)
    return false;
  matrices.rowLoop = own[0];
  matrices.columnLoop = own[1];
  matrices.rows = contraction.loopSizes[own[0]];
  matrices.columns = contraction.loopSizes[own[1]];
  return pays();
}

/// Each expert may add rows without one to a block; a gathered copy of its
/// matrix is read for every row. Of many small matrices, copies are less.
bool ExpertProduct::pays() {
  constexpr double blockRows = 64;
  const double rows = double(contraction.loopSizes[rowLoop]);
  const double experts = double(tensorDim(matrices.lookup.getTable(), 0));
  const double sizes = double(matrices.rows) + double(matrices.columns);
  const double elements = double(matrices.rows) * double(matrices.columns);
  return std::min(rows, experts) * blockRows * sizes <= rows * elements;
}

/// The ids as i32. What is not the number of an expert becomes `count`, which
/// the runtime reports.
static Value buildExperts(OpBuilder &builder, Location loc, Value ids,
                          int64_t count) {
  RankedTensorType type = tensorType(ids);
  Type integer = type.getElementType();
  Value limit = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(type, builder.getIntegerAttr(integer, count)));
  // As an unsigned number, a negative one is larger than any.
  Value experts = arith::MinUIOp::create(builder, loc, ids, limit);
  if (integer.isInteger(32))
    return experts;
  return arith::TruncIOp::create(builder, loc, type.clone(builder.getI32Type()),
                                 experts);
}

Value ExpertProduct::build(OpBuilder &builder, Location loc) {
  const int64_t rows = contraction.loopSizes[rowLoop];
  const int64_t sums = contraction.loopSizes[sumLoop];
  const int64_t columns = contraction.loopSizes[columnLoop];
  Value table = matrices.lookup.getTable();
  const int64_t count = tensorDim(table, 0);
  Value a =
      reshapeTo(builder, loc, contraction.operands[rowsOperand], {rows, sums});
  // A table is usually a parameter [E, rows, columns] in another shape.
  if (auto collapse = table.getDefiningOp<tensor::CollapseShapeOp>())
    table = collapse.getSrc();
  Value b;
  RankedTensorType type = tensorType(table);
  if (type.getShape() == ArrayRef({count, matrices.rows, matrices.columns}))
    b = tensor::CollapseShapeOp::create(
        builder, loc, table, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  else
    b = reshapeTo(builder, loc, table,
                  {count * matrices.rows, matrices.columns});
  Value experts = buildExperts(builder, loc, matrices.lookup.getIds(), count);
  RankedTensorType result = tensorType(contraction.init());
  auto product = ExpertMatmulOp::create(
      builder, loc, result.clone({rows, columns}), a, b, experts,
      /*transpose_b=*/matrices.columnLoop == sumLoop, /*alignment=*/1,
      MatmulRole::Fprop, /*input_first=*/false, /*layer=*/StringAttr());
  return reshapeTo(builder, loc, product, result.getShape());
}

void mlir::te::raiseExpertProducts(Operation *root) {
  IRRewriter rewriter(root->getContext());
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    FailureOr<Contraction> contraction = Contraction::get(op);
    if (failed(contraction) || contraction->batch.empty() ||
        !isZero(contraction->init()))
      continue;
    ExpertProduct product(*contraction);
    if (!product.match(0) && !product.match(1))
      continue;
    rewriter.setInsertionPoint(op);
    auto function = op->getParentOfType<func::FuncOp>();
    remark::passed(op.getLoc(),
                   remark::RemarkOpts::name("ExpertProduct")
                       .category("te-raise")
                       .function(function ? function.getName() : StringRef()))
        << remark::add(
               "'{0}' is a product of rows with their experts' matrices",
               op->getName().getStringRef());
    rewriter.replaceOp(op, product.build(rewriter, op.getLoc()));
  }
}
