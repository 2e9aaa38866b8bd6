// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEQuantize : Pass<"te-quantize", "::mlir::ModuleOp"> {
  let summary = "Carry out te.region fp8: quantize operands, make scaling explicit";
  let description = [{
    Dissolves every te.region. In fp8 regions each op with an FP8 form
    (Fp8OpInterface) is replaced by it, on operands that te.quantize makes with
    scales that the recipe carries from step to step.

    Each quantized tensor is a slot, a column of the scaling state, named
    `<module path>.input`, `.weight` or `.grad_output`. A value that several ops
    read in one format is quantized once, into the copies that they read. All
    entry functions of the module share the slots; `te.slots` and
    `te.slot_formats` on the module list them.

    ```mlir
    // Before
    func.func @vjp(%x: tensor<64x128xbf16>, %w: tensor<256x128xf32> {te.param = "fc.weight"}) -> … attributes {te.entry = "vjp"} {
      %y = te.region fp8 -> (tensor<64x256xbf16>) {
        %0 = te.matmul %x, %w {transpose_b} : … loc("fc")
        te.yield %0 : tensor<64x256xbf16>
      }
      …
    // After
    func.func @vjp(%x: …, %w: …, %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale", te.init = 1.0 : f32}, …) {
      %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
      %si = tensor.extract_slice %scale_invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
      %q, %qt, %amax = te.quantize %x, %s : tensor<64x128xbf16>
        -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN> amax tensor<f32>
      …
      %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {accumulate = #te.accumulate<fast>} : …
      …
      %scales1, %scale_invs1, %history1, %nonfinite1 = te.update_scales … amaxes(%amax, %wamax, %dyamax) {…}
    ```

    Entries with a backward pass update the scaling state; `forward` only reads
    it. A parameter that an entry updates is quantized there, with the updated
    scale, and its FP8 copies and amax are state: the entries read them, and
    only the optimizer reads the float32 parameter. An `init` entry makes the
    first copies. In such a module only the entries that update the parameters
    update the scaling state, so that a copy and the reciprocal of its scale
    never part.

    Sizes that are no multiple of 16 are padded with zeros and the result is
    sliced. fprop accumulates fast, wgrad and (unless `fast-dgrad`) dgrad split.
  }];
  let options = [
    Option<"recipe", "recipe", "std::string",
           /*default=*/"\"#te.delayed_scaling\"",
           "Recipe attribute, such as #te.delayed_scaling<history=16>">,
    Option<"fastDgrad", "fast-dgrad", "bool", /*default=*/"false",
           "Fast accumulation in dgrad too">,
  ];
  let statistics = [
    Statistic<"numSlots", "slots", "Columns of the scaling state">,
    Statistic<"numQuantized", "quantized", "te.quantize ops made">,
    Statistic<"numFp8Ops", "fp8-ops", "Ops replaced by their FP8 form">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_PASSES_TD
