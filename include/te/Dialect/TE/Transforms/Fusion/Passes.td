// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_FUSION_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEAttachCosts : Pass<"te-attach-costs", "::mlir::ModuleOp"> {
  let summary = "Attach the target's kernel costs to a module";
  let description = [{
    Sets `te.costs` of the module to a cost model of the target, which later
    passes ask before they fuse: te-fuse, te-fuse-loss. The
    target is `target`, or the module's attribute `te.target`; a module with
    neither is an error that lists the targets. `tuning` names a database that
    `te-run tune` wrote: its measurements of the target's devices take
    precedence over the built-in ones. If it has several such devices, the one
    with the most products is taken, or the one whose name begins with `device`.

    A database that is damaged or has no such device is ignored with a warning,
    as in the runtime; an unknown target, or one without measurements, is an
    error. Embedders set `te.costs` to any attribute with
    CostModelAttrInterface, or add a target of their own (TargetInfo.h).

    ```mlir
    module attributes {te.target = "sm_90"} {}
    ```
    becomes
    ```mlir
    module attributes {te.target = "sm_90", te.costs = #te.measured_costs<device = "NVIDIA H200", unaligned = 6.6,
      ceilings = {bytes = 4.01e12, …}, kernels = {…}, epilogues = {…}, benchmarked = {…}, tuned = {…}>} {}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Target of the program; default: the module's te.target">,
    Option<"tuning", "tuning", "std::string", /*default=*/"\"\"",
           "Tuning database of te-run tune">,
    Option<"device", "device", "std::string", /*default=*/"\"\"",
           "Beginning of the name of the device in the database">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEGroupExperts : Pass<"te-group-experts", "::mlir::func::FuncOp"> {
  let summary = "Group the rows of expert products by expert";
  let description = [{
    Sorts the rows of te.expert_matmul by expert, with the rows of each expert at
    a multiple of `alignment`, so that every tile of a matrix kernel multiplies
    with one expert's matrix. Products that read the same experts share one
    te.group_rows. Activations, conversions and generated kernels between two
    such products work on the sorted rows, and rows that a token repeats are
    read from the token.

    ```mlir
    %h = te.expert_matmul %x, %w1 experts(%e) {transpose_b} : tensor<48x32xf32>, tensor<512x32xf32>, tensor<48xi32> -> tensor<48x128xf32>
    %u = te.gated_activation silu %h : tensor<48x128xf32> -> y tensor<48x64xf32>
    %d = te.expert_matmul %u, %w2 experts(%e) {transpose_b} : tensor<48x64xf32>, tensor<128x64xf32>, tensor<48xi32> -> tensor<48x32xf32>
    ```
    becomes
    ```mlir
    %source, %slot, %groups = te.group_rows %e {alignment = 16 : i64, count = 4 : i64} : tensor<48xi32> -> tensor<96xi32>
    %px = te.permute %x, %source : tensor<48x32xf32>, tensor<96xi32> -> y tensor<96x32xf32>
    %h = te.expert_matmul %px, %w1 experts(%groups) {alignment = 16 : i64, transpose_b} : tensor<96x32xf32>, tensor<512x32xf32>, tensor<96xi32> -> tensor<96x128xf32>
    %u = te.gated_activation silu %h : tensor<96x128xf32> -> y tensor<96x64xf32>
    %p = te.expert_matmul %u, %w2 experts(%groups) {alignment = 16 : i64, transpose_b} : tensor<96x64xf32>, tensor<128x64xf32>, tensor<96xi32> -> tensor<96x32xf32>
    %d = te.unpermute %p, %slot : tensor<96x32xf32>, tensor<48xi32> -> tensor<48x32xf32>
    ```

    The alignment is that of the target's kernels: `target`, or else the
    module's attribute `te.target`, or 16 without one. A sum of the rows of
    a token, each times a weight, is left to te.unpermute. Run it behind
    te-fuse-elementwise and before te-differentiate; only grouped products have
    an FP8 form. Entries that keep a cache are left alone without `cached`, as
    te-add-kv-cache asks of each op what it does for one token.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Target of the program; default: the module's te.target">,
    Option<"cached", "cached", "bool", /*default=*/"false",
           "Group in prefill and decode, behind te-add-kv-cache, and not in "
           "other entries">,
  ];
  let statistics = [
    Statistic<"numGrouped", "grouped", "Products whose rows were grouped">,
  ];
}

def TEMergeLinears : Pass<"te-merge-linears", "::mlir::func::FuncOp"> {
  let summary = "Merge linear layers with a common input";
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

    Layers are ops with LinearOpInterface. Only those of one op and form are
    joined whose weights and biases are arguments of the function; parameters
    stay what they are, and so do their names in gradients and checkpoints. The
    product is at the location of all of them, its module path
    "layers.0.attn.{q,k}". Run it before te-differentiate. They are joined
    whatever the target: of the layers of GPT-2, BERT and Llama models on a GPU,
    one product is the faster form, or as good.

    Layers about which different things are decided stay apart: by the rules of
    `policy`, which te-partition gets as well, and by `te.frozen`, which one of
    two weights, or of two biases, has. Rules go by names of layers: without a
    name (te-name-layers) a layer is an error there.

    With `separate-frozen` frozen weights stay apart from each other, too, unless
    a rule keeps them in high precision: FP8 copies of a parameter are made once,
    those of a weight put together of several in every step.

    With `separate-routers` routers of mixtures of experts, which te-partition
    keeps in high precision unless a rule is about them, are joined with each
    other alone.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"\"",
           "Rules of te-partition: GLOB=fp8|high, separated by commas, or @FILE">,
    Option<"separateFrozen", "separate-frozen", "bool", /*default=*/"false",
           "Leave frozen weights that will have FP8 copies apart">,
    Option<"separateRouters", "separate-routers", "bool", /*default=*/"false",
           "Leave routers, which will not be FP8, apart from other layers">,
  ];
  let statistics = [
    Statistic<"numMerged", "merged", "Number of linear layers joined with others">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect"];
}

def TEFuseElementwise : Pass<"te-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise ops into linalg.generic ops";
  let description = [{
    Pointwise arithmetic that te-raise left becomes linalg.generic, and chains
    of such ops become one, so that each will be one kernel that reads and
    writes memory once. A producer joins its only reader; booleans are
    recomputed in every reader. te.add, activations and type conversions join if
    that saves a pass over memory. Constants of one value become part of the
    arithmetic. A reduction only takes in operands that it reads once: the
    operands of a contraction are not recomputed for every product.

    Before differentiation this also decides what is saved for the backward
    pass: the operands of the joined op, from which its gradient is recomputed.

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

def TEFuse : Pass<"te-fuse", "::mlir::func::FuncOp"> {
  let summary = "Fuse quantization, additions and row sums into producers";
  let description = [{
    A te.quantize whose operand comes from an op that can quantize its result in
    the same pass (QuantizingProducerOpInterface) becomes results of that op;
    the value in high precision stays only if something else reads it. The ops
    that compute the scale move before the producer if needed: te.update_scales
    moves before the optimizer, which then writes the FP8 copies of the new
    weights.

    A fused producer quantizes its float32 result and not its rounding to bf16,
    and takes the amax of that result, as Transformer Engine does.

    Where the scale is made of the value's own amax (current scaling), the
    producer computes the value twice and writes it in neither pass: once for
    its amax, then for the copies. That is done where it reads less than three
    times what it writes, so that it is less traffic, and where nothing else
    reads the value.

    A te.column_sum (RowSumOpInterface) becomes a result of the op that writes
    or reads its matrix, if that op can sum rows (RowSummingOpInterface): the
    `dbias` of a te.activation_grad or te.layer_norm_grad whose dx it is, or of
    the te.quantize that reads it.

    A te.add of two values of one type, one of which has no other reader, is
    merged into the op that computes that one (AccumulatingOpInterface): the
    residual becomes the `addend` of a te.scaled_matmul, and the sum is rounded
    once.

    With a cost model (`te.costs`) each fusion is done only if it is faster, and
    remarks give both times. They also give the time of a matrix product whose
    epilogue computes the following activation, which the runtime does not use.

    Adjacent conversions are removed: a te.add or the dx of a te.layer_norm_grad
    that is only widened to float32 is written in float32, and float32 values
    that are narrowed only to be quantized are quantized as they are. What is
    concatenated only to be narrowed, such as the weights of merged layers, is
    narrowed first.

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
    Statistic<"numAdds", "adds", "te.add ops taken over by producers">,
    Statistic<"numConversions", "conversions", "Conversions of float types left out">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

def TEFuseLoss : Pass<"te-fuse-loss", "::mlir::func::FuncOp"> {
  let summary = "Fuse the loss with its gradient";
  let description = [{
    A loss (RowwiseLossOpInterface, such as te.cross_entropy) whose logits are
    otherwise read only by its gradient is fused with it, and the gradient
    replaces the logits: a buffer less, and one read of it less. The gradient
    must be that of the same loss: of the same labels, ignore_index and
    reduction; a remark says where it is not. Other users of the loss, such as
    the division of an all-reduced sum, move after the gradient. Losses with
    sharded classes (te.vocabulary_cross_entropy) need the sums of all ranks
    between the loss and the gradient of a row: those stay two ops, next to each
    other for each slice of the rows.

    Logits of more than `max-bytes` are never materialized in full. If they come
    from a linear layer, the rows are split into slices of equal size, a multiple
    of `row-multiple`; each slice's logits, loss, and products are computed one
    slice after the other, and the gradient of the weight is accumulated.

    If the layer is in FP8, each slice of the gradient of the logits is quantized
    with the one scale of their slot, and the amax of the slot is the largest of
    the slices' amaxes: the copies and the amax are what they are without slices.
    That needs a scale that is there before the gradient, as delayed scaling has
    it. With other recipes the loss stays whole, as where the number of rows is no
    multiple of 16 or the gradient of a bias is summed with the quantization; a
    remark says so. Slices have fewer rows than in high precision, half as many
    with two copies, so that these are within what the logits would take.

    If the number of classes is not a multiple of `class-multiple`, the weight
    is padded with rows of zeros (and the bias with zeros) to the next multiple,
    so that the products have sizes that suit tensor cores (copies in FP8 have
    theirs already); the loss reads a slice of the logits and writes its gradient
    there. The padding columns are zero, so that they add nothing to the
    gradients. A loss without a gradient, that of an evaluation, gets padded
    logits as well.

    With a cost model (`te.costs`) the loss stays apart from its gradient, and
    the classes unpadded, if that is faster. Slices save memory and stay; a
    remark gives their cost.

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
           "Rows of a slice but the last are a multiple of this: full tiles of a "
           "matrix product">,
    Option<"classMultiple", "class-multiple", "int64_t", "64",
           "What the number of classes is padded to a multiple of">,
  ];
  let statistics = [
    Statistic<"numFused", "fused", "Losses computed together with their gradient">,
    Statistic<"numParts", "parts", "Slices in which they are computed">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEFuseAccumulators : Pass<"te-fuse-accumulators", "::mlir::func::FuncOp"> {
  let summary = "Accumulate gradients in the epilogues of matmuls";
  let description = [{
    If a state of the kind `gradient` and a product are added
    (te-accumulate-gradients), and neither has another reader, the state becomes
    the product's `addend`, whose buffer the result reuses: the gradient of one
    microbatch is never materialized. The numbers are the same, because the
    product is added to the addend when its own sum is complete.

    A product that has an addend already, such as the last slice of a split loss
    (te-fuse-loss), keeps its sum apart: with the state at the head of the chain
    the terms would be added in another order. A remark reports this, and also
    products that are sliced before they are added. te.scaled_matmul is fused by
    te-fuse.

    ```mlir
    %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
    %g1 = te.add %g, %dw : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
    ```
    becomes
    ```mlir
    %g1 = te.matmul %dy, %x addend(%g : tensor<32x16xf32>) {role = #te.role<wgrad>, transpose_a}
      : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Products that add to an accumulator">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_FUSION_PASSES_TD
