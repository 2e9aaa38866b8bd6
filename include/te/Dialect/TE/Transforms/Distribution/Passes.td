// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that parallelize a program over ranks.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "te/Dialect/TE/Transforms/Distribution/CollectivePasses.td"

def TEAddKvCache : Pass<"te-add-kv-cache", "::mlir::ModuleOp"> {
  let summary = "Generation of text: make prefill and decode of the forward pass";
  let description = [{
    Rewrites the entries `prefill` and `decode`, copies of the forward pass of a
    causal language model for token ids [B,S], into the two halves of
    generation with a cache of keys and values (KV cache):

    | entry | inputs | results |
    |---|---|---|
    | `prefill` | ids [B,S], `positions` [B] | the outputs at one token of each sequence, that at its position; keys and values of all S tokens |
    | `decode` | ids [B,1], the token of each sequence at its position, `positions` [B] | the outputs at it; the caches with its keys and values |

    The caches are states of the kind `kv_cache`, `cache.N.keys` and
    `cache.N.values` of the N-th `te.attention` that reads keys of tokens, in
    the types that it reads: bf16 where it computes in that. They are zero at
    first, and are not saved in checkpoints. What a cache has behind a
    sequence's position is not read.

    From the queries of every `te.attention` the pass follows the token
    dimension from op to op, as te-shard-sequences does (ShardableOpInterface).
    In `decode` these ops compute one token. Attention sees keys up to its
    position: `lengths` takes the place of `causal`, and a bias of -infinity
    that of `window`. What depends on positions alone (tables of rope, learned
    positions, biases) is looked up by position (`te.embedding`). In `prefill`
    only what comes behind the last keys and values is computed for one token,
    such as the head.

    An op that mixes tokens in another way is an error that names it, as is
    attention that is not causal. So are other inputs than ids, outputs that are
    not made token by token, and, for B > 1, positions that an op reads in a
    form that has no place for those of several sequences. Runs behind
    `te-set-compute-type`, which chooses the type of keys and values.

    Before:
    ```mlir
    func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, …) -> (tensor<1x8x96xf32> {te.output = "logits"}) {
      %q = te.rope %x, %cos, %sin : tensor<1x8x2x16xf32>, tensor<8x8xf32>, tensor<8x8xf32> -> tensor<1x8x2x16xf32>
      %o, %lse = te.attention %q, %k, %v {causal, scale = 0.25 : f32}
        : tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32> -> tensor<1x8x2x16xf32>, tensor<1x2x8xf32>
    ```
    After:
    ```mlir
    func.func @decode(%ids: tensor<1x1xi64> {te.input = "ids"}, %positions: tensor<1xi64> {te.input = "positions"}, …,
        %keys: tensor<1x8x2x16xf32> {te.init = 0.0 : f32, te.kind = "kv_cache", te.state = "cache.0.keys"}, …)
        -> (tensor<1x1x96xf32> {te.output = "logits"},
            tensor<1x8x2x16xf32> {te.kind = "kv_cache", te.state = "cache.0.keys"}, …) {
      %own_cos = te.embedding %positions, %cos : tensor<1xi64>, tensor<8x8xf32> -> tensor<1x8xf32>
      %q = te.rope %x, %own_cos, %own_sin : tensor<1x1x2x16xf32>, tensor<1x8xf32>, tensor<1x8xf32> -> tensor<1x1x2x16xf32>
      %new_keys = linalg.generic …  // %k at the position, %keys elsewhere
      %o, %lse = te.attention %q, %new_keys, %new_values lengths(%lengths : tensor<1xi64>) {scale = 0.25 : f32}
        : tensor<1x1x2x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32> -> tensor<1x1x2x16xf32>, tensor<1x2x1xf32>
    ```
  }];
  let statistics = [
    Statistic<"numCaches", "caches", "Caches of keys or values">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def TEShardSequences : Pass<"te-shard-sequences", "::mlir::ModuleOp"> {
  let summary = "Context parallelism: shard sequences over ranks";
  let description = [{
    Gives the module a `shard.grid` with named axes and, if it has an axis `cp`,
    rewrites the forward computation of every entry into that of a rank along
    it: with all parameters, and a shard of the tokens of each sequence. Runs
    after `te-add-loss` and before `te-shard-model` and `te-add-gradients`.
    Inputs that index tables get their range (`te.range`), as by
    `te-shard-model` and `te-parallelize`, before either is sharded.

    From the queries of every `te.attention` the pass follows the token
    dimension from op to op, as their ShardableOpInterface says, to producers
    until values are replicated (inputs, labels, tables of positions), of which
    a rank takes its shard, and to readers. An op other than attention that
    mixes tokens is an error. Keys and values are gathered before attention,
    whose queries are then sharded (`query_axes`); their cotangents are
    reduce-scattered. With causal attention a rank has two pieces of each
    sequence (`balanced`), so that the ranks have equal work: sequences are a
    multiple of 2 * cp tokens, else of cp. Outputs are gathered, in order.

    The loss is that of the full batch on every rank. A rank's gradients of
    parameters are terms of sums, which te-parallelize adds with those of the
    ranks along dp. The rank's shard of a value computed from parameters alone,
    such as a table of positions, or learned scores of pairs of tokens, is
    looked up (`te.embedding`), so that its gradient is such a term as well.

    Before:
    ```mlir
    %a = te.add %x, %pos : tensor<16x32xf32>, tensor<8x32xf32> -> tensor<16x32xf32>  // %x = te.embedding %ids, %wte
    …
    %o, %lse = te.attention %q, %k, %v {causal, scale = 0.25 : f32}
      : tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32> -> tensor<2x8x2x16xf32>, tensor<2x2x8xf32>
    ```
    After `--te-shard-sequences=mesh=cp=2`:
    ```mlir
    shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
    …
    %own_ids = te.all_slice_sequence %ids on @mesh axes = [0] dim = 1 {balanced} : tensor<2x8xi64> -> tensor<2x4xi64>
    %own_pos = te.embedding %own_positions, %pos : tensor<4xi64>, tensor<8x32xf32> -> tensor<4x32xf32>
    %a = te.add %x, %own_pos : tensor<8x32xf32>, tensor<4x32xf32> -> tensor<8x32xf32>
    …
    %all = te.all_gather_sequence %own_k on @mesh axes = [0] dim = 1 {balanced} : tensor<2x4x2x16xf32> -> tensor<2x8x2x16xf32>
    %k = te.vary %all on @mesh axes = [0] : tensor<2x8x2x16xf32>
    %o, %lse = te.attention %q, %k, %v {balanced, causal, query_axes = 1 : i32, scale = 0.25 : f32}
      : tensor<2x4x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32> -> tensor<2x4x2x16xf32>, tensor<2x2x4xf32>
    ```
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "",
           "Axes and their numbers of ranks: dp=2,cp=4 (default: one rank, no change)">,
  ];
  let statistics = [
    Statistic<"numShared", "shared", "Entries whose sequences are sharded">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEShardExperts : Pass<"te-shard-experts", "::mlir::ModuleOp"> {
  let summary = "Expert parallelism: shard the experts of mixtures over ranks";
  let description = [{
    Gives the module a `shard.grid` with named axes and, if it has an axis `ep`,
    rewrites the forward computation of every entry into that of a rank along
    it: with batches of its own, and count / ep consecutive experts of every
    mixture (te.expert_matmul). Runs after `te-shard-model` and before
    `te-group-experts` and `te-add-gradients`.

    A rank sorts its rows by the rank of their expert, and sends each rank
    those of its experts, with the expert's number (`shard.all_to_all`). What
    comes back is in the order of what was sent. Activations, conversions and
    generated kernels between two products of the same experts work where the
    experts are, as in te-group-experts, which sorts the received rows. The
    gradient of an exchange is an exchange; the gradients of a rank's experts are
    complete on that rank, and te-parallelize sums those of all other parameters
    over `ep`, as over `dp`.

    Ranks exchange buffers of one size: each rank can send `rows` rows to each
    other one, all that it has, or with `capacity` C > 0 C · rows / ep. A row for
    which its expert's rank has no space is dropped: its products are zero.

    Before:
    ```mlir
    %h = te.expert_matmul %x, %w experts(%e) {transpose_b} : tensor<32x16xf32>, tensor<96x16xf32>, tensor<32xi32> -> tensor<32x24xf32>
    ```
    After `--te-shard-experts=mesh=ep=2`, for four experts:
    ```mlir
    shard.grid @mesh(shape = 2) {te.axes = ["ep"]}
    // %w: tensor<48x16xf32> {te.shard = #te.shard<shape = [96, 16], dim_axes = 1>, …}
    %source, %slot, %groups = te.group_rows %e {alignment = 1 : i64, count = 4 : i64, ranks = 2 : i64} : tensor<32xi32> -> tensor<64xi32>
    %y = te.permute %x, %source : tensor<32x16xf32>, tensor<64xi32> -> y tensor<64x16xf32>
    %a = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x16xf32> -> tensor<64x16xf32>
    %g = shard.all_to_all %groups on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64xi32> -> tensor<64xi32>
    %d = te.expert_matmul %a, %w experts(%g) {transpose_b} : tensor<64x16xf32>, tensor<48x16xf32>, tensor<64xi32> -> tensor<64x24xf32>
    %b = shard.all_to_all %d on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x24xf32> -> tensor<64x24xf32>
    %h = te.unpermute %b, %slot : tensor<64x24xf32>, tensor<32xi32> -> tensor<32x24xf32>
    ```

    A product whose experts the ranks do not divide, or whose matrices are not
    made of one parameter by moving elements, stays as it is, with all experts
    on every rank; a remark (category `te-shard-experts`) says why. Errors: no
    product that ranks could share, entries that keep a cache, and entries that
    return the gradients of a rank's batch.
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "",
           "Axes and their numbers of ranks: dp=2,ep=4 (default: one rank, no change)">,
    Option<"capacity", "capacity", "double", "0.0",
           "Rows that a rank can send to another, as a multiple of an equal "
           "share of its rows; 0: all of them">,
  ];
  let statistics = [
    Statistic<"numShared", "shared", "Parameters whose experts are shared">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def TEShardModel : Pass<"te-shard-model", "::mlir::ModuleOp"> {
  let summary = "Tensor and sequence parallelism: shard layers over ranks";
  let description = [{
    Gives the module a `shard.grid` with named axes and, if it has an axis `tp`,
    rewrites the forward computation of every entry into that of a rank along
    it. Runs after `te-add-loss` and before `te-merge-linears` and
    `te-add-gradients`, so that all later passes see local shapes.

    Layers to shard are found by their computation. From the result of a linear
    layer the pass follows the feature dimension from op to op, as their
    ShardableOpInterface says: through splits, reshapes into heads, rotary
    embeddings, attention, activations. If it becomes the inner dimension of
    another linear layer, the first is column-parallel (every rank computes some
    features), and the second row-parallel (every rank computes a term of the
    sum). If an op needs all features, nothing is sharded. Then the rows [B * S]
    of those sums are followed the same way: each rank computes residuals, norms
    and the loss for a shard of the rows (sequence parallel), and layers that
    found no partner, too, with their full weight. The rest is replicated; a
    remark (category `te-shard-model`) says why.

    The bias of a row-parallel layer is added once: to the residual that is
    added to its sum, which is available before the sum; without a residual, to
    the sum.

    Sharded parameters are arguments of the shard's type with `te.shard`.
    Between sharded and replicated values are the collectives of `shard`:
    `all_gather` and `all_slice`, and `reduce_scatter` or `all_reduce` after a
    sum of terms. The cotangent of a replicated value is replicated, too; where
    an op reads a replicated value to compute something different on every rank,
    `te.vary` makes its gradient a sum over the ranks. te-parallelize removes it
    once the gradients exist.

    Before:
    ```mlir
    %y = … : tensor<64x16xf32>
    %u = te.matmul %y, %w1 bias(%b1 : tensor<32xf32>) {transpose_b} : tensor<64x16xf32>, tensor<32x16xf32> -> tensor<64x32xf32>
    %a = te.activation gelu_tanh %u : tensor<64x32xf32> -> y tensor<64x32xf32>
    %d = te.matmul %a, %w2 bias(%b2 : tensor<16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
    %z = te.add %x, %d : tensor<64x16xf32>, tensor<64x16xf32> -> tensor<64x16xf32>
    ```
    After `--te-shard-model=mesh=tp=2`:
    ```mlir
    shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
    // %w1: tensor<16x16xf32> {te.shard = #te.shard<shape = [32, 16], dim_axes = 1>, …}
    // %w2: tensor<16x16xf32> {te.shard = #te.shard<shape = [16, 32], dim_axes = 1, dim = 1>, …}
    %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<32x16xf32> -> tensor<64x16xf32>
    %v = te.vary %all on @mesh axes = [0] : tensor<64x16xf32>
    %u = te.matmul %v, %w1 bias(%b1 : tensor<16xf32>) {transpose_b} : tensor<64x16xf32>, tensor<16x16xf32> -> tensor<64x16xf32>
    %a = te.activation gelu_tanh %u : tensor<64x16xf32> -> y tensor<64x16xf32>
    %t = te.matmul %a, %w2 {transpose_b} : tensor<64x16xf32>, tensor<16x16xf32> -> tensor<64x16xf32>
    %d = shard.reduce_scatter %t on @mesh grid_axes = [0] scatter_axis = 0 : tensor<64x16xf32> -> tensor<32x16xf32>
    %vb = te.vary %b2 on @mesh axes = [0] : tensor<16xf32>
    %row = tensor.expand_shape %vb [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
    %xb = te.add %x, %row : tensor<32x16xf32>, tensor<1x16xf32> -> tensor<32x16xf32>
    %z = te.add %xb, %d : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
    ```

    The logits of a rank's classes are padded to a size that suits tensor cores:
    its shard of the head's weight gets rows of zeros in the program, up to a
    multiple of 64 (of 16 if that would be more than an eighth), and a bias that
    excludes these classes (`te.vocabulary_cross_entropy` with `rank_classes`).

    For attention with fewer key heads than ranks, which divide the ranks, every
    rank computes all key heads from the full weight and takes the head that its
    queries read; queries made by the same layer are replicated as well, and a
    rank takes its heads of them. Other attention whose heads the ranks do not
    divide, and a model without such a pair of layers, are errors.

    Rules in `shard`, by a glob on the parameter's name, come first:
    `GLOB=DIM:tp` shards that dimension, `GLOB=none` replicates the parameter.
    Such a sharding propagates from op to op to another layer like those that
    the pass finds, or else ends after the ops that read the parameter: their
    results are gathered, or reduced, there. In the example, `b1=none`
    replicates both layers, because the columns of `w1` go with `b1`;
    `shard=w1=1:tp` makes the first layer row-parallel:
    ```mlir
    // %w1: tensor<32x8xf32> {te.shard = #te.shard<shape = [32, 16], dim_axes = 1, dim = 1>, …}
    %part = shard.all_slice %y … slice_axis = 1 : tensor<64x16xf32> -> tensor<64x8xf32>  // its gather and transposes are not shown
    %t = te.matmul %part, %w1 {transpose_b} : tensor<64x8xf32>, tensor<32x8xf32> -> tensor<64x32xf32>
    %u = shard.reduce_scatter %t on @mesh grid_axes = [0] scatter_axis = 0 : tensor<64x32xf32> -> tensor<32x32xf32>
    ```
    Errors: a glob that matches no parameter, a dimension that a parameter does
    not have or that the ranks do not divide, an axis that the mesh does not
    have or that is not `tp`, two contradicting rules for one parameter, and ops
    that cannot work on shards of the parameter. Only these rules depend on
    names, which are the user's own.
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "",
           "Axes and their numbers of ranks: dp=2,tp=4 (default: one rank, no change)">,
    ListOption<"shard", "shard", "std::string",
               "Rules for sharding parameters: GLOB=DIM:AXIS, or GLOB=none "
               "to replicate them">,
  ];
  let statistics = [
    Statistic<"numPairs", "pairs", "Column-parallel layers paired with row-parallel ones">,
    Statistic<"numParameters", "parameters", "Parameters that are sharded">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEParallelize : Pass<"te-parallelize", "::mlir::ModuleOp"> {
  let summary = "Turn entries into SPMD programs of a mesh";
  let description = [{
    Gives the module a `shard.grid` with named axes, and entries that update
    parameters the collectives of its axes. A mesh made by `te-shard-model`
    stays. Runs after `te-add-gradients` and, in programs for microbatches,
    `te-accumulate-gradients`, and before `te-clip-gradients`.

    Along `dp` every rank has all parameters and states, and its own batch:
    gradients are all-reduced, and the loss is that of all ranks' batches. A
    loss that is a mean is divided late (`te-add-loss=late-division`): the
    number of its terms is the result `te.loss_divisor`, which becomes that of
    all ranks, so that ranks with few labels that count weigh little. A loss
    without one is a sum, and is added. A `te.gradient_guard` that is not finite
    on one rank is not finite on all. Entries without updates stay as they are:
    they return results of the rank's batch.

    Before:
    ```mlir
    func.func @train(…) -> (tensor<f32> {te.output = "loss"},
        tensor<f32> {te.loss_divisor, te.output = "count"},
        tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"}) attributes {te.entry = "train"} {
      …
      return %loss, %count, %dw : tensor<f32>, tensor<f32>, tensor<32x16xf32>
    }
    ```
    After `--te-parallelize=mesh=dp=2`:
    ```mlir
    shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
    func.func @train(…) -> (…) attributes {te.entry = "train"} {
      …
      %sum_w = shard.all_reduce %dw on @mesh grid_axes = [0] : tensor<32x16xf32> -> tensor<32x16xf32>
      %term = arith.mulf %loss, %count : tensor<f32>
      %sum = te.reduce_scalars sums(%term, %count) on @mesh axes = [0] -> sum tensor<2xf32>
      %total = tensor.extract_slice %sum[0] [1] [1] : tensor<2xf32> to tensor<f32>
      %terms = tensor.extract_slice %sum[1] [1] [1] : tensor<2xf32> to tensor<f32>
      %mean = …  // %total / %terms, 0 of nothing
      return %mean, %terms, %sum_w : tensor<f32>, tensor<f32>, tensor<32x16xf32>
    }
    ```
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "",
           "Axes and their numbers of ranks: dp=2 (default: one rank, no change)">,
  ];
  let statistics = [
    Statistic<"numReduced", "reduced", "Gradients reduced over ranks">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def TEExpandVocabulary : Pass<"te-expand-vocabulary", "::mlir::func::FuncOp"> {
  let summary = "Expand vocabulary-parallel losses";
  let description = [{
    Replaces `te.vocabulary_cross_entropy` and its gradient by the ops given in
    their descriptions. Runs after `te-fuse-loss`, which sees one loss and one
    gradient and may split their rows; the sums of each piece are then
    all-reduced separately. A head's weight that te-shard-model has padded in
    float32 is padded in the type that it is converted to: only now is it known
    not to be quantized.

    Before:
    ```mlir
    %loss, %lse = te.vocabulary_cross_entropy %l, %labels on @mesh axes = [0] {classes = 509 : i64, rank_classes = 255 : i64}
      : tensor<128x256xbf16>, tensor<128xi64> -> tensor<128xf32>
    %dl = te.vocabulary_cross_entropy_grad %one, %l, %labels, %lse on @mesh axes = [0] {…}
      : tensor<128x256xbf16>, tensor<128xi64>, tensor<128xf32>
    ```
    After:
    ```mlir
    %own = …         // the labels of this rank's classes, -1 for others
    %l0, %lse0, %c = te.cross_entropy %l, %own {ignore_index = -1 : i64, reduction = #te.reduction<sum>} : …
    %all = shard.all_gather %lse0 on @mesh grid_axes = [0] gather_axis = 0 : tensor<128xf32> -> tensor<256xf32>
    %lse = …         // log(Σ exp) of the ranks' parts of %all
    %loss = …        // %l0 + Σ (%lse - %lse0) of rows whose label is this rank's
    %first = …       // the labels of this rank's classes, 0 for others
    %dl0 = te.cross_entropy_grad %one, %l, %first, %lse, %one {ignore_index = -1 : i64, reduction = #te.reduction<sum>} : …
    %dl = …          // %dl0, its first column computed anew where the label is another rank's
    ```
  }];
  let statistics = [
    Statistic<"numLosses", "losses", "Losses with sharded classes">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def TEShardStates : Pass<"te-shard-states", "::mlir::ModuleOp"> {
  let summary = "Shard parameters and optimizer states over data-parallel ranks";
  let description = [{
    Along `dp` all ranks compute the same new parameters. With `zero` 1 to 3
    each computes a shard of them instead (ZeRO, Rajbhandari and others, 2020):
    a range of the elements of a parameter and of its optimizer's states,
    annotated with `te.shard`. Runs last among the passes that know the graph,
    after te-quantize and te-fuse.

    - A gradient that was a sum over the ranks becomes the rank's shard of it
      (shard.reduce_scatter).
    - The update works on the shard. FP8 copies that it makes are those of the
      shard, and their bytes are gathered; transposes are made after the gather,
      which moves fewer bytes over links than gathering them, too. One
      all-reduce turns the amaxes of shards into those of full tensors.
    - For a weight that concatenates several parameters, the rank's rows of all
      are quantized together, and gathered parameter by parameter.
    - Other readers of the parameter get a gathered copy before its first read,
      in the narrowest type that suffices: where it was truncated, the shard is
      truncated, and where it was quantized with a scale made in the step, the
      shard is. All entries read copies, since all share the states. Lookups of
      all ranks together of at most half as many rows as the table has need none
      (te.shared_embedding).
    - The norm of all gradients is computed from the shards (te.reduce_norm),
      also with `zero` 0, which shards nothing: all levels compute the same
      bits.

    A table that a step looks up in full, in a narrower type than its own, would
    be gathered when there is nothing to overlap. With `zero` 1 and 2 it is
    gathered at the end of the previous step instead, after its update and along
    with the other gathers: its copy in that type is a replicated state (kind
    `weight_copy`), which readers in that type use. If the head reads the table
    padded with rows of zeros, the copy includes them. The entry `init` makes
    the first copy, and is added if missing.

    From `zero` 2 on, sums of gradients over microbatches (states of the kind
    `gradient`) are sharded, too: gradients are scattered before they are added,
    so te-fuse-accumulators must not have fused them. With `zero` 3, FP8 copies
    that are states are sharded as well; a columnwise one is no longer a state,
    but a transpose of the gathered rowwise one; and a gathered copy lives only
    around its reads, so that it is gathered again for the backward pass.

    Parameters that no entry updates stay replicated, as do small ones, whose
    collectives cost more than they save: vectors of fewer than 65536 elements,
    anything else of fewer than 512; and parameters of fewer than 2^20 elements
    that entries only add (te.add), such as a table of positions: a step would
    begin with its gather, with nothing to overlap. So does a parameter whose
    update is not an optimizer op that reads the gradient's sum over the ranks;
    a remark says which and why. Shards are ceil(count / R) elements with zeros
    beyond the end.

    Does nothing without a mesh, or with a single rank along `dp`.

    Before:
    ```mlir
    func.func @train(…, %w: tensor<256x128xf32> {te.param = "w"}, …) {
      %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
      …
      %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<256x128xf32> -> tensor<256x128xf32>
      %norm = te.global_norm %dw : tensor<256x128xf32>
      %w1, %m1, %v1 = te.update #te.adamw %w states(%m, %v) gradient(%dw) … : tensor<256x128xf32>, tensor<256x128xf32>
    ```
    After `--te-shard-states` for dp=2:
    ```mlir
    func.func @train(…, %w: tensor<128x128xf32> {te.param = "w", te.shard = #te.shard<shape = [256, 128], flat_axes = 1>}, …) {
      %p = arith.truncf %w : tensor<128x128xf32> to tensor<128x128xbf16>
      %wb = shard.all_gather %p on @mesh grid_axes = [0] gather_axis = 0 : tensor<128x128xbf16> -> tensor<256x128xbf16>
      …
      %dw = shard.reduce_scatter %g on @mesh grid_axes = [0] scatter_axis = 0 : tensor<256x128xf32> -> tensor<128x128xf32>
      %norm = te.reduce_norm %dw is_part = [1] on @mesh axes = [0] : tensor<128x128xf32>
      %w1, %m1, %v1 = te.update #te.adamw %w states(%m, %v) gradient(%dw) … : tensor<128x128xf32>, tensor<128x128xf32>
    ```
  }];
  let options = [
    Option<"zero", "zero", "unsigned", "1",
           "What is sharded: nothing (0), optimizer states and masters (1), sums "
           "of gradients over microbatches (2), copies of weights (3)">,
  ];
  let statistics = [
    Statistic<"numSharded", "sharded", "Parameters that are sharded">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEValidateSPMD : Pass<"te-validate-spmd", "::mlir::ModuleOp"> {
  let summary = "Verify that replicated values stay equal on all ranks";
  let description = [{
    For every value of an entry and each axis of the mesh, derives from its
    computation alone, independent of the passes that built the program, whether
    the ranks along the axis have equal values or different ones. Inputs, states
    of the kinds `gradient`, `accumulator` and `guard`, and the scalar `dropout_seed`
    differ, but are equal along `tp`; shards along `dim_axes` of `te.shard`
    differ, and so do results of scatters and slices along `tp`; parameters, all
    other scalars and all other states are equal, or shards of one tensor along
    `flat_axes` of their `te.shard`; a collective makes its result equal along
    its axes, or shards of one tensor (shard.reduce_scatter); elementwise ops
    make shards from shards; any other op has different results if an operand
    differs. Then it is an error

    - to return a new parameter or state that differs between ranks, that is a
      shard without `te.shard`, or that has `te.shard` and is none,
    - to sum over ranks a value that is equal on all of them, since the sum is a
      multiple, or shards of one tensor,
    - to read a shard as the full tensor: in any op that is not elementwise and
      does not reduce it to scalars,
    - to declare as a shard in a norm (te.reduce_norm) a value that is none,
    - to gather FP8 copies that ranks quantized with different scales,
    - to update scales, or to record for an update, an amax that differs between
      ranks.

    Changes nothing; does nothing without a mesh.
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
