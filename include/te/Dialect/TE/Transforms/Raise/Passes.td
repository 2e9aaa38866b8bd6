// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_TRANSFORMS_RAISE_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def TERaise : Pass<"te-raise", "::mlir::ModuleOp"> {
  let summary = "Raise decomposed layers to te ops";
  let description = [{
    Exporters write a linear layer as transpose, product and sum, GELU as eight
    pointwise ops, and attention between transposes. This pass recovers the
    layers, and cancels the reshapes and transposes between te ops, so that
    between embedding and logits only those of the heads around attention
    remain.

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

    Contractions become te.matmul whatever op they are: linalg.matmul and its
    variants, linalg.contract, and every linalg.generic that sums products of
    two operands, with dimensions in any order, several of them where a matrix
    has one, and operands widened first. Dimensions are joined, and transposed
    if needed; the initial value of the sum is a bias if it repeats a vector
    over the rows, and otherwise, if not zero, an addend.

    ```mlir
    %y = linalg.generic {indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>,
                                          affine_map<(b, s, n, k) -> (n, k)>,
                                          affine_map<(b, s, n, k) -> (b, s, n)>],
                         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<2x32x128xf32>, tensor<512x128xf32>) outs(%zeros : tensor<2x32x512xf32>) {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %sum, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x32x512xf32>
    ```
    becomes
    ```mlir
    %m = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x32x128xf32> into tensor<64x128xf32>
    %p = te.matmul %m, %w {transpose_b} : tensor<64x128xf32>, tensor<512x128xf32> -> tensor<64x512xf32>
    %y = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 32, 512] : tensor<64x512xf32> into tensor<2x32x512xf32>
    ```
    Decomposed norms, gates and rotations become te.rms_norm (from `x /
    sqrt(mean(x²) + eps)` in any form, with gamma or 1 + gamma), te.layer_norm
    (from `(x - mean) / sqrt(variance + eps)`, the variance also as `mean(x²) -
    mean²`, with gamma and beta), te.gated_activation (from `activation(gate) *
    up`) and te.rope (from `x * cos + rotated(x) * sin`, or from halves that are
    rotated one by one and joined, with tables in which both elements of a pair
    have one angle; halves or neighbours, all of a head or its beginning). The
    tables are constants, or computed from constants and integers, looked up by
    position ids for example: te.rope has no gradient for them, and learned
    frequencies are not raised.

    ```mlir
    %gate, %up = te.split %x axis 1 : tensor<64x1024xf32> -> tensor<64x512xf32>, tensor<64x512xf32>
    %a = te.activation silu %gate : tensor<64x512xf32> -> y tensor<64x512xf32>
    %y = arith.mulf %a, %up : tensor<64x512xf32>
    ```
    becomes
    ```mlir
    %y = te.gated_activation silu %x : tensor<64x1024xf32> -> y tensor<64x512xf32>
    ```

    Two products around a softmax become te.attention, however their dimensions
    are reshaped, transposed, joined or repeated for groups of heads: with the
    scale that multiplies queries, keys or scores, a tanh softcap, and masks by
    meaning. Constants that hide keys as a causal triangle or a window does are
    `causal` and `window`; any other addend or mask of the scores is a bias. One
    more score in every row, one number for each head, whose probability is
    dropped after the softmax, is a sink.

    ```mlir
    %s = linalg.generic {…} ins(%q, %kt : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) …
    %m = arith.addf %s, %mask : tensor<2x4x6x6xf32>  // 0 up to the diagonal, -infinity behind it
    …                                                // %p = exp(%m - max) / sum
    %o = linalg.generic {…} ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) …
    ```
    becomes
    ```mlir
    %o, %lse = te.attention %q, %k, %v {causal, layout = #te.attention_layout<bhsd>, scale = 1.0 : f32} : …
    ```
    A query whose keys are all hidden has the output 0, as in te.attention,
    where the softmax of -infinity alone would be NaN; a model may write zeros
    for such rows explicitly (`select(all(score == -infinity), 0, p)`). A remark
    reports masks that hide, or may hide, all keys of a query.

    Attention is not raised if another op reads scores or probabilities, if
    there is anything but a cast between softmax and product, or if the softmax
    is not over the keys.

    Sums of `log p[i, labels[i]]` over rows of logits, and the factor that makes
    them a mean, become te.cross_entropy: from log_softmax or logsumexp,
    whatever they subtract and add again, with the labels' numbers looked up or
    multiplied with one-hot vectors, over all rows or those that a condition
    selects. A quotient by their number is the mean if that number is at least
    one; if it may be 0, only the sum is raised, and NaN stays NaN. A label
    outside the classes is an error at run time, as it is in te.cross_entropy;
    in a one-hot vector it counts as nothing.

    ```mlir
    …                                        // %lp = %logits - max - log(Σ exp)
    %t = te.embedding %positions, %lp : …    // row * 512 + label
    %s = linalg.reduce { arith.addf } ins(%t : tensor<64xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    %m = arith.divf %s, %c64 : tensor<f32>
    %loss = arith.negf %m : tensor<f32>
    ```
    becomes
    ```mlir
    %loss, %lse, %count = te.cross_entropy %logits, %labels {ignore_index = -9223372036854775808 : i64}
      : tensor<64x512xf32>, tensor<64xi32> -> tensor<64xf32>
    ```

    Any other batched contraction stays a linalg.generic, and its gradients are
    such contractions again. Remarks of the category te-raise say which
    contractions and attentions were raised, and why others were not.

    Scalars that the body of a linalg.generic captures, such as elements of
    tensors (tensor.extract) and values computed from them, become operands:
    tensors of rank 0.

    Unrecognised ops stay as they are; `check` makes them an error that lists
    all of them.
  }];
  let options = [
    Option<"check", "check", "bool", /*default=*/"false",
           "Fail if operations remain that no later pass supports">,
  ];
  let dependentDialects = ["::mlir::te::TEDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect"];
}

#endif // TE_DIALECT_TE_TRANSFORMS_RAISE_PASSES_TD
