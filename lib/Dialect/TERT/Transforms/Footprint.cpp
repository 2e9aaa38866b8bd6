// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Footprint.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::te;

/// The op that makes `buffer` a view of another; null if it is none.
static Operation *getView(Value buffer) {
  Operation *view = buffer.getDefiningOp();
  // memref.transpose lacks ViewLikeOpInterface.
  return isa_and_nonnull<ViewLikeOpInterface, memref::TransposeOp>(view)
             ? view
             : nullptr;
}

Value Footprint::getBuffer(Value view) {
  while (Operation *op = getView(view))
    view = op->getOperand(0);
  return view;
}

void Footprint::addAccess(Value buffer, bool writes) {
  BufferBox box;
  while (Operation *view = getView(buffer)) {
    // Only a direct view of the buffer has a known box.
    auto slice = dyn_cast<memref::SubViewOp>(view);
    box = slice ? getBox(slice).value_or(BufferBox()) : BufferBox();
    buffer = view->getOperand(0);
  }
  accesses[buffer].push_back({std::move(box), writes});
}

bool Footprint::add(Operation *op) {
  if (isMemoryEffectFree(op) || isa<memref::AllocOp>(op))
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!effect.getValue())
      return false;
    addAccess(effect.getValue(), !isa<MemoryEffects::Read>(effect.getEffect()));
  }
  return true;
}

void Footprint::add(const Footprint &other) {
  for (const auto &[buffer, list] : other.accesses)
    llvm::append_range(accesses[buffer], list);
}

bool Footprint::conflictsWith(const Footprint &other) const {
  for (const auto &[buffer, theirs] : other.accesses) {
    auto it = accesses.find(buffer);
    if (it == accesses.end())
      continue;
    for (const Access &a : theirs)
      for (const Access &b : it->second)
        if ((a.writes || b.writes) && a.box.overlaps(b.box))
          return true;
  }
  return false;
}

Operation *Footprint::findConflict(Operation *begin, Operation *end) const {
  for (Operation *op = begin; op != end; op = op->getNextNode()) {
    Footprint footprint;
    if (!footprint.add(op) || conflictsWith(footprint))
      return op;
  }
  return end;
}

bool mlir::te::canMoveBehind(ArrayRef<Operation *> ops, Operation *place) {
  Footprint moved;
  for (Operation *op = ops.front(); op && op != place->getNextNode();
       op = op->getNextNode()) {
    Footprint footprint;
    if (!footprint.add(op))
      return false;
    if (llvm::is_contained(ops, op))
      moved.add(op);
    else if (moved.conflictsWith(footprint))
      return false;
  }
  return true;
}
