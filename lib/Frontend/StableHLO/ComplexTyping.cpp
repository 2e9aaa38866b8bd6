// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComplexTyping.h"
#include "HloOp.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te::stablehlo_import;

/// Ops that treat both parts alike.
static constexpr StringLiteral moves[] = {"stablehlo.broadcast_in_dim",
                                          "stablehlo.concatenate",
                                          "stablehlo.dynamic_slice",
                                          "stablehlo.dynamic_update_slice",
                                          "stablehlo.gather",
                                          "stablehlo.negate",
                                          "stablehlo.pad",
                                          "stablehlo.reduce",
                                          "stablehlo.reshape",
                                          "stablehlo.reverse",
                                          "stablehlo.select",
                                          "stablehlo.slice",
                                          "stablehlo.transpose"};

bool mlir::te::stablehlo_import::movesElements(StringRef name) {
  return llvm::is_contained(moves, name);
}

/// Ops that compute elements of their operands' type.
static constexpr StringLiteral computes[] = {
    "stablehlo.add",    "stablehlo.subtract",    "stablehlo.multiply",
    "stablehlo.divide", "stablehlo.exponential", "stablehlo.dot_general"};

/// True if the operand provides elements of the result; others are positions or
/// booleans.
static bool isData(Operation *op, unsigned operand) {
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.select")
    return operand > 0;
  if (name == "stablehlo.gather" || name == "stablehlo.dynamic_slice")
    return operand == 0;
  return name != "stablehlo.dynamic_update_slice" || operand < 2;
}

/// True if every region has one block, whose last operation returns values of
/// these types.
static bool returnsTypes(MutableArrayRef<Region> regions, TypeRange types) {
  return llvm::all_of(regions, [&](Region &region) {
    return region.hasOneBlock() && !region.front().empty() &&
           region.front().back().getOperandTypes() == types;
  });
}

std::string
mlir::te::stablehlo_import::getTypingError(Operation *op,
                                           const FunctionTypes &functionTypes) {
  StringRef name = op->getName().getStringRef();
  TypeRange operands = op->getOperandTypes(), results = op->getResultTypes();
  if (name == "stablehlo.complex")
    return "its operands are not two tensors of f32 of the result's shape";
  if (name == "stablehlo.composite") {
    auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(
        HloOp(op, op->getLoc()).getAttr("decomposition"));
    auto type =
        callee ? functionTypes.lookup(callee.getAttr()) : FunctionType();
    if (type && (TypeRange(type.getInputs()) != operands ||
                 TypeRange(type.getResults()) != results))
      return "the function '" + callee.getValue().str() +
             "' is of another type";
  } else if (name == "stablehlo.while") {
    if (operands != results || op->getNumRegions() != 2 ||
        !returnsTypes(op->getRegions().drop_front(), results) ||
        llvm::any_of(op->getRegions(), [&](Region &region) {
          return region.getArgumentTypes() != operands;
        }))
      return "its regions are not those of a loop";
  } else if (name == "stablehlo.case" || name == "stablehlo.if") {
    if (!returnsTypes(op->getRegions(), results))
      return "its branch returns other values";
  } else if (name == "stablehlo.optimization_barrier" ||
             name == "sdy.sharding_constraint") {
    if (operands != results)
      return "its results are not its operands";
  } else if (op->getNumResults() == 1 &&
             (movesElements(name) || llvm::is_contained(computes, name))) {
    Type element = getElementTypeOrSelf(results.front());
    for (auto [i, type] : llvm::enumerate(operands)) {
      Type other = getElementTypeOrSelf(type);
      bool data = isData(op, i);
      if (data ? other == element ||
                     !(isa<ComplexType>(other) || isa<ComplexType>(element))
               : !isa<ComplexType>(other))
        continue;
      std::string text;
      llvm::raw_string_ostream os(text);
      os << "operand " << i << " is of " << other;
      if (data)
        os << ", and its result of " << element;
      os << "; it is not well-typed";
      return text;
    }
  }
  return {};
}
