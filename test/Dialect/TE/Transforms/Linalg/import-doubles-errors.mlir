// Float64 that means something else in float32.

// RUN: te-opt %s --te-import-linalg --split-input-file --verify-diagnostics

// expected-error @below {{argument 0 ('x') is a 'tensor<2xf64>'}}
func.func @input(%x: tensor<2xf64> {te.input = "x"}, %w: tensor<2xf32> {te.param = "w"}) -> tensor<2xf32> {
  return %w : tensor<2xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
// expected-error @below {{this model cannot be compiled as it is; docs/mlir.md says what can (arith.sitofp x1, arith.fptosi x1)}}
func.func @integers(%i: tensor<2xi64> {te.input = "i"}, %w: tensor<2xf32> {te.param = "w"}) -> (tensor<2xf32>, tensor<2xi64>) {
  %e = tensor.empty() : tensor<2xf32>
  %ei = tensor.empty() : tensor<2xi64>
  %y:2 = linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]} ins(%i, %w : tensor<2xi64>, tensor<2xf32>) outs(%e, %ei : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: i64, %b: f32, %out: f32, %whole: i64):
    // expected-note @below {{float32 does not hold every integer}}
    %0 = arith.sitofp %a : i64 to f64
    %1 = arith.extf %b : f32 to f64
    %2 = arith.mulf %0, %1 : f64
    %3 = arith.truncf %2 : f64 to f32
    // expected-note @below {{which integer it becomes may depend on digits that float32 does not have}}
    %4 = arith.fptosi %2 : f64 to i64
    linalg.yield %3, %4 : f32, i64
  } -> (tensor<2xf32>, tensor<2xi64>)
  return %y#0, %y#1 : tensor<2xf32>, tensor<2xi64>
}

// -----

#v = affine_map<(d0) -> (d0)>
// expected-error @below {{this model cannot be compiled as it is}}
func.func @tiny(%w: tensor<2xf32> {te.param = "w"}) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  // expected-note @below {{float32 has no number for this constant}}
  %tiny = arith.constant 1.0e-200 : f64
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%w : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%b: f32, %out: f32):
    %1 = arith.extf %b : f32 to f64
    %2 = arith.divf %1, %tiny : f64
    %3 = arith.truncf %2 : f64 to f32
    linalg.yield %3 : f32
  } -> tensor<2xf32>
  return %y : tensor<2xf32>
}
