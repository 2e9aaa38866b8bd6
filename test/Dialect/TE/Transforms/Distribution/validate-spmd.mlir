// RUN: te-opt %s --te-validate-spmd --split-input-file --verify-diagnostics | FileCheck %s

// What comes of inputs is each rank's own until it is exchanged; also through
// regions, and what a state still sums is not the same yet.
// CHECK-LABEL: func.func @train
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"},
                 %a: tensor<4xf32> {te.state = "grad.w", te.kind = "gradient", te.init = 0.0 : f32})
    -> (tensor<4xf32> {te.output = "y"}, tensor<4xf32> {te.param = "w"}, tensor<4xf32> {te.state = "grad.w", te.kind = "gradient"})
    attributes {te.entry = "train"} {
  %y = arith.mulf %x, %w : tensor<4xf32>
  %s = arith.addf %a, %y : tensor<4xf32>
  %g = shard.all_reduce %s on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %w1 = arith.subf %w, %g : tensor<4xf32>
  return %y, %w1, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Without a mesh there is one rank, and a grid without names is none of ours.
// CHECK-LABEL: func.func @train
shard.grid @other(shape = 2)
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  return %x : tensor<4xf32>
}

// -----

// What is the same on all ranks may be summed: a term that each of them counts.
// CHECK-LABEL: func.func @train
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%w: tensor<4xf32> {te.param = "w"}) -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %g = shard.all_reduce %w on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// -----

// One exchange of two amaxes, of which ranks along tp have one in common: it is
// still the same on all of them, and only the other has to be exchanged there.
// CHECK-LABEL: func.func @init
shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "tp"]}
func.func @init(%a: tensor<16x16xf32> {te.param = "a", te.shard = #te.shard<shape = [32, 16], flat_axes = 1>},
                %b: tensor<16x16xf32> {te.param = "b", te.shard = #te.shard<shape = [64, 16], dim_axes = 2, flat_axes = 1>},
                %sa: tensor<f32> {te.state = "sa", te.kind = "fp8_weight_amax", te.init = "derived"},
                %sb: tensor<f32> {te.state = "sb", te.kind = "fp8_weight_amax", te.init = "derived"})
    -> (tensor<f32> {te.state = "sa", te.kind = "fp8_weight_amax"}, tensor<f32> {te.state = "sb", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %0 = te.amax %a : tensor<16x16xf32>
  %1 = te.amax %b : tensor<16x16xf32>
  %max = te.reduce_scalars maxima(%0, %1) on @mesh axes = [0] -> max tensor<2xf32>
  %a1 = tensor.extract_slice %max[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %b1 = tensor.extract_slice %max[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %max2 = te.reduce_scalars maxima(%b1) on @mesh axes = [1] -> max tensor<1xf32>
  %b2 = tensor.extract_slice %max2[0] [1] [1] : tensor<1xf32> to tensor<f32>
  return %a1, %b2 : tensor<f32>, tensor<f32>
}

// -----

// Ranks along cp have one loss, and sums of it over microbatches are the same on
// them; what they add up of gradients is not.
// CHECK-LABEL: func.func @train
shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
func.func @train(%w: tensor<4xf32> {te.param = "w"},
                 %a: tensor<4xf32> {te.state = "grad.w", te.kind = "gradient", te.init = 0.0 : f32},
                 %n: tensor<4xf32> {te.state = "loss.count", te.kind = "accumulator", te.init = 0.0 : f32})
    -> (tensor<4xf32> {te.param = "w"}, tensor<4xf32> {te.state = "grad.w", te.kind = "gradient"},
        tensor<4xf32> {te.state = "loss.count", te.kind = "accumulator"})
    attributes {te.entry = "train"} {
  %g = shard.all_reduce %a on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %mean = arith.divf %g, %n : tensor<4xf32>
  %w1 = arith.subf %w, %mean : tensor<4xf32>
  return %w1, %a, %n : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
