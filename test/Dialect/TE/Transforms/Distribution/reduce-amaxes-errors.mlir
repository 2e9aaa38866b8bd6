// RUN: te-opt %s --te-reduce-amaxes --split-input-file --verify-diagnostics

module attributes {te.recipe = #te.delayed_scaling<history = 4>} {
  // expected-error @+1 {{expects 'te.axes' to be 1 strings, one for each axis}}
  shard.grid @mesh(shape = 2) {te.axes = []}
  func.func private @f()
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'te.reduce_scalars' op reduces 1 scalars, but has no result 'max'}}
  %s = te.reduce_scalars maxima(%a) sums(%a) on @mesh axes = [0] -> sum tensor<1xf32>
  return %a : tensor<f32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expects sum}}
  %s = te.reduce_scalars sums(%a) on @mesh axes = [0] -> sum tensor<2xf32>
  return %a : tensor<f32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'te.reduce_scalars' op has the result 'max', but nothing to reduce into it}}
  %m, %s = te.reduce_scalars sums(%a) on @mesh axes = [0] -> max tensor<1xf32> sum tensor<1xf32>
  return %a : tensor<f32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'te.reduce_scalars' op reduces nothing}}
  te.reduce_scalars on @mesh axes = [0] ->
  return %a : tensor<f32>
}
