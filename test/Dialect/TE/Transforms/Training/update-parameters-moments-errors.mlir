// RUN: te-opt %s --te-update-parameters="optimizer=adamw<moments=fp8>" --verify-diagnostics

// The rank's shards cut blocks that have one scale.
module {
  shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
  // expected-error @+1 {{has a shard of parameter 'w' (#te.shard<shape = [64, 384], dim_axes = 1, dim = 1>), which adamw updates as a full matrix; keep it replicated (shard=w=none), or use another optimizer}}
  func.func @train(%w: tensor<64x192xf32> {te.param = "w", te.shard = #te.shard<shape = [64, 384], dim_axes = 1, dim = 1>})
      -> (tensor<64x192xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "train"} {
    return %w : tensor<64x192xf32>
  }
}
