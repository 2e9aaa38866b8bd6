// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of an entry function, read from the attributes of its arguments
// and results (see the te dialect's description).

#ifndef TE_ANALYSIS_ENTRYINTERFACE_H
#define TE_ANALYSIS_ENTRYINTERFACE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace mlir::te {

enum class BoundaryRole { Input, Scalar, Param, State, Output };

/// "input", "scalar", "param", "state", "output".
StringRef stringifyBoundaryRole(BoundaryRole role);

/// One argument, one result, or an argument together with the result that is
/// its new value.
struct BoundaryValue {
  std::string name;
  BoundaryRole role;
  ShapedType type;
  /// The argument; absent for an output.
  std::optional<unsigned> argument;
  /// The output, or the new value of a parameter or state; absent for inputs,
  /// scalars, and for parameters and states that the function only reads.
  std::optional<unsigned> result;
  /// `te.kind` of a state, "parameter" of a parameter, else empty.
  std::string kind;
  /// `te.init` of a parameter or state; null if absent.
  Attribute init;
  /// `te.default` of a scalar; null if absent.
  Attribute defaultValue;
};

/// The boundary of one function.
struct EntryInterface {
  /// `te.entry`, empty if the function is not an entry.
  std::string entry;
  /// The arguments in order, then the outputs in order.
  SmallVector<BoundaryValue> values;

  /// The first value of this role and name; null if there is none.
  const BoundaryValue *find(BoundaryRole role, StringRef name) const;
  /// The value of this argument.
  const BoundaryValue &getArgument(unsigned argument) const {
    return values[argument];
  }

  /// Reads the attributes of `function`'s arguments and results. Emits an error
  /// and fails if an argument or result has no role or several, a name occurs
  /// twice, a parameter's or state's result has no argument of its name, role
  /// and type, a state has no kind, a scalar is not a rank-0 tensor, or a shape
  /// is dynamic.
  static FailureOr<EntryInterface> get(FunctionOpInterface function);
};

} // namespace mlir::te

#endif // TE_ANALYSIS_ENTRYINTERFACE_H
