// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Input.h"

#include "te/Dialect/TE/IR/ModelFunction.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Frontend/ONNX/ImportONNX.h"
#include "te/Frontend/StableHLO/ImportStableHLO.h"
#include "te/Support/ReadFile.h"
#include "te/Support/UnregisteredOps.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::te;

/// A graph in MLIR comes without data.
static FailureOr<std::vector<ParameterData>>
describeParameters(func::FuncOp forward) {
  std::vector<ParameterData> parameters;
  for (unsigned i = 0; i < forward.getNumArguments(); ++i) {
    auto name = forward.getArgAttrOfType<StringAttr>(i, kParamAttr);
    if (!name)
      continue;
    auto type = dyn_cast<RankedTensorType>(forward.getArgument(i).getType());
    if (!type)
      return forward.emitError()
             << "parameter '" << name.getValue() << "' is not a tensor";
    ParameterData parameter;
    parameter.name = name.str();
    parameter.type = type;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlir::te::readModelFile(StringRef path) {
  return path == "-" ? readStandardInput(kMostModelBytes)
                     : readFile(path, kMostModelBytes);
}

bool mlir::te::isForeignModel(llvm::MemoryBufferRef buffer) {
  return looksLikeONNX(buffer) || looksLikeStableHLO(buffer);
}

void mlir::te::registerModelDialects(DialectRegistry &registry) {
  registerONNXImportDialects(registry);
  registerStableHLOImportDialects(registry);
}

/// A model of isForeignModel().
static FailureOr<ImportedModel>
importModel(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext &context) {
  if (looksLikeONNX(buffer->getMemBufferRef()))
    return importONNX(buffer->getMemBufferRef(), &context);
  return importStableHLO(std::move(buffer), &context);
}

/// Whether the module is not yet what the passes begin with: it has no function
/// @forward, or one without any te op, or one is marked or named as the model.
static bool isPlain(ModuleOp module, const PlainModelOptions &options) {
  auto forward = module.lookupSymbol<func::FuncOp>("forward");
  if (!forward || !options.empty())
    return true;
  for (Operation &op : *module.getBody())
    if (op.hasAttr(kModelAttr))
      return true;
  auto walk = forward.walk([](Operation *op) {
    return isa_and_present<TEDialect>(op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !forward.isDeclaration() && !walk.wasInterrupted();
}

static LogicalResult importPlain(ModuleOp module,
                                 const PlainModelOptions &options) {
  TEImportLinalgOptions passOptions;
  passOptions.model = options.function;
  passOptions.parameters.assign(options.parameters.begin(),
                                options.parameters.end());
  PassManager pm(module.getContext());
  pm.addPass(createTEImportLinalg(passOptions));
  return pm.run(module);
}

using AddPasses = llvm::function_ref<LogicalResult(OpPassManager &)>;

static LogicalResult runPasses(ModuleOp module, AddPasses addPasses) {
  PassManager pm(module.getContext());
  if (!addPasses)
    return success();
  return failed(addPasses(pm)) ? failure() : pm.run(module);
}

FailureOr<ImportedModel>
mlir::te::readModel(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    MLIRContext &context, const PlainModelOptions &options,
                    AddPasses addPasses) {
  std::string name = buffer->getBufferIdentifier().str();
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  if (isForeignModel(buffer->getMemBufferRef())) {
    if (!options.empty())
      return error() << "'" << name
                     << "' says itself which function is the model and what "
                        "its parameters are; leave out --model and "
                        "--parameters, which are for plain MLIR";
    FailureOr<ImportedModel> model = importModel(std::move(buffer), context);
    if (succeeded(model) && failed(runPasses(*model->module, addPasses)))
      return failure();
    return model;
  }

  bool isIree = buffer->getBuffer().contains("util.func");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ImportedModel model;
  {
    // Ops of dialects that are not known are listed together, by the pass.
    const AllowUnregistered allowed(context);
    model.module = parseSourceFile<ModuleOp>(sources, &context);
    if (model.module && (failed(runPasses(*model.module, addPasses)) ||
                         (isPlain(*model.module, options) &&
                          failed(importPlain(*model.module, options)))))
      return failure();
  }
  if (!model.module) {
    auto diagnostic = error()
                      << "cannot read '" << name
                      << "': it is neither an ONNX model nor MLIR (see above)";
    if (isIree)
      diagnostic << "; IREE's own functions can be read in the generic form "
                    "(iree-compile --mlir-print-op-generic), or renamed to "
                    "func.func and func.return";
    return diagnostic;
  }
  auto forward = model.module->lookupSymbol<func::FuncOp>("forward");
  if (!forward || forward.isDeclaration())
    return error() << "'" << name << "' has no function @forward"
                   << (forward ? " with a body" : "");
  FailureOr<std::vector<ParameterData>> parameters =
      describeParameters(forward);
  if (failed(parameters))
    return failure();
  model.parameters = std::move(*parameters);
  return model;
}

std::unique_ptr<llvm::MemoryBuffer>
mlir::te::convertToBytecode(std::unique_ptr<llvm::MemoryBuffer> model,
                            MLIRContext &context) {
  std::string name = model->getBufferIdentifier().str();
  FailureOr<ImportedModel> imported = importModel(std::move(model), context);
  if (failed(imported))
    return nullptr;
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  if (failed(writeBytecodeToFile(*imported->module, stream)))
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(bytecode, name);
}
