// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes about what ranks exchange: what travels, and when.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_EXCHANGEPASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_EXCHANGEPASSES_TD

include "mlir/Pass/PassBase.td"

def TEGatherQuantized : Pass<"te-gather-quantized", "::mlir::func::FuncOp"> {
  let summary = "Gather quantized shards instead of wider ones";
  let description = [{
    What ranks gather along the rows only to quantize it, each quantizes for its
    own rows, and the bytes of the rowwise copies travel: half as many as of bf16,
    made by the pass that computes the rows (te-fuse, which comes behind). The
    scale is one for all rows, so that the bytes are the same. Comes behind
    te-quantize and before te-fuse; te-reduce-amaxes exchanges the amaxes, which
    are now of parts. Where a scale is made of the amax of the whole matrix
    (current scaling), that is exchanged here.

    A columnwise copy is transposed from the gathered rows where it is read, or,
    where the module's cost model (te-attach-costs) and the links of `cluster` say
    that it is sooner there, ranks make columnwise copies of their own parts too,
    in the pass that makes the rowwise ones, and gather them along their columns.
    That exchange takes longer than to transpose, but runs beside the work that
    lies in front of the copy's first reader, the gradient of a weight.

    Parts are gathered as they are, and a remark (category `te-gather-quantized`)
    says why, where something else reads the whole matrix, where their rows are no
    multiple of 16 or are cut along columns, where the quantization sums rows, where
    ranks have scales of their own, and where there are more bytes in the copies.

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
    Or, in place of the last:
    ```mlir
    %part, %partt, %amax = te.quantize %y, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN> columnwise tensor<64x32xf8E4M3FN> amax tensor<f32>
    %qt = shard.all_gather %partt on @mesh grid_axes = [0] gather_axis = 1 : tensor<64x32xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "std::string", "",
           "Machines whose links exchanges go over, a predefined cluster (default: "
           "those that were measured)">,
  ];
  let statistics = [
    Statistic<"numColumnwise", "columnwise", "Columnwise copies gathered in parts">,
    Statistic<"numGathered", "gathered", "Quantizations moved before their gather">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TESplitLinears : Pass<"te-split-linears", "::mlir::func::FuncOp"> {
  let summary = "Split linear layers so that exchanged features are computed first";
  let description = [{
    Context parallel ranks gather keys and values, and have their queries for
    themselves. Where one product makes all three, it becomes one for each of what
    is gathered, which is sent from where it is made, and, behind them, one of the
    others, which te-schedule-exchanges puts beside the gathers. The product that
    makes the gradient of their weight becomes two: rows of features whose gradients
    other ranks send, and rows of the others, which wait for nobody. Every element
    is the same sum as before. The gradient of the layer's input stays one product,
    which would round a sum of two twice. So do FP8 products, whose copies are of
    the whole. Does nothing without an axis `cp`.

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
    Statistic<"numSplit", "split", "Products that became several">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect"];
}

def TEScheduleExchanges : Pass<"te-schedule-exchanges", "::mlir::func::FuncOp"> {
  let summary = "Overlap activation collectives with independent matmuls";
  let description = [{
    Tensor parallel ranks exchange activations between one layer and the next,
    context parallel ones keys, values and their gradients around attention, and
    what follows waits for them. The pass orders the ops of a straight-line
    entry so that other work is there meanwhile, if the module's cost model
    (te-attach-costs) and the links of `cluster` say that something would wait:

    - An exchange along an axis `tp` or `cp`, if it is waited for, comes right behind what
      makes its operand: in front of the gradient of the weight, say, that has been
      written between.
    - Where the work between an exchange and the first reader of its result takes
      less time than it, work from before it that nobody needs until then moves
      behind it: gradients of weights, with the sums over ranks that they are terms
      of, and columnwise copies. The smallest that is enough, or else the largest. Then work from behind the reader that is ready:
      copies of weights.
    - A gather of what is made of arguments alone, such as the parts of an output's
      gradient, begins behind the latest exchange before it from which on there is
      work enough for it. What it is of is made while an exchange before that one
      has nothing else to run beside.
    - An exchange that the end of the entry alone reads lets the next one go first.

    Data parallel ranks wait for one exchange: at the end of the backward pass, the
    rows that lookups add to a table's gradient (te-gather-lookups). The gradients of
    weights that were made last before it move behind it, with their sums over the
    ranks, as long as it takes more time than they do. Where a state that one of them
    reads is updated in between, so is the update.

    Nothing else moves over the op that updates a state it reads. Values stay the same;
    tert-overlap-exchanges has the exchanges begin where they are and end in front
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
           "Machines whose links exchanges go over, a predefined cluster (default: "
           "those that were measured)">,
  ];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Exchanges that begin earlier">,
    Statistic<"numMoved", "moved", "Ops moved beside an exchange">,
  ];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

def TESplitScatters : Pass<"te-split-scatters", "::mlir::func::FuncOp"> {
  let summary = "Split reduce-scatters to overlap them with matmuls";
  let description = [{
    In the forward pass nothing runs beside the sum of a row-parallel layer's terms
    that tensor parallel ranks scatter. Where the module's cost model
    (te-attach-costs) and the links of `cluster` say that it pays, such an FP8
    product is cut along its columns, the features, in two: the first half's sum is
    exchanged while the second half is computed, and what is added to it is added
    while the second half's is exchanged. Every number is computed as before, but
    that a bias that had been added to the residual is added in the same pass as
    the sum, in float32.
    Remarks (category `te-split-scatters`) say what it gains, or would lose.

    Products of the backward pass stay whole: the gradients of weights run beside
    their sums (te-schedule-exchanges, which comes behind).

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
           "Machines whose links exchanges go over, a predefined cluster (default: "
           "those that were measured)">,
  ];
  let statistics = [
    Statistic<"numSplit", "split", "Products cut in two">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEReduceAmaxes : Pass<"te-reduce-amaxes", "::mlir::func::FuncOp"> {
  let summary = "Reduce amaxes over all ranks";
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
  let options = [
    Option<"ofUpdatedWeights", "of-updated-weights", "bool", "false",
           "Exchange instead the amaxes that are returned, of new weights of which "
           "ranks have parts: when te-shard-states has moved their updates">,
  ];
  let statistics = [
    Statistic<"numReduced", "reduced", "Amaxes exchanged">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TEGatherLookups : Pass<"te-gather-lookups", "::mlir::func::FuncOp"> {
  let summary = "Gather the rows of embedding gradients instead of reducing tables";
  let description = [{
    The gradient of a table that is also the weight of a layer, such as a tied
    head, is the sum of one that is there early in the backward pass and one that
    is there last, and is exchanged whole when both are. But the sum over ranks is
    linear, and the lookups' gradient is a few rows: here the first is summed over
    the ranks as soon as it is there, the ids and rows of all ranks are gathered,
    and every rank adds them to the sum.

    Where the rows of all ranks, with their ids, are fewer bytes than the table.
    Sums of gradients over microbatches stay with the first. All levels of
    te-shard-states start from this, so that they add in one order.

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

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_EXCHANGEPASSES_TD
