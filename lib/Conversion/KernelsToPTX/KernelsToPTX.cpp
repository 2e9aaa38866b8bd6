// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-kernels-to-ptx: generated kernels for GPUs become an image.

#include "te/Analysis/GeneratedKernel.h"
#include "te/Conversion/Passes.h"
#include "te/Target/MachineCode.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEKERNELSTOPTX
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct TEKernelsToPTX : te::impl::TEKernelsToPTXBase<TEKernelsToPTX> {
  using Base::Base;

  void runOnOperation() override {
    auto kernels = getOperation().lookupSymbol<ModuleOp>(kKernelsModule);
    if (!kernels)
      return;
    FailureOr<std::string> image = compileToPTX(kernels, chip);
    if (failed(image))
      return signalPassFailure();
    kernels->setAttr(kKernelImageAttr, StringAttr::get(&getContext(), *image));
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
      kernel.getBody().dropAllReferences();
      kernel.getBody().getBlocks().clear();
      kernel.setLinkage(LLVM::Linkage::External);
    }
  }
};
} // namespace
