// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-gather-quantized: ranks quantize their parts and gather the FP8 bytes.

#include "Distribution/PartCopies.h"
#include "Distribution/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEGATHERQUANTIZED
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

/// Why parts are gathered as they are; empty when they need not be.
struct Refusal {
  std::string reason, suggestion;

  explicit operator bool() const { return !reason.empty(); }
};

/// What reads a gathered matrix.
class GatheredMatrix {
public:
  explicit GatheredMatrix(shard::AllGatherOp gather);

  bool isQuantized() const { return !quantizations.empty(); }
  Refusal getRefusal(const SpmdAnalysis &analysis);
  /// Gathers copies of the parts instead; returns how many.
  unsigned rewrite(RewriterBase &rewriter);

private:
  void reduceAmax(RewriterBase &rewriter, AmaxOp amax);
  void gatherCopy(RewriterBase &rewriter, QuantizeOp whole);

  shard::AllGatherOp gather;
  SmallVector<QuantizeOp> quantizations;
  SmallVector<AmaxOp> amaxes;
  /// Any other reader.
  Operation *other = nullptr;
};

struct TEGatherQuantized : te::impl::TEGatherQuantizedBase<TEGatherQuantized> {
  void runOnOperation() override;
  void runOn(func::FuncOp function, const Mesh &mesh);
};

} // namespace

GatheredMatrix::GatheredMatrix(shard::AllGatherOp gather) : gather(gather) {
  for (Operation *user : gather.getResult().getUsers()) {
    // Not all ranks may come to what is within other regions.
    if (user->getBlock() != gather->getBlock())
      other = user;
    else if (auto quantize = dyn_cast<QuantizeOp>(user))
      quantizations.push_back(quantize);
    else if (auto amax = dyn_cast<AmaxOp>(user))
      amaxes.push_back(amax);
    else
      other = user;
  }
  auto order = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
  llvm::sort(quantizations, order);
  llvm::sort(amaxes, order);
}

/// The type of the rowwise copy of all rows, whether it is wanted or not.
static RankedTensorType getRowwiseType(QuantizeOp whole) {
  if (Value rowwise = whole.getRowwise())
    return cast<RankedTensorType>(rowwise.getType());
  auto type = cast<RankedTensorType>(whole.getColumnwise().getType());
  return type.clone({type.getDimSize(1), type.getDimSize(0)});
}

Refusal GatheredMatrix::getRefusal(const SpmdAnalysis &analysis) {
  auto part = cast<RankedTensorType>(gather.getInput().getType());
  auto all = cast<RankedTensorType>(gather.getType());
  if (other)
    return {(other->getName().getStringRef() + " reads the values, too").str(),
            ""};
  if (gather.getGatherAxis() != 0)
    return {"ranks have parts of its columns, which lie in pieces in the whole",
            "share the rows among the ranks"};
  if (part.getDimSize(0) % kFp8Alignment != 0)
    return {llvm::formatv("copies of parts of {0} rows would be padded",
                          part.getDimSize(0)),
            llvm::formatv("give each rank a multiple of {0} tokens",
                          kFp8Alignment)};
  double copies = 0;
  for (QuantizeOp quantize : quantizations) {
    if (quantize.getDbias())
      return {"the quantization sums the rows of all ranks as well",
              "sum the rows of each part (te.column_sum), and those sums over "
              "the ranks"};
    const AxisSet own = analysis.get(quantize.getScale()).own;
    if (own & toAxisSet(gather.getGridAxes()))
      return {"each rank has a scale of its own",
              "exchange the amax that the scale is made of first "
              "(te.reduce_scalars)"};
    if (quantize.getRowwise() || quantize.getColumnwise())
      copies += getBytes(getRowwiseType(quantize));
  }
  if (copies > getBytes(all))
    return {llvm::formatv("its {0} copies are more bytes than the values",
                          quantizations.size()),
            "let the layers that read it share one quantization"};
  return {};
}

/// The largest of all ranks' parts is that of the whole.
void GatheredMatrix::reduceAmax(RewriterBase &rewriter, AmaxOp amax) {
  Location loc = amax.getLoc();
  rewriter.setInsertionPoint(amax);
  Value own = AmaxOp::create(rewriter, loc, amax.getType(), gather.getInput());
  auto vector = RankedTensorType::get({1}, rewriter.getF32Type());
  auto exchange = ReduceScalarsOp::create(
      rewriter, loc, vector, /*sum=*/Type(), own, /*sums=*/ValueRange(),
      gather.getGrid(), gather.getGridAxes());
  rewriter.replaceOp(amax, extractElement(rewriter, loc, exchange.getMax(), 0));
}

void GatheredMatrix::gatherCopy(RewriterBase &rewriter, QuantizeOp whole) {
  Location loc = whole.getLoc();
  rewriter.setInsertionPoint(whole);
  auto part = cast<RankedTensorType>(gather.getInput().getType());
  const bool isRead = whole.getRowwise() || whole.getColumnwise();
  RankedTensorType type, partType;
  if (isRead) {
    type = getRowwiseType(whole);
    partType = type.clone({part.getDimSize(0), type.getDimSize(1)});
  }
  auto made =
      QuantizeOp::create(rewriter, loc, partType, /*columnwise=*/Type(),
                         whole.getAmax() ? whole.getAmax().getType() : Type(),
                         /*dbias=*/Type(), gather.getInput(), whole.getScale());
  if (whole.getAmax())
    rewriter.replaceAllUsesWith(whole.getAmax(), made.getAmax());
  if (isRead) {
    Value rows = shard::AllGatherOp::create(
        rewriter, gather.getLoc(), type, gather.getGrid(), gather.getGridAxes(),
        made.getRowwise(), gather.getGatherAxis());
    if (whole.getRowwise())
      rewriter.replaceAllUsesWith(whole.getRowwise(), rows);
    if (whole.getColumnwise())
      rewriter.replaceAllUsesWith(whole.getColumnwise(),
                                  transposeMatrix(rewriter, loc, rows));
  }
  rewriter.eraseOp(whole);
}

unsigned GatheredMatrix::rewrite(RewriterBase &rewriter) {
  for (AmaxOp amax : amaxes)
    reduceAmax(rewriter, amax);
  for (QuantizeOp quantize : quantizations)
    gatherCopy(rewriter, quantize);
  rewriter.eraseOp(gather);
  return quantizations.size();
}

void TEGatherQuantized::runOn(func::FuncOp function, const Mesh &mesh) {
  SpmdAnalysis analysis(function, mesh);
  IRRewriter rewriter(&getContext());
  auto options = [&](StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("te-gather-quantized")
        .function(function.getName());
  };
  Block &body = function.getBody().front();
  for (auto gather :
       llvm::make_early_inc_range(body.getOps<shard::AllGatherOp>())) {
    GatheredMatrix matrix(gather);
    if (!matrix.isQuantized())
      continue;
    Location loc = gather.getLoc();
    const double bytes = getBytes(gather.getType());
    if (Refusal refusal = matrix.getRefusal(analysis)) {
      auto missed = remark::missed(loc, options("Gather"));
      missed << remark::reason("{0}", refusal.reason);
      if (!refusal.suggestion.empty())
        missed << remark::suggest("{0}", refusal.suggestion);
      continue;
    }
    unsigned copies = matrix.rewrite(rewriter);
    numGathered += copies;
    remark::passed(loc, options("Gather"))
        << remark::add("ranks quantize their parts, and exchange FP8 bytes")
        << remark::metric("Bytes", bytes) << remark::metric("Copies", copies);
  }
}

void TEGatherQuantized::runOnOperation() {
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(getOperation());
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh)
    return;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal() && function.getBody().hasOneBlock())
      runOn(function, **mesh);
}
