// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TERaise : Pass<"te-raise", "::mlir::ModuleOp"> {
  let summary = "Recover te ops from what frontends decompose";
  let description = [{
    Exporters write a linear layer as transpose, product and sum, GELU as eight
    pointwise ops, and attention between transposes. This pass recovers what was
    meant, and cancels the reshapes and transposes between te ops, so that
    between embedding and logits only the heads around attention remain.

    ```mlir
    %wt = linalg.transpose ins(%w : tensor<512x128xf32>) outs(%e : tensor<128x512xf32>) permutation = [1, 0]
    %p = te.matmul %x, %wt : tensor<64x128xf32>, tensor<128x512xf32> -> tensor<64x512xf32>
    %c = tensor.expand_shape %b [[0, 1]] output_shape [1, 512] : tensor<512xf32> into tensor<1x512xf32>
    %u = te.add %p, %c : tensor<64x512xf32>, tensor<1x512xf32> -> tensor<64x512xf32>
    %s = te.activation sigmoid %u : tensor<64x512xf32> -> y tensor<64x512xf32>
    %y = arith.mulf %u, %s : tensor<64x512xf32>
    ```
    becomes
    ```mlir
    %u = te.matmul %x, %w bias(%b : tensor<512xf32>) {transpose_b}
       : tensor<64x128xf32>, tensor<512x128xf32> -> tensor<64x512xf32>
    %y = te.activation silu %u : tensor<64x512xf32> -> y tensor<64x512xf32>
    ```

    What is not recognised stays as it is; `check` makes that an error which
    lists all of it.
  }];
  let options = [
    Option<"check", "check", "bool", /*default=*/"false",
           "Fail when operations are left that no later pass takes">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def TEAttachCosts : Pass<"te-attach-costs", "::mlir::ModuleOp"> {
  let summary = "Tell a module what kernels take on its target";
  let description = [{
    Sets `te.costs` of the module to a cost model of the target, which later
    passes ask before they fuse: te-merge-linears, te-fuse, te-fuse-loss.
    `tuning` names a database that `te-run tune` wrote: what it has of the
    target's devices goes before the built-in measurements. With several such
    devices in it the one with the most products is taken, or the one whose name
    begins with `device`.

    A database that is damaged or has nothing of the target is ignored with a
    warning, as the runtime does; an unknown target is an error. Embedders set
    `te.costs` to any attribute with CostModelAttrInterface instead.

    ```mlir
    module {}
    ```
    becomes
    ```mlir
    module attributes {te.costs = #te.measured_costs<device = "NVIDIA H200", unaligned = 6.6,
      ceilings = {bytes = 4.01e12, …}, kernels = {…}, epilogues = {…}, benchmarked = {…}, tuned = {…}>} {}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_90\"",
           "What the program is compiled for">,
    Option<"tuning", "tuning", "std::string", /*default=*/"\"\"",
           "Tuning database of te-run tune">,
    Option<"device", "device", "std::string", /*default=*/"\"\"",
           "Beginning of the name of the device in the database">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEMergeLinears : Pass<"te-merge-linears", "::mlir::ModuleOp"> {
  let summary = "Join linear layers that read one input into one product";
  let description = [{
    Query, key and value projections, or gate and up projections, read the same
    input. As one product with the weights joined they read it once, their input
    gradients are summed in the product's accumulators, and GEMMs are larger. In
    FP8 the joined weight is one tensor with one scale, and so is the gradient,
    as in Transformer Engine's layers.

    ```mlir
    %q = te.matmul %x, %wq bias(%bq : tensor<128xf32>) {transpose_b} : tensor<256x128xf32>, tensor<128x128xf32> -> tensor<256x128xf32>
    %k = te.matmul %x, %wk bias(%bk : tensor<32xf32>) {transpose_b} : tensor<256x128xf32>, tensor<32x128xf32> -> tensor<256x32xf32>
    ```
    becomes
    ```mlir
    %w = tensor.concat dim(0) %wq, %wk : (tensor<128x128xf32>, tensor<32x128xf32>) -> tensor<160x128xf32>
    %b = tensor.concat dim(0) %bq, %bk : (tensor<128xf32>, tensor<32xf32>) -> tensor<160xf32>
    %d = te.matmul %x, %w bias(%b : tensor<160xf32>) {transpose_b} : tensor<256x128xf32>, tensor<160x128xf32> -> tensor<256x160xf32>
    %q, %k = te.split %d axis 1 : tensor<256x160xf32> -> tensor<256x128xf32>, tensor<256x32xf32>
    ```

    Only layers whose weights and biases are arguments of the function, stored
    the same way, are joined; parameters stay what they are, and so do their
    names in gradients and checkpoints. The product is at the location of all of
    them, its module path "layers.0.attn.{q,k}". Run it before te-differentiate.

    With a cost model (`te.costs`) layers are joined only if that is faster over
    what the later passes will make of them: `precision` and `entries` say
    whether there will be gradients and quantizations. A remark gives both
    times.
  }];
  let options = [
    Option<"precision", "precision", "::mlir::te::ComputePrecision",
           "::mlir::te::ComputePrecision::FP8",
           "What the products will be computed in",
           [{::llvm::cl::values(
             clEnumValN(::mlir::te::ComputePrecision::FP8, "fp8", "bf16 with FP8 linears"),
             clEnumValN(::mlir::te::ComputePrecision::BF16, "bf16", "bf16, f32 masters"),
             clEnumValN(::mlir::te::ComputePrecision::F32, "f32", "everything in f32"))}]>,
    Option<"boundary", "boundary", "::mlir::te::BoundaryType",
           "::mlir::te::BoundaryType::F32", "What matrices enter and leave in",
           [{::llvm::cl::values(
             clEnumValN(::mlir::te::BoundaryType::F32, "f32", "as the model has them"),
             clEnumValN(::mlir::te::BoundaryType::BF16, "bf16", "bf16"))}]>,
    ListOption<"entries", "entries", "std::string",
               "Entries that will be built: train, grad, vjp, forward (default: train)">,
  ];
  let statistics = [
    Statistic<"numMerged", "merged", "Number of linear layers joined with others">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect"];
}

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
    gets zeros, with a warning. The training step clips gradients by their global
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

def TESetComputeType : Pass<"te-set-compute-type", "::mlir::ModuleOp"> {
  let summary = "Hold activations and their gradients in bf16";
  let description = [{
    Values that an op computes in the compute type (MixedPrecisionOpInterface)
    become bf16, and the operands that it reads in the compute type are
    truncated when they are wider, once per value. Reshapes, splits and
    concatenations follow. Parameters, statistics, losses, parameter gradients
    and everything at the function's boundary keep their type.

    ```mlir
    // Before
    func.func @f(%x: tensor<64x128xf32>, %w: tensor<256x128xf32> {te.param = "w"}) -> tensor<64x256xf32> {
      %y = te.matmul %x, %w {transpose_b} : tensor<64x128xf32>, tensor<256x128xf32> -> tensor<64x256xf32>
      %a = te.activation relu %y : tensor<64x256xf32> -> y tensor<64x256xf32>
      return %a : tensor<64x256xf32>
    // After
      %xb = arith.truncf %x : tensor<64x128xf32> to tensor<64x128xbf16>
      %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
      %y = te.matmul %xb, %wb {transpose_b} : tensor<64x128xbf16>, tensor<256x128xbf16> -> tensor<64x256xbf16>
      %a = te.activation relu %y : tensor<64x256xbf16> -> y tensor<64x256xbf16>
      %r = arith.extf %a : tensor<64x256xbf16> to tensor<64x256xf32>
      return %r : tensor<64x256xf32>
    ```

    Ops of other dialects that read a narrowed value get it back in the type
    they were written for.
  }];
  let options = [
    Option<"type", "type", "std::string", /*default=*/"\"bf16\"",
           "bf16, or f32 to change nothing">,
  ];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Values held in the compute type">,
    Statistic<"numCasts", "casts", "Casts made">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TESetBoundaryType : Pass<"te-set-boundary-type", "::mlir::ModuleOp"> {
  let summary = "Let matrices enter and leave the entries in bf16";
  let description = [{
    Inputs (`te.input`), parameters (`te.param`) and results (`te.output`) of the
    entries that are float32 tensors of two and more dimensions become bf16:
    activations, their cotangents, weights, and the gradients of all of them.
    Vectors (weights of norms, biases, their gradients), scalars and states stay
    float32; a parameter that has at most one dimension larger than 1, such as
    [1, 1, H], is a vector, and so is its gradient.

    Inside, the values are what they were: what enters is widened and what
    leaves is rounded once. A conversion that the op beside it can make is left
    to that op: te ops compute in float32 from either type, and a matrix
    product, a sum or dx of te.layer_norm_grad that is only rounded is written
    in bf16 from its float32 accumulators.

    ```mlir
    // Before
    func.func @vjp(%x: tensor<64x128xf32> {te.input = "x"}, %dy: tensor<64x256xf32> {te.input = "cotangent.y"}, …)
        -> (tensor<256x128xf32> {te.output = "grad.w"}, …) {
      %xb = arith.truncf %x : tensor<64x128xf32> to tensor<64x128xbf16>
      %dyb = arith.truncf %dy : tensor<64x256xf32> to tensor<64x256xbf16>
      %dw = te.matmul %dyb, %xb {role = #te.role<wgrad>, transpose_a}
         : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
      return %dw, … : tensor<256x128xf32>, …
    // After
    func.func @vjp(%x: tensor<64x128xbf16> {te.input = "x"}, %dy: tensor<64x256xbf16> {te.input = "cotangent.y"}, …)
        -> (tensor<256x128xbf16> {te.output = "grad.w"}, …) {
      %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a}
         : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xbf16>
      return %dw, … : tensor<256x128xbf16>, …
    ```

    An entry that trains is refused: its parameters are the optimizer's masters.
    Run the pass after te-set-compute-type and before te-partition.
  }];
  let options = [
    Option<"type", "type", "std::string", /*default=*/"\"bf16\"",
           "bf16, or f32 to change nothing">,
  ];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Arguments and results in the narrow type">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEPartition : Pass<"te-partition", "::mlir::ModuleOp"> {
  let summary = "Decide which ops run in FP8";
  let description = [{
    Asks every op that has an FP8 form (Fp8OpInterface) whether shapes and types
    admit it, and the policy whether its module may use it, and wraps runs of
    consecutive ops of one decision into te.region fp8 or te.region high. Ops
    that only move or cast data join the run they stand in.

    `policy` is a list of rules `GLOB=fp8` or `GLOB=high` on module paths, or
    `@FILE` with such rules; the last rule that matches decides:
    `lm_head=fp8, transformer.h.0.*=high`. Where no rule matches, linear layers
    become FP8, except the LM head: a linear whose result reaches the loss or
    an output through nothing but reshapes, casts and slices. Its gradients
    follow it.

    ```mlir
    // Before
    %h, %mean, %rstd = te.layer_norm %x, %g, %b …
    %u = te.matmul %h, %w … loc("transformer.h.0.mlp.c_fc")
    // After
    %h = te.region high -> (tensor<64x128xbf16>) {
      %0, %mean, %rstd = te.layer_norm %x, %g, %b …
      te.yield %0 : tensor<64x128xbf16>
    }
    %u = te.region fp8 -> (tensor<64x512xbf16>) {
      %0 = te.matmul %h, %w …
      te.yield %0 : tensor<64x512xbf16>
    }
    ```

    Every decision is a remark of category `te-partition`
    (`--remarks-filter=te-partition`).
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"\"",
           "Rules GLOB=fp8|high, separated by commas, or @FILE">,
  ];
  let statistics = [
    Statistic<"numFp8", "fp8", "Ops that run in FP8">,
    Statistic<"numHigh", "high", "Ops with an FP8 form that run in high precision">,
    Statistic<"numRegions", "regions", "Regions made">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEQuantize : Pass<"te-quantize", "::mlir::ModuleOp"> {
  let summary = "Carry out te.region fp8: quantize operands, make scaling explicit";
  let description = [{
    Dissolves every te.region. In fp8 regions each op with an FP8 form
    (Fp8OpInterface) is replaced by it, on operands that te.quantize makes with
    scales that the recipe carries from step to step.

    Each quantized tensor is a slot, a column of the scaling state, named
    `<module path>.input`, `.weight` or `.grad_output`. A value that several ops
    read in one role is quantized once, into the copies that they read. All
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

def TEFuseElementwise : Pass<"te-fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "Join what no te op covers into few linalg.generic ops";
  let description = [{
    Pointwise arithmetic that te-raise left becomes linalg.generic, and chains
    of such ops become one, so that each will be one kernel that reads and
    writes memory once. A producer joins its only reader; truth values are made
    again in every reader. te.add, activations and conversions of type join
    where that saves a pass over memory. Constants of one value become part of
    the arithmetic.

    Before differentiation this also decides what is saved for the backward
    pass: the operands of the joined op, from which its gradient is computed
    anew.

    ```mlir
    %0 = math.exp %x : tensor<64x128xf32>
    %1 = math.log1p %0 : tensor<64x128xf32>
    %2 = te.activation tanh %1 : tensor<64x128xf32> -> y tensor<64x128xf32>
    %y = arith.mulf %x, %2 : tensor<64x128xf32>
    ```
    becomes
    ```mlir
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      %1 = math.log1p %0 : f32
      %2 = math.tanh %1 : f32
      %3 = arith.mulf %in, %2 : f32
      linalg.yield %3 : f32
    } -> tensor<64x128xf32>
    ```
  }];
  let statistics = [
    Statistic<"numGenerics", "generics", "linalg.generic ops that are left">,
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEFuse : Pass<"te-fuse", "::mlir::ModuleOp"> {
  let summary = "Let producers quantize their results and sum their rows";
  let description = [{
    A te.quantize whose operand comes from an op that can quantize it in the
    pass that computes it (QuantizingProducerOpInterface) becomes results of
    that op; the value in high precision stays only where something else reads
    it. The ops that compute the scale are moved before the producer if need be:
    te.update_scales moves before the optimizer, which then writes the FP8
    copies of the new weights.

    A fused producer quantizes its float32 result and not its rounding to bf16,
    and takes the amax of that result, as Transformer Engine does.

    A te.column_sum of an activation_grad's dx becomes its `dbias` result, and
    one of what a te.quantize reads becomes that op's.

    With a cost model (`te.costs`) each of this is done only if it is faster, and
    remarks give both times. They also say what a matrix product's epilogue would
    take that does the work of the activation behind it, which the runtime does
    not use.

    Conversions next to these ops are left out: a te.add or the dx of a
    te.layer_norm_grad that is only widened to float32 is written in float32,
    and float32 values that are narrowed only to be quantized are quantized as
    they are.

    ```mlir
    // Before
    %y = te.activation gelu_tanh %x : tensor<64x512xbf16> -> y tensor<64x512xbf16>
    %q, %qt, %amax = te.quantize %y, %s : tensor<64x512xbf16> -> rowwise … columnwise … amax tensor<f32>
    // After
    %q, %qt, %amax = te.activation gelu_tanh %x quantize(%s) : tensor<64x512xbf16> -> rowwise … columnwise … amax tensor<f32>
    ```
  }];
  let statistics = [
    Statistic<"numQuantized", "quantized", "te.quantize ops taken over by producers">,
    Statistic<"numDbias", "dbias", "te.column_sum ops taken over by other ops">,
    Statistic<"numConversions", "conversions", "Conversions of float types left out">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEFuseLoss : Pass<"te-fuse-loss", "::mlir::ModuleOp"> {
  let summary = "Compute the loss and its gradient in one pass over the logits";
  let description = [{
    A te.cross_entropy whose logits only its gradient reads besides becomes one
    op with it, and the gradient takes the logits' place: a buffer less, and one
    read of it less.

    Logits of more than `max-bytes` are never there whole. Where they come from
    a linear layer in high precision, the rows are cut into parts of equal size,
    a multiple of `row-multiple`; each part's logits, loss, and products are computed
    one part after the other, and the gradient of the weight is summed over
    them.

    Where the number of classes is no multiple of `class-multiple`, the weight
    gets rows of zeros (and the bias zeros) up to the next one, so that the
    products have sizes that tensor cores take; the loss reads a slice of the
    logits and writes its gradient there. The columns behind it are zero, so
    that they add nothing to the gradients.

    With a cost model (`te.costs`) the loss stays apart from its gradient, and
    the classes without padding, where that is faster. The parts are there for
    memory and stay; a remark says what they cost.

    ```mlir
    %l = te.matmul %x, %w {transpose_b} : tensor<16384x768xbf16>, tensor<50257x768xbf16> -> tensor<16384x50257xbf16>
    %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<16384x50257xbf16>, tensor<16384xi64> -> tensor<16384xf32>
    %dl = te.cross_entropy_grad %one, %l, %labels, %lse, %count : …
    %dx = te.matmul %dl, %w {role = #te.role<dgrad>} : …
    %dw = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : …
    ```
    becomes, with `max-bytes` of a GiB,
    ```mlir
    %count = te.count_labels %labels {classes = 50257 : i64} : tensor<16384xi64>
    %x0 = tensor.extract_slice %x[0, 0] [8192, 768] [1, 1] …
    %l0 = te.matmul %x0, %w {transpose_b} : … -> tensor<8192x50257xbf16>
    %dl0, %loss0 = te.cross_entropy_with_grad %one, %labels0, %count, %l0, %zero : …
    %dx0 = te.matmul %dl0, %w {role = #te.role<dgrad>} : …
    %dw0 = te.matmul %dl0, %x0 {role = #te.role<wgrad>, transpose_a} : …
    %l1 = te.matmul %x1, %w {transpose_b} : …
    %dl1, %loss = te.cross_entropy_with_grad %one, %labels1, %count, %l1, %loss0 : …
    %dx1 = te.matmul %dl1, %w {role = #te.role<dgrad>} : …
    %dw = te.matmul %dl1, %x1 addend(%dw0 : …) {role = #te.role<wgrad>, transpose_a} : …
    %dx = tensor.concat dim(0) %dx0, %dx1 : …
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "768 * 1024 * 1024",
           "Bytes of logits that may be there at one time">,
    Option<"rowMultiple", "row-multiple", "int64_t", "128",
           "Rows of a part but the last are a multiple of this: whole tiles of a "
           "matrix product">,
    Option<"classMultiple", "class-multiple", "int64_t", "64",
           "What the number of classes is padded to a multiple of">,
  ];
  let statistics = [
    Statistic<"numFused", "fused", "Losses computed together with their gradient">,
    Statistic<"numParts", "parts", "Parts in which they are computed">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEValidatePrecision : Pass<"te-validate-precision", "::mlir::ModuleOp"> {
  let summary = "Check the invariants of FP8 scaling";
  let description = [{
    An independent check of what te-quantize establishes and te-fuse keeps. It
    changes nothing and fails, naming op and slot, when

    - a region is left over;
    - an operand of te.scaled_matmul or te.dequantize comes neither from a
      quantization nor from an FP8 weight state, or its scale_inv is not the
      reciprocal of the scale that quantized it (same slot, same step);
    - a copy's format is not its slot's, or a size is no multiple of 16;
    - a matmul reads the copy that contracts the wrong dimension: fprop and
      dgrad contract the columns of inputs and gradients, wgrad their rows, and
      fprop and dgrad different dimensions of a weight;
    - in an entry that updates the scales: a slot's amax does not reach its
      position of te.update_scales, a slot has two tensors, a slot that did not
      run has an amax other than zero, or the update reads or returns other
      states than the function's;
    - new weights are quantized with anything but the updated scale, the copies
      are of another value than the new parameter, their amax is not returned
      beside them, or scales are updated without the weights;
    - first copies (`init`) are not quantized with a scale computed from the
      weight and returned in the slot's columns.
  }];
}

#endif // TE_DIALECT_TE_TRANSFORMS_PASSES_TD
