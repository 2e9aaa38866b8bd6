// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>
#include <functional>
#include <optional>

using namespace mlir;
using namespace mlir::te::test;

using Operands = ArrayRef<double>;

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::UGT:
    return !(a <= b);
  default:
    llvm_unreachable("no such comparison in the tests");
  }
}

/// Ops that are a function of doubles.
static std::function<double(Operands)> getFunction(Operation *op) {
  using Unary = double (*)(double);
  static const llvm::StringMap<Unary> unary = {
      {"math.absf", std::fabs},
      {"math.ceil", std::ceil},
      {"math.cos", std::cos},
      {"math.cosh", std::cosh},
      {"math.erf", std::erf},
      {"math.exp", std::exp},
      {"math.exp2", std::exp2},
      {"math.expm1", std::expm1},
      {"math.floor", std::floor},
      {"math.log", std::log},
      {"math.log1p", std::log1p},
      {"math.log2", std::log2},
      {"math.sin", std::sin},
      {"math.sinh", std::sinh},
      {"math.sqrt", std::sqrt},
      {"math.tanh", std::tanh},
      {"arith.negf", [](double a) { return -a; }},
      {"arith.extf", [](double a) { return a; }},
      {"arith.truncf", [](double a) { return a; }},
      {"arith.sitofp", [](double a) { return a; }},
      {"math.rsqrt", [](double a) { return 1 / std::sqrt(a); }},
  };
  using Binary = double (*)(double, double);
  static const llvm::StringMap<Binary> binary = {
      {"arith.addf", [](double a, double b) { return a + b; }},
      {"arith.subf", [](double a, double b) { return a - b; }},
      {"arith.mulf", [](double a, double b) { return a * b; }},
      {"arith.divf", [](double a, double b) { return a / b; }},
      {"arith.subi", [](double a, double b) { return a - b; }},
      {"arith.maximumf", [](double a, double b) { return std::fmax(a, b); }},
      {"arith.minimumf", [](double a, double b) { return std::fmin(a, b); }},
      {"math.powf", [](double a, double b) { return std::pow(a, b); }},
      {"math.fpowi", [](double a, double b) { return std::pow(a, b); }},
  };
  StringRef name = op->getName().getStringRef();
  if (auto it = unary.find(name); it != unary.end())
    return [f = it->second](Operands in) { return f(in[0]); };
  if (auto it = binary.find(name); it != binary.end())
    return [f = it->second](Operands in) { return f(in[0], in[1]); };
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    return [predicate = cmp.getPredicate()](Operands in) {
      return compare(predicate, in[0], in[1]);
    };
  if (isa<arith::SelectOp>(op))
    return [](Operands in) { return in[0] ? in[1] : in[2]; };
  if (isa<math::FmaOp>(op))
    return [](Operands in) { return in[0] * in[1] + in[2]; };
  return nullptr;
}

std::vector<double> mlir::te::test::evaluateBody(linalg::GenericOp op,
                                                 ArrayRef<double> arguments,
                                                 ArrayRef<int64_t> counters) {
  llvm::DenseMap<Value, double> values;
  for (auto [argument, value] :
       llvm::zip(op.getBody()->getArguments(), arguments))
    values[argument] = value;
  auto get = [&](Value value) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant))) {
      if (auto number = dyn_cast<FloatAttr>(constant))
        return number.getValueAsDouble();
      return double(cast<IntegerAttr>(constant).getInt());
    }
    return values.lookup(value);
  };
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      values[index] = counters[index.getDim()];
      continue;
    }
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    auto function = getFunction(&inner);
    if (!function) {
      inner.emitError() << "the scalar evaluator does not know '"
                        << inner.getName() << "'";
      return {};
    }
    SmallVector<double> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(get(operand));
    values[inner.getResult(0)] = function(operands);
  }
  std::vector<double> results;
  for (Value result : op.getBody()->getTerminator()->getOperands())
    results.push_back(get(result));
  return results;
}
