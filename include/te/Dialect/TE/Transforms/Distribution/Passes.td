// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program for many ranks.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "te/Dialect/TE/Transforms/Distribution/ExchangePasses.td"

def TEShardSequences : Pass<"te-shard-sequences", "::mlir::ModuleOp"> {
  let summary = "Context parallelism: shard sequences over ranks";
  let description = [{
    Gives the module a `shard.grid` with named axes, and, where it has an axis `cp`,
    rewrites the forward computation of every entry into what a rank along it
    computes: all parameters, and a part of the tokens of each sequence. Comes
    behind `te-add-loss` and before `te-shard-model` and `te-add-gradients`. Inputs
    that choose rows of tables get their range (`te.range`), as by `te-shard-model`
    and `te-parallelize`, before a rank has a part of either.

    From the queries of every `te.attention` the pass follows the dimension of
    tokens from op to op, as their ShardableOpInterface says, to producers until
    values are the same on all ranks (inputs, labels, tables of positions), of
    which a rank takes its part, and to readers. An op that mixes tokens and is no
    attention is an error. Keys and values are gathered in front of attention,
    whose queries are then a part (`query_axes`); their cotangents are sums over
    the ranks, of which each gets its part. With causal attention a rank has two
    pieces of each sequence (`balanced`), so that the ranks have as much to
    compute: sequences are a multiple of 2 * cp tokens, else of cp. Outputs are
    gathered, in order.

    The loss is that of the whole batch on every rank. A rank's gradients of
    parameters are terms of sums, which te-parallelize adds with those of the
    ranks along dp. The rank's part of what is computed from parameters alone, such as
    a table of positions, or learned scores of pairs of tokens, is looked up
    (`te.embedding`), so that its gradient is such a term as well.

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
    Statistic<"numShared", "shared", "Entries whose sequences ranks share">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEShardModel : Pass<"te-shard-model", "::mlir::ModuleOp"> {
  let summary = "Tensor and sequence parallelism: shard layers over ranks";
  let description = [{
    Gives the module a `shard.grid` with named axes, and, where it has an axis `tp`,
    rewrites the forward computation of every entry into what a rank along it
    computes. Comes behind `te-add-loss` and before `te-merge-linears` and
    `te-add-gradients`, so that everything behind it sees local shapes.

    Which layers are shared is found by what they compute. From the result of a
    linear layer the pass follows the dimension of features from op to op, as
    their ShardableOpInterface says: through splits, reshapes into heads, rotary
    embeddings, attention, activations. Where it becomes the inner dimension of
    another linear layer, the first is column-parallel (every rank computes some
    features), and the second row-parallel (every rank computes a term of the
    sum). Where an op needs all features, nothing is shared. Then the rows [B * S]
    of those sums are followed the same way: residuals, norms and the loss are
    computed by each rank for a part of the rows (sequence parallel), and layers
    that found no partner are, too, with their whole weight. What is left is
    computed by all ranks, of whole values; a remark (category `te-shard-model`)
    says why.

    The bias of a row-parallel layer is added once, to the residual that is added to
    its sum, which is there before the sum is; where there is none, to the sum.

    Parameters that ranks have parts of are arguments of the part's type with
    `te.shard`. Between parts and whole values are the collectives of `shard`:
    `all_gather` and `all_slice`, and `reduce_scatter` or `all_reduce` behind a sum
    of terms. A whole value is the same on all ranks, and so is its cotangent;
    `te.vary` stands where an op reads a whole value to compute something of its
    own on every rank, and its gradient is a sum over the ranks. te-parallelize
    takes it out when the gradients are there.

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

    The logits of a rank's classes are made for a product whose sizes tensor cores
    take: where their number is none, its part of the head's weight gets rows of
    zeros in the program, up to a multiple of 64 (of 16 where that would be more
    than an eighth), and a bias that makes them no classes
    (`te.vocabulary_cross_entropy` with `rank_classes`).

    Of attention with fewer heads of keys than ranks, which divide the ranks, every
    rank makes all of these of the whole weight, and takes the head that its queries
    read; queries that the same layer makes are whole as well, and a rank takes its
    heads of them. Other attention whose heads the ranks do not divide, and a model
    without such a pair of layers, are errors.

    What `shard` says about a parameter, by a glob on its name, comes first:
    `GLOB=DIM:tp` cuts that dimension, `GLOB=none` leaves the parameter whole. A cut
    goes on from op to op to another layer as those do that the pass finds, or else
    ends behind the ops that read the parameter: what they compute is gathered, or
    added up, there. In the example, `b1=none` leaves both layers whole, because
    the columns of `w1` go with `b1`; `shard=w1=1:tp` makes the first layer
    row-parallel:
    ```mlir
    // %w1: tensor<32x8xf32> {te.shard = #te.shard<shape = [32, 16], dim_axes = 1, dim = 1>, …}
    %part = shard.all_slice %y … slice_axis = 1 : tensor<64x16xf32> -> tensor<64x8xf32>  // its gather and transposes are not shown
    %t = te.matmul %part, %w1 {transpose_b} : tensor<64x8xf32>, tensor<32x8xf32> -> tensor<64x32xf32>
    %u = shard.reduce_scatter %t on @mesh grid_axes = [0] scatter_axis = 0 : tensor<64x32xf32> -> tensor<32x32xf32>
    ```
    Errors: a glob without a parameter, a dimension that a parameter does not have
    or that the ranks do not divide, an axis that the mesh does not have or that is
    not `tp`, two rules for one parameter that differ, and ops that cannot do with
    parts of the parameter. Names count here alone: they are the user's own.
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "",
           "Axes and their numbers of ranks: dp=2,tp=4 (default: one rank, no change)">,
    ListOption<"shard", "shard", "std::string",
               "Parameters that are shared otherwise: GLOB=DIM:AXIS, or GLOB=none "
               "for whole ones">,
  ];
  let statistics = [
    Statistic<"numPairs", "pairs", "Column-parallel layers that meet row-parallel ones">,
    Statistic<"numParameters", "parameters", "Parameters that ranks have parts of">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEParallelize : Pass<"te-parallelize", "::mlir::ModuleOp"> {
  let summary = "Turn entries into SPMD programs of a mesh";
  let description = [{
    Gives the module a `shard.grid` with named axes, and entries that update
    parameters the exchanges of its axes. A mesh that `te-shard-model` has made stays.
    Comes behind `te-add-gradients` and, in
    programs for microbatches, `te-accumulate-gradients`, and before
    `te-clip-gradients`.

    Along `dp` every rank has all parameters and states, and a batch of its own:
    the gradients become their sums over the ranks, and the loss that of all ranks'
    batches. A loss that is a mean is divided late (`te-add-loss=late-division`):
    what it is the mean over is the result `te.loss_divisor`, which becomes that of
    all ranks, so that ranks with few labels that count weigh little. A loss
    without one is a sum, and is added. A `te.gradient_guard` that is not finite on
    one rank is not finite on all. Entries without updates stay as they are: what
    they return is of the rank's batch.

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
    Statistic<"numReduced", "reduced", "Gradients summed over ranks">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def TEExpandVocabulary : Pass<"te-expand-vocabulary", "::mlir::func::FuncOp"> {
  let summary = "Expand vocabulary-parallel losses";
  let description = [{
    Replaces `te.vocabulary_cross_entropy` and its gradient by what they are made
    of, as their descriptions say. Comes behind `te-fuse-loss`, which sees one loss
    and one gradient and may cut their rows into parts; each part then exchanges
    its rows' sums. A head's weight that te-shard-model has padded in float32 is
    padded in the type that it is converted to: only now it is known that it is
    not quantized.

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
    Statistic<"numLosses", "losses", "Losses whose classes ranks share">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def TEShardStates : Pass<"te-shard-states", "::mlir::ModuleOp"> {
  let summary = "Shard parameters and optimizer states over data-parallel ranks";
  let description = [{
    Along `dp` all ranks compute the same new parameters. With `zero` 1 to 3 each
    computes a part of them instead (ZeRO, Rajbhandari and others, 2020): a range
    of the elements of a parameter and of its optimizer's states, which says so
    (`te.shard`). Comes last among the passes that know the graph, behind
    te-quantize and te-fuse.

    - A gradient that was a sum over the ranks becomes the rank's part of it
      (shard.reduce_scatter).
    - The update works on the part. FP8 copies that it makes are those of the part,
      and their bytes are gathered; what is transposed is transposed behind the
      gather, which moves fewer bytes over links than to gather it, too. The amaxes
      of parts become those of the whole in one exchange.
    - Of a weight that is several parameters, one below the other, the rank's rows
      of all are quantized together, and gathered parameter by parameter.
    - What else reads the parameter gets a gathered copy in front of its first
      read, in the type that is enough: where it was truncated, the part is
      truncated, and where it was quantized with a scale made in the step, the part
      is. All entries read copies, since all share the states. Lookups of all ranks
      together of at most half as many rows as the table has do without
      (te.shared_embedding).
    - The norm of all gradients is made of the parts (te.reduce_norm). With `zero`
      0, which shards nothing, as well: all levels compute the same bits.

    A table that a step looks up whole in a narrower type than its own is gathered
    where nothing is computed yet. With `zero` 1 and 2 it is gathered at the end of
    the step before instead, behind its update and beside the other ones: its copy in
    that type is a state of every rank (kind `weight_copy`), which whoever reads it in
    that type reads. Where the head reads the table with rows of zeros below it, these
    are in the copy. The entry `init` makes the first one, and is added where there is
    none.

    From `zero` 2 on, sums of gradients over microbatches (states of the kind
    `gradient`) are parts, too: gradients are scattered before they are added,
    which te-fuse-accumulators must not have fused. With `zero` 3, so are FP8 copies
    that are states; a columnwise one is no state any more, but a transpose of the
    gathered rowwise one; and a gathered copy lives only around its reads, so that
    it is gathered again for the backward pass.

    Parameters that no entry updates stay whole, as do small ones, whose exchange
    costs more than they hold: vectors of fewer than 65536 elements, anything else
    of fewer than 512; and of fewer than 2^20, what entries only add to something
    (te.add), such as a table of positions: a step would begin with its gather, and
    nothing runs beside that. So does a parameter whose update is not an optimizer's
    op that reads the gradient's sum over the ranks; a remark says which and why.
    Parts are ceil(count / R) elements with zeros beyond the end.

    Does nothing without a mesh, or where one rank is all there are along `dp`.

    Before:
    ```mlir
    func.func @train(…, %w: tensor<256x128xf32> {te.param = "w"}, …) {
      %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
      …
      %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<256x128xf32> -> tensor<256x128xf32>
      %norm = te.global_norm %dw : tensor<256x128xf32>
      %w1, %m1, %v1 = te.adamw %w, %m, %v, %dw … : tensor<256x128xf32>, tensor<256x128xf32>
    ```
    After `--te-shard-states` for dp=2:
    ```mlir
    func.func @train(…, %w: tensor<128x128xf32> {te.param = "w", te.shard = #te.shard<shape = [256, 128], flat_axes = 1>}, …) {
      %p = arith.truncf %w : tensor<128x128xf32> to tensor<128x128xbf16>
      %wb = shard.all_gather %p on @mesh grid_axes = [0] gather_axis = 0 : tensor<128x128xbf16> -> tensor<256x128xbf16>
      …
      %dw = shard.reduce_scatter %g on @mesh grid_axes = [0] scatter_axis = 0 : tensor<256x128xf32> -> tensor<128x128xf32>
      %norm = te.reduce_norm %dw is_part = [1] on @mesh axes = [0] : tensor<128x128xf32>
      %w1, %m1, %v1 = te.adamw %w, %m, %v, %dw … : tensor<128x128xf32>, tensor<128x128xf32>
    ```
  }];
  let options = [
    Option<"zero", "zero", "unsigned", "1",
           "What is sharded: nothing (0), optimizer states and masters (1), sums "
           "of gradients over microbatches (2), copies of weights (3)">,
  ];
  let statistics = [
    Statistic<"numSharded", "sharded", "Parameters that ranks hold parts of">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEValidateSPMD : Pass<"te-validate-spmd", "::mlir::ModuleOp"> {
  let summary = "Verify that replicated values stay equal on all ranks";
  let description = [{
    Says of every value of an entry, for each axis of the mesh, whether all ranks
    along it have the same or each its own, by what it is computed from alone,
    whoever wrote the program: inputs, states of the kinds `gradient` and
    `accumulator`, and the scalar `dropout_seed` are each rank's own, but the same
    along `tp`; what ranks have parts of along `dim_axes` of its `te.shard` is each
    rank's own there, and so is what they scatter or slice along `tp`; parameters,
    all other scalars and all other states are the same, or parts of one tensor
    along `flat_axes` of their `te.shard`; a collective makes its result the same
    along its axes, or parts of one tensor (shard.reduce_scatter); ops that work
    element by element make parts of parts; any other op has results of its own
    where it reads one that is. Then it is an error

    - to return a new parameter or state that ranks would not agree about, that is
      a part without saying so, or that says so and is none,
    - to sum over ranks what is the same on all of them: the sum is a multiple, or
      what are parts of one tensor,
    - to read a part where the whole is meant: in any op that does not work element
      by element and does not reduce it to scalars,
    - to take for a part in a norm (te.reduce_norm) what is none,
    - to gather FP8 copies that ranks quantized with scales of their own.

    Changes nothing; does nothing without a mesh.
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
