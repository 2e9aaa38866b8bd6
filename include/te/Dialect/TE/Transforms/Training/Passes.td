// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of a training step. Each turns valid entries into valid entries;
// te-differentiate (te/Pipelines/Pipelines.h) runs all of them.

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEBuildEntries : Pass<"te-build-entries", "::mlir::ModuleOp"> {
  let summary = "Build the entry points of a model";
  let description = [{
    Copies the function @forward, whose arguments are `te.input`, `te.scalar`
    and `te.param` and whose results are `te.output`, into one function for each
    requested entry. Its arguments are the inputs, then the scalars, then the
    parameters. Later stages add the rest of an entry: `te-add-loss`,
    `te-add-gradients`, `te-accumulate-gradients`, `te-clip-gradients` and
    `te-update-parameters`. @forward is kept if it is requested, and removed
    otherwise. `prefill` and `decode` come together.

    In entries with gradients dropout is active: every te.dropout reads the
    scalar `dropout_seed`, tensor<i64>, 0 by default, after the inputs. The
    caller sets it before every step; equal seeds give equal masks. In the other
    entries, `eval`, `forward`, `prefill` and `decode`, dropout does nothing and is removed.

    | entry | arguments after the inputs | results in the end |
    |---|---|---|
    | `train` | labels (where the loss takes them), scalars of the optimizer and the clipping, parameters, optimizer states, step counter | `loss`, `grad_norm`, new parameters, new states |
    | `accumulate` | labels, parameters, sums of the step so far | those sums with this microbatch's |
    | `grad` | labels, parameters | outputs of the model, `loss`, `grad.<parameter>` |
    | `eval` | labels, parameters | `loss`, `count` of the terms that it counts |
    | `vjp` | `cotangent.<output>`, parameters | outputs of the model, `grad.<parameter>`, `grad.<input>` of floating-point inputs |
    | `forward_saving` | as `vjp`; te-separate-backward makes `forward_saving` and `backward` of it | as `vjp` |
    | `forward` | parameters | outputs of the model |
    | `prefill`, `decode` | te-add-kv-cache makes them of `forward`: `positions`, parameters, caches | outputs of the model at one token of each sequence, new caches |

    Before:
    ```mlir
    func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}) {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    ```
    After `--te-build-entries=entries=vjp`:
    ```mlir
    func.func @vjp(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries to build: train, accumulate, grad, eval, vjp, forward_saving, backward, forward, prefill, decode, calibrate (default: train)">,
  ];
  let statistics = [
    Statistic<"numEntries", "entries", "Number of entries built">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEAddLoss : Pass<"te-add-loss", "::mlir::ModuleOp"> {
  let summary = "Add the loss to entries";
  let description = [{
    Gives the entries `train`, `accumulate`, `grad`, `eval` and `calibrate`, or
    those named, the result `loss`, and with most losses the input `labels` after
    their other inputs. But for `grad`, they no longer return the outputs of the
    model, and `eval` and `calibrate` also return `count`, the number of terms of the mean: the
    labels that it counts, the elements of a regression, 1 for a loss of the
    model's own. `eval` keeps scores [N,C] that annotated labels are compared
    with, from which te-run computes the accuracy.

    With `late-division`, or if there is an entry `accumulate`, the steps
    `train` and `accumulate` return the count as well, with the attribute
    `te.loss_divisor`, unless the loss is a sum (`reduction` = "sum" among its
    settings). The gradients of such an entry are those of the loss times that
    number, and are divided at the end (te-clip-gradients): they are summed over
    microbatches or ranks, whose counts differ and need not be known before the
    backward pass.

    A loss is an attribute with LossAttrInterface, which determines its
    operands, its labels and how it is built:

    | loss | labels | of |
    |---|---|---|
    | `causal-lm` | the ids, shifted by one | logits [...,V] |
    | `masked-lm`, `cross-entropy` | integers, one for each row of the logits | logits [...,V] |
    | `classification` | integers [N] or [N,S] | logits [N,C] or [N,S,C] |
    | `mse` | float32 of the output's shape | any output |
    | `output:NAME` | none, or what the model takes | the output NAME of one element |

    With the loss `causal-lm` a position must not see the tokens that it is to
    predict: an attention without a causal mask between the ids and the logits,
    whose keys or values are computed from the ids, is an error unless the
    module has the attribute `te.allow_lookahead`. A bias that hides later keys,
    by constants whatever else it is the sum or choice of, is such a mask.

    Before:
    ```mlir
    func.func @grad(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "grad"} {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    ```
    After `--te-add-loss=loss=cross-entropy`:
    ```mlir
    func.func @grad(%x: tensor<8x16xf32> {te.input = "x"}, %labels: tensor<8xi64> {te.input = "labels"},
                    %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      %loss, %lse, %count = te.cross_entropy %y, %labels : tensor<8x32xf32>, tensor<8xi64> -> tensor<8xf32>
      return %y, %loss : tensor<8x32xf32>, tensor<f32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries that get a loss (default: train, grad and eval, if present)">,
    Option<"loss", "loss", "std::string", "\"causal-lm\"",
           "The loss: causal-lm, masked-lm, cross-entropy, classification, mse, "
           "output:NAME, or an attribute with its parameters, "
           "#te.masked_lm<label_smoothing=0.1>">,
    Option<"logits", "logits", "std::string", "",
           "Output that the loss reads (default: the only one of floating point)">,
    Option<"lateDivision", "late-division", "bool", "false",
           "Return the number of terms of the mean from steps, and gradients of "
           "the loss times that (always if an entry accumulates)">,
  ];
  let statistics = [
    Statistic<"numLosses", "losses", "Number of losses added">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect"];
}

def TEAddGradients : Pass<"te-add-gradients", "::mlir::ModuleOp"> {
  let summary = "Add gradients of the loss, or of outputs, to entries";
  let description = [{
    Gives the entries `train`, `accumulate` and `grad`, or those named, the
    gradients of their loss with respect to the parameters, or of the loss times
    the result with `te.loss_divisor`, if there is one; and the entries `vjp` and
    `forward_saving` the gradients of their outputs for cotangents, which become
    inputs, with respect to parameters and floating-point inputs. Parameters with
    `te.frozen` and inputs that `constant-inputs` names get none, and outputs that
    `constant-outputs` names have no cotangents; an entry with a loss and only
    frozen parameters is an error. A gradient is a result `{te.output = "grad.w", te.gradient = "w"}`. It keeps
    that name and that attribute until `te-update-parameters` consumes it: a
    pass in between (a collective, a sum over microbatches, a scale) looks for
    `te.gradient` and replaces the returned value.

    Ops between the parameters and the loss implement DifferentiableOpInterface;
    all that do not are listed in one error. A parameter that is used several
    times gets the sum of its gradients; one that the loss does not depend on
    gets zeros, with a warning, and so does one that it depends on only through
    comparisons, roundings or other ops without a gradient. Values captured by
    regions count as operands of their op; ops with unknown gradients are errors
    that name them. Gradients of parameters are float32. Gradient ops have the
    location of the op that they belong to.

    Before:
    ```mlir
    func.func @vjp(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      return %y : tensor<8x32xf32>
    }
    ```
    After:
    ```mlir
    func.func @vjp(%x: tensor<8x16xf32> {te.input = "x"}, %dy: tensor<8x32xf32> {te.input = "cotangent.y"},
                   %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"},
            tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"}) attributes {te.entry = "vjp"} {
      %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
      %dx = te.matmul %dy, %w {role = #te.role<dgrad>} : tensor<8x32xf32>, tensor<32x16xf32> -> tensor<8x16xf32>
      %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xf32>, tensor<8x16xf32> -> tensor<32x16xf32>
      return %y, %dw, %dx : tensor<8x32xf32>, tensor<32x16xf32>, tensor<8x16xf32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries that get the gradients of their loss (default: train, accumulate and grad, if present)">,
    ListOption<"cotangents", "cotangents", "std::string",
               "Entries that get gradients for cotangents (default: vjp and forward_saving, if present)">,
    ListOption<"constantInputs", "constant-inputs", "std::string",
               "Inputs, by their names or patterns of them, that get no gradient">,
    ListOption<"constantOutputs", "constant-outputs", "std::string",
               "Outputs, by their names or patterns of them, that have no cotangent">,
    Option<"loss", "loss", "std::string", "\"loss\"",
           "Output that is differentiated, a tensor<f32>">,
  ];
  let statistics = [
    Statistic<"numGradientOps", "gradient-ops", "Number of ops built to compute gradients">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def TEAccumulateGradients : Pass<"te-accumulate-gradients", "::mlir::ModuleOp"> {
  let summary = "Accumulate gradients and loss over microbatches";
  let description = [{
    A step of N microbatches is N - 1 calls of the entry `accumulate` and one of
    `train`. The entry `accumulate`, or those named, get a state
    `grad.<parameter>` of the kind `gradient` for each result with
    `te.gradient`, and return the state plus the gradient instead. Other sums
    are states of the kind `accumulator`: `loss.sum`, the loss times its divisor
    (`te.loss_divisor`), `loss.count`, the divisor, and `loss.guard`, NaN once a
    value was not finite that does not show in the gradients (te-quantize passes
    the amaxes to the te.clip_coefficient that makes it).

    The entry `train`, or those named by `finishing`, adds the states to its own
    results, and returns them as zeros for the next step. Its loss becomes the
    mean over all microbatches, its divisor the sum of theirs, and the guard a
    result `{te.gradient_guard}` for te-clip-gradients. The sums are made in the
    order of the microbatches, each in float32; with `type=bf16` the
    states `grad.<parameter>` of matrices are bf16, and each sum is rounded to that
    once where the product that makes the gradient adds to it. Without a call of `accumulate`
    the step is that of one batch. If no entry accumulates, the pass does
    nothing.

    Before:
    ```mlir
    func.func @accumulate(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.loss_divisor, te.output = "count"},
            tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"})
        attributes {te.entry = "accumulate"} {
      …
      return %loss, %count, %dw : tensor<f32>, tensor<f32>, tensor<32x16xf32>
    }
    ```
    After:
    ```mlir
    func.func @accumulate(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"},
        %g: tensor<32x16xf32> {te.init = 0.0 : f32, te.kind = "gradient", te.state = "grad.w"},
        %sum: tensor<f32> {te.init = 0.0 : f32, te.kind = "accumulator", te.state = "loss.sum"},
        %counted: tensor<f32> {te.init = 0.0 : f32, te.kind = "accumulator", te.state = "loss.count"},
        %guard: tensor<f32> {te.init = 0.0 : f32, te.kind = "guard", te.state = "loss.guard"})
        -> (tensor<32x16xf32> {te.kind = "gradient", te.state = "grad.w"},
            tensor<f32> {te.kind = "accumulator", te.state = "loss.sum"}, …)
        attributes {te.entry = "accumulate"} {
      …
      %g1 = te.add %g, %dw : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
      %weighted = arith.mulf %loss, %count : tensor<f32>
      %sum1 = arith.addf %sum, %weighted : tensor<f32>
      %counted1 = arith.addf %counted, %count : tensor<f32>
      %guard1 = te.clip_coefficient %guard, %zero
      return %g1, %sum1, %counted1, %guard1 : tensor<32x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries that accumulate (default: accumulate, if present)">,
    ListOption<"finishing", "finishing", "std::string",
               "Entries that finish the accumulation (default: train, if present)">,
    Option<"type", "type", "::mlir::te::GradientSums",
           "::mlir::te::GradientSums::F32", "Type of the sums of gradients",
           "::mlir::te::passOptionValues(::mlir::te::kGradientSums)">,
  ];
  let statistics = [
    Statistic<"numSums", "sums", "Number of gradients that are accumulated">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEClipGradients : Pass<"te-clip-gradients", "::mlir::ModuleOp"> {
  let summary = "Clip gradients by their global norm";
  let description = [{
    Gives the entry `train`, or those named, the scalar `max_grad_norm`, the
    output `grad_norm`, and a result `{te.output = "grad_coefficient",
    te.gradient_coefficient}`: the factor that every gradient is still to be
    multiplied by, NaN when the norm is not finite. The returned gradients are
    unchanged, because an optimizer multiplies them in the same pass. A later
    pass that scales all gradients alike multiplies the coefficient.

    A result with `te.loss_divisor` is what the gradients are still to be
    divided by: the norm and the coefficient are divided by it; for a divisor of
    0 the coefficient is 0. The coefficient is NaN, too, if a result with
    `te.gradient_guard` is not finite. Both results are removed.

    Before:
    ```mlir
    func.func @train(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<f32> {te.output = "loss"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"})
        attributes {te.entry = "train"} {
      …
      return %loss, %dw : tensor<f32>, tensor<32x16xf32>
    }
    ```
    After:
    ```mlir
    func.func @train(%x: tensor<8x16xf32> {te.input = "x"},
                     %max: tensor<f32> {te.default = 1.0 : f64, te.scalar = "max_grad_norm"},
                     %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<f32> {te.output = "loss"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"},
            tensor<f32> {te.output = "grad_norm"}, tensor<f32> {te.gradient_coefficient, te.output = "grad_coefficient"})
        attributes {te.entry = "train"} {
      …
      %norm = te.global_norm %dw : tensor<32x16xf32>
      %c = te.clip_coefficient %norm, %max
      return %loss, %dw, %norm, %c : tensor<f32>, tensor<32x16xf32>, tensor<f32>, tensor<f32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries whose gradients are clipped (default: train, if present)">,
    Option<"maxGradNorm", "max-grad-norm", "double", "1.0",
           "Default of the scalar max_grad_norm; not positive: no clipping">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect"];
}

def TEUpdateParameters : Pass<"te-update-parameters", "::mlir::ModuleOp"> {
  let summary = "Replace gradients by optimizer updates";
  let description = [{
    Replaces the gradients of the entry `train`, or of those named, by new
    values of the parameters, using an optimizer that is an attribute with
    OptimizerAttrInterface. The optimizer determines the scalars of the step
    (added after the inputs), the states of each parameter, and which parameters
    decay, from their roles in the ops that read them
    (ParameterReaderOpInterface). The state `step` counts the updates; if the
    coefficient of the gradients is NaN, nothing changes. Without a coefficient
    (see te-clip-gradients) gradients are used as they are.

    With `groups=NAME=GLOB` the parameters whose names match are a group: they
    are updated with the learning rate times the scalar
    `learning_rate_factor.NAME`, 1 by default, and with the weight decay times
    `weight_decay_factor.NAME`. The last group that matches holds. With
    `NAME=GLOB:OPTIMIZER` they have an optimizer of their own: the defaults of the
    two factors are the ratios of its defaults and the other's, and its other
    scalars are `beta1.NAME` and so on.

    Before, see te-clip-gradients. After `--te-update-parameters='optimizer=#te.sgd<momentum=0>'`:
    ```mlir
    func.func @train(%x: tensor<8x16xf32> {te.input = "x"},
                     %lr: tensor<f32> {te.default = 1.0e-3 : f64, te.scalar = "learning_rate"},
                     %wd: tensor<f32> {te.default = 0.0 : f64, te.scalar = "weight_decay"},
                     %max: tensor<f32> {te.default = 1.0 : f64, te.scalar = "max_grad_norm"},
                     %w: tensor<32x16xf32> {te.param = "w"},
                     %step: tensor<i64> {te.init = 0 : i64, te.kind = "counter", te.state = "step"})
        -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "grad_norm"},
            tensor<32x16xf32> {te.param = "w"}, tensor<i64> {te.state = "step"})
        attributes {te.entry = "train"} {
      …
      %norm = te.global_norm %dw : tensor<32x16xf32>
      %c = te.clip_coefficient %norm, %max
      %step1 = te.advance_step %step if_finite %c
      %w1 = te.update #te.sgd<momentum = 0.000000e+00> %w gradient(%dw) coefficient(%c)
        scalars(%lr, %wd) step(%step1) {decay}
        : tensor<32x16xf32>, tensor<32x16xf32>
      return %loss, %norm, %w1, %step1 : tensor<f32>, tensor<f32>, tensor<32x16xf32>, tensor<i64>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries that update parameters (default: train, if present)">,
    Option<"optimizer", "optimizer", "std::string", "\"#te.adamw<>\"",
           "The optimizer, an attribute: #te.adamw<...>, #te.lion<...>, ...">,
    ListOption<"groups", "groups", "std::string",
               "NAME=GLOB or NAME=GLOB:OPTIMIZER: parameters with factors of "
               "their own for the learning rate and the weight decay, and "
               "perhaps an optimizer">,
  ];
  let statistics = [
    Statistic<"numUpdates", "updates", "Number of parameters updated">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def TEAverageParameters : Pass<"te-average-parameters", "::mlir::ModuleOp"> {
  let summary = "Keep an exponential moving average of every new parameter";
  let description = [{
    For every parameter with a new value, the entry `train` gets a state
    `ema.<parameter>` of its type and its shard, which holds the average of the
    parameter's values over the steps (#te.ema). The scalar `ema_decay` is its
    decay. A skipped step changes no average.

    After te-update-parameters, and after te-shard-states where there are ranks:
    averages need no communication. Before:
    ```mlir
    %step1 = te.advance_step %step if_finite %c
    %w1 = te.update #te.sgd<momentum = 0.000000e+00> %w gradient(%dw) …
    return %loss, %w1, %step1 : …
    ```
    After:
    ```mlir
    %step1 = te.advance_step %step if_finite %c
    %w1 = te.update #te.sgd<momentum = 0.000000e+00> %w gradient(%dw) …
    %zero = arith.mulf %c, %cst_0 : tensor<f32>
    %one = arith.addf %zero, %cst_1 : tensor<f32>  // or NaN
    %e1 = te.update #te.ema %e gradient(%w1) coefficient(%one) scalars(%decay) step(%step1)
      : tensor<32x16xf32>, tensor<32x16xf32>
    return %loss, %w1, %step1, %e1 : …
    ```
  }];
  let options = [
    Option<"decay", "decay", "double", "0.999",
           "Default of the scalar ema_decay">,
  ];
  let statistics = [
    Statistic<"numAverages", "averages", "Number of parameters averaged">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect"];
}

def TESeparateBackward : Pass<"te-separate-backward", "::mlir::ModuleOp"> {
  let summary = "Split entries into a forward and a backward pass";
  let description = [{
    Makes of the entry `forward_saving`, or of those named, which has the
    gradients of its outputs for cotangents, two entries that a caller runs one
    after the other, with calls of the same program in between if it likes:

    | entry | arguments | results |
    |---|---|---|
    | `forward_saving` | inputs, scalars, parameters, states that it reads | outputs of the model, `saved.0`, `saved.1`, … |
    | `backward` | inputs that it reads, `output.<output>` of outputs that it reads, `saved.0`, …, `cotangent.<output>`, scalars, parameters, states | `grad.<parameter>`, `grad.<input>`, new states |

    `backward` has what depends on a cotangent; all else is `forward_saving`.
    A value of the first that the second reads is saved: an output, and an input
    of that name, in the type that it has, so FP8 copies are saved as FP8. What
    takes no time (reshapes, slices, constants) is repeated instead, and
    parameters and inputs are arguments of both; an output of the model is not
    saved a second time. The two compute, bit for bit,
    what the entry computed.

    With `donates-saved`, `backward` may run once only for each call of
    `forward_saving`: it writes temporaries over saved values that it has read.

    States change in `backward` alone, once for both passes: the amaxes of the
    forward pass are among the saved values. The scales that the saved copies
    were made with are saved as well, since other calls may have changed the
    state in between; those of gradients are read as they are when `backward`
    runs.

    It runs behind the passes that decide by the whole of an entry what is FP8,
    kept or fused.

    Before:
    ```mlir
    func.func @forward_saving(%x: tensor<8x16xf32> {te.input = "x"}, %dy: tensor<8x32xf32> {te.input = "cotangent.y"},
                              %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"})
        attributes {te.entry = "forward_saving"} {
      %xb = arith.truncf %x : tensor<8x16xf32> to tensor<8x16xbf16>
      %y = te.matmul %xb, %w …
      %dw = te.matmul %dy, %xb …
      return %y, %dw : tensor<8x32xf32>, tensor<32x16xf32>
    }
    ```
    After:
    ```mlir
    func.func @forward_saving(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
        -> (tensor<8x32xf32> {te.output = "y"}, tensor<8x16xbf16> {te.output = "saved.0"})
        attributes {te.entry = "forward_saving"} {
      %xb = arith.truncf %x : tensor<8x16xf32> to tensor<8x16xbf16>
      %y = te.matmul %xb, %w …
      return %y, %xb : tensor<8x32xf32>, tensor<8x16xbf16>
    }
    func.func @backward(%xb: tensor<8x16xbf16> {te.input = "saved.0"}, %dy: tensor<8x32xf32> {te.input = "cotangent.y"})
        -> (tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"}) attributes {te.entry = "backward"} {
      %dw = te.matmul %dy, %xb …
      return %dw : tensor<32x16xf32>
    }
    ```
  }];
  let options = [
    ListOption<"entries", "entries", "std::string",
               "Entries to split (default: forward_saving, if present)">,
    Option<"donatesSaved", "donates-saved", "bool", "false",
           "Whether backward may overwrite what was saved (te.donated)">,
  ];
  let statistics = [
    Statistic<"numSaved", "saved", "Number of values that backward passes read of forward passes">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_PASSES_TD
