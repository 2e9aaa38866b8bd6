// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-gather-quantized: ranks quantize their shards and gather the FP8 bytes.

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/Schedule/CollectiveCosts.h"
#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Analysis/CostModel.h"
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

/// Why shards are gathered unquantized; empty if they need not be.
struct Refusal {
  std::string reason, suggestion;

  explicit operator bool() const { return !reason.empty(); }
};

/// Decides whether gathering the shards of a columnwise copy is faster than
/// transposing the gathered rows.
class ColumnwiseChoice {
public:
  ColumnwiseChoice(ModuleOp module, std::optional<CollectiveCosts> time)
      : costs(module), time(std::move(time)) {}

  bool gathers(shard::AllGatherOp gather, QuantizeOp quantize) const;

private:
  double getSeconds(const Work &work) const {
    std::optional<Cost> cost = costs.getCost(work);
    return cost ? cost->seconds : 0;
  }

  CostModel costs;
  std::optional<CollectiveCosts> time;
};

/// The readers of a gathered matrix.
class GatheredMatrix {
public:
  GatheredMatrix(shard::AllGatherOp gather, const ColumnwiseChoice &choice);

  bool isQuantized() const { return !quantizations.empty(); }
  Refusal getRefusal(const SpmdAnalysis &analysis);
  /// Gathers quantized shards instead; returns the number of copies.
  unsigned rewrite(RewriterBase &rewriter);
  unsigned getNumColumnwise() const { return numColumnwise; }

private:
  void reduceAmax(RewriterBase &rewriter, AmaxOp amax);
  void gatherCopy(RewriterBase &rewriter, QuantizeOp whole);

  shard::AllGatherOp gather;
  const ColumnwiseChoice &choice;
  unsigned numColumnwise = 0;
  SmallVector<QuantizeOp> quantizations;
  SmallVector<AmaxOp> amaxes;
  /// Any other reader, which prevents the rewrite.
  Operation *other = nullptr;
};

struct TEGatherQuantized : te::impl::TEGatherQuantizedBase<TEGatherQuantized> {
  using TEGatherQuantizedBase::TEGatherQuantizedBase;
  void runOnOperation() override;
  void runOn(func::FuncOp function, const Mesh &mesh,
             const ColumnwiseChoice &choice);
};

} // namespace

/// The first op with a kernel that reads `value`; null if it is not in the
/// block.
static Operation *findReader(Value value, Block &block) {
  Operation *first = nullptr;
  SmallVector<Value> todo = {value};
  while (!todo.empty())
    for (Operation *user : todo.pop_back_val().getUsers()) {
      user = block.findAncestorOpInBlock(*user);
      if (isa<DataMovementOpInterface>(user) && !getWork(user))
        llvm::append_range(todo, user->getResults());
      else if (!first || user->isBeforeInBlock(first))
        first = user;
    }
  return first;
}

bool ColumnwiseChoice::gathers(shard::AllGatherOp gather,
                               QuantizeOp quantize) const {
  Value columnwise = quantize.getColumnwise();
  if (!columnwise || !costs || !time || !time->isAlong(gather.getGridAxes()))
    return false;
  Operation *reader = findReader(columnwise, *quantize->getBlock());
  if (!reader)
    return false;
  const double bytes = getBytes(columnwise.getType());
  const double share = bytes / getBytes(gather.getType());
  const double ranks =
      double(gather.getType().getDimSize(0)) /
      cast<RankedTensorType>(gather.getInput().getType()).getDimSize(0);
  // Seconds of work that it overlaps, less what other collectives take of that.
  double beside = 0;
  for (Operation *op = quantize->getNextNode(); op && op != reader;
       op = op->getNextNode()) {
    if (time->isCollective(op))
      beside -= time->getSeconds(op);
    else if (std::optional<Work> work = getWork(op))
      beside += getSeconds(*work);
  }
  // It begins when the rows have arrived, and most of that work waits for them,
  // too.
  const double exposed =
      std::max(time->getSeconds(gather, share) - std::max(beside, 0.0), 0.0);
  Work transposes, writes;
  transposes.kernel = "generated";
  transposes.bytes = 2 * bytes;
  writes.kernel = "generated";
  writes.bytes = bytes / ranks;
  return exposed + getSeconds(writes) < getSeconds(transposes);
}

GatheredMatrix::GatheredMatrix(shard::AllGatherOp gather,
                               const ColumnwiseChoice &choice)
    : gather(gather), choice(choice) {
  for (Operation *user : gather.getResult().getUsers()) {
    // Ranks may disagree on whether ops of other regions run.
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

/// The type of the rowwise copy of all rows, whether or not it is used.
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
    return {"its columns are sharded, and are not contiguous in the gathered "
            "tensor",
            "share the rows among the ranks"};
  if (part.getDimSize(0) % kFp8Alignment != 0)
    return {llvm::formatv("copies of shards of {0} rows would be padded",
                          part.getDimSize(0)),
            llvm::formatv("give each rank a multiple of {0} tokens",
                          kFp8Alignment)};
  double copies = 0;
  for (QuantizeOp quantize : quantizations) {
    if (quantize.getDbias())
      return {"the quantization sums the rows of all ranks as well",
              "sum the rows of each shard (te.column_sum), and those sums over "
              "the ranks"};
    const AxisSet own = analysis.get(quantize.getScale()).own;
    if (own & toAxisSet(gather.getGridAxes()))
      return {"each rank has a scale of its own",
              "reduce the amax that the scale is made of over ranks first "
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

/// The maximum over the ranks' shards is the amax of the full tensor.
void GatheredMatrix::reduceAmax(RewriterBase &rewriter, AmaxOp amax) {
  Location loc = amax.getLoc();
  rewriter.setInsertionPoint(amax);
  Value own = AmaxOp::create(rewriter, loc, amax.getType(), gather.getInput());
  auto vector = RankedTensorType::get({1}, rewriter.getF32Type());
  auto collective = ReduceScalarsOp::create(
      rewriter, loc, vector, /*sum=*/Type(), own, /*sums=*/ValueRange(),
      gather.getGrid(), gather.getGridAxes());
  rewriter.replaceOp(amax,
                     extractElement(rewriter, loc, collective.getMax(), 0));
}

void GatheredMatrix::gatherCopy(RewriterBase &rewriter, QuantizeOp whole) {
  Location loc = whole.getLoc();
  rewriter.setInsertionPoint(whole);
  const int64_t rows =
      cast<RankedTensorType>(gather.getInput().getType()).getDimSize(0);
  auto partOf = [&](Type whole, int64_t dim) {
    return withSize(cast<RankedTensorType>(whole), dim, rows);
  };
  const bool gathersColumns = choice.gathers(gather, whole);
  RankedTensorType rowwise, columnwise;
  if (whole.getRowwise() || (whole.getColumnwise() && !gathersColumns))
    rowwise = partOf(getRowwiseType(whole), 0);
  if (gathersColumns)
    columnwise = partOf(whole.getColumnwise().getType(), 1);
  auto made =
      QuantizeOp::create(rewriter, loc, rowwise, columnwise,
                         whole.getAmax() ? whole.getAmax().getType() : Type(),
                         /*dbias=*/Type(), gather.getInput(), whole.getScale());
  if (whole.getAmax())
    rewriter.replaceAllUsesWith(whole.getAmax(), made.getAmax());
  auto gatherParts = [&](Type type, Value part, int64_t axis) -> Value {
    return shard::AllGatherOp::create(rewriter, gather.getLoc(), type,
                                      gather.getGrid(), gather.getGridAxes(),
                                      part, APInt(64, axis));
  };
  Value all;
  if (rowwise)
    all = gatherParts(getRowwiseType(whole), made.getRowwise(), 0);
  if (whole.getRowwise())
    rewriter.replaceAllUsesWith(whole.getRowwise(), all);
  // The rows are awaited first.
  if (gathersColumns) {
    rewriter.replaceAllUsesWith(
        whole.getColumnwise(),
        gatherParts(whole.getColumnwise().getType(), made.getColumnwise(), 1));
    ++numColumnwise;
  } else if (whole.getColumnwise()) {
    rewriter.replaceAllUsesWith(whole.getColumnwise(),
                                transposeTo(rewriter, loc, all, {1, 0}));
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

void TEGatherQuantized::runOn(func::FuncOp function, const Mesh &mesh,
                              const ColumnwiseChoice &choice) {
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
    GatheredMatrix matrix(gather, choice);
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
    numColumnwise += matrix.getNumColumnwise();
    remark::passed(loc, options("Gather"))
        << remark::add("ranks quantize their shards and gather FP8 bytes")
        << remark::metric("Bytes", bytes) << remark::metric("Copies", copies)
        << remark::metric("Columnwise", matrix.getNumColumnwise());
  }
}

void TEGatherQuantized::runOnOperation() {
  func::FuncOp function = getOperation();
  auto module = function->getParentOfType<ModuleOp>();
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return signalPassFailure();
  FailureOr<std::optional<CollectiveCosts>> time =
      CollectiveCosts::get(module, {kTensorAxis}, cluster);
  if (failed(time))
    return signalPassFailure();
  if (!*mesh || function.isExternal() || !function.getBody().hasOneBlock())
    return;
  runOn(function, **mesh, ColumnwiseChoice(module, *time));
}
