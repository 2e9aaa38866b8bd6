// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_RECIPEINTERFACES_TD
#define TE_DIALECT_TE_IR_RECIPEINTERFACES_TD

include "mlir/IR/OpBase.td"

def TE_RecipeAttrInterface : AttrInterface<"RecipeAttrInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    A quantization recipe: which element type each tensor of a linear layer gets
    and where its scale comes from. Passes and tools ask this interface and know
    no recipe by name.

    There are two kinds. One carries scales from step to step: getStates has
    them, buildScale reads a tensor's, and buildUpdate makes the next step's from
    the amaxes. Weights are then quantized where they are updated, and their
    copies are states too. The other makes a scale within the step: getStates is
    empty, buildScale computes it (from the tensor, if it depends on it), and
    weights are quantized where they are read.
  }];
  let methods = [
    InterfaceMethod<"Name used in descriptions and checkpoints.",
      "::llvm::StringRef", "getRecipeName">,
    InterfaceMethod<"FP8 element type of a tensor with this role.",
      "::mlir::FloatType", "getElementType",
      (ins "::mlir::te::TensorRole":$role)>,
    InterfaceMethod<[{
      The recipe's parameters as an artifact's description has them: strings and
      integers by name.
      }],
      "::mlir::DictionaryAttr", "getParameters">,
    InterfaceMethod<[{
      The scaling state this recipe carries from step to step for `slots`
      quantized tensors, empty when scales are made in the step. Every state's
      type has one column per slot as its last dimension; among them is one of
      the kind `fp8_scale` and one of the kind `fp8_scale_inv`.
      }],
      "::llvm::SmallVector<::mlir::te::RecipeState>", "getStates",
      (ins "int64_t":$slots), /*methodBody=*/"",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      The shape of the scales of an FP8 copy [rows, columns] of a tensor with this
      role, columns contracted: empty for one scale a tensor, or [r, c]
      (ScaleShape.h). Recipes that carry scales have one a tensor.
      }],
      "::llvm::SmallVector<int64_t>", "getScaleShape",
      (ins "::mlir::te::TensorRole":$role, "::llvm::ArrayRef<int64_t>":$copy),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      Element type of the reciprocals that buildScaleInv makes, with which codes
      are multiplied: f32 or f8E8M0FNU. Targets take the one or both.
      }],
      "::mlir::FloatType", "getScaleInvType", (ins),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::mlir::Float32Type::get($_attr.getContext());">,
    InterfaceMethod<[{
      Builds the scale with which `tensor` becomes `format`, of the shape that
      getScaleShape has; with one a tensor, tensor<f32>. With several, of the
      rowwise copy, or the columnwise one if `transposed`. It is built behind the
      tensor. `states` are those of getStates and `slot` the tensor's column of
      them; states that the function does not have are null.
      }],
      "::mlir::Value", "buildScale",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$tensor, "::mlir::FloatType":$format,
           "::llvm::ArrayRef<int64_t>":$shape, "bool":$transposed,
           "::mlir::ValueRange":$states, "int64_t":$slot)>,
    InterfaceMethod<[{
      Builds the reciprocal of a scale of buildScale, or of the scale that was
      carried here with the copies of a weight, for which `scale` is null.
      }],
      "::mlir::Value", "buildScaleInv",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$scale, "::mlir::ValueRange":$states,
           "int64_t":$slot)>,
    InterfaceMethod<[{
      Whether te-validate-precision finds a scale right that was made in the
      step: `scale` quantizes `tensor` to `format`, and `scaleInv`, null if
      nobody reads a copy, is what its readers multiply with. `copy` is the shape
      of the copy, which is columnwise if `transposed`. Looks at the IR
      alone, whoever wrote it. Returns what is wrong, "expects …", or nothing.
      Recipes that carry scales are never asked: their states are checked.
      }],
      "std::optional<std::string>", "checkScale",
      (ins "::mlir::Value":$scale, "::mlir::Value":$scaleInv,
           "::mlir::Value":$tensor, "::mlir::FloatType":$format,
           "::llvm::ArrayRef<int64_t>":$copy, "bool":$transposed),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<[{
      Builds the update of the states, once a step, from the amaxes of all
      slots (tensor<f32> each, in slot order). Returns the new states in the
      order of getStates.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$states, "::mlir::ValueRange":$amaxes,
           "::mlir::ArrayAttr":$formats),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      What an op reads and makes, when it is an update of the states such as
      buildUpdate builds; nothing for any other op. The validator checks it
      against the function's states.
      }],
      "std::optional<::mlir::te::ScaleUpdate>", "getUpdate",
      (ins "::mlir::Operation *":$op),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<[{
      Builds what a microbatch leaves for the update of its step: the states with
      the amaxes (tensor<f32> each, in slot order) recorded in them. Returns the
      states in the order of getStates, the old values where nothing changes;
      states that the function does not have are null and stay so.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildRecord",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$states, "::mlir::ValueRange":$amaxes),
      /*methodBody=*/"",
      /*defaultImplementation=*/"return ::llvm::SmallVector<::mlir::Value>(states);">,
    InterfaceMethod<[{
      What an op reads and makes, when it is a record such as buildRecord builds;
      nothing for any other op. Null among the states where it changes nothing.
      }],
      "std::optional<::mlir::te::ScaleUpdate>", "getRecord",
      (ins "::mlir::Operation *":$op),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<[{
      The state in which buildRecord leaves amaxes, as an index into getStates;
      nothing where it leaves none.
      }],
      "std::optional<unsigned>", "getRecordState", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<[{
      Builds the scale and its reciprocal (tensor<f32> each) from an amax, for
      tensors quantized before there is any history: the first copies of a
      weight. Only recipes that carry scales are asked.
      }],
      "std::pair<::mlir::Value, ::mlir::Value>", "buildInitialScale",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$amax, "::mlir::FloatType":$format),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      The other values of the scale that `scale` belongs to, when it is a scale
      or a reciprocal such as buildInitialScale builds; nothing for any other
      value.
      }],
      "std::optional<::mlir::te::InitialScale>", "getInitialScale",
      (ins "::mlir::Value":$scale),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
  ];
}

#endif // TE_DIALECT_TE_IR_RECIPEINTERFACES_TD
