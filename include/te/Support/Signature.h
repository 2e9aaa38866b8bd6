// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batched changes of function signatures.

#ifndef TE_SUPPORT_SIGNATURE_H
#define TE_SUPPORT_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {

/// Adds arguments and results at the end of a function of one block. Each
/// change of a function's type creates a type as long as the function has
/// arguments and results, which the context keeps: adding those of all
/// parameters one by one takes quadratic time and memory. Here the type changes
/// once, in commit(), before which the function must not be queried about the
/// additions.
class SignatureExtension {
public:
  explicit SignatureExtension(func::FuncOp function) : function(function) {}
  SignatureExtension(const SignatureExtension &) = delete;
  ~SignatureExtension() { commit(); }

  Value addArgument(Location loc, Type type, DictionaryAttr attrs);
  void addResult(Value value, DictionaryAttr attrs);
  void commit();

private:
  func::FuncOp function;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  SmallVector<Value> results;
};

/// Replaces the attributes of all arguments by the results of `change`.
void changeArgumentAttrs(
    func::FuncOp function,
    function_ref<void(BlockArgument, NamedAttrList &)> change);

} // namespace mlir::te

#endif // TE_SUPPORT_SIGNATURE_H
