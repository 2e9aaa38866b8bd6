// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints, as JSON, what the compiler can do with each op that graphs are made
// of: whether it compiles for a CPU and whether it has a gradient. Ops between
// tensors are asked for their interfaces; scalar ops, in the body of a
// linalg.generic, are compiled. For docs/operators.md.

#include "te/Dialect/TE/IR/TE.h"
#include "te/InitAll.h"
#include "te/Pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::te;
namespace json = llvm::json;

/// @forward with one linalg.generic of `name` on `count` vectors; null when
/// there is no such op on floats.
static OwningOpRef<ModuleOp> buildScalarGraph(MLIRContext *context,
                                              StringRef name, unsigned count) {
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  auto type = RankedTensorType::get({8}, builder.getF32Type());
  auto forward = func::FuncOp::create(
      builder, loc, "forward",
      builder.getFunctionType(SmallVector<Type>(count, type), type));
  for (unsigned i = 0; i < count; ++i)
    forward.setArgAttr(i, kInputAttr,
                       builder.getStringAttr("x" + std::to_string(i)));
  forward.setResultAttr(0, kOutputAttr, builder.getStringAttr("y"));
  builder.setInsertionPointToStart(forward.addEntryBlock());
  Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{8},
                                        builder.getF32Type());
  SmallVector<AffineMap> maps(count + 1, builder.getMultiDimIdentityMap(1));
  auto generic = linalg::GenericOp::create(
      builder, loc, type, forward.getArguments(), empty, maps,
      utils::IteratorType::parallel,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        OperationState state(loc, name);
        state.addOperands(arguments.drop_back());
        state.addTypes(body.getF32Type());
        linalg::YieldOp::create(body, loc, body.create(state)->getResults());
      });
  func::ReturnOp::create(builder, loc, generic.getResults());
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

static bool compiles(ModuleOp module, StringRef entry) {
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager pm(module.getContext());
  GraphPipelineOptions options;
  options.entries = {entry.str()};
  options.precision = ComputePrecision::F32;
  options.loss = "none";
  buildGraphPipeline(pm, options);
  buildRuntimePipeline(pm);
  buildLLVMPipeline(pm, "cpu");
  return succeeded(pm.run(*copy));
}

int main() {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<TEDialect, arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect,
                      tensor::TensorDialect>();
  // Refusals are answers here. Ops that miss an attribute cannot be printed.
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  json::Object result;
  // A copy: pipelines load dialects, whose ops are added.
  for (RegisteredOperationName op : context.getRegisteredOperations().vec()) {
    StringRef name = op.getStringRef();
    StringRef dialect = op.getDialectNamespace();
    if (dialect == "te" || dialect == "tensor" || dialect == "linalg") {
      bool runs = op.hasInterface<RuntimeOpInterface>();
      bool differentiates = op.hasInterface<DifferentiableOpInterface>();
      if (runs || differentiates)
        result[name] = json::Object{{"kind", "tensor"},
                                    {"compiles", runs},
                                    {"differentiates", differentiates},
                                    {"fp8", op.hasInterface<Fp8OpInterface>()}};
      continue;
    }
    if ((dialect != "arith" && dialect != "math") ||
        !op.hasTrait<OpTrait::Elementwise>() ||
        op.hasInterface<CastOpInterface>())
      continue;
    for (unsigned count : {1u, 2u, 3u})
      if (auto module = buildScalarGraph(&context, name, count)) {
        result[name] =
            json::Object{{"kind", "scalar"},
                         {"compiles", compiles(*module, "forward")},
                         {"differentiates", compiles(*module, "vjp")}};
        break;
      }
  }
  llvm::outs() << llvm::formatv("{0:2}", json::Value(std::move(result)))
               << "\n";
  return 0;
}
