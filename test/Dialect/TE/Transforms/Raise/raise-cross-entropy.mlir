// Cross-entropies in the pieces that JAX writes them in.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-6: gradients within

// log_softmax and take_along_axis, as plain JAX writes it.
// CHECK-LABEL: func @mean_of_log_softmax(
// CHECK:       te.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -9223372036854775808 : i64} : tensor<6x5xf32>, tensor<6xi{{32|64}}>
// CHECK-NOT:   math
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @mean_of_log_softmax(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [0.0, 5.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<6.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = arith.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %cst_2 = arith.constant dense<4> : tensor<2x3x1xi64>
  %cst_3 = arith.constant dense<0> : tensor<2x3x1xi64>
  %cst_4 = arith.constant dense<5> : tensor<2x3x1xi64>
  %cst_5 = arith.constant dense<15> : tensor<2x3x1xi64>
  %cst_6 = arith.constant dense<4> : tensor<2x3x1x1xi32>
  %cst_7 = arith.constant dense<0> : tensor<2x3x1x1xi32>
  %cst_8 = arith.constant dense<5> : tensor<2x3x1xi32>
  %cst_9 = arith.constant dense<0> : tensor<2x3x1xi32>
  %cst_10 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_11 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_11 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.maximumf %out, %in : f32
    linalg.yield %28 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%expanded : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %2 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %3 = math.exp %2 : tensor<2x3x5xf32>
  %collapsed_12 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_12 : tensor<6x5xf32>) outs(%cst_10 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.addf %out, %in : f32
    linalg.yield %28 : f32
  } -> tensor<6xf32>
  %expanded_13 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %5 = math.log %expanded_13 : tensor<2x3x1xf32>
  %collapsed_14 = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %broadcasted_15 = linalg.broadcast ins(%collapsed_14 : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %6 = arith.subf %2, %broadcasted_15 : tensor<2x3x5xf32>
  %expanded_16 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %7 = arith.cmpi slt, %expanded_16, %cst_9 : tensor<2x3x1xi32>
  %8 = arith.addi %expanded_16, %cst_8 : tensor<2x3x1xi32>
  %9 = arith.select %7, %8, %expanded_16 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_17 = tensor.expand_shape %9 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %10 = arith.cmpi sge, %expanded_17, %cst_7 : tensor<2x3x1x1xi32>
  %11 = arith.cmpi sle, %expanded_17, %cst_6 : tensor<2x3x1x1xi32>
  %12 = arith.andi %10, %11 : tensor<2x3x1x1xi1>
  %collapsed_18 = tensor.collapse_shape %12 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %13 = tensor.empty() : tensor<2x3x1xi64>
  %14 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%13 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %28 = linalg.index 0 : index
    %29 = arith.index_cast %28 : index to i64
    linalg.yield %29 : i64
  } -> tensor<2x3x1xi64>
  %15 = arith.muli %14, %cst_5 : tensor<2x3x1xi64>
  %16 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%13 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %28 = linalg.index 1 : index
    %29 = arith.index_cast %28 : index to i64
    linalg.yield %29 : i64
  } -> tensor<2x3x1xi64>
  %17 = arith.muli %16, %cst_4 : tensor<2x3x1xi64>
  %18 = arith.addi %15, %17 : tensor<2x3x1xi64>
  %19 = arith.extsi %9 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %20 = arith.maxsi %19, %cst_3 : tensor<2x3x1xi64>
  %21 = arith.minsi %20, %cst_2 : tensor<2x3x1xi64>
  %22 = arith.addi %18, %21 : tensor<2x3x1xi64>
  %collapsed_19 = tensor.collapse_shape %6 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_20 = tensor.expand_shape %collapsed_19 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_21 = tensor.collapse_shape %22 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %23 = te.embedding %collapsed_21, %expanded_20 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_22 = tensor.expand_shape %23 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %24 = arith.select %collapsed_18, %expanded_22, %cst_1 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_23 = tensor.collapse_shape %24 [[0, 1, 2]] : tensor<2x3x1xf32> into tensor<6xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_23 : tensor<6xf32>) outs(%cst_0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.addf %out, %in : f32
    linalg.yield %28 : f32
  } -> tensor<f32>
  %26 = arith.divf %25, %cst : tensor<f32>
  %27 = arith.negf %26 : tensor<f32>
  return %27 : tensor<f32>
}

// -----

// logsumexp minus the labels' logits, as Optax writes it, summed up.
// CHECK-LABEL: func @sum_of_logsumexp(
// CHECK:       te.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -9223372036854775808 : i64, reduction = #te.reduction<sum>} : tensor<6x5xf32>, tensor<6xi{{32|64}}>
// CHECK-NOT:   math
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @sum_of_logsumexp(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [0.0, 5.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %cst_1 = arith.constant dense<4> : tensor<2x3x1xi64>
  %cst_2 = arith.constant dense<0> : tensor<2x3x1xi64>
  %cst_3 = arith.constant dense<5> : tensor<2x3x1xi64>
  %cst_4 = arith.constant dense<15> : tensor<2x3x1xi64>
  %cst_5 = arith.constant dense<4> : tensor<2x3x1x1xi32>
  %cst_6 = arith.constant dense<0> : tensor<2x3x1x1xi32>
  %cst_7 = arith.constant dense<5> : tensor<2x3x1xi32>
  %cst_8 = arith.constant dense<0> : tensor<2x3x1xi32>
  %cst_9 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_10 = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
  %cst_11 = arith.constant dense<0x7F800000> : tensor<2x3xf32>
  %cst_12 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_12 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.maximumf %out, %in : f32
    linalg.yield %31 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = math.absf %expanded : tensor<2x3xf32>
  %2 = arith.cmpf olt, %1, %cst_11 : tensor<2x3xf32>
  %3 = arith.select %2, %expanded, %cst_10 : tensor<2x3xi1>, tensor<2x3xf32>
  %4 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%3 : tensor<2x3xf32>) outs(%4 : tensor<2x3x5xf32>) dimensions = [2] 
  %5 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %6 = math.exp %5 : tensor<2x3x5xf32>
  %collapsed_13 = tensor.collapse_shape %6 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_13 : tensor<6x5xf32>) outs(%cst_9 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %out, %in : f32
    linalg.yield %31 : f32
  } -> tensor<6xf32>
  %expanded_14 = tensor.expand_shape %7 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %8 = math.absf %expanded_14 : tensor<2x3xf32>
  %9 = math.log %8 : tensor<2x3xf32>
  %10 = arith.addf %9, %3 : tensor<2x3xf32>
  %expanded_15 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %11 = arith.cmpi slt, %expanded_15, %cst_8 : tensor<2x3x1xi32>
  %12 = arith.addi %expanded_15, %cst_7 : tensor<2x3x1xi32>
  %13 = arith.select %11, %12, %expanded_15 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_16 = tensor.expand_shape %13 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %14 = arith.cmpi sge, %expanded_16, %cst_6 : tensor<2x3x1x1xi32>
  %15 = arith.cmpi sle, %expanded_16, %cst_5 : tensor<2x3x1x1xi32>
  %16 = arith.andi %14, %15 : tensor<2x3x1x1xi1>
  %collapsed_17 = tensor.collapse_shape %16 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %17 = tensor.empty() : tensor<2x3x1xi64>
  %18 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%17 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %31 = linalg.index 0 : index
    %32 = arith.index_cast %31 : index to i64
    linalg.yield %32 : i64
  } -> tensor<2x3x1xi64>
  %19 = arith.muli %18, %cst_4 : tensor<2x3x1xi64>
  %20 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%17 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %31 = linalg.index 1 : index
    %32 = arith.index_cast %31 : index to i64
    linalg.yield %32 : i64
  } -> tensor<2x3x1xi64>
  %21 = arith.muli %20, %cst_3 : tensor<2x3x1xi64>
  %22 = arith.addi %19, %21 : tensor<2x3x1xi64>
  %23 = arith.extsi %13 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %24 = arith.maxsi %23, %cst_2 : tensor<2x3x1xi64>
  %25 = arith.minsi %24, %cst_1 : tensor<2x3x1xi64>
  %26 = arith.addi %22, %25 : tensor<2x3x1xi64>
  %collapsed_18 = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_19 = tensor.expand_shape %collapsed_18 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_20 = tensor.collapse_shape %26 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %27 = te.embedding %collapsed_20, %expanded_19 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_21 = tensor.expand_shape %27 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %28 = arith.select %collapsed_17, %expanded_21, %cst_0 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_22 = tensor.collapse_shape %28 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %29 = arith.subf %10, %collapsed_22 : tensor<2x3xf32>
  %collapsed_23 = tensor.collapse_shape %29 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %30 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_23 : tensor<6xf32>) outs(%cst : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %out, %in : f32
    linalg.yield %31 : f32
  } -> tensor<f32>
  return %30 : tensor<f32>
}

// -----

// A product with one-hot vectors: labels that are no class count as nothing.
// CHECK-LABEL: func @one_hot(
// CHECK:       te.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -9223372036854775808 : i64, reduction = #te.reduction<sum>} : tensor<6x5xf32>, tensor<6xi{{32|64}}>
// CHECK-NOT:   math
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0) -> ()>
func.func @one_hot(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [-1.0, 6.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<6.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = arith.constant dense<[[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]], [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]]> : tensor<2x3x5xi32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_3 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_3 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.maximumf %out, %in : f32
    linalg.yield %14 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%expanded : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %2 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %3 = math.exp %2 : tensor<2x3x5xf32>
  %collapsed_4 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_4 : tensor<6x5xf32>) outs(%cst_2 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %out, %in : f32
    linalg.yield %14 : f32
  } -> tensor<6xf32>
  %expanded_5 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %5 = math.log %expanded_5 : tensor<2x3x1xf32>
  %collapsed_6 = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %broadcasted_7 = linalg.broadcast ins(%collapsed_6 : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %6 = arith.subf %2, %broadcasted_7 : tensor<2x3x5xf32>
  %7 = tensor.empty() : tensor<2x3x5xi32>
  %broadcasted_8 = linalg.broadcast ins(%arg1 : tensor<2x3xi32>) outs(%7 : tensor<2x3x5xi32>) dimensions = [2] 
  %8 = arith.cmpi eq, %broadcasted_8, %cst_1 : tensor<2x3x5xi32>
  %9 = arith.uitofp %8 : tensor<2x3x5xi1> to tensor<2x3x5xf32>
  %10 = arith.mulf %6, %9 : tensor<2x3x5xf32>
  %collapsed_9 = tensor.collapse_shape %10 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %11 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%collapsed_9 : tensor<30xf32>) outs(%cst_0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %out, %in : f32
    linalg.yield %14 : f32
  } -> tensor<f32>
  %12 = arith.negf %11 : tensor<f32>
  %13 = arith.divf %12, %cst : tensor<f32>
  return %13 : tensor<f32>
}

// -----

// Rows that count, of which there is one at least.
// CHECK-LABEL: func @masked_mean(
// CHECK:       te.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -9223372036854775808 : i64} : tensor<6x5xf32>, tensor<6xi{{32|64}}>
// CHECK-NOT:   math
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @masked_mean(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [-2.0, 5.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<1> : tensor<i32>
  %cst_0 = arith.constant dense<0> : tensor<i32>
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
  %cst_3 = arith.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %cst_4 = arith.constant dense<4> : tensor<2x3x1xi64>
  %cst_5 = arith.constant dense<0> : tensor<2x3x1xi64>
  %cst_6 = arith.constant dense<5> : tensor<2x3x1xi64>
  %cst_7 = arith.constant dense<15> : tensor<2x3x1xi64>
  %cst_8 = arith.constant dense<4> : tensor<2x3x1x1xi32>
  %cst_9 = arith.constant dense<0> : tensor<2x3x1x1xi32>
  %cst_10 = arith.constant dense<5> : tensor<2x3x1xi32>
  %cst_11 = arith.constant dense<0> : tensor<2x3x1xi32>
  %cst_12 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_13 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %cst_14 = arith.constant dense<0> : tensor<2x3xi32>
  %0 = arith.cmpi sge, %arg1, %cst_14 : tensor<2x3xi32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_13 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.maximumf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %2 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%expanded : tensor<2x3xf32>) outs(%2 : tensor<2x3x5xf32>) dimensions = [2] 
  %3 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %4 = math.exp %3 : tensor<2x3x5xf32>
  %collapsed_15 = tensor.collapse_shape %4 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_15 : tensor<6x5xf32>) outs(%cst_12 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<6xf32>
  %expanded_16 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %6 = math.log %expanded_16 : tensor<2x3x1xf32>
  %collapsed_17 = tensor.collapse_shape %6 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %broadcasted_18 = linalg.broadcast ins(%collapsed_17 : tensor<2x3xf32>) outs(%2 : tensor<2x3x5xf32>) dimensions = [2] 
  %7 = arith.subf %3, %broadcasted_18 : tensor<2x3x5xf32>
  %8 = arith.maxsi %arg1, %cst_14 : tensor<2x3xi32>
  %expanded_19 = tensor.expand_shape %8 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %9 = arith.cmpi slt, %expanded_19, %cst_11 : tensor<2x3x1xi32>
  %10 = arith.addi %expanded_19, %cst_10 : tensor<2x3x1xi32>
  %11 = arith.select %9, %10, %expanded_19 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_20 = tensor.expand_shape %11 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %12 = arith.cmpi sge, %expanded_20, %cst_9 : tensor<2x3x1x1xi32>
  %13 = arith.cmpi sle, %expanded_20, %cst_8 : tensor<2x3x1x1xi32>
  %14 = arith.andi %12, %13 : tensor<2x3x1x1xi1>
  %collapsed_21 = tensor.collapse_shape %14 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %15 = tensor.empty() : tensor<2x3x1xi64>
  %16 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%15 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 0 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<2x3x1xi64>
  %17 = arith.muli %16, %cst_7 : tensor<2x3x1xi64>
  %18 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%15 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 1 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<2x3x1xi64>
  %19 = arith.muli %18, %cst_6 : tensor<2x3x1xi64>
  %20 = arith.addi %17, %19 : tensor<2x3x1xi64>
  %21 = arith.extsi %11 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %22 = arith.maxsi %21, %cst_5 : tensor<2x3x1xi64>
  %23 = arith.minsi %22, %cst_4 : tensor<2x3x1xi64>
  %24 = arith.addi %20, %23 : tensor<2x3x1xi64>
  %collapsed_22 = tensor.collapse_shape %7 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_23 = tensor.expand_shape %collapsed_22 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_24 = tensor.collapse_shape %24 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %25 = te.embedding %collapsed_24, %expanded_23 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_25 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %26 = arith.select %collapsed_21, %expanded_25, %cst_3 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_26 = tensor.collapse_shape %26 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %27 = arith.select %0, %collapsed_26, %cst_2 : tensor<2x3xi1>, tensor<2x3xf32>
  %collapsed_27 = tensor.collapse_shape %27 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %28 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_27 : tensor<6xf32>) outs(%cst_1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<f32>
  %29 = arith.negf %28 : tensor<f32>
  %30 = arith.extui %0 : tensor<2x3xi1> to tensor<2x3xi32>
  %collapsed_28 = tensor.collapse_shape %30 [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %31 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_28 : tensor<6xi32>) outs(%cst_0 : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %35 = arith.addi %out, %in : i32
    linalg.yield %35 : i32
  } -> tensor<i32>
  %32 = arith.maxsi %31, %cst : tensor<i32>
  %33 = arith.sitofp %32 : tensor<i32> to tensor<f32>
  %34 = arith.divf %29, %33 : tensor<f32>
  return %34 : tensor<f32>
}

// -----

// Rows that count, perhaps none: then the quotient is no number, and stays one.
// CHECK-LABEL: func @masked_quotient(
// CHECK:       te.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -9223372036854775808 : i64, reduction = #te.reduction<sum>} : tensor<6x5xf32>, tensor<6xi64>
// CHECK-NOT:   math
// CHECK:       arith.divf
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @masked_quotient(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [-2.0, 5.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<0> : tensor<i32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = arith.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %cst_2 = arith.constant dense<4> : tensor<2x3x1xi64>
  %cst_3 = arith.constant dense<0> : tensor<2x3x1xi64>
  %cst_4 = arith.constant dense<5> : tensor<2x3x1xi64>
  %cst_5 = arith.constant dense<15> : tensor<2x3x1xi64>
  %cst_6 = arith.constant dense<4> : tensor<2x3x1x1xi32>
  %cst_7 = arith.constant dense<0> : tensor<2x3x1x1xi32>
  %cst_8 = arith.constant dense<5> : tensor<2x3x1xi32>
  %cst_9 = arith.constant dense<0> : tensor<2x3x1xi32>
  %cst_10 = arith.constant dense<0> : tensor<2x3xi32>
  %cst_11 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_12 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_12 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.maximumf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%expanded : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %2 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %3 = math.exp %2 : tensor<2x3x5xf32>
  %collapsed_13 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_13 : tensor<6x5xf32>) outs(%cst_11 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<6xf32>
  %expanded_14 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %5 = math.log %expanded_14 : tensor<2x3x1xf32>
  %collapsed_15 = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %broadcasted_16 = linalg.broadcast ins(%collapsed_15 : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %6 = arith.subf %2, %broadcasted_16 : tensor<2x3x5xf32>
  %7 = arith.maxsi %arg1, %cst_10 : tensor<2x3xi32>
  %expanded_17 = tensor.expand_shape %7 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %8 = arith.cmpi slt, %expanded_17, %cst_9 : tensor<2x3x1xi32>
  %9 = arith.addi %expanded_17, %cst_8 : tensor<2x3x1xi32>
  %10 = arith.select %8, %9, %expanded_17 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_18 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %11 = arith.cmpi sge, %expanded_18, %cst_7 : tensor<2x3x1x1xi32>
  %12 = arith.cmpi sle, %expanded_18, %cst_6 : tensor<2x3x1x1xi32>
  %13 = arith.andi %11, %12 : tensor<2x3x1x1xi1>
  %collapsed_19 = tensor.collapse_shape %13 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %14 = tensor.empty() : tensor<2x3x1xi64>
  %15 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 0 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<2x3x1xi64>
  %16 = arith.muli %15, %cst_5 : tensor<2x3x1xi64>
  %17 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 1 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<2x3x1xi64>
  %18 = arith.muli %17, %cst_4 : tensor<2x3x1xi64>
  %19 = arith.addi %16, %18 : tensor<2x3x1xi64>
  %20 = arith.extsi %10 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %21 = arith.maxsi %20, %cst_3 : tensor<2x3x1xi64>
  %22 = arith.minsi %21, %cst_2 : tensor<2x3x1xi64>
  %23 = arith.addi %19, %22 : tensor<2x3x1xi64>
  %collapsed_20 = tensor.collapse_shape %6 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_21 = tensor.expand_shape %collapsed_20 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_22 = tensor.collapse_shape %23 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %24 = te.embedding %collapsed_22, %expanded_21 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_23 = tensor.expand_shape %24 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %25 = arith.select %collapsed_19, %expanded_23, %cst_1 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_24 = tensor.collapse_shape %25 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %26 = arith.cmpi sge, %arg1, %cst_10 : tensor<2x3xi32>
  %27 = arith.uitofp %26 : tensor<2x3xi1> to tensor<2x3xf32>
  %28 = arith.mulf %collapsed_24, %27 : tensor<2x3xf32>
  %collapsed_25 = tensor.collapse_shape %28 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_25 : tensor<6xf32>) outs(%cst_0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<f32>
  %30 = arith.negf %29 : tensor<f32>
  %31 = arith.extui %26 : tensor<2x3xi1> to tensor<2x3xi32>
  %collapsed_26 = tensor.collapse_shape %31 [[0, 1]] : tensor<2x3xi32> into tensor<6xi32>
  %32 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_26 : tensor<6xi32>) outs(%cst : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %35 = arith.addi %out, %in : i32
    linalg.yield %35 : i32
  } -> tensor<i32>
  %33 = arith.sitofp %32 : tensor<i32> to tensor<f32>
  %34 = arith.divf %30, %33 : tensor<f32>
  return %34 : tensor<f32>
}

// -----

// Of logits that are divided before.
// CHECK-LABEL: func @scaled_logits(
// CHECK:       te.cross_entropy %{{.*}}, %{{.*}} {ignore_index = -9223372036854775808 : i64} : tensor<6x5xf32>, tensor<6xi{{32|64}}>
// CHECK-NOT:   math
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @scaled_logits(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [0.0, 5.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<6.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = arith.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %cst_2 = arith.constant dense<4> : tensor<2x3x1xi64>
  %cst_3 = arith.constant dense<0> : tensor<2x3x1xi64>
  %cst_4 = arith.constant dense<5> : tensor<2x3x1xi64>
  %cst_5 = arith.constant dense<15> : tensor<2x3x1xi64>
  %cst_6 = arith.constant dense<4> : tensor<2x3x1x1xi32>
  %cst_7 = arith.constant dense<0> : tensor<2x3x1x1xi32>
  %cst_8 = arith.constant dense<5> : tensor<2x3x1xi32>
  %cst_9 = arith.constant dense<0> : tensor<2x3x1xi32>
  %cst_10 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_11 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %cst_12 = arith.constant dense<2.000000e+00> : tensor<2x3x5xf32>
  %0 = arith.divf %arg0, %cst_12 : tensor<2x3x5xf32>
  %collapsed = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_11 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.maximumf %out, %in : f32
    linalg.yield %29 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %2 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%expanded : tensor<2x3xf32>) outs(%2 : tensor<2x3x5xf32>) dimensions = [2] 
  %3 = arith.subf %0, %broadcasted : tensor<2x3x5xf32>
  %4 = math.exp %3 : tensor<2x3x5xf32>
  %collapsed_13 = tensor.collapse_shape %4 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_13 : tensor<6x5xf32>) outs(%cst_10 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.addf %out, %in : f32
    linalg.yield %29 : f32
  } -> tensor<6xf32>
  %expanded_14 = tensor.expand_shape %5 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %6 = math.log %expanded_14 : tensor<2x3x1xf32>
  %collapsed_15 = tensor.collapse_shape %6 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %broadcasted_16 = linalg.broadcast ins(%collapsed_15 : tensor<2x3xf32>) outs(%2 : tensor<2x3x5xf32>) dimensions = [2] 
  %7 = arith.subf %3, %broadcasted_16 : tensor<2x3x5xf32>
  %expanded_17 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %8 = arith.cmpi slt, %expanded_17, %cst_9 : tensor<2x3x1xi32>
  %9 = arith.addi %expanded_17, %cst_8 : tensor<2x3x1xi32>
  %10 = arith.select %8, %9, %expanded_17 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_18 = tensor.expand_shape %10 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %11 = arith.cmpi sge, %expanded_18, %cst_7 : tensor<2x3x1x1xi32>
  %12 = arith.cmpi sle, %expanded_18, %cst_6 : tensor<2x3x1x1xi32>
  %13 = arith.andi %11, %12 : tensor<2x3x1x1xi1>
  %collapsed_19 = tensor.collapse_shape %13 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %14 = tensor.empty() : tensor<2x3x1xi64>
  %15 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %29 = linalg.index 0 : index
    %30 = arith.index_cast %29 : index to i64
    linalg.yield %30 : i64
  } -> tensor<2x3x1xi64>
  %16 = arith.muli %15, %cst_5 : tensor<2x3x1xi64>
  %17 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %29 = linalg.index 1 : index
    %30 = arith.index_cast %29 : index to i64
    linalg.yield %30 : i64
  } -> tensor<2x3x1xi64>
  %18 = arith.muli %17, %cst_4 : tensor<2x3x1xi64>
  %19 = arith.addi %16, %18 : tensor<2x3x1xi64>
  %20 = arith.extsi %10 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %21 = arith.maxsi %20, %cst_3 : tensor<2x3x1xi64>
  %22 = arith.minsi %21, %cst_2 : tensor<2x3x1xi64>
  %23 = arith.addi %19, %22 : tensor<2x3x1xi64>
  %collapsed_20 = tensor.collapse_shape %7 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_21 = tensor.expand_shape %collapsed_20 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_22 = tensor.collapse_shape %23 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %24 = te.embedding %collapsed_22, %expanded_21 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_23 = tensor.expand_shape %24 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %25 = arith.select %collapsed_19, %expanded_23, %cst_1 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_24 = tensor.collapse_shape %25 [[0, 1, 2]] : tensor<2x3x1xf32> into tensor<6xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_24 : tensor<6xf32>) outs(%cst_0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %29 = arith.addf %out, %in : f32
    linalg.yield %29 : f32
  } -> tensor<f32>
  %27 = arith.divf %26, %cst : tensor<f32>
  %28 = arith.negf %27 : tensor<f32>
  return %28 : tensor<f32>
}
