// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEDifferentiate : Pass<"te-differentiate", "::mlir::ModuleOp"> {
  let summary = "Build the entry points of a model: training step, gradients, VJP";
  let description = [{
    Builds from the function @forward, whose arguments are `te.input` and
    `te.param` and whose results are `te.output`, the entries that are asked for:

    | entry | arguments after the inputs | results |
    |---|---|---|
    | `train` | labels (cross-entropy), scalars of the optimizer, parameters, optimizer states, step counter | `loss`, `grad_norm`, new parameters, new states |
    | `grad` | labels (cross-entropy), parameters | outputs of the model, `loss`, `grad.<parameter>` |
    | `vjp` | `cotangent.<output>`, parameters | outputs of the model, `grad.<parameter>`, `grad.<input>` of floating-point inputs |
    | `forward` | parameters | outputs of the model: @forward itself, which otherwise goes |

    Ops between the parameters and the loss implement DifferentiableOpInterface;
    all that do not are listed in one error. A parameter that is used several
    times gets the sum of its gradients; one that the loss does not depend on
    gets zeros, with a warning, and so does one that it depends on only through
    comparisons, roundings or other ops without a gradient. Values that regions
    read from outside count as read by their op; ops whose gradients are not
    known are errors that name them. The training step clips gradients by their global
    norm and skips the update when that norm is not finite. Gradient ops have the
    location of the op that they belong to.

    Before:
    ```mlir
    func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}) {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    ```
    After `--te-differentiate=entries=vjp`:
    ```mlir
    func.func @vjp(%x: tensor<8x16xf32> {te.input = "x"}, %dy: tensor<8x32xf32> {te.input = "cotangent.y"},
                   %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.output = "grad.w"},
            tensor<8x16xf32> {te.output = "grad.x"}) attributes {te.entry = "vjp"} {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      %dx = te.matmul %dy, %w {role = #te.role<dgrad>} : tensor<8x32xf32>, tensor<32x16xf32> -> tensor<8x16xf32>
      %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xf32>, tensor<8x16xf32> -> tensor<32x16xf32>
      return %y, %dw, %dx : tensor<8x32xf32>, tensor<32x16xf32>, tensor<8x16xf32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries to build: train, grad, vjp, forward (default: train)">,
    Option<"loss", "loss", "::mlir::te::LossKind", "::mlir::te::LossKind::CausalLM",
           "Loss of train and grad",
           [{::llvm::cl::values(
             clEnumValN(::mlir::te::LossKind::CausalLM, "causal-lm", "cross-entropy with the ids shifted by one as labels"),
             clEnumValN(::mlir::te::LossKind::CrossEntropy, "cross-entropy", "cross-entropy with labels as an input"),
             clEnumValN(::mlir::te::LossKind::None, "none", "no loss"))}]>,
    Option<"reduction", "reduction", "::mlir::te::Reduction", "::mlir::te::Reduction::Mean",
           "How the loss joins its rows",
           [{::llvm::cl::values(
             clEnumValN(::mlir::te::Reduction::Mean, "mean", "mean over the counted rows"),
             clEnumValN(::mlir::te::Reduction::Sum, "sum", "sum"))}]>,
    Option<"ignoreIndex", "ignore-index", "int64_t", "-100", "Label of rows that do not count">,
    Option<"logits", "logits", "std::string", "",
           "Output that the loss reads (default: the only one of floating point)">,
    Option<"optimizer", "optimizer", "::mlir::te::OptimizerKind", "::mlir::te::OptimizerKind::AdamW",
           "Optimizer of train",
           [{::llvm::cl::values(
             clEnumValN(::mlir::te::OptimizerKind::AdamW, "adamw", "AdamW with decoupled weight decay"))}]>,
    Option<"learningRate", "learning-rate", "double", "1e-3", "Default of the scalar learning_rate">,
    Option<"beta1", "beta1", "double", "0.9", "Default of the scalar beta1">,
    Option<"beta2", "beta2", "double", "0.999", "Default of the scalar beta2">,
    Option<"eps", "eps", "double", "1e-8", "Default of the scalar eps">,
    Option<"weightDecay", "weight-decay", "double", "0.01", "Default of the scalar weight_decay">,
    Option<"maxGradNorm", "max-grad-norm", "double", "1.0",
           "Default of the scalar max_grad_norm; not positive: no clipping">,
    ListOption<"noDecay", "no-decay", "std::string",
               "Parameters without weight decay: norms, biases, embeddings, or none (default: norms, biases, embeddings)">,
  ];
  let statistics = [
    Statistic<"numEntries", "entries", "Number of entries built">,
    Statistic<"numGradientOps", "gradient-ops", "Number of ops built to compute gradients">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_PASSES_TD
