// RUN: te-opt %s --te-to-tert --split-input-file --verify-diagnostics

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @scattered_columns(%x: tensor<64x32xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{is a collective over shards along dimension 1 of 'tensor<64x32xf32>'; the runtime has those along the outermost dimension: transpose around it}}
  %y = shard.reduce_scatter %x on @mesh grid_axes = [0] scatter_axis = 1 : tensor<64x32xf32> -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @sliced_columns(%x: tensor<64x32xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{is a collective over shards along dimension 1}}
  %y = shard.all_slice %x on @mesh grid_axes = [0] slice_axis = 1 : tensor<64x32xf32> -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @exchanged_columns(%x: tensor<64x32xf32>) -> tensor<128x16xf32> {
  // expected-error @+1 {{is a collective over shards along dimension 1}}
  %y = shard.all_to_all %x on @mesh grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<64x32xf32> -> tensor<128x16xf32>
  return %y : tensor<128x16xf32>
}
