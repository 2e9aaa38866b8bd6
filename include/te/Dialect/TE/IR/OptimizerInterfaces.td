// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_OPTIMIZERINTERFACES_TD
#define TE_DIALECT_TE_IR_OPTIMIZERINTERFACES_TD

include "mlir/IR/OpBase.td"

def TE_OptimizerAttrInterface : AttrInterface<"OptimizerAttrInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An optimizer: what it takes and keeps, and the update of one parameter.
    te-update-parameters asks this interface and knows no optimizer by name.
  }];
  let methods = [
    InterfaceMethod<[{
      Name used in descriptions, and by cost models for the kernel of the update.
      }],
      "::llvm::StringRef", "getOptimizerName">,
    InterfaceMethod<[{
      Scalar arguments of the training step with their defaults, in the order in
      which buildUpdate gets them.
      }],
      "::llvm::SmallVector<::mlir::te::OptimizerScalar>", "getScalars">,
    InterfaceMethod<[{
      What else decides what is computed, by name, as strings, numbers and
      booleans: for descriptions.
      }],
      "::mlir::DictionaryAttr", "getSettings">,
    InterfaceMethod<"What is kept of a parameter of this type.",
      "::llvm::SmallVector<::mlir::te::OptimizerState>", "getStates",
      (ins "::mlir::RankedTensorType":$param)>,
    InterfaceMethod<[{
      Whether weight decay applies to a parameter of this type that ops read in
      these roles.
      }],
      "bool", "isDecayed",
      (ins "::llvm::ArrayRef<::mlir::te::ParameterRole>":$roles,
           "::mlir::RankedTensorType":$param)>,
    InterfaceMethod<[{
      Builds the update of one parameter at the builder's place. Returns the new
      parameter, then the new states in the order of getStates.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "const ::mlir::te::ParameterUpdate &":$update)>,
  ];
}

#endif // TE_DIALECT_TE_IR_OPTIMIZERINTERFACES_TD
