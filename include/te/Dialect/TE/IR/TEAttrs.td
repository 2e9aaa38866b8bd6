// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEATTRS_TD
#define TE_DIALECT_TE_IR_TEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "te/Dialect/TE/IR/TEDialect.td"
include "te/Dialect/TE/IR/TEEnums.td"
include "te/Dialect/TE/IR/RecipeInterfaces.td"

def TE_DelayedScalingAttr
    : AttrDef<TE_Dialect, "DelayedScaling",
              [DeclareAttrInterfaceMethods<TE_RecipeAttrInterface>]> {
  let mnemonic = "delayed_scaling";
  let summary = "Per-tensor scales from the amaxes of earlier steps";
  let description = [{
    Each slot keeps the `history` most recent amaxes, the current step's
    included, and its scale for the next step is
    `(fp8_max / amax) * 2^-margin` of their maximum or of the most recent one.
    For finite inputs it agrees bit for bit with Transformer Engine's
    DelayedScaling.

    ```mlir
    #te.delayed_scaling<history = 1024, algo = max, margin = 0, format = hybrid>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "1024", "amaxes kept per slot">:$history,
    DefaultValuedParameter<"AmaxAlgo", "AmaxAlgo::Max">:$algo,
    DefaultValuedParameter<"int64_t", "0", "powers of two of headroom">:$margin,
    DefaultValuedParameter<"Fp8Format", "Fp8Format::Hybrid">:$format);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
}

#endif // TE_DIALECT_TE_IR_TEATTRS_TD
