// What the compiled program computes, through everything that the lowering
// treats as an address rather than as work: slices, reshapes, concatenation,
// transposes, repeated additions, constant data. Inputs and expected outputs
// are made by Inputs/execution.py, in float64.

// RUN: te-compile %s --entry forward --precision f32 -o %t.so
// RUN: te-run forward %t.so --inputs %S/Inputs/execution.safetensors --outputs %t.safetensors
// RUN: te-run compare %t.safetensors %S/Inputs/execution.safetensors --tolerance 1e-6

func.func @forward(%x: tensor<8x12xf32> {te.input = "x"}, %w: tensor<12x8xf32> {te.input = "w"},
                   %p: tensor<2x12xf32> {te.input = "p"})
    -> (tensor<2x4x8xf32> {te.output = "product"}, tensor<8x12xf32> {te.output = "swapped"},
        tensor<8x4xf32> {te.output = "attended"}, tensor<12x8xf32> {te.output = "transposed"},
        tensor<2x12xf32> {te.output = "same"}) {
  // Rows of p and of a constant repeat over x.
  %c = arith.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0],
                             [0.5, 0.25, 0.125, 0.0, -0.125, -0.25, -0.5, -1.0, -2.0, -4.0, -8.0, -16.0]]> : tensor<2x12xf32>
  %pc = te.add %p, %c : tensor<2x12xf32>, tensor<2x12xf32> -> tensor<2x12xf32>
  %y = te.add %x, %pc : tensor<8x12xf32>, tensor<2x12xf32> -> tensor<8x12xf32>

  // A weight that is transposed before it is used.
  %e = tensor.empty() : tensor<8x12xf32>
  %wt = linalg.transpose ins(%w : tensor<12x8xf32>) outs(%e : tensor<8x12xf32>) permutation = [1, 0]
  %m = te.matmul %y, %wt {transpose_b} : tensor<8x12xf32>, tensor<8x12xf32> -> tensor<8x8xf32>
  %m3 = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 8] : tensor<8x8xf32> into tensor<2x4x8xf32>

  // Pieces in another order.
  %q, %k, %v = te.split %y axis 1 : tensor<8x12xf32> -> tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  %swapped = tensor.concat dim(1) %v, %q, %k : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x12xf32>

  // Attention on the packed pieces: 2 sequences of 4, 2 heads of 2.
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 2, 2] : tensor<8x4xf32> into tensor<2x4x2x2xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 2, 2] : tensor<8x4xf32> into tensor<2x4x2x2xf32>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 4, 2, 2] : tensor<8x4xf32> into tensor<2x4x2x2xf32>
  %o4, %lse = te.attention %q4, %k4, %v4 {causal, scale = 0.5 : f32}
    : tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32>, tensor<2x4x2x2xf32> -> tensor<2x4x2x2xf32>, tensor<2x2x4xf32>
  %o = tensor.collapse_shape %o4 [[0, 1], [2, 3]] : tensor<2x4x2x2xf32> into tensor<8x4xf32>

  %et = tensor.empty() : tensor<12x8xf32>
  %t = linalg.transpose ins(%y : tensor<8x12xf32>) outs(%et : tensor<12x8xf32>) permutation = [1, 0]
  return %m3, %swapped, %o, %t, %p
    : tensor<2x4x8xf32>, tensor<8x12xf32>, tensor<8x4xf32>, tensor<12x8xf32>, tensor<2x12xf32>
}
