// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::te;

/// The widest memory access, in bytes.
static constexpr int64_t kAccessBytes = 16;

static int64_t getElementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

/// The type of arithmetic: float32 for bf16.
static Type getComputeType(Type type) {
  return type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

KernelBody::KernelBody(func::FuncOp kernel, linalg::GenericOp op)
    : kernel(kernel), op(op), loc(op.getLoc()), space(IterationSpace::get(op)),
      written(kernel.getNumArguments()) {
  for (Value output : op.getDpsInits())
    written.set(cast<BlockArgument>(output).getArgNumber());
  if (kernel->hasAttr(kKernelOverlapAttr))
    return;
  auto domain = LLVM::AliasScopeDomainAttr::get(op.getContext());
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    scopes.push_back(LLVM::AliasScopeAttr::get(domain));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

bool KernelBody::fitsGroup(unsigned operand, int64_t size) {
  const IterationSpace::Operand &walk = space.operands[operand];
  // One value for the whole group.
  if (walk.parallel.back() == 0)
    return !isOutput(operand);
  if (walk.parallel.back() != 1 || walk.offset % size ||
      llvm::any_of(ArrayRef(walk.parallel).drop_back(),
                   [&](int64_t stride) { return stride % size != 0; }))
    return false;
  auto alignment = kernel.getArgAttrOfType<IntegerAttr>(getArgument(operand),
                                                        kKernelAlignmentAttr);
  int64_t needed =
      std::min(kAccessBytes, size * getElementBytes(getElementType(operand)));
  return alignment && alignment.getInt() % needed == 0;
}

int64_t KernelBody::getGroupSize() {
  // A reduction is a separate loop for every element.
  if (!space.reductionSizes.empty())
    return 1;
  int64_t smallest = kAccessBytes;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    smallest = std::min(smallest, getElementBytes(getElementType(i)));
  int64_t size = std::min<int64_t>(kAccessBytes / smallest, 8);
  auto fits = [&] {
    return space.parallelSizes.back() % size == 0 &&
           llvm::all_of(
               llvm::seq<unsigned>(op->getNumOperands()),
               [&](unsigned operand) { return fitsGroup(operand, size); });
  };
  while (size > 1 && !fits())
    size /= 2;
  return size;
}

SmallVector<int32_t> KernelBody::getAlignments(int64_t groupSize) {
  SmallVector<int32_t> alignments(kernel.getNumArguments(), 1);
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    int64_t elements = space.operands[i].parallel.back() == 1 ? groupSize : 1;
    int32_t &alignment = alignments[getArgument(i)];
    alignment = std::max(
        alignment,
        int32_t(std::min(kAccessBytes,
                         elements * getElementBytes(getElementType(i)))));
  }
  return alignments;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelBody::number(OpBuilder &builder, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

/// The constant plus the sum of strides times counters.
Value KernelBody::getOffset(OpBuilder &builder, int64_t constant,
                            ArrayRef<int64_t> strides, ValueRange counters) {
  Value sum = constant ? number(builder, constant) : Value();
  for (auto [stride, counter] : llvm::zip(strides, counters)) {
    if (stride == 0)
      continue;
    Value term = counter;
    if (stride != 1)
      term =
          arith::MulIOp::create(builder, loc, counter, number(builder, stride));
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  }
  return sum ? sum : number(builder, 0);
}

/// The address of the group's element number `element` along the innermost
/// loop, relative to `offset`.
Value KernelBody::getAddress(OpBuilder &builder, unsigned operand, Value offset,
                             int64_t element) {
  auto pointer = LLVM::LLVMPointerType::get(op.getContext());
  Type type = getElementType(operand);
  Value first = LLVM::GEPOp::create(
      builder, loc, pointer, type, pointers[getArgument(operand)],
      ValueRange(offset), LLVM::GEPNoWrapFlags::inbounds);
  int64_t distance = element * space.operands[operand].parallel.back();
  if (!distance)
    return first;
  return LLVM::GEPOp::create(
      builder, loc, pointer, type, first,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(distance)},
      LLVM::GEPNoWrapFlags::inbounds);
}

/// Gives LLVM the facts that it needs to join accesses: the alignment within a
/// group, and which arguments do not alias.
template <typename Access>
void KernelBody::annotate(Access access, unsigned operand, int64_t element,
                          int64_t count) {
  int64_t bytes = getElementBytes(getElementType(operand));
  access.setAlignment(
      space.operands[operand].parallel.back() == 1
          ? std::gcd(std::min(kAccessBytes, count * bytes), element * bytes)
          : bytes);
  if (scopes.size() < 2)
    return;
  unsigned argument = getArgument(operand);
  SmallVector<Attribute> others(scopes);
  others.erase(others.begin() + argument);
  MLIRContext *context = op.getContext();
  access.setAliasScopesAttr(ArrayAttr::get(context, scopes[argument]));
  access.setNoaliasScopesAttr(ArrayAttr::get(context, others));
}

Value KernelBody::load(OpBuilder &builder, unsigned operand, Value offset,
                       int64_t element, int64_t count) {
  Type type = getElementType(operand);
  auto load = LLVM::LoadOp::create(
      builder, loc, type, getAddress(builder, operand, offset, element));
  annotate(load, operand, element, count);
  load.setInvariant(!scopes.empty() && !written.test(getArgument(operand)));
  Type compute = getComputeType(type);
  if (compute == type)
    return load.getResult();
  return arith::ExtFOp::create(builder, loc, compute, load.getResult());
}

void KernelBody::store(OpBuilder &builder, Value value, unsigned operand,
                       Value offset, int64_t element, int64_t count) {
  Type type = getElementType(operand);
  if (value.getType() != type) {
    auto rounded = value.getDefiningOp<arith::ExtFOp>();
    value = rounded && rounded.getIn().getType() == type
                ? rounded.getIn()
                : arith::TruncFOp::create(builder, loc, type, value).getOut();
  }
  auto store = LLVM::StoreOp::create(
      builder, loc, value, getAddress(builder, operand, offset, element));
  annotate(store, operand, element, count);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Flags restrict operands or allow other results. Results without them are
/// valid with and without, and the same on all targets.
static void dropFlags(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(
        fast.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
  if (auto integer = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(integer.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    context, arith::IntegerOverflowFlags::none));
  llvm::TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto exact) { exact.setIsExact(false); });
}

SmallVector<Value> KernelBody::emitArithmetic(OpBuilder &builder,
                                              ValueRange arguments,
                                              ArrayRef<Value> counters) {
  IRMapping mapping;
  mapping.map(op.getBody()->getArguments(), arguments);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), arith::IndexCastOp::create(
                                         builder, loc, builder.getIndexType(),
                                         counters[index.getDim()]));
      continue;
    }
    SmallVector<Type> types = llvm::map_to_vector(
        inner.getResultTypes(), [](Type type) { return getComputeType(type); });
    // Values of bf16 are float32 already; only rounding to bf16 is left, so
    // that joining ops does not change their results.
    if (isa<arith::ExtFOp, arith::TruncFOp>(inner)) {
      Value value = mapping.lookupOrDefault(inner.getOperand(0));
      if (isa<arith::TruncFOp>(inner)) {
        value = arith::TruncFOp::create(builder, loc,
                                        inner.getResult(0).getType(), value);
        value = arith::ExtFOp::create(builder, loc, types[0], value);
      }
      mapping.map(inner.getResult(0), value);
      continue;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(inner);
        constant && constant.getType() != types[0]) {
      double value = cast<FloatAttr>(constant.getValue()).getValueAsDouble();
      mapping.map(constant.getResult(),
                  arith::ConstantOp::create(
                      builder, loc, builder.getFloatAttr(types[0], value)));
      continue;
    }
    Operation *copy = builder.clone(inner, mapping);
    dropFlags(copy);
    for (auto [result, type] : llvm::zip(copy->getResults(), types))
      result.setType(type);
  }
  return llvm::map_to_vector(
      op.getBody()->getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelBody::getOffsets(OpBuilder &builder,
                                          ValueRange counters) {
  SmallVector<Value> offsets;
  for (const IterationSpace::Operand &operand : space.operands)
    offsets.push_back(
        getOffset(builder, operand.offset, operand.parallel, counters));
  return offsets;
}

SmallVector<Value> KernelBody::getLoopCounters(ValueRange counters) {
  // A scalar has no loop but is iterated over by one.
  SmallVector<Value> all(std::max(op.getNumLoops(), 1u));
  for (auto [loop, counter] : llvm::zip(space.parallelLoops, counters))
    all[loop] = counter;
  return all;
}

SmallVector<Value> KernelBody::emitTerms(OpBuilder &builder,
                                         ArrayRef<Value> offsets,
                                         SmallVector<Value> counters,
                                         ValueRange sums, Value first,
                                         int64_t step) {
  unsigned numInputs = op.getNumDpsInputs();
  Value zero = number(builder, 0), one = number(builder, 1);
  SmallVector<Value> steps;
  SmallVector<scf::ForOp> loops;
  OpBuilder::InsertionGuard guard(builder);
  for (auto [i, size, loop] :
       llvm::enumerate(space.reductionSizes, space.reductionLoops)) {
    bool isInnermost = i + 1 == space.reductionSizes.size();
    auto nested = scf::ForOp::create(
        builder, loc, isInnermost ? first : zero, number(builder, size),
        isInnermost ? number(builder, step) : one,
        loops.empty() ? sums : ValueRange(loops.back().getRegionIterArgs()));
    if (!loops.empty())
      scf::YieldOp::create(builder, loc, nested.getResults());
    loops.push_back(nested);
    steps.push_back(nested.getInductionVar());
    counters[loop] = nested.getInductionVar();
    builder.setInsertionPointToStart(nested.getBody());
  }
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < numInputs; ++i) {
    Value distance =
        getOffset(builder, 0, space.operands[i].reduction, ValueRange(steps));
    Value offset = arith::AddIOp::create(builder, loc, offsets[i], distance);
    arguments.push_back(load(builder, i, offset, 0, 1));
  }
  llvm::append_range(arguments, loops.back().getRegionIterArgs());
  scf::YieldOp::create(builder, loc,
                       emitArithmetic(builder, arguments, counters));
  return llvm::to_vector_of<Value>(loops.front().getResults());
}

void KernelBody::emit(OpBuilder &builder, ValueRange counters, int64_t count) {
  unsigned numOperands = op->getNumOperands(), numInputs = op.getNumDpsInputs();
  SmallVector<Value> offsets = getOffsets(builder, counters);
  SmallVector<Value> loopCounters = getLoopCounters(counters);
  if (!space.reductionSizes.empty()) {
    SmallVector<Value> sums;
    for (unsigned i = numInputs; i < numOperands; ++i)
      sums.push_back(load(builder, i, offsets[i], 0, 1));
    sums = emitTerms(builder, offsets, loopCounters, sums, number(builder, 0),
                     /*step=*/1);
    for (auto [i, sum] : llvm::enumerate(sums))
      store(builder, sum, numInputs + i, offsets[numInputs + i], 0, 1);
    return;
  }

  // All loads, then all arithmetic, then all stores, so that neighbours can be
  // joined.
  SmallVector<SmallVector<Value>> arguments(count), results;
  for (unsigned i = 0; i < numOperands; ++i) {
    bool isUsed = !op.getBody()->getArgument(i).use_empty();
    bool isRepeated = space.operands[i].parallel.back() == 0;
    for (int64_t element = 0; element < count; ++element)
      arguments[element].push_back(
          !isUsed ? Value()
          : isRepeated && element > 0
              ? arguments[0].back()
              : load(builder, i, offsets[i], element, count));
  }
  for (int64_t element = 0; element < count; ++element) {
    if (element > 0 && op.hasIndexSemantics()) {
      unsigned inner = space.parallelLoops.back();
      loopCounters[inner] = arith::AddIOp::create(builder, loc, counters.back(),
                                                  number(builder, element));
    }
    results.push_back(
        emitArithmetic(builder, arguments[element], loopCounters));
  }
  for (auto [i, ignored] : llvm::enumerate(results[0])) {
    unsigned operand = numInputs + i;
    for (int64_t element = 0; element < count; ++element)
      store(builder, results[element][i], operand, offsets[operand], element,
            count);
  }
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// The neutral element of a combiner.
static std::optional<double> getIdentity(Operation *combiner) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<arith::AddFOp>(combiner))
    return 0.0;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    return -infinity;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(combiner))
    return infinity;
  return std::nullopt;
}

Operation *KernelBody::getCombiner(unsigned number) {
  BlockArgument old = op.getRegionOutputArgs()[number];
  Operation *combiner =
      op.getBody()->getTerminator()->getOperand(number).getDefiningOp();
  bool takesOld = combiner && old.hasOneUse() &&
                  llvm::is_contained(combiner->getOperands(), old);
  return takesOld && getIdentity(combiner) ? combiner : nullptr;
}

bool KernelBody::wantsWarps() {
  if (space.reductionSizes.empty() ||
      space.reductionSizes.back() < 2 * kWarpThreads)
    return false;
  // Neighbouring threads read neighbouring terms.
  auto inputs = ArrayRef(space.operands).take_front(op.getNumDpsInputs());
  if (llvm::none_of(inputs, [](const IterationSpace::Operand &operand) {
        return operand.reduction.back() == 1;
      }))
    return false;
  return llvm::all_of(llvm::seq<unsigned>(op.getNumDpsInits()),
                      [&](unsigned number) { return getCombiner(number); });
}

void KernelBody::emitByWarp(OpBuilder &builder, ValueRange counters,
                            Value lane) {
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<Value> offsets = getOffsets(builder, counters);
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, number(builder, 0));
  // The old value counts once.
  SmallVector<Value> sums;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    Value old = load(builder, numInputs + i, offsets[numInputs + i], 0, 1);
    Value none = arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(f32, *getIdentity(getCombiner(i))));
    sums.push_back(arith::SelectOp::create(builder, loc, isFirst, old, none));
  }
  sums = emitTerms(builder, offsets, getLoopCounters(counters), sums, lane,
                   kWarpThreads);
  auto bits = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i32,
                                    builder.getI32IntegerAttr(value));
  };
  for (int32_t distance = kWarpThreads / 2; distance > 0; distance /= 2)
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value other = NVVM::ShflOp::create(builder, loc, f32, bits(-1), sum,
                                         bits(distance), bits(kWarpThreads - 1),
                                         NVVM::ShflKind::bfly, UnitAttr());
      OperationState state(loc, getCombiner(i)->getName());
      state.addOperands({sum, other});
      state.addTypes(f32);
      sum = builder.create(state)->getResult(0);
    }
  auto guard = scf::IfOp::create(builder, loc, isFirst, /*withElse=*/false);
  builder.setInsertionPointToStart(guard.thenBlock());
  for (auto [i, sum] : llvm::enumerate(sums))
    store(builder, sum, numInputs + i, offsets[numInputs + i], 0, 1);
}
