// A training step of LayerNorm, two linears (one stored [N,K], one [K,N]) and a
// head, in float32, as te-differentiate leaves it.
func.func @train(
    %x: tensor<64x128xf32> {te.input = "x"},
    %labels: tensor<64xi64> {te.input = "labels"},
    %lr: tensor<f32> {te.scalar = "learning_rate", te.default = 1.0e-3 : f32},
    %g: tensor<128xf32> {te.param = "ln.weight", te.init = "data"},
    %b: tensor<128xf32> {te.param = "ln.bias", te.init = "data"},
    %w1: tensor<256x128xf32> {te.param = "fc1.weight", te.init = "data"},
    %b1: tensor<256xf32> {te.param = "fc1.bias", te.init = "data"},
    %w2: tensor<256x96xf32> {te.param = "fc2.weight", te.init = "data"},
    %w3: tensor<509x96xf32> {te.param = "lm_head.weight", te.init = "data"},
    %m1: tensor<256x128xf32> {te.state = "adamw.exp_avg.fc1.weight", te.kind = "optimizer", te.init = 0.0 : f32},
    %v1: tensor<256x128xf32> {te.state = "adamw.exp_avg_sq.fc1.weight", te.kind = "optimizer", te.init = 0.0 : f32},
    %m2: tensor<256x96xf32> {te.state = "adamw.exp_avg.fc2.weight", te.kind = "optimizer", te.init = 0.0 : f32},
    %v2: tensor<256x96xf32> {te.state = "adamw.exp_avg_sq.fc2.weight", te.kind = "optimizer", te.init = 0.0 : f32},
    %m3: tensor<509x96xf32> {te.state = "adamw.exp_avg.lm_head.weight", te.kind = "optimizer", te.init = 0.0 : f32},
    %v3: tensor<509x96xf32> {te.state = "adamw.exp_avg_sq.lm_head.weight", te.kind = "optimizer", te.init = 0.0 : f32},
    %mb: tensor<256xf32> {te.state = "adamw.exp_avg.fc1.bias", te.kind = "optimizer", te.init = 0.0 : f32},
    %vb: tensor<256xf32> {te.state = "adamw.exp_avg_sq.fc1.bias", te.kind = "optimizer", te.init = 0.0 : f32},
    %step: tensor<i64> {te.state = "step", te.kind = "counter", te.init = 0 : i64})
  -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "grad_norm"},
      tensor<256x128xf32> {te.param = "fc1.weight"}, tensor<256xf32> {te.param = "fc1.bias"},
      tensor<256x96xf32> {te.param = "fc2.weight"}, tensor<509x96xf32> {te.param = "lm_head.weight"},
      tensor<256x128xf32> {te.state = "adamw.exp_avg.fc1.weight"}, tensor<256x128xf32> {te.state = "adamw.exp_avg_sq.fc1.weight"},
      tensor<256x96xf32> {te.state = "adamw.exp_avg.fc2.weight"}, tensor<256x96xf32> {te.state = "adamw.exp_avg_sq.fc2.weight"},
      tensor<509x96xf32> {te.state = "adamw.exp_avg.lm_head.weight"}, tensor<509x96xf32> {te.state = "adamw.exp_avg_sq.lm_head.weight"},
      tensor<256xf32> {te.state = "adamw.exp_avg.fc1.bias"}, tensor<256xf32> {te.state = "adamw.exp_avg_sq.fc1.bias"},
      tensor<i64> {te.state = "step"}) attributes {te.entry = "train"} {
  // Forward.
  %h, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<64x128xf32>, tensor<128xf32>, tensor<128xf32> -> y tensor<64x128xf32> stats tensor<64xf32>, tensor<64xf32> loc("ln")
  %u = te.matmul %h, %w1 bias(%b1 : tensor<256xf32>) {transpose_b}
    : tensor<64x128xf32>, tensor<256x128xf32> -> tensor<64x256xf32> loc("fc1"("model.py":7:3))
  %a = te.activation gelu_tanh %u : tensor<64x256xf32> -> y tensor<64x256xf32> loc("act")
  %y = te.matmul %a, %w2 : tensor<64x256xf32>, tensor<256x96xf32> -> tensor<64x96xf32> loc("fc2")
  %logits = te.matmul %y, %w3 {transpose_b} : tensor<64x96xf32>, tensor<509x96xf32> -> tensor<64x509xf32> loc("lm_head")
  %loss, %lse, %count = te.cross_entropy %logits, %labels : tensor<64x509xf32>, tensor<64xi64> -> tensor<64xf32>
  // Backward.
  %one = arith.constant dense<1.0> : tensor<f32>
  %dlogits = te.cross_entropy_grad %one, %logits, %labels, %lse, %count
    : tensor<64x509xf32>, tensor<64xi64>, tensor<64xf32> -> tensor<64x509xf32>
  %dy = te.matmul %dlogits, %w3 {role = #te.role<dgrad>} : tensor<64x509xf32>, tensor<509x96xf32> -> tensor<64x96xf32> loc("lm_head")
  %dw3 = te.matmul %dlogits, %y {role = #te.role<wgrad>, transpose_a} : tensor<64x509xf32>, tensor<64x96xf32> -> tensor<509x96xf32> loc("lm_head")
  %da = te.matmul %dy, %w2 {role = #te.role<dgrad>, transpose_b} : tensor<64x96xf32>, tensor<256x96xf32> -> tensor<64x256xf32> loc("fc2")
  %dw2 = te.matmul %a, %dy {role = #te.role<wgrad>, transpose_a, input_first} : tensor<64x256xf32>, tensor<64x96xf32> -> tensor<256x96xf32> loc("fc2")
  %du = te.activation_grad gelu_tanh %da, %u : tensor<64x256xf32>, tensor<64x256xf32> -> dx tensor<64x256xf32> loc("act")
  %db1 = te.column_sum %du : tensor<64x256xf32> -> tensor<256xf32> loc("fc1")
  %dw1 = te.matmul %du, %h {role = #te.role<wgrad>, transpose_a} : tensor<64x256xf32>, tensor<64x128xf32> -> tensor<256x128xf32> loc("fc1")
  // Optimizer.
  %norm = te.global_norm %dw1, %db1, %dw2, %dw3 : tensor<256x128xf32>, tensor<256xf32>, tensor<256x96xf32>, tensor<509x96xf32>
  %coefficient = te.clip_coefficient %norm, %one
  %t = te.advance_step %step if_finite %coefficient
  %beta = arith.constant dense<0.9> : tensor<f32>
  %eps = arith.constant dense<1.0e-8> : tensor<f32>
  %nw1, %nm1, %nv1 = te.update #te.adamw %w1 states(%m1, %v1) gradient(%dw1) coefficient(%coefficient) scalars(%lr, %beta, %beta, %eps, %eps) step(%t) {decay} : tensor<256x128xf32>, tensor<256x128xf32>
  %nb1, %nmb, %nvb = te.update #te.adamw %b1 states(%mb, %vb) gradient(%db1) coefficient(%coefficient) scalars(%lr, %beta, %beta, %eps, %eps) step(%t) : tensor<256xf32>, tensor<256xf32>
  %nw2, %nm2, %nv2 = te.update #te.adamw %w2 states(%m2, %v2) gradient(%dw2) coefficient(%coefficient) scalars(%lr, %beta, %beta, %eps, %eps) step(%t) {decay} : tensor<256x96xf32>, tensor<256x96xf32>
  %nw3, %nm3, %nv3 = te.update #te.adamw %w3 states(%m3, %v3) gradient(%dw3) coefficient(%coefficient) scalars(%lr, %beta, %beta, %eps, %eps) step(%t) {decay} : tensor<509x96xf32>, tensor<509x96xf32>
  return %loss, %norm, %nw1, %nb1, %nw2, %nw3, %nm1, %nv1, %nm2, %nv2, %nm3, %nv3, %nmb, %nvb, %t
    : tensor<f32>, tensor<f32>, tensor<256x128xf32>, tensor<256xf32>, tensor<256x96xf32>, tensor<509x96xf32>,
      tensor<256x128xf32>, tensor<256x128xf32>, tensor<256x96xf32>, tensor<256x96xf32>, tensor<509x96xf32>, tensor<509x96xf32>,
      tensor<256xf32>, tensor<256xf32>, tensor<i64>
}

func.func @forward(
    %x: tensor<64x128xf32> {te.input = "x"},
    %g: tensor<128xf32> {te.param = "ln.weight", te.init = "data"},
    %b: tensor<128xf32> {te.param = "ln.bias", te.init = "data"},
    %w1: tensor<256x128xf32> {te.param = "fc1.weight", te.init = "data"},
    %b1: tensor<256xf32> {te.param = "fc1.bias", te.init = "data"},
    %w2: tensor<256x96xf32> {te.param = "fc2.weight", te.init = "data"},
    %w3: tensor<509x96xf32> {te.param = "lm_head.weight", te.init = "data"})
  -> (tensor<64x509xf32> {te.output = "logits"}) attributes {te.entry = "forward"} {
  %h, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<64x128xf32>, tensor<128xf32>, tensor<128xf32> -> y tensor<64x128xf32> stats tensor<64xf32>, tensor<64xf32> loc("ln")
  %u = te.matmul %h, %w1 bias(%b1 : tensor<256xf32>) {transpose_b}
    : tensor<64x128xf32>, tensor<256x128xf32> -> tensor<64x256xf32> loc("fc1"("model.py":7:3))
  %a = te.activation gelu_tanh %u : tensor<64x256xf32> -> y tensor<64x256xf32> loc("act")
  %y = te.matmul %a, %w2 : tensor<64x256xf32>, tensor<256x96xf32> -> tensor<64x96xf32> loc("fc2")
  %logits = te.matmul %y, %w3 {transpose_b} : tensor<64x96xf32>, tensor<509x96xf32> -> tensor<64x509xf32> loc("lm_head")
  return %logits : tensor<64x509xf32>
}
