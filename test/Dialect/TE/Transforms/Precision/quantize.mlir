// RUN: te-opt %s --split-input-file --te-quantize='recipe=#te.delayed_scaling<history=16>' | FileCheck %s
// RUN: te-opt %s --split-input-file --te-quantize='recipe=#te.delayed_scaling<history=16>' --te-validate-precision -o /dev/null
// RUN: te-opt %s --split-input-file --te-quantize='recipe=#te.delayed_scaling<history=4,algo=most_recent,margin=2,format=e4m3> fast-dgrad' | FileCheck %s --check-prefix=E4M3

// One linear, weight stored [N,K], f32 master truncated for high precision.

// CHECK: module attributes {te.recipe = #te.delayed_scaling<history = 16>, te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2], te.slots = ["fc.input", "fc.weight", "fc.grad_output"]}
// E4M3: module attributes {te.recipe = #te.delayed_scaling<history = 4, algo = most_recent, margin = 2, format = e4m3>, te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN], te.slots = ["fc.input", "fc.weight", "fc.grad_output"]}
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: %[[X:.*]]: tensor<64x128xbf16> {te.input = "x"}, %[[DY:.*]]: tensor<64x256xbf16> {te.input = "cotangent.y"},
// CHECK-SAME: %[[W:.*]]: tensor<256x128xf32> {te.param = "fc.weight"}, %[[B:.*]]: tensor<256xf32> {te.param = "fc.bias"},
// CHECK-SAME: %[[S:.*]]: tensor<3xf32> {te.init = 1.000000e+00 : f32, te.kind = "fp8_scale", te.state = "fp8.scales"},
// CHECK-SAME: %[[SI:.*]]: tensor<3xf32> {te.init = 1.000000e+00 : f32, te.kind = "fp8_scale_inv", te.state = "fp8.scale_invs"},
// CHECK-SAME: %[[H:.*]]: tensor<16x3xf32> {te.init = 0.000000e+00 : f32, te.kind = "fp8_amax_history", te.state = "fp8.amax_history"},
// CHECK-SAME: %[[N:.*]]: tensor<3xi64> {te.init = 0 : i64, te.kind = "fp8_nonfinite", te.state = "fp8.nonfinite"})
// CHECK-SAME: -> (tensor<64x256xbf16> {te.output = "y"}, tensor<64x128xbf16> {te.output = "grad.x"}, tensor<256x128xf32> {te.output = "grad.fc.weight"},
// CHECK-SAME: tensor<3xf32> {te.init = 1.000000e+00 : f32, te.kind = "fp8_scale", te.state = "fp8.scales"},
// CHECK-SAME: tensor<3xf32> {{{.*}}te.state = "fp8.scale_invs"}, tensor<16x3xf32> {{{.*}}te.state = "fp8.amax_history"}, tensor<3xi64> {{{.*}}te.state = "fp8.nonfinite"})
// CHECK-NOT: arith.truncf
// CHECK: %[[S0:.*]] = tensor.extract_slice %[[S]][0] [1] [1] : tensor<3xf32> to tensor<f32>
// CHECK: %[[XR:.*]], %[[XC:.*]], %[[XA:.*]] = te.quantize %[[X]], %[[S0]] : tensor<64x128xbf16> -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN> amax tensor<f32>
// CHECK: %[[SI0:.*]] = tensor.extract_slice %[[SI]][0] [1] [1]
// CHECK: %[[S1:.*]] = tensor.extract_slice %[[S]][1] [1] [1]
// CHECK: %[[WR:.*]], %[[WC:.*]], %[[WA:.*]] = te.quantize %[[W]], %[[S1]] : tensor<256x128xf32> -> rowwise tensor<256x128xf8E4M3FN> columnwise tensor<128x256xf8E4M3FN> amax tensor<f32>
// CHECK: %[[SI1:.*]] = tensor.extract_slice %[[SI]][1] [1] [1]
// CHECK: %[[Y:.*]] = te.scaled_matmul %[[XR]], %[[WR]] scales(%[[SI0]], %[[SI1]]) bias(%[[B]] : tensor<256xf32>) {accumulate = #te.accumulate<fast>, layer = "fc"} : tensor<64x128xf8E4M3FN>, tensor<256x128xf8E4M3FN> -> tensor<64x256xbf16>
// CHECK: %[[S2:.*]] = tensor.extract_slice %[[S]][2] [1] [1]
// CHECK: %[[DR:.*]], %[[DC:.*]], %[[DA:.*]] = te.quantize %[[DY]], %[[S2]] : tensor<64x256xbf16> -> rowwise tensor<64x256xf8E5M2> columnwise tensor<256x64xf8E5M2> amax tensor<f32>
// E4M3: te.quantize {{.*}} tensor<64x256xbf16> -> rowwise tensor<64x256xf8E4M3FN> columnwise tensor<256x64xf8E4M3FN>
// CHECK: %[[SI2:.*]] = tensor.extract_slice %[[SI]][2] [1] [1]
// CHECK: %[[DX:.*]] = te.scaled_matmul %[[DR]], %[[WC]] scales(%[[SI2]], %[[SI1]]) {layer = "fc", role = #te.role<dgrad>} : tensor<64x256xf8E5M2>, tensor<128x256xf8E4M3FN> -> tensor<64x128xbf16>
// E4M3: te.scaled_matmul {{.*}} {accumulate = #te.accumulate<fast>, layer = "fc", role = #te.role<dgrad>}
// CHECK: %[[DW:.*]] = te.scaled_matmul %[[DC]], %[[XC]] scales(%[[SI2]], %[[SI0]]) {layer = "fc", role = #te.role<wgrad>} : tensor<256x64xf8E5M2>, tensor<128x64xf8E4M3FN> -> tensor<256x128xf32>
// E4M3: te.scaled_matmul {{.*}} {layer = "fc", role = #te.role<wgrad>}
// CHECK: %[[S9:.*]], %[[SI9:.*]], %[[H9:.*]], %[[N9:.*]] = te.update_scales %[[S]], %[[SI]], %[[H]], %[[N]] amaxes(%[[XA]], %[[WA]], %[[DA]]) {formats = [f8E4M3FN, f8E4M3FN, f8E5M2], recipe = #te.delayed_scaling<history = 16>}
// E4M3: te.update_scales {{.*}} {formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN], recipe = #te.delayed_scaling<history = 4, algo = most_recent, margin = 2, format = e4m3>} : tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi64>
// CHECK: return %[[Y]], %[[DX]], %[[DW]], %[[S9]], %[[SI9]], %[[H9]], %[[N9]]
func.func @vjp(%x: tensor<64x128xbf16> {te.input = "x"}, %dy: tensor<64x256xbf16> {te.input = "cotangent.y"},
               %w: tensor<256x128xf32> {te.param = "fc.weight"}, %b: tensor<256xf32> {te.param = "fc.bias"})
    -> (tensor<64x256xbf16> {te.output = "y"}, tensor<64x128xbf16> {te.output = "grad.x"}, tensor<256x128xf32> {te.output = "grad.fc.weight"})
    attributes {te.entry = "vjp"} {
  %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
  %y, %dx, %dw = te.region fp8 -> (tensor<64x256xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>) {
    %0 = te.matmul %x, %wb bias(%b : tensor<256xf32>) {transpose_b} : tensor<64x128xbf16>, tensor<256x128xbf16> -> tensor<64x256xbf16> loc("fc")
    %1 = te.matmul %dy, %wb {role = #te.role<dgrad>} : tensor<64x256xbf16>, tensor<256x128xbf16> -> tensor<64x128xbf16> loc("fc")
    %2 = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32> loc("fc")
    te.yield %0, %1, %2 : tensor<64x256xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>
  }
  return %y, %dx, %dw : tensor<64x256xbf16>, tensor<64x128xbf16>, tensor<256x128xf32>
}

// -----

// Sizes that are not multiples of 16, weight stored [K,N], float32. The bias is
// padded with zeros, results are sliced.

// CHECK-LABEL: func.func @padded
// CHECK-SAME: %[[X:[^:]*]]: tensor<50x100xf32>, %[[DY:[^:]*]]: tensor<50x509xf32>, %[[W:[^:]*]]: tensor<100x509xf32> {te.param = "w"}, %[[B:[^:]*]]: tensor<509xf32>,
// CHECK: %[[XR:.*]], %[[XC:.*]], %{{.*}} = te.quantize %[[X]], {{.*}} : tensor<50x100xf32> -> rowwise tensor<64x112xf8E4M3FN> columnwise tensor<112x64xf8E4M3FN>
// CHECK: %[[WR:.*]], %[[WC:.*]], %{{.*}} = te.quantize %[[W]], {{.*}} : tensor<100x509xf32> -> rowwise tensor<112x512xf8E4M3FN> columnwise tensor<512x112xf8E4M3FN>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<512xf32>
// CHECK: %[[BP:.*]] = tensor.insert_slice %[[B]] into %[[ZERO]][0] [509] [1] : tensor<509xf32> into tensor<512xf32>
// CHECK: %[[YP:.*]] = te.scaled_matmul %[[XR]], %[[WC]] scales({{.*}}) bias(%[[BP]] : tensor<512xf32>) {{.*}} : tensor<64x112xf8E4M3FN>, tensor<512x112xf8E4M3FN> -> tensor<64x512xf32>
// CHECK: %[[Y:.*]] = tensor.extract_slice %[[YP]][0, 0] [50, 509] [1, 1] : tensor<64x512xf32> to tensor<50x509xf32>
// CHECK: %[[DR:.*]], %[[DC:.*]], %{{.*}} = te.quantize %[[DY]], {{.*}} : tensor<50x509xf32> -> rowwise tensor<64x512xf8E5M2> columnwise tensor<512x64xf8E5M2>
// CHECK: %[[DXP:.*]] = te.scaled_matmul %[[DR]], %[[WR]] {{.*}} : tensor<64x512xf8E5M2>, tensor<112x512xf8E4M3FN> -> tensor<64x112xf32>
// CHECK: %[[DX:.*]] = tensor.extract_slice %[[DXP]][0, 0] [50, 100] [1, 1]
// CHECK: %[[DWP:.*]] = te.scaled_matmul %[[XC]], %[[DC]] {{.*}} : tensor<112x64xf8E4M3FN>, tensor<512x64xf8E5M2> -> tensor<112x512xf32>
// CHECK: %[[DW:.*]] = tensor.extract_slice %[[DWP]][0, 0] [100, 509] [1, 1]
// CHECK: return %[[Y]], %[[DX]], %[[DW]],
func.func @padded(%x: tensor<50x100xf32>, %dy: tensor<50x509xf32>, %w: tensor<100x509xf32> {te.param = "w"}, %b: tensor<509xf32>)
    -> (tensor<50x509xf32>, tensor<50x100xf32>, tensor<100x509xf32>) attributes {te.entry = "grad"} {
  %y, %dx, %dw = te.region fp8 -> (tensor<50x509xf32>, tensor<50x100xf32>, tensor<100x509xf32>) {
    %0 = te.matmul %x, %w bias(%b : tensor<509xf32>) : tensor<50x100xf32>, tensor<100x509xf32> -> tensor<50x509xf32> loc("head")
    %1 = te.matmul %dy, %w {role = #te.role<dgrad>, transpose_b} : tensor<50x509xf32>, tensor<100x509xf32> -> tensor<50x100xf32> loc("head")
    %2 = te.matmul %x, %dy {role = #te.role<wgrad>, transpose_a, input_first} : tensor<50x100xf32>, tensor<50x509xf32> -> tensor<100x509xf32> loc("head")
    te.yield %0, %1, %2 : tensor<50x509xf32>, tensor<50x100xf32>, tensor<100x509xf32>
  }
  return %y, %dx, %dw : tensor<50x509xf32>, tensor<50x100xf32>, tensor<100x509xf32>
}

// -----

// Query, key and value read one normalized input: one quantization and one
// slot, named after the first. A forward entry reads scales and updates none,
// so it computes no amax.

// CHECK: te.slots = ["attn.q.input", "attn.q.weight", "attn.k.weight", "attn.v.weight"]
// CHECK-LABEL: func.func @qkv
// CHECK-SAME: te.state = "fp8.scales"}
// CHECK-SAME: te.state = "fp8.scale_invs"}) -> (tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>)
// CHECK: %[[Y:.*]], %{{.*}}, %{{.*}} = te.layer_norm
// CHECK: %[[Q:.*]] = te.quantize %[[Y]], {{.*}} : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN>{{$}}
// CHECK-NOT: te.quantize %[[Y]]
// CHECK-COUNT-3: te.scaled_matmul %[[Q]],
// CHECK-NOT: te.update_scales
func.func @qkv(%x: tensor<32x64xbf16>, %g: tensor<64xf32>, %b: tensor<64xf32>, %wq: tensor<64x64xf32> {te.param = "q"},
               %wk: tensor<64x64xf32> {te.param = "k"}, %wv: tensor<64x64xf32> {te.param = "v"})
    -> (tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>) attributes {te.entry = "forward"} {
  %y, %mean, %rstd = te.region high -> (tensor<32x64xbf16>, tensor<32xf32>, tensor<32xf32>) {
    %h, %m, %r = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32} : tensor<32x64xbf16>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xbf16> stats tensor<32xf32>, tensor<32xf32>
    te.yield %h, %m, %r : tensor<32x64xbf16>, tensor<32xf32>, tensor<32xf32>
  }
  %q, %k, %v = te.region fp8 -> (tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>) {
    %0 = te.matmul %y, %wq : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("attn.q")
    %1 = te.matmul %y, %wk : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("attn.k")
    %2 = te.matmul %y, %wv : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("attn.v")
    te.yield %0, %1, %2 : tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>
  }
  return %q, %k, %v : tensor<32x64xbf16>, tensor<32x64xbf16>, tensor<32x64xbf16>
}

// -----

// Only the fp8 region is quantized; te.region high leaves its ops as they are.

// CHECK: te.slots = ["b.input", "b.weight"]
// CHECK-LABEL: func.func @mixed
// CHECK-NOT: te.region
// CHECK: te.matmul
// CHECK: te.scaled_matmul
func.func @mixed(%x: tensor<32x64xbf16>, %wa: tensor<64x64xf32> {te.param = "a"}, %wb: tensor<64x64xf32> {te.param = "b"})
    -> tensor<32x64xbf16> attributes {te.entry = "forward"} {
  %a = te.region high -> (tensor<32x64xbf16>) {
    %0 = te.matmul %x, %wa : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("a")
    te.yield %0 : tensor<32x64xbf16>
  }
  %b = te.region fp8 -> (tensor<32x64xbf16>) {
    %0 = te.matmul %a, %wb : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("b")
    te.yield %0 : tensor<32x64xbf16>
  }
  return %b : tensor<32x64xbf16>
}

// -----

// Nothing in FP8: no slots, no states.

// CHECK: module {
// CHECK-LABEL: func.func @high(%{{[^,]*}}: tensor<32x64xbf16>, %{{[^,]*}}: tensor<64x64xf32>) -> tensor<32x64xbf16>
// CHECK: te.matmul
func.func @high(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32>) -> tensor<32x64xbf16> attributes {te.entry = "forward"} {
  %a = te.region high -> (tensor<32x64xbf16>) {
    %0 = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("a")
    te.yield %0 : tensor<32x64xbf16>
  }
  return %a : tensor<32x64xbf16>
}

// -----

// A module that runs twice has one weight slot and an input slot per run; a
// layer without a path is named after its weight.

// CHECK: te.slots = ["shared.input", "shared.weight", "shared:1.input", "v.input", "v.weight"]
// CHECK-LABEL: func.func @reused
// CHECK-SAME: %[[W:[^:]*]]: tensor<64x64xf32> {te.param = "w"}
// CHECK-COUNT-1: te.quantize %[[W]],
// CHECK-NOT: te.quantize %[[W]],
func.func @reused(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32> {te.param = "w"}, %v: tensor<64x64xf32> {te.param = "v"})
    -> tensor<32x64xbf16> attributes {te.entry = "forward"} {
  %y = te.region fp8 -> (tensor<32x64xbf16>) {
    %0 = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("shared")
    %1 = te.matmul %0, %w : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("shared")
    %2 = te.matmul %1, %v : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16>
    te.yield %2 : tensor<32x64xbf16>
  }
  return %y : tensor<32x64xbf16>
}

// -----

// An entry that skips a slot gives the update a zero there. Entries share slots
// by name.

// CHECK: te.slots = ["a.input", "a.weight", "b.input", "b.weight"]
// CHECK-LABEL: func.func @grad
// CHECK: %{{.*}}, %[[XA:.*]] = te.quantize %{{.*}}, %{{.*}} : tensor<32x64xbf16>
// CHECK: %{{.*}}, %[[WA:.*]] = te.quantize %{{.*}}, %{{.*}} : tensor<64x64xf32>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK: te.update_scales {{.*}} amaxes(%[[XA]], %[[WA]], %[[ZERO]], %[[ZERO]])
// CHECK-LABEL: func.func @forward
// CHECK: tensor.extract_slice %{{.*}}[2] [1] [1] : tensor<4xf32>
// CHECK: te.quantize %{{.*}} : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E4M3FN>{{$}}
// CHECK-NOT: te.update_scales
func.func @grad(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32> {te.param = "a"}) -> tensor<32x64xbf16> attributes {te.entry = "grad"} {
  %y = te.region fp8 -> (tensor<32x64xbf16>) {
    %0 = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("a")
    te.yield %0 : tensor<32x64xbf16>
  }
  return %y : tensor<32x64xbf16>
}
func.func @forward(%x: tensor<32x64xbf16>, %w: tensor<64x64xf32> {te.param = "b"}) -> tensor<32x64xbf16> attributes {te.entry = "forward"} {
  %y = te.region fp8 -> (tensor<32x64xbf16>) {
    %0 = te.matmul %x, %w : tensor<32x64xbf16>, tensor<64x64xf32> -> tensor<32x64xbf16> loc("b")
    te.yield %0 : tensor<32x64xbf16>
  }
  return %y : tensor<32x64xbf16>
}

// -----

// In a module that trains, only the entry that updates the weights updates the
// scales: grad reads both and computes no amax.

// CHECK-LABEL: func.func @train(
// CHECK: te.update_scales
// CHECK-LABEL: func.func @grad(
// CHECK-SAME: %[[X:[^:]*]]: tensor<16x16xf32>, %{{[^:]*}}: tensor<2xf32> {{{[^}]*}}"fp8.scales"}, %{{[^:]*}}: tensor<2xf32> {{{[^}]*}}"fp8.scale_invs"}, %[[W:[^:]*]]: tensor<16x16xf8E4M3FN> {{{[^}]*}}"fp8.weight.w.columnwise"}) -> (tensor<16x16xf32>
// CHECK: %[[Q:.*]] = te.quantize %[[X]], %{{.*}} : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>{{$}}
// CHECK: te.scaled_matmul %[[Q]], %[[W]]
// CHECK-NOT: te.update_scales
// CHECK-LABEL: func.func @init(
func.func @train(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> (tensor<16x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
    te.yield %0 : tensor<16x16xf32>
  }
  %new = te.add %w, %y : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %new : tensor<16x16xf32>
}
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> (tensor<16x16xf32> {te.output = "y"}) attributes {te.entry = "grad"} {
  %y = te.region fp8 -> (tensor<16x16xf32>) {
    %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("fc")
    te.yield %0 : tensor<16x16xf32>
  }
  return %y : tensor<16x16xf32>
}
