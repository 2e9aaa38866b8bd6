// RUN: te-opt %s --te-validate-spmd --split-input-file --verify-diagnostics

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"},
                 %n: tensor<f32> {te.state = "n", te.kind = "counter", te.init = 0.0 : f32}, %c: tensor<f32> {te.input = "c"})
    -> (tensor<4xf32> {te.param = "w"}, tensor<f32> {te.state = "n", te.kind = "counter"}) attributes {te.entry = "train"} {
  // expected-error @+1 {{the new value of the parameter 'w' would differ between the ranks along 'dp': it is computed from what each has for itself; exchange that first (te-parallelize, te-reduce-amaxes)}}
  %w1 = arith.subf %w, %x : tensor<4xf32>
  // expected-error @+1 {{the new value of the state 'n' would differ between the ranks along 'dp'}}
  %n1 = arith.addf %n, %c : tensor<f32>
  return %w1, %n1 : tensor<4xf32>, tensor<f32>
}

// -----

// Ranks drop elements each in its own way.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%s: tensor<i64> {te.scalar = "dropout_seed"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  // expected-error @+1 {{the new value of the parameter 'w' would differ between the ranks along 'dp'}}
  %w1 = te.dropout %w seed(%s) {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4xf32> -> tensor<4xf32>
  return %w1 : tensor<4xf32>
}

// -----

// Along one axis of two.
shard.grid @mesh(shape = 2x3) {te.axes = ["dp", "cp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  // expected-error @+1 {{would differ between the ranks along 'cp'}}
  %g = shard.all_reduce %x on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// In a region that reads it from outside.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<f32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  // expected-error @+1 {{the new value of the parameter 'w' would differ}}
  %w1 = tensor.generate {
  ^bb0(%i: index):
    %s = tensor.extract %x[] : tensor<f32>
    tensor.yield %s : f32
  } : tensor<4xf32>
  return %w1 : tensor<4xf32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<4xf32> {te.param = "w"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "train"} {
  %g = shard.all_reduce %x on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %d = arith.mulf %g, %g : tensor<4xf32>
  // expected-error @+1 {{sums over the ranks along 'dp' what an exchange has made the same on all of them: the sum is a multiple of it}}
  %h = shard.all_reduce %d on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %s = te.reduce_scalars sums(%l) on @mesh axes = [0] -> sum tensor<1xf32>
  %l1 = tensor.extract_slice %s[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error @+1 {{sums over the ranks along 'dp'}}
  %s2 = te.reduce_scalars sums(%l1) on @mesh axes = [0] -> sum tensor<1xf32>
  %l2 = tensor.extract_slice %s2[0] [1] [1] : tensor<1xf32> to tensor<f32>
  return %h, %l2 : tensor<4xf32>, tensor<f32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
// expected-error @+1 {{is a second grid with 'te.axes'; a module has one mesh}}
shard.grid @mesh2(shape = 2) {te.axes = ["tp"]}

// -----

// expected-error @+1 {{expects 'te.axes' to be 2 strings, one for each axis}}
shard.grid @mesh(shape = 2x2) {te.axes = ["dp"]}

// -----

// expected-error @+1 {{expects every axis to have a number of ranks; programs are compiled for one mesh}}
shard.grid @mesh(shape = 2x?) {te.axes = ["dp", "tp"]}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
// expected-error @+1 {{the entry has control flow}}
func.func @train(%w: tensor<4xf32> {te.param = "w"}) -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  cf.br ^bb1
^bb1:
  return %w : tensor<4xf32>
}
