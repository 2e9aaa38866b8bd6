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
    InterfaceMethod<"Name for descriptions.",
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
    InterfaceMethod<"The states of a parameter.",
      "::llvm::SmallVector<::mlir::te::OptimizerState>", "getStates",
      (ins "const ::mlir::te::OptimizedParameter &":$param)>,
    InterfaceMethod<[{
      Whether a shard of a parameter is updated as the parameter would be, so that
      every rank of a mesh can update its own.
      }],
      "bool", "updatesShards",
      (ins "const ::mlir::te::OptimizedParameter &":$param), /*methodBody=*/"",
      /*defaultImplementation=*/"return true;">,
    InterfaceMethod<[{
      Builds the update of one parameter at the builder's insertion point. Returns
      the new parameter, then the new states in the order of getStates.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "const ::mlir::te::ParameterUpdate &":$update)>,
  ];
}

def TE_ElementwiseOptimizerAttrInterface
    : AttrInterface<"ElementwiseOptimizerAttrInterface",
                    [TE_OptimizerAttrInterface]> {
  let cppNamespace = "::mlir::te";
  let description = [{
    An optimizer whose update of an element reads no other elements: te.update
    carries it out, ranks share it (te-shard-states), and the runtime updates many
    parameters in one kernel.
  }];
  let methods = [
    InterfaceMethod<[{
      Name of the runtime's update rule (runtime/update), with as many scalars and
      states as the optimizer has.
      }],
      "::llvm::StringRef", "getRuleName">,
    InterfaceMethod<[{
      Names of the states of a parameter, without the optimizer's: "exp_avg". Each
      has the parameter's shape and starts at 0.
      }],
      "::llvm::SmallVector<::llvm::StringRef>", "getStateNames">,
    InterfaceMethod<[{
      Element types in which the states of a parameter are kept, in the order of
      getStateNames; float32 if empty. All bf16, or all FP8, which tensors of rank
      2 and more can have: each state then has one of scales behind the states.
      }],
      "::llvm::SmallVector<::mlir::Type>", "getStateElements",
      (ins "const ::mlir::te::OptimizedParameter &":$param), /*methodBody=*/"",
      /*defaultImplementation=*/"return {};">,
    InterfaceMethod<"The number of values that buildFactors returns.",
      "unsigned", "getNumFactors", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return $_attr.getScalars().size() + 1;">,
    InterfaceMethod<[{
      Builds what the formula of every element takes, in float32: the scalars, then
      the step, unless the optimizer derives something from them.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildFactors",
      (ins "::mlir::te::ScalarBuilder &":$builder, "::mlir::ValueRange":$scalars,
           "::mlir::Value":$step), /*methodBody=*/"", /*defaultImplementation=*/[{
        ::llvm::SmallVector<::mlir::Value> factors(scalars);
        factors.push_back(step);
        return factors;
      }]>,
    InterfaceMethod<[{
      Builds the formula for one element, in float32. Returns the new parameter,
      then the new states.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildElement",
      (ins "::mlir::te::ScalarBuilder &":$builder,
           "const ::mlir::te::ElementUpdate &":$element)>,
  ];
}

#endif // TE_DIALECT_TE_IR_OPTIMIZERINTERFACES_TD
