// A token table that is also the head's weight, in FP8: the head's slot and
// copies, while the embedding and the optimizer go on reading the master.
// RUN: te-opt %s --te-partition=policy=lm_head=fp8 --te-quantize --te-validate-precision --te-fuse --te-validate-precision | FileCheck %s

// CHECK: te.slots = ["lm_head.input", "lm_head.weight", "lm_head.grad_output"]
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[W:[^:]*]]: tensor<64x32xf32> {te.init = "data", te.param = "wte.weight"}
// CHECK-SAME: %[[R:[^:]*]]: tensor<64x32xf8E4M3FN> {{{[^}]*}}"fp8.weight.wte.weight.rowwise"}, %[[C:[^:]*]]: tensor<32x64xf8E4M3FN> {{{[^}]*}}"fp8.weight.wte.weight.columnwise"}
// CHECK: te.embedding %{{.*}}, %[[W]]
// CHECK: te.scaled_matmul %{{.*}}, %[[R]]
// CHECK: te.scaled_matmul %{{.*}}, %[[C]]
// CHECK: te.update #te.adamw %[[W]] states({{.*}} quantize(
// CHECK-LABEL: func.func @init(
func.func @train(%ids: tensor<16xi64> {te.input = "input_ids"}, %labels: tensor<16xi64> {te.input = "labels"},
                 %lr: tensor<f32> {te.scalar = "learning_rate"},
                 %w: tensor<64x32xf32> {te.param = "wte.weight", te.init = "data"},
                 %m: tensor<64x32xf32> {te.state = "adamw.exp_avg.wte.weight", te.kind = "optimizer", te.init = 0.0 : f32},
                 %v: tensor<64x32xf32> {te.state = "adamw.exp_avg_sq.wte.weight", te.kind = "optimizer", te.init = 0.0 : f32},
                 %step: tensor<i64> {te.state = "step", te.kind = "counter", te.init = 0 : i64})
    -> (tensor<f32> {te.output = "loss"}, tensor<64x32xf32> {te.param = "wte.weight"},
        tensor<64x32xf32> {te.state = "adamw.exp_avg.wte.weight"}, tensor<64x32xf32> {te.state = "adamw.exp_avg_sq.wte.weight"},
        tensor<i64> {te.state = "step"}) attributes {te.entry = "train"} {
  %one = arith.constant dense<1.0> : tensor<f32>
  %x = te.embedding %ids, %w : tensor<16xi64>, tensor<64x32xf32> -> tensor<16x32xf32> loc("wte")
  %logits = te.matmul %x, %w {transpose_b} : tensor<16x32xf32>, tensor<64x32xf32> -> tensor<16x64xf32> loc("lm_head")
  %loss, %lse, %count = te.cross_entropy %logits, %labels : tensor<16x64xf32>, tensor<16xi64> -> tensor<16xf32>
  %dl = te.cross_entropy_grad %one, %logits, %labels, %lse, %count : tensor<16x64xf32>, tensor<16xi64>, tensor<16xf32> -> tensor<16x64xf32>
  %dx = te.matmul %dl, %w {role = #te.role<dgrad>} : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32> loc("lm_head")
  %dw0 = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : tensor<16x64xf32>, tensor<16x32xf32> -> tensor<64x32xf32> loc("lm_head")
  %dw1 = te.embedding_grad %ids, %dx : tensor<16xi64>, tensor<16x32xf32> -> tensor<64x32xf32>
  %dw = te.add %dw0, %dw1 : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x32xf32>
  %norm = te.global_norm %dw : tensor<64x32xf32>
  %c = te.clip_coefficient %norm, %one
  %t = te.advance_step %step if_finite %c
  %nw, %nm, %nv = te.update #te.adamw %w states(%m, %v) gradient(%dw) coefficient(%c) scalars(%lr, %one, %one, %one, %one) step(%t) : tensor<64x32xf32>, tensor<64x32xf32>
  return %loss, %nw, %nm, %nv, %t : tensor<f32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i64>
}
