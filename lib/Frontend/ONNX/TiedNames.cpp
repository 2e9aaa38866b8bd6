// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TiedNames.h"

#include "te/Dialect/TE/IR/TiedNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
namespace json = llvm::json;

static constexpr StringLiteral kMetadataKey = "temlir.tied";

/// A null attribute if the text is not an object of arrays of strings.
static DictionaryAttr parse(StringRef text, Builder &builder) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  const json::Object *object = value->getAsObject();
  if (!object)
    return {};
  SmallVector<NamedAttribute> parameters;
  for (const auto &[name, others] : *object) {
    const json::Array *list = others.getAsArray();
    if (!list || StringRef(name).empty())
      return {};
    SmallVector<Attribute> names;
    for (const json::Value &other : *list) {
      auto text = other.getAsString();
      if (!text)
        return {};
      names.push_back(builder.getStringAttr(*text));
    }
    parameters.push_back(
        builder.getNamedAttr(StringRef(name), builder.getArrayAttr(names)));
  }
  return builder.getDictionaryAttr(parameters);
}

void mlir::te::onnx_import::importTiedNames(const ::onnx::ModelProto &model,
                                            ModuleOp module) {
  Builder builder(module.getContext());
  for (const ::onnx::StringStringEntryProto &entry : model.metadata_props()) {
    if (entry.key() != kMetadataKey)
      continue;
    DictionaryAttr names = parse(entry.value(), builder);
    if (!names)
      emitWarning(module.getLoc())
          << "the model's metadata '" << kMetadataKey
          << "' is not a map of parameters to lists of names, "
             "so exported weights will lack the names of tied "
             "parameters; export the model again with "
             "temlir_export";
    else if (!names.empty())
      module->setAttr(kTiedAttr, names);
  }
}
