// RUN: te-opt %s --split-input-file --te-separate-backward | FileCheck %s
// RUN: te-opt %s --split-input-file --te-separate-backward=entries=forward_saving | FileCheck %s
// RUN: te-opt %s --split-input-file --te-separate-backward=donates-saved | FileCheck %s --check-prefix=DONATED

// DONATED-LABEL: func.func @backward(
// DONATED-SAME: tensor<8x32xf32> {te.input = "cotangent.y"}, %{{.*}}: tensor<8x32xbf16> {te.donated, te.input = "saved.0"}

// Arguments are of both, intermediate values are saved in the type that they
// have, and reshapes and constants are repeated.
// CHECK-LABEL: func.func @forward_saving(
// CHECK-SAME: %[[X:.*]]: tensor<2x4x16xf32> {te.input = "x"}, %[[W:.*]]: tensor<32x16xf32> {te.param = "w"})
// CHECK-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<8x32xbf16> {te.output = "saved.0"})
// CHECK-SAME: attributes {te.entry = "forward_saving"}
// CHECK: %[[XM:.*]] = tensor.collapse_shape %[[X]]
// CHECK: %[[U:.*]] = te.matmul %[[XM]], %[[W]]
// CHECK: %[[UB:.*]] = arith.truncf %[[U]]
// CHECK: %[[Y:.*]] = te.activation
// CHECK-NOT: te.
// CHECK: return %[[Y]], %[[UB]] :
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %[[X2:.*]]: tensor<2x4x16xf32> {te.input = "x"}, %[[DY:.*]]: tensor<8x32xf32> {te.input = "cotangent.y"},
// CHECK-SAME: %[[SAVED:.*]]: tensor<8x32xbf16> {te.input = "saved.0"}, %[[W2:.*]]: tensor<32x16xf32> {te.param = "w"})
// CHECK-SAME: -> (tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"},
// CHECK-SAME: tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"},
// CHECK-SAME: tensor<16xf32> {te.gradient = "unused", te.output = "grad.unused"})
// CHECK-SAME: attributes {te.entry = "backward"}
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.0{{.*}}> : tensor<16xf32>
// CHECK-DAG: %[[XM2:.*]] = tensor.collapse_shape %[[X2]]
// CHECK: %[[DU:.*]] = te.activation_grad {{.*}} %[[DY]], %[[SAVED]]
// CHECK: %[[DX:.*]] = te.matmul %[[DU]], %[[W2]]
// CHECK: %[[DW:.*]] = te.matmul %[[DU]], %[[XM2]]
// CHECK: return %[[DW]], %[[DX]], %[[ZEROS]] :
func.func @forward_saving(%x: tensor<2x4x16xf32> {te.input = "x"}, %dy: tensor<8x32xf32> {te.input = "cotangent.y"},
                          %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"},
        tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"},
        tensor<16xf32> {te.gradient = "unused", te.output = "grad.unused"}) attributes {te.entry = "forward_saving"} {
  %xm = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x4x16xf32> into tensor<8x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<16xf32>
  %u = te.matmul %xm, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %ub = arith.truncf %u : tensor<8x32xf32> to tensor<8x32xbf16>
  %y = te.activation relu %u : tensor<8x32xf32> -> y tensor<8x32xf32>
  %du = te.activation_grad relu %dy, %ub : tensor<8x32xf32>, tensor<8x32xbf16> -> dx tensor<8x32xf32>
  %dx = te.matmul %du, %w : tensor<8x32xf32>, tensor<32x16xf32> -> tensor<8x16xf32>
  %dw = te.matmul %du, %xm {transpose_a} : tensor<8x32xf32>, tensor<8x16xf32> -> tensor<32x16xf32>
  return %y, %dw, %dx, %zeros : tensor<8x32xf32>, tensor<32x16xf32>, tensor<8x16xf32>, tensor<16xf32>
}

// -----

// The scale that the saved copy was made with is saved, that of the gradient
// read when the backward pass runs, and the states change there alone.
// CHECK-LABEL: func.func @forward_saving(
// CHECK-SAME: te.state = "fp8.scales"}, %[[INV:[^:]*]]: tensor<2xf32> {{{[^}]*}}te.state = "fp8.scale_invs"})
// CHECK-SAME: -> (tensor<32x32xf32> {te.output = "y"}, tensor<32x32xf8E4M3FN> {te.output = "saved.0"}, tensor<2xf32> {te.output = "saved.1"}, tensor<f32> {te.output = "saved.2"})
// CHECK: %{{.*}}, %[[COLUMNWISE:.*]], %[[AMAX:.*]] = te.quantize
// CHECK: return %{{.*}}, %[[COLUMNWISE]], %[[INV]], %[[AMAX]]
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: tensor<32x32xf32> {te.input = "cotangent.y"}, %[[COPY:.*]]: tensor<32x32xf8E4M3FN> {te.input = "saved.0"},
// CHECK-SAME: %[[OLD:.*]]: tensor<2xf32> {te.input = "saved.1"}, %[[SEEN:.*]]: tensor<f32> {te.input = "saved.2"},
// CHECK-SAME: %[[S:[^:]*]]: tensor<2xf32> {{{[^}]*}}te.state = "fp8.scales"}, %[[I:[^:]*]]: tensor<2xf32> {{{[^}]*}}te.state = "fp8.scale_invs"}
// CHECK-DAG: %[[OLDX:.*]] = tensor.extract_slice %[[OLD]][0]
// CHECK-DAG: %[[SDY:.*]] = tensor.extract_slice %[[S]][1]
// CHECK-DAG: %[[IDY:.*]] = tensor.extract_slice %[[I]][1]
// CHECK: %[[Q:.*]], %[[AMAXDY:.*]] = te.quantize %{{.*}}, %[[SDY]]
// CHECK: te.scaled_matmul %[[Q]], %[[COPY]] scales(%[[IDY]], %[[OLDX]])
// CHECK: te.update_scales %[[S]], %[[I]], %{{.*}} amaxes(%[[SEEN]], %[[AMAXDY]])
func.func @forward_saving(%x: tensor<32x32xf32> {te.input = "x"}, %dy: tensor<32x32xf32> {te.input = "cotangent.y"},
    %w: tensor<32x32xf32> {te.param = "w"},
    %scales: tensor<2xf32> {te.init = 1.0 : f32, te.kind = "fp8_scale", te.state = "fp8.scales"},
    %invs: tensor<2xf32> {te.init = 1.0 : f32, te.kind = "fp8_scale_inv", te.state = "fp8.scale_invs"},
    %history: tensor<4x2xf32> {te.init = 0.0 : f32, te.kind = "fp8_amax_history", te.state = "fp8.amax_history"},
    %nonfinite: tensor<2xi64> {te.init = 0 : i64, te.kind = "fp8_nonfinite", te.state = "fp8.nonfinite"})
    -> (tensor<32x32xf32> {te.output = "y"}, tensor<32x32xf32> {te.gradient = "w", te.output = "grad.w"},
        tensor<2xf32> {te.kind = "fp8_scale", te.state = "fp8.scales"}, tensor<2xf32> {te.kind = "fp8_scale_inv", te.state = "fp8.scale_invs"},
        tensor<4x2xf32> {te.kind = "fp8_amax_history", te.state = "fp8.amax_history"}, tensor<2xi64> {te.kind = "fp8_nonfinite", te.state = "fp8.nonfinite"})
    attributes {te.entry = "forward_saving"} {
  %sx = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ix = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %q, %qt, %amax = te.quantize %x, %sx : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  %y = te.matmul %x, %w {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %sdy = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %idy = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %qdy, %amaxdy = te.quantize %dy, %sdy : tensor<32x32xf32> -> columnwise tensor<32x32xf8E5M2> amax tensor<f32>
  %dw = te.scaled_matmul %qdy, %qt scales(%idy, %ix) {role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %s, %i, %h, %n = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax, %amaxdy) {formats = [f8E4M3FN, f8E5M2], recipe = #te.delayed_scaling<history = 4>} : tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<2xi64>
  return %y, %dw, %s, %i, %h, %n : tensor<32x32xf32>, tensor<32x32xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4x2xf32>, tensor<2xi64>
}

// -----

// What is returned anyway is not saved, whatever its shape.
// CHECK-LABEL: func.func @forward_saving(
// CHECK-SAME: -> (tensor<2x4x16xf32> {te.output = "y"}, tensor<2x4x16xf32> {te.output = "z"}) attributes
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %[[DZ:.*]]: tensor<2x4x16xf32> {te.input = "cotangent.z"}, %[[Y:.*]]: tensor<2x4x16xf32> {te.input = "output.y"})
// CHECK: %[[YM:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0, 1], [2]]
// CHECK: te.activation_grad relu %{{.*}}, %[[YM]]
func.func @forward_saving(%x: tensor<8x16xf32> {te.input = "x"}, %dz: tensor<2x4x16xf32> {te.input = "cotangent.z"})
    -> (tensor<2x4x16xf32> {te.output = "y"}, tensor<2x4x16xf32> {te.output = "z"},
        tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"}) attributes {te.entry = "forward_saving"} {
  %y = te.activation gelu_tanh %x : tensor<8x16xf32> -> y tensor<8x16xf32>
  %yh = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %z = te.activation relu %y : tensor<8x16xf32> -> y tensor<8x16xf32>
  %zh = tensor.expand_shape %z [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %dzm = tensor.collapse_shape %dz [[0, 1], [2]] : tensor<2x4x16xf32> into tensor<8x16xf32>
  %dx = te.activation_grad relu %dzm, %y : tensor<8x16xf32>, tensor<8x16xf32> -> dx tensor<8x16xf32>
  return %yh, %zh, %dx : tensor<2x4x16xf32>, tensor<2x4x16xf32>, tensor<8x16xf32>
}
