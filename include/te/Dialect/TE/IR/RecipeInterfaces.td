// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_RECIPEINTERFACES_TD
#define TE_DIALECT_TE_IR_RECIPEINTERFACES_TD

include "mlir/IR/OpBase.td"

def TE_RecipeAttrInterface : AttrInterface<"RecipeAttrInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    A quantization recipe: which element type each tensor of a linear layer
    gets and where its scale comes from. te-quantize asks this interface and
    knows no recipe by name.
  }];
  let methods = [
    InterfaceMethod<"Name used in descriptions and checkpoints.",
      "::llvm::StringRef", "getRecipeName">,
    InterfaceMethod<"FP8 element type of a tensor with this role.",
      "::mlir::FloatType", "getElementType",
      (ins "::mlir::te::TensorRole":$role)>,
    InterfaceMethod<[{
      The scaling state this recipe carries from step to step for `slots`
      quantized tensors, empty when scales come from the tensors themselves.
      Every state's type has one column per slot as its last dimension.
      }],
      "::llvm::SmallVector<::mlir::te::RecipeState>", "getStates",
      (ins "int64_t":$slots)>,
    InterfaceMethod<[{
      Builds the update of the states, once a step, from the amaxes of all
      slots (tensor<f32> each, in slot order). Returns the new states in the
      order of getStates.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$states, "::mlir::ValueRange":$amaxes,
           "::mlir::ArrayAttr":$formats)>,
    InterfaceMethod<[{
      Builds the scale and its reciprocal (tensor<f32> each) from an amax, for
      tensors quantized before there is any history, such as the first copy of
      a weight.
      }],
      "std::pair<::mlir::Value, ::mlir::Value>", "buildInitialScale",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$amax, "::mlir::FloatType":$format)>,
  ];
}

#endif // TE_DIALECT_TE_IR_RECIPEINTERFACES_TD
