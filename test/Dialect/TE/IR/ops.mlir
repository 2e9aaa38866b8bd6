// RUN: te-opt %s | te-opt | FileCheck %s
// RUN: te-opt %s --mlir-print-op-generic | te-opt | FileCheck %s

// CHECK-LABEL: func @forward
func.func @forward(%ids: tensor<128xi64> {te.input = "input_ids"},
                   %table: tensor<512x128xf32> {te.param = "wte.weight"},
                   %g: tensor<128xf32>, %b: tensor<128xf32>,
                   %w: tensor<384x128xf32>, %wb: tensor<384xf32>,
                   %ab: tensor<1x4x64x64xf32>, %al: tensor<2xi64>, %as: tensor<4xf32>)
    -> (tensor<128x128xbf16> {te.output = "y"}) {
  // CHECK: te.embedding %{{.*}}, %{{.*}} : tensor<128xi64>, tensor<512x128xf32> -> tensor<128x128xbf16>
  %x = te.embedding %ids, %table : tensor<128xi64>, tensor<512x128xf32> -> tensor<128x128xbf16>
  // CHECK: te.layer_norm %{{.*}}, %{{.*}}, %{{.*}} {eps = 9.99999974E-6 : f32} : tensor<128x128xbf16>, tensor<128xf32>, tensor<128xf32> -> y tensor<128x128xbf16> stats tensor<128xf32>, tensor<128xf32>
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<128x128xbf16>, tensor<128xf32>, tensor<128xf32>
    -> y tensor<128x128xbf16> stats tensor<128xf32>, tensor<128xf32>
  // CHECK: te.matmul %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<384xf32>) {transpose_b} : tensor<128x128xbf16>, tensor<384x128xf32> -> tensor<128x384xbf16>
  %qkv = te.matmul %y, %w bias(%wb : tensor<384xf32>) {transpose_b}
    : tensor<128x128xbf16>, tensor<384x128xf32> -> tensor<128x384xbf16>
  // CHECK: te.split %{{.*}} axis 1 : tensor<128x384xbf16> -> tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16>
  %q, %k, %v = te.split %qkv axis 1 : tensor<128x384xbf16>
    -> tensor<128x128xbf16>, tensor<128x128xbf16>, tensor<128x128xbf16>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 64, 4, 32] : tensor<128x128xbf16> into tensor<2x64x4x32xbf16>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 64, 4, 32] : tensor<128x128xbf16> into tensor<2x64x4x32xbf16>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 64, 4, 32] : tensor<128x128xbf16> into tensor<2x64x4x32xbf16>
  // CHECK: te.attention %{{.*}}, %{{.*}}, %{{.*}} {causal, scale = 1.250000e-01 : f32} : tensor<2x64x4x32xbf16>
  %o, %lse = te.attention %q4, %k4, %v4 {causal, scale = 0.125 : f32}
    : tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>
    -> tensor<2x64x4x32xbf16>, tensor<2x4x64xf32>
  // CHECK: te.attention %{{.*}}, %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<1x4x64x64xf32>) lengths(%{{.*}} : tensor<2xi64>) sinks(%{{.*}} : tensor<4xf32>) {scale = 1.250000e-01 : f32, softcap = 5.000000e+01 : f32, window = 16 : i64} : tensor<2x64x4x32xbf16>
  %of, %lsef = te.attention %q4, %k4, %v4 bias(%ab : tensor<1x4x64x64xf32>) lengths(%al : tensor<2xi64>) sinks(%as : tensor<4xf32>)
    {scale = 0.125 : f32, window = 16 : i64, softcap = 50.0 : f32}
    : tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>
    -> tensor<2x64x4x32xbf16>, tensor<2x4x64xf32>
  // CHECK: te.attention_grad {{.*}} bias(%{{.*}} : tensor<1x4x64x64xf32>) sinks(%{{.*}} : tensor<4xf32>) {scale = 1.250000e-01 : f32} : {{.*}} -> tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16> dbias tensor<1x4x64x64xf32> dsinks tensor<4xf32>
  %grads:5 = te.attention_grad %of, %q4, %k4, %v4, %of, %lsef bias(%ab : tensor<1x4x64x64xf32>) sinks(%as : tensor<4xf32>) {scale = 0.125 : f32}
    : tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x4x64xf32>
    -> tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16> dbias tensor<1x4x64x64xf32> dsinks tensor<4xf32>
  %o2 = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x64x4x32xbf16> into tensor<128x128xbf16>
  // CHECK: te.add
  %r = te.add %x, %o2 : tensor<128x128xbf16>, tensor<128x128xbf16> -> tensor<128x128xbf16>
  // CHECK: te.activation gelu_tanh %{{.*}} : tensor<128x128xbf16> -> y tensor<128x128xbf16>
  %a = te.activation gelu_tanh %r : tensor<128x128xbf16> -> y tensor<128x128xbf16>
  // CHECK: te.region fp8 -> (tensor<128x384xbf16>) {
  %u = te.region fp8 -> (tensor<128x384xbf16>) {
    %0 = te.matmul %a, %w {transpose_b} : tensor<128x128xbf16>, tensor<384x128xf32> -> tensor<128x384xbf16>
    // CHECK: te.yield
    te.yield %0 : tensor<128x384xbf16>
  }
  return %a : tensor<128x128xbf16>
}

// CHECK-LABEL: func @precision
func.func @precision(%x: tensor<64x509xbf16>, %s: tensor<f32>, %si: tensor<f32>,
                     %scales: tensor<2xf32>, %scale_invs: tensor<2xf32>,
                     %history: tensor<16x2xf32>, %nonfinite: tensor<2xi64>) {
  // CHECK: te.quantize %{{.*}}, %{{.*}} : tensor<64x509xbf16> -> rowwise tensor<64x512xf8E4M3FN> columnwise tensor<512x64xf8E4M3FN> amax tensor<f32>
  %q, %qt, %amax = te.quantize %x, %s : tensor<64x509xbf16>
    -> rowwise tensor<64x512xf8E4M3FN> columnwise tensor<512x64xf8E4M3FN> amax tensor<f32>
  // CHECK: te.scaled_matmul %{{.*}}, %{{.*}} scales(%{{.*}}, %{{.*}}) {{.*}}: tensor<64x512xf8E4M3FN>, tensor<64x512xf8E4M3FN> -> tensor<64x64xf32>
  %d = te.scaled_matmul %q, %q scales(%si, %si) {role = #te.role<fprop>}
    : tensor<64x512xf8E4M3FN>, tensor<64x512xf8E4M3FN> -> tensor<64x64xf32>
  // CHECK: te.update_scales %{{.*}} amaxes(%{{.*}}, %{{.*}}) {formats = [f8E4M3FN, f8E5M2], recipe = #te.delayed_scaling<history = 16>}
  %s1, %si1, %h1, %n1 = te.update_scales %scales, %scale_invs, %history, %nonfinite amaxes(%amax, %amax)
    {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN, f8E5M2]}
    : tensor<2xf32>, tensor<2xf32>, tensor<16x2xf32>, tensor<2xi64>
  return
}

// CHECK-LABEL: func @losses
func.func @losses(%x: tensor<8x3xbf16>, %t: tensor<8x3xf32>, %l: tensor<8xi64>, %d: tensor<f32>, %c: tensor<f32>) {
  // CHECK: te.cross_entropy %{{.*}}, %{{.*}} {label_smoothing = {{.*}} : f32, z_loss = {{.*}} : f32} : tensor<8x3xbf16>, tensor<8xi64> -> tensor<8xf32>
  %loss, %lse, %count = te.cross_entropy %x, %l {label_smoothing = 0.1 : f32, z_loss = 1.0e-4 : f32}
    : tensor<8x3xbf16>, tensor<8xi64> -> tensor<8xf32>
  // CHECK: te.cross_entropy_grad {{.*}} {label_smoothing = {{.*}} : f32, z_loss = {{.*}} : f32} :
  %dx = te.cross_entropy_grad %d, %x, %l, %lse, %count {label_smoothing = 0.1 : f32, z_loss = 1.0e-4 : f32}
    : tensor<8x3xbf16>, tensor<8xi64>, tensor<8xf32> -> tensor<8x3xbf16>
  // CHECK: te.cross_entropy_with_grad {{.*}} {z_loss = {{.*}} : f32} :
  %dy, %sum = te.cross_entropy_with_grad %d, %l, %c, %x, %loss {z_loss = 0.5 : f32} : tensor<8xi64>, tensor<8x3xbf16>
  // CHECK: te.squared_error %{{.*}}, %{{.*}} : tensor<8x3xbf16>, tensor<8x3xf32>
  %mse = te.squared_error %x, %t : tensor<8x3xbf16>, tensor<8x3xf32>
  // CHECK: te.squared_error_grad %{{.*}}, %{{.*}}, %{{.*}} {reduction = #te.reduction<sum>} : tensor<8x3xbf16>, tensor<8x3xf32> -> tensor<8x3xbf16>
  %dm = te.squared_error_grad %d, %x, %t {reduction = #te.reduction<sum>} : tensor<8x3xbf16>, tensor<8x3xf32> -> tensor<8x3xbf16>
  return
}

// Losses are attributes; defaults are not printed.
// CHECK: module attributes {test.losses = [#te.causal_lm, #te.masked_lm<label_smoothing = 1.000000e-01, z_loss = 1.000000e-04>, #te.cross_entropy<reduction = sum, ignore_index = 3>, #te.classification, #te.mse<reduction = sum>, #te.output<"loss">]}
module attributes {test.losses = [#te.causal_lm<>, #te.masked_lm<z_loss = 1.0e-4, label_smoothing = 0.1>,
  #te.cross_entropy<ignore_index = 3, reduction = sum>, #te.classification<label_smoothing = 0>, #te.mse<reduction = sum>, #te.output<"loss">]} {}

// CHECK-LABEL: func @optimizer
func.func @optimizer(%p: tensor<32x16xf32>, %m: tensor<32x16xf32>, %v: tensor<32x16xf32>,
                     %g: tensor<32x16xf32>, %c: tensor<f32>, %step: tensor<i64>, %s: tensor<f32>) {
  // CHECK: te.global_norm
  %norm = te.global_norm %g : tensor<32x16xf32>
  // CHECK: te.clip_coefficient
  %coef = te.clip_coefficient %norm, %c
  // CHECK: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%{{.*}}, %{{.*}}){{$}}
  %guarded = te.clip_coefficient %norm, %c amaxes(%s, %c)
  // CHECK: te.advance_step
  %t = te.advance_step %step if_finite %coef
  // CHECK: te.update #te.adamw {{.*}} quantize(%{{.*}}) {decay} : tensor<32x16xf32>, tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> columnwise tensor<16x32xf8E4M3FN> amax tensor<f32>
  %p1, %m1, %v1, %q, %qt, %amax = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%coef) scalars(%c, %c, %c, %c, %c) step(%t) quantize(%s) {decay}
    : tensor<32x16xf32>, tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> columnwise tensor<16x32xf8E4M3FN> amax tensor<f32>
  return
}

// CHECK-LABEL: func @narrow_states
func.func @narrow_states(%p: tensor<32x160xf32>, %g: tensor<32x160xbf16>, %m: tensor<32x160xf8E4M3FN>, %v: tensor<32x160xf8E5M2>,
                         %ms: tensor<32x2xf32>, %b: tensor<32x160xbf16>, %c: tensor<f32>, %t: tensor<i64>, %s: tensor<f32>) {
  // CHECK: te.update #te.adamw {{.*}} states(%{{.*}}, %{{.*}}) state_scales(%{{.*}}, %{{.*}}) gradient({{.*}} : tensor<32x160xf32>, tensor<32x160xbf16> states(f8E4M3FN, f8E5M2) -> rowwise tensor<32x160xf8E4M3FN>
  %p1, %m1, %v1, %ms1, %vs1, %q = te.update #te.adamw %p states(%m, %v) state_scales(%ms, %ms) gradient(%g) coefficient(%c) scalars(%c, %c, %c, %c, %c) step(%t) quantize(%s)
    : tensor<32x160xf32>, tensor<32x160xbf16> states(f8E4M3FN, f8E5M2) -> rowwise tensor<32x160xf8E4M3FN>
  // CHECK: te.update #te.adamw {{.*}} : tensor<32x160xf32>, tensor<32x160xbf16> states(bf16, bf16){{ *$}}
  %p2, %b1, %b2 = te.update #te.adamw %p states(%b, %b) gradient(%g) coefficient(%c) scalars(%c, %c, %c, %c, %c) step(%t)
    : tensor<32x160xf32>, tensor<32x160xbf16> states(bf16, bf16)
  return
}

// CHECK-LABEL: func @llama
func.func @llama(%x: tensor<64x128xbf16>, %g: tensor<128xf32>, %s: tensor<f32>, %h: tensor<2x32x4x32xbf16>, %t: tensor<32x16xf32>) {
  // CHECK: te.rms_norm %{{.*}}, %{{.*}} {eps = 9.99999974E-6 : f32, zero_centered} : tensor<64x128xbf16>, tensor<128xf32> -> y tensor<64x128xbf16> stats tensor<64xf32>
  %y, %rstd = te.rms_norm %x, %g {eps = 1.0e-5 : f32, zero_centered}
    : tensor<64x128xbf16>, tensor<128xf32> -> y tensor<64x128xbf16> stats tensor<64xf32>
  // CHECK: te.rms_norm_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} residual(%{{.*}} : tensor<64x128xbf16>) quantize(%{{.*}}) : {{.*}} -> dx tensor<64x128xbf16> dgamma tensor<128xf32> rowwise tensor<64x128xf8E5M2> columnwise tensor<128x64xf8E5M2> amax tensor<f32>
  %dx, %dg, %q, %qt, %amax = te.rms_norm_grad %y, %x, %g, %rstd residual(%x : tensor<64x128xbf16>) quantize(%s)
    : tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<128xf32>, tensor<64xf32>
    -> dx tensor<64x128xbf16> dgamma tensor<128xf32> rowwise tensor<64x128xf8E5M2> columnwise tensor<128x64xf8E5M2> amax tensor<f32>
  // CHECK: te.gated_activation silu %{{.*}} : tensor<64x128xbf16> -> y tensor<64x64xbf16>
  %a = te.gated_activation silu %x : tensor<64x128xbf16> -> y tensor<64x64xbf16>
  // CHECK: te.gated_activation gelu_tanh %{{.*}} up(%{{.*}} : tensor<64x128xbf16>) : tensor<64x128xbf16> -> y tensor<64x128xbf16>
  %b = te.gated_activation gelu_tanh %x up(%y : tensor<64x128xbf16>) : tensor<64x128xbf16> -> y tensor<64x128xbf16>
  // CHECK: te.gated_activation_grad silu %{{.*}}, %{{.*}} quantize(%{{.*}}) {up_first} : tensor<64x64xbf16>, tensor<64x128xbf16> -> rowwise tensor<64x128xf8E5M2> amax tensor<f32> dbias tensor<128xf32>
  %r, %ra, %db = te.gated_activation_grad silu %a, %x quantize(%s) {up_first}
    : tensor<64x64xbf16>, tensor<64x128xbf16> -> rowwise tensor<64x128xf8E5M2> amax tensor<f32> dbias tensor<128xf32>
  // CHECK: te.gated_activation_grad relu %{{.*}}, %{{.*}} up(%{{.*}} : tensor<64x128xbf16>) : tensor<64x128xbf16>, tensor<64x128xbf16> -> dx tensor<64x128xbf16> dup tensor<64x128xbf16>
  %dgate, %dup = te.gated_activation_grad relu %b, %x up(%y : tensor<64x128xbf16>)
    : tensor<64x128xbf16>, tensor<64x128xbf16> -> dx tensor<64x128xbf16> dup tensor<64x128xbf16>
  // CHECK: te.rope %{{.*}}, %{{.*}}, %{{.*}} {interleaved, inverse} : tensor<2x32x4x32xbf16>, tensor<32x16xf32>, tensor<32x16xf32> -> tensor<2x32x4x32xbf16>
  %p = te.rope %h, %t, %t {interleaved, inverse, layout = #te.attention_layout<bshd>}
    : tensor<2x32x4x32xbf16>, tensor<32x16xf32>, tensor<32x16xf32> -> tensor<2x32x4x32xbf16>
  return
}

// CHECK-LABEL: func @attention_part
func.func @attention_part(%q: tensor<2x8x4x16xf32>, %k: tensor<2x16x4x16xf32>) {
  // CHECK: te.attention %{{.*}}, %{{.*}}, %{{.*}} {balanced, causal, query_axes = 2 : i32, scale = 2.500000e-01 : f32}
  %o, %lse = te.attention %q, %k, %k {balanced, causal, query_axes = 2 : i32, scale = 0.25 : f32}
    : tensor<2x8x4x16xf32>, tensor<2x16x4x16xf32>, tensor<2x16x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// Rows of nothing are as many as rows of nothing.
// CHECK-LABEL: func @add_nothing
func.func @add_nothing(%a: tensor<0x8xf32>) {
  // CHECK: te.add %{{.*}}, %{{.*}} : tensor<0x8xf32>, tensor<0x8xf32> -> tensor<0x8xf32>
  %0 = te.add %a, %a : tensor<0x8xf32>, tensor<0x8xf32> -> tensor<0x8xf32>
  return
}

// CHECK-LABEL: func @causal_conv
func.func @causal_conv(%x: tensor<2x8x6xbf16>, %w: tensor<4x6xf32>, %b: tensor<6xf32>) {
  // CHECK: te.causal_conv %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<6xf32>) {silu} : tensor<2x8x6xbf16>, tensor<4x6xf32> -> tensor<2x8x6xbf16>
  %y = te.causal_conv %x, %w bias(%b : tensor<6xf32>) {silu} : tensor<2x8x6xbf16>, tensor<4x6xf32> -> tensor<2x8x6xbf16>
  // CHECK: te.causal_conv %{{.*}}, %{{.*}} : tensor<2x8x6xbf16>, tensor<4x6xf32> -> tensor<2x8x6xf32>
  %z = te.causal_conv %x, %w : tensor<2x8x6xbf16>, tensor<4x6xf32> -> tensor<2x8x6xf32>
  // CHECK: te.causal_conv_grad %{{.*}}, %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<6xf32>) {silu}
  // CHECK-SAME: -> tensor<2x8x6xbf16>, tensor<4x6xf32> dbias tensor<6xf32>
  %dx, %dw, %db = te.causal_conv_grad %z, %x, %w bias(%b : tensor<6xf32>) {silu}
    : tensor<2x8x6xf32>, tensor<2x8x6xbf16>, tensor<4x6xf32> -> tensor<2x8x6xbf16>, tensor<4x6xf32> dbias tensor<6xf32>
  // CHECK: te.causal_conv_grad %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x8x6xbf16>, tensor<4x6xf32>
  %ex, %ew = te.causal_conv_grad %y, %x, %w
    : tensor<2x8x6xbf16>, tensor<2x8x6xbf16>, tensor<4x6xf32> -> tensor<2x8x6xbf16>, tensor<4x6xf32>
  return
}

// CHECK-LABEL: func @scan
func.func @scan(%d: tensor<2x8x6xf32>, %x: tensor<2x8x6xbf16>, %r: tensor<6x4xf32>, %k: tensor<2x8x8xbf16>, %i: tensor<2x6x4xf32>, %j: tensor<2x6x1xf32>) {
  // CHECK: te.scan %{{.*}}, %{{.*}} initial(%{{.*}} : tensor<2x6x1xf32>) {chunk = 3 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xbf16> -> tensor<2x8x6xbf16>, tensor<2x3x6x1xf32>, tensor<2x6x1xf32>
  %y0, %s0, %f0 = te.scan %d, %x initial(%j : tensor<2x6x1xf32>) {chunk = 3 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xbf16> -> tensor<2x8x6xbf16>, tensor<2x3x6x1xf32>, tensor<2x6x1xf32>
  // CHECK: te.scan %{{.*}}, %{{.*}} rates(%{{.*}} : tensor<6x4xf32>) keys(%{{.*}} : tensor<2x8x8xbf16>) queries(%{{.*}} : tensor<2x8x8xbf16>) {chunk = 8 : i64} : tensor<2x8x6xbf16>, tensor<2x8x6xbf16> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  %y1, %s1, %f1 = te.scan %x, %x rates(%r : tensor<6x4xf32>) keys(%k : tensor<2x8x8xbf16>) queries(%k : tensor<2x8x8xbf16>) {chunk = 8 : i64}
    : tensor<2x8x6xbf16>, tensor<2x8x6xbf16> -> tensor<2x8x6xf32>, tensor<2x1x6x4xf32>, tensor<2x6x4xf32>
  // CHECK: te.scan_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} rates(%{{.*}} : tensor<6x4xf32>) keys(%{{.*}} : tensor<2x8x8xbf16>) queries(%{{.*}} : tensor<2x8x8xbf16>) dfinal(%{{.*}} : tensor<2x6x4xf32>) {chunk = 8 : i64}
  // CHECK-SAME: -> tensor<2x8x6xbf16>, tensor<2x8x6xbf16> drates tensor<6x4xf32> dkeys tensor<2x8x8xbf16> dqueries tensor<2x8x8xf32> dinitial tensor<2x6x4xf32>
  %dd, %dx, %dr, %dk, %dq, %di = te.scan_grad %y1, %x, %x, %s1 rates(%r : tensor<6x4xf32>) keys(%k : tensor<2x8x8xbf16>) queries(%k : tensor<2x8x8xbf16>)
    dfinal(%i : tensor<2x6x4xf32>) {chunk = 8 : i64}
    : tensor<2x8x6xf32>, tensor<2x8x6xbf16>, tensor<2x8x6xbf16>, tensor<2x1x6x4xf32>
    -> tensor<2x8x6xbf16>, tensor<2x8x6xbf16> drates tensor<6x4xf32> dkeys tensor<2x8x8xbf16> dqueries tensor<2x8x8xf32> dinitial tensor<2x6x4xf32>
  // CHECK: te.scan_grad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {chunk = 3 : i64} : {{.*}} -> tensor<2x8x6xf32>, tensor<2x8x6xf32> dinitial tensor<2x6x1xf32>
  %ed, %ex, %ei = te.scan_grad %y0, %d, %x, %s0 {chunk = 3 : i64}
    : tensor<2x8x6xbf16>, tensor<2x8x6xf32>, tensor<2x8x6xbf16>, tensor<2x3x6x1xf32>
    -> tensor<2x8x6xf32>, tensor<2x8x6xf32> dinitial tensor<2x6x1xf32>
  return
}
