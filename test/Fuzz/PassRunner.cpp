// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassRunner.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

ErrorCollector::ErrorCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (text.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          text = diagnostic.str();
        return success();
      }) {}

/// Adds passes and pipelines, "a{x=1},b", where passes on functions are nested:
/// parsePassPipeline wants that written.
static LogicalResult addPasses(OpPassManager &manager, StringRef text) {
  while (!text.empty()) {
    size_t end = 0;
    for (int depth = 0; end < text.size(); ++end) {
      depth += text[end] == '{';
      depth -= text[end] == '}';
      if (depth == 0 && text[end] == ',')
        break;
    }
    StringRef pass = text.take_front(end);
    text = text.drop_front(std::min(end + 1, text.size()));
    auto [name, options] = pass.split('{');
    options.consume_back("}");
    const PassRegistryEntry *entry = PassInfo::lookup(name);
    if (!entry)
      entry = PassPipelineInfo::lookup(name);
    auto report = [](const Twine &message) {
      llvm::errs() << message << "\n";
      return failure();
    };
    if (!entry || failed(entry->addToPipeline(manager, options, report)))
      return failure();
  }
  return success();
}

Result PassRunner::run(ModuleOp module, StringRef pipeline, bool *changed) {
  std::unique_ptr<PassManager> &manager = managers[pipeline];
  ErrorCollector errors(context);
  if (!manager) {
    manager = std::make_unique<PassManager>(
        context, ModuleOp::getOperationName(), PassManager::Nesting::Implicit);
    // Verified below, where it can be told from a refusal.
    manager->enableVerifier(false);
    auto other = replaced.find(pipeline);
    if (failed(addPasses(*manager, other == replaced.end()
                                       ? pipeline
                                       : StringRef(other->second)))) {
      managers.erase(pipeline);
      return {Ending::Failed, pipeline.str(), "is not a pipeline"};
    }
  }
  std::optional<OperationFingerPrint> before;
  if (changed)
    before.emplace(module);
  if (failed(manager->run(module))) {
    if (errors.first().empty())
      return {Ending::Failed, pipeline.str(), "failed without an error"};
    return {Ending::Refused, pipeline.str(), errors.first()};
  }
  if (!errors.first().empty())
    return {Ending::Failed, pipeline.str(),
            "succeeded with the error: " + errors.first()};
  if (changed)
    *changed = *before != OperationFingerPrint(module);
  if ((!changed || *changed) && failed(verify(module)))
    return {Ending::Failed, pipeline.str(),
            "made invalid IR: " + errors.first()};
  return {Ending::Done, pipeline.str(), ""};
}
