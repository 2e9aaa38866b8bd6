// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_COSTINTERFACES_TD
#define TE_DIALECT_TE_IR_COSTINTERFACES_TD

include "mlir/IR/OpBase.td"

def TE_CostModelAttrInterface : AttrInterface<"CostModelAttrInterface"> {
  let cppNamespace = "::mlir::te";
  let description = [{
    What kernels take on a target, as `te.costs` of a module. Passes that have a
    choice ask it and take what is cheaper; without it, or where it cannot tell,
    they decide as if there were no choice.
  }];
  let methods = [
    InterfaceMethod<[{
      Seconds of one kernel, launch included; nothing when the model knows no
      such kernel.
      }],
      "::std::optional<::mlir::te::Cost>", "getCost",
      (ins "const ::mlir::te::Work &":$work)>,
    InterfaceMethod<[{
      Seconds that no kernel for this work can beat on the target: bytes over
      the bandwidth that copies attain, or operations over the rate that the
      best products attain.
      }],
      "double", "getFloorSeconds", (ins "const ::mlir::te::Work &":$work)>,
    InterfaceMethod<"The device that the figures are of, for reports.",
      "::llvm::StringRef", "getDeviceName">,
  ];
}

#endif // TE_DIALECT_TE_IR_COSTINTERFACES_TD
