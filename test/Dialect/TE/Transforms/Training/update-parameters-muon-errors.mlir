// RUN: te-opt %s --te-update-parameters="optimizer=muon" --verify-diagnostics

// A shard of a matrix is not orthogonalized as the matrix is.
// expected-error @+1 {{has a shard of parameter 'w' (#te.shard<shape = [16, 64], dim_axes = 2, dim = 1>), which muon updates as a full matrix; keep it replicated (shard=w=none), or use another optimizer}}
func.func @train(%x: tensor<8x16xf32> {te.input = "x"},
                 %w: tensor<16x32xf32> {te.param = "w", te.shard = #te.shard<shape = [16, 64], dim_axes = 2, dim = 1>})
    -> (tensor<f32> {te.output = "loss"}, tensor<16x32xf32> {te.gradient = "w", te.output = "grad.w"}) attributes {te.entry = "train"} {
  %y = te.matmul %x, %w {layer = "y"} : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %loss = te.global_norm %y : tensor<8x32xf32>
  return %loss, %w : tensor<f32>, tensor<16x32xf32>
}
