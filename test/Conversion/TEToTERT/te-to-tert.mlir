// RUN: te-opt %s --te-to-tert --split-input-file | FileCheck %s

// A te op and its twin have operands, results and attributes in one order; what
// has no destination yet gets an empty tensor.

// CHECK-LABEL: func @twin
// CHECK-SAME:    %[[X:.*]]: tensor<64x128xbf16>, %[[W:.*]]: tensor<32x128xbf16>, %[[B:.*]]: tensor<32xf32>
func.func @twin(%x: tensor<64x128xbf16>, %w: tensor<32x128xbf16>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  // CHECK: %[[D:.*]] = tensor.empty() : tensor<64x32xf32>
  // CHECK: %[[R:.*]] = tert.matmul a(%[[X]] : {{.*}}) b(%[[W]] : {{.*}}) bias(%[[B]] : {{.*}}) -> d(%[[D]] : tensor<64x32xf32>) {transpose_b}
  // CHECK: return %[[R]]
  %d = te.matmul %x, %w bias(%b : tensor<32xf32>) {transpose_b, role = #te.role<dgrad>}
    : tensor<64x128xbf16>, tensor<32x128xbf16> -> tensor<64x32xf32>
  return %d : tensor<64x32xf32>
}

// -----

// Attributes that a te op leaves at their default are written down.

// CHECK-LABEL: func @defaults
func.func @defaults(%a: tensor<64x32xf8E4M3FN>, %si: tensor<f32>, %q: tensor<2x8x4x16xbf16>,
                    %logits: tensor<16x32xf32>, %labels: tensor<16xi64>, %amax: tensor<f32>) {
  // CHECK: tert.scaled_matmul {{.*}} {accumulate = #te.accumulate<split>}
  %0 = te.scaled_matmul %a, %a scales(%si, %si) : tensor<64x32xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<64x64xf32>
  // CHECK: tert.attention {{.*}} {causal, layout = #te.attention_layout<bshd>, scale = 2.500000e-01 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64}
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.25 : f32}
    : tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16> -> tensor<2x8x4x16xbf16>, tensor<2x4x8xf32>
  // CHECK: tert.attention_grad d_o({{.*}}) q({{.*}}) k({{.*}}) v({{.*}}) o({{.*}}) lse({{.*}}) -> dq({{.*}}) dk({{.*}}) dv({{.*}}) {causal, layout = #te.attention_layout<bshd>, scale = 2.500000e-01 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64}
  %dq, %dk, %dv = te.attention_grad %o, %q, %q, %q, %o, %lse {causal, scale = 0.25 : f32}
    : tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>
  // CHECK: tert.cross_entropy {{.*}} {ignore_index = -100 : i64, label_smoothing = 0.000000e+00 : f32, reduction = #te.reduction<mean>, z_loss = 0.000000e+00 : f32}
  %loss, %l, %count = te.cross_entropy %logits, %labels : tensor<16x32xf32>, tensor<16xi64> -> tensor<16xf32>
  // CHECK: tert.cross_entropy_grad dloss({{.*}}) logits({{.*}}) labels({{.*}}) lse({{.*}}) count({{.*}}) -> dlogits({{.*}}) {ignore_index = -100 : i64, label_smoothing = 0.000000e+00 : f32, reduction = #te.reduction<mean>, z_loss = 0.000000e+00 : f32}
  %dl = te.cross_entropy_grad %loss, %logits, %labels, %l, %count
    : tensor<16x32xf32>, tensor<16xi64>, tensor<16xf32> -> tensor<16x32xf32>
  // CHECK: tert.compute_scale amax({{.*}}) -> scale({{.*}}) scale_inv({{.*}}) {epsilon = 0.000000e+00 : f32, format = f8E5M2, margin = 0 : i32}
  %s, %i = te.compute_scale %amax {format = f8E5M2}
  // CHECK: tert.compute_scale amax({{.*}}) -> scale({{.*}}) scale_inv({{.*}}) {epsilon = 2.500000e-01 : f32, format = f8E4M3FN, margin = 0 : i32, power_of_two}
  %t, %j = te.compute_scale %amax {epsilon = 0.25 : f32, format = f8E4M3FN, power_of_two}
  // CHECK: tert.compute_scale amax({{.*}}) -> scale({{.*}} : tensor<f32>) scale_inv({{.*}} : tensor<f8E8M0FNU>) {epsilon = 0.000000e+00 : f32, format = f8E4M3FN, margin = 0 : i32}
  %u, %k = te.compute_scale %amax {format = f8E4M3FN} -> tensor<f8E8M0FNU>
  return
}

// -----

// Results that nobody asked for have no destination.

// CHECK-LABEL: func @optional_results
func.func @optional_results(%x: tensor<64x128xbf16>, %g: tensor<128xf32>, %s: tensor<f32>) {
  // CHECK: tert.layer_norm x({{.*}}) gamma({{.*}}) beta({{.*}}) scale({{.*}}) -> mean({{.*}}) rstd({{.*}}) columnwise(%{{.*}} : tensor<128x64xf8E4M3FN>) {eps
  %mean, %rstd, %qt = te.layer_norm %x, %g, %g quantize(%s) {eps = 1.0e-5 : f32}
    : tensor<64x128xbf16>, tensor<128xf32>, tensor<128xf32>
    -> stats tensor<64xf32>, tensor<64xf32> columnwise tensor<128x64xf8E4M3FN>
  // CHECK: tert.activation_grad dy({{.*}}) x({{.*}}) scale({{.*}}) -> rowwise(%{{.*}} : tensor<64x128xf8E5M2>) dbias(%{{.*}} : tensor<128xf32>) {kind = #te<activation_kind relu>}
  %q, %db = te.activation_grad relu %x, %x quantize(%s) : tensor<64x128xbf16>, tensor<64x128xbf16>
    -> rowwise tensor<64x128xf8E5M2> dbias tensor<128xf32>
  return
}

// -----

// Norms, gates and rotations of Llama and its kin.

// CHECK-LABEL: func @llama
func.func @llama(%x: tensor<64x128xbf16>, %g: tensor<128xf32>, %s: tensor<f32>, %h: tensor<2x32x4x32xbf16>, %t: tensor<32x16xf32>) {
  // CHECK: tert.rms_norm x({{.*}}) gamma({{.*}}) scale({{.*}}) -> rstd({{.*}}) columnwise(%{{.*}} : tensor<128x64xf8E4M3FN>) {eps = 9.99999974E-6 : f32, zero_centered}
  %rstd, %qt = te.rms_norm %x, %g quantize(%s) {eps = 1.0e-5 : f32, zero_centered}
    : tensor<64x128xbf16>, tensor<128xf32> -> stats tensor<64xf32> columnwise tensor<128x64xf8E4M3FN>
  // CHECK: tert.rms_norm_grad dy({{.*}}) x({{.*}}) gamma({{.*}}) rstd({{.*}}) residual({{.*}}) scale({{.*}}) -> dgamma({{.*}}) amax({{.*}})
  %dg, %amax = te.rms_norm_grad %x, %x, %g, %rstd residual(%x : tensor<64x128xbf16>) quantize(%s)
    : tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<128xf32>, tensor<64xf32> -> dgamma tensor<128xf32> amax tensor<f32>
  // CHECK: tert.gated_activation x({{.*}}) -> y(%{{.*}} : tensor<64x64xbf16>) {kind = #te<activation_kind silu>, up_first}
  %y = te.gated_activation silu %x {up_first} : tensor<64x128xbf16> -> y tensor<64x64xbf16>
  // CHECK: tert.gated_activation_grad dy({{.*}}) x({{.*}}) up({{.*}}) -> dx({{.*}}) dup({{.*}}) {kind = #te<activation_kind relu>}
  %dgate, %dup = te.gated_activation_grad relu %x, %x up(%x : tensor<64x128xbf16>)
    : tensor<64x128xbf16>, tensor<64x128xbf16> -> dx tensor<64x128xbf16> dup tensor<64x128xbf16>
  // CHECK: tert.rope x({{.*}}) cos({{.*}}) sin({{.*}}) -> y({{.*}}) {interleaved, inverse, layout = #te.attention_layout<bshd>}
  %r = te.rope %h, %t, %t {interleaved, inverse} : tensor<2x32x4x32xbf16>, tensor<32x16xf32>, tensor<32x16xf32> -> tensor<2x32x4x32xbf16>
  return
}

// -----

// What the runtime updates in place is its own destination.

// CHECK-LABEL: func @in_place
// CHECK-SAME:    %[[P:[^ ]*]]: tensor<32x16xf32>, %[[M:[^ ]*]]: tensor<32x16xf32>, %[[V:[^ ]*]]: tensor<32x16xf32>, %[[G:[^ ]*]]: tensor<32x16xf32>, %[[C:[^ ]*]]: tensor<f32>, %[[STEP:[^ ]*]]: tensor<i64>
func.func @in_place(%p: tensor<32x16xf32>, %m: tensor<32x16xf32>, %v: tensor<32x16xf32>, %g: tensor<32x16xf32>,
                    %c: tensor<f32>, %step: tensor<i64>,
                    %s: tensor<2xf32>, %si: tensor<2xf32>, %h: tensor<16x2xf32>, %n: tensor<2xi64>) {
  // CHECK: %[[T:.*]] = tert.advance_step coefficient(%[[C]] : {{.*}}) -> step(%[[STEP]] : tensor<i64>)
  %t = te.advance_step %step if_finite %c
  // CHECK: %[[Q:.*]] = tensor.empty() : tensor<32x16xf8E4M3FN>
  // CHECK: tert.update gradients(%[[G]] : {{.*}}) coefficient(%[[C]] : {{.*}}) scalars(%[[C]], %[[C]], %[[C]], %[[C]], %[[C]] : {{.*}}) step(%[[T]] : {{.*}}) scales(%[[C]] : tensor<f32>)
  // CHECK-SAME: -> params(%[[P]] : {{.*}}) states(%[[M]], %[[V]] : {{.*}}) rowwise(%[[Q]] : {{.*}}) {copies = array<i32: 1>, decays = array<i32: 1>, rule = "adamw"}
  %p1, %m1, %v1, %q = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%c) scalars(%c, %c, %c, %c, %c)
    step(%t) quantize(%c) {decay} : tensor<32x16xf32>, tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  // CHECK: tert.update_scales amaxes(%[[C]], %[[C]] : {{.*}}) -> scales({{.*}}) scale_invs({{.*}}) history({{.*}}) nonfinite({{.*}}) {algo = #te.amax_algo<most_recent>, formats = [f8E4M3FN, f8E5M2], margin = 1 : i32}
  %s1, %si1, %h1, %n1 = te.update_scales %s, %si, %h, %n amaxes(%c, %c)
    {recipe = #te.delayed_scaling<history = 16, algo = most_recent, margin = 1>, formats = [f8E4M3FN, f8E5M2]}
    : tensor<2xf32>, tensor<2xf32>, tensor<16x2xf32>, tensor<2xi64>
  return
}

// -----

// The runtime repeats the second operand over leading dimensions.

// CHECK-LABEL: func @repeating_add
// CHECK-SAME:    %[[A:.*]]: tensor<128x64xbf16>, %[[B:.*]]: tensor<32x64xf32>
func.func @repeating_add(%a: tensor<128x64xbf16>, %b: tensor<32x64xf32>) -> tensor<128x64xbf16> {
  // CHECK-DAG: %[[A3:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0, 1], [2]] output_shape [4, 32, 64]
  // CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<128x64xbf16>
  // CHECK-DAG: %[[E3:.*]] = tensor.expand_shape %[[E]] {{\[\[}}0, 1], [2]] output_shape [4, 32, 64]
  // CHECK: %[[Y3:.*]] = tert.add a(%[[A3]] : {{.*}}) b(%[[B]] : tensor<32x64xf32>) -> y(%[[E3]] : tensor<4x32x64xbf16>)
  // CHECK: %[[Y:.*]] = tensor.collapse_shape %[[Y3]] {{\[\[}}0, 1], [2]]
  // CHECK: return %[[Y]]
  %y = te.add %a, %b : tensor<128x64xbf16>, tensor<32x64xf32> -> tensor<128x64xbf16>
  return %y : tensor<128x64xbf16>
}

// -----

// Pieces and concatenations are slices, conversions copies, constants fills.

// CHECK-LABEL: func @upstream_ops
// CHECK-SAME:    %[[X:.*]]: tensor<8x48xf32>
func.func @upstream_ops(%x: tensor<8x48xf32>) -> (tensor<8x48xf32>, tensor<8x48xbf16>, tensor<f32>, tensor<4xi64>, index) {
  // CHECK: %[[P0:.*]] = tensor.extract_slice %[[X]][0, 0] [8, 32] [1, 1]
  // CHECK: %[[P1:.*]] = tensor.extract_slice %[[X]][0, 32] [8, 16] [1, 1]
  %p0, %p1 = te.split %x axis 1 : tensor<8x48xf32> -> tensor<8x32xf32>, tensor<8x16xf32>
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<8x48xf32>
  // CHECK: %[[I:.*]] = tensor.insert_slice %[[P1]] into %[[E]][0, 0] [8, 16] [1, 1]
  // CHECK: %[[J:.*]] = tensor.insert_slice %[[P0]] into %[[I]][0, 16] [8, 32] [1, 1]
  %c = tensor.concat dim(1) %p1, %p0 : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<8x48xf32>
  // CHECK: tert.copy x(%[[X]] : tensor<8x48xf32>) -> y(%{{.*}} : tensor<8x48xbf16>)
  %t = arith.truncf %x : tensor<8x48xf32> to tensor<8x48xbf16>
  // CHECK: tert.fill -> y(%{{.*}} : tensor<f32>) {value = 5.000000e-01 : f64}
  %half = arith.constant dense<0.5> : tensor<f32>
  // CHECK: tert.fill -> y(%{{.*}} : tensor<4xi64>) {value = -1.000000e+00 : f64}
  %minus_one = arith.constant dense<-1> : tensor<4xi64>
  // The least integer is a double; one more than 2^53 is not, and is stored.
  // CHECK: tert.fill -> y(%{{.*}} : tensor<4xi64>) {value = -9.2233720368547758E+18 : f64}
  %least = arith.constant dense<-9223372036854775808> : tensor<4xi64>
  // CHECK: arith.constant dense<9007199254740993> : tensor<4xi64>
  %odd = arith.constant dense<9007199254740993> : tensor<4xi64>
  // CHECK: arith.constant 3 : index
  %index = arith.constant 3 : index
  // CHECK: return %[[J]]
  return %c, %t, %half, %minus_one, %index : tensor<8x48xf32>, tensor<8x48xbf16>, tensor<f32>, tensor<4xi64>, index
}

// -----

// A state that there is not leaves no destination behind.
// CHECK-LABEL: func @sgd(
// CHECK-SAME: %[[P:[^ ]*]]: tensor<16x32xf32>, %[[B:[^ ]*]]: tensor<16x32xf32>, %[[G:[^ ]*]]: tensor<16x32xf32>, %[[C:[^ ]*]]: tensor<f32>, %[[T:[^ ]*]]: tensor<i64>
func.func @sgd(%p: tensor<16x32xf32>, %b: tensor<16x32xf32>, %g: tensor<16x32xf32>, %c: tensor<f32>, %t: tensor<i64>)
    -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf8E4M3FN>, tensor<f32>, tensor<16x32xf32>) {
  // CHECK: %[[Q:.*]] = tensor.empty() : tensor<16x32xf8E4M3FN>
  // CHECK: %[[A:.*]] = tensor.empty() : tensor<f32>
  // CHECK: tert.update gradients(%[[G]] : {{.*}}) coefficient(%[[C]] : {{.*}}) scalars(%[[C]], %[[C]], %[[C]], %[[C]] : {{.*}}) step(%[[T]] : tensor<i64>) scales(%[[C]] : tensor<f32>)
  // CHECK-SAME: -> params(%[[P]] : {{.*}}) states(%[[B]] : {{.*}}) rowwise(%[[Q]] : {{.*}}) amaxes(%[[A]] : {{.*}}) {copies = array<i32: 5>, decays = array<i32: 1>, rule = "sgd_momentum"}
  %p1, %b1, %q, %a = te.update #te.sgd %p states(%b) gradient(%g) coefficient(%c) scalars(%c, %c, %c, %c) step(%t) quantize(%c) {decay}
    : tensor<16x32xf32>, tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN> amax tensor<f32>
  // CHECK: tert.update gradients(%[[G]] : {{.*}}) coefficient(%[[C]] : {{.*}}) scalars(%[[C]], %[[C]] : {{.*}}) step(%[[T]] : tensor<i64>) -> params(%[[P]] : tensor<16x32xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "sgd"}
  %p2 = te.update #te.sgd<momentum = 0.0> %p gradient(%g) coefficient(%c) scalars(%c, %c) step(%t) : tensor<16x32xf32>, tensor<16x32xf32>
  return %p1, %b1, %q, %a, %p2 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf8E4M3FN>, tensor<f32>, tensor<16x32xf32>
}

// -----

// A rank's part of the queries is an op of its own, which knows its place. Two
// pieces of a sequence have memory for the terms of one: half of dk (1024
// elements of bf16) and of dv (of f32), and dsinks, each in steps of 256 bytes.

// CHECK-LABEL: func @attention_part
func.func @attention_part(%q: tensor<2x8x4x16xbf16>, %k: tensor<2x16x2x16xbf16>, %v: tensor<2x16x2x16xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tert.attention_part q({{.*}}) k({{.*}}) v({{.*}}) sinks({{.*}}) -> o({{.*}}) lse({{.*}}) {balanced, causal, layout = #te.attention_layout<bshd>, query_axes = 2 : i32, scale = 2.500000e-01 : f32, softcap = 0.000000e+00 : f32, window = 0 : i64}
  %o, %lse = te.attention %q, %k, %v sinks(%s : tensor<4xf32>) {balanced, causal, query_axes = 2 : i32, scale = 0.25 : f32}
    : tensor<2x8x4x16xbf16>, tensor<2x16x2x16xbf16>, tensor<2x16x2x16xf32> -> tensor<2x8x4x16xbf16>, tensor<2x4x8xf32>
  // CHECK: %[[T:.*]] = tensor.empty() : tensor<3328xi8>
  // CHECK: tert.attention_part_grad {{.*}} dsinks({{.*}}) temporary(%[[T]] : tensor<3328xi8>) {balanced, causal, {{.*}}query_axes = 2 : i32
  %dq, %dk, %dv, %ds = te.attention_grad %o, %q, %k, %v, %o, %lse sinks(%s : tensor<4xf32>) {balanced, causal, query_axes = 2 : i32, scale = 0.25 : f32}
    : tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x16x2x16xbf16>, tensor<2x16x2x16xf32>, tensor<2x8x4x16xbf16>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xbf16>, tensor<2x16x2x16xbf16>, tensor<2x16x2x16xf32> dsinks tensor<4xf32>
  return %ds : tensor<4xf32>
}

// CHECK-LABEL: func @attention_of_one_piece
func.func @attention_of_one_piece(%q: tensor<2x8x4x16xbf16>, %k: tensor<2x16x2x16xbf16>, %o: tensor<2x8x4x16xbf16>, %lse: tensor<2x4x8xf32>) -> tensor<2x16x2x16xbf16> {
  // CHECK: tert.attention_part_grad
  // CHECK-NOT: temporary
  %dq, %dk, %dv = te.attention_grad %o, %q, %k, %k, %o, %lse {causal, query_axes = 2 : i32, scale = 0.25 : f32}
    : tensor<2x8x4x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x16x2x16xbf16>, tensor<2x16x2x16xbf16>, tensor<2x8x4x16xbf16>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xbf16>, tensor<2x16x2x16xbf16>, tensor<2x16x2x16xbf16>
  return %dk : tensor<2x16x2x16xbf16>
}

// -----

// A piece without elements is no slice: at the end of a dimension, and anywhere
// in an empty tensor, there is no offset that the verifier takes.

// CHECK-LABEL: func @empty_pieces
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>, %[[N:.*]]: tensor<2x0xf32>, %[[A:.*]]: tensor<0x3xf32>, %[[B:.*]]: tensor<0x2xf32>
func.func @empty_pieces(%x: tensor<2x3xf32>, %n: tensor<2x0xf32>, %a: tensor<0x3xf32>, %b: tensor<0x2xf32>)
    -> (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x3xf32>, tensor<0x3xf32>, tensor<0x2xf32>, tensor<0x5xf32>) {
  // CHECK: %[[P0:.*]] = tensor.extract_slice %[[X]][0, 0] [2, 3] [1, 1]
  // CHECK: %[[P1:.*]] = tensor.empty() : tensor<2x0xf32>
  %p0, %p1 = te.split %x axis 1 : tensor<2x3xf32> -> tensor<2x3xf32>, tensor<2x0xf32>
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<2x3xf32>
  // CHECK: %[[J:.*]] = tensor.insert_slice %[[X]] into %[[E]][0, 0] [2, 3] [1, 1]
  %c = tensor.concat dim(1) %x, %n : (tensor<2x3xf32>, tensor<2x0xf32>) -> tensor<2x3xf32>
  // CHECK: %[[AB:.*]] = tensor.empty() : tensor<0x5xf32>
  %ab = tensor.concat dim(1) %a, %b : (tensor<0x3xf32>, tensor<0x2xf32>) -> tensor<0x5xf32>
  // CHECK: %[[Q0:.*]] = tensor.empty() : tensor<0x3xf32>
  // CHECK: %[[Q1:.*]] = tensor.empty() : tensor<0x2xf32>
  %q0, %q1 = te.split %ab axis 1 : tensor<0x5xf32> -> tensor<0x3xf32>, tensor<0x2xf32>
  // CHECK: return {{.*}}, %[[P1]], %[[J]], %[[Q0]], %[[Q1]], %[[AB]]
  return %p0, %p1, %c, %q0, %q1, %ab : tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x3xf32>, tensor<0x3xf32>, tensor<0x2xf32>, tensor<0x5xf32>
}
