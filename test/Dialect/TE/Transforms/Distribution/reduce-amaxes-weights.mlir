// RUN: te-opt %s --te-reduce-amaxes | FileCheck %s --check-prefix=FIRST
// RUN: te-opt %s --te-reduce-amaxes=of-updated-weights | FileCheck %s --check-prefix=NEW

// Ranks along tp have parts of a weight, and one scale for all of them.
module attributes {te.recipe = #te.delayed_scaling<history = 4>} {
  shard.grid @mesh(shape = 2) {te.axes = ["tp"]}

  // The first scale is made of the largest amax, which is returned, too.
  // FIRST-LABEL: func.func @init(
  // FIRST: %[[OWN:.*]] = te.amax %{{.*}} : tensor<16x16xf32>
  // FIRST-NEXT: %[[MAX:.*]] = te.reduce_scalars maxima(%[[OWN]]) on @mesh axes = [0] -> max tensor<1xf32>
  // FIRST-NEXT: %[[OF_ALL:.*]] = tensor.extract_slice %[[MAX]][0] [1] [1]
  // FIRST: te.compute_scale %[[OF_ALL]]
  // FIRST-NOT: te.reduce_scalars
  // FIRST: return %{{.*}}, %[[OF_ALL]]
  func.func @init(%w: tensor<16x16xf32> {te.param = "w", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>},
                  %a: tensor<f32> {te.state = "fp8.weight_amax.w", te.kind = "fp8_weight_amax", te.init = "derived"})
      -> (tensor<f32> {te.output = "scale"},
          tensor<f32> {te.state = "fp8.weight_amax.w", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
    %amax = te.amax %w : tensor<16x16xf32>
    %s, %si = te.compute_scale %amax {format = f8E4M3FN}
    return %s, %amax : tensor<f32>, tensor<f32>
  }

  // That of the new weight is exchanged when its update is where it stays.
  // FIRST-LABEL: func.func @train(
  // FIRST-NOT: te.reduce_scalars
  // NEW-LABEL: func.func @train(
  // NEW: %[[ROWS:.*]], %[[OWN:.*]] = te.quantize
  // NEW-NEXT: %[[MAX:.*]] = te.reduce_scalars maxima(%[[OWN]]) on @mesh axes = [0] -> max tensor<1xf32>
  // NEW-NEXT: %[[OF_ALL:.*]] = tensor.extract_slice %[[MAX]][0] [1] [1]
  // NEW: return %{{.*}}, %[[OF_ALL]]
  func.func @train(%w: tensor<16x16xf32> {te.param = "w", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>},
                   %s: tensor<f32> {te.scalar = "s"},
                   %a: tensor<f32> {te.state = "fp8.weight_amax.w", te.kind = "fp8_weight_amax", te.init = "derived"})
      -> (tensor<16x16xf8E4M3FN> {te.output = "q"},
          tensor<f32> {te.state = "fp8.weight_amax.w", te.kind = "fp8_weight_amax"}) attributes {te.entry = "train"} {
    %q, %amax = te.quantize %w, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> amax tensor<f32>
    return %q, %amax : tensor<16x16xf8E4M3FN>, tensor<f32>
  }
}
