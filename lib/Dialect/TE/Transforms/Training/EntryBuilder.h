// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds an entry function around a copy of the model: arguments and results
// with their boundary attributes, in the order they are added.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYBUILDER_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYBUILDER_H

#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::te {

/// The output that the gradient of a parameter or of an input is.
inline std::string getGradientName(StringRef name) {
  return ("grad." + name).str();
}

/// The function that entries are made of, and what is known of it.
struct Model {
  func::FuncOp function;
  EntryInterface interface;
};

class EntryBuilder {
public:
  /// Starts the function @`entry` after the model's.
  EntryBuilder(Model &model, StringRef entry);

  OpBuilder &getBuilder() { return builder; }
  Block &getBody() { return function.getBody().front(); }
  Location getLoc() { return function.getLoc(); }

  /// Copies the model's arguments of one role, with their attributes.
  void copyArguments(BoundaryRole role);
  Value addArgument(Location loc, Type type, ArrayRef<NamedAttribute> attrs);
  /// Named attributes from names and values.
  NamedAttribute attr(StringRef name, Attribute value);
  NamedAttribute attr(StringRef name, StringRef value);

  /// Copies the model's body; all of its arguments have been copied.
  void copyBody();
  /// The copy of a value of the model.
  Value lookup(const BoundaryValue &value);

  void addResult(Value value, ArrayRef<NamedAttribute> attrs);
  /// Adds the model's outputs as results.
  void addModelOutputs();

  /// Ends the function and erases what its results do not need. Fails when
  /// names collide.
  LogicalResult finish();

private:
  Model &model;
  OpBuilder builder;
  func::FuncOp function;
  IRMapping mapping;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  SmallVector<Value> results;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYBUILDER_H
