// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Memory/StepGraph.h"

#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Support/Captures.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::te;

/// Of a machine of which nothing is known: what counts is how the times of ops
/// compare.
static constexpr double kBytesPerSecond = 2e10, kFlopsPerSecond = 2e11;
/// Operations for each byte that take less time than moving it does, on all
/// GPUs with matrix units.
static constexpr double kLightFlops = 64;
/// Buffers are small that are this part of what is kept.
static constexpr int64_t kSmallPart = 1024;

bool StepGraph::isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, SplitOp>(op);
}

std::optional<unsigned> StepGraph::findBuffer(Value value) const {
  auto known = bufferOf.find(value);
  return known == bufferOf.end() ? std::nullopt : std::optional(known->second);
}

/// Whether a result may be of the forward pass alone, by its attributes.
static bool mayBeOfForward(func::FuncOp function, unsigned result) {
  auto text = [&](StringRef name) {
    auto attr = function.getResultAttrOfType<StringAttr>(result, name);
    return attr ? attr.getValue() : StringRef();
  };
  if (function.getResultAttr(result, kOutputAttr))
    return !function.getResultAttr(result, kGradientAttr);
  return text(kKindAttr) == kLossSumKind;
}

/// The work of an op of which nothing is known.
static Work getCopy(Operation *op) {
  Work work;
  work.kernel = "copy";
  for (Value value : getReadValues(op))
    work.bytes += getBytes(value.getType());
  for (Type type : op->getResultTypes())
    work.bytes += getBytes(type);
  return work;
}

StepGraph::StepGraph(func::FuncOp function) {
  CostModel model(function);
  for (Operation &op : function.front()) {
    positions[&op] = ops.size();
    StepOp step;
    step.op = &op;
    // What ranks do together, they would have to do again together.
    step.isRepeatable = isPure(&op) && !refersToMesh(&op) &&
                        !op.hasTrait<OpTrait::ConstantLike>() &&
                        (op.getNumRegions() == 0 || isa<linalg::LinalgOp>(op));
    if (step.isRepeatable && !isView(&op)) {
      const Work work = getWork(&op).value_or(getCopy(&op));
      step.multiplies = work.flops > 0;
      step.isLight = work.flops < kLightFlops * work.bytes;
      std::optional<Cost> cost = model.getCost(work);
      step.seconds =
          cost ? cost->seconds
               : work.bytes / kBytesPerSecond + work.flops / kFlopsPerSecond;
    }
    ops.push_back(step);
  }
  findForward(function);
  findBuffers(function);
  findTurn();
  dropCopies();
}

/// Whether the op multiplies a gradient, looks at the gradients of all
/// parameters, or writes new values of them: nothing of the forward pass does.
static bool isOfBackward(Operation *op) {
  if (auto product = dyn_cast<ScaledProductOpInterface>(op))
    return product.getRole() == MatmulRole::Dgrad ||
           product.getRole() == MatmulRole::Wgrad;
  if (auto product = dyn_cast<Fp8OpInterface>(op))
    return llvm::any_of(product.getFp8Operands(), [](const auto &operand) {
      return operand.role == TensorRole::GradOutput;
    });
  return isa<GlobalNormOp, ReduceNormOp, UpdateGuardOpInterface, UpdateOp>(op);
}

void StepGraph::findForward(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    if (!mayBeOfForward(function, i))
      continue;
    // What the result is made of: outputs such as the gradients' norm, of the
    // whole step.
    llvm::SetVector<Operation *> made;
    auto add = [&](Value value) {
      Operation *op = value.getDefiningOp();
      if (op && !ops[positions.lookup(op)].isForward)
        made.insert(op);
    };
    add(terminator->getOperand(i));
    for (size_t next = 0; next < made.size(); ++next)
      for (Value value : getReadValues(made[next]))
        add(value);
    if (llvm::none_of(made, isOfBackward))
      for (Operation *op : made)
        ops[positions.lookup(op)].isForward = true;
  }
}

void StepGraph::findBuffers(func::FuncOp function) {
  // New values of parameters and states are written into the old ones.
  llvm::DenseSet<Value> tied;
  Operation *terminator = function.front().getTerminator();
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (function.getResultAttr(i, kStateAttr) ||
        function.getResultAttr(i, kParamAttr))
      tied.insert(terminator->getOperand(i));
  for (auto [position, step] : llvm::enumerate(ops)) {
    Operation *op = step.op;
    std::optional<unsigned> shared;
    if (isView(op)) {
      shared = findBuffer(op->getOperand(0));
      if (!shared)
        continue; // A view of an argument or a constant.
    } else {
      for (Value value : getReadValues(op))
        if (std::optional<unsigned> buffer = findBuffer(value))
          if (!llvm::is_contained(step.reads, *buffer))
            step.reads.push_back(*buffer);
    }
    if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
        insertion && !step.isForward)
      shared = findBuffer(insertion.getDest());
    if (op->hasTrait<OpTrait::ConstantLike>())
      continue;
    for (Value result : op->getResults()) {
      if (shared) {
        bufferOf[result] = *shared;
        continue;
      }
      const bool hasMemory =
          !isa<tensor::EmptyOp>(op) && !tied.contains(result);
      bufferOf[result] = buffers.size();
      step.makes.push_back(buffers.size());
      buffers.push_back({unsigned(position),
                         hasMemory ? int64_t(getBytes(result.getType())) : 0,
                         unsigned(position)});
    }
  }
}

void StepGraph::findTurn() {
  // Of what the forward pass makes and the backward pass reads, how much is
  // there at each position.
  std::vector<int64_t> changes(ops.size() + 1, 0);
  std::vector<unsigned> lastRead(buffers.size(), 0);
  for (auto [position, step] : llvm::enumerate(ops))
    if (!step.isForward)
      for (unsigned buffer : step.reads)
        lastRead[buffer] = position;
  for (auto [buffer, last] : llvm::zip_equal(buffers, lastRead))
    if (ops[buffer.producer].isForward && last > buffer.producer) {
      changes[buffer.producer] += buffer.bytes;
      changes[last] -= buffer.bytes;
    }
  int64_t live = 0, most = 0;
  for (size_t position = 0; position < ops.size(); ++position)
    if ((live += changes[position]) > most) {
      most = live;
      turn = position;
    }
  for (auto [position, step] : llvm::enumerate(ops))
    if (!isBehindTurn(position) || step.op->hasTrait<OpTrait::IsTerminator>())
      for (unsigned buffer : step.reads)
        buffers[buffer].lastEarlyRead = position;
  for (auto [buffer, last] : llvm::zip_equal(buffers, lastRead)) {
    buffer.isSmall = buffer.bytes <= most / kSmallPart;
    buffer.isKept = ops[buffer.producer].isForward && buffer.producer <= turn &&
                    buffer.lastEarlyRead <= turn && last > turn;
  }
}

void StepGraph::dropCopies() {
  for (StepOp &step : ops) {
    if (!step.isRepeatable || !isa<QuantizingOpInterface>(step.op))
      continue;
    const double bytes = getWork(step.op).value_or(getCopy(step.op)).bytes;
    double kept = bytes;
    for (unsigned buffer : step.makes)
      if (!buffers[buffer].isKept)
        kept -= double(buffers[buffer].bytes);
    // Something is read, whatever is written.
    if (bytes > 0 && kept > 0)
      step.seconds *= kept / bytes;
  }
}
