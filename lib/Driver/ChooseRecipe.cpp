// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChooseRecipe.h"

#include "te/Dialect/TE/IR/ParseAttribute.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

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
