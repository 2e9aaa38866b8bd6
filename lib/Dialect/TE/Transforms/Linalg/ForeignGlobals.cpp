// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of IREE whose values are in a separate file.

#include "Linalg/Linalg.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Key of a value in a file: the file's name, perhaps empty, and its own.
struct ParameterKey {
  std::string scope, name;
};
} // namespace

/// For #stream.parameter.named<"model"::"norm.weight">, or that of the flow
/// dialect.
static std::optional<ParameterKey> getKey(Operation *global) {
  auto opaque = getForeignAttr<OpaqueAttr>(global, "initial_value");
  if (!opaque || (opaque.getDialectNamespace() != "stream" &&
                  opaque.getDialectNamespace() != "flow"))
    return std::nullopt;
  StringRef text = opaque.getAttrData();
  if (!text.consume_front("parameter.named<") || !text.consume_back(">"))
    return std::nullopt;
  SmallVector<StringRef, 2> names;
  text.split(names, "::");
  ParameterKey key;
  for (StringRef name : names) {
    name = name.trim();
    if (!name.consume_front("\"") || !name.consume_back("\"") || name.empty() ||
        name.find_first_of("\"\\") != StringRef::npos)
      return std::nullopt;
    key.scope = std::exchange(key.name, name.str());
  }
  return names.size() <= 2 ? std::optional(key) : std::nullopt;
}

/// The reason that a global stored in a file is inconsistent with the file or
/// the program; empty if it is not.
static std::string getMismatch(Type type, Operation *global,
                               ArrayRef<Operation *> reads) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Type ofValue = getForeignAttr<OpaqueAttr>(global, "initial_value").getType();
  if (!isa<NoneType>(ofValue) && ofValue != type) {
    os << "it is a " << type << ", and its value in the file a " << ofValue;
    return text;
  }
  for (Operation *read : reads)
    if (Type ofRead = read->getResult(0).getType(); ofRead != type) {
      os << "it is a " << type << ", and is read as a " << ofRead;
      break;
    }
  return text;
}

llvm::DenseMap<Operation *, std::string>
mlir::te::takeForeignGlobals(ModuleOp module, func::FuncOp model) {
  llvm::DenseMap<Operation *, std::string> misfits;
  llvm::MapVector<StringAttr, Operation *> globals;
  for (Operation &op : *module.getBody())
    if (auto name = getForeignAttr<StringAttr>(&op, "sym_name");
        name && isForeign(&op, "util.global") && op.getNumResults() == 0)
      globals[name] = &op;
  llvm::DenseMap<StringAttr, SmallVector<Operation *>> loads;
  llvm::DenseSet<StringAttr> others;
  module.walk([&](Operation *op) {
    auto name = getForeignAttr<FlatSymbolRefAttr>(op, "global");
    if (!name)
      return;
    if (isForeign(op, "util.global.load") && op->getNumOperands() == 0 &&
        op->getNumResults() == 1 && model->isAncestor(op))
      loads[name.getAttr()].push_back(op);
    else
      others.insert(name.getAttr());
  });
  for (auto [name, global] : globals) {
    std::optional<ParameterKey> key = getKey(global);
    auto type = getForeignAttr<TypeAttr>(global, "type");
    ArrayRef<Operation *> reads = loads[name];
    if (!key || !type || others.contains(name))
      continue;
    std::string misfit = getMismatch(type.getValue(), global, reads);
    if (!misfit.empty()) {
      misfits[global] = misfit;
      continue;
    }
    if (!reads.empty()) {
      MLIRContext *context = module.getContext();
      unsigned number = model.getNumArguments();
      auto own = StringAttr::get(context, key->name);
      std::string scoped =
          key->scope.empty() ? key->name : key->scope + "::" + key->name;
      NamedAttribute attribute(StringAttr::get(context, kGlobalAttr),
                               StringAttr::get(context, scoped));
      (void)model.insertArgument(number, type.getValue(),
                                 DictionaryAttr::get(context, attribute),
                                 NameLoc::get(own, global->getLoc()));
      for (Operation *read : reads) {
        read->getResult(0).replaceAllUsesWith(model.getArgument(number));
        read->erase();
      }
    }
    global->erase();
  }
  return misfits;
}
