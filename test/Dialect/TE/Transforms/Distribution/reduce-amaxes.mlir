// RUN: te-opt %s --te-reduce-amaxes --split-input-file | FileCheck %s
// RUN: te-opt %s --te-reduce-amaxes --te-validate-spmd --te-validate-precision --split-input-file -o /dev/null

// One exchange: the step's sums move to where the last amax is known. What all
// ranks have the same (the zero of a slot that is not used) stays, and an amax
// that two ops read is exchanged once.
// CHECK-LABEL: func.func @train(
// CHECK: %[[A0:.*]] = te.amax %[[X:.*]] : tensor<16x16xf32>
// CHECK: %[[A1:.*]] = te.amax
// CHECK-NEXT: %[[MAX:.*]], %[[SUM:.*]] = te.reduce_scalars maxima(%[[A0]], %[[A1]]) sums(%[[L:.*]]) on @mesh axes = [0] -> max tensor<2xf32> sum tensor<1xf32>
// CHECK-NEXT: %[[M0:.*]] = tensor.extract_slice %[[MAX]][0] [1] [1]
// CHECK-NEXT: %[[M1:.*]] = tensor.extract_slice %[[MAX]][1] [1] [1]
// CHECK: te.update_scales %{{.*}} amaxes(%[[M0]], %[[M1]], %[[ZERO:.*]]) {
// CHECK-NOT: te.reduce_scalars
// CHECK: %[[LOSS:.*]] = tensor.extract_slice %[[SUM]][0] [1] [1]
// CHECK: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%[[M0]], %[[M1]])
// CHECK: return %[[LOSS]]
module attributes {te.recipe = #te.delayed_scaling<history = 4>} {
  shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
  func.func @train(%x: tensor<16x16xf32> {te.input = "x"}, %l: tensor<f32> {te.input = "l"},
                   %norm: tensor<f32> {te.scalar = "norm"},
                   %s: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale", te.init = 1.0 : f32},
                   %si: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv", te.init = 1.0 : f32},
                   %h: tensor<4x3xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history", te.init = 0.0 : f32},
                   %n: tensor<3xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite", te.init = 0 : i64})
      -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "c"},
          tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
          tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
          tensor<4x3xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
          tensor<3xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) attributes {te.entry = "train"} {
    %zero = arith.constant dense<0.0> : tensor<f32>
    %a0 = te.amax %x : tensor<16x16xf32>
    %y = arith.mulf %x, %x : tensor<16x16xf32>
    %a1 = te.amax %y : tensor<16x16xf32>
    %s1, %si1, %h1, %n1 = te.update_scales %s, %si, %h, %n amaxes(%a0, %a1, %zero)
      {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN, f8E4M3FN, f8E5M2]}
      : tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi64>
    %sum = te.reduce_scalars sums(%l) on @mesh axes = [0] -> sum tensor<1xf32>
    %loss = tensor.extract_slice %sum[0] [1] [1] : tensor<1xf32> to tensor<f32>
    %c = te.clip_coefficient %norm, %norm amaxes(%a0, %a1)
    return %loss, %c, %s1, %si1, %h1, %n1 : tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi64>
  }
}

// -----

// A microbatch records what all ranks saw. Without sums there is a collective on
// amaxes alone.
// CHECK-LABEL: func.func @accumulate(
// CHECK: %[[A:.*]] = te.amax
// CHECK: %[[MAX:.*]] = te.reduce_scalars maxima(%[[A]]) on @mesh axes = [0] -> max tensor<1xf32>
// CHECK: %[[M:.*]] = tensor.extract_slice %[[MAX]][0]
// CHECK: te.record_amaxes %{{.*}} amaxes(%[[M]])
module attributes {te.recipe = #te.delayed_scaling<history = 4>} {
  shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
  func.func @accumulate(%x: tensor<16x16xf32> {te.input = "x"},
                        %h: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history", te.init = 0.0 : f32})
      -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
    %a = te.amax %x : tensor<16x16xf32>
    %h1 = te.record_amaxes %h amaxes(%a) : tensor<4x1xf32>
    return %h1 : tensor<4x1xf32>
  }
}

// -----

// An op that reads its amax before another one is known does not wait for it;
// and what the sums need moves in front of the first collective, if it can.
// CHECK-LABEL: func.func @train(
// CHECK: %[[A0:.*]] = te.amax
// CHECK: %[[LATE:.*]] = arith.mulf %[[L:.*]], %[[L]]
// CHECK: te.reduce_scalars maxima(%[[A0]]) sums(%[[LATE]])
// CHECK: te.clip_coefficient
// CHECK: %[[A1:.*]] = te.amax
// CHECK: te.reduce_scalars maxima(%[[A1]]) on
// CHECK: te.clip_coefficient
module attributes {te.recipe = #te.delayed_scaling<history = 4>} {
  shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
  func.func @train(%x: tensor<16x16xf32> {te.input = "x"}, %l: tensor<f32> {te.input = "l"},
                   %norm: tensor<f32> {te.scalar = "norm"})
      -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "c"}, tensor<f32> {te.output = "d"}) attributes {te.entry = "train"} {
    %a0 = te.amax %x : tensor<16x16xf32>
    %c = te.clip_coefficient %norm, %norm amaxes(%a0)
    %y = arith.mulf %x, %x : tensor<16x16xf32>
    %a1 = te.amax %y : tensor<16x16xf32>
    %d = te.clip_coefficient %norm, %norm amaxes(%a0, %a1)
    %late = arith.mulf %l, %l : tensor<f32>
    %sum = te.reduce_scalars sums(%late) on @mesh axes = [0] -> sum tensor<1xf32>
    %loss = tensor.extract_slice %sum[0] [1] [1] : tensor<1xf32> to tensor<f32>
    return %loss, %c, %d : tensor<f32>, tensor<f32>, tensor<f32>
  }
}

// -----

// Without a mesh nothing is exchanged.
// CHECK-LABEL: func.func @accumulate(
// CHECK-NOT: te.reduce_scalars
module attributes {te.recipe = #te.delayed_scaling<history = 4>} {
  func.func @accumulate(%x: tensor<16x16xf32> {te.input = "x"},
                        %h: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history", te.init = 0.0 : f32})
      -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
    %a = te.amax %x : tensor<16x16xf32>
    %h1 = te.record_amaxes %h amaxes(%a) : tensor<4x1xf32>
    return %h1 : tensor<4x1xf32>
  }
}
