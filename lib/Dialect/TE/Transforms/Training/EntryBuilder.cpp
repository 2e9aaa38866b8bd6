// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training/EntryBuilder.h"

#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"

using namespace mlir;
using namespace mlir::te;

EntryBuilder::EntryBuilder(Model &model, StringRef entry)
    : model(model), builder(model.function.getContext()) {
  // Entries follow the model in the order they are asked for.
  builder.setInsertionPointToEnd(model.function->getBlock());
  function = func::FuncOp::create(builder, model.function.getLoc(), entry,
                                  builder.getFunctionType({}, {}));
  function->setAttr(kEntryAttr, builder.getStringAttr(entry));
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

NamedAttribute EntryBuilder::attr(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}

NamedAttribute EntryBuilder::attr(StringRef name, StringRef value) {
  return builder.getNamedAttr(name, builder.getStringAttr(value));
}

Value EntryBuilder::addArgument(Location loc, Type type,
                                ArrayRef<NamedAttribute> attrs) {
  argumentAttrs.push_back(builder.getDictionaryAttr(attrs));
  return getBody().addArgument(type, loc);
}

void EntryBuilder::copyArguments(BoundaryRole role) {
  for (const BoundaryValue &value : model.interface.values) {
    if (value.role != role || !value.argument)
      continue;
    BlockArgument argument = model.function.getArgument(*value.argument);
    DictionaryAttr attrs = model.function.getArgAttrDict(*value.argument);
    mapping.map(argument, addArgument(argument.getLoc(), argument.getType(),
                                      attrs.getValue()));
  }
}

void EntryBuilder::copyBody() {
  for (Operation &op : model.function.getBody().front().without_terminator())
    builder.clone(op, mapping);
}

Value EntryBuilder::lookup(const BoundaryValue &value) {
  Value original =
      value.argument
          ? Value(model.function.getArgument(*value.argument))
          : model.function.getBody().front().getTerminator()->getOperand(
                *value.result);
  return mapping.lookup(original);
}

void EntryBuilder::addResult(Value value, ArrayRef<NamedAttribute> attrs) {
  results.push_back(value);
  resultAttrs.push_back(builder.getDictionaryAttr(attrs));
}

void EntryBuilder::addModelOutputs() {
  for (const BoundaryValue &value : model.interface.values)
    if (value.role == BoundaryRole::Output)
      addResult(lookup(value),
                model.function.getResultAttrDict(*value.result).getValue());
}

LogicalResult EntryBuilder::finish() {
  Operation *modelReturn = model.function.getBody().front().getTerminator();
  func::ReturnOp::create(builder, modelReturn->getLoc(), results);
  function.setType(builder.getFunctionType(getBody().getArgumentTypes(),
                                           TypeRange(ValueRange(results))));
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  eraseDeadOps(getBody());
  return EntryInterface::get(function);
}
