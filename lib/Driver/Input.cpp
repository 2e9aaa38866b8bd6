// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Input.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Frontend/ONNX/ImportONNX.h"
#include "te/Frontend/StableHLO/ImportStableHLO.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
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

FailureOr<ImportedModel>
mlir::te::readModel(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    MLIRContext &context) {
  if (isForeignModel(buffer->getMemBufferRef()))
    return importModel(std::move(buffer), context);

  std::string name = buffer->getBufferIdentifier().str();
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  ImportedModel model;
  model.module = parseSourceFile<ModuleOp>(sources, &context);
  if (!model.module)
    return error() << "cannot read '" << name
                   << "': it is neither an ONNX model nor MLIR (see above)";
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
