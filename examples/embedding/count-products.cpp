// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tool with TE-MLIR's passes and its own pass: it differentiates and
// quantizes a model, and counts the matrix products of each entry.

#include "te/Dialect/TE/IR/TE.h"
#include "te/InitAll.h"
#include "te/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {
struct CountProducts : PassWrapper<CountProducts, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountProducts)

  void runOnOperation() override {
    int products = 0, quantized = 0;
    getOperation().walk([&](Operation *op) {
      products += isa<te::MatmulOp, te::ScaledMatmulOp>(op);
      quantized += isa<te::ScaledMatmulOp>(op);
    });
    llvm::outs() << getOperation().getName() << ": " << products
                 << " products, " << quantized << " of them FP8\n";
  }
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: " << argv[0] << " MODEL.mlir\n";
    return 2;
  }
  DialectRegistry registry;
  te::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  PassManager pm(&context);
  te::GraphPipelineOptions options;
  options.entries = {"forward", "vjp"};
  options.loss = "none";
  options.policy = "*=fp8";
  te::PipelineExtensions extensions;
  extensions.add(te::PipelinePoint::AfterQuantize, [](OpPassManager &pm) {
    pm.addNestedPass<func::FuncOp>(std::make_unique<CountProducts>());
  });
  te::buildGraphPipeline(pm, options, extensions);
  return failed(pm.run(*module));
}
