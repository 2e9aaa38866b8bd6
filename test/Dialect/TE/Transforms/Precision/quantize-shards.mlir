// RUN: te-opt %s --te-partition=policy=head=fp8 --te-quantize --te-validate-precision | FileCheck %s

// FP8 copies of the ranks' parts of a weight say what parts they are of the
// whole weight's copy. A part of several blocks has a piece of each of them, in
// the copies too; what a copy is padded with comes behind the blocks.

// CHECK-LABEL: func.func @train(
// CHECK-SAME: tensor<48x32xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.shard = #te.shard<shape = [96, 32], dim_axes = 2, blocks = [48, 32, 16]>, te.state = "fp8.weight.qkv.rowwise"}
// CHECK-SAME: tensor<32x48xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.shard = #te.shard<shape = [64, 48], dim_axes = 2, blocks = [24, 8, 8, 24]>, te.state = "fp8.weight.padded.rowwise"}
// CHECK-SAME: tensor<48x32xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.shard = #te.shard<shape = [48, 64], dim_axes = 2, dim = 1, blocks = [24, 8, 8, 24]>, te.state = "fp8.weight.padded.columnwise"}
module {
  shard.grid @mesh(shape = 1x2) {te.axes = ["dp", "tp"]}

  func.func @train(%x: tensor<64x32xf32> {te.input = "x"}, %labels: tensor<64xi64> {te.input = "labels"},
                   %lr: tensor<f32> {te.scalar = "learning_rate"},
                   %q: tensor<48x32xf32> {te.param = "qkv", te.init = "data", te.shard = #te.shard<shape = [96, 32], dim_axes = 2, blocks = [48, 32, 16]>},
                   %p: tensor<20x48xf32> {te.param = "padded", te.init = "data", te.shard = #te.shard<shape = [40, 48], dim_axes = 2, blocks = [24, 8, 8]>},
                   %mq: tensor<48x32xf32> {te.state = "adamw.exp_avg.qkv", te.kind = "optimizer", te.init = 0.0 : f32},
                   %vq: tensor<48x32xf32> {te.state = "adamw.exp_avg_sq.qkv", te.kind = "optimizer", te.init = 0.0 : f32},
                   %mp: tensor<20x48xf32> {te.state = "adamw.exp_avg.padded", te.kind = "optimizer", te.init = 0.0 : f32},
                   %vp: tensor<20x48xf32> {te.state = "adamw.exp_avg_sq.padded", te.kind = "optimizer", te.init = 0.0 : f32},
                   %step: tensor<i64> {te.state = "step", te.kind = "counter", te.init = 0 : i64})
      -> (tensor<f32> {te.output = "loss"}, tensor<48x32xf32> {te.param = "qkv"}, tensor<20x48xf32> {te.param = "padded"},
          tensor<48x32xf32> {te.state = "adamw.exp_avg.qkv"}, tensor<48x32xf32> {te.state = "adamw.exp_avg_sq.qkv"},
          tensor<20x48xf32> {te.state = "adamw.exp_avg.padded"}, tensor<20x48xf32> {te.state = "adamw.exp_avg_sq.padded"},
          tensor<i64> {te.state = "step"}) attributes {te.entry = "train"} {
    %one = arith.constant dense<1.0> : tensor<f32>
    %u = te.matmul %x, %q {transpose_b} : tensor<64x32xf32>, tensor<48x32xf32> -> tensor<64x48xf32> loc("qkv")
    %y = te.matmul %u, %p {transpose_b} : tensor<64x48xf32>, tensor<20x48xf32> -> tensor<64x20xf32> loc("head")
    %loss, %lse, %count = te.cross_entropy %y, %labels : tensor<64x20xf32>, tensor<64xi64> -> tensor<64xf32>
    %dy = te.cross_entropy_grad %one, %y, %labels, %lse, %count : tensor<64x20xf32>, tensor<64xi64>, tensor<64xf32> -> tensor<64x20xf32>
    %du = te.matmul %dy, %p {role = #te.role<dgrad>} : tensor<64x20xf32>, tensor<20x48xf32> -> tensor<64x48xf32> loc("head")
    %dp = te.matmul %dy, %u {role = #te.role<wgrad>, transpose_a} : tensor<64x20xf32>, tensor<64x48xf32> -> tensor<20x48xf32> loc("head")
    %dq = te.matmul %du, %x {role = #te.role<wgrad>, transpose_a} : tensor<64x48xf32>, tensor<64x32xf32> -> tensor<48x32xf32> loc("qkv")
    %norm = te.global_norm %dq, %dp : tensor<48x32xf32>, tensor<20x48xf32>
    %c = te.clip_coefficient %norm, %one
    %t = te.advance_step %step if_finite %c
    %nq, %nmq, %nvq = te.update #te.adamw %q states(%mq, %vq) gradient(%dq) coefficient(%c) scalars(%lr, %one, %one, %one, %one) step(%t) : tensor<48x32xf32>, tensor<48x32xf32>
    %np, %nmp, %nvp = te.update #te.adamw %p states(%mp, %vp) gradient(%dp) coefficient(%c) scalars(%lr, %one, %one, %one, %one) step(%t) : tensor<20x48xf32>, tensor<20x48xf32>
    return %loss, %nq, %np, %nmq, %nvq, %nmp, %nvp, %t : tensor<f32>, tensor<48x32xf32>, tensor<20x48xf32>, tensor<48x32xf32>, tensor<48x32xf32>, tensor<20x48xf32>, tensor<20x48xf32>, tensor<i64>
  }
}
