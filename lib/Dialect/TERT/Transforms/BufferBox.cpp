// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferBox.h"

using namespace mlir;
using namespace mlir::te;

bool BufferBox::overlaps(const BufferBox &other) const {
  for (auto [begin, end, otherBegin, otherEnd] :
       llvm::zip(begins, ends, other.begins, other.ends))
    if (end <= otherBegin || otherEnd <= begin)
      return false;
  return true;
}

std::optional<BufferBox> mlir::te::getBox(memref::SubViewOp slice) {
  BufferBox box;
  for (auto [offset, size, stride] :
       llvm::zip(slice.getStaticOffsets(), slice.getStaticSizes(),
                 slice.getStaticStrides())) {
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(stride))
      return std::nullopt;
    // A slice may have a negative stride.
    int64_t last = offset + (size - 1) * stride;
    box.begins.push_back(std::min(offset, last));
    box.ends.push_back(std::max(offset, last) + 1);
  }
  return box;
}

bool mlir::te::allUses(
    Value buffer, function_ref<bool(OpOperand &use, const BufferBox &box)> fn) {
  SmallVector<std::pair<Value, BufferBox>> aliases = {{buffer, BufferBox()}};
  while (!aliases.empty()) {
    auto [alias, box] = aliases.pop_back_val();
    for (OpOperand &use : alias.getUses()) {
      Operation *user = use.getOwner();
      BufferBox own = box;
      if (auto slice = dyn_cast<memref::SubViewOp>(user);
          slice && alias == buffer)
        own = getBox(slice).value_or(BufferBox());
      for (Value view : user->getResults())
        if (isa<BaseMemRefType>(view.getType()))
          aliases.emplace_back(view, own);
      if (!fn(use, own))
        return false;
    }
  }
  return true;
}
