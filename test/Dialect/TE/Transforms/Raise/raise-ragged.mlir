// Products of consecutive groups of rows with a matrix each, as sums over all
// groups of rows that a mask selects.

// RUN: te-opt %s --split-input-file --te-raise | FileCheck %s
// RUN: te-test-opt %s --split-input-file --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-7: gradients within

// Rows behind the last group have no expert.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<6x8xf32> {{.*}}, %{{.*}}: tensor<3xi32> {{.*}}, %[[W:.*]]: tensor<3x8x4xf32>
// CHECK-DAG:     %[[THREE:.*]] = arith.constant dense<3> : tensor<6xi64>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant dense<-1> : tensor<6xi64>
// CHECK:         %[[ENDED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6xi64>)
// CHECK:           arith.cmpi sle
// CHECK:         %[[IS:.*]] = arith.cmpi slt, %[[ENDED]], %[[THREE]] : tensor<6xi64>
// CHECK:         %[[E:.*]] = arith.select %[[IS]], %[[ENDED]], %[[NONE]]
// CHECK:         %[[EXPERTS:.*]] = arith.trunci %[[E]] : tensor<6xi64> to tensor<6xi32>
// CHECK:         %[[B:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1], [2]] : tensor<3x8x4xf32> into tensor<24x4xf32>
// CHECK:         te.expert_matmul %[[X]], %[[B]] experts(%[[EXPERTS]]) : tensor<6x8xf32>, tensor<24x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, k, n)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x8x4xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %first = arith.constant dense<0> : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %p = arith.maxsi %given, %none : tensor<3xi32>
  %s = arith.minsi %p, %six : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %sums[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi slt, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.andi %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Matrices [features, inputs]; a zero that is a number repeated.
// CHECK-LABEL: func.func @forward(
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) {transpose_b} : tensor<6x8xf32>, tensor<12x8xf32>, tensor<6xi32> -> tensor<6x4xf32>
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, n, k)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x4x8xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %none1 = arith.constant dense<0> : tensor<i32>
  %i1 = tensor.empty() : tensor<1xi32>
  %first = linalg.broadcast ins(%none1 : tensor<i32>) outs(%i1 : tensor<1xi32>) dimensions = [0]
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %p = arith.maxsi %given, %none : tensor<3xi32>
  %s = arith.minsi %p, %six : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %sums[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi slt, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.andi %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x4x8xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// None: sizes that may be negative, with which groups overlap.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, k, n)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x8x4xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %first = arith.constant dense<0> : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %s = arith.addi %given, %none : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %sums[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi slt, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.andi %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Sizes whose sum may be more than an i32 holds.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, k, n)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x8x4xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %first = arith.constant dense<0> : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %s = arith.maxsi %given, %none : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %sums[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi slt, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.andi %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Groups that begin elsewhere than where the one before them ends.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, k, n)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x8x4xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %first = arith.constant dense<0> : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %p = arith.maxsi %given, %none : tensor<3xi32>
  %s = arith.minsi %p, %six : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %s[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi slt, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.andi %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Groups with the row behind them, which is in two.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, k, n)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x8x4xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %first = arith.constant dense<0> : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %p = arith.maxsi %given, %none : tensor<3xi32>
  %s = arith.minsi %p, %six : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %sums[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi sle, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.andi %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// -----

// Rows in any group but theirs.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:     te.expert_matmul
#kept = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#summed = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#rows = affine_map<(p, n, k, e) -> (e, p, k)>
#matrices = affine_map<(p, n, k, e) -> (e, k, n)>
#result = affine_map<(p, n, k, e) -> (p, n)>
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %given: tensor<3xi32> {te.input = "sizes"}, %w: tensor<3x8x4xf32> {te.param = "w"}) -> (tensor<6x4xf32> {te.output = "y"}) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %six = arith.constant dense<6> : tensor<3xi32>
  %first = arith.constant dense<0> : tensor<1xi32>
  %zeros = arith.constant dense<0> : tensor<1x3x1xi32>
  %zero = arith.constant dense<0.0> : tensor<6x4xf32>
  %fill = arith.constant dense<0.0> : tensor<3x6x8xf32>
  %places = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %i = tensor.empty() : tensor<3x6x8xi32>
  %f = tensor.empty() : tensor<3x6x8xf32>
  %p = arith.maxsi %given, %none : tensor<3xi32>
  %s = arith.minsi %p, %six : tensor<3xi32>
  %s3 = tensor.expand_shape %s [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xi32> into tensor<1x3x1xi32>
  %sum = linalg.generic {indexing_maps = [#summed, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s3 : tensor<1x3x1xi32>) outs(%zeros : tensor<1x3x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %c0 = arith.constant 0 : i32
    %to = linalg.index 1 : index
    %at = linalg.index 3 : index
    %counts = arith.cmpi ule, %at, %to : index
    %term = arith.select %counts, %in, %c0 : i32
    %y = arith.addi %out, %term : i32
    linalg.yield %y : i32
  } -> tensor<1x3x1xi32>
  %sums = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<1x3x1xi32> into tensor<3xi32>
  %some = tensor.extract_slice %sums[0] [2] [1] : tensor<3xi32> to tensor<2xi32>
  %before = tensor.concat dim(0) %first, %some : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %begins = linalg.broadcast ins(%before : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %ends = linalg.broadcast ins(%sums : tensor<3xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [1, 2]
  %row = linalg.broadcast ins(%places : tensor<6xi32>) outs(%i : tensor<3x6x8xi32>) dimensions = [0, 2]
  %lower = arith.cmpi sle, %begins, %row : tensor<3x6x8xi32>
  %upper = arith.cmpi slt, %row, %ends : tensor<3x6x8xi32>
  %mask = arith.ori %lower, %upper : tensor<3x6x8xi1>
  %each = linalg.broadcast ins(%x : tensor<6x8xf32>) outs(%f : tensor<3x6x8xf32>) dimensions = [0]
  %own = arith.select %mask, %each, %fill : tensor<3x6x8xi1>, tensor<3x6x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #matrices, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%own, %w : tensor<3x6x8xf32>, tensor<3x8x4xf32>) outs(%zero : tensor<6x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %ab = arith.mulf %a, %b : f32
    %y = arith.addf %out, %ab : f32
    linalg.yield %y : f32
  } -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
