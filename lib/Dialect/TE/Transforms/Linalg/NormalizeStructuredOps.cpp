// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives equivalent structured ops one form.

#include "Linalg/PlainForm.h"

#include "GenericForm.h"
#include "Raise/LoopLabels.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/LinearForm.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::te;

/// Removes the result dimension of one element that a reduction, (d0, d1) ->
/// (d0, 0), keeps for the reduced loop.
static LogicalResult dropReducedDims(linalg::GenericOp op,
                                     PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0)
    return rewriter.notifyMatchFailure(op, "no reduction of tensors");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inits;
  SmallVector<Type> types;
  bool changes = false;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap &map = maps[init.getOperandNumber()];
    RankedTensorType type = tensorType(init.get());
    SmallVector<AffineExpr> exprs;
    SmallVector<int64_t> shape;
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), type.getShape())) {
      if (size == 1 && isa<AffineConstantExpr>(expr))
        continue;
      exprs.push_back(expr);
      shape.push_back(size);
    }
    changes |= exprs.size() != map.getNumResults();
    map = AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
    inits.push_back(init.get());
    types.push_back(type.clone(shape));
  }
  if (!changes || !llvm::all_of(types, [](Type type) {
        return cast<RankedTensorType>(type).hasStaticShape();
      }))
    return rewriter.notifyMatchFailure(op, "has no dimension to drop");
  for (auto [init, type] : llvm::zip_equal(inits, types))
    init = reshapeTo(rewriter, op.getLoc(), init,
                     cast<RankedTensorType>(type).getShape());
  auto plain = linalg::GenericOp::create(
      rewriter, op.getLoc(), types, op.getInputs(), inits,
      rewriter.getAffineMapArrayAttr(maps), op.getIteratorTypes(),
      op.getDocAttr(), op.getLibraryCallAttr());
  rewriter.inlineRegionBefore(op.getRegion(), plain.getRegion(),
                              plain.getRegion().begin());
  SmallVector<Value> results;
  for (auto [result, old] :
       llvm::zip_equal(plain.getResults(), op.getResults()))
    results.push_back(
        reshapeTo(rewriter, op.getLoc(), result, tensorType(old).getShape()));
  rewriter.replaceOp(op, results);
  return success();
}

/// x^n with a constant integer n is one op, whatever the type of n.
static LogicalResult wholePower(math::FPowIOp op, PatternRewriter &rewriter) {
  APInt power;
  if (!matchPattern(op.getRhs(), m_ConstantInt(&power)))
    return rewriter.notifyMatchFailure(op, "no fixed power");
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  APFloat number(type.getFloatSemantics());
  if (number.convertFromAPInt(power, /*IsSigned=*/true,
                              APFloat::rmNearestTiesToEven) != APFloat::opOK)
    return rewriter.notifyMatchFailure(op, "its type lacks that number");
  TypedAttr exponent = rewriter.getFloatAttr(type, number);
  if (auto shaped = dyn_cast<ShapedType>(op.getType()))
    exponent = DenseElementsAttr::get(shaped, Attribute(exponent));
  rewriter.replaceOpWithNewOp<math::PowFOp>(
      op, op.getLhs(),
      arith::ConstantOp::create(rewriter, op.getLoc(), exponent));
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// A dimension that is read at step * output + dilation * window.
struct Window {
  unsigned output, window; ///< loops
  int64_t step, dilation;
};
} // namespace

static std::optional<Window> getWindow(AffineExpr expr, linalg::GenericOp op) {
  LinearForm form(op.getNumLoops());
  if (!form.add(expr) || form.constant != 0)
    return std::nullopt;
  SmallVector<unsigned, 2> loops;
  for (auto [loop, factor] : llvm::enumerate(form.coefficients))
    if (factor != 0)
      loops.push_back(loop);
  if (loops.size() != 2)
    return std::nullopt;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned output = loops[0], window = loops[1];
  if (iterators[output] == utils::IteratorType::reduction)
    std::swap(output, window);
  const int64_t step = form.coefficients[output],
                dilation = form.coefficients[window];
  if (iterators[output] != utils::IteratorType::parallel ||
      iterators[window] != utils::IteratorType::reduction || step <= 0 ||
      dilation <= 0)
    return std::nullopt;
  return Window{output, window, step, dilation};
}

/// A tensor with `dim` split in two: [outputs, windows].
static Value unfoldWindow(OpBuilder &builder, Location loc, Value value,
                          int64_t dim, const Window &window, int64_t outputs,
                          int64_t windows) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = outputs;
  shape.insert(shape.begin() + dim + 1, windows);
  // Adjacent windows.
  if (window.dilation == 1 && window.step == windows &&
      type.getDimSize(dim) == outputs * windows)
    return reshapeTo(builder, loc, value, shape);
  SmallVector<Value> pieces;
  shape[dim + 1] = 1;
  for (int64_t i = 0; i < windows; ++i) {
    Value piece = sliceDim(builder, loc, value, dim, i * window.dilation,
                           outputs, window.step);
    pieces.push_back(reshapeTo(builder, loc, piece, shape));
  }
  return pieces.size() == 1
             ? pieces.front()
             : Value(tensor::ConcatOp::create(builder, loc, dim + 1, pieces));
}

/// Gives the operands of a convolution or a pooling a dimension for each
/// position in a window, so that it is an ordinary product or reduction.
/// Windows that would make them too large are left to a kernel.
static void unfoldWindows(IRRewriter &rewriter, linalg::GenericOp op) {
  constexpr int64_t kLargestWindow = 64, kMostElements = int64_t(1) << 28;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  rewriter.setInsertionPoint(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = maps[input->getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type || !type.hasStaticShape() ||
        type.getRank() != int64_t(map.getNumResults()))
      continue;
    int64_t elements = type.getNumElements();
    SmallVector<AffineExpr> exprs;
    SmallVector<std::pair<int64_t, Window>> windows;
    bool fits = true;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      std::optional<Window> window = getWindow(expr, op);
      if (!window) {
        exprs.push_back(expr);
        continue;
      }
      // A dimension of no elements has no windows.
      if (type.getDimSize(dim) == 0) {
        fits = false;
        break;
      }
      int64_t outputs = sizes[window->output], places = sizes[window->window];
      elements = elements / type.getDimSize(dim) * outputs * places;
      fits &= places <= kLargestWindow && elements <= kMostElements;
      windows.push_back({int64_t(exprs.size()), *window});
      exprs.push_back(rewriter.getAffineDimExpr(window->output));
      exprs.push_back(rewriter.getAffineDimExpr(window->window));
    }
    if (windows.empty() || !fits)
      continue;
    Value value = input->get();
    for (auto &[dim, window] : windows)
      value = unfoldWindow(rewriter, op.getLoc(), value, dim, window,
                           sizes[window.output], sizes[window.window]);
    maps[input->getOperandNumber()] =
        AffineMap::get(map.getNumDims(), 0, exprs, op.getContext());
    rewriter.modifyOpInPlace(op, [&] {
      input->set(value);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
  }
}

void mlir::te::normalizeStructuredOps(func::FuncOp model) {
  IRRewriter rewriter(model.getContext());
  SmallVector<linalg::LinalgOp> convolutions;
  model.walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() &&
        llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return llvm::any_of(map.getResults(), [](AffineExpr expr) {
            return isa<AffineBinaryOpExpr>(expr);
          });
        }))
      convolutions.push_back(op);
  });
  for (linalg::LinalgOp op : convolutions) {
    FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
    if (succeeded(generic))
      unfoldWindows(rewriter, *generic);
  }
  RewritePatternSet patterns(model.getContext());
  patterns.add(dropReducedDims).add(wholePower);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // A result that did not converge is equally valid.
  (void)applyPatternsGreedily(model, std::move(patterns), config);
}
