// Attention written as products around a softmax.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-9: gradients within

// As transformers exports its eager attention: heads are transposed, scores are
// scaled, and a mask of 0 and -infinity is added.
// CHECK-LABEL: func @eager(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 0.353553385 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @eager(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
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
  %12 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
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

// No scale, no mask, and exponentials without a maximum.
// CHECK-LABEL: func @plain(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {scale = 1.000000e+00 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @plain(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
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
  %10 = math.exp %9 : tensor<2x4x6x6xf32>
  %11 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %12 = linalg.reduce { arith.addf } ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) dimensions = [3]
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<2x4x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [3]
  %15 = arith.divf %10, %14 : tensor<2x4x6x6xf32>
  %16 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %17 = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, h, j, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%15, %5 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%16 : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x8xf32>
  %18 = tensor.empty() : tensor<2x6x4x8xf32>
  %19 = linalg.transpose ins(%17 : tensor<2x4x6x8xf32>) outs(%18 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %19 : tensor<2x6x4x8xf32>
}

// -----

// As JAX writes it: no transposes, queries and keys scaled before the product,
// scores chosen by a mask, and a reciprocal of the sum.
// CHECK-LABEL: func @einsum(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 2.500000e-01 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @einsum(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = arith.constant dense<2.0> : tensor<2x6x4x8xf32>
  %1 = arith.divf %q, %0 : tensor<2x6x4x8xf32>
  %2 = arith.constant dense<0.5> : tensor<2x6x4x8xf32>
  %3 = arith.mulf %k, %2 : tensor<2x6x4x8xf32>
  %4 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%1, %3 : tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) outs(%4 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
  %6 = arith.constant dense<[[true, false, false, false, false, false], [true, true, false, false, false, false], [true, true, true, false, false, false], [true, true, true, true, false, false], [true, true, true, true, true, false], [true, true, true, true, true, true]]> : tensor<6x6xi1>
  %7 = tensor.empty() : tensor<2x4x6x6xi1>
  %8 = linalg.broadcast ins(%6 : tensor<6x6xi1>) outs(%7 : tensor<2x4x6x6xi1>) dimensions = [0, 1]
  %9 = arith.constant dense<-3.40282347E+38> : tensor<2x4x6x6xf32>
  %10 = arith.select %8, %5, %9 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
  %11 = arith.constant dense<0xFF800000> : tensor<2x4x6xf32>
  %12 = linalg.reduce { arith.maximumf } ins(%10 : tensor<2x4x6x6xf32>) outs(%11 : tensor<2x4x6xf32>) dimensions = [3]
  %13 = tensor.empty() : tensor<2x4x6x6xf32>
  %14 = linalg.broadcast ins(%12 : tensor<2x4x6xf32>) outs(%13 : tensor<2x4x6x6xf32>) dimensions = [3]
  %15 = arith.subf %10, %14 : tensor<2x4x6x6xf32>
  %16 = math.exp %15 : tensor<2x4x6x6xf32>
  %17 = arith.constant dense<0.0> : tensor<2x4x6xf32>
  %18 = linalg.reduce { arith.addf } ins(%16 : tensor<2x4x6x6xf32>) outs(%17 : tensor<2x4x6xf32>) dimensions = [3]
  %19 = arith.constant dense<1.0> : tensor<2x4x6xf32>
  %20 = arith.divf %19, %18 : tensor<2x4x6xf32>
  %21 = tensor.empty() : tensor<2x4x6x6xf32>
  %22 = linalg.broadcast ins(%20 : tensor<2x4x6xf32>) outs(%21 : tensor<2x4x6x6xf32>) dimensions = [3]
  %23 = arith.mulf %16, %22 : tensor<2x4x6x6xf32>
  %24 = arith.constant dense<0.0> : tensor<2x6x4x8xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(b, i, h, d, j) -> (b, h, i, j)>, affine_map<(b, i, h, d, j) -> (b, j, h, d)>, affine_map<(b, i, h, d, j) -> (b, i, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%23, %v : tensor<2x4x6x6xf32>, tensor<2x6x4x8xf32>) outs(%24 : tensor<2x6x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x6x4x8xf32>
  return %25 : tensor<2x6x4x8xf32>
}

// -----

// Batches and heads joined, a mask for every batch.
// CHECK-LABEL: func @joined_heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x4x8xf32>, %[[V:.*]]: tensor<2x6x4x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 5.000000e-01 : f32} : tensor<2x6x4x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @joined_heads(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x4x8xf32>, %v: tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x4x6x8xf32>
  %1 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%0 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.collapse_shape %1 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
  %3 = tensor.empty() : tensor<2x4x6x8xf32>
  %4 = linalg.transpose ins(%k : tensor<2x6x4x8xf32>) outs(%3 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %5 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
  %6 = tensor.empty() : tensor<2x4x6x8xf32>
  %7 = linalg.transpose ins(%v : tensor<2x6x4x8xf32>) outs(%6 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %8 = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<2x4x6x8xf32> into tensor<8x6x8xf32>
  %9 = tensor.empty() : tensor<8x8x6xf32>
  %10 = linalg.transpose ins(%5 : tensor<8x6x8xf32>) outs(%9 : tensor<8x8x6xf32>) permutation = [0, 2, 1]
  %11 = arith.constant dense<0.0> : tensor<8x6x6xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(n, i, j, d) -> (n, i, d)>, affine_map<(n, i, j, d) -> (n, d, j)>, affine_map<(n, i, j, d) -> (n, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%2, %10 : tensor<8x6x8xf32>, tensor<8x8x6xf32>) outs(%11 : tensor<8x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x6x6xf32>
  %13 = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<8x6x6xf32> into tensor<48x6xf32>
  %14 = arith.constant dense<2.0> : tensor<48x6xf32>
  %15 = arith.divf %13, %14 : tensor<48x6xf32>
  %16 = tensor.expand_shape %15 [[0, 1, 2], [3]] output_shape [2, 4, 6, 6] : tensor<48x6xf32> into tensor<2x4x6x6xf32>
  %17 = arith.constant dense<[[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]> : tensor<2x6x6xf32>
  %18 = tensor.empty() : tensor<2x4x6x6xf32>
  %19 = linalg.broadcast ins(%17 : tensor<2x6x6xf32>) outs(%18 : tensor<2x4x6x6xf32>) dimensions = [1]
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
  %32 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<2x4x6x6xf32> into tensor<8x6x6xf32>
  %33 = arith.constant dense<0.0> : tensor<8x6x8xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(n, i, d, j) -> (n, i, j)>, affine_map<(n, i, d, j) -> (n, j, d)>, affine_map<(n, i, d, j) -> (n, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%32, %8 : tensor<8x6x6xf32>, tensor<8x6x8xf32>) outs(%33 : tensor<8x6x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x6x8xf32>
  %35 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [2, 4, 6, 8] : tensor<8x6x8xf32> into tensor<2x4x6x8xf32>
  %36 = tensor.empty() : tensor<2x6x4x8xf32>
  %37 = linalg.transpose ins(%35 : tensor<2x4x6x8xf32>) outs(%36 : tensor<2x6x4x8xf32>) permutation = [0, 2, 1, 3]
  return %37 : tensor<2x6x4x8xf32>
}

// -----

// Query heads that share a head of keys have a dimension of their own.
// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x2x8xf32>, %[[V:.*]]: tensor<2x6x2x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {causal, scale = 2.500000e-01 : f32} : tensor<2x6x4x8xf32>, tensor<2x6x2x8xf32>
// CHECK-NEXT:  return %[[O]]
func.func @groups(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x2x8xf32>, %v: tensor<2x6x2x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.expand_shape %q [[0], [1], [2, 3], [4]] output_shape [2, 6, 2, 2, 8] : tensor<2x6x4x8xf32> into tensor<2x6x2x2x8xf32>
  %1 = arith.constant dense<0.0> : tensor<2x2x2x6x6xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(b, h, g, i, j, d) -> (b, i, h, g, d)>, affine_map<(b, h, g, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, g, i, j, d) -> (b, h, g, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %k : tensor<2x6x2x2x8xf32>, tensor<2x6x2x8xf32>) outs(%1 : tensor<2x2x2x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x2x6x6xf32>
  %3 = arith.constant dense<0.25> : tensor<2x2x2x6x6xf32>
  %4 = arith.mulf %2, %3 : tensor<2x2x2x6x6xf32>
  %5 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %6 = tensor.empty() : tensor<2x2x2x6x6xf32>
  %7 = linalg.broadcast ins(%5 : tensor<6x6xf32>) outs(%6 : tensor<2x2x2x6x6xf32>) dimensions = [0, 1, 2]
  %8 = arith.addf %4, %7 : tensor<2x2x2x6x6xf32>
  %9 = arith.constant dense<0xFF800000> : tensor<2x2x2x6xf32>
  %10 = linalg.reduce { arith.maximumf } ins(%8 : tensor<2x2x2x6x6xf32>) outs(%9 : tensor<2x2x2x6xf32>) dimensions = [4]
  %11 = tensor.empty() : tensor<2x2x2x6x6xf32>
  %12 = linalg.broadcast ins(%10 : tensor<2x2x2x6xf32>) outs(%11 : tensor<2x2x2x6x6xf32>) dimensions = [4]
  %13 = arith.subf %8, %12 : tensor<2x2x2x6x6xf32>
  %14 = math.exp %13 : tensor<2x2x2x6x6xf32>
  %15 = arith.constant dense<0.0> : tensor<2x2x2x6xf32>
  %16 = linalg.reduce { arith.addf } ins(%14 : tensor<2x2x2x6x6xf32>) outs(%15 : tensor<2x2x2x6xf32>) dimensions = [4]
  %17 = tensor.empty() : tensor<2x2x2x6x6xf32>
  %18 = linalg.broadcast ins(%16 : tensor<2x2x2x6xf32>) outs(%17 : tensor<2x2x2x6x6xf32>) dimensions = [4]
  %19 = arith.divf %14, %18 : tensor<2x2x2x6x6xf32>
  %20 = arith.constant dense<0.0> : tensor<2x6x2x2x8xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(b, i, h, g, d, j) -> (b, h, g, i, j)>, affine_map<(b, i, h, g, d, j) -> (b, j, h, d)>, affine_map<(b, i, h, g, d, j) -> (b, i, h, g, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%19, %v : tensor<2x2x2x6x6xf32>, tensor<2x6x2x8xf32>) outs(%20 : tensor<2x6x2x2x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x6x2x2x8xf32>
  %22 = tensor.collapse_shape %21 [[0], [1], [2, 3], [4]] : tensor<2x6x2x2x8xf32> into tensor<2x6x4x8xf32>
  return %22 : tensor<2x6x4x8xf32>
}

// -----

// Heads of keys and values that are repeated for groups of query heads.
// CHECK-LABEL: func @repeated_heads(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x6x4x8xf32>, %[[K:.*]]: tensor<2x6x2x8xf32>, %[[V:.*]]: tensor<2x6x2x8xf32>)
// CHECK-NEXT:  %[[O:.*]], %{{.*}} = te.attention %[[Q]], %[[K]], %[[V]] {scale = 1.000000e+00 : f32}
// CHECK-NEXT:  return %[[O]]
func.func @repeated_heads(%q: tensor<2x6x4x8xf32>, %k: tensor<2x6x2x8xf32>, %v: tensor<2x6x2x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = tensor.empty() : tensor<2x2x6x8xf32>
  %1 = linalg.transpose ins(%k : tensor<2x6x2x8xf32>) outs(%0 : tensor<2x2x6x8xf32>) permutation = [0, 2, 1, 3]
  %2 = tensor.empty() : tensor<2x2x2x6x8xf32>
  %3 = linalg.broadcast ins(%1 : tensor<2x2x6x8xf32>) outs(%2 : tensor<2x2x2x6x8xf32>) dimensions = [2]
  %4 = tensor.collapse_shape %3 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
  %5 = tensor.empty() : tensor<2x2x6x8xf32>
  %6 = linalg.transpose ins(%v : tensor<2x6x2x8xf32>) outs(%5 : tensor<2x2x6x8xf32>) permutation = [0, 2, 1, 3]
  %7 = tensor.empty() : tensor<2x2x2x6x8xf32>
  %8 = linalg.broadcast ins(%6 : tensor<2x2x6x8xf32>) outs(%7 : tensor<2x2x2x6x8xf32>) dimensions = [2]
  %9 = tensor.collapse_shape %8 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
  %10 = tensor.empty() : tensor<2x4x6x8xf32>
  %11 = linalg.transpose ins(%q : tensor<2x6x4x8xf32>) outs(%10 : tensor<2x4x6x8xf32>) permutation = [0, 2, 1, 3]
  %12 = tensor.empty() : tensor<2x4x8x6xf32>
  %13 = linalg.transpose ins(%4 : tensor<2x4x6x8xf32>) outs(%12 : tensor<2x4x8x6xf32>) permutation = [0, 1, 3, 2]
  %14 = arith.constant dense<0.0> : tensor<2x4x6x6xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, d, j)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%11, %13 : tensor<2x4x6x8xf32>, tensor<2x4x8x6xf32>) outs(%14 : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x6x6xf32>
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
      ins(%26, %9 : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%27 : tensor<2x4x6x8xf32>) {
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

// One head of one sequence is two products of matrices.
// CHECK-LABEL: func @matrices(
// CHECK:       te.attention %{{.*}}, %{{.*}}, %{{.*}} {{{.*}}scale = 5.000000e-01 : f32} : tensor<1x{{.*}}x8xf32>
func.func @matrices(%q: tensor<5x8xf32>, %k: tensor<7x8xf32>, %v: tensor<7x8xf32>) -> tensor<5x8xf32> {
  %0 = te.matmul %q, %k {transpose_b} : tensor<5x8xf32>, tensor<7x8xf32> -> tensor<5x7xf32>
  %1 = arith.constant dense<0.5> : tensor<5x7xf32>
  %2 = arith.mulf %1, %0 : tensor<5x7xf32>
  %3 = arith.constant dense<0xFF800000> : tensor<5xf32>
  %4 = linalg.reduce { arith.maximumf } ins(%2 : tensor<5x7xf32>) outs(%3 : tensor<5xf32>) dimensions = [1]
  %5 = tensor.empty() : tensor<5x7xf32>
  %6 = linalg.broadcast ins(%4 : tensor<5xf32>) outs(%5 : tensor<5x7xf32>) dimensions = [1]
  %7 = arith.subf %2, %6 : tensor<5x7xf32>
  %8 = math.exp %7 : tensor<5x7xf32>
  %9 = arith.constant dense<0.0> : tensor<5xf32>
  %10 = linalg.reduce { arith.addf } ins(%8 : tensor<5x7xf32>) outs(%9 : tensor<5xf32>) dimensions = [1]
  %11 = tensor.empty() : tensor<5x7xf32>
  %12 = linalg.broadcast ins(%10 : tensor<5xf32>) outs(%11 : tensor<5x7xf32>) dimensions = [1]
  %13 = arith.divf %8, %12 : tensor<5x7xf32>
  %14 = te.matmul %13, %v : tensor<5x7xf32>, tensor<7x8xf32> -> tensor<5x8xf32>
  return %14 : tensor<5x8xf32>
}

// -----

// With heads behind sequence and batch these are repeated heads,
// CHECK-LABEL: func @repeated_heads_sbhd(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x2x2x8xf32>, %[[K:.*]]: tensor<4x2x1x8xf32>)
// CHECK:       te.attention %[[Q]], %[[K]], %[[K]] {layout = #te.attention_layout<sbhd>
func.func @repeated_heads_sbhd(%q: tensor<4x2x2x8xf32>, %k: tensor<4x2x1x8xf32>) -> tensor<4x2x2x8xf32> {
  %0 = tensor.empty() : tensor<4x2x1x2x8xf32>
  %1 = linalg.broadcast ins(%k : tensor<4x2x1x8xf32>) outs(%0 : tensor<4x2x1x2x8xf32>) dimensions = [3]
  %2 = tensor.collapse_shape %1 [[0], [1], [2, 3], [4]] : tensor<4x2x1x2x8xf32> into tensor<4x2x2x8xf32>
  %o, %lse = te.attention %q, %2, %2 {layout = #te.attention_layout<sbhd>, scale = 0.5 : f32}
    : tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32> -> tensor<4x2x2x8xf32>, tensor<2x2x4xf32>
  return %o : tensor<4x2x2x8xf32>
}

// and this is one sequence of keys for all of the batch.
// CHECK-LABEL: func @repeated_batch_sbhd(
// CHECK:         %[[K:.*]] = tensor.collapse_shape
// CHECK:         te.attention %{{.*}}, %[[K]], %[[K]] {layout = #te.attention_layout<sbhd>
func.func @repeated_batch_sbhd(%q: tensor<4x2x2x8xf32>, %k: tensor<4x1x2x8xf32>) -> tensor<4x2x2x8xf32> {
  %0 = tensor.empty() : tensor<4x1x2x2x8xf32>
  %1 = linalg.broadcast ins(%k : tensor<4x1x2x8xf32>) outs(%0 : tensor<4x1x2x2x8xf32>) dimensions = [2]
  %2 = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<4x1x2x2x8xf32> into tensor<4x2x2x8xf32>
  %o, %lse = te.attention %q, %2, %2 {layout = #te.attention_layout<sbhd>, scale = 0.5 : f32}
    : tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32> -> tensor<4x2x2x8xf32>, tensor<2x2x4xf32>
  return %o : tensor<4x2x2x8xf32>
}
