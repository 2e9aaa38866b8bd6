// Attention whose scores are masked, or have a bias.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-11: gradients within

// As Gemma 2 writes it: capped scores, a window of two keys.
// CHECK-LABEL: func @capped_window(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 2.500000e-01 : f32, softcap = {{3.000000e\+00|2\.99.*}} : f32, window = 2 : i64}
// CHECK-NEXT:  return %[[O]]
func.func @capped_window(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.25> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<3.0> : tensor<2x4x6x6xf32>
  %13 = arith.divf %11, %12 : tensor<2x4x6x6xf32>
  %14 = math.tanh %13 : tensor<2x4x6x6xf32>
  %15 = arith.constant dense<3.0> : tensor<2x4x6x6xf32>
  %16 = arith.mulf %14, %15 : tensor<2x4x6x6xf32>
  %17 = arith.constant dense<[[0.0, -1.0E+9, -1.0E+9, -1.0E+9, -1.0E+9, -1.0E+9], [0.0, 0.0, -1.0E+9, -1.0E+9, -1.0E+9, -1.0E+9], [-1.0E+9, 0.0, 0.0, -1.0E+9, -1.0E+9, -1.0E+9], [-1.0E+9, -1.0E+9, 0.0, 0.0, -1.0E+9, -1.0E+9], [-1.0E+9, -1.0E+9, -1.0E+9, 0.0, 0.0, -1.0E+9], [-1.0E+9, -1.0E+9, -1.0E+9, -1.0E+9, 0.0, 0.0]]> : tensor<6x6xf32>
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<6x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %20 = arith.addf %16, %19 : tensor<2x4x6x6xf32>
  %21 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %22 = linalg.reduce { arith.maximumf } ins(%20 : tensor<2x4x6x6xf32>) outs(%21 : tensor<2x4x6xf32>) dimensions = [3]
  %23 = tensor.empty() : tensor<2x4x6x6xf32>
  %24 = linalg.broadcast ins(%22 : tensor<2x4x6xf32>) outs(%23 : tensor<2x4x6x6xf32>) dimensions = [3]
  %25 = arith.subf %20, %24 : tensor<2x4x6x6xf32>
  %26 = math.exp %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %28 = linalg.reduce { arith.addf } ins(%26 : tensor<2x4x6x6xf32>) outs(%27 : tensor<2x4x6xf32>) dimensions = [3]
  %29 = tensor.empty() : tensor<2x4x6x6xf32>
  %30 = linalg.broadcast ins(%28 : tensor<2x4x6xf32>) outs(%29 : tensor<2x4x6x6xf32>) dimensions = [3]
  %31 = arith.divf %26, %30 : tensor<2x4x6x6xf32>
  %32 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%31, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%32 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %34 = tensor.empty() : tensor<2x6x4x8xf32>
  %35 = linalg.transpose ins(%33 : tensor<2x4x6x8xf32>) outs(%34 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %35 : tensor<2x6x4x8xf32>
}

// -----

// Almost causal: the mask shows the next key as well. It is a bias.
// CHECK-LABEL: func @next_key(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] bias(%{{.*}} : tensor<1x1x6x6xf32>) {scale = 0.353553385 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @next_key(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<[[0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %15 = arith.addf %11, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30 : tensor<2x6x4x8xf32>
}

// -----

// What the mask adds only makes keys less likely.
// CHECK-LABEL: func @penalty(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] bias(%{{.*}} : tensor<1x1x6x6xf32>) {scale = 0.353553385 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @penalty(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<0.353553385> : tensor<2x4x6x6xf32>
  %11 = arith.mulf %9, %10 : tensor<2x4x6x6xf32>
  %12 = arith.constant dense<[[0.0, -10.0, -10.0, -10.0, -10.0, -10.0], [0.0, 0.0, -10.0, -10.0, -10.0, -10.0], [0.0, 0.0, 0.0, -10.0, -10.0, -10.0], [0.0, 0.0, 0.0, 0.0, -10.0, -10.0], [0.0, 0.0, 0.0, 0.0, 0.0, -10.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<6x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %15 = arith.addf %11, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30 : tensor<2x6x4x8xf32>
}

// -----

// A learned bias for every head, as in T5, beside a causal mask.
// CHECK-LABEL: func @learned_bias(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] bias(%{{.*}} : tensor<1x4x6x6xf32>) {causal, scale = 1.000000e+00 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @learned_bias(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %b: tensor<4x6x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = tensor.empty() : tensor<2x4x6x6xf32>
  %11 = linalg.broadcast ins(%b : tensor<4x6x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [0]
  %12 = arith.addf %11, %9 : tensor<2x4x6x6xf32>
  %13 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %14 = tensor.empty() : tensor<2x4x6x6xf32>
  %15 = linalg.broadcast ins(%13 : tensor<6x6xf32>) outs(%14 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %16 = arith.addf %12, %15 : tensor<2x4x6x6xf32>
  %17 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %18 = linalg.reduce { arith.maximumf } ins(%16 : tensor<2x4x6x6xf32>) outs(%17 : tensor<2x4x6xf32>) dimensions = [3]
  %19 = tensor.empty() : tensor<2x4x6x6xf32>
  %20 = linalg.broadcast ins(%18 : tensor<2x4x6xf32>) outs(%19 : tensor<2x4x6x6xf32>) dimensions = [3]
  %21 = arith.subf %16, %20 : tensor<2x4x6x6xf32>
  %22 = math.exp %21 : tensor<2x4x6x6xf32>
  %23 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %24 = linalg.reduce { arith.addf } ins(%22 : tensor<2x4x6x6xf32>) outs(%23 : tensor<2x4x6xf32>) dimensions = [3]
  %25 = tensor.empty() : tensor<2x4x6x6xf32>
  %26 = linalg.broadcast ins(%24 : tensor<2x4x6xf32>) outs(%25 : tensor<2x4x6x6xf32>) dimensions = [3]
  %27 = arith.divf %22, %26 : tensor<2x4x6x6xf32>
  %28 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %29 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%27, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%28 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %30 = tensor.empty() : tensor<2x6x4x8xf32>
  %31 = linalg.transpose ins(%29 : tensor<2x4x6x8xf32>) outs(%30 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %31 : tensor<2x6x4x8xf32>
}

// -----

// A bias of heads and keys, as ALiBi adds it, scaled with the scores.
// CHECK-LABEL: func @bias_of_keys(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] bias(%{{.*}} : tensor<1x4x1x6xf32>) {causal, scale = 5.000000e-01 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @bias_of_keys(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %b: tensor<4x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = tensor.empty() : tensor<2x4x6x6xf32>
  %11 = linalg.broadcast ins(%b : tensor<4x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [0, 2]
  %12 = arith.addf %9, %11 : tensor<2x4x6x6xf32>
  %13 = arith.constant dense<0.5> : tensor<2x4x6x6xf32>
  %14 = arith.mulf %12, %13 : tensor<2x4x6x6xf32>
  %15 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %16 = tensor.empty() : tensor<2x4x6x6xf32>
  %17 = linalg.broadcast ins(%15 : tensor<6x6xf32>) outs(%16 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %18 = arith.addf %14, %17 : tensor<2x4x6x6xf32>
  %19 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %20 = linalg.reduce { arith.maximumf } ins(%18 : tensor<2x4x6x6xf32>) outs(%19 : tensor<2x4x6xf32>) dimensions = [3]
  %21 = tensor.empty() : tensor<2x4x6x6xf32>
  %22 = linalg.broadcast ins(%20 : tensor<2x4x6xf32>) outs(%21 : tensor<2x4x6x6xf32>) dimensions = [3]
  %23 = arith.subf %18, %22 : tensor<2x4x6x6xf32>
  %24 = math.exp %23 : tensor<2x4x6x6xf32>
  %25 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %26 = linalg.reduce { arith.addf } ins(%24 : tensor<2x4x6x6xf32>) outs(%25 : tensor<2x4x6xf32>) dimensions = [3]
  %27 = tensor.empty() : tensor<2x4x6x6xf32>
  %28 = linalg.broadcast ins(%26 : tensor<2x4x6xf32>) outs(%27 : tensor<2x4x6x6xf32>) dimensions = [3]
  %29 = arith.divf %24, %28 : tensor<2x4x6x6xf32>
  %30 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%29, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%30 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %32 = tensor.empty() : tensor<2x6x4x8xf32>
  %33 = linalg.transpose ins(%31 : tensor<2x4x6x8xf32>) outs(%32 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %33 : tensor<2x6x4x8xf32>
}

// -----

// Keys that an input hides, for every sequence of the batch.
// CHECK-LABEL: func @padding_mask(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] bias(%{{.*}} : tensor<2x1x1x6xf32>) {scale = 1.000000e+00 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @padding_mask(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %m: tensor<2x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = arith.constant dense<-0.5> : tensor<2x6xf32>
  %11 = arith.cmpf ogt, %m, %10 : tensor<2x6xf32>
  %12 = tensor.empty() : tensor<2x4x6x6xi1>
  %13 = linalg.broadcast ins(%11 : tensor<2x6xi1>) outs(%12 : tensor<2x4x6x6xi1>) dimensions = [1, 2]
  %14 = arith.constant dense<0xFF800000> : tensor<2x4x6x6xf32>
  %15 = arith.select %13, %9, %14 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30 : tensor<2x6x4x8xf32>
}

// -----

// A band of finite numbers beside a mask that is not known: both are biases,
// since what the band hides counts where the other one hides the rest.
// CHECK-LABEL: func @finite_band_and_bias(
// CHECK:       te.attention {{.*}} bias(%{{.*}} : tensor<2x1x6x6xf32>) {scale = 1.000000e+00 : f32}
func.func @finite_band_and_bias(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %m: tensor<2x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = tensor.empty() : tensor<2x4x6x6xf32>
  %11 = linalg.broadcast ins(%m : tensor<2x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [1, 2]
  %12 = arith.constant dense<[[0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %13 = linalg.broadcast ins(%12 : tensor<6x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %14 = arith.addf %9, %13 : tensor<2x4x6x6xf32>
  %15 = arith.addf %14, %11 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %17 = linalg.reduce { arith.maximumf } ins(%15 : tensor<2x4x6x6xf32>) outs(%16 : tensor<2x4x6xf32>) dimensions = [3]
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x4x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [3]
  %20 = arith.subf %15, %19 : tensor<2x4x6x6xf32>
  %21 = math.exp %20 : tensor<2x4x6x6xf32>
  %22 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %23 = linalg.reduce { arith.addf } ins(%21 : tensor<2x4x6x6xf32>) outs(%22 : tensor<2x4x6xf32>) dimensions = [3]
  %24 = tensor.empty() : tensor<2x4x6x6xf32>
  %25 = linalg.broadcast ins(%23 : tensor<2x4x6xf32>) outs(%24 : tensor<2x4x6x6xf32>) dimensions = [3]
  %26 = arith.divf %21, %25 : tensor<2x4x6x6xf32>
  %27 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%26, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %29 = tensor.empty() : tensor<2x6x4x8xf32>
  %30 = linalg.transpose ins(%28 : tensor<2x4x6x8xf32>) outs(%29 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %30 : tensor<2x6x4x8xf32>
}

// -----

// A band of finite numbers beside constants as small as ALiBi's, which leave it
// what it is.
// CHECK-LABEL: func @finite_band_and_constants(
// CHECK:       te.attention {{.*}} bias(%{{.*}} : tensor<1x4x1x6xf32>) {causal, scale = 5.000000e-01 : f32}
func.func @finite_band_and_constants(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %b = arith.constant dense<[[0.0, 0.25, 0.5, 0.75, 1.0, 1.25], [0.0, 0.0625, 0.125, 0.1875, 0.25, 0.3125], [0.0, 0.015625, 0.03125, 0.046875, 0.0625, 0.078125], [0.0, 0.00390625, 0.0078125, 0.01171875, 0.015625, 0.01953125]]> : tensor<4x6xf32>
  %10 = tensor.empty() : tensor<2x4x6x6xf32>
  %11 = linalg.broadcast ins(%b : tensor<4x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [0, 2]
  %12 = arith.addf %9, %11 : tensor<2x4x6x6xf32>
  %13 = arith.constant dense<0.5> : tensor<2x4x6x6xf32>
  %14 = arith.mulf %12, %13 : tensor<2x4x6x6xf32>
  %15 = arith.constant dense<[[0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %16 = tensor.empty() : tensor<2x4x6x6xf32>
  %17 = linalg.broadcast ins(%15 : tensor<6x6xf32>) outs(%16 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %18 = arith.addf %14, %17 : tensor<2x4x6x6xf32>
  %19 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %20 = linalg.reduce { arith.maximumf } ins(%18 : tensor<2x4x6x6xf32>) outs(%19 : tensor<2x4x6xf32>) dimensions = [3]
  %21 = tensor.empty() : tensor<2x4x6x6xf32>
  %22 = linalg.broadcast ins(%20 : tensor<2x4x6xf32>) outs(%21 : tensor<2x4x6x6xf32>) dimensions = [3]
  %23 = arith.subf %18, %22 : tensor<2x4x6x6xf32>
  %24 = math.exp %23 : tensor<2x4x6x6xf32>
  %25 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %26 = linalg.reduce { arith.addf } ins(%24 : tensor<2x4x6x6xf32>) outs(%25 : tensor<2x4x6xf32>) dimensions = [3]
  %27 = tensor.empty() : tensor<2x4x6x6xf32>
  %28 = linalg.broadcast ins(%26 : tensor<2x4x6xf32>) outs(%27 : tensor<2x4x6x6xf32>) dimensions = [3]
  %29 = arith.divf %24, %28 : tensor<2x4x6x6xf32>
  %30 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%29, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%30 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %32 = tensor.empty() : tensor<2x6x4x8xf32>
  %33 = linalg.transpose ins(%31 : tensor<2x4x6x8xf32>) outs(%32 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %33 : tensor<2x6x4x8xf32>
}

// -----

// Constants that come near what the band hides by may bring a key back.
// CHECK-LABEL: func @finite_band_and_large_constants(
// CHECK:       te.attention {{.*}} bias(%{{.*}} : tensor<1x4x6x6xf32>) {scale = 5.000000e-01 : f32}
func.func @finite_band_and_large_constants(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %b = arith.constant dense<[[0.0, 0.25, 0.5, 0.75, 1.0, 1.0e+4], [0.0, 0.0625, 0.125, 0.1875, 0.25, 0.3125], [0.0, 0.015625, 0.03125, 0.046875, 0.0625, 0.078125], [0.0, 0.00390625, 0.0078125, 0.01171875, 0.015625, 0.01953125]]> : tensor<4x6xf32>
  %10 = tensor.empty() : tensor<2x4x6x6xf32>
  %11 = linalg.broadcast ins(%b : tensor<4x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [0, 2]
  %12 = arith.addf %9, %11 : tensor<2x4x6x6xf32>
  %13 = arith.constant dense<0.5> : tensor<2x4x6x6xf32>
  %14 = arith.mulf %12, %13 : tensor<2x4x6x6xf32>
  %15 = arith.constant dense<[[0.0, -1.5e+4, -1.5e+4, -1.5e+4, -1.5e+4, -1.5e+4], [0.0, 0.0, -1.5e+4, -1.5e+4, -1.5e+4, -1.5e+4], [0.0, 0.0, 0.0, -1.5e+4, -1.5e+4, -1.5e+4], [0.0, 0.0, 0.0, 0.0, -1.5e+4, -1.5e+4], [0.0, 0.0, 0.0, 0.0, 0.0, -1.5e+4], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %16 = tensor.empty() : tensor<2x4x6x6xf32>
  %17 = linalg.broadcast ins(%15 : tensor<6x6xf32>) outs(%16 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %18 = arith.addf %14, %17 : tensor<2x4x6x6xf32>
  %19 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %20 = linalg.reduce { arith.maximumf } ins(%18 : tensor<2x4x6x6xf32>) outs(%19 : tensor<2x4x6xf32>) dimensions = [3]
  %21 = tensor.empty() : tensor<2x4x6x6xf32>
  %22 = linalg.broadcast ins(%20 : tensor<2x4x6xf32>) outs(%21 : tensor<2x4x6x6xf32>) dimensions = [3]
  %23 = arith.subf %18, %22 : tensor<2x4x6x6xf32>
  %24 = math.exp %23 : tensor<2x4x6x6xf32>
  %25 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %26 = linalg.reduce { arith.addf } ins(%24 : tensor<2x4x6x6xf32>) outs(%25 : tensor<2x4x6xf32>) dimensions = [3]
  %27 = tensor.empty() : tensor<2x4x6x6xf32>
  %28 = linalg.broadcast ins(%26 : tensor<2x4x6xf32>) outs(%27 : tensor<2x4x6x6xf32>) dimensions = [3]
  %29 = arith.divf %24, %28 : tensor<2x4x6x6xf32>
  %30 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%29, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%30 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %32 = tensor.empty() : tensor<2x6x4x8xf32>
  %33 = linalg.transpose ins(%31 : tensor<2x4x6x8xf32>) outs(%32 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %33 : tensor<2x6x4x8xf32>
}

// -----

// Two biases of several shapes are one.
// CHECK-LABEL: func @two_biases(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>
// CHECK:       %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] bias(%{{.*}} : tensor<2x4x6x6xf32>) {causal, scale = 1.000000e+00 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @two_biases(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>, %b: tensor<4x6x6xf32>, %m: tensor<2x6xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x4x6x8xf32>
  %3 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%2 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %4 = tensor.empty() : tensor<2x4x6x8xf32>
  %5 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %6 = tensor.empty() : tensor<2x4x8x6xf32>
  %7 = linalg.transpose ins(%3 : tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %8 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %7 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%8 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %10 = tensor.empty() : tensor<2x4x6x6xf32>
  %11 = linalg.broadcast ins(%b : tensor<4x6x6xf32>) outs(%10 : tensor<2x4x6x6xf32>) dimensions = [0]
  %12 = arith.addf %9, %11 : tensor<2x4x6x6xf32>
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%m : tensor<2x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [1, 2]
  %15 = arith.addf %12, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %17 = tensor.empty() : tensor<2x4x6x6xf32>
  %18 = linalg.broadcast ins(%16 : tensor<6x6xf32>) outs(%17 : tensor<2x4x6x6xf32>) dimensions = [0, 1]
  %19 = arith.addf %15, %18 : tensor<2x4x6x6xf32>
  %20 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %21 = linalg.reduce { arith.maximumf } ins(%19 : tensor<2x4x6x6xf32>) outs(%20 : tensor<2x4x6xf32>) dimensions = [3]
  %22 = tensor.empty() : tensor<2x4x6x6xf32>
  %23 = linalg.broadcast ins(%21 : tensor<2x4x6xf32>) outs(%22 : tensor<2x4x6x6xf32>) dimensions = [3]
  %24 = arith.subf %19, %23 : tensor<2x4x6x6xf32>
  %25 = math.exp %24 : tensor<2x4x6x6xf32>
  %26 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %27 = linalg.reduce { arith.addf } ins(%25 : tensor<2x4x6x6xf32>) outs(%26 : tensor<2x4x6xf32>) dimensions = [3]
  %28 = tensor.empty() : tensor<2x4x6x6xf32>
  %29 = linalg.broadcast ins(%27 : tensor<2x4x6xf32>) outs(%28 : tensor<2x4x6x6xf32>) dimensions = [3]
  %30 = arith.divf %25, %29 : tensor<2x4x6x6xf32>
  %31 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%30, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%31 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %33 = tensor.empty() : tensor<2x6x4x8xf32>
  %34 = linalg.transpose ins(%32 : tensor<2x4x6x8xf32>) outs(%33 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %34 : tensor<2x6x4x8xf32>
}

// -----

// A penalty that later keys could overcome hides none of them: it stays a bias.
// CHECK-LABEL: func @penalty(
// CHECK-NOT:   causal
// CHECK:       te.attention %{{.*}}, %{{.*}}, %{{.*}} bias(
// CHECK-NOT:   causal
// CHECK:       return
func.func @penalty(%a0: tensor<1x1x3x4xf32>, %a1: tensor<1x1x3x4xf32>, %a2: tensor<1x1x3x4xf32>) -> tensor<1x1x3x4xf32> {
  %1 = arith.constant dense<0.000000e+00> : tensor<1x1x3x3xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, d, h, i, j) -> (b, h, i, d)>, affine_map<(b, d, h, i, j) -> (b, h, j, d)>, affine_map<(b, d, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "reduction", "parallel", "parallel", "parallel"]} ins(%a0, %a1 : tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>) outs(%1 : tensor<1x1x3x3xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1x3x3xf32>
  %3 = arith.constant dense<[[0.0, -500.0, -500.0], [0.0, 0.0, -500.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %4 = tensor.empty() : tensor<1x1x3x3xf32>
  %5 = linalg.broadcast ins(%3 : tensor<3x3xf32>) outs(%4 : tensor<1x1x3x3xf32>) dimensions = [0, 1]
  %6 = arith.addf %2, %5 : tensor<1x1x3x3xf32>
  %7 = arith.constant dense<0xFF800000> : tensor<1x1x3xf32>
  %8 = linalg.reduce { arith.maximumf } ins(%6 : tensor<1x1x3x3xf32>) outs(%7 : tensor<1x1x3xf32>) dimensions = [3]
  %9 = tensor.empty() : tensor<1x1x3x3xf32>
  %10 = linalg.broadcast ins(%8 : tensor<1x1x3xf32>) outs(%9 : tensor<1x1x3x3xf32>) dimensions = [3]
  %11 = arith.subf %6, %10 : tensor<1x1x3x3xf32>
  %12 = math.exp %11 : tensor<1x1x3x3xf32>
  %13 = arith.constant dense<0.000000e+00> : tensor<1x1x3xf32>
  %14 = linalg.reduce { arith.addf } ins(%12 : tensor<1x1x3x3xf32>) outs(%13 : tensor<1x1x3xf32>) dimensions = [3]
  %15 = tensor.empty() : tensor<1x1x3x3xf32>
  %16 = linalg.broadcast ins(%14 : tensor<1x1x3xf32>) outs(%15 : tensor<1x1x3x3xf32>) dimensions = [3]
  %17 = arith.divf %12, %16 : tensor<1x1x3x3xf32>
  %18 = arith.constant dense<0.000000e+00> : tensor<1x1x3x4xf32>
  %19 = linalg.generic {indexing_maps = [affine_map<(b, d, h, i, j) -> (b, h, i, j)>, affine_map<(b, d, h, i, j) -> (b, h, j, d)>, affine_map<(b, d, h, i, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%17, %a2 : tensor<1x1x3x3xf32>, tensor<1x1x3x4xf32>) outs(%18 : tensor<1x1x3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x1x3x4xf32>
  return %19 : tensor<1x1x3x4xf32>
}
