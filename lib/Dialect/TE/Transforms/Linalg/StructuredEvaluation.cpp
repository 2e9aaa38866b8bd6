// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linalg/StructuredEvaluation.h"

#include "te/Dialect/TE/Transforms/Linalg/ScalarFunctions.h"

#include "te/Support/LinearForm.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// The position where an operand is read: an offset plus a step for every loop.
struct Access : LinearForm {
  using LinearForm::LinearForm;

  int64_t at(ArrayRef<int64_t> loops) const {
    int64_t place = constant;
    for (auto [loop, step] : llvm::zip_equal(loops, coefficients))
      place += loop * step;
    return place;
  }
};

/// One op of a body: a function of slots, which hold the body's values; or an
/// element of a tensor, at positions that slots hold.
struct Instruction {
  ScalarFunction function;
  const Elements *table = nullptr;
  SmallVector<unsigned, 3> operands;
  unsigned result;
};

class StructuredEvaluator {
public:
  StructuredEvaluator(linalg::LinalgOp op,
                      function_ref<const Elements *(Value)> find)
      : op(op), find(find), sizes(op.getStaticLoopRanges()) {}

  /// Returns false if it cannot be evaluated.
  bool prepare(int64_t mostWork);
  std::optional<SmallVector<Elements>> run();

private:
  bool addOperand(OpOperand &operand);
  bool addInstruction(Operation &inner);
  /// The slot of a value of the body, or of a captured one.
  std::optional<unsigned> slotOf(Value value);
  unsigned newSlot(Value value) {
    unsigned slot = slots.size();
    slots.emplace_back();
    slotNumbers[value] = slot;
    return slot;
  }
  bool runBody();

  linalg::LinalgOp op;
  function_ref<const Elements *(Value)> find;
  SmallVector<int64_t> sizes;
  std::vector<Number> slots;
  llvm::DenseMap<Value, unsigned> slotNumbers;
  SmallVector<std::tuple<unsigned, const Elements *, Access>> inputs;
  SmallVector<std::pair<unsigned, unsigned>> counters; ///< slot, loop
  SmallVector<Instruction> instructions;
  struct Output {
    std::optional<unsigned> old; ///< slot of the body's argument for it
    unsigned yielded = 0;
    Access access;
  };
  SmallVector<Output> outputs;
  SmallVector<Elements> results;
};
} // namespace

/// The access of a row-major tensor by a map; nullopt if it is not linear or
/// out of bounds.
static std::optional<Access> getAccess(AffineMap map, ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> sizes) {
  Access access(sizes.size());
  SmallVector<int64_t> strides = computeStrides(shape);
  const bool isEmpty = llvm::is_contained(sizes, 0);
  for (auto [expr, size, stride] :
       llvm::zip_equal(map.getResults(), shape, strides)) {
    LinearForm along(sizes.size());
    if (!along.add(expr) || !access.add(expr, stride))
      return std::nullopt;
    int64_t least = along.constant, most = along.constant;
    for (auto [step, count] : llvm::zip_equal(along.coefficients, sizes))
      (step < 0 ? least : most) += step * (count - 1);
    if (!isEmpty && (least < 0 || most >= size))
      return std::nullopt;
  }
  return access;
}

bool StructuredEvaluator::addOperand(OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  auto access = getAccess(op.getMatchingIndexingMap(&operand),
                          type ? type.getShape() : ArrayRef<int64_t>(), sizes);
  if (!access)
    return false;
  BlockArgument argument = op.getMatchingBlockArgument(&operand);
  bool isRead = op.payloadUsesValueFromOperand(&operand);
  const Elements *elements = isRead ? find(operand.get()) : nullptr;
  if (isRead && !elements)
    return false;
  if (!op.isDpsInit(&operand)) {
    if (isRead)
      inputs.emplace_back(newSlot(argument), elements, std::move(*access));
    return true;
  }
  Output output;
  if (isRead)
    output.old = newSlot(argument);
  output.access = std::move(*access);
  outputs.push_back(std::move(output));
  Elements &result = results.emplace_back(Elements{type, {}});
  int64_t count = type.getNumElements();
  Number zero;
  zero.integer = 0;
  result.numbers.assign(count, zero);
  for (int64_t i = 0; isRead && i < count; ++i)
    result.numbers[i] = elements->at(i);
  return true;
}

std::optional<unsigned> StructuredEvaluator::slotOf(Value value) {
  if (auto it = slotNumbers.find(value); it != slotNumbers.end())
    return it->second;
  const Elements *elements = find(value);
  if (!elements || isa<ShapedType>(value.getType()))
    return std::nullopt;
  unsigned slot = newSlot(value);
  slots[slot] = elements->at(0);
  return slot;
}

bool StructuredEvaluator::addInstruction(Operation &inner) {
  if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
    counters.emplace_back(newSlot(index), index.getDim());
    return true;
  }
  // Positions are checked when they are read.
  if (isa<cf::AssertOp>(inner))
    return true;
  Attribute constant;
  if (inner.hasTrait<OpTrait::ConstantLike>() &&
      matchPattern(&inner, m_Constant(&constant))) {
    unsigned slot = newSlot(inner.getResult(0));
    if (auto integer = dyn_cast<IntegerAttr>(constant)) {
      slots[slot].integer =
          wrapTo(integer.getValue().getSExtValue(), integer.getType());
      return true;
    }
    auto number = dyn_cast<FloatAttr>(constant);
    if (number)
      slots[slot].real = number.getValueAsDouble();
    return bool(number);
  }
  Instruction instruction;
  ValueRange operands = inner.getOperands();
  if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
    instruction.table = find(extract.getTensor());
    operands = extract.getIndices();
    if (!instruction.table)
      return false;
  } else if (!(instruction.function = getScalarFunction(&inner))) {
    return false;
  }
  for (Value operand : operands) {
    std::optional<unsigned> slot = slotOf(operand);
    if (!slot)
      return false;
    instruction.operands.push_back(*slot);
  }
  instruction.result = newSlot(inner.getResult(0));
  instructions.push_back(std::move(instruction));
  return true;
}

bool StructuredEvaluator::prepare(int64_t mostWork) {
  Block &body = *op.getBlock();
  int64_t work = int64_t(body.getOperations().size()) + op->getNumOperands();
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(work, size, work) ||
        work > mostWork)
      return false;
  for (OpOperand &operand : op->getOpOperands())
    if (!addOperand(operand))
      return false;
  for (Operation &inner : body.without_terminator())
    if (!addInstruction(inner))
      return false;
  for (auto [output, yielded] :
       llvm::zip_equal(outputs, body.getTerminator()->getOperands())) {
    std::optional<unsigned> slot = slotOf(yielded);
    if (!slot)
      return false;
    output.yielded = *slot;
  }
  return true;
}

bool StructuredEvaluator::runBody() {
  SmallVector<Number, 4> operands;
  SmallVector<int64_t, 4> position;
  for (const Instruction &instruction : instructions) {
    if (const Elements *table = instruction.table) {
      position.clear();
      for (unsigned slot : instruction.operands)
        position.push_back(slots[slot].integer);
      std::optional<int64_t> at = placeOf(position, table->type.getShape());
      if (!at)
        return false;
      slots[instruction.result] = table->at(*at);
      continue;
    }
    operands.clear();
    for (unsigned slot : instruction.operands)
      operands.push_back(slots[slot]);
    if (!instruction.function(operands.data(), slots[instruction.result]))
      return false;
  }
  return true;
}

std::optional<SmallVector<Elements>> StructuredEvaluator::run() {
  // A splat is computed once.
  int64_t iterations = ShapedType::getNumElements(sizes);
  auto isWhole = [&](const Output &output, const Elements &result) {
    return !output.old && !llvm::is_contained(output.access.coefficients, 0) &&
           result.type.getNumElements() == iterations;
  };
  bool isUniform =
      counters.empty() && iterations > 0 && op.getNumReductionLoops() == 0 &&
      llvm::all_of(inputs,
                   [](auto &input) { return std::get<1>(input)->isSplat(); });
  for (auto [output, result] : llvm::zip_equal(outputs, results))
    isUniform &= isWhole(output, result);
  bool done = true;
  auto visit = [&](ArrayRef<int64_t> loops) {
    if (!done)
      return;
    for (auto &[slot, elements, access] : inputs)
      slots[slot] = elements->at(elements->isSplat() ? 0 : access.at(loops));
    for (auto [slot, loop] : counters)
      slots[slot].integer = loops[loop];
    for (auto [output, result] : llvm::zip_equal(outputs, results))
      if (output.old)
        slots[*output.old] = result.numbers[output.access.at(loops)];
    done = runBody();
    for (auto [output, result] : llvm::zip_equal(outputs, results))
      if (isUniform)
        result.numbers.assign(1, slots[output.yielded]);
      else
        result.numbers[output.access.at(loops)] = slots[output.yielded];
  };
  if (isUniform)
    visit(SmallVector<int64_t>(sizes.size(), 0));
  else
    forEachPosition(sizes, visit);
  if (!done)
    return std::nullopt;
  return std::move(results);
}

std::optional<SmallVector<Elements>>
mlir::te::evaluateStructured(linalg::LinalgOp op,
                             function_ref<const Elements *(Value)> find,
                             int64_t mostWork) {
  StructuredEvaluator evaluator(op, find);
  if (!evaluator.prepare(mostWork))
    return std::nullopt;
  return evaluator.run();
}
