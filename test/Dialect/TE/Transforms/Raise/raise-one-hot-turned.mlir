// Rows of two dimensions that have one size: the numbers of experts are read in both
// orders, of which one chooses, and the other are numbers as any.

// RUN: te-opt %s --te-raise | FileCheck %s
// RUN: te-test-opt %s --test-te-check-raise -o /dev/null | FileCheck %s --check-prefix=SAME
// CHECK: te.expert_matmul
// SAME: gradients within
func.func @forward(%x: tensor<16x16x8xf32> {te.input = "x"}, %given: tensor<16x16xi32> {te.input = "experts", test.range = [0.0, 4.0]}, %w: tensor<16x16x4xf32> {te.param = "w"}, %up: tensor<4x8x8xf32> {te.param = "up"}) -> (tensor<16x16x8xf32> {te.output = "y"}) {
  %experts = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %hzero = arith.constant dense<0.0> : tensor<16x16x4x8xf32>
  %yzero = arith.constant dense<0.0> : tensor<16x16x8xf32>
  %e2 = tensor.empty() : tensor<16x16xi32>
  %e3 = tensor.empty() : tensor<16x16x4xi32>
  %own = linalg.broadcast ins(%given : tensor<16x16xi32>) outs(%e3 : tensor<16x16x4xi32>) dimensions = [2]
  %every = linalg.broadcast ins(%experts : tensor<4xi32>) outs(%e3 : tensor<16x16x4xi32>) dimensions = [0, 1]
  %is = arith.cmpi eq, %own, %every : tensor<16x16x4xi32>
  %hot = arith.uitofp %is : tensor<16x16x4xi1> to tensor<16x16x4xf32>
  %gates = arith.mulf %w, %hot : tensor<16x16x4xf32>
  %turned = linalg.transpose ins(%given : tensor<16x16xi32>) outs(%e2 : tensor<16x16xi32>) permutation = [1, 0]
  %other = linalg.broadcast ins(%turned : tensor<16x16xi32>) outs(%e3 : tensor<16x16x4xi32>) dimensions = [2]
  %isother = arith.cmpi eq, %other, %every : tensor<16x16x4xi32>
  %hotother = arith.uitofp %isother : tensor<16x16x4xi1> to tensor<16x16x4xf32>
  %f4 = tensor.empty() : tensor<16x16x4x8xf32>
  %more = linalg.broadcast ins(%hotother : tensor<16x16x4xf32>) outs(%f4 : tensor<16x16x4x8xf32>) dimensions = [3]
  %h = linalg.generic {indexing_maps = [affine_map<(t, u, e, f, d) -> (t, u, d)>, affine_map<(t, u, e, f, d) -> (e, d, f)>, affine_map<(t, u, e, f, d) -> (t, u, e, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %up : tensor<16x16x8xf32>, tensor<4x8x8xf32>) outs(%hzero : tensor<16x16x4x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x16x4x8xf32>
  %sum = arith.addf %h, %more : tensor<16x16x4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(t, u, d, e) -> (t, u, e)>, affine_map<(t, u, d, e) -> (t, u, e, d)>, affine_map<(t, u, d, e) -> (t, u, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%gates, %sum : tensor<16x16x4xf32>, tensor<16x16x4x8xf32>) outs(%yzero : tensor<16x16x8xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x16x8xf32>
  return %y : tensor<16x16x8xf32>
}
