// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParameterMetadata.h"

#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/IR/TiedNames.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
namespace json = llvm::json;

static constexpr StringLiteral kTiedKey = "temlir.tied";
static constexpr StringLiteral kFrozenKey = "temlir.frozen";
static constexpr StringLiteral kBuffersKey = "temlir.buffers";

/// A null attribute if the text is not an object of arrays of strings.
static DictionaryAttr parseTied(StringRef text, Builder &builder) {
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
    if (entry.key() != kTiedKey)
      continue;
    DictionaryAttr names = parseTied(entry.value(), builder);
    if (!names)
      emitWarning(module.getLoc())
          << "the model's metadata '" << kTiedKey
          << "' is not a map of parameters to lists of names, "
             "so exported weights will lack the names of tied "
             "parameters; export the model again with "
             "temlir_export";
    else if (!names.empty())
      module->setAttr(kTiedAttr, names);
  }
}

/// Adds the elements of a JSON array of strings; returns false if it is none.
static bool parseNames(StringRef text, llvm::StringSet<> &names) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const json::Array *list = value->getAsArray();
  return list && llvm::all_of(*list, [&](const json::Value &element) {
           auto name = element.getAsString();
           if (name)
             names.insert(*name);
           return name.has_value();
         });
}

llvm::StringSet<>
mlir::te::onnx_import::getBufferNames(const ::onnx::ModelProto &model,
                                      Location loc) {
  llvm::StringSet<> names;
  for (const ::onnx::StringStringEntryProto &entry : model.metadata_props())
    if (entry.key() == kBuffersKey && !parseNames(entry.value(), names))
      emitWarning(loc) << "the model's metadata '" << kBuffersKey
                       << "' is not a list of names, so exported weights will "
                          "lack its buffers; export the model again with "
                          "temlir_export";
  return names;
}

LogicalResult
mlir::te::onnx_import::importFrozenNames(const ::onnx::ModelProto &model,
                                         func::FuncOp forward) {
  llvm::StringSet<> names;
  for (const ::onnx::StringStringEntryProto &entry : model.metadata_props())
    if (entry.key() == kFrozenKey && !parseNames(entry.value(), names))
      return emitError(forward.getLoc())
             << "the model's metadata '" << kFrozenKey
             << "' is not a list of names, so it is not known which "
                "parameters are not to be trained; export the model again with "
                "temlir_export";
  for (unsigned i = 0, e = forward.getNumArguments(); i < e; ++i)
    if (auto name = forward.getArgAttrOfType<StringAttr>(i, kParamAttr);
        name && names.contains(name.getValue()))
      forward.setArgAttr(i, kFrozenAttr, UnitAttr::get(forward.getContext()));
  return success();
}
