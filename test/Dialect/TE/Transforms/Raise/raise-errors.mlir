// RUN: te-opt %s --te-raise=check --split-input-file --verify-diagnostics

#wrapped = affine_map<(d0, d1) -> (d0, d1 mod 4)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{'forward' computes with operations that are not supported; write these parts of the model with those in docs/operators.md (arith.scaling_extf x2, linalg.generic x1, linalg.transpose x1)}}
func.func @forward(%q: tensor<4x8xf8E4M3FN>, %s: tensor<4x8xf8E8M0FNU>, %t: tensor<4x8xf8E8M0FNU>) -> tensor<8x4xf32> {
  // expected-note @below {{arith.scaling_extf x2}}
  %0 = arith.scaling_extf %q, %s : tensor<4x8xf8E4M3FN>, tensor<4x8xf8E8M0FNU> to tensor<4x8xf32>
  %a = arith.scaling_extf %q, %t : tensor<4x8xf8E4M3FN>, tensor<4x8xf8E8M0FNU> to tensor<4x8xf32>
  %1 = arith.addf %0, %a : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-note @below {{linalg.generic x1: its index maps are not linear}}
  %2 = linalg.generic {indexing_maps = [#wrapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %3 = tensor.empty() : tensor<8x4xf32>
  // expected-note @below {{linalg.transpose x1: a transpose that neither a matmul nor attention takes in}}
  %4 = linalg.transpose ins(%2 : tensor<4x8xf32>) outs(%3 : tensor<8x4xf32>) permutation = [1, 0]
  return %4 : tensor<8x4xf32>
}

// -----

// te ops, reshapes, constants and what kernels are made of may be left.
func.func @supported(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<2x2x8xf32> {
  %b = arith.constant dense<0.0> : tensor<8xf32>
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<4xf32>, tensor<4xf32>
  %s = math.sin %y : tensor<4x8xf32>
  %0 = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %0 : tensor<2x2x8xf32>
}

// -----

// expected-error @below {{'forward' computes with operations that are not supported; write these parts of the model with those in docs/operators.md (arith.truncf x1, arith.extf x1)}}
func.func @forward(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-note @below {{arith.truncf x1: element type f16 is not supported; export in float32 or bfloat16}}
  %0 = arith.truncf %x : tensor<4x8xf32> to tensor<4x8xf16>
  // expected-note @below {{arith.extf x1: element type f16 is not supported; export in float32 or bfloat16}}
  %1 = arith.extf %0 : tensor<4x8xf16> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// Other roundings are refused before forms are looked for through them.

#id = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{some operations round as nothing here does (arith.truncf x1, arith.truncf x1)}}
module {
  func.func @forward(%x: tensor<4x8xf32>) -> tensor<4x8xbf16> {
    %e = tensor.empty() : tensor<4x8xbf16>
    // To nearest is what is done.
    %0 = arith.truncf %x to_nearest_even : tensor<4x8xf32> to tensor<4x8xbf16>
    %1 = arith.extf %0 : tensor<4x8xbf16> to tensor<4x8xf32>
    // expected-note @below {{arith.truncf x1: rounds toward_zero; only to_nearest_even is computed}}
    %2 = arith.truncf %1 toward_zero : tensor<4x8xf32> to tensor<4x8xbf16>
    %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      // expected-note @below {{arith.truncf x1: rounds upward; only to_nearest_even is computed}}
      %4 = arith.truncf %in upward : f32 to bf16
      linalg.yield %4 : bf16
    } -> tensor<4x8xbf16>
    %5 = arith.addf %2, %3 : tensor<4x8xbf16>
    return %5 : tensor<4x8xbf16>
  }
}
