// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/Signature.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::te;

Value SignatureExtension::addArgument(Location loc, Type type,
                                      DictionaryAttr attrs) {
  argumentAttrs.push_back(attrs);
  return function.front().addArgument(type, loc);
}

void SignatureExtension::addResult(Value value, DictionaryAttr attrs) {
  resultAttrs.push_back(attrs);
  results.push_back(value);
}

void SignatureExtension::commit() {
  if (argumentAttrs.empty() && resultAttrs.empty())
    return;
  SmallVector<Attribute> allArguments, allResults;
  Attribute none = DictionaryAttr::get(function.getContext());
  auto append = [&](SmallVectorImpl<Attribute> &all, DictionaryAttr attrs) {
    all.push_back(attrs ? attrs : none);
  };
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    append(allArguments, function.getArgAttrDict(i));
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    append(allResults, function.getResultAttrDict(i));
  for (DictionaryAttr attrs : argumentAttrs)
    append(allArguments, attrs);
  for (DictionaryAttr attrs : resultAttrs)
    append(allResults, attrs);

  Operation *terminator = function.front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), results);
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.front().getArgumentTypes(),
      terminator->getOperandTypes()));
  function.setAllArgAttrs(allArguments);
  function.setAllResultAttrs(allResults);
  argumentAttrs.clear();
  resultAttrs.clear();
  results.clear();
}

void mlir::te::changeArgumentAttrs(
    func::FuncOp function,
    function_ref<void(BlockArgument, NamedAttrList &)> change) {
  SmallVector<Attribute> all;
  for (BlockArgument argument : function.getArguments()) {
    NamedAttrList attrs(function.getArgAttrDict(argument.getArgNumber()));
    change(argument, attrs);
    all.push_back(attrs.getDictionary(function.getContext()));
  }
  function.setAllArgAttrs(all);
}
