// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-split-linears: splits products into features that are gathered or reduced
// over the ranks and those that stay on the rank.

#include "Distribution/Partitioning/Reshard.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESPLITLINEARS
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-split-linears"

using namespace mlir;
using namespace mlir::te;

/// True for layers, at which the search for collectives ends.
static bool isLayer(Operation *op) {
  return isa<AttentionOp, AttentionGradOp, MatmulOp, ScaledMatmulOp>(op);
}

/// True if other ranks receive the value, or a tokenwise function of it.
static bool isGathered(Value value) {
  SetVector<Operation *> readers;
  readers.insert_range(value.getUsers());
  for (unsigned i = 0; i < readers.size(); ++i) {
    if (isa<AllGatherSequenceOp>(readers[i]))
      return true;
    if (!isLayer(readers[i]))
      readers.insert_range(readers[i]->getUsers());
  }
  return false;
}

/// True if the value is a tokenwise function of a sum over ranks.
static bool isScattered(Value value) {
  SetVector<Operation *> producers;
  auto add = [&](Value of) {
    if (Operation *op = of.getDefiningOp(); op && !isLayer(op))
      producers.insert(op);
  };
  add(value);
  for (unsigned i = 0; i < producers.size(); ++i) {
    if (isa<ReduceScatterSequenceOp>(producers[i]))
      return true;
    for (Value operand : producers[i]->getOperands())
      add(operand);
  }
  return false;
}

namespace {
/// A contiguous range of features, and of the pieces that it consists of.
struct Features {
  unsigned first = 0, count = 0; ///< pieces
  int64_t begin = 0, size = 0;   ///< features

  void add(int64_t features) {
    ++count;
    size += features;
  }
};

/// The features of a product, split into those that are gathered and the
/// others.
struct Split {
  Features exchanged, own;

  /// Returns nullopt unless both are one range.
  template <typename Fn>
  static std::optional<Split> find(ValueRange pieces,
                                   const Fn &isCommunicated) {
    SmallVector<bool> flags = llvm::map_to_vector(pieces, isCommunicated);
    Split split;
    int64_t begin = 0;
    for (auto [i, piece] : llvm::enumerate(pieces)) {
      Features &range = flags[i] ? split.exchanged : split.own;
      if (i == 0 || flags[i] != flags[i - 1]) {
        if (range.count != 0)
          return std::nullopt;
        range.first = i;
        range.begin = begin;
      }
      const int64_t features = tensorType(piece).getDimSize(1);
      range.add(features);
      begin += features;
    }
    if (split.exchanged.count == 0 || split.own.count == 0)
      return std::nullopt;
    return split;
  }
};

struct TESplitLinears : te::impl::TESplitLinearsBase<TESplitLinears> {
  void runOnOperation() override;

private:
  bool splitForward(MatmulOp op);
  bool splitGradient(MatmulOp op);
};
} // namespace

static Value slice(OpBuilder &builder, Location loc, Value value, int64_t dim,
                   const Features &range) {
  return sliceDim(builder, loc, value, dim, range.begin, range.size);
}

/// The product with other operands; dimension `dim` of its result has `size`
/// elements.
static MatmulOp cloneWith(OpBuilder &builder, MatmulOp op, Value a, Value b,
                          Value bias, int64_t dim, int64_t size) {
  auto part = cast<MatmulOp>(builder.clone(*op));
  part.getAMutable().assign(a);
  part.getBMutable().assign(b);
  if (bias)
    part.getBiasMutable().assign(bias);
  part.getD().setType(withSize(tensorType(op.getD()), dim, size));
  return part;
}

/// Queries, keys and values: the features that other ranks need come first, and
/// each piece of them is made contiguous, as it is sent.
bool TESplitLinears::splitForward(MatmulOp op) {
  if (op.getAddend() || !op.getD().hasOneUse())
    return false;
  auto pieces = dyn_cast<SplitOp>(*op.getD().user_begin());
  if (!pieces || pieces.getAxis() != 1)
    return false;
  std::optional<Split> split = Split::find(pieces.getPieces(), isGathered);
  if (!split) {
    LDBG() << "left, the gathered features are all, none or not contiguous: "
           << op;
    return false;
  }
  LDBG() << "taken: " << op;
  SmallVector<Features> products;
  int64_t begin = split->exchanged.begin;
  for (unsigned i = 0; i < split->exchanged.count; ++i) {
    const unsigned number = split->exchanged.first + i;
    const int64_t size = tensorType(pieces.getPieces()[number]).getDimSize(1);
    products.push_back({number, 1, begin, size});
    begin += size;
  }
  products.push_back(split->own);
  OpBuilder builder(op);
  Location loc = op.getLoc();
  for (const Features &range : products) {
    Value weight =
        slice(builder, loc, op.getB(), op.getTransposeB() ? 0 : 1, range);
    Value bias =
        op.getBias() ? slice(builder, loc, op.getBias(), 0, range) : Value();
    Value part =
        cloneWith(builder, op, op.getA(), weight, bias, 1, range.size).getD();
    auto results = pieces.getPieces().slice(range.first, range.count);
    if (range.count == 1) {
      results.front().replaceAllUsesWith(part);
      continue;
    }
    auto own = SplitOp::create(builder, pieces.getLoc(),
                               TypeRange(ValueRange(results)), part,
                               builder.getI64IntegerAttr(1));
    for (auto [old, made] : llvm::zip_equal(results, own.getPieces()))
      old.replaceAllUsesWith(made);
  }
  pieces.erase();
  op.erase();
  return true;
}

/// The weight's gradient: rows of it that need no other rank do not wait.
bool TESplitLinears::splitGradient(MatmulOp op) {
  if (op.getAddend() || op.getBias())
    return false;
  // The concatenation behind an operand that has a column for each feature.
  auto partsOf = [](Value value, bool hasColumns) {
    auto concat = value.getDefiningOp<tensor::ConcatOp>();
    return hasColumns && concat && concat.getDim() == 1 ? concat
                                                        : tensor::ConcatOp();
  };
  tensor::ConcatOp ofA = partsOf(op.getA(), op.getTransposeA()),
                   ofB = partsOf(op.getB(), !op.getTransposeB());
  if (bool(ofA) == bool(ofB))
    return false;
  tensor::ConcatOp concat = ofA ? ofA : ofB;
  const int64_t dim = ofA ? 0 : 1;
  std::optional<Split> split = Split::find(concat.getInputs(), isScattered);
  // Several would have to be concatenated first.
  if (!split || split->own.count != 1) {
    LDBG() << "left, the features that wait for no other rank are not one "
              "piece: "
           << op;
    return false;
  }
  LDBG() << "taken: " << op;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto build = [&](Value features, const Features &range) -> Value {
    return cloneWith(builder, op, ofA ? features : op.getA(),
                     ofB ? features : op.getB(), {}, dim, range.size)
        .getD();
  };
  Value own = build(concat.getInputs()[split->own.first], split->own);
  Value rest =
      build(slice(builder, loc, concat.getResult(), 1, split->exchanged),
            split->exchanged);
  const bool isFirst = split->own.first == 0;
  SmallVector<Value> rows = {isFirst ? own : rest, isFirst ? rest : own};
  op.getD().replaceAllUsesWith(
      tensor::ConcatOp::create(builder, loc, dim, rows).getResult());
  op.erase();
  return true;
}

void TESplitLinears::runOnOperation() {
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(getOperation()->getParentOfType<ModuleOp>());
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh || !(*mesh)->findAxis(kContextAxis))
    return;
  SmallVector<MatmulOp> products;
  getOperation().walk([&](MatmulOp op) { products.push_back(op); });
  for (MatmulOp op : products)
    if (splitForward(op) || splitGradient(op))
      ++numSplit;
}
