// RUN: te-opt %s --split-input-file --verify-diagnostics

shard.grid @mesh(shape = 2)

func.func @axes(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{'te.all_slice_sequence' op is on 'mesh', which is no shard.grid with these axes}}
  %y = te.all_slice_sequence %x on @mesh axes = [1] dim = 1 : tensor<2x8xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @grid(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{'te.all_gather_sequence' op is on 'mesh', which is no shard.grid with these axes}}
  %y = te.all_gather_sequence %x on @mesh axes = [0] dim = 1 : tensor<2x8xf32> -> tensor<2x16xf32>
  return
}

// -----

shard.grid @mesh(shape = 2)

func.func @dim(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{'te.all_slice_sequence' op has sequences along dimension 2 of 'tensor<2x4xf32>', which has none of that number}}
  %y = te.all_slice_sequence %x on @mesh axes = [0] dim = 2 : tensor<2x8xf32> -> tensor<2x4xf32>
  return
}

// -----

shard.grid @mesh(shape = 2)

func.func @odd(%x: tensor<2x6xf32>) {
  // expected-error@+1 {{'te.reduce_scatter_sequence' op gives a rank two pieces of a sequence, but 'tensor<2x3xf32>' is odd in dimension 1}}
  %y = te.reduce_scatter_sequence %x on @mesh axes = [0] dim = 1 {balanced} : tensor<2x6xf32> -> tensor<2x3xf32>
  return
}

// -----

shard.grid @mesh(shape = 2)

func.func @sizes(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{'te.all_gather_sequence' op expects the sequences of 2 ranks that have 'tensor<2x8xf32>' to be 'tensor<2x16xf32>', but they are 'tensor<4x8xf32>'}}
  %y = te.all_gather_sequence %x on @mesh axes = [0] dim = 1 : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

shard.grid @mesh(shape = 2)

func.func @negative(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %y = te.all_gather_sequence %x on @mesh axes = [0] dim = -1 : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}
