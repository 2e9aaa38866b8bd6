// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-kernels-to-image: compiles generated kernels to the runtime's image.

#include "te/Analysis/GeneratedKernel.h"
#include "te/Conversion/Passes.h"
#include "te/Target/TargetInfo.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEKERNELSTOIMAGE
#include "te/Conversion/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct TEKernelsToImage : te::impl::TEKernelsToImageBase<TEKernelsToImage> {
  using Base::Base;

  void runOnOperation() override {
    const TargetInfo *info =
        requireTarget(getOperation(), target, getArgument());
    if (!info)
      return signalPassFailure();
    auto kernels = getOperation().lookupSymbol<ModuleOp>(kKernelsModule);
    if (!kernels)
      return;
    FailureOr<std::string> image = info->compileKernels(kernels);
    if (failed(image))
      return signalPassFailure();
    if (image->empty())
      return;
    kernels->setAttr(kKernelImageAttr, StringAttr::get(&getContext(), *image));
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
      kernel.getBody().dropAllReferences();
      kernel.getBody().getBlocks().clear();
      kernel.setLinkage(LLVM::Linkage::External);
    }
  }
};
} // namespace
