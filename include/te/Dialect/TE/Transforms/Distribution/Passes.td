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

def TEValidateSPMD : Pass<"te-validate-spmd", "::mlir::ModuleOp"> {
  let summary = "Refuse programs whose ranks would drift apart";
  let description = [{
    Says of every value of an entry, for each axis of the mesh, whether all ranks
    along it have the same or each its own, by what it is computed from alone,
    whoever wrote the program: inputs, states of the kinds `gradient` and
    `accumulator`, and the scalar `dropout_seed` are each rank's own; parameters,
    all other scalars and all other states are the same; a collective makes its result the same along its axes; any other
    op has results of its own where it reads one that is. Then it is an error

    - to return a new parameter or state that ranks would not agree about,
    - to sum over ranks what is the same on all of them: the sum is a multiple.

    Changes nothing; does nothing without a mesh.
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_TD
