// Rows that are dropped where two numbers of them are too large, which were counted in
// two orders: one says which rows have places, and the other what their weights are.

// RUN: te-opt %s --te-raise | FileCheck %s
// RUN: te-test-opt %s --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME: gradients within

// In one order, it is one limit:
// RUN: sed 's/%%early = arith.cmpi slt, %%last/%%early = arith.cmpi slt, %%first/' %s > %t.mlir
// RUN: te-opt %t.mlir --te-raise | FileCheck %s --check-prefix=ONE
// RUN: te-test-opt %t.mlir --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME

// CHECK-DAG: dense<21> : tensor<128xi32>
// CHECK-DAG: dense<9> : tensor<128x4xi32>
// CHECK: te.expert_matmul
// ONE-NOT: dense<21>
// ONE: dense<9> : tensor<128xi32>
// ONE: te.expert_matmul
#in = affine_map<(o, i, e, j) -> (o, j, e)>
#out = affine_map<(o, i, e, j) -> (o, i, e)>
func.func @forward(%x: tensor<128x8xf32> {te.input = "x"}, %given: tensor<128xi32> {te.input = "experts", test.range = [0.0, 4.0]}, %w: tensor<128x4xf32> {te.param = "w"}, %up: tensor<4x8x8xf32> {te.param = "up"}) -> (tensor<128x8xf32> {te.output = "y"}) {
  %experts = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %positions = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi32>
  %zero = arith.constant dense<0> : tensor<1x128x4xi32>
  %hzero = arith.constant dense<0.0> : tensor<128x4x8xf32>
  %yzero = arith.constant dense<0.0> : tensor<128x8xf32>
  %one = arith.constant dense<1> : tensor<128x4xi32>
  %limit = arith.constant dense<9> : tensor<128x4xi32>
  %e2 = tensor.empty() : tensor<128x4xi32>
  %own = linalg.broadcast ins(%given : tensor<128xi32>) outs(%e2 : tensor<128x4xi32>) dimensions = [1]
  %every = linalg.broadcast ins(%experts : tensor<4xi32>) outs(%e2 : tensor<128x4xi32>) dimensions = [0]
  %is = arith.cmpi eq, %own, %every : tensor<128x4xi32>
  %hot = arith.extui %is : tensor<128x4xi1> to tensor<128x4xi32>
  // In the order of the rows.
  %rows = tensor.expand_shape %hot [[0, 1], [2]] output_shape [1, 128, 4] : tensor<128x4xi32> into tensor<1x128x4xi32>
  %sums = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%rows : tensor<1x128x4xi32>) outs(%zero : tensor<1x128x4xi32>) {
  ^bb0(%in: i32, %o: i32):
    %to = linalg.index 1 : index
    %from = linalg.index 3 : index
    %counts = arith.cmpi ule, %from, %to : index
    %none = arith.constant 0 : i32
    %term = arith.select %counts, %in, %none : i32
    %s = arith.addi %o, %term : i32
    linalg.yield %s : i32
  } -> tensor<1x128x4xi32>
  %first = tensor.collapse_shape %sums [[0, 1], [2]] : tensor<1x128x4xi32> into tensor<128x4xi32>
  // In another.
  %parts = tensor.expand_shape %hot [[0, 1], [2]] output_shape [8, 16, 4] : tensor<128x4xi32> into tensor<8x16x4xi32>
  %e3 = tensor.empty() : tensor<16x8x4xi32>
  %turned = linalg.transpose ins(%parts : tensor<8x16x4xi32>) outs(%e3 : tensor<16x8x4xi32>) permutation = [1, 0, 2]
  %flat = tensor.collapse_shape %turned [[0, 1], [2]] : tensor<16x8x4xi32> into tensor<128x4xi32>
  %others = tensor.expand_shape %flat [[0, 1], [2]] output_shape [1, 128, 4] : tensor<128x4xi32> into tensor<1x128x4xi32>
  %othersums = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%others : tensor<1x128x4xi32>) outs(%zero : tensor<1x128x4xi32>) {
  ^bb0(%in: i32, %o: i32):
    %to = linalg.index 1 : index
    %from = linalg.index 3 : index
    %counts = arith.cmpi ule, %from, %to : index
    %none = arith.constant 0 : i32
    %term = arith.select %counts, %in, %none : i32
    %s = arith.addi %o, %term : i32
    linalg.yield %s : i32
  } -> tensor<1x128x4xi32>
  %unturned = tensor.collapse_shape %othersums [[0, 1], [2]] : tensor<1x128x4xi32> into tensor<128x4xi32>
  %pieces = tensor.expand_shape %unturned [[0, 1], [2]] output_shape [16, 8, 4] : tensor<128x4xi32> into tensor<16x8x4xi32>
  %e4 = tensor.empty() : tensor<8x16x4xi32>
  %back = linalg.transpose ins(%pieces : tensor<16x8x4xi32>) outs(%e4 : tensor<8x16x4xi32>) permutation = [1, 0, 2]
  %last = tensor.collapse_shape %back [[0, 1], [2]] : tensor<8x16x4xi32> into tensor<128x4xi32>
  %early = arith.cmpi slt, %last, %limit : tensor<128x4xi32>
  // The masks.
  %both = arith.andi %is, %early : tensor<128x4xi1>
  %fits = arith.uitofp %both : tensor<128x4xi1> to tensor<128x4xf32>
  %weights = arith.mulf %w, %fits : tensor<128x4xf32>
  %kept = arith.muli %first, %hot : tensor<128x4xi32>
  %place = arith.subi %kept, %one : tensor<128x4xi32>
  %i3 = tensor.empty() : tensor<128x4x20xi32>
  %f3 = tensor.empty() : tensor<128x4x20xf32>
  %here = linalg.broadcast ins(%place : tensor<128x4xi32>) outs(%i3 : tensor<128x4x20xi32>) dimensions = [2]
  %there = linalg.broadcast ins(%positions : tensor<20xi32>) outs(%i3 : tensor<128x4x20xi32>) dimensions = [0, 1]
  %hit = arith.cmpi eq, %here, %there : tensor<128x4x20xi32>
  %at = arith.uitofp %hit : tensor<128x4x20xi1> to tensor<128x4x20xf32>
  %all = linalg.broadcast ins(%weights : tensor<128x4xf32>) outs(%f3 : tensor<128x4x20xf32>) dimensions = [2]
  %combine = arith.mulf %at, %all : tensor<128x4x20xf32>
  // Experts, of all rows.
  %h = linalg.generic {indexing_maps = [affine_map<(t, e, f, d) -> (t, d)>, affine_map<(t, e, f, d) -> (e, d, f)>, affine_map<(t, e, f, d) -> (t, e, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<128x8xf32>, tensor<4x8x8xf32>) outs(%hzero : tensor<128x4x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x4x8xf32>
  %f4 = tensor.empty() : tensor<128x4x20x8xf32>
  %everywhere = linalg.broadcast ins(%h : tensor<128x4x8xf32>) outs(%f4 : tensor<128x4x20x8xf32>) dimensions = [2]
  %y = linalg.generic {indexing_maps = [affine_map<(t, d, e, c) -> (t, e, c)>, affine_map<(t, d, e, c) -> (t, e, c, d)>, affine_map<(t, d, e, c) -> (t, d)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%combine, %everywhere : tensor<128x4x20xf32>, tensor<128x4x20x8xf32>) outs(%yzero : tensor<128x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<128x8xf32>
  return %y : tensor<128x8xf32>
}
