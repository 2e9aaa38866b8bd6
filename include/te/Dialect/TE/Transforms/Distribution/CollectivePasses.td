// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on collectives: their data, and their schedule.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_COLLECTIVEPASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_COLLECTIVEPASSES_TD

include "mlir/Pass/PassBase.td"

def TEExchangeQuantized : Pass<"te-exchange-quantized", "::mlir::func::FuncOp"> {
  let summary = "Exchange rows of experts in FP8";
  let description = [{
    Rows that ranks along `ep` exchange (te-shard-experts) and then sort and
    quantize are quantized by the rank that sends them: half as many bytes
    as in bf16 are exchanged. All ranks have one scale, so the bytes are those
    that the receiver would make, and the largest amax of all ranks is the same.
    The receiver sorts codes (`te.take_rows`), and transposes them for the gradient
    of the experts' weights. Runs behind `te-quantize` and before `te-fuse`, which
    quantizes rows as they are sorted for sending.

    ```mlir
    %a = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
    %p = te.permute %a, %source : tensor<64x32xbf16>, tensor<96xi32> -> y tensor<96x32xbf16>
    %q, %qt, %amax = te.quantize %p, %s : tensor<96x32xbf16> -> rowwise tensor<96x32xf8E4M3FN> columnwise tensor<32x96xf8E4M3FN> amax tensor<f32>
    ```
    becomes
    ```mlir
    %c, %amax = te.quantize %y, %s : tensor<64x32xbf16> -> rowwise tensor<64x32xf8E4M3FN> amax tensor<f32>
    %a = shard.all_to_all %c on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xf8E4M3FN> -> tensor<64x32xf8E4M3FN>
    %q = te.take_rows %a, %source : tensor<64x32xf8E4M3FN>, tensor<96xi32> -> tensor<96x32xf8E4M3FN>
    %qt = linalg.transpose ins(%q : tensor<96x32xf8E4M3FN>) outs(%e : tensor<32x96xf8E4M3FN>) permutation = [1, 0]
    ```

    Rows stay as they are, with a remark that says why, if another op reads them,
    if their number would be padded, if ranks have scales of their own, or if
    there are more copies than bytes in a value.
  }];
  let statistics = [
    Statistic<"numExchanged", "exchanged", "Matrices whose rows are exchanged in FP8">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::shard::ShardDialect", "::mlir::tensor::TensorDialect"];
}

def TEGatherQuantized : Pass<"te-gather-quantized", "::mlir::func::FuncOp"> {
  let summary = "Gather quantized shards instead of wider ones";
  let description = [{
    If rows are gathered only to be quantized, each rank quantizes its own rows
    and the FP8 bytes of the rowwise copies are gathered: half as many as of
    bf16, made by the pass that computes the rows (te-fuse, which runs later).
    All rows have one scale, so the bytes are the same. Runs after te-quantize
    and before te-fuse; te-reduce-amaxes all-reduces the amaxes, which are now
    those of shards. If a scale is made from the amax of the full matrix
    (current scaling), that amax is all-reduced here.

    A columnwise copy is transposed from the gathered rows where it is read. If
    the module's cost model (te-attach-costs) and the links of `cluster` say
    that it is faster, ranks instead make columnwise copies of their own shards
    too, in the pass that makes the rowwise ones, and gather them along their
    columns. That gather takes longer than the transpose, but overlaps the work
    before the copy's first reader, the gradient of a weight.

    Shards are gathered unquantized, and a remark (category
    `te-gather-quantized`) says why, if another op reads the full matrix, if
    their rows are no multiple of 16 or are split along columns, if the
    quantization sums rows, if ranks have scales of their own, or if the copies
    have more bytes.

    Before:
    ```mlir
    %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<32x64xbf16> -> tensor<64x64xbf16>
    %q, %qt, %amax = te.quantize %all, %s : tensor<64x64xbf16> -> rowwise tensor<64x64xf8E4M3FN> columnwise tensor<64x64xf8E4M3FN> amax tensor<f32>
    ```
    After:
    ```mlir
    %part, %amax = te.quantize %y, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN> amax tensor<f32>
    %q = shard.all_gather %part on @mesh grid_axes = [0] gather_axis = 0 : tensor<32x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %qt = linalg.transpose ins(%q : tensor<64x64xf8E4M3FN>) outs(%empty : tensor<64x64xf8E4M3FN>) permutation = [1, 0]
    ```
    Or, instead of the last:
    ```mlir
    %part, %partt, %amax = te.quantize %y, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN> columnwise tensor<64x32xf8E4M3FN> amax tensor<f32>
    %qt = shard.all_gather %partt on @mesh grid_axes = [0] gather_axis = 1 : tensor<64x32xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "",
           "Predefined cluster whose links collectives use (default: "
           "those that were measured)">,
  ];
  let statistics = [
    Statistic<"numColumnwise", "columnwise", "Columnwise copies gathered by shard">,
    Statistic<"numGathered", "gathered", "Quantizations moved before their gather">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TESplitLinears : Pass<"te-split-linears", "::mlir::func::FuncOp"> {
  let summary = "Split linear layers so that communicated features are computed first";
  let description = [{
    Context parallel ranks gather keys and values, and keep their own queries. A
    product that makes all three is split into one product for each gathered
    value, which is sent from the buffer that it is made in, and, after them,
    one of the others, which te-schedule-collectives overlaps with the gathers.
    The product that makes the gradient of their weight is split in two: rows of
    features whose gradients other ranks send, and rows of the others, which
    wait for no rank. Every element is the same sum as before. The gradient of
    the layer's input stays one product, since splitting it would round a sum
    twice. FP8 products stay whole, too, since their copies are of the full
    tensor. Does nothing without an axis `cp`.

    Before:
    ```mlir
    %qkv = te.matmul %x, %w {transpose_b} : tensor<64x32xbf16>, tensor<96x32xbf16> -> tensor<64x96xbf16>
    %q, %k, %v = te.split %qkv axis 1 : tensor<64x96xbf16> -> tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>
    ```
    After, if `%k` and `%v` are gathered:
    ```mlir
    %w1 = tensor.extract_slice %w[32, 0] [32, 32] [1, 1] : tensor<96x32xbf16> to tensor<32x32xbf16>
    %k = te.matmul %x, %w1 {transpose_b} : tensor<64x32xbf16>, tensor<32x32xbf16> -> tensor<64x32xbf16>
    %w2 = tensor.extract_slice %w[64, 0] [32, 32] [1, 1] : tensor<96x32xbf16> to tensor<32x32xbf16>
    %v = te.matmul %x, %w2 {transpose_b} : tensor<64x32xbf16>, tensor<32x32xbf16> -> tensor<64x32xbf16>
    %w0 = tensor.extract_slice %w[0, 0] [32, 32] [1, 1] : tensor<96x32xbf16> to tensor<32x32xbf16>
    %q = te.matmul %x, %w0 {transpose_b} : tensor<64x32xbf16>, tensor<32x32xbf16> -> tensor<64x32xbf16>
    ```
  }];
  let statistics = [
    Statistic<"numSplit", "split", "Products that are split">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect"];
}

def TEScheduleCollectives : Pass<"te-schedule-collectives", "::mlir::func::FuncOp"> {
  let summary = "Overlap activation collectives with independent matmuls";
  let description = [{
    Tensor parallel ranks exchange activations between layers, context parallel
    ones keys, values and their gradients around attention, and the ops that
    follow wait for them. The pass reorders the ops of a straight-line entry so
    that other work overlaps these collectives, if the module's cost model
    (te-attach-costs) and the links of `cluster` say that something would wait:

    - A collective along an axis `tp` or `cp` that is waited for moves right
      after the op that makes its operand: before the gradient of the weight,
      say, that was between.
    - If the work between a collective and the first reader of its result takes
      less time than the collective, work before it that is not needed until
      then moves after it: gradients of weights, with the sums over ranks that
      they are terms of, and columnwise copies. The smallest that suffices is
      chosen, or else the largest. Then ready work from after the reader: copies
      of weights.
    - A gather whose operand is made from arguments alone, such as the shards of
      an output's gradient, begins after the latest earlier collective that is
      followed by enough work for it. Its operand is made while a collective
      before that one has nothing else to overlap.
    - A collective that is read only by the end of the entry lets the next one
      go first.

    Data parallel ranks wait for one collective: at the end of the backward
    pass, the rows that lookups add to a table's gradient (te-gather-lookups).
    The latest gradients of weights before it move after it, with their sums
    over the ranks, as long as it takes more time than they do. If a state that
    one of them reads is updated in between, the update moves, too.

    Nothing else moves over the op that updates a state it reads. Values stay the same;
    tert-async-collectives has the collectives begin where they are and end in front
    of their readers. Comes behind all passes that change the graph: the order that it finds stays.

    Before:
    ```mlir
    %dw1 = te.scaled_matmul %dyt1, %xt1 … role = #te.role<wgrad>
    %dx = te.scaled_matmul %dy, %wt … role = #te.role<dgrad>
    %dw = te.scaled_matmul %dyt, %xt … role = #te.role<wgrad>
    %part = shard.reduce_scatter %dx on @mesh grid_axes = [0] scatter_axis = 0 : …
    %d, %dg, %db, %q = te.layer_norm_grad %part, …
    %all = shard.all_gather %q on @mesh grid_axes = [0] gather_axis = 0 : …
    ```
    After:
    ```mlir
    %dx = te.scaled_matmul %dy, %wt … role = #te.role<dgrad>
    %part = shard.reduce_scatter %dx on @mesh grid_axes = [0] scatter_axis = 0 : …
    %dw1 = te.scaled_matmul %dyt1, %xt1 … role = #te.role<wgrad>
    %d, %dg, %db, %q = te.layer_norm_grad %part, …
    %all = shard.all_gather %q on @mesh grid_axes = [0] gather_axis = 0 : …
    %dw = te.scaled_matmul %dyt, %xt … role = #te.role<wgrad>
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "",
           "Predefined cluster whose links collectives use (default: "
           "those that were measured)">,
  ];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Collectives that begin earlier">,
    Statistic<"numMoved", "moved", "Ops moved to overlap a collective">,
  ];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

def TESplitScatters : Pass<"te-split-scatters", "::mlir::func::FuncOp"> {
  let summary = "Split reduce-scatters to overlap them with matmuls";
  let description = [{
    In the forward pass nothing overlaps the reduce-scatter of a row-parallel
    layer's terms. If the module's cost model (te-attach-costs) and the links of
    `cluster` say that it pays, such an FP8 product is split along its columns,
    the features, in two: the first half's sum is scattered while the second
    half is computed, and the addition to it overlaps the second half's scatter.
    Every number is computed as before, except that a bias that had been added
    to the residual is added in the same pass as the sum, in float32. Remarks
    (category `te-split-scatters`) report the gain or loss.

    Products of the backward pass stay whole: the gradients of weights run beside
    their sums (te-schedule-collectives, which comes behind).

    Before:
    ```mlir
    %d = te.scaled_matmul %a, %w scales(%sa, %sw) : … -> tensor<8192x4096xbf16>
    %s = shard.reduce_scatter %d on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
    %y = te.add %r, %s : …
    ```
    After:
    ```mlir
    %w0 = tensor.extract_slice %w[0, 0] [2048, 16384] [1, 1] : …
    %d0 = te.scaled_matmul %a, %w0 scales(%sa, %sw) : … -> tensor<8192x2048xbf16>
    %s0 = shard.reduce_scatter %d0 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x2048xbf16> -> tensor<4096x2048xbf16>
    %w1 = tensor.extract_slice %w[2048, 0] [2048, 16384] [1, 1] : …
    %d1 = te.scaled_matmul %a, %w1 scales(%sa, %sw) : … -> tensor<8192x2048xbf16>
    %s1 = shard.reduce_scatter %d1 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x2048xbf16> -> tensor<4096x2048xbf16>
    %y0 = te.add %r0, %s0 : …  // %r0 and %r1 are halves of %r
    %y1 = te.add %r1, %s1 : …
    %y = tensor.concat dim(1) %y0, %y1 : …
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "",
           "Predefined cluster whose links collectives use (default: "
           "those that were measured)">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Products split in two">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEReduceAmaxes : Pass<"te-reduce-amaxes", "::mlir::func::FuncOp"> {
  let summary = "Reduce amaxes over all ranks";
  let description = [{
    Ranks of a mesh quantize their own tensors with scales that are, and must
    stay, equal on all of them. If an update of the scales, a record for it
    (RecipeAttrInterface), or a guard of the step (UpdateGuardOpInterface) reads
    amaxes that differ between ranks, it reads their maximum instead, and a
    non-finite amax on any rank counts on all. The step's existing all-reduce of
    its loss moves earlier and includes them, so that there is one. Runs after
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
  let options = [
    Option<"ofUpdatedWeights", "of-updated-weights", "bool", "false",
           "Reduce instead the amaxes that are returned, of new weights of which "
           "ranks have shards: when te-shard-states has moved their updates">,
  ];
  let statistics = [
    Statistic<"numReduced", "reduced", "Amaxes reduced over ranks">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEGatherLookups : Pass<"te-gather-lookups", "::mlir::func::FuncOp"> {
  let summary = "Gather the rows of embedding gradients instead of reducing tables";
  let description = [{
    The gradient of a table that is also the weight of a layer, such as a tied
    head, is the sum of one that is available early in the backward pass and one
    that is available last, and is all-reduced in full once both are. But the
    sum over ranks is linear, and the lookups' gradient is a few rows: here the
    first is all-reduced as soon as it is available, the ids and rows of all
    ranks are gathered, and every rank adds them to the sum.

    Applies if the rows of all ranks, with their ids, are fewer bytes than the
    table. Sums of gradients over microbatches stay with the first. All levels
    of te-shard-states start from this form, so that they add in one order.

    Before:
    ```mlir
    %1 = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xbf16> -> tensor<509x16xf32>
    %2 = te.add %head, %1 : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
    %3 = shard.all_reduce %2 on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
    ```
    After:
    ```mlir
    %0 = shard.all_reduce %head on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
    …
    %1 = shard.all_gather %ids on @mesh grid_axes = [0] gather_axis = 0 : tensor<64xi64> -> tensor<128xi64>
    %2 = shard.all_gather %dy on @mesh grid_axes = [0] gather_axis = 0 : tensor<64x16xbf16> -> tensor<128x16xbf16>
    %3 = te.embedding_grad %1, %2 : tensor<128xi64>, tensor<128x16xbf16> -> tensor<509x16xf32>
    %4 = te.add %0, %3 : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numGathered", "gathered", "Tables whose lookups' rows are gathered">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_COLLECTIVEPASSES_TD
