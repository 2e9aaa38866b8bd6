// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_LOSSINTERFACES_TD
#define TE_DIALECT_TE_IR_LOSSINTERFACES_TD

include "mlir/IR/OpBase.td"

def TE_LossAttrInterface : AttrInterface<"LossAttrInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    A loss: what it reads of a model, which labels it takes, how it is computed
    and what it counts. te-add-loss asks this interface and knows no loss by
    name.
  }];
  let methods = [
    InterfaceMethod<[{
      Name on command lines and in descriptions: "masked-lm".
      }],
      "::llvm::StringRef", "getLossName">,
    InterfaceMethod<[{
      What else decides what is computed, by name, as strings, numbers and
      booleans: for descriptions. Two names have a meaning to te-run: `labels` =
      "annotated" says that a stream of tokens does not hold the labels, and
      `counts` names what the count is of where that is not labels
      (docs/artifact.md).
      }],
      "::mlir::DictionaryAttr", "getSettings">,
    InterfaceMethod<[{
      Builds the loss of an entry, with the inputs that it needs. Fails with an
      error.
      }],
      "::mlir::FailureOr<::mlir::te::BuiltLoss>", "buildLoss",
      (ins "::mlir::te::LossSite &":$site)>,
  ];
}

#endif // TE_DIALECT_TE_IR_LOSSINTERFACES_TD
