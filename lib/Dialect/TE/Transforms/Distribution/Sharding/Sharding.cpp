// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::te;

#include "te/Dialect/TE/Transforms/Distribution/ShardableOpInterface.cpp.inc"

int64_t Cut::getSize() const {
  return outer * llvm::sum_of(blocks, int64_t(0));
}

bool Cut::isDivisibleBy(int64_t ranks) const {
  return llvm::all_of(blocks,
                      [&](int64_t block) { return block % ranks == 0; });
}

/// A joined weight has few blocks; rows have many, but all alike.
static constexpr int64_t kMostBlocks = 4096;

Cut Cut::of(int64_t outer, ArrayRef<int64_t> blocks) {
  size_t size = blocks.size();
  for (size_t period = 1; period <= size / 2; ++period)
    if (size % period == 0 &&
        blocks.drop_front(period) == blocks.drop_back(period))
      return {outer * int64_t(size / period),
              SmallVector<int64_t>(blocks.take_front(period))};
  return {outer, SmallVector<int64_t>(blocks)};
}

SmallVector<int64_t> Cut::list() const {
  SmallVector<int64_t> all;
  for (int64_t i = 0; i < outer; ++i)
    llvm::append_range(all, blocks);
  return all;
}

std::optional<Cut> Cut::refine(const Cut &other) const {
  if (*this == other)
    return *this;
  if (getSize() != other.getSize())
    return std::nullopt;
  // A common repetition is handled once.
  int64_t common = std::gcd(outer, other.outer);
  Cut once{outer / common, blocks},
      otherOnce{other.outer / common, other.blocks};
  if (once.outer * int64_t(blocks.size()) > kMostBlocks ||
      otherOnce.outer * int64_t(other.blocks.size()) > kMostBlocks)
    return std::nullopt;
  SmallVector<int64_t> a = once.list(), b = otherOnce.list(), refined;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    int64_t both = std::min(a[i], b[j]);
    refined.push_back(both);
    if ((a[i] -= both) == 0)
      ++i;
    if ((b[j] -= both) == 0)
      ++j;
  }
  return Cut::of(common, refined);
}

RankedTensorType mlir::te::getPartType(RankedTensorType type,
                                       const DimSplit &cut, int64_t ranks) {
  SmallVector<int64_t> shape(type.getShape());
  shape[cut.dim] /= ranks;
  return type.clone(shape);
}

FailureOr<OpSharding> mlir::te::shareFactor(Operation *op,
                                            ArrayRef<Factor> factors,
                                            bool ofResult, unsigned number,
                                            const DimSplit &cut,
                                            std::string &reason) {
  std::pair<unsigned, unsigned> wanted = {number, cut.dim};
  for (const Factor &factor : factors) {
    if (!llvm::is_contained(ofResult ? factor.results : factor.operands,
                            wanted))
      continue;
    OpSharding sharding(op);
    for (auto [operand, dim] : factor.operands)
      sharding.operands[operand] = DimSplit{dim, cut.cut};
    for (auto [result, dim] : factor.results)
      sharding.results[result] = DimSplit{dim, cut.cut};
    for (unsigned result : factor.sums)
      sharding.sums.set(result);
    return sharding;
  }
  reason = ("'" + op->getName().getStringRef() + "' needs a replicated " +
            (ofResult ? "its result" : "its operand") + " #" + Twine(number) +
            " along dimension " + Twine(cut.dim))
               .str();
  return failure();
}

SmallVector<Value> mlir::te::cloneOnParts(OpBuilder &builder, Operation *op,
                                          ValueRange operands,
                                          TypeRange results) {
  Operation *part = builder.clone(*op);
  part->setOperands(operands);
  for (auto [result, type] : llvm::zip_equal(part->getResults(), results))
    result.setType(type);
  return llvm::to_vector_of<Value>(part->getResults());
}

void mlir::te::separateUses(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if ((!isa<tensor::EmptyOp>(op) && !op.hasTrait<OpTrait::ConstantLike>()) ||
        !isa<RankedTensorType>(op.getResult(0).getType()) || op.use_empty())
      continue;
    OpBuilder builder(&op);
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(op.getUses())))
      use.set(builder.clone(op)->getResult(0));
  }
}
