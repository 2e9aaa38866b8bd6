// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry function's signature: which arguments are parameters, and the names
// of arguments and results.

#include "ModuleImporter.h"
#include "TreePath.h"

#include "te/Dialect/TE/IR/FrozenParameters.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

/// JAX's name of an argument: from its location, unless the export helper
/// writes an attribute.
static TreePath getPath(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? TreePath::parse(name.getName()) : TreePath();
}

static bool isFloat(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

/// Arguments of JAX are the leaves of trees. A tree whose leaves are all floats
/// is one of parameters; a tree with integers, such as a batch, and a leaf that
/// is an argument by itself are inputs.
static llvm::StringSet<> findParameterTrees(func::FuncOp entry) {
  llvm::StringSet<> trees;
  for (BlockArgument argument : entry.getArguments())
    if (TreePath path = getPath(argument); !path.path.empty())
      trees.insert(path.root);
  for (BlockArgument argument : entry.getArguments())
    if (!isFloat(argument.getType()))
      trees.erase(getPath(argument).root);
  return trees;
}

LogicalResult ModuleImporter::importArguments(func::FuncOp entry) {
  llvm::StringSet<> trees = findParameterTrees(entry);
  llvm::StringSet<> names;
  for (BlockArgument argument : entry.getArguments()) {
    unsigned number = argument.getArgNumber();
    TreePath path = getPath(argument);
    auto param = entry.getArgAttrOfType<StringAttr>(number, kParamAttr);
    auto input = entry.getArgAttrOfType<StringAttr>(number, kInputAttr);
    bool isParameter =
        param || (!input && !path.path.empty() && trees.contains(path.root));
    std::string name = param                ? param.str()
                       : input              ? input.str()
                       : !path.path.empty() ? path.path
                                            : path.root;
    if (name.empty())
      name = "arg" + std::to_string(number);
    if (names.contains(name) && !param && !input)
      name = path.root + "." + name;
    auto error = [&] {
      return emitError(fileLoc)
             << "argument " << number << " of '" << entry.getName() << "', "
             << (isParameter ? "the parameter '" : "the input '") << name
             << "', ";
    };
    if (!names.insert(name).second)
      return error() << "has a name that is used twice";
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return error() << "is a " << argument.getType()
                     << "; shapes must be fixed: export with arguments of the "
                        "batch size and sequence length to train with";
    std::optional<int64_t> count = countElements(type.getShape());
    if (!count || *count == 0)
      return error() << "has a shape that is empty or too large";
    Type element = type.getElementType();
    bool isFloat = element.isF32() || element.isBF16();
    const bool isTruth = element.isSignlessInteger(1);
    if (isParameter ? !isFloat
                    : !isFloat && !isTruth && !element.isSignlessInteger(32) &&
                          !element.isSignlessInteger(64))
      return error() << "has element type " << element
                     << "; parameters are f32 or bf16, and inputs may be i1, "
                        "i32 and i64 as well";
    SmallVector<NamedAttribute> attributes = {builder.getNamedAttr(
        isParameter ? kParamAttr : kInputAttr, builder.getStringAttr(name))};
    if (Attribute frozen = entry.getArgAttr(number, kFrozenAttr)) {
      if (!isParameter)
        return error() << "is frozen (te.frozen), which only parameters are";
      attributes.push_back(builder.getNamedAttr(kFrozenAttr, frozen));
    }
    // Entries have no boolean arguments: a boolean is passed as 0 or 1.
    if (isTruth) {
      type = type.clone(builder.getI32Type());
      attributes.push_back(builder.getNamedAttr(
          kRangeAttr, builder.getDenseI64ArrayAttr({0, 2})));
    }
    (void)function.insertArgument(body->getNumArguments(), type,
                                  builder.getDictionaryAttr(attributes),
                                  argument.getLoc());
    if (!isParameter)
      continue;
    ParameterData parameter;
    parameter.name = name;
    parameter.type = type;
    result.parameters.push_back(std::move(parameter));
  }
  return success();
}

LogicalResult ModuleImporter::importResults(func::FuncOp entry,
                                            ArrayRef<Definition> results) {
  SmallVector<Value> values;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  llvm::StringSet<> names;
  for (size_t i = 0; i < results.size(); ++i) {
    auto &definition = results[i];
    // result['logits'] or result[0]
    auto info = entry.getResultAttrOfType<StringAttr>(i, "jax.result_info");
    TreePath path = TreePath::parse(info ? info.getValue() : "");
    auto given = entry.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    std::string name = given               ? given.str()
                       : path.path.empty() ? path.root
                       : llvm::isDigit(path.path.front())
                           ? "result." + path.path
                           : path.path;
    if (name.empty())
      name = results.size() == 1 ? "result" : "result." + std::to_string(i);
    auto error = [&] {
      return emitError(fileLoc) << "result " << i << " of '" << entry.getName()
                                << "', '" << name << "', ";
    };
    if (!names.insert(name).second)
      return error() << "has a name that is used twice";
    Type type = entry.getResultTypes()[i];
    if (isa<ComplexType>(getElementTypeOrSelf(type)))
      return error() << "is complex; return its real and imaginary parts";
    Value value;
    if (auto *known = std::get_if<Value>(&definition))
      value = *known;
    else if (auto *constant = std::get_if<ConstantTensor>(&definition))
      value = materialize(fileLoc, *constant,
                          cast<RankedTensorType>(type).getElementType());
    if (!value)
      return error() << "is nothing that is computed";
    values.push_back(value);
    types.push_back(value.getType());
    attributes.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(kOutputAttr, builder.getStringAttr(name))));
  }
  if (values.empty())
    return emitError(fileLoc) << "'" << entry.getName() << "' has no results";
  func::ReturnOp::create(builder, fileLoc, values);
  function.setType(builder.getFunctionType(body->getArgumentTypes(), types));
  function.setAllResultAttrs(attributes);
  return success();
}
