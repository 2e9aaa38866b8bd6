// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, loops and branches, which are inlined and unrolled during import.

#include "ModuleImporter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static SmallVector<Definition> getOperands(ModuleImporter &importer,
                                           const HloOp &op) {
  return llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return importer.getDefinition(operand);
  });
}

static bool isPoisoned(ArrayRef<Definition> definitions) {
  return llvm::any_of(definitions, [](const Definition &definition) {
    return std::holds_alternative<Poison>(definition);
  });
}

/// Defines an operation's results, equal in number.
static LogicalResult defineResults(ModuleImporter &importer, const HloOp &op,
                                   ArrayRef<Definition> results) {
  if (results.size() != op->getNumResults())
    return importer.unsupported(op, "its region returns other results");
  for (auto [i, result] : llvm::enumerate(results))
    importer.defineAt(op, i, result);
  return success();
}

static LogicalResult importNothing(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != op->getNumResults() ||
      op->getOperandTypes() != op->getResultTypes())
    return importer.unsupported(op, "its results are not its operands");
  return defineResults(importer, op, getOperands(importer, op));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LogicalResult importFunction(ModuleImporter &importer, const HloOp &op,
                                    FlatSymbolRefAttr name) {
  func::FuncOp callee = name ? importer.lookup(name) : func::FuncOp();
  if (!callee)
    return importer.unsupported(op, "the module does not have the function");
  if (TypeRange(callee.getArgumentTypes()) != op->getOperandTypes() ||
      TypeRange(callee.getResultTypes()) != op->getResultTypes())
    return importer.unsupported(op, "the function '" + callee.getName() +
                                        "' is of another type");
  SmallVector<Definition> results;
  if (failed(
          importer.importCall(op, callee, getOperands(importer, op), results)))
    return failure();
  return defineResults(importer, op, results);
}

static LogicalResult importCall(ModuleImporter &importer, const HloOp &op) {
  return importFunction(
      importer, op, dyn_cast_or_null<FlatSymbolRefAttr>(op.getAttr("callee")));
}

/// Imports the decomposition of a composite operation.
static LogicalResult importComposite(ModuleImporter &importer,
                                     const HloOp &op) {
  return importFunction(
      importer, op,
      dyn_cast_or_null<FlatSymbolRefAttr>(op.getAttr("decomposition")));
}

/// Calls of functions outside the module. Those that give the location or
/// layout of values compute nothing.
static LogicalResult importCustomCall(ModuleImporter &importer,
                                      const HloOp &op) {
  auto target = dyn_cast_or_null<StringAttr>(op.getAttr("call_target_name"));
  StringRef name = target ? target.getValue() : "";
  bool isPlacement =
      llvm::StringSwitch<bool>(name)
          .Cases({"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"},
                 true)
          .Cases({"annotate_device_placement", "LayoutConstraint"}, true)
          .Default(false);
  if (isPlacement && op->getNumOperands() == 1)
    return importNothing(importer, op);
  return importer.unsupported(op, "it calls '" + name +
                                      "', which is not in the module");
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

/// Unrolls the loop: its condition must be known in every iteration, as that of
/// a counter is.
static LogicalResult importWhile(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumRegions() != 2 ||
      op->getOperandTypes() != op->getResultTypes() ||
      !ModuleImporter::isBlockOf(op->getRegion(0), op->getOperandTypes()) ||
      !ModuleImporter::isBlockOf(op->getRegion(1), op->getOperandTypes()))
    return importer.unsupported(op, "its regions are not those of a loop");
  // One iteration per layer, or per position; stops an endless loop.
  constexpr int64_t kMaxIterations = int64_t(1) << 16;
  SmallVector<Definition> state = getOperands(importer, op);
  for (int64_t iteration = 0;; ++iteration) {
    if (iteration == kMaxIterations)
      return importer.unsupported(op, "it runs more than " +
                                          Twine(kMaxIterations) + " times");
    SmallVector<Definition> condition;
    if (failed(importer.importRegion(op->getRegion(0), state, condition)))
      return failure();
    auto *truth = condition.size() == 1
                      ? std::get_if<ConstantTensor>(&condition.front())
                      : nullptr;
    if (!truth || !truth->isBool() || truth->getNumElements() != 1) {
      // An operand of the condition may have been reported already.
      if (isPoisoned(condition)) {
        importer.poisonResults(op.get());
        return success();
      }
      return importer.unsupported(
          op, "how often it runs depends on the model's inputs; only fixed "
              "numbers of iterations, as of lax.scan and fori_loop, can be "
              "compiled");
    }
    if (*truth->getSplat() == 0)
      return defineResults(importer, op, state);
    SmallVector<Definition> next;
    if (failed(importer.importRegion(op->getRegion(1), state, next)))
      return failure();
    if (next.size() != state.size() ||
        op->getRegion(1).front().back().getOperandTypes() !=
            op->getOperandTypes())
      return importer.unsupported(op, "its body returns other values");
    state = std::move(next);
  }
}

/// Imports the known branch of several.
static LogicalResult importBranch(ModuleImporter &importer, const HloOp &op) {
  if (op->getNumOperands() != 1 || op->getNumRegions() == 0)
    return importer.unsupported(op, "it is not a choice between branches");
  const ConstantTensor *index = importer.getConstant(op, 0);
  if (!index || index->isFloat() || index->getNumElements() != 1) {
    if (isPoisoned(getOperands(importer, op))) {
      importer.poisonResults(op.get());
      return success();
    }
    return importer.unsupported(
        op, "its branch depends on the model's inputs; compute both and choose "
            "with jnp.where");
  }
  // stablehlo.if has the true branch first; an index out of bounds selects the
  // last.
  int64_t number = int64_t(*index->getSplat());
  int64_t last = op->getNumRegions() - 1;
  if (index->isBool())
    number = number ? 0 : 1;
  if (number < 0 || number > last)
    number = last;
  Region &region = op->getRegion(number);
  if (!ModuleImporter::isBlockOf(region, {}))
    return importer.unsupported(op, "its branches are not single blocks");
  if (region.front().back().getOperandTypes() != op->getResultTypes())
    return importer.unsupported(op, "its branch returns other values");
  SmallVector<Definition> results;
  if (failed(importer.importRegion(region, {}, results)))
    return failure();
  return defineResults(importer, op, results);
}

void mlir::te::stablehlo_import::populateControlHandlers(HandlerTable &table) {
  table["func.call"] = importCall;
  table["stablehlo.composite"] = importComposite;
  table["stablehlo.custom_call"] = importCustomCall;
  table["stablehlo.optimization_barrier"] = importNothing;
  table["sdy.sharding_constraint"] = importNothing;
  table["stablehlo.while"] = importWhile;
  table["stablehlo.case"] = importBranch;
  table["stablehlo.if"] = importBranch;
}
