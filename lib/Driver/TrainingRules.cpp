// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingRules.h"

#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/IR/TiedNames.h"
#include "te/Support/Glob.h"
#include "te/Support/ListNames.h"

#include "support/Suggest.h"

using namespace mlir;
using namespace mlir::te;

/// Names that a message shows.
static constexpr size_t kMostSuggestions = 3;

namespace {
struct Parameter {
  unsigned argument;
  /// All that it has in the model that was exported.
  SmallVector<StringRef> names;
};
} // namespace

static StringRef getOption(const TrainingRule &rule) {
  return rule.freezes ? "--freeze" : "--train-only";
}

static SmallVector<Parameter> findParameters(func::FuncOp forward) {
  auto tied =
      forward->getParentOfType<ModuleOp>()->getAttrOfType<DictionaryAttr>(
          kTiedAttr);
  SmallVector<Parameter> parameters;
  for (unsigned i = 0, e = forward.getNumArguments(); i < e; ++i) {
    auto name = forward.getArgAttrOfType<StringAttr>(i, kParamAttr);
    if (!name)
      continue;
    Parameter &parameter = parameters.emplace_back();
    parameter.argument = i;
    parameter.names.push_back(name.getValue());
    if (auto others = tied ? tied.getAs<ArrayAttr>(name) : ArrayAttr())
      for (auto other : others.getAsRange<StringAttr>())
        parameter.names.push_back(other.getValue());
  }
  return parameters;
}

/// "; did you mean …?" for a glob that matches nothing: names that have its
/// longest literal piece in them, or the one that is spelled alike.
static std::string suggest(StringRef glob, ArrayRef<Parameter> parameters) {
  StringRef piece;
  for (StringRef rest = glob; !rest.empty();) {
    StringRef literal = rest.take_until(
        [](char c) { return StringRef("*?[]{},\\!").contains(c); });
    if (literal.trim('.').size() > piece.size())
      piece = literal.trim('.');
    rest = rest.drop_front(std::min(literal.size() + 1, rest.size()));
  }
  std::vector<std::string> all;
  SmallVector<StringRef> near;
  for (const Parameter &parameter : parameters)
    all.insert(all.end(), parameter.names.begin(), parameter.names.end());
  for (StringRef name : all)
    if (piece.size() > 1 && name.contains_insensitive(piece))
      near.push_back(name);
  const bool isModule = llvm::any_of(near, [&](StringRef name) {
    return name.consume_front(glob) && name.starts_with(".");
  });
  if (isModule)
    return "; '" + glob.str() + "' is a module: write '" + glob.str() +
           ".*' for all of its parameters";
  if (near.empty())
    if (auto meant = ::tert::session::nearest(glob.str(), all); !meant.empty())
      near.push_back(*llvm::find(all, meant));
  if (near.empty())
    near.assign(all.begin(), all.end());
  return "; names are " + listNames(near, kMostSuggestions);
}

LogicalResult mlir::te::applyTrainingRules(func::FuncOp forward,
                                           ArrayRef<TrainingRule> rules) {
  MLIRContext *context = forward.getContext();
  SmallVector<Parameter> parameters = findParameters(forward);
  // What is named alone leaves the others out.
  if (llvm::any_of(rules, [](const auto &rule) { return !rule.freezes; }))
    for (const Parameter &parameter : parameters)
      forward.setArgAttr(parameter.argument, kFrozenAttr,
                         UnitAttr::get(context));
  for (const TrainingRule &rule : rules) {
    auto error = [&] {
      return emitError(UnknownLoc::get(context))
             << getOption(rule) << "='" << rule.glob << "' ";
    };
    auto glob = createGlob(rule.glob);
    if (!glob)
      return error() << "is no glob: " << llvm::toString(glob.takeError());
    bool isUsed = false;
    for (const Parameter &parameter : parameters) {
      if (llvm::none_of(parameter.names,
                        [&](StringRef name) { return glob->match(name); }))
        continue;
      isUsed = true;
      if (rule.freezes)
        forward.setArgAttr(parameter.argument, kFrozenAttr,
                           UnitAttr::get(context));
      else
        forward.removeArgAttr(parameter.argument, kFrozenAttr);
    }
    if (!isUsed)
      return error() << "matches no parameter of the model"
                     << suggest(rule.glob, parameters);
  }
  return success();
}
