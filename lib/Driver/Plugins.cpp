// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plugins.h"

#include "Errors.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;
using namespace mlir::te;

/// Loads a library as a plugin; nothing if it is none, which is said.
template <typename Plugin>
static std::optional<Plugin> load(StringRef path, StringRef option,
                                  MLIRContext &context) {
  llvm::Expected<Plugin> plugin = Plugin::load(path.str());
  if (plugin)
    return std::move(*plugin);
  error(context) << option << ": cannot load '" << path
                 << "': " << llvm::toString(plugin.takeError());
  return std::nullopt;
}

LogicalResult mlir::te::loadPlugins(const CompileOptions &options,
                                    MLIRContext &context) {
  for (const std::string &path : options.dialectPlugins) {
    auto plugin = load<DialectPlugin>(path, "--load-dialect-plugin", context);
    if (!plugin)
      return failure();
    DialectRegistry registry;
    plugin->registerDialectRegistryCallbacks(registry);
    context.appendDialectRegistry(registry);
  }
  for (const std::string &path : options.passPlugins) {
    auto plugin = load<PassPlugin>(path, "--load-pass-plugin", context);
    if (!plugin)
      return failure();
    plugin->registerPassRegistryCallbacks();
  }
  return success();
}

LogicalResult mlir::te::addPasses(OpPassManager &pm, StringRef text,
                                  StringRef option, MLIRContext &context) {
  StringRef passes = text.trim();
  if (passes.empty())
    return success();
  if (passes.consume_front("builtin.module("))
    (void)passes.consume_back(")");
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (succeeded(parsePassPipeline(passes, pm, stream)))
    return success();
  return error(context) << option << "=" << text << ": "
                        << StringRef(message).rtrim();
}
