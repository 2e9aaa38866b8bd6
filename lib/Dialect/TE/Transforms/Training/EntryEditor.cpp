// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training/EntryEditor.h"

#include "mlir/IR/BuiltinOps.h"
#include "te/Support/DeadOps.h"

using namespace mlir;
using namespace mlir::te;

EntryEditor::EntryEditor(func::FuncOp function)
    : function(function), builder(function.getContext()) {
  builder.setInsertionPoint(getBody().getTerminator());
}

FailureOr<EntryEditor> EntryEditor::get(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return emitError(function.getLoc())
           << "the model has control flow; only straight-line models are "
              "differentiated";
  FailureOr<EntryInterface> interface = EntryInterface::get(function);
  if (failed(interface))
    return failure();
  for (const BoundaryValue &value : interface->values)
    if (!isa<RankedTensorType>(value.type))
      return emitError(function.getLoc())
             << "the model has '" << value.name << "' of type " << value.type
             << "; the stages of a training step work on tensors, before "
                "tert-bufferize makes buffers of them";
  return EntryEditor(function);
}

SmallVector<EntryValue> EntryEditor::getValues(BoundaryRole role) {
  SmallVector<EntryValue> values;
  // It was read once without an error, and stays valid.
  FailureOr<EntryInterface> interface = EntryInterface::get(function);
  if (failed(interface))
    return values;
  for (const BoundaryValue &value : interface->values)
    if (value.role == role)
      values.push_back(
          {value, value.argument ? Value(function.getArgument(*value.argument))
                                 : getResult(*value.result)});
  return values;
}

SmallVector<EntryGradient> EntryEditor::getGradients() {
  SmallVector<EntryGradient> gradients;
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (auto of = function.getResultAttrOfType<StringAttr>(i, kGradientAttr))
      gradients.push_back({of, getResult(i), i});
  return gradients;
}

std::optional<unsigned> EntryEditor::findResult(StringRef name) {
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (function.getResultAttr(i, name))
      return i;
  return std::nullopt;
}

NamedAttribute EntryEditor::attr(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}

NamedAttribute EntryEditor::attr(StringRef name, StringRef value) {
  return builder.getNamedAttr(name, builder.getStringAttr(value));
}

Value EntryEditor::insertArgument(unsigned index, Location loc, Type type,
                                  ArrayRef<NamedAttribute> attrs) {
  // The index is in range, so this cannot fail.
  (void)function.insertArgument(index, type, builder.getDictionaryAttr(attrs),
                                loc);
  return function.getArgument(index);
}

Value EntryEditor::addArgument(Location loc, Type type,
                               ArrayRef<NamedAttribute> attrs,
                               ArrayRef<StringRef> behind) {
  unsigned index = function.getNumArguments();
  auto isBefore = [&](unsigned argument) {
    return llvm::any_of(behind, [&](StringRef name) {
      return bool(function.getArgAttr(argument, name));
    });
  };
  while (index > 0 && !isBefore(index - 1))
    --index;
  return insertArgument(index, loc, type, attrs);
}

Value EntryEditor::addScalar(StringRef name, double defaultValue,
                             ArrayRef<StringRef> behind) {
  return addArgument(
      getLoc(), RankedTensorType::get({}, builder.getF32Type()),
      {attr(kScalarAttr, name),
       attr(kDefaultAttr, builder.getF64FloatAttr(defaultValue))},
      behind);
}

void EntryEditor::addResult(Value value, ArrayRef<NamedAttribute> attrs) {
  (void)function.insertResult(function.getNumResults(), value.getType(),
                              builder.getDictionaryAttr(attrs));
  Operation *terminator = getBody().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), value);
}

void EntryEditor::eraseResults(function_ref<bool(unsigned)> chosen) {
  llvm::BitVector erased(function.getNumResults());
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (chosen(i))
      erased.set(i);
  getBody().getTerminator()->eraseOperands(erased);
  (void)function.eraseResults(erased);
}

LogicalResult EntryEditor::finish() {
  eraseDeadOps(getBody());
  return EntryInterface::get(function);
}

StringRef mlir::te::getEntryName(func::FuncOp function) {
  auto name = function->getAttrOfType<StringAttr>(kEntryAttr);
  return name ? name.getValue() : StringRef();
}

const EntryKind *mlir::te::getEntryKind(func::FuncOp function) {
  return findEntryKind(getEntryName(function));
}

FailureOr<SmallVector<func::FuncOp>>
mlir::te::findEntries(ModuleOp module, ArrayRef<std::string> chosen,
                      function_ref<bool(const EntryKind &)> isFor) {
  SmallVector<func::FuncOp> entries;
  for (const std::string &name : chosen)
    if (llvm::none_of(module.getOps<func::FuncOp>(), [&](func::FuncOp func) {
          return getEntryName(func) == name;
        }))
      return emitError(module.getLoc()) << "the module has no entry '" << name
                                        << "'; te-build-entries makes entries";
  for (auto function : module.getOps<func::FuncOp>()) {
    StringRef name = getEntryName(function);
    const EntryKind *kind = findEntryKind(name);
    if (chosen.empty() ? kind && isFor(*kind)
                       : llvm::is_contained(chosen, name))
      entries.push_back(function);
  }
  return entries;
}
