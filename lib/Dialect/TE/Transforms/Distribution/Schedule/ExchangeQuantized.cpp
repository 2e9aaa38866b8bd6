// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-exchange-quantized: ranks quantize the rows that they send to experts, and
// exchange the FP8 bytes.

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEEXCHANGEQUANTIZED
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct TEExchangeQuantized
    : te::impl::TEExchangeQuantizedBase<TEExchangeQuantized> {
  using TEExchangeQuantizedBase::TEExchangeQuantizedBase;
  void runOnOperation() override;
};

/// Rows that are exchanged, sorted by expert, and then read by quantizations.
struct ExchangedMatrix {
  explicit ExchangedMatrix(PermuteOp sorted);

  /// Why the rows are exchanged unquantized; empty if they need not be.
  std::string getRefusal(const SpmdAnalysis &analysis);
  void rewrite(RewriterBase &rewriter);

  PermuteOp sorted;
  shard::AllToAllOp exchange;
  SmallVector<QuantizeOp> quantizations;
  SmallVector<AmaxOp> amaxes;
  /// Any other reader, which needs the rows themselves.
  Operation *other = nullptr;
};
} // namespace

ExchangedMatrix::ExchangedMatrix(PermuteOp sorted)
    : sorted(sorted),
      exchange(sorted.getX().getDefiningOp<shard::AllToAllOp>()) {
  if (!exchange || !sorted.getY())
    return;
  for (Operation *user : exchange.getResult().getUsers())
    if (user != sorted)
      other = user;
  for (Operation *user : sorted.getY().getUsers()) {
    if (user->getBlock() != sorted->getBlock())
      other = user;
    else if (auto quantize = dyn_cast<QuantizeOp>(user))
      quantizations.push_back(quantize);
    else if (auto amax = dyn_cast<AmaxOp>(user))
      amaxes.push_back(amax);
    else
      other = user;
  }
}

std::string ExchangedMatrix::getRefusal(const SpmdAnalysis &analysis) {
  if (other)
    return (other->getName().getStringRef() + " reads the values, too").str();
  if (sorted.getWeights() || sorted.getRepeat() != 1 || sorted.getRowwise() ||
      sorted.getColumnwise() || sorted.getAmax())
    return "the rows are multiplied or quantized as they are sorted";
  auto type = cast<RankedTensorType>(exchange.getInput().getType());
  if (type.getDimSize(0) % kFp8Alignment != 0)
    return llvm::formatv("copies of {0} rows would be padded",
                         type.getDimSize(0));
  // Several copies are as many bytes as the values.
  if (double(quantizations.size()) * type.getNumElements() > getBytes(type))
    return llvm::formatv("its {0} copies are more bytes than the values",
                         quantizations.size());
  for (QuantizeOp quantize : quantizations) {
    if (quantize.getDbias())
      return "the quantization sums the rows as well";
    if (analysis.get(quantize.getScale()).own &
        toAxisSet(exchange.getGridAxes()))
      return "each rank has a scale of its own";
  }
  return {};
}

void ExchangedMatrix::rewrite(RewriterBase &rewriter) {
  // The largest element of all ranks is that of what they send.
  for (AmaxOp amax : amaxes)
    rewriter.modifyOpInPlace(
        amax, [&] { amax.getXMutable().assign(exchange.getInput()); });
  for (QuantizeOp quantize : quantizations) {
    Location loc = quantize.getLoc();
    rewriter.setInsertionPoint(quantize);
    Type element =
        getElementTypeOrSelf(quantize.getRowwise() ? quantize.getRowwise()
                                                   : quantize.getColumnwise());
    auto input = cast<RankedTensorType>(exchange.getInput().getType());
    auto own = QuantizeOp::create(
        rewriter, loc, input.clone(element), /*columnwise=*/Type(),
        quantize.getAmax() ? quantize.getAmax().getType() : Type(),
        /*dbias=*/Type(), exchange.getInput(), quantize.getScale());
    Value received = shard::AllToAllOp::create(
        rewriter, exchange.getLoc(), input.clone(element),
        exchange.getGridAttr(), exchange.getGridAxesAttr(), own.getRowwise(),
        exchange.getSplitAxisAttr(), exchange.getConcatAxisAttr());
    auto type = cast<RankedTensorType>(sorted.getY().getType());
    Value rowwise =
        TakeRowsOp::create(rewriter, sorted.getLoc(), type.clone(element),
                           received, sorted.getSource());
    if (quantize.getAmax())
      rewriter.replaceAllUsesWith(quantize.getAmax(), own.getAmax());
    if (quantize.getColumnwise())
      rewriter.replaceAllUsesWith(quantize.getColumnwise(),
                                  transposeTo(rewriter, loc, rowwise, {1, 0}));
    if (quantize.getRowwise())
      rewriter.replaceAllUsesWith(quantize.getRowwise(), rowwise);
    rewriter.eraseOp(quantize);
  }
  rewriter.eraseOp(sorted);
  rewriter.eraseOp(exchange);
}

void TEExchangeQuantized::runOnOperation() {
  func::FuncOp function = getOperation();
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(function->getParentOfType<ModuleOp>());
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh || function.isExternal() || !function.getBody().hasOneBlock())
    return;
  SpmdAnalysis analysis(function, **mesh);
  IRRewriter rewriter(&getContext());
  auto options = [&](StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("te-exchange-quantized")
        .function(function.getName());
  };
  Block &body = function.getBody().front();
  for (auto sorted : llvm::make_early_inc_range(body.getOps<PermuteOp>())) {
    ExchangedMatrix matrix(sorted);
    if (matrix.quantizations.empty())
      continue;
    Location loc = matrix.exchange.getLoc();
    if (std::string reason = matrix.getRefusal(analysis); !reason.empty()) {
      remark::missed(loc, options("Exchange")) << remark::reason("{0}", reason);
      continue;
    }
    matrix.rewrite(rewriter);
    ++numExchanged;
    remark::passed(loc, options("Exchange"))
        << remark::add("ranks quantize rows and exchange FP8 bytes");
  }
}
