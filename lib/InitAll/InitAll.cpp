// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/InitAll.h"

#include "te/Analysis/Ranges.h"
#include "te/Conversion/Passes.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/DataMovementOpInterfaceImpl.h"
#include "te/Dialect/TE/Transforms/Differentiation/DifferentiableOpInterfaceImpl.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TERT/IR/CallWork.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"
#include "te/Dialect/TERT/Transforms/Passes.h"
#include "te/Pipelines/Pipelines.h"
#include "te/Target/Targets.h"

#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::te::registerAllDialects(DialectRegistry &registry) {
  registry
      .insert<TEDialect, tert::TERTDialect, arith::ArithDialect,
              bufferization::BufferizationDialect, cf::ControlFlowDialect,
              func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
              math::MathDialect, memref::MemRefDialect,
              ml_program::MLProgramDialect, scf::SCFDialect,
              shard::ShardDialect, tensor::TensorDialect, tosa::TosaDialect>();
  func::registerInlinerExtension(registry);
  registerTargets(registry);
  registerRuntimeOpExternalModels(registry);
  tert::registerBufferizableOpInterfaceExternalModels(registry);
  tert::registerCollectiveCallExternalModels(registry);
  tert::registerCostOpInterfaceExternalModels(registry);
  tert::registerMemoryCallExternalModels(registry);
  tert::registerRopeCallExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  registerDataMovementOpInterfaceExternalModels(registry);
  registerDifferentiableOpInterfaceExternalModels(registry);
  registerRangeOpInterfaceExternalModels(registry);
  registerShardableOpExternalModels(registry);
  registerCollectiveExternalModels(registry);
}

void mlir::te::registerAllPasses() {
  registerTEPasses();
  registerTEDistributionPasses();
  registerTERTPasses();
  registerTERTMemoryPasses();
  registerTEConversionPasses();
  registerTEPipelines();
  registerTransformsPasses();
}
