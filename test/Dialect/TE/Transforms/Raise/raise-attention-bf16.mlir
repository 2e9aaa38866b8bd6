// Attention in bf16 as jax.nn.softmax has it: the maximum and the sum of a row
// widen what they reduce, and the rest is rounded to bf16.

// RUN: te-opt %s --te-raise | FileCheck %s

// CHECK-LABEL: func @jax(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xbf16>, %[[K:.*]]: tensor<2x6x4x8xbf16>, %[[V:.*]]: tensor<2x6x4x8xbf16>)
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {scale = 2.500000e-01 : f32} : tensor<2x6x4x8xbf16>
// CHECK-NOT:   linalg.generic
// CHECK:       return %[[O]]
func.func @jax(%q: tensor<2x6x4x8xbf16>, %k: tensor<2x6x4x8xbf16>, %v: tensor<2x6x4x8xbf16>) -> tensor<2x6x4x8xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x6x4x8xbf16>, tensor<2x6x4x8xbf16>) outs(%zeros : tensor<2x4x6x6xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %a = arith.extf %x : bf16 to f32
    %b = arith.extf %y : bf16 to f32
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %1 = arith.truncf %0 : tensor<2x4x6x6xf32> to tensor<2x4x6x6xbf16>
  %four = arith.constant dense<4.0> : tensor<2x4x6x6xbf16>
  %2 = arith.divf %1, %four : tensor<2x4x6x6xbf16>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %3 = linalg.reduce ins(%2 : tensor<2x4x6x6xbf16>) outs(%lowest : tensor<2x4x6xf32>) dimensions = [3]
    (%in: bf16, %out: f32) {
      %w = arith.extf %in : bf16 to f32
      %m = arith.maximumf %out, %w : f32
      linalg.yield %m : f32
    }
  %4 = arith.truncf %3 : tensor<2x4x6xf32> to tensor<2x4x6xbf16>
  %rows = tensor.empty() : tensor<2x4x6x6xbf16>
  %5 = linalg.broadcast ins(%4 : tensor<2x4x6xbf16>) outs(%rows : tensor<2x4x6x6xbf16>) dimensions = [3]
  %6 = arith.subf %2, %5 : tensor<2x4x6x6xbf16>
  %7 = math.exp %6 : tensor<2x4x6x6xbf16>
  %8 = arith.extf %7 : tensor<2x4x6x6xbf16> to tensor<2x4x6x6xf32>
  %none = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %9 = linalg.reduce { arith.addf } ins(%8 : tensor<2x4x6x6xf32>) outs(%none : tensor<2x4x6xf32>) dimensions = [3]
  %10 = arith.truncf %9 : tensor<2x4x6xf32> to tensor<2x4x6xbf16>
  %11 = linalg.broadcast ins(%10 : tensor<2x4x6xbf16>) outs(%rows : tensor<2x4x6x6xbf16>) dimensions = [3]
  %12 = arith.divf %7, %11 : tensor<2x4x6x6xbf16>
  %outputs = arith.constant dense<0.0> : tensor<2x6x4x8xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(b, i, h, d, j) -> (b, h, i, j)>, affine_map<(b, i, h, d, j) -> (b, j, h, d)>, affine_map<(b, i, h, d, j) -> (b, i, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%12, %v : tensor<2x4x6x6xbf16>, tensor<2x6x4x8xbf16>) outs(%outputs : tensor<2x6x4x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %a = arith.extf %x : bf16 to f32
    %b = arith.extf %y : bf16 to f32
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x6x4x8xf32>
  %14 = arith.truncf %13 : tensor<2x6x4x8xf32> to tensor<2x6x4x8xbf16>
  return %14 : tensor<2x6x4x8xbf16>
}
