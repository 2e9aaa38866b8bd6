// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_MEMORY_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def TERecompute : Pass<"te-recompute", "::mlir::func::FuncOp"> {
  let summary = "Recompute activations in the backward pass";
  let description = [{
    What the backward pass reads of the forward pass is kept from one to the
    other: most of the memory of a step. This pass carries out ops of the forward
    pass once more, just before the backward pass reads what they make, and keeps
    what they need instead. Results have the same bits: the same ops read the
    same values, seeds of dropout and FP8 scales among them, and amaxes are those
    of the first time.

    Which ops, it decides by what they cost (`te.costs` of the module; by bytes
    and operations without): the forward pass is cut where it hands on little, at
    the blocks of a model's layers; for each stretch between, or for 2, 4 or 8 of
    them together, a cheapest cut of the graph (values cost their bytes times a
    price, ops their time) says what is kept and what is made again. The prices
    are the lowest with which the values that are there at a time take `bytes` at
    most, as far as tensors tell; what the program takes, tert-plan-memory knows.

    The forward pass is what the loss, or the entry's outputs, are made of.
    Collectives, and what their results alone are made of, are not repeated.

    ```mlir
    %u = te.matmul %x, %w {transpose_b} : …
    %a = te.activation gelu %u : tensor<64x512xbf16> -> y tensor<64x512xbf16>
    …
    %dw = te.matmul %dy, %a {role = #te.role<wgrad>, transpose_a} : …
    %du = te.activation_grad gelu %da, %u : …
    ```
    becomes
    ```mlir
    %u = te.matmul %x, %w {transpose_b} : …
    %a = te.activation gelu %u : tensor<64x512xbf16> -> y tensor<64x512xbf16>
    …
    %a2 = te.activation gelu %u : tensor<64x512xbf16> -> y tensor<64x512xbf16>
    %dw = te.matmul %dy, %a2 {role = #te.role<wgrad>, transpose_a} : …
    %du = te.activation_grad gelu %da, %u : …
    ```
  }];
  let options = [
    Option<"bytes", "bytes", "int64_t", "0",
           "What values may take at a time; 0: as little as can be">,
    Option<"price", "price", "double", "0",
           "Seconds that a byte may take at most; 0: any time. Without "
           "`te.costs` nothing is repeated then">,
    Option<"products", "products", "bool", "true",
           "Whether matrix products, those of attention among them, may be "
           "repeated; at a price those that take as long as moving their "
           "result may be anyway">,
  ];
  let statistics = [
    Statistic<"numRecomputed", "recomputed", "Ops that are carried out twice">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_MEMORY_PASSES_TD
