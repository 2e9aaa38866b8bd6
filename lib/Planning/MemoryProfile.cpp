// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Planning/MemoryProfile.h"

#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TERT/IR/TERT.h"

using namespace mlir;
using namespace mlir::te;

/// The first op of the update: it reads the gradients of all parameters.
static bool endsGradients(Operation *op) {
  return isa<tert::GlobalNormOp, tert::UpdateOp>(op);
}

FailureOr<MemoryProfile> mlir::te::computeMemoryProfile(func::FuncOp function,
                                                        unsigned numSamples) {
  Block &block = function.front();
  FailureOr<BufferLiveness> liveness = BufferLiveness::computeFor(function);
  if (failed(liveness))
    return failure();
  const unsigned numPositions =
      liveness->getPosition(block.getTerminator()) + 1;
  unsigned update = numPositions;
  for (Operation &op : block)
    if (endsGradients(&op)) {
      update = liveness->getPosition(&op);
      break;
    }

  SmallVector<BufferInterval> buffers(liveness->getIntervals());
  for (auto view : block.getOps<memref::ViewOp>()) {
    FailureOr<BufferInterval> interval = liveness->measure(block, view);
    if (failed(interval))
      return failure();
    if (interval->firstUse <= interval->lastUse)
      buffers.push_back(*interval);
  }
  auto isGradient = [&](const BufferInterval &buffer) {
    return buffer.firstUse < update && buffer.lastUse >= update;
  };
  // The backward pass begins with the first gradient of a parameter.
  unsigned turn = numPositions;
  for (const BufferInterval &buffer : buffers)
    if (isGradient(buffer) && buffer.bytes > int64_t(sizeof(float)))
      turn = std::min(turn, buffer.firstUse);

  std::vector<MemoryProfile::Sample> changes(numPositions + 1);
  for (const BufferInterval &buffer : buffers) {
    auto category = isGradient(buffer) ? &MemoryProfile::Sample::gradients
                    : buffer.firstUse < turn && buffer.lastUse > turn
                        ? &MemoryProfile::Sample::activations
                        : &MemoryProfile::Sample::others;
    const int64_t bytes = llvm::alignTo(buffer.bytes, kBufferAlignment);
    changes[buffer.firstUse].*category += bytes;
    changes[buffer.lastUse + 1].*category -= bytes;
  }
  // Views and constants take no time.
  SmallVector<unsigned> steps;
  for (Operation &op : block)
    if (isa<tert::TERTDialect>(op.getDialect()))
      steps.push_back(liveness->getPosition(&op));
  MemoryProfile profile;
  profile.samples.resize(std::min<size_t>(numSamples, steps.size()));
  MemoryProfile::Sample live;
  size_t step = 0;
  for (unsigned position = 0; position < numPositions; ++position) {
    live.activations += changes[position].activations;
    live.gradients += changes[position].gradients;
    live.others += changes[position].others;
    if (step == steps.size() || steps[step] != position)
      continue;
    for (MemoryProfile::Sample *most :
         {&profile.peak,
          &profile.samples[step * profile.samples.size() / steps.size()]})
      if (live.getBytes() > most->getBytes())
        *most = live;
    ++step;
  }
  return profile;
}
