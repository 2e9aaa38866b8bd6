// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the model's function in a module, and the roles of its arguments.

#include "Linalg/Linalg.h"

#include "te/Dialect/TE/IR/ModelFunction.h"
#include "te/Dialect/TE/IR/TE.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> mlir::te::findModel(ModuleOp module,
                                            const ModelChoice &choice) {
  SmallVector<func::FuncOp> marked, publicOnes;
  std::string names;
  func::FuncOp named, forward;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function->hasAttr(kModelAttr))
      marked.push_back(function);
    if (function.getName() == choice.function)
      named = function;
    if (function.getName() == "forward")
      forward = function;
    if (!function.isDeclaration() && function.isPublic()) {
      publicOnes.push_back(function);
      names += (names.empty() ? "@" : ", @") + function.getName().str();
    }
  }
  auto error = [&]() -> InFlightDiagnostic {
    return emitError(module.getLoc());
  };
  auto list = [&] { return names.empty() ? std::string("none") : names; };
  func::FuncOp model;
  if (!choice.function.empty()) {
    if (!named)
      return error() << "has no function @" << choice.function
                     << "; its public functions: " << list();
    model = named;
  } else if (marked.size() > 1) {
    auto diagnostic = error() << "has " << marked.size() << " functions with '"
                              << kModelAttr << "'; mark one, or name it";
    for (func::FuncOp function : marked)
      diagnostic.attachNote(function.getLoc()) << "@" << function.getName();
    return diagnostic;
  } else if (!marked.empty()) {
    model = marked.front();
  } else if (forward) {
    model = forward;
  } else if (publicOnes.size() == 1) {
    model = publicOnes.front();
  } else {
    return error() << "does not say which function is the model; mark it with '"
                   << kModelAttr
                   << "', or name it (public functions: " << list() << ")";
  }
  if (model.isDeclaration())
    return model.emitError() << "is the model and has no body";
  if (!model.getBody().hasOneBlock())
    return model.emitError()
           << "has more blocks than one; te-import-linalg takes structured "
              "control flow (lift it with lift-cf-to-scf)";
  return model;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

namespace {
/// The arguments that the user's list makes parameters, and their names.
class ParameterList {
public:
  explicit ParameterList(func::FuncOp model)
      : model(model), selected(model.getNumArguments()),
        names(model.getNumArguments()) {}

  LogicalResult add(StringRef entry, ArrayRef<std::string> argumentNames);
  bool contains(unsigned argument) const { return selected.test(argument); }
  StringRef getName(unsigned argument) const { return names[argument]; }

private:
  LogicalResult error(StringRef entry, const Twine &what) {
    return emitError(model.getLoc())
           << "the parameters '" << entry << "' " << what;
  }

  func::FuncOp model;
  llvm::BitVector selected;
  std::vector<std::string> names;
};
} // namespace

LogicalResult ParameterList::add(StringRef entry,
                                 ArrayRef<std::string> argumentNames) {
  unsigned count = model.getNumArguments(), first, last;
  auto [place, name] = entry.split('=');
  auto [from, to] = place.split('-');
  bool isNumber = !from.getAsInteger(10, first);
  if (isNumber) {
    last = first;
    if (place.contains('-') && to.getAsInteger(10, last))
      return error(entry, "do not end with a number");
    if (last < first || last >= count)
      return error(entry,
                   "are not among arguments 0 to " + Twine(int64_t(count) - 1));
    if (!name.empty() && first != last)
      return error(entry, "give several arguments one name");
    selected.set(first, last + 1);
    names[first] = name.str();
    return success();
  }
  auto glob = llvm::GlobPattern::create(entry);
  if (!glob) {
    std::string why = toString(glob.takeError());
    return error(entry, "are no pattern: " + why);
  }
  bool isAny = false;
  auto matches = [&](unsigned argument) {
    auto global = model.getArgAttrOfType<StringAttr>(argument, kGlobalAttr);
    return glob->match(argumentNames[argument]) ||
           (global && glob->match(global.getValue()));
  };
  for (unsigned i = 0; i < count; ++i)
    if (matches(i)) {
      selected.set(i);
      isAny = true;
    }
  if (!isAny)
    return error(entry, "match no argument; names are given by te.param or "
                        "te.input, or are arg0, arg1, ...");
  return success();
}

static std::string describe(unsigned argument, StringRef name) {
  return "argument " + std::to_string(argument) + " ('" + name.str() + "')";
}

/// The name in a location, as frontends write it: "p['h'][0]".
static std::string getLocationName(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName().str() : std::string();
}

LogicalResult mlir::te::assignRoles(func::FuncOp model,
                                    const ModelChoice &choice) {
  MLIRContext *context = model.getContext();
  unsigned count = model.getNumArguments();
  std::vector<std::string> names(count);
  for (unsigned i = 0; i < count; ++i) {
    for (StringRef attribute : {kParamAttr, kInputAttr})
      if (auto name = model.getArgAttrOfType<StringAttr>(i, attribute))
        names[i] = name.str();
    if (names[i].empty())
      names[i] = getLocationName(model.getArgument(i));
    if (names[i].empty())
      names[i] = "arg" + std::to_string(i);
  }
  ParameterList list(model);
  for (StringRef entry : choice.parameters)
    if (failed(list.add(entry, names)))
      return failure();

  // Values of globals are not inputs.
  SmallVector<StringRef> left;
  for (unsigned i = 0; i < count; ++i)
    if (auto global = model.getArgAttrOfType<StringAttr>(i, kGlobalAttr);
        global && !list.contains(i))
      left.push_back(global.getValue());
  if (!left.empty()) {
    constexpr size_t kMostNames = 8;
    auto diagnostic = emitError(model.getLoc())
                      << left.size()
                      << " values of the model are in another file and not "
                         "among the parameters:";
    for (StringRef name : ArrayRef(left).take_front(kMostNames))
      diagnostic << " '" << name << "'";
    diagnostic << (left.size() > kMostNames ? " ..." : "")
               << "; list those to train (--parameters of te-compile takes "
                  "names and patterns such as 'model::*'), and leave the "
                  "others in the module when it is written (docs/mlir.md)";
    return diagnostic;
  }

  // The names of globals, with the file's.
  std::vector<std::string> globals(count);
  for (unsigned i = 0; i < count; ++i)
    if (auto global = model.getArgAttrOfType<StringAttr>(i, kGlobalAttr))
      globals[i] = global.str();
  auto sameName = [&](unsigned first, unsigned second) -> std::string {
    if (globals[first].empty() && globals[second].empty())
      return {};
    return ": " +
           describe(first,
                    globals[first].empty() ? names[first] : globals[first]) +
           " is called '" + names[first] + "', too; give one another name ('" +
           std::to_string(second) + "=NAME' among --parameters of te-compile)";
  };
  llvm::StringMap<unsigned> arguments;
  bool hasRoles = false;
  for (unsigned i = 0; i < count; ++i) {
    if (!list.getName(i).empty())
      names[i] = list.getName(i).str();
    StringRef name = names[i];
    bool isParameter = model.getArgAttr(i, kParamAttr) || list.contains(i);
    hasRoles |= isParameter || model.getArgAttr(i, kInputAttr);
    if (isParameter && model.getArgAttr(i, kInputAttr))
      return emitError(model.getLoc())
             << describe(i, name) << " is an input by 'te.input' and a "
             << "parameter; keep one";
    auto [known, isNew] = arguments.try_emplace(name, i);
    if (!isNew)
      return emitError(model.getLoc())
             << describe(i, globals[i].empty() ? name : StringRef(globals[i]))
             << " has a name that is used twice" << sameName(known->second, i);
    auto type = dyn_cast<RankedTensorType>(model.getArgument(i).getType());
    Type element = type ? type.getElementType() : Type();
    bool isFloat = element && (element.isF32() || element.isBF16());
    if (!type || !type.hasStaticShape() || type.getNumElements() == 0 ||
        (!isFloat && (isParameter || (!element.isSignlessInteger(32) &&
                                      !element.isSignlessInteger(64)))))
      return emitError(model.getLoc())
             << describe(i, name) << " is a " << model.getArgument(i).getType()
             << "; " << (isParameter ? "parameters" : "inputs")
             << " are tensors of fixed shape of "
             << (isParameter ? "f32 or bf16" : "f32, bf16, i32 or i64");
    model.removeArgAttr(i, kInputAttr);
    model.removeArgAttr(i, kGlobalAttr);
    model.setArgAttr(i, isParameter ? kParamAttr : kInputAttr,
                     StringAttr::get(context, name));
  }
  if (!hasRoles)
    return emitError(model.getLoc())
           << "the model has no parameters; say which arguments are, with "
              "te.param = "
              "\"name\" on each or a list (--parameters of te-compile), and "
              "make constants that are to be trained arguments";

  llvm::StringSet<> known;
  for (unsigned i = 0, e = model.getNumResults(); i < e; ++i) {
    auto name = model.getResultAttrOfType<StringAttr>(i, kOutputAttr);
    std::string own = name     ? name.str()
                      : e == 1 ? "result"
                               : "result" + std::to_string(i);
    if (!known.insert(own).second)
      return emitError(model.getLoc()) << "result " << i << " ('" << own
                                       << "') has a name that is used twice";
    model.setResultAttr(i, kOutputAttr, StringAttr::get(context, own));
  }
  // Other compilers' attributes of arguments and results have no meaning here.
  auto keepOwn = [](DictionaryAttr attributes) {
    SmallVector<NamedAttribute> kept;
    for (NamedAttribute attribute : attributes)
      if (attribute.getName().getValue().starts_with("te."))
        kept.push_back(attribute);
    return DictionaryAttr::get(attributes.getContext(), kept);
  };
  for (unsigned i = 0; i < count; ++i)
    model.setArgAttrs(i, keepOwn(model.getArgAttrDict(i)));
  for (unsigned i = 0, e = model.getNumResults(); i < e; ++i)
    model.setResultAttrs(i, keepOwn(model.getResultAttrDict(i)));
  return success();
}
