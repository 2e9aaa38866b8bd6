// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_LINALG_LINALGLOWERINGINTERFACE_TD
#define TE_DIALECT_TE_TRANSFORMS_LINALG_LINALGLOWERINGINTERFACE_TD

include "mlir/IR/OpBase.td"

def LinalgLoweringOpInterface : OpInterface<"LinalgLoweringOpInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An op that can be lowered to upstream dialects: linalg, tensor, arith, math.
    Used by te-to-linalg. The ops of te implement it by external models, as can
    those of other dialects.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the op's formula before it and returns the replacement of each
        result: a tensor of the same type, or null for a result that has no
        users. Everything is computed in float32 and rounded where the op
        rounds.
      }],
      "::mlir::SmallVector<::mlir::Value>", "lowerToLinalg",
      (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // TE_DIALECT_TE_TRANSFORMS_LINALG_LINALGLOWERINGINTERFACE_TD
