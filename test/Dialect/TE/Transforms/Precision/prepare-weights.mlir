// RUN: te-opt %s --te-prepare-weights --split-input-file | FileCheck %s
// RUN: te-opt %s --te-prepare-weights=parameters=all --split-input-file | FileCheck %s --check-prefix=ALL
// RUN: te-opt %s --te-prepare-weights=parameters=none --split-input-file | FileCheck %s --check-prefix=NONE

// What is made of the frozen table and of the frozen weight becomes states; two
// entries share the copy of the weight in bf16. The trained weight stays, and so
// does what depends on a state that a step changes.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[IDS:[^:]*]]: tensor<8xi64> {te.input = "ids"}
// CHECK-SAME: %[[W:[^:]*]]: tensor<32x16xf32> {te.param = "w"}
// CHECK-SAME: %[[S:[^:]*]]: tensor<f32> {te.kind = "fp8_scale", te.state = "s"}
// CHECK-NOT: te.frozen
// CHECK-SAME: %[[F:[^:]*]]: tensor<32x16xf32> {te.frozen, te.param = "g"}
// CHECK-SAME: %[[TABLE:[^:]*]]: tensor<64x16xbf16> {te.init = 0.000000e+00 : bf16, te.kind = "prepared", te.state = "prepared.t"}
// CHECK-SAME: %[[FB:[^:]*]]: tensor<32x16xbf16> {te.init = 0.000000e+00 : bf16, te.kind = "prepared", te.state = "prepared.f"}
// CHECK-SAME: -> (tensor<8x32xbf16> {te.output = "y"}
// CHECK-NEXT: %[[X:.*]] = te.embedding %[[IDS]], %[[TABLE]] : tensor<8xi64>, tensor<64x16xbf16>
// CHECK-NEXT: %[[WB:.*]] = arith.truncf %[[W]]
// CHECK-NEXT: te.matmul %[[X]], %[[WB]]
// CHECK-NEXT: te.matmul %[[X]], %[[FB]]
// CHECK: te.quantize %[[F]], %[[S]]

// CHECK-LABEL: func.func @eval(
// CHECK-SAME: %{{[^:]*}}: tensor<8x16xbf16> {te.input = "x"}, %[[FB:[^:]*]]: tensor<32x16xbf16> {te.init = 0.000000e+00 : bf16, te.kind = "prepared", te.state = "prepared.f"}) -> {{.*}} {te.entry = "eval"}
// CHECK-NEXT: te.matmul %{{.*}}, %[[FB]]

// CHECK-LABEL: func.func @prepare(
// CHECK-SAME: %[[T:[^:]*]]: tensor<64x16xf32> {te.frozen, te.param = "t"}
// CHECK-SAME: %[[F:[^:]*]]: tensor<32x16xf32> {te.frozen, te.param = "f"}
// CHECK-SAME: te.state = "prepared.t"}
// CHECK-SAME: te.state = "prepared.f"}
// CHECK-SAME: attributes {te.entry = "prepare"}
// CHECK-NEXT: %[[TB:.*]] = arith.truncf %[[T]] : tensor<64x16xf32> to tensor<64x16xbf16>
// CHECK-NEXT: %[[FB:.*]] = arith.truncf %[[F]] : tensor<32x16xf32> to tensor<32x16xbf16>
// CHECK-NEXT: return %[[TB]], %[[FB]]

// NONE-NOT: @prepare
func.func @train(%ids: tensor<8xi64> {te.input = "ids"}, %t: tensor<64x16xf32> {te.param = "t", te.frozen},
                 %w: tensor<32x16xf32> {te.param = "w"}, %f: tensor<32x16xf32> {te.param = "f", te.frozen},
                 %s: tensor<f32> {te.state = "s", te.kind = "fp8_scale"}, %g: tensor<32x16xf32> {te.param = "g", te.frozen})
    -> (tensor<8x32xbf16> {te.output = "y"}, tensor<8x32xbf16> {te.output = "z"}, tensor<32x16xf8E4M3FN> {te.output = "q"},
        tensor<32x16xf32> {te.param = "w"}, tensor<f32> {te.state = "s", te.kind = "fp8_scale"}) attributes {te.entry = "train"} {
  %x = te.embedding %ids, %t : tensor<8xi64>, tensor<64x16xf32> -> tensor<8x16xbf16>
  %wb = arith.truncf %w : tensor<32x16xf32> to tensor<32x16xbf16>
  %y = te.matmul %x, %wb {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16> -> tensor<8x32xbf16>
  %fb = arith.truncf %f : tensor<32x16xf32> to tensor<32x16xbf16>
  %z = te.matmul %x, %fb {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16> -> tensor<8x32xbf16>
  %q = te.quantize %g, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  return %y, %z, %q, %w, %s : tensor<8x32xbf16>, tensor<8x32xbf16>, tensor<32x16xf8E4M3FN>, tensor<32x16xf32>, tensor<f32>
}
func.func @eval(%x: tensor<8x16xbf16> {te.input = "x"}, %f: tensor<32x16xf32> {te.param = "f", te.frozen})
    -> (tensor<8x32xbf16> {te.output = "y"}) attributes {te.entry = "eval"} {
  %fb = arith.truncf %f : tensor<32x16xf32> to tensor<32x16xbf16>
  %y = te.matmul %x, %fb {transpose_b} : tensor<8x16xbf16>, tensor<32x16xbf16> -> tensor<8x32xbf16>
  return %y : tensor<8x32xbf16>
}

// -----

// Weights that are joined and quantized, with the scales of a checkpoint or with
// one made of them, whose reciprocal is a state as well.
// ALL-LABEL: func.func @forward(
// ALL-SAME: %[[X:[^:]*]]: tensor<16x16xf8E4M3FN> {te.input = "x"}, %[[S:[^:]*]]: tensor<2xf32> {te.kind = "fp8_scale", te.state = "s"}
// ALL-SAME: %[[B:[^:]*]]: tensor<32xf32> {te.param = "b"}
// ALL-SAME: %[[JOINED:[^:]*]]: tensor<32x16xf8E4M3FN> {te.init = 0.000000e+00 : f8E4M3FN, te.kind = "prepared", te.state = "prepared.q"}
// ALL-SAME: %[[INV:[^:]*]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "prepared", te.state = "prepared.w"}
// ALL-SAME: %[[W:[^:]*]]: tensor<32x16xf8E4M3FN> {te.init = 0.000000e+00 : f8E4M3FN, te.kind = "prepared", te.state = "prepared.w.1"}
// ALL-SAME: attributes {te.entry = "forward"}
// ALL-NEXT: %[[S0:.*]] = tensor.extract_slice %[[S]][0] [1] [1]
// ALL-NEXT: te.scaled_matmul %[[X]], %[[JOINED]] scales(%[[S0]], %[[S0]]) bias(%[[B]]
// ALL-NEXT: te.scaled_matmul %[[X]], %[[W]] scales(%[[S0]], %[[INV]])
// ALL-NEXT: return
// ALL-LABEL: func.func @prepare(
// ALL-SAME: te.param = "q"
// ALL: tensor.concat
// ALL: te.quantize
// ALL: te.amax
// ALL: te.compute_scale
// ALL: te.quantize
// CHECK-LABEL: func.func @forward(
// CHECK: tensor.concat
// CHECK-NOT: @prepare
func.func @forward(%x: tensor<16x16xf8E4M3FN> {te.input = "x"}, %s: tensor<2xf32> {te.state = "s", te.kind = "fp8_scale"},
                   %q: tensor<16x16xf32> {te.param = "q"}, %k: tensor<16x16xf32> {te.param = "k"},
                   %w: tensor<32x16xf32> {te.param = "w"}, %b: tensor<32xf32> {te.param = "b"})
    -> (tensor<16x32xbf16> {te.output = "y"}, tensor<16x32xbf16> {te.output = "z"}) attributes {te.entry = "forward"} {
  %s0 = tensor.extract_slice %s[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %s1 = tensor.extract_slice %s[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %qk = tensor.concat dim(0) %q, %k : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
  %joined = te.quantize %qk, %s1 : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %y = te.scaled_matmul %x, %joined scales(%s0, %s0) bias(%b : tensor<32xf32>) : tensor<16x16xf8E4M3FN>, tensor<32x16xf8E4M3FN> -> tensor<16x32xbf16>
  %a = te.amax %w : tensor<32x16xf32>
  %sw, %swi = te.compute_scale %a {format = f8E4M3FN}
  %wq = te.quantize %w, %sw : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %z = te.scaled_matmul %x, %wq scales(%s0, %swi) : tensor<16x16xf8E4M3FN>, tensor<32x16xf8E4M3FN> -> tensor<16x32xbf16>
  return %y, %z : tensor<16x32xbf16>, tensor<16x32xbf16>
}
