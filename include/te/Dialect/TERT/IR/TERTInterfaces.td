// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_IR_TERTINTERFACES_TD
#define TE_DIALECT_TERT_IR_TERTINTERFACES_TD

include "mlir/IR/OpBase.td"

def TERT_RuntimeCallOpInterface : OpInterface<"RuntimeCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    An op that is one call of a C function of the runtime. Everything the
    lowering must know about the call: the symbol, the tensors and the
    constants, in the order of the C parameters (context and site come before
    them, tensors before constants).
  }];
  let methods = [
    InterfaceMethod<"The C function, for example `tert_layer_norm`.",
      "::llvm::StringRef", "getRuntimeSymbol">,
    InterfaceMethod<[{
      The parameters that are tensors, lists of them or structures of them, each
      with its operands.
      }],
      "::llvm::SmallVector<::mlir::te::tert::TensorParameter>",
      "getTensorParameters">,
    InterfaceMethod<[{
      The constants behind the tensors: integers and floats of the C parameter's
      type; arrays of int32_t and generated kernels (by symbol), which are passed
      by address.
      }],
      "::llvm::SmallVector<::mlir::Attribute>", "getConstantParameters">,
    InterfaceMethod<"Whether the op reads this init before it writes it.",
      "bool", "readsInit", (ins "::mlir::OpOperand &":$init)>,
    InterfaceMethod<"The name of an operand, as in tert/ops.h.",
      "::llvm::StringRef", "getOperandName", (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
      The layouts of an operand that the function takes. tert-establish-layouts
      copies what lies otherwise.
      }],
      "::mlir::te::tert::LayoutRequirement", "getLayoutRequirement",
      (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
      Whether backends want far more temporary memory than the tensors have:
      tert-plan-memory then leaves room for it.
      }],
      "bool", "wantsWorkspace">,
  ];
}

def TERT_UpdateCallOpInterface : OpInterface<"UpdateCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call whose function can do what several such calls do, as one that updates
    a list of parameters: tert-join-updates makes one call of many.
  }];
  let methods = [
    InterfaceMethod<[{
      Whether `other` can be in one call with this one: the same function with
      the same scalars and constants.
      }],
      "bool", "isAlike", (ins "::mlir::Operation *":$other)>,
    InterfaceMethod<[{
      Whether `other` has to be in one call with this one, or behind it: what is
      waiting to be joined with this one ends when `other` is not alike.
      }],
      "bool", "isOfKind", (ins "::mlir::Operation *":$other), /*methodBody=*/"",
      /*defaultImplementation=*/"return $_op->getName() == other->getName();">,
    InterfaceMethod<[{
      Builds, at the builder's place, one call that does what `calls` do: this
      op and others that are alike. They stay.
      }],
      "void", "join",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::llvm::ArrayRef<::mlir::Operation *>":$calls)>,
  ];
}

#endif // TE_DIALECT_TERT_IR_TERTINTERFACES_TD
