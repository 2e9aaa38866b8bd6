// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TERT_IR_TERTINTERFACES_TD
#define TE_DIALECT_TERT_IR_TERTINTERFACES_TD

include "mlir/IR/OpBase.td"

def TERT_RuntimeCallOpInterface : OpInterface<"RuntimeCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    An op that is one call of a C function of the runtime. Provides what the
    lowering needs: the symbol, the tensors and the constants, in the order of
    the C parameters (context and site come before them, tensors before
    constants).
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
      The constants after the tensors: integers and floats of the C parameter's
      type; arrays of int32_t and generated kernels (by symbol), which are
      passed by address.
      }],
      "::llvm::SmallVector<::mlir::Attribute>", "getConstantParameters">,
    InterfaceMethod<"True if the op reads this init before it writes it.",
      "bool", "readsInit", (ins "::mlir::OpOperand &":$init)>,
    InterfaceMethod<"The name of an operand, as in tert/ops.h.",
      "::llvm::StringRef", "getOperandName", (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
      The layouts of an operand that the function accepts.
      tert-establish-layouts copies operands of other layouts.
      }],
      "::mlir::te::tert::LayoutRequirement", "getLayoutRequirement",
      (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
      True if backends need far more temporary memory than the size of the
      tensors: tert-plan-memory then reserves room for it.
      }],
      "bool", "wantsWorkspace">,
  ];
}

def TERT_UpdateCallOpInterface : OpInterface<"UpdateCallOpInterface"> {
  let cppNamespace = "::mlir::te::tert";
  let description = [{
    A call that can be merged with similar ones, such as one that updates a list
    of parameters: tert-join-updates merges many into one.
  }];
  let methods = [
    InterfaceMethod<[{
      True if `other` can be merged with this call: the same function with the
      same scalars and constants.
      }],
      "bool", "isAlike", (ins "::mlir::Operation *":$other)>,
    InterfaceMethod<[{
      True if the two calls are of one kind: calls of a kind are joined only with
      those before them that are alike, up to the first that is not.
      }],
      "bool", "isOfKind", (ins "::mlir::Operation *":$other), /*methodBody=*/"",
      /*defaultImplementation=*/"return $_op->getName() == other->getName();">,
    InterfaceMethod<[{
      Builds, at the builder's insertion point, one call that does the work of
      `calls`: this op and others like it. Does not erase them.
      }],
      "void", "join",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::llvm::ArrayRef<::mlir::Operation *>":$calls)>,
  ];
}

#endif // TE_DIALECT_TERT_IR_TERTINTERFACES_TD
