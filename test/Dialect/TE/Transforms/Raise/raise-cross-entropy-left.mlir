// What is almost a cross-entropy, and stays as it is.

// RUN: te-opt %s --te-raise --split-input-file | FileCheck %s

// Each is what it was, on random values, and its gradients are differences of it:
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-4: gradients within

// Almost: the logarithm is of other logits than the labels'.
// CHECK-LABEL: func @other_temperature(
// CHECK-NOT:   te.cross_entropy
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @other_temperature(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [0.0, 5.0]}) -> (tensor<f32>) {
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
  %cst_11 = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
  %cst_12 = arith.constant dense<0x7F800000> : tensor<2x3xf32>
  %cst_13 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %cst_14 = arith.constant dense<2.000000e+00> : tensor<2x3x5xf32>
  %0 = arith.divf %arg0, %cst_14 : tensor<2x3x5xf32>
  %collapsed = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_13 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.maximumf %out, %in : f32
    linalg.yield %33 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %2 = math.absf %expanded : tensor<2x3xf32>
  %3 = arith.cmpf olt, %2, %cst_12 : tensor<2x3xf32>
  %4 = arith.select %3, %expanded, %cst_11 : tensor<2x3xi1>, tensor<2x3xf32>
  %5 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%4 : tensor<2x3xf32>) outs(%5 : tensor<2x3x5xf32>) dimensions = [2] 
  %6 = arith.subf %0, %broadcasted : tensor<2x3x5xf32>
  %7 = math.exp %6 : tensor<2x3x5xf32>
  %collapsed_15 = tensor.collapse_shape %7 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_15 : tensor<6x5xf32>) outs(%cst_10 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.addf %out, %in : f32
    linalg.yield %33 : f32
  } -> tensor<6xf32>
  %expanded_16 = tensor.expand_shape %8 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %9 = math.absf %expanded_16 : tensor<2x3xf32>
  %10 = math.log %9 : tensor<2x3xf32>
  %11 = arith.addf %10, %4 : tensor<2x3xf32>
  %expanded_17 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %12 = arith.cmpi slt, %expanded_17, %cst_9 : tensor<2x3x1xi32>
  %13 = arith.addi %expanded_17, %cst_8 : tensor<2x3x1xi32>
  %14 = arith.select %12, %13, %expanded_17 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_18 = tensor.expand_shape %14 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %15 = arith.cmpi sge, %expanded_18, %cst_7 : tensor<2x3x1x1xi32>
  %16 = arith.cmpi sle, %expanded_18, %cst_6 : tensor<2x3x1x1xi32>
  %17 = arith.andi %15, %16 : tensor<2x3x1x1xi1>
  %collapsed_19 = tensor.collapse_shape %17 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %18 = tensor.empty() : tensor<2x3x1xi64>
  %19 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%18 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %33 = linalg.index 0 : index
    %34 = arith.index_cast %33 : index to i64
    linalg.yield %34 : i64
  } -> tensor<2x3x1xi64>
  %20 = arith.muli %19, %cst_5 : tensor<2x3x1xi64>
  %21 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%18 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %33 = linalg.index 1 : index
    %34 = arith.index_cast %33 : index to i64
    linalg.yield %34 : i64
  } -> tensor<2x3x1xi64>
  %22 = arith.muli %21, %cst_4 : tensor<2x3x1xi64>
  %23 = arith.addi %20, %22 : tensor<2x3x1xi64>
  %24 = arith.extsi %14 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %25 = arith.maxsi %24, %cst_3 : tensor<2x3x1xi64>
  %26 = arith.minsi %25, %cst_2 : tensor<2x3x1xi64>
  %27 = arith.addi %23, %26 : tensor<2x3x1xi64>
  %collapsed_20 = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_21 = tensor.expand_shape %collapsed_20 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_22 = tensor.collapse_shape %27 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %28 = te.embedding %collapsed_22, %expanded_21 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_23 = tensor.expand_shape %28 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %29 = arith.select %collapsed_19, %expanded_23, %cst_1 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_24 = tensor.collapse_shape %29 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %30 = arith.subf %11, %collapsed_24 : tensor<2x3xf32>
  %collapsed_25 = tensor.collapse_shape %30 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_25 : tensor<6xf32>) outs(%cst_0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %33 = arith.addf %out, %in : f32
    linalg.yield %33 : f32
  } -> tensor<f32>
  %32 = arith.divf %31, %cst : tensor<f32>
  return %32 : tensor<f32>
}

// -----

// Almost: every row has a weight.
// CHECK-LABEL: func @weighted(
// CHECK-NOT:   te.cross_entropy
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @weighted(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [0.0, 5.0]}, %arg2: tensor<2x3xf32>) -> (tensor<f32>) {
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
  %cst_10 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_10 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.maximumf %out, %in : f32
    linalg.yield %28 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%expanded : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %2 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %3 = math.exp %2 : tensor<2x3x5xf32>
  %collapsed_11 = tensor.collapse_shape %3 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_11 : tensor<6x5xf32>) outs(%cst_9 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.addf %out, %in : f32
    linalg.yield %28 : f32
  } -> tensor<6xf32>
  %expanded_12 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [2, 3, 1] : tensor<6xf32> into tensor<2x3x1xf32>
  %5 = math.log %expanded_12 : tensor<2x3x1xf32>
  %collapsed_13 = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %broadcasted_14 = linalg.broadcast ins(%collapsed_13 : tensor<2x3xf32>) outs(%1 : tensor<2x3x5xf32>) dimensions = [2] 
  %6 = arith.subf %2, %broadcasted_14 : tensor<2x3x5xf32>
  %expanded_15 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %7 = arith.cmpi slt, %expanded_15, %cst_8 : tensor<2x3x1xi32>
  %8 = arith.addi %expanded_15, %cst_7 : tensor<2x3x1xi32>
  %9 = arith.select %7, %8, %expanded_15 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_16 = tensor.expand_shape %9 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %10 = arith.cmpi sge, %expanded_16, %cst_6 : tensor<2x3x1x1xi32>
  %11 = arith.cmpi sle, %expanded_16, %cst_5 : tensor<2x3x1x1xi32>
  %12 = arith.andi %10, %11 : tensor<2x3x1x1xi1>
  %collapsed_17 = tensor.collapse_shape %12 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %13 = tensor.empty() : tensor<2x3x1xi64>
  %14 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%13 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %28 = linalg.index 0 : index
    %29 = arith.index_cast %28 : index to i64
    linalg.yield %29 : i64
  } -> tensor<2x3x1xi64>
  %15 = arith.muli %14, %cst_4 : tensor<2x3x1xi64>
  %16 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%13 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %28 = linalg.index 1 : index
    %29 = arith.index_cast %28 : index to i64
    linalg.yield %29 : i64
  } -> tensor<2x3x1xi64>
  %17 = arith.muli %16, %cst_3 : tensor<2x3x1xi64>
  %18 = arith.addi %15, %17 : tensor<2x3x1xi64>
  %19 = arith.extsi %9 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %20 = arith.maxsi %19, %cst_2 : tensor<2x3x1xi64>
  %21 = arith.minsi %20, %cst_1 : tensor<2x3x1xi64>
  %22 = arith.addi %18, %21 : tensor<2x3x1xi64>
  %collapsed_18 = tensor.collapse_shape %6 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_19 = tensor.expand_shape %collapsed_18 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_20 = tensor.collapse_shape %22 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %23 = te.embedding %collapsed_20, %expanded_19 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_21 = tensor.expand_shape %23 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %24 = arith.select %collapsed_17, %expanded_21, %cst_0 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_22 = tensor.collapse_shape %24 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %25 = arith.mulf %collapsed_22, %arg2 : tensor<2x3xf32>
  %collapsed_23 = tensor.collapse_shape %25 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_23 : tensor<6xf32>) outs(%cst : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %28 = arith.addf %out, %in : f32
    linalg.yield %28 : f32
  } -> tensor<f32>
  %27 = arith.negf %26 : tensor<f32>
  return %27 : tensor<f32>
}

// -----

// Almost: the square of the logarithm is added.
// CHECK-LABEL: func @penalty(
// CHECK-NOT:   te.cross_entropy
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
func.func @penalty(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [0.0, 5.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<6.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_1 = arith.constant dense<1.000000e-01> : tensor<2x3xf32>
  %cst_2 = arith.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %cst_3 = arith.constant dense<4> : tensor<2x3x1xi64>
  %cst_4 = arith.constant dense<0> : tensor<2x3x1xi64>
  %cst_5 = arith.constant dense<5> : tensor<2x3x1xi64>
  %cst_6 = arith.constant dense<15> : tensor<2x3x1xi64>
  %cst_7 = arith.constant dense<4> : tensor<2x3x1x1xi32>
  %cst_8 = arith.constant dense<0> : tensor<2x3x1x1xi32>
  %cst_9 = arith.constant dense<5> : tensor<2x3x1xi32>
  %cst_10 = arith.constant dense<0> : tensor<2x3x1xi32>
  %cst_11 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_12 = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
  %cst_13 = arith.constant dense<0x7F800000> : tensor<2x3xf32>
  %cst_14 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_14 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.maximumf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = math.absf %expanded : tensor<2x3xf32>
  %2 = arith.cmpf olt, %1, %cst_13 : tensor<2x3xf32>
  %3 = arith.select %2, %expanded, %cst_12 : tensor<2x3xi1>, tensor<2x3xf32>
  %4 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%3 : tensor<2x3xf32>) outs(%4 : tensor<2x3x5xf32>) dimensions = [2] 
  %5 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %6 = math.exp %5 : tensor<2x3x5xf32>
  %collapsed_15 = tensor.collapse_shape %6 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_15 : tensor<6x5xf32>) outs(%cst_11 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<6xf32>
  %expanded_16 = tensor.expand_shape %7 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %8 = math.absf %expanded_16 : tensor<2x3xf32>
  %9 = math.log %8 : tensor<2x3xf32>
  %10 = arith.addf %9, %3 : tensor<2x3xf32>
  %expanded_17 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xi32> into tensor<2x3x1xi32>
  %11 = arith.cmpi slt, %expanded_17, %cst_10 : tensor<2x3x1xi32>
  %12 = arith.addi %expanded_17, %cst_9 : tensor<2x3x1xi32>
  %13 = arith.select %11, %12, %expanded_17 : tensor<2x3x1xi1>, tensor<2x3x1xi32>
  %expanded_18 = tensor.expand_shape %13 [[0], [1], [2, 3]] output_shape [2, 3, 1, 1] : tensor<2x3x1xi32> into tensor<2x3x1x1xi32>
  %14 = arith.cmpi sge, %expanded_18, %cst_8 : tensor<2x3x1x1xi32>
  %15 = arith.cmpi sle, %expanded_18, %cst_7 : tensor<2x3x1x1xi32>
  %16 = arith.andi %14, %15 : tensor<2x3x1x1xi1>
  %collapsed_19 = tensor.collapse_shape %16 [[0], [1], [2, 3]] : tensor<2x3x1x1xi1> into tensor<2x3x1xi1>
  %17 = tensor.empty() : tensor<2x3x1xi64>
  %18 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%17 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 0 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<2x3x1xi64>
  %19 = arith.muli %18, %cst_6 : tensor<2x3x1xi64>
  %20 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%17 : tensor<2x3x1xi64>) {
  ^bb0(%out: i64):
    %35 = linalg.index 1 : index
    %36 = arith.index_cast %35 : index to i64
    linalg.yield %36 : i64
  } -> tensor<2x3x1xi64>
  %21 = arith.muli %20, %cst_5 : tensor<2x3x1xi64>
  %22 = arith.addi %19, %21 : tensor<2x3x1xi64>
  %23 = arith.extsi %13 : tensor<2x3x1xi32> to tensor<2x3x1xi64>
  %24 = arith.maxsi %23, %cst_4 : tensor<2x3x1xi64>
  %25 = arith.minsi %24, %cst_3 : tensor<2x3x1xi64>
  %26 = arith.addi %22, %25 : tensor<2x3x1xi64>
  %collapsed_20 = tensor.collapse_shape %arg0 [[0, 1, 2]] : tensor<2x3x5xf32> into tensor<30xf32>
  %expanded_21 = tensor.expand_shape %collapsed_20 [[0, 1]] output_shape [30, 1] : tensor<30xf32> into tensor<30x1xf32>
  %collapsed_22 = tensor.collapse_shape %26 [[0, 1, 2]] : tensor<2x3x1xi64> into tensor<6xi64>
  %27 = te.embedding %collapsed_22, %expanded_21 : tensor<6xi64>, tensor<30x1xf32> -> tensor<6x1xf32>
  %expanded_23 = tensor.expand_shape %27 [[0, 1], [2]] output_shape [2, 3, 1] : tensor<6x1xf32> into tensor<2x3x1xf32>
  %28 = arith.select %collapsed_19, %expanded_23, %cst_2 : tensor<2x3x1xi1>, tensor<2x3x1xf32>
  %collapsed_24 = tensor.collapse_shape %28 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %29 = arith.subf %10, %collapsed_24 : tensor<2x3xf32>
  %30 = arith.mulf %10, %10 : tensor<2x3xf32>
  %31 = arith.mulf %30, %cst_1 : tensor<2x3xf32>
  %32 = arith.addf %29, %31 : tensor<2x3xf32>
  %collapsed_25 = tensor.collapse_shape %32 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %33 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction"]} ins(%collapsed_25 : tensor<6xf32>) outs(%cst_0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<f32>
  %34 = arith.divf %33, %cst : tensor<f32>
  return %34 : tensor<f32>
}

// -----

// Almost: where the label is no class, the logarithm still counts.
// CHECK-LABEL: func @one_hot_and_rest(
// CHECK-NOT:   te.cross_entropy
// CHECK:       return
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0) -> ()>
func.func @one_hot_and_rest(%arg0: tensor<2x3x5xf32>, %arg1: tensor<2x3xi32> {test.range = [-1.0, 6.0]}) -> (tensor<f32>) {
  %cst = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<[[[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]], [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]]> : tensor<2x3x5xi32>
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<6xf32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x3xf32>
  %cst_3 = arith.constant dense<0x7F800000> : tensor<2x3xf32>
  %cst_4 = arith.constant dense<0xFF800000> : tensor<6xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed : tensor<6x5xf32>) outs(%cst_4 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.maximumf %out, %in : f32
    linalg.yield %18 : f32
  } -> tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %1 = math.absf %expanded : tensor<2x3xf32>
  %2 = arith.cmpf olt, %1, %cst_3 : tensor<2x3xf32>
  %3 = arith.select %2, %expanded, %cst_2 : tensor<2x3xi1>, tensor<2x3xf32>
  %4 = tensor.empty() : tensor<2x3x5xf32>
  %broadcasted = linalg.broadcast ins(%3 : tensor<2x3xf32>) outs(%4 : tensor<2x3x5xf32>) dimensions = [2] 
  %5 = arith.subf %arg0, %broadcasted : tensor<2x3x5xf32>
  %6 = math.exp %5 : tensor<2x3x5xf32>
  %collapsed_5 = tensor.collapse_shape %6 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_5 : tensor<6x5xf32>) outs(%cst_1 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %out, %in : f32
    linalg.yield %18 : f32
  } -> tensor<6xf32>
  %expanded_6 = tensor.expand_shape %7 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %8 = math.absf %expanded_6 : tensor<2x3xf32>
  %9 = math.log %8 : tensor<2x3xf32>
  %10 = arith.addf %9, %3 : tensor<2x3xf32>
  %11 = tensor.empty() : tensor<2x3x5xi32>
  %broadcasted_7 = linalg.broadcast ins(%arg1 : tensor<2x3xi32>) outs(%11 : tensor<2x3x5xi32>) dimensions = [2] 
  %12 = arith.cmpi eq, %broadcasted_7, %cst_0 : tensor<2x3x5xi32>
  %13 = arith.uitofp %12 : tensor<2x3x5xi1> to tensor<2x3x5xf32>
  %14 = arith.mulf %arg0, %13 : tensor<2x3x5xf32>
  %collapsed_8 = tensor.collapse_shape %14 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%collapsed_8 : tensor<6x5xf32>) outs(%cst_1 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %out, %in : f32
    linalg.yield %18 : f32
  } -> tensor<6xf32>
  %expanded_9 = tensor.expand_shape %15 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %16 = arith.subf %10, %expanded_9 : tensor<2x3xf32>
  %collapsed_10 = tensor.collapse_shape %16 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["reduction"]} ins(%collapsed_10 : tensor<6xf32>) outs(%cst : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %18 = arith.addf %out, %in : f32
    linalg.yield %18 : f32
  } -> tensor<f32>
  return %17 : tensor<f32>
}
