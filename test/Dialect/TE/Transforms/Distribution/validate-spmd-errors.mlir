// RUN: te-opt %s --te-validate-spmd --split-input-file --verify-diagnostics

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"},
                 %n: tensor<f32> {te.state = "n", te.kind = "counter", te.init = 0.0 : f32}, %c: tensor<f32> {te.input = "c"})
    -> (tensor<4xf32> {te.param = "w"}, tensor<f32> {te.state = "n", te.kind = "counter"}) attributes {te.entry = "train"} {
  // expected-error @+1 {{the new value of the parameter 'w' would differ between the ranks along 'dp': it is computed from values that differ between them; reduce that first (te-parallelize, te-reduce-amaxes)}}
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

// Along one axis of two: ranks along cp have the same inputs, of which each takes
// its part.
shard.grid @mesh(shape = 2x3) {te.axes = ["dp", "cp"]}
func.func @train(%x: tensor<12xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %part = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 0 : tensor<12xf32> -> tensor<4xf32>
  // expected-error @+1 {{would differ between the ranks along 'cp'}}
  %g = shard.all_reduce %part on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
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
  // expected-error @+1 {{sums over the ranks along 'dp' what a collective has made the same on all of them: the sum is a multiple of it}}
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

// -----

// A part is not the whole, in whatever op.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @eval(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<4x16xf32> {te.param = "w", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>})
    -> (tensor<8x4xf32> {te.output = "y"}) attributes {te.entry = "eval"} {
  // expected-error @+1 {{reads a rank's shard along 'dp' of a tensor as if it were replicated; gather it first (te-shard-states)}}
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<4x16xf32> -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// Sums of parts add different elements, and what is said to be a part has to be one.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<8x16xf32> {te.input = "g"}, %w: tensor<4x16xf32> {te.param = "w", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>},
                 %v: tensor<4x16xf32> {te.param = "v", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>},
                 %u: tensor<4x16xf32> {te.param = "u"})
    -> (tensor<4x16xf32> {te.param = "w", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>},
        tensor<4x16xf32> {te.param = "v", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>},
        tensor<4x16xf32> {te.param = "u"}) attributes {te.entry = "train"} {
  // expected-error @+2 {{sums over the ranks along 'dp' what are shards of one tensor: it adds different elements to each other; gather them (shard.all_gather)}}
  // expected-error @+1 {{the new value of the parameter 'w' is not the rank's shard of it along 'dp', which te.shard says it is; scatter it (shard.reduce_scatter), or compute it from shards}}
  %sum = shard.all_reduce %w on @mesh grid_axes = [0] : tensor<4x16xf32> -> tensor<4x16xf32>
  // expected-error @+1 {{the new value of the parameter 'u' is only the rank's shard of it along 'dp'; gather it (shard.all_gather), or say so with te.shard}}
  %part = shard.reduce_scatter %g on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8x16xf32> -> tensor<4x16xf32>
  %v1 = arith.subf %v, %part : tensor<4x16xf32>
  return %sum, %v1, %part : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// A part of the ranks' own data is a part of nothing.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<4x16xf32> {te.input = "g"}, %w: tensor<4x16xf32> {te.param = "w", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>})
    -> (tensor<4x16xf32> {te.param = "w", te.shard = #te.shard<shape = [8, 16], flat_axes = 1>}) attributes {te.entry = "train"} {
  // expected-error @+1 {{the new value of the parameter 'w' is not the rank's shard of it along 'dp'}}
  %w1 = arith.subf %w, %g : tensor<4x16xf32>
  return %w1 : tensor<4x16xf32>
}

// -----

// The norm of one rank's parts is not that of all.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<8x16xf32> {te.input = "g"}, %n: tensor<f32> {te.state = "n", te.kind = "counter"},
                 %s: tensor<f32> {te.state = "s", te.kind = "counter"})
    -> (tensor<f32> {te.state = "n", te.kind = "counter"}, tensor<f32> {te.state = "s", te.kind = "counter"}) attributes {te.entry = "train"} {
  %part = shard.reduce_scatter %g on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8x16xf32> -> tensor<4x16xf32>
  // expected-error @+1 {{the new value of the state 'n' would differ between the ranks along 'dp'}}
  %norm = te.global_norm %part : tensor<4x16xf32>
  // expected-error @+2 {{takes gradient 0 for the same on all ranks along 'dp', which it is not}}
  // expected-error @+1 {{takes gradient 1 for shards of one tensor along 'dp', which it is not}}
  %shared = te.reduce_norm %part, %g is_part = [0, 1] on @mesh axes = [0] : tensor<4x16xf32>, tensor<8x16xf32>
  return %norm, %shared : tensor<f32>, tensor<f32>
}

// -----

// Rows that a rank has for itself, and ids of which it has a part.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %ids: tensor<4xi64> {te.input = "ids"}, %dy: tensor<4x1xf32> {te.input = "dy"},
                 %w: tensor<2xf32> {te.param = "w", te.shard = #te.shard<shape = [4], flat_axes = 1>})
    -> (tensor<2xf32> {te.param = "w", te.shard = #te.shard<shape = [4], flat_axes = 1>}) attributes {te.entry = "train"} {
  %g = shard.reduce_scatter %x on @mesh grid_axes = [0] scatter_axis = 0 : tensor<4xf32> -> tensor<2xf32>
  // expected-error @+1 {{the new value of the parameter 'w' is not the rank's shard of it along 'dp'}}
  %w1 = te.add_embedding_part %g, %ids, %dy rows = 4 on @mesh axes = [0] : tensor<2xf32>, tensor<4xi64>, tensor<4x1xf32>
  return %w1 : tensor<2xf32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %ids: tensor<4xi64> {te.input = "ids"},
                 %w: tensor<2xf32> {te.param = "w", te.shard = #te.shard<shape = [4], flat_axes = 1>},
                 %v: tensor<2x1xf32> {te.param = "v", te.shard = #te.shard<shape = [4, 1], flat_axes = 1>})
    -> (tensor<2xf32> {te.param = "w", te.shard = #te.shard<shape = [4], flat_axes = 1>}) attributes {te.entry = "train"} {
  %g = shard.reduce_scatter %x on @mesh grid_axes = [0] scatter_axis = 0 : tensor<4xf32> -> tensor<2xf32>
  %all = shard.all_gather %ids on @mesh grid_axes = [0] gather_axis = 0 : tensor<4xi64> -> tensor<8xi64>
  %two = tensor.extract_slice %all[0] [2] [1] : tensor<8xi64> to tensor<2xi64>
  // expected-error @+1 {{reads a rank's shard along 'dp' of a tensor as if it were replicated}}
  %w1 = te.add_embedding_part %g, %two, %v rows = 4 on @mesh axes = [0] : tensor<2xf32>, tensor<2xi64>, tensor<2x1xf32>
  return %w1 : tensor<2xf32>
}

// -----

// Bytes that mean something else on each rank.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @forward(%x: tensor<16x16xf32> {te.input = "x"}) -> tensor<32x16xf8E4M3FN> attributes {te.entry = "forward"} {
  %amax = te.amax %x : tensor<16x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  // expected-error @+1 {{gathers FP8 copies that the ranks along 'dp' quantized with scales of their own; make the scale of an amax that is reduced over them}}
  %all = shard.all_gather %q on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x16xf8E4M3FN> -> tensor<32x16xf8E4M3FN>
  return %all : tensor<32x16xf8E4M3FN>
}

// -----

// Two maxima of one collective, of which the second differs along dp still.
shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "tp"]}
func.func @train(%x: tensor<f32> {te.input = "x"}, %w: tensor<2xf32> {te.param = "w"})
    -> (tensor<2xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %0 = te.amax %w : tensor<2xf32>
  %max = te.reduce_scalars maxima(%0, %x) on @mesh axes = [1] -> max tensor<2xf32>
  // expected-error @+1 {{the new value of the parameter 'w' would differ between the ranks along 'dp'}}
  %both = tensor.extract_slice %max[0] [2] [1] : tensor<2xf32> to tensor<2xf32>
  return %both : tensor<2xf32>
}

// -----

// Ranks along cp have one loss, and each has terms of the gradients.
shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "cp"]}
func.func @accumulate(%x: tensor<8xf32> {te.input = "x"},
                      %a: tensor<4xf32> {te.state = "grad.w", te.kind = "gradient", te.init = 0.0 : f32},
                      %n: tensor<4xf32> {te.state = "loss.sum", te.kind = "accumulator", te.init = 0.0 : f32})
    -> (tensor<4xf32> {te.state = "grad.w", te.kind = "gradient"}, tensor<4xf32> {te.state = "loss.sum", te.kind = "accumulator"})
    attributes {te.entry = "accumulate"} {
  %part = shard.all_slice %x on @mesh grid_axes = [1] slice_axis = 0 : tensor<8xf32> -> tensor<4xf32>
  %a1 = arith.addf %a, %part : tensor<4xf32>
  // expected-error @+1 {{the new value of the state 'loss.sum' would differ between the ranks along 'cp'}}
  %n1 = arith.addf %n, %part : tensor<4xf32>
  return %a1, %n1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// An amax that one rank measured: scales, and with them all FP8 values, would
// mean something else on each.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
  shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "tp"]}
  func.func @accumulate(%x: tensor<16x16xf32> {te.input = "x"},
                        %h: tensor<4x2xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history", te.init = 0.0 : f32})
      -> (tensor<4x2xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %own = te.amax %x : tensor<16x16xf32>
    %max = te.reduce_scalars maxima(%own) on @mesh axes = [1] -> max tensor<1xf32>
    %amax = tensor.extract_slice %max[0] [1] [1] : tensor<1xf32> to tensor<f32>
    // expected-error @+2 {{reads as amax 0, of "fc.input", what each of the ranks along 'dp' measured; expects the maximum over them (te-reduce-amaxes)}}
    // expected-error @+1 {{the new value of the state 'fp8.amax_history' would differ between the ranks along 'dp'}}
    %h1 = te.record_amaxes %h amaxes(%amax, %zero) : tensor<4x2xf32>
    return %h1 : tensor<4x2xf32>
  }
}

// -----

// What ranks have exchanged differs.

shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @exchanged(%w: tensor<4x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  // expected-error @+1 {{the new value of the parameter 'w' would differ between the ranks along 'dp'}}
  %y = shard.all_to_all %w on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<4x4xf32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
