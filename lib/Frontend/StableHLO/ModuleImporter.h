// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds @forward from the functions of a StableHLO module, operation by
// operation: inlines calls, unrolls loops with known trip counts, and evaluates
// values that depend on constants alone.

#ifndef TE_LIB_FRONTEND_STABLEHLO_MODULEIMPORTER_H
#define TE_LIB_FRONTEND_STABLEHLO_MODULEIMPORTER_H

#include "../Common/TensorMath.h"
#include "HloOp.h"
#include "SplitComplex.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Frontend/ImportedModel.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <variant>

namespace mlir::te::stablehlo_import {

using namespace frontend;

class ModuleImporter;

/// Imports one operation: checks it and defines its results, or returns
/// `importer.unsupported(op, reason)`. Operands and results are tensors of
/// static shape and known element type.
using Handler = std::function<LogicalResult(ModuleImporter &, const HloOp &)>;
/// By name, "stablehlo.add".
using HandlerTable = llvm::StringMap<Handler>;

void populateElementwiseHandlers(HandlerTable &table);
void populateSelectionHandlers(HandlerTable &table);
void populateShapeHandlers(HandlerTable &table);
void populateReductionHandlers(HandlerTable &table);
void populateContractionHandlers(HandlerTable &table);
void populateLookupHandlers(HandlerTable &table);
void populateScatterHandlers(HandlerTable &table);
void populateControlHandlers(HandlerTable &table);
void populateOrderHandlers(HandlerTable &table);
/// All handlers.
HandlerTable getHandlerTable();

/// The import of an SSA value of the model. `Poison` has been reported.
struct Poison {};
using Definition = std::variant<Poison, Value, ConstantTensor>;

class ModuleImporter : public TensorBuilder {
public:
  ModuleImporter(ModuleOp source, ComplexRest complex, Location fileLoc,
                 const ImportOptions &options);

  /// Imports the module's entry function; errors are emitted.
  FailureOr<ImportedModel> import();

  //===--------------------------------------------------------------------===//
  // For handlers
  //===--------------------------------------------------------------------===//

  /// Notes that an operation cannot be imported.
  LogicalResult unsupported(const HloOp &op, const Twine &reason);

  /// The import of an operand.
  const Definition &getDefinition(Value value) const;
  /// An operand as an SSA value; constants become arith.constant. Null and a
  /// note if it cannot be one.
  Value getValue(const HloOp &op, unsigned operand);
  /// An operand that is known at import time, or null.
  const ConstantTensor *getConstant(const HloOp &op, unsigned operand) const;
  bool areConstants(const HloOp &op) const;

  /// Defines the first result; succeeds.
  LogicalResult define(const HloOp &op, Definition definition) {
    defineAt(op, 0, std::move(definition));
    return success();
  }
  /// Defines an operation on constants by a function of their elements.
  LogicalResult defineConstant(const HloOp &op, const ScalarFunction &function);
  void defineAt(const HloOp &op, unsigned result, Definition definition) {
    definitions[op->getResult(result)] = std::move(definition);
  }
  /// Marks the results of an operation that has been reported.
  void poisonResults(Operation *op);

  /// Imports the operations of a region of one block with these arguments;
  /// `results` are the operands of its terminator. Failure has been noted.
  LogicalResult importRegion(Region &region, ArrayRef<Definition> arguments,
                             SmallVectorImpl<Definition> &results);
  /// True if a region is one block with arguments of these types and a
  /// terminator.
  static bool isBlockOf(Region &region, TypeRange arguments);
  /// A function of the model, or null.
  func::FuncOp lookup(FlatSymbolRefAttr name) const;
  /// Imports a function's body in place of a call.
  LogicalResult importCall(const HloOp &call, func::FuncOp callee,
                           ArrayRef<Definition> arguments,
                           SmallVectorImpl<Definition> &results);

  /// True if a constant of this shape may be computed.
  bool isConstantSize(ArrayRef<int64_t> shape) const;
  /// Name of the parameter that a value is a slice of, possibly transposed or
  /// reshaped; else empty.
  StringRef getParameterName(Value value) const;
  /// The operation's location; if `weight` is a parameter, its name without the
  /// last component is the name of the location.
  Location getLayerLoc(const HloOp &op, Value weight) const;
  /// True if a value is one of the model's inputs, possibly reshaped.
  bool isInput(Value value) const;

private:
  LogicalResult importArguments(func::FuncOp entry);
  LogicalResult importResults(func::FuncOp entry, ArrayRef<Definition> results);
  LogicalResult importOperation(Operation *op);
  /// Evaluates what was built for an operation on constants.
  void foldResults(const HloOp &op);
  Location getLoc(Operation *op) const;

  /// The reason that an operation's types are not supported; empty if they are.
  std::string getTypesProblem(Operation *op) const;

  ModuleOp source;
  ComplexRest complex;
  Location fileLoc;
  HandlerTable handlers;
  ImportedModel result;
  func::FuncOp function;
  Block *body = nullptr;
  /// Imports of the source module's values. Called functions and unrolled loops
  /// redefine their values each time.
  DenseMap<Value, Definition> definitions;
  /// The calls that are being imported, innermost last, and their locations.
  SmallVector<std::pair<Operation *, Location>> calls;
  /// Remaining number of operations to import: text can call and loop
  /// endlessly.
  int64_t budget;
  UnsupportedList problems;
  /// Unsupported operations of the source: each counts once, however often its
  /// loop runs.
  DenseSet<Operation *> noted;
};

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_MODULEIMPORTER_H
