// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-quantize-concats: quantizes the operands of a concatenation in place.

#include "Footprint.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "tert/ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTQUANTIZECONCATS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-quantize-concats"

using namespace mlir;
using namespace mlir::te;

namespace {

/// A quantization of a matrix that copies concatenate from blocks of rows.
class ConcatQuantization {
public:
  explicit ConcatQuantization(tert::QuantizeOp op) : op(op) {}

  /// True if it is one, and each block is unchanged since it was copied.
  bool match();
  /// Quantizes the blocks in place.
  void rewrite();

private:
  struct Part {
    tert::CopyOp copy;
    memref::SubViewOp slice;
    int64_t begin, end; ///< rows
  };
  std::optional<Part> getPart(Operation *user);
  bool isUnchanged(const Part &part);
  void quantizeJoined();
  void quantizeApart();
  void measureApart(tert::AmaxOp amax);

  tert::QuantizeOp op;
  memref::AllocOp whole;
  SmallVector<Part> parts;
  /// Those of the matrix, from which its scale is made.
  SmallVector<tert::AmaxOp> amaxes;
};

} // namespace

/// True if neighbours in the slice are neighbours in its source.
static bool isDense(memref::SubViewOp slice) {
  return llvm::all_of(slice.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// The block that a view of the matrix represents.
std::optional<ConcatQuantization::Part>
ConcatQuantization::getPart(Operation *user) {
  auto slice = dyn_cast<memref::SubViewOp>(user);
  if (!slice || !slice->hasOneUse())
    return std::nullopt;
  auto copy = dyn_cast<tert::CopyOp>(*slice->user_begin());
  std::optional<BufferBox> box = getBox(slice);
  MemRefType type = whole.getType();
  if (!copy || copy.getY() != slice.getResult() || !box || !isDense(slice) ||
      copy->getBlock() != op->getBlock() || !copy->isBeforeInBlock(op) ||
      copy.getX().getType().getElementType() != type.getElementType() ||
      copy.getX().getType().getRank() != 2 || box->begins[1] != 0 ||
      box->ends[1] != type.getDimSize(1))
    return std::nullopt;
  return Part{copy, slice, box->begins[0], box->ends[0]};
}

/// True if the copied block is not written before the matrix is quantized.
bool ConcatQuantization::isUnchanged(const Part &part) {
  tert::CopyOp copy = part.copy;
  Footprint source;
  source.addRead(copy.getX());
  return source.findConflict(copy->getNextNode(), op) == op;
}

bool ConcatQuantization::match() {
  whole = op.getX().getDefiningOp<memref::AllocOp>();
  if (!whole || op.getDbias() || op.getScale().getType().getRank() != 0)
    return false;
  for (Operation *user : whole->getUsers()) {
    if (user == op)
      continue;
    if (auto amax = dyn_cast<tert::AmaxOp>(user);
        amax && amax.getX() == whole.getMemref() &&
        amax.getAmax().getType().getRank() == 0 &&
        amax->getBlock() == op->getBlock() && amax->isBeforeInBlock(op)) {
      amaxes.push_back(amax);
      continue;
    }
    std::optional<Part> part = getPart(user);
    if (!part)
      return false;
    parts.push_back(*part);
  }
  llvm::sort(parts,
             [](const Part &a, const Part &b) { return a.begin < b.begin; });
  // The blocks cover all of it, and the copies have no padding between them.
  MemRefType type = whole.getType();
  int64_t rows = 0;
  for (const Part &part : parts) {
    if (part.begin != rows || !isUnchanged(part)) {
      LDBG() << "left, blocks overlap or change before they are quantized: "
             << op;
      return false;
    }
    rows = part.end;
  }
  for (tert::AmaxOp amax : amaxes)
    if (!llvm::all_of(parts, [&](const Part &part) {
          return tert::CopyOp(part.copy)->isBeforeInBlock(amax);
        }))
      return false;
  auto hasShape = [](Value copy, int64_t rows, int64_t columns) {
    if (!copy)
      return true;
    ArrayRef<int64_t> shape = cast<MemRefType>(copy.getType()).getShape();
    return shape[0] == rows && shape[1] == columns;
  };
  return parts.size() > 1 && rows == type.getDimSize(0) &&
         hasShape(op.getRowwise(), rows, type.getDimSize(1)) &&
         hasShape(op.getColumnwise(), type.getDimSize(1), rows);
}

namespace {
/// One amax for each of several matrices, which become one.
struct Amaxes {
  Amaxes(OpBuilder &builder, Location loc, int64_t count)
      : builder(builder), loc(loc),
        all(memref::AllocOp::create(
            builder, loc, MemRefType::get({count}, builder.getF32Type()))) {}

  Value at(int64_t index) {
    auto indices = [&](int64_t value) {
      return getAsIndexOpFoldResult(builder.getContext(), {value});
    };
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        {}, cast<MemRefType>(all.getType()), {index}, {1}, {1}));
    return memref::SubViewOp::create(builder, loc, type, all, indices(index),
                                     indices(1), indices(1));
  }
  void join(Value amax) {
    tert::AmaxOp::create(builder, loc, TypeRange(), all, amax,
                         /*transposed=*/false);
  }

  OpBuilder &builder;
  Location loc;
  Value all;
};
} // namespace

/// One call for each block, and one for the largest of their amaxes.
void ConcatQuantization::measureApart(tert::AmaxOp amax) {
  OpBuilder builder(amax);
  Amaxes ofParts(builder, amax.getLoc(), parts.size());
  // The blocks are quantized in their order: those read last are still cached
  // then.
  for (int64_t index = parts.size(); index-- > 0;) {
    tert::CopyOp copy = parts[index].copy;
    tert::AmaxOp::create(builder, copy.getLoc(), TypeRange(), copy.getX(),
                         ofParts.at(index), /*transposed=*/false);
  }
  ofParts.join(amax.getAmax());
  amax.erase();
}

/// One call for all blocks.
void ConcatQuantization::quantizeJoined() {
  SmallVector<Value> matrices;
  for (const Part &part : parts)
    matrices.push_back(tert::CopyOp(part.copy).getX());
  OpBuilder builder(op);
  tert::QuantizeJoinedOp::create(builder, op.getLoc(), TypeRange(), matrices,
                                 op.getScale(), op.getRowwise(),
                                 op.getColumnwise(), op.getAmax());
}

/// One call for each block, into its slice of the copies.
void ConcatQuantization::quantizeApart() {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto indices = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(op.getContext(), values);
  };
  int64_t columns = whole.getType().getDimSize(1);
  std::optional<Amaxes> ofParts;
  if (op.getAmax())
    ofParts.emplace(builder, loc, parts.size());
  for (auto [index, part] : llvm::enumerate(parts)) {
    int64_t rows = part.end - part.begin;
    Value rowwise, columnwise, amax;
    if (op.getRowwise())
      rowwise = memref::SubViewOp::create(
          builder, loc, op.getRowwise(), indices({part.begin, 0}),
          indices({rows, columns}), indices({1, 1}));
    if (op.getColumnwise())
      columnwise = memref::SubViewOp::create(
          builder, loc, op.getColumnwise(), indices({0, part.begin}),
          indices({columns, rows}), indices({1, 1}));
    if (ofParts)
      amax = ofParts->at(index);
    tert::QuantizeOp::create(builder, part.copy.getLoc(), TypeRange(),
                             part.copy.getX(), op.getScale(), rowwise,
                             columnwise, amax, /*dbias=*/Value());
  }
  if (ofParts)
    ofParts->join(op.getAmax());
}

void ConcatQuantization::rewrite() {
  for (tert::AmaxOp amax : amaxes)
    measureApart(amax);
  if (parts.size() <= TERT_MAX_JOINED)
    quantizeJoined();
  else
    quantizeApart();
  op.erase();
  for (const Part &part : parts) {
    tert::CopyOp copy = part.copy;
    memref::SubViewOp slice = part.slice;
    copy.erase();
    slice.erase();
  }
  whole.erase();
}

namespace {
struct TERTQuantizeConcats
    : te::impl::TERTQuantizeConcatsBase<TERTQuantizeConcats> {
  void runOnOperation() override {
    SmallVector<tert::QuantizeOp> ops;
    getOperation().walk([&](tert::QuantizeOp op) { ops.push_back(op); });
    for (tert::QuantizeOp op : ops) {
      ConcatQuantization partwise(op);
      if (!partwise.match())
        continue;
      LDBG() << "taken: " << op;
      partwise.rewrite();
      ++numRewritten;
    }
  }
};
} // namespace
