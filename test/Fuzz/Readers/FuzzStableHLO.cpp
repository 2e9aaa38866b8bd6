// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of StableHLO, changed as texts.

#include "ImportModel.h"
#include "TextMutator.h"

#include "te/Frontend/StableHLO/ImportStableHLO.h"

using namespace mlir;
using namespace mlir::te;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  // Upstream's printer does not survive constants of integers without bits.
  if (text.contains("i0"))
    return 0;
  fuzz::importModel([&](MLIRContext *context, const ImportOptions &options) {
    return importStableHLO(
        llvm::MemoryBuffer::getMemBufferCopy(text, "model.mlir"), context,
        options);
  });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const StringRef operations[] = {"stablehlo.abs",
                                         "stablehlo.add",
                                         "stablehlo.and",
                                         "stablehlo.broadcast_in_dim",
                                         "stablehlo.case",
                                         "stablehlo.clamp",
                                         "stablehlo.compare",
                                         "stablehlo.complex",
                                         "stablehlo.composite",
                                         "stablehlo.concatenate",
                                         "stablehlo.constant",
                                         "stablehlo.convert",
                                         "stablehlo.custom_call",
                                         "stablehlo.divide",
                                         "stablehlo.dot_general",
                                         "stablehlo.dynamic_slice",
                                         "stablehlo.dynamic_update_slice",
                                         "stablehlo.exponential",
                                         "stablehlo.gather",
                                         "stablehlo.if",
                                         "stablehlo.imag",
                                         "stablehlo.iota",
                                         "stablehlo.is_finite",
                                         "stablehlo.logistic",
                                         "stablehlo.maximum",
                                         "stablehlo.multiply",
                                         "stablehlo.negate",
                                         "stablehlo.not",
                                         "stablehlo.pad",
                                         "stablehlo.power",
                                         "stablehlo.real",
                                         "stablehlo.reduce",
                                         "stablehlo.reduce_window",
                                         "stablehlo.remainder",
                                         "stablehlo.reshape",
                                         "stablehlo.return",
                                         "stablehlo.reverse",
                                         "stablehlo.scatter",
                                         "stablehlo.select",
                                         "stablehlo.slice",
                                         "stablehlo.sort",
                                         "stablehlo.subtract",
                                         "stablehlo.tanh",
                                         "stablehlo.transpose",
                                         "stablehlo.while",
                                         "chlo.top_k",
                                         "func.call",
                                         "func.return"};
  return fuzz::mutateText(data, size, maxSize, seed, operations,
                          LLVMFuzzerMutate);
}
