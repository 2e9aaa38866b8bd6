// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits entry functions in the stages of a training step: finds arguments and
// results by role, adds ops before the return, arguments and results.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYEDITOR_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYEDITOR_H

#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// Output of train: the rows of mixtures that all ranks dropped, f32.
inline constexpr llvm::StringLiteral kDroppedRows = "dropped_rows";

/// The output name of the gradient of a parameter or input.
inline std::string getGradientName(StringRef name) {
  return ("grad." + name).str();
}

/// One argument or output, as a value of the function's body.
struct EntryValue {
  BoundaryValue boundary;
  Value value;

  StringRef name() const { return boundary.name; }
  RankedTensorType type() const {
    return cast<RankedTensorType>(value.getType());
  }
  bool isFloat() const { return isa<FloatType>(type().getElementType()); }
};

/// The gradient of an argument, among a function's results.
struct EntryGradient {
  StringRef of; ///< name of the argument
  Value value;
  unsigned result;
};

class EntryEditor {
public:
  /// Fails with an error if the function has control flow or an invalid
  /// boundary (EntryInterface).
  static FailureOr<EntryEditor> get(func::FuncOp function);

  func::FuncOp getFunction() const { return function; }
  Location getLoc() const {
    return const_cast<func::FuncOp &>(function).getLoc();
  }
  Block &getBody() { return function.getBody().front(); }
  /// The insertion point is before the return.
  OpBuilder &getBuilder() { return builder; }

  /// An error about the entry as a whole, without printing it.
  InFlightDiagnostic error() { return emitError(getLoc()) << "the model "; }

  /// The function's current values, in order.
  SmallVector<EntryValue> getValues(BoundaryRole role);
  SmallVector<EntryGradient> getGradients();
  /// The first result with the attribute `name`.
  std::optional<unsigned> findResult(StringRef name);
  /// The result that all gradients are still to be multiplied by.
  std::optional<unsigned> findCoefficient() {
    return findResult(kGradientCoefficientAttr);
  }
  Value getResult(unsigned result) {
    return getBody().getTerminator()->getOperand(result);
  }

  NamedAttribute attr(StringRef name, Attribute value);
  NamedAttribute attr(StringRef name, StringRef value);

  /// Adds an argument after the last one that has one of the attributes
  /// `behind`, or at the front.
  Value addArgument(Location loc, Type type, ArrayRef<NamedAttribute> attrs,
                    ArrayRef<StringRef> behind);
  /// Adds a scalar argument, tensor<f32>, with its default.
  Value addScalar(StringRef name, double defaultValue,
                  ArrayRef<StringRef> behind);
  void addResult(Value value, ArrayRef<NamedAttribute> attrs);
  void eraseResults(function_ref<bool(unsigned)> chosen);

  /// Erases dead ops and checks the boundary. Fails if names collide.
  LogicalResult finish();

private:
  explicit EntryEditor(func::FuncOp function);
  Value insertArgument(unsigned index, Location loc, Type type,
                       ArrayRef<NamedAttribute> attrs);

  func::FuncOp function;
  OpBuilder builder;
};

/// The entries of `module` that a stage applies to: those that `chosen` names,
/// or without names those whose kind `isFor` accepts. Fails with an error for a
/// name that no function has.
FailureOr<SmallVector<func::FuncOp>>
findEntries(ModuleOp module, ArrayRef<std::string> chosen,
            function_ref<bool(const EntryKind &)> isFor);

/// `te.entry` of a function.
StringRef getEntryName(func::FuncOp function);
/// Its kind; null if the function is no entry of a known kind.
const EntryKind *getEntryKind(func::FuncOp function);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYEDITOR_H
