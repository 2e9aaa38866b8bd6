// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te::test;

using Numbers = const double *;

static bool isUnordered(Numbers in) {
  return std::isnan(in[0]) || std::isnan(in[1]);
}

static ScalarFunction getComparison(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return [](Numbers) { return 0.0; };
  case arith::CmpFPredicate::OEQ:
    return [](Numbers in) { return double(in[0] == in[1]); };
  case arith::CmpFPredicate::OGT:
    return [](Numbers in) { return double(in[0] > in[1]); };
  case arith::CmpFPredicate::OGE:
    return [](Numbers in) { return double(in[0] >= in[1]); };
  case arith::CmpFPredicate::OLT:
    return [](Numbers in) { return double(in[0] < in[1]); };
  case arith::CmpFPredicate::OLE:
    return [](Numbers in) { return double(in[0] <= in[1]); };
  case arith::CmpFPredicate::ONE:
    return [](Numbers in) { return double(in[0] < in[1] || in[0] > in[1]); };
  case arith::CmpFPredicate::ORD:
    return [](Numbers in) { return double(!isUnordered(in)); };
  case arith::CmpFPredicate::UEQ:
    return [](Numbers in) { return double(isUnordered(in) || in[0] == in[1]); };
  case arith::CmpFPredicate::UGT:
    return [](Numbers in) { return double(!(in[0] <= in[1])); };
  case arith::CmpFPredicate::UGE:
    return [](Numbers in) { return double(!(in[0] < in[1])); };
  case arith::CmpFPredicate::ULT:
    return [](Numbers in) { return double(!(in[0] >= in[1])); };
  case arith::CmpFPredicate::ULE:
    return [](Numbers in) { return double(!(in[0] > in[1])); };
  case arith::CmpFPredicate::UNE:
    return [](Numbers in) { return double(in[0] != in[1]); };
  case arith::CmpFPredicate::UNO:
    return [](Numbers in) { return double(isUnordered(in)); };
  case arith::CmpFPredicate::AlwaysTrue:
    return [](Numbers) { return 1.0; };
  }
  llvm_unreachable("unknown comparison");
}

/// As an unsigned integer of 64 bits, rounded: negative ones are the largest.
static double asUnsigned(double x) { return x < 0 ? x + 0x1p64 : x; }

/// Integers up to 2^53 are exact as doubles.
static ScalarFunction getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return [](Numbers in) { return double(in[0] == in[1]); };
  case arith::CmpIPredicate::ne:
    return [](Numbers in) { return double(in[0] != in[1]); };
  case arith::CmpIPredicate::slt:
    return [](Numbers in) { return double(in[0] < in[1]); };
  case arith::CmpIPredicate::sle:
    return [](Numbers in) { return double(in[0] <= in[1]); };
  case arith::CmpIPredicate::sgt:
    return [](Numbers in) { return double(in[0] > in[1]); };
  case arith::CmpIPredicate::sge:
    return [](Numbers in) { return double(in[0] >= in[1]); };
  case arith::CmpIPredicate::ult:
    return [](Numbers in) {
      return double(asUnsigned(in[0]) < asUnsigned(in[1]));
    };
  case arith::CmpIPredicate::ule:
    return [](Numbers in) {
      return double(asUnsigned(in[0]) <= asUnsigned(in[1]));
    };
  case arith::CmpIPredicate::ugt:
    return [](Numbers in) {
      return double(asUnsigned(in[0]) > asUnsigned(in[1]));
    };
  case arith::CmpIPredicate::uge:
    return [](Numbers in) {
      return double(asUnsigned(in[0]) >= asUnsigned(in[1]));
    };
  }
  llvm_unreachable("unknown comparison");
}

/// To nearest even in an FP8 format, without saturation: LLVM's conversion.
template <const llvm::fltSemantics &(*semantics)()>
static double toFp8(Numbers in) {
  APFloat value(in[0]);
  bool loses;
  value.convert(semantics(), APFloat::rmNearestTiesToEven, &loses);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

ScalarFunction mlir::te::test::getScalarFunction(Operation *op) {
  // Numbers are rounded to nearest, or not at all.
  if (auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op))
    if (auto mode = rounding.getRoundingModeAttr();
        mode && mode.getValue() != arith::RoundingMode::to_nearest_even)
      return nullptr;
  if (isa<arith::TruncFOp>(op)) {
    Type type = getElementTypeOrSelf(op->getResult(0));
    if (isa<Float8E4M3FNType>(type))
      return toFp8<APFloat::Float8E4M3FN>;
    if (isa<Float8E5M2Type>(type))
      return toFp8<APFloat::Float8E5M2>;
    if (isa<Float8E8M0FNUType>(type))
      return toFp8<APFloat::Float8E8M0FNU>;
  }
  static const llvm::StringMap<ScalarFunction> functions = {
      {"math.absf", [](Numbers in) { return std::fabs(in[0]); }},
      {"math.acos", [](Numbers in) { return std::acos(in[0]); }},
      {"math.acosh", [](Numbers in) { return std::acosh(in[0]); }},
      {"math.asin", [](Numbers in) { return std::asin(in[0]); }},
      {"math.asinh", [](Numbers in) { return std::asinh(in[0]); }},
      {"math.atan", [](Numbers in) { return std::atan(in[0]); }},
      {"math.atan2", [](Numbers in) { return std::atan2(in[0], in[1]); }},
      {"math.atanh", [](Numbers in) { return std::atanh(in[0]); }},
      {"math.cbrt", [](Numbers in) { return std::cbrt(in[0]); }},
      {"math.ceil", [](Numbers in) { return std::ceil(in[0]); }},
      {"math.clampf",
       [](Numbers in) {
         double low = isUnordered(in) ? std::nan("") : std::fmax(in[0], in[1]);
         return std::isnan(low) || std::isnan(in[2]) ? std::nan("")
                                                     : std::fmin(low, in[2]);
       }},
      {"math.cos", [](Numbers in) { return std::cos(in[0]); }},
      {"math.cosh", [](Numbers in) { return std::cosh(in[0]); }},
      {"math.copysign", [](Numbers in) { return std::copysign(in[0], in[1]); }},
      {"math.erf", [](Numbers in) { return std::erf(in[0]); }},
      {"math.erfc", [](Numbers in) { return std::erfc(in[0]); }},
      {"math.exp", [](Numbers in) { return std::exp(in[0]); }},
      {"math.exp2", [](Numbers in) { return std::exp2(in[0]); }},
      {"math.expm1", [](Numbers in) { return std::expm1(in[0]); }},
      {"math.floor", [](Numbers in) { return std::floor(in[0]); }},
      {"math.fma", [](Numbers in) { return in[0] * in[1] + in[2]; }},
      {"math.fpowi", [](Numbers in) { return std::pow(in[0], in[1]); }},
      {"math.isfinite",
       [](Numbers in) { return double(std::isfinite(in[0])); }},
      {"math.isinf", [](Numbers in) { return double(std::isinf(in[0])); }},
      {"math.isnan", [](Numbers in) { return double(std::isnan(in[0])); }},
      {"math.log", [](Numbers in) { return std::log(in[0]); }},
      {"math.log10", [](Numbers in) { return std::log10(in[0]); }},
      {"math.log1p", [](Numbers in) { return std::log1p(in[0]); }},
      {"math.log2", [](Numbers in) { return std::log2(in[0]); }},
      {"math.powf", [](Numbers in) { return std::pow(in[0], in[1]); }},
      {"math.round", [](Numbers in) { return std::round(in[0]); }},
      {"math.roundeven", [](Numbers in) { return std::nearbyint(in[0]); }},
      {"math.rsqrt", [](Numbers in) { return 1 / std::sqrt(in[0]); }},
      {"math.sin", [](Numbers in) { return std::sin(in[0]); }},
      {"math.sinh", [](Numbers in) { return std::sinh(in[0]); }},
      {"math.sqrt", [](Numbers in) { return std::sqrt(in[0]); }},
      {"math.tan", [](Numbers in) { return std::tan(in[0]); }},
      {"math.tanh", [](Numbers in) { return std::tanh(in[0]); }},
      {"math.trunc", [](Numbers in) { return std::trunc(in[0]); }},
      {"arith.addf", [](Numbers in) { return in[0] + in[1]; }},
      {"arith.addi", [](Numbers in) { return in[0] + in[1]; }},
      {"arith.divui", [](Numbers in) { return std::floor(in[0] / in[1]); }},
      {"arith.remui", [](Numbers in) { return std::fmod(in[0], in[1]); }},
      {"arith.divf", [](Numbers in) { return in[0] / in[1]; }},
      {"arith.divsi", [](Numbers in) { return std::trunc(in[0] / in[1]); }},
      {"arith.extf", [](Numbers in) { return in[0]; }},
      {"arith.fptosi", [](Numbers in) { return std::trunc(in[0]); }},
      {"arith.index_cast", [](Numbers in) { return in[0]; }},
      {"arith.trunci", [](Numbers in) { return in[0]; }},
      {"arith.maximumf",
       [](Numbers in) {
         return isUnordered(in) ? std::nan("") : std::fmax(in[0], in[1]);
       }},
      {"arith.maxnumf", [](Numbers in) { return std::fmax(in[0], in[1]); }},
      {"arith.maxsi", [](Numbers in) { return std::fmax(in[0], in[1]); }},
      {"arith.minimumf",
       [](Numbers in) {
         return isUnordered(in) ? std::nan("") : std::fmin(in[0], in[1]);
       }},
      {"arith.minnumf", [](Numbers in) { return std::fmin(in[0], in[1]); }},
      {"arith.minsi", [](Numbers in) { return std::fmin(in[0], in[1]); }},
      // A negative number is larger than all others.
      {"arith.minui",
       [](Numbers in) {
         return in[0] < 0 || (in[1] >= 0 && in[1] < in[0]) ? in[1] : in[0];
       }},
      {"arith.mulf", [](Numbers in) { return in[0] * in[1]; }},
      {"arith.muli", [](Numbers in) { return in[0] * in[1]; }},
      {"arith.negf", [](Numbers in) { return -in[0]; }},
      {"arith.remf", [](Numbers in) { return std::fmod(in[0], in[1]); }},
      {"arith.remsi", [](Numbers in) { return std::fmod(in[0], in[1]); }},
      {"arith.select", [](Numbers in) { return in[0] != 0 ? in[1] : in[2]; }},
      {"arith.sitofp", [](Numbers in) { return in[0]; }},
      {"arith.subf", [](Numbers in) { return in[0] - in[1]; }},
      {"arith.subi", [](Numbers in) { return in[0] - in[1]; }},
      {"arith.truncf", [](Numbers in) { return in[0]; }},
      {"arith.uitofp", [](Numbers in) { return in[0]; }},
  };
  if (auto it = functions.find(op->getName().getStringRef());
      it != functions.end())
    return it->second;
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    return getComparison(cmp.getPredicate());
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return getComparison(cmp.getPredicate());
  // Truth values are 0 and 1 here; of one bit, and signed, true is -1.
  if (isa<arith::ExtUIOp, arith::ExtSIOp>(op)) {
    bool isTruth =
        getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1);
    if (isa<arith::ExtSIOp>(op))
      return isTruth ? ScalarFunction([](Numbers in) { return -in[0]; })
                     : ScalarFunction([](Numbers in) { return in[0]; });
    if (isTruth)
      return [](Numbers in) { return in[0]; };
    return getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(32)
               ? ScalarFunction([](Numbers in) {
                   return in[0] < 0 ? in[0] + 0x1p32 : in[0];
                 })
               : nullptr;
  }
  Type result = getElementTypeOrSelf(op->getResultTypes().front());
  if (isa<arith::AndIOp>(op) && result.isInteger(32))
    return [](Numbers in) { return double(int32_t(in[0]) & int32_t(in[1])); };
  // The bits of the number that is nearest in float32.
  if (isa<arith::BitcastOp>(op) && result.isInteger(32))
    return [](Numbers in) {
      return double(llvm::bit_cast<int32_t>(float(in[0])));
    };
  if (isa<arith::BitcastOp>(op) && result.isF32())
    return [](Numbers in) {
      return double(llvm::bit_cast<float>(int32_t(in[0])));
    };
  if (result.isInteger(1)) {
    if (isa<arith::AndIOp>(op))
      return [](Numbers in) { return double(in[0] != 0 && in[1] != 0); };
    if (isa<arith::OrIOp>(op))
      return [](Numbers in) { return double(in[0] != 0 || in[1] != 0); };
    if (isa<arith::XOrIOp>(op))
      return [](Numbers in) { return double((in[0] != 0) != (in[1] != 0)); };
  }
  return nullptr;
}

FailureOr<ScalarProgram> ScalarProgram::create(
    Block &block, llvm::function_ref<std::optional<double>(Value)> captured,
    llvm::function_ref<std::optional<ScalarTable>(Value)> tables) {
  ScalarProgram program;
  llvm::DenseMap<Value, unsigned> slotOf;
  auto addSlot = [&](Value value, double number) {
    slotOf[value] = program.slots.size();
    program.slots.push_back(number);
    return slotOf[value];
  };
  for (BlockArgument argument : block.getArguments())
    addSlot(argument, 0);
  auto find = [&](Value value, Operation *reader) -> FailureOr<unsigned> {
    if (auto it = slotOf.find(value); it != slotOf.end())
      return it->second;
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant))) {
      if (auto number = dyn_cast<FloatAttr>(constant))
        return addSlot(value, number.getValueAsDouble());
      if (auto number = dyn_cast<IntegerAttr>(constant))
        return addSlot(value, number.getType().isInteger(1)
                                  ? double(number.getValue().getBoolValue())
                                  : number.getValue().signedRoundToDouble());
    }
    if (std::optional<double> number = captured(value))
      return addSlot(value, *number);
    return reader->emitError()
           << "reads a value that the scalar evaluator does not know";
  };
  for (Operation &inner : block.without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>() || isa<cf::AssertOp>(inner))
      continue;
    Step step{nullptr, {}, 0, 0, {}};
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      step.operands[0] = index.getDim();
    } else if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      std::optional<ScalarTable> table = tables(extract.getTensor());
      if (!table)
        return inner.emitError() << "extracts from a tensor that the scalar "
                                    "evaluator does not know";
      // The place in row-major order, one dimension after the other.
      unsigned place = addSlot(Value(), 0);
      for (auto [index, size] :
           llvm::zip_equal(extract.getIndices(), table->shape)) {
        FailureOr<unsigned> slot = find(index, &inner);
        if (failed(slot))
          return failure();
        unsigned extent = addSlot(Value(), double(size)),
                 next = addSlot(Value(), 0);
        program.steps.push_back(
            {[](Numbers in) { return in[0] * in[1] + in[2]; },
             {place, extent, *slot},
             next,
             0,
             {}});
        place = next;
      }
      step.operands[0] = place;
      step.table = table->data;
    } else {
      step.function = getScalarFunction(&inner);
      if (!step.function || inner.getNumResults() != 1 ||
          inner.getNumOperands() > 3)
        return inner.emitError() << "the scalar evaluator does not know '"
                                 << inner.getName() << "'";
      Type type = inner.getResult(0).getType();
      step.coarseness = type.isBF16()          ? Rounding::kBF16
                        : isa<FloatType>(type) ? 1
                                               : 0;
      for (auto [i, operand] : llvm::enumerate(inner.getOperands())) {
        FailureOr<unsigned> slot = find(operand, &inner);
        if (failed(slot))
          return failure();
        step.operands[i] = *slot;
      }
    }
    step.result = addSlot(inner.getResult(0), 0);
    program.steps.push_back(step);
  }
  for (Value result : block.getTerminator()->getOperands()) {
    FailureOr<unsigned> slot = find(result, block.getTerminator());
    if (failed(slot))
      return failure();
    program.yielded.push_back(*slot);
  }
  program.results.resize(program.yielded.size());
  return program;
}

ArrayRef<double> ScalarProgram::run(ArrayRef<double> arguments,
                                    ArrayRef<int64_t> counters,
                                    Rounding &rounding) {
  llvm::copy(arguments, slots.begin());
  for (const Step &step : steps) {
    if (!step.table.empty()) {
      double place = slots[step.operands[0]];
      bool isInside = place >= 0 && place < double(step.table.size());
      slots[step.result] = isInside ? step.table[size_t(place)] : std::nan("");
      continue;
    }
    if (!step.function) {
      slots[step.result] = static_cast<double>(counters[step.operands[0]]);
      continue;
    }
    double in[3] = {slots[step.operands[0]], slots[step.operands[1]],
                    slots[step.operands[2]]};
    double value = step.function(in);
    slots[step.result] =
        step.coarseness > 0 ? rounding(value, step.coarseness) : value;
  }
  for (auto [result, slot] : llvm::zip(results, yielded))
    result = slots[slot];
  return results;
}
