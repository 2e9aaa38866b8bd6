// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program for many ranks.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TEParallelize : Pass<"te-parallelize", "::mlir::ModuleOp"> {
  let summary = "Make entries the program of every rank of a mesh";
  let description = [{
    Gives the module a `shard.grid` with named axes, and entries that update
    parameters the exchanges of its axes. Comes behind `te-add-gradients` and, in
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

def TEReduceAmaxes : Pass<"te-reduce-amaxes", "::mlir::ModuleOp"> {
  let summary = "Scales see the amaxes of all ranks";
  let description = [{
    Ranks of a mesh quantize tensors of their own with scales that are the same on
    all of them, and have to stay so. Where an update of the scales, a record for
    it (RecipeAttrInterface), or a guard of the step (UpdateGuardOpInterface) reads
    amaxes that differ between ranks, it reads their largest instead, and a
    non-finite one on any rank is one on all. It is the exchange that the step has
    already for its loss, which moves in front, so that there is one. Comes behind
    te-quantize; does nothing without a mesh.

    Before:
    ```mlir
    %q, %amax = te.quantize %x, %s : … -> rowwise … amax tensor<f32>
    %s1, %si1, %h1, %n1 = te.update_scales %scales, %si, %h, %n amaxes(%amax) …
    ```
    After:
    ```mlir
    %q, %amax = te.quantize %x, %s : … -> rowwise … amax tensor<f32>
    %max = te.reduce_scalars maxima(%amax) on @mesh axes = [0] -> max tensor<1xf32>
    %of_all = tensor.extract_slice %max[0] [1] [1] : tensor<1xf32> to tensor<f32>
    %s1, %si1, %h1, %n1 = te.update_scales %scales, %si, %h, %n amaxes(%of_all) …
    ```
  }];
  let statistics = [
    Statistic<"numReduced", "reduced", "Amaxes exchanged">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEShardStates : Pass<"te-shard-states", "::mlir::ModuleOp"> {
  let summary = "Data parallel ranks hold parts of parameters and optimizer states";
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
    - What else reads the parameter gets a gathered copy in front of its first
      read, in the type that is enough: where it was truncated, the part is
      truncated, and where it was quantized with a scale made in the step, the part
      is. All entries read copies, since all share the states.
    - The norm of all gradients is made of the parts (te.reduce_norm). With `zero`
      0, which shards nothing, as well: all levels compute the same bits.

    Parameters that no entry updates stay whole, as do small ones, whose exchange
    costs more than they hold: vectors of fewer than 65536 elements, anything else
    of fewer than 512. So does a parameter whose update is not an optimizer's op
    that reads the gradient's sum over the ranks; a remark says which and why. Parts
    are ceil(count / R) elements with zeros beyond the end.

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
           "What is sharded: nothing (0), optimizer states and masters (1)">,
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
  let summary = "Refuse programs whose ranks would drift apart";
  let description = [{
    Says of every value of an entry, for each axis of the mesh, whether all ranks
    along it have the same or each its own, by what it is computed from alone,
    whoever wrote the program: inputs, states of the kinds `gradient` and
    `accumulator`, and the scalar `dropout_seed` are each rank's own; parameters,
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
    - to take for a part in a norm (te.reduce_norm) what is none.

    Changes nothing; does nothing without a mesh.
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
