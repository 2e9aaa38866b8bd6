// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies constant attention masks.

#ifndef TE_LIB_FRONTEND_ONNX_ATTENTIONMASK_H
#define TE_LIB_FRONTEND_ONNX_ATTENTIONMASK_H

#include "../Common/ConstantTensor.h"

#include <string>

namespace mlir::te::onnx_import {

using namespace frontend;

enum class MaskKind {
  Full,        ///< every query sees every key
  Causal,      ///< query i sees keys j <= i + keys - queries
  Unsupported, ///< anything else
};

/// Analyses a mask that broadcasts to [batch, heads, queries, keys]: boolean,
/// true where attention is allowed, or additive, 0 where it is allowed and
/// -infinity (or at most -1e4 times a unit, as half precision models write it)
/// where it is not. `why` describes an unsupported mask.
MaskKind classifyMask(const ConstantTensor &mask, int64_t queries, int64_t keys,
                      std::string &why);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_ATTENTIONMASK_H
