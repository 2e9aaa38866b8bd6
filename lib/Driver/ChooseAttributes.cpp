// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChooseAttributes.h"

#include "te/Dialect/TE/IR/ParseAttribute.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// An option, and the parameter of an attribute that it is.
struct LossParameter {
  StringRef option;
  std::string text;
};
} // namespace

/// As attributes have it: with all its digits.
static std::string printNumber(MLIRContext &context, double number) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  FloatAttr::get(Float64Type::get(&context), number)
      .print(stream, /*elideType=*/true);
  return text;
}

static SmallVector<LossParameter> getParameters(const CompileOptions &options,
                                                MLIRContext &context) {
  SmallVector<LossParameter> parameters;
  if (options.reduction)
    parameters.push_back(
        {"--reduction", llvm::formatv("reduction = {0}",
                                      stringifyReduction(*options.reduction))});
  if (options.ignoreIndex)
    parameters.push_back(
        {"--ignore-index",
         llvm::formatv("ignore_index = {0}", *options.ignoreIndex)});
  if (options.labelSmoothing)
    parameters.push_back(
        {"--label-smoothing",
         "label_smoothing = " + printNumber(context, *options.labelSmoothing)});
  if (options.zLoss)
    parameters.push_back(
        {"--z-loss", "z_loss = " + printNumber(context, *options.zLoss)});
  return parameters;
}

LossAttrInterface mlir::te::chooseLoss(CompileOptions &options,
                                       MLIRContext &context) {
  Location loc = UnknownLoc::get(&context);
  if (isNoLoss(options.graph.loss)) {
    emitError(loc) << "--entry=train, grad and eval need a loss; use --loss="
                   << kLossNames
                   << ". Without one there are --entry=forward, and "
                      "--entry=vjp, which takes the gradient of a loss that is "
                      "computed elsewhere";
    return {};
  }
  std::string &text = options.graph.loss;
  SmallVector<LossParameter> parameters = getParameters(options, context);
  if (parameters.empty())
    return parseLoss(text, loc);
  if (text.find_first_of("#:<") != std::string::npos) {
    emitError(loc) << parameters.front().option
                   << " is a parameter of a loss that is given by name, not of "
                      "--loss="
                   << text;
    return {};
  }
  const std::string name = text;
  std::string mnemonic = name;
  llvm::replace(mnemonic, '-', '_');
  for (const LossParameter &parameter : parameters) {
    std::string reason;
    if (parseShortAttribute(mnemonic + "<" + parameter.text + ">", &context,
                            reason))
      continue;
    emitError(loc) << parameter.option << " does not go with --loss=" << name
                   << ": " << reason;
    return {};
  }
  text += "<" +
          llvm::join(llvm::map_range(parameters,
                                     [](const LossParameter &parameter) {
                                       return parameter.text;
                                     }),
                     ", ") +
          ">";
  return parseLoss(text, loc);
}

LogicalResult mlir::te::chooseRecipe(CompileOptions &options,
                                     MLIRContext &context) {
  Location loc = UnknownLoc::get(&context);
  std::string &recipe = options.graph.recipe;
  SmallVector<std::string> parameters;
  if (options.amaxHistory)
    parameters.push_back(llvm::formatv("history = {0}", *options.amaxHistory));
  if (options.amaxAlgo)
    parameters.push_back(
        llvm::formatv("algo = {0}", stringifyAmaxAlgo(*options.amaxAlgo)));
  if (options.margin)
    parameters.push_back(llvm::formatv("margin = {0}", *options.margin));
  if (!parameters.empty() && recipe != "delayed_scaling")
    return emitError(loc)
           << "--amax-history, --amax-algo and --margin are parameters of "
              "--recipe=delayed_scaling, not of '"
           << recipe << "'";
  if (options.fp8Format)
    parameters.push_back(
        llvm::formatv("format = {0}", stringifyFp8Format(*options.fp8Format)));
  if (StringRef(recipe).starts_with("#")) {
    if (!parameters.empty())
      return emitError(loc)
             << "--fp8-format is a parameter of recipes that are "
                "given by name; write it into '"
             << recipe << "'";
  } else {
    recipe = "#te." + recipe;
    if (!parameters.empty())
      recipe += "<" + llvm::join(parameters, ", ") + ">";
  }
  return success(bool(parseRecipe(recipe, loc)));
}
