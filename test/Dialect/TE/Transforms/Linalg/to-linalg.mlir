// What each op computes, in upstream dialects.

// RUN: te-opt %s --te-to-linalg | FileCheck %s

// Stock tools take it:
// RUN: te-opt %s --te-to-linalg --mlir-print-op-generic | FileCheck %s --check-prefix=NONE
// NONE-NOT: "te.

// Executed both ways, in float64, from the formulas of the documentation and as
// linalg:
// RUN: te-test-opt %s --test-te-check-linalg -o /dev/null | FileCheck %s --check-prefix=SAME
// SAME-COUNT-73: the same within

// They have every op in all its forms, but for those of ranks and those that
// te-quantize dissolves:
// RUN: cat %s %S/dropout.mlir | te-test-opt --test-te-check-linalg-coverage -o /dev/null | FileCheck %s --check-prefix=FORM
// FORM:      te.add_embedding_part has no form
// FORM-NEXT: te.all_gather_sequence has no form
// FORM-NEXT: te.all_slice_sequence has no form
// FORM-NEXT: te.reduce_norm has no form
// FORM-NEXT: te.reduce_scalars has no form
// FORM-NEXT: te.reduce_scatter_sequence has no form
// FORM-NEXT: te.region has no form
// FORM-NEXT: te.shared_embedding has no form
// FORM-NEXT: te.vary has no form
// FORM-NEXT: te.vocabulary_cross_entropy has no form
// FORM-NEXT: te.vocabulary_cross_entropy_grad has no form
// FORM-NEXT: te.yield has no form
// FORM-NOT:  no form

// FP8 copies saturate before the conversion, which does not, and are padded with
// zeros.
// CHECK-LABEL: func.func @quantize(
// CHECK:       linalg.generic
// CHECK:         %[[SCALED:.*]] = arith.mulf
// CHECK-NEXT:    %[[LEAST:.*]] = arith.constant -4.480000e+02 : f32
// CHECK-NEXT:    %[[LOW:.*]] = arith.maximumf %[[SCALED]], %[[LEAST]]
// CHECK-NEXT:    %[[MOST:.*]] = arith.constant 4.480000e+02 : f32
// CHECK-NEXT:    %[[HIGH:.*]] = arith.minimumf %[[LOW]], %[[MOST]]
// CHECK:         arith.truncf %[[HIGH]] : f32 to f8E4M3FN
// CHECK:       tensor.insert_slice {{.*}} : tensor<4x20xf8E4M3FN> into tensor<16x32xf8E4M3FN>
func.func @quantize(%x: tensor<4x20xf32>, %s: tensor<f32> {test.range = [200.0, 700.0]})
    -> (tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<f32>, tensor<20xf32>) {
  %q, %qt, %amax, %db = te.quantize %x, %s : tensor<4x20xf32>
    -> rowwise tensor<16x32xf8E4M3FN> columnwise tensor<32x16xf8E4M3FN> amax tensor<f32> dbias tensor<20xf32>
  return %q, %qt, %amax, %db : tensor<16x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<f32>, tensor<20xf32>
}

// What nobody reads is not computed.
// CHECK-LABEL: func.func @quantize_e5m2(
// CHECK:       linalg.generic
// CHECK-NOT:   linalg.generic
// CHECK:         arith.constant 5.734400e+04 : f32
// CHECK-NOT:   linalg.generic
// CHECK:       return
func.func @quantize_e5m2(%x: tensor<16x16xbf16>, %s: tensor<f32> {test.range = [30000.0, 90000.0]}) -> tensor<16x16xf8E5M2> {
  %q, %amax = te.quantize %x, %s : tensor<16x16xbf16> -> rowwise tensor<16x16xf8E5M2> amax tensor<f32>
  return %q : tensor<16x16xf8E5M2>
}

func.func @scaled_matmul(%x: tensor<16x32xf32>, %w: tensor<48x32xf32>, %b: tensor<48xf32>, %r: tensor<16x48xf32>,
                         %s: tensor<f32> {test.range = [3.0, 400.0]}, %i: tensor<f32> {test.range = [0.1, 0.2]}) -> tensor<16x48xf32> {
  %q = te.quantize %x, %s : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN>
  %p = te.quantize %w, %s : tensor<48x32xf32> -> rowwise tensor<48x32xf8E5M2>
  %d = te.scaled_matmul %q, %p scales(%i, %i) bias(%b : tensor<48xf32>) addend(%r : tensor<16x48xf32>)
    : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E5M2> -> tensor<16x48xf32>
  return %d : tensor<16x48xf32>
}

func.func @dequantize(%x: tensor<16x16xf32>, %s: tensor<f32> {test.range = [3.0, 400.0]}) -> (tensor<16x16xf32>, tensor<f32>) {
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %y = te.dequantize %q, %s : tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  %a = te.amax %y : tensor<16x16xf32>
  return %y, %a : tensor<16x16xf32>, tensor<f32>
}

// Scales of rows and blocks; a padded row has an amax of 0 and a scale of 1.
func.func @row_scales(%x: tensor<20x48xf32>, %w: tensor<16x48xbf16>, %s: tensor<32x1xf32> {test.range = [3.0, 400.0]},
                      %t: tensor<f32> {test.range = [3.0, 400.0]}) -> (tensor<32x16xf32>, tensor<32x1xf32>) {
  %a = te.amax %x : tensor<20x48xf32> -> tensor<32x1xf32>
  %as, %asi = te.compute_scale %a of tensor<32x1xf32> {format = f8E4M3FN}
  %q = te.quantize %x, %s of tensor<32x1xf32> : tensor<20x48xf32> -> rowwise tensor<32x48xf8E4M3FN>
  %p = te.quantize %w, %t : tensor<16x48xbf16> -> rowwise tensor<16x48xf8E5M2>
  %d = te.scaled_matmul %q, %p scales(%asi of tensor<32x1xf32>, %t) : tensor<32x48xf8E4M3FN>, tensor<16x48xf8E5M2> -> tensor<32x16xf32>
  return %d, %as : tensor<32x16xf32>, tensor<32x1xf32>
}

func.func @block_scales(%x: tensor<20x48xf32>, %w: tensor<24x20xf32>, %s: tensor<3x2xf32> {test.range = [3.0, 400.0]},
                        %t: tensor<24x1xf32> {test.range = [3.0, 400.0]})
    -> (tensor<48x24xf32>, tensor<48x32xf32>, tensor<3x2xf32>) {
  %a = te.amax %x {transposed} : tensor<20x48xf32> -> tensor<3x2xf32>
  %qt = te.quantize %x, %s of tensor<3x2xf32> : tensor<20x48xf32> -> columnwise tensor<48x32xf8E4M3FN>
  %p = te.quantize %w, %t of tensor<24x1xf32> : tensor<24x20xf32> -> rowwise tensor<24x32xf8E4M3FN>
  %d = te.scaled_matmul %qt, %p scales(%a of tensor<3x2xf32>, %t of tensor<24x1xf32>) : tensor<48x32xf8E4M3FN>, tensor<24x32xf8E4M3FN> -> tensor<48x24xf32>
  %y = te.dequantize %qt, %a of tensor<3x2xf32> : tensor<48x32xf8E4M3FN> -> tensor<48x32xf32>
  return %d, %y, %a : tensor<48x24xf32>, tensor<48x32xf32>, tensor<3x2xf32>
}

func.func @compute_scale(%a: tensor<f32> {test.range = [0.1, 3.0]}, %zero: tensor<f32> {test.range = [0.0, 0.0]},
                         %tiny: tensor<f32> {test.range = [1.0e-38, 1.1e-38]}) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %s, %si = te.compute_scale %a {format = f8E4M3FN, margin = 1 : i32}
  %t, %ti = te.compute_scale %zero {format = f8E5M2}
  %u, %ui = te.compute_scale %tiny {format = f8E5M2}
  return %s, %si, %t, %u : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

func.func @scales_of_powers_of_two(%a: tensor<8x4xf32> {test.range = [0.1, 3.0]}, %tiny: tensor<f32> {test.range = [1.0e-38, 1.1e-38]})
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<8x4xf32>) {
  %s, %si = te.compute_scale %a of tensor<8x4xf32> {format = f8E4M3FN, power_of_two}
  %t, %ti = te.compute_scale %tiny {epsilon = 0.5 : f32, format = f8E4M3FN}
  %u, %ui = te.compute_scale %a of tensor<8x4xf32> {epsilon = 1.5 : f32, format = f8E5M2, power_of_two}
  return %s, %si, %t, %u : tensor<8x4xf32>, tensor<8x4xf32>, tensor<f32>, tensor<8x4xf32>
}

// The least scale, of zeros and small numbers, the largest, and those between.
func.func @scales_in_e8m0(%a: tensor<8x4xf32> {test.range = [0.1, 3000.0]}, %zero: tensor<f32> {test.range = [0.0, 0.0]},
                          %tiny: tensor<f32> {test.range = [3.0e-36, 4.0e-36]}, %large: tensor<f32> {test.range = [3.0e38, 3.1e38]},
                          %x: tensor<16x64xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf8E8M0FNU>, tensor<f32>, tensor<f8E8M0FNU>, tensor<f32>, tensor<f8E8M0FNU>, tensor<f8E8M0FNU>, tensor<16x64xf32>) {
  %s, %si = te.compute_scale %a of tensor<8x4xf32> {format = f8E4M3FN} -> tensor<8x4xf8E8M0FNU>
  %t, %ti = te.compute_scale %zero {format = f8E5M2} -> tensor<f8E8M0FNU>
  %u, %ui = te.compute_scale %tiny {format = f8E4M3FN} -> tensor<f8E8M0FNU>
  %v, %vi = te.compute_scale %large {format = f8E4M3FN} -> tensor<f8E8M0FNU>
  %xa = te.amax %x : tensor<16x64xf32> -> tensor<16x2xf32>
  %xs, %xi = te.compute_scale %xa of tensor<16x2xf32> {format = f8E4M3FN} -> tensor<16x2xf8E8M0FNU>
  %q = te.quantize %x, %xs of tensor<16x2xf32> : tensor<16x64xf32> -> rowwise tensor<16x64xf8E4M3FN>
  %y = te.dequantize %q, %xi of tensor<16x2xf8E8M0FNU> : tensor<16x64xf8E4M3FN> -> tensor<16x64xf32>
  return %s, %si, %t, %ti, %u, %ui, %vi, %y : tensor<8x4xf32>, tensor<8x4xf8E8M0FNU>, tensor<f32>, tensor<f8E8M0FNU>, tensor<f32>, tensor<f8E8M0FNU>, tensor<f8E8M0FNU>, tensor<16x64xf32>
}

func.func @update_scales(%s: tensor<3xf32>, %i: tensor<3xf32>, %h: tensor<4x3xf32> {test.range = [0.0, 0.5]}, %n: tensor<3xi64>,
                         %a: tensor<f32> {test.range = [0.2, 0.3]}, %zero: tensor<f32> {test.range = [0.0, 0.0]},
                         %large: tensor<f32> {test.range = [3.0, 4.0]})
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi64>) {
  %s1, %i1, %h1, %n1 = te.update_scales %s, %i, %h, %n amaxes(%a, %zero, %large)
    {recipe = #te.delayed_scaling<history = 4, margin = 1>, formats = [f8E4M3FN, f8E5M2, f8E5M2]}
    : tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi64>
  return %s1, %i1, %n1 : tensor<3xf32>, tensor<3xf32>, tensor<3xi64>
}

func.func @update_recent(%s: tensor<2xf32>, %i: tensor<2xf32>, %h: tensor<3x2xf32> {test.range = [0.0, 0.5]}, %n: tensor<2xi64>,
                         %a: tensor<f32> {test.range = [0.2, 0.3]}, %b: tensor<f32> {test.range = [0.4, 0.5]})
    -> (tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>) {
  %s1, %i1, %h1, %n1 = te.update_scales %s, %i, %h, %n amaxes(%a, %b)
    {recipe = #te.delayed_scaling<history = 3, algo = most_recent>, formats = [f8E4M3FN, f8E5M2]}
    : tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xi64>
  return %s1, %i1, %h1 : tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>
}

// What was recorded counts: row 0 begins with amaxes that are sometimes larger.
func.func @record_amaxes(%s: tensor<2xf32>, %i: tensor<2xf32>, %h: tensor<3x2xf32> {test.range = [0.0, 0.5]}, %n: tensor<2xi64>,
                         %small: tensor<f32> {test.range = [0.0, 0.1]}, %large: tensor<f32> {test.range = [0.6, 0.7]},
                         %zero: tensor<f32> {test.range = [0.0, 0.0]})
    -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>) {
  %h1 = te.record_amaxes %h amaxes(%small, %large) : tensor<3x2xf32>
  %s1, %i1, %h2, %n1 = te.update_scales %s, %i, %h1, %n amaxes(%zero, %small)
    {recipe = #te.delayed_scaling<history = 3>, formats = [f8E4M3FN, f8E5M2]}
    : tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xi64>
  return %h1, %s1, %h2 : tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>
}

func.func @matmul(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %d = te.matmul %a, %b : tensor<3x5xf32>, tensor<5x4xf32> -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}

func.func @matmul_all(%a: tensor<5x3xf32>, %b: tensor<4x5xf32>, %c: tensor<4xf32>, %e: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %d = te.matmul %a, %b bias(%c : tensor<4xf32>) addend(%e : tensor<3x4xf32>) {transpose_a, transpose_b}
    : tensor<5x3xf32>, tensor<4x5xf32> -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}

func.func @add(%a: tensor<6x4xf32>, %b: tensor<3x4xf32>, %c: tensor<1x4xf32>) -> tensor<6x4xf32> {
  %0 = te.add %a, %b : tensor<6x4xf32>, tensor<3x4xf32> -> tensor<6x4xf32>
  %1 = te.add %0, %c : tensor<6x4xf32>, tensor<1x4xf32> -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

func.func @column_sum(%x: tensor<6x4xf32>) -> tensor<4xf32> {
  %y = te.column_sum %x : tensor<6x4xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @split(%x: tensor<2x6xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>) {
  %a, %b, %c = te.split %x axis 1 : tensor<2x6xf32> -> tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>
  return %a, %c : tensor<2x1xf32>, tensor<2x3xf32>
}

func.func @embedding(%ids: tensor<5xi32>, %t: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %y = te.embedding %ids, %t : tensor<5xi32>, tensor<3x4xf32> -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

func.func @embedding_grad(%ids: tensor<5xi64>, %dy: tensor<5x4xf32>) -> tensor<7x4xf32> {
  %y = te.embedding_grad %ids, %dy : tensor<5xi64>, tensor<5x4xf32> -> tensor<7x4xf32>
  return %y : tensor<7x4xf32>
}

// Norms and their gradients, with everything that they can write.
func.func @layer_norm(%x: tensor<16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>)
    -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %y, %m, %r = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32, zero_centered}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<16x16xf32> stats tensor<16xf32>, tensor<16xf32>
  return %y, %m, %r : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>
}

func.func @layer_norm_quantized(%x: tensor<16x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %s: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>) {
  %m, %r, %q, %qt, %a = te.layer_norm %x, %g, %b quantize(%s) {eps = 1.0e-3 : f32}
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32> -> stats tensor<16xf32>, tensor<16xf32>
      rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  return %q, %qt, %a : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>
}

func.func @layer_norm_grad(%dy: tensor<16x16xf32>, %x: tensor<16x16xf32>, %g: tensor<16xf32>, %m: tensor<16xf32>, %r: tensor<16xf32>,
                           %res: tensor<16x16xf32>, %s: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf8E5M2>, tensor<f32>, tensor<16xf32>) {
  %dx, %dg, %db, %q, %a, %bias = te.layer_norm_grad %dy, %x, %g, %m, %r residual(%res : tensor<16x16xf32>) quantize(%s)
    : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
    -> dx tensor<16x16xf32> dgamma tensor<16xf32> dbeta tensor<16xf32> rowwise tensor<16x16xf8E5M2> amax tensor<f32> dbias tensor<16xf32>
  return %dx, %dg, %db, %q, %a, %bias
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf8E5M2>, tensor<f32>, tensor<16xf32>
}

func.func @rms_norm(%x: tensor<4x6xf32>, %g: tensor<6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %y, %r = te.rms_norm %x, %g {eps = 1.0e-5 : f32, zero_centered} : tensor<4x6xf32>, tensor<6xf32> -> y tensor<4x6xf32> stats tensor<4xf32>
  return %y, %r : tensor<4x6xf32>, tensor<4xf32>
}

func.func @rms_norm_grad(%dy: tensor<4x6xf32>, %x: tensor<4x6xf32>, %g: tensor<6xf32>, %r: tensor<4xf32>, %res: tensor<4x6xf32>)
    -> (tensor<4x6xf32>, tensor<6xf32>) {
  %dx, %dg = te.rms_norm_grad %dy, %x, %g, %r residual(%res : tensor<4x6xf32>)
    : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<4xf32> -> dx tensor<4x6xf32> dgamma tensor<6xf32>
  return %dx, %dg : tensor<4x6xf32>, tensor<6xf32>
}

// Every activation, and its derivative.
func.func @gelu_erf(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation gelu_erf %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad gelu_erf %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @gelu_tanh(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation gelu_tanh %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad gelu_tanh %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @quick_gelu(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation quick_gelu %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad quick_gelu %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @relu(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation relu %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad relu %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @squared_relu(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation squared_relu %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad squared_relu %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @silu(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation silu %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad silu %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @sigmoid(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation sigmoid %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad sigmoid %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}
func.func @tanh(%x: tensor<4x6xf32> {test.range = [-3.0, 3.0]}, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>) {
  %y = te.activation tanh %x : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %db = te.activation_grad tanh %dy, %x : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dbias tensor<6xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>
}

func.func @gated(%x: tensor<4x12xf32>, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x12xf32>, tensor<12xf32>) {
  %y = te.gated_activation silu %x {up_first} : tensor<4x12xf32> -> y tensor<4x6xf32>
  %dx, %db = te.gated_activation_grad silu %dy, %x {up_first} : tensor<4x6xf32>, tensor<4x12xf32> -> dx tensor<4x12xf32> dbias tensor<12xf32>
  return %y, %dx, %db : tensor<4x6xf32>, tensor<4x12xf32>, tensor<12xf32>
}

func.func @gated_apart(%x: tensor<4x6xf32>, %up: tensor<4x6xf32>, %dy: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %y = te.gated_activation gelu_tanh %x up(%up : tensor<4x6xf32>) : tensor<4x6xf32> -> y tensor<4x6xf32>
  %dx, %dup = te.gated_activation_grad gelu_tanh %dy, %x up(%up : tensor<4x6xf32>) : tensor<4x6xf32>, tensor<4x6xf32> -> dx tensor<4x6xf32> dup tensor<4x6xf32>
  return %y, %dx, %dup : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// Attention in every layout, with groups, and with all that acts on scores.
func.func @attention_bshd(%q: tensor<2x3x4x4xf32>, %k: tensor<2x3x2x4xf32>, %v: tensor<2x3x2x4xf32>, %do: tensor<2x3x4x4xf32>)
    -> (tensor<2x3x4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>) {
  %o, %lse = te.attention %q, %k, %v {causal, layout = #te.attention_layout<bshd>, scale = 0.7 : f32}
    : tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32> -> tensor<2x3x4x4xf32>, tensor<2x4x3xf32>
  %dq, %dk, %dv = te.attention_grad %do, %q, %k, %v, %o, %lse {causal, layout = #te.attention_layout<bshd>, scale = 0.7 : f32}
    : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x4x4xf32>, tensor<2x4x3xf32> -> tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x3x4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>
}
func.func @attention_bhsd(%q: tensor<2x4x3x4xf32>, %k: tensor<2x4x5x4xf32>, %v: tensor<2x4x5x4xf32>, %do: tensor<2x4x3x4xf32>)
    -> (tensor<2x4x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3x4xf32>, tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>) {
  %o, %lse = te.attention %q, %k, %v {causal, layout = #te.attention_layout<bhsd>, scale = 0.7 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32> -> tensor<2x4x3x4xf32>, tensor<2x4x3xf32>
  %dq, %dk, %dv = te.attention_grad %do, %q, %k, %v, %o, %lse {causal, layout = #te.attention_layout<bhsd>, scale = 0.7 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>, tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>, tensor<2x4x3x4xf32>, tensor<2x4x3xf32> -> tensor<2x4x3x4xf32>, tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x4x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3x4xf32>, tensor<2x4x5x4xf32>, tensor<2x4x5x4xf32>
}
func.func @attention_sbhd(%q: tensor<5x2x2x4xf32>, %k: tensor<5x2x1x4xf32>, %v: tensor<5x2x1x4xf32>, %do: tensor<5x2x2x4xf32>)
    -> (tensor<5x2x2x4xf32>, tensor<2x2x5xf32>, tensor<5x2x2x4xf32>, tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>) {
  %o, %lse = te.attention %q, %k, %v {causal, window = 2 : i64, layout = #te.attention_layout<sbhd>, scale = 0.7 : f32}
    : tensor<5x2x2x4xf32>, tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32> -> tensor<5x2x2x4xf32>, tensor<2x2x5xf32>
  %dq, %dk, %dv = te.attention_grad %do, %q, %k, %v, %o, %lse {causal, window = 2 : i64, layout = #te.attention_layout<sbhd>, scale = 0.7 : f32}
    : tensor<5x2x2x4xf32>, tensor<5x2x2x4xf32>, tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>, tensor<5x2x2x4xf32>, tensor<2x2x5xf32> -> tensor<5x2x2x4xf32>, tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<5x2x2x4xf32>, tensor<2x2x5xf32>, tensor<5x2x2x4xf32>, tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>
}
func.func @attention_softcap(%q: tensor<2x3x2x4xf32>, %k: tensor<2x3x2x4xf32>, %v: tensor<2x3x2x4xf32>, %do: tensor<2x3x2x4xf32>)
    -> (tensor<2x3x2x4xf32>, tensor<2x2x3xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>) {
  %o, %lse = te.attention %q, %k, %v {softcap = 0.5 : f32, layout = #te.attention_layout<bshd>, scale = 0.7 : f32}
    : tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32> -> tensor<2x3x2x4xf32>, tensor<2x2x3xf32>
  %dq, %dk, %dv = te.attention_grad %do, %q, %k, %v, %o, %lse {softcap = 0.5 : f32, layout = #te.attention_layout<bshd>, scale = 0.7 : f32}
    : tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x2x3xf32> -> tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x3x2x4xf32>, tensor<2x2x3xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>
}
func.func @attention_bias(%q: tensor<2x4x3x4xf32>, %k: tensor<2x2x4x4xf32>, %v: tensor<2x2x4x4xf32>, %do: tensor<2x4x3x4xf32>, %b: tensor<1x4x1x4xf32>)
    -> (tensor<2x4x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<1x4x1x4xf32>) {
  %o, %lse = te.attention %q, %k, %v bias(%b : tensor<1x4x1x4xf32>) {layout = #te.attention_layout<bhsd>, scale = 0.7 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32> -> tensor<2x4x3x4xf32>, tensor<2x4x3xf32>
  %dq, %dk, %dv, %dbias = te.attention_grad %do, %q, %k, %v, %o, %lse bias(%b : tensor<1x4x1x4xf32>) {layout = #te.attention_layout<bhsd>, scale = 0.7 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x4x3x4xf32>, tensor<2x4x3xf32> -> tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32> dbias tensor<1x4x1x4xf32>
  return %o, %lse, %dq, %dk, %dv, %dbias : tensor<2x4x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<1x4x1x4xf32>
}
func.func @attention_bias_heads(%q: tensor<2x4x3x4xf32>, %k: tensor<2x2x4x4xf32>, %v: tensor<2x2x4x4xf32>, %do: tensor<2x4x3x4xf32>, %b: tensor<2x1x3x4xf32>)
    -> (tensor<2x4x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x1x3x4xf32>) {
  %o, %lse = te.attention %q, %k, %v bias(%b : tensor<2x1x3x4xf32>) {causal, layout = #te.attention_layout<bhsd>, scale = 0.7 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32> -> tensor<2x4x3x4xf32>, tensor<2x4x3xf32>
  %dq, %dk, %dv, %dbias = te.attention_grad %do, %q, %k, %v, %o, %lse bias(%b : tensor<2x1x3x4xf32>) {causal, layout = #te.attention_layout<bhsd>, scale = 0.7 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x4x3x4xf32>, tensor<2x4x3xf32> -> tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32> dbias tensor<2x1x3x4xf32>
  return %o, %lse, %dq, %dk, %dv, %dbias : tensor<2x4x3x4xf32>, tensor<2x4x3xf32>, tensor<2x4x3x4xf32>, tensor<2x2x4x4xf32>, tensor<2x2x4x4xf32>, tensor<2x1x3x4xf32>
}
func.func @attention_lengths(%q: tensor<2x3x2x4xf32>, %k: tensor<2x4x2x4xf32>, %v: tensor<2x4x2x4xf32>, %do: tensor<2x3x2x4xf32>, %n: tensor<2xi64>)
    -> (tensor<2x3x2x4xf32>, tensor<2x2x3xf32>, tensor<2x3x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>) {
  %o, %lse = te.attention %q, %k, %v lengths(%n : tensor<2xi64>) {layout = #te.attention_layout<bshd>, scale = 0.7 : f32}
    : tensor<2x3x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32> -> tensor<2x3x2x4xf32>, tensor<2x2x3xf32>
  %dq, %dk, %dv = te.attention_grad %do, %q, %k, %v, %o, %lse lengths(%n : tensor<2xi64>) {layout = #te.attention_layout<bshd>, scale = 0.7 : f32}
    : tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x2x3xf32> -> tensor<2x3x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>
  return %o, %lse, %dq, %dk, %dv : tensor<2x3x2x4xf32>, tensor<2x2x3xf32>, tensor<2x3x2x4xf32>, tensor<2x4x2x4xf32>, tensor<2x4x2x4xf32>
}
func.func @attention_sinks(%q: tensor<2x3x4x4xf32>, %k: tensor<2x3x2x4xf32>, %v: tensor<2x3x2x4xf32>, %do: tensor<2x3x4x4xf32>, %s: tensor<4xf32>)
    -> (tensor<2x3x4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<4xf32>) {
  %o, %lse = te.attention %q, %k, %v sinks(%s : tensor<4xf32>) {causal, layout = #te.attention_layout<bshd>, scale = 1.3 : f32}
    : tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32> -> tensor<2x3x4x4xf32>, tensor<2x4x3xf32>
  %dq, %dk, %dv, %dsinks = te.attention_grad %do, %q, %k, %v, %o, %lse sinks(%s : tensor<4xf32>) {causal, layout = #te.attention_layout<bshd>, scale = 1.3 : f32}
    : tensor<2x3x4x4xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x4x4xf32>, tensor<2x4x3xf32> -> tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32> dsinks tensor<4xf32>
  return %o, %lse, %dq, %dk, %dv, %dsinks : tensor<2x3x4x4xf32>, tensor<2x4x3xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x4xf32>, tensor<2x3x2x4xf32>, tensor<4xf32>
}

func.func @rope(%x: tensor<2x3x2x8xf32>, %c: tensor<3x2xf32>, %s: tensor<3x2xf32>) -> tensor<2x3x2x8xf32> {
  %y = te.rope %x, %c, %s : tensor<2x3x2x8xf32>, tensor<3x2xf32>, tensor<3x2xf32> -> tensor<2x3x2x8xf32>
  return %y : tensor<2x3x2x8xf32>
}

func.func @rope_interleaved(%x: tensor<2x2x3x4xf32>, %c: tensor<6x2xf32>, %s: tensor<6x2xf32>) -> tensor<2x2x3x4xf32> {
  %y = te.rope %x, %c, %s {interleaved, inverse, layout = #te.attention_layout<bhsd>}
    : tensor<2x2x3x4xf32>, tensor<6x2xf32>, tensor<6x2xf32> -> tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// Losses: one label of three is ignored.
func.func @shift_labels(%ids: tensor<2x3xi64>) -> tensor<2x3xi64> {
  %l = te.shift_labels %ids {ignore_index = -7 : i64} : tensor<2x3xi64>
  return %l : tensor<2x3xi64>
}

func.func @cross_entropy(%x: tensor<6x4xf32>, %l: tensor<6xi64>, %d: tensor<f32>)
    -> (tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6x4xf32>, tensor<f32>) {
  %loss, %lse, %count = te.cross_entropy %x, %l {ignore_index = 1 : i64} : tensor<6x4xf32>, tensor<6xi64> -> tensor<6xf32>
  %dx = te.cross_entropy_grad %d, %x, %l, %lse, %count {ignore_index = 1 : i64}
    : tensor<6x4xf32>, tensor<6xi64>, tensor<6xf32> -> tensor<6x4xf32>
  %n = te.count_labels %l {classes = 4 : i64, ignore_index = 1 : i64} : tensor<6xi64>
  return %loss, %lse, %count, %dx, %n : tensor<f32>, tensor<6xf32>, tensor<f32>, tensor<6x4xf32>, tensor<f32>
}

func.func @cross_entropy_sum(%x: tensor<6x4xf32>, %l: tensor<6xi32>, %d: tensor<f32>, %c: tensor<f32>, %before: tensor<f32>)
    -> (tensor<f32>, tensor<f32>, tensor<6x4xf32>) {
  %loss, %lse, %count = te.cross_entropy %x, %l {reduction = #te.reduction<sum>} : tensor<6x4xf32>, tensor<6xi32> -> tensor<6xf32>
  %dx, %next = te.cross_entropy_with_grad %d, %l, %c, %x, %before {ignore_index = 2 : i64, reduction = #te.reduction<sum>}
    : tensor<6xi32>, tensor<6x4xf32>
  return %loss, %next, %dx : tensor<f32>, tensor<f32>, tensor<6x4xf32>
}

func.func @cross_entropy_with_grad(%x: tensor<6x4xf32>, %l: tensor<6xi64>, %d: tensor<f32>, %c: tensor<f32> {test.range = [3.0, 5.0]}, %before: tensor<f32>)
    -> (tensor<f32>, tensor<6x4xf32>) {
  %dx, %next = te.cross_entropy_with_grad %d, %l, %c, %x, %before {ignore_index = 0 : i64} : tensor<6xi64>, tensor<6x4xf32>
  return %next, %dx : tensor<f32>, tensor<6x4xf32>
}

func.func @cross_entropy_smoothed(%x: tensor<6x4xf32>, %l: tensor<6xi64>, %d: tensor<f32>)
    -> (tensor<f32>, tensor<6xf32>, tensor<6x4xf32>) {
  %loss, %lse, %count = te.cross_entropy %x, %l {ignore_index = 1 : i64, label_smoothing = 0.3 : f32, z_loss = 0.2 : f32}
    : tensor<6x4xf32>, tensor<6xi64> -> tensor<6xf32>
  %dx = te.cross_entropy_grad %d, %x, %l, %lse, %count {ignore_index = 1 : i64, label_smoothing = 0.3 : f32, z_loss = 0.2 : f32}
    : tensor<6x4xf32>, tensor<6xi64>, tensor<6xf32> -> tensor<6x4xf32>
  return %loss, %lse, %dx : tensor<f32>, tensor<6xf32>, tensor<6x4xf32>
}

func.func @cross_entropy_smoothed_with_grad(%x: tensor<6x4xf32>, %l: tensor<6xi64>, %d: tensor<f32>, %c: tensor<f32> {test.range = [3.0, 5.0]}, %before: tensor<f32>)
    -> (tensor<f32>, tensor<6x4xf32>) {
  %dx, %next = te.cross_entropy_with_grad %d, %l, %c, %x, %before {label_smoothing = 0.3 : f32, z_loss = 0.2 : f32}
    : tensor<6xi64>, tensor<6x4xf32>
  return %next, %dx : tensor<f32>, tensor<6x4xf32>
}

func.func @squared_error(%x: tensor<3x4xf32>, %t: tensor<3x4xf32>, %d: tensor<f32>) -> (tensor<f32>, tensor<3x4xf32>) {
  %loss = te.squared_error %x, %t : tensor<3x4xf32>, tensor<3x4xf32>
  %dx = te.squared_error_grad %d, %x, %t : tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x4xf32>
  return %loss, %dx : tensor<f32>, tensor<3x4xf32>
}

func.func @squared_error_sum(%x: tensor<3x4xbf16>, %t: tensor<3x4xf32>, %d: tensor<f32>) -> (tensor<f32>, tensor<3x4xf32>) {
  %loss = te.squared_error %x, %t {reduction = #te.reduction<sum>} : tensor<3x4xbf16>, tensor<3x4xf32>
  %dx = te.squared_error_grad %d, %x, %t {reduction = #te.reduction<sum>} : tensor<3x4xbf16>, tensor<3x4xf32> -> tensor<3x4xf32>
  return %loss, %dx : tensor<f32>, tensor<3x4xf32>
}

// Optimizers.
func.func @clip(%a: tensor<3x2xf32>, %b: tensor<4xf32>, %most: tensor<f32> {test.range = [0.5, 0.6]}, %none: tensor<f32> {test.range = [-1.0, -0.5]}, %amax: tensor<f32>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %n = te.global_norm %a, %b : tensor<3x2xf32>, tensor<4xf32>
  %c = te.clip_coefficient %n, %most amaxes(%amax)
  %d = te.clip_coefficient %n, %none
  return %n, %c, %d : tensor<f32>, tensor<f32>, tensor<f32>
}

func.func @advance_step(%c: tensor<f32>, %s: tensor<i64>) -> tensor<i64> {
  %0 = te.advance_step %s if_finite %c
  return %0 : tensor<i64>
}

func.func @adamw(%p: tensor<16x16xf32>, %m: tensor<16x16xf32>, %v: tensor<16x16xf32> {test.range = [0.1, 1.0]}, %g: tensor<16x16xf32>,
                 %c: tensor<f32>, %lr: tensor<f32>, %b1: tensor<f32> {test.range = [0.8, 0.9]}, %b2: tensor<f32> {test.range = [0.9, 0.99]},
                 %e: tensor<f32> {test.range = [0.01, 0.02]}, %wd: tensor<f32>, %s: tensor<i64> {test.range = [3.0, 4.0]}, %q: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<f32>) {
  %p1, %m1, %v1, %r, %a = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%c) scalars(%lr, %b1, %b2, %e, %wd) step(%s) quantize(%q) {decay}
    : tensor<16x16xf32>, tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  return %p1, %m1, %v1, %r, %a : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<f32>
}

func.func @sgd(%p: tensor<5xf32>, %b: tensor<5xf32>, %g: tensor<5xf32>, %c: tensor<f32>, %lr: tensor<f32>, %mu: tensor<f32>, %da: tensor<f32>,
               %wd: tensor<f32>, %s: tensor<i64> {test.range = [2.0, 3.0]}, %first: tensor<i64> {test.range = [1.0, 2.0]})
    -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %p1, %b1 = te.update #te.sgd %p states(%b) gradient(%g) coefficient(%c) scalars(%lr, %wd, %mu, %da) step(%s) {decay} : tensor<5xf32>, tensor<5xf32>
  %p2, %b2 = te.update #te.sgd<nesterov = true> %p states(%b) gradient(%g) coefficient(%c) scalars(%lr, %wd, %mu) step(%first) : tensor<5xf32>, tensor<5xf32>
  return %p1, %b1, %p2, %b2 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}

// What is left of the ops' attributes, operands and results; the last of the checks
// above names what nobody has.
func.func @norms_quantized(%dy: tensor<16x16xf32>, %x: tensor<16x16xf32>, %g: tensor<16xf32>, %m: tensor<16xf32>, %r: tensor<16xf32>, %s: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<16x16xf32>, tensor<16xf32>, tensor<16x16xf8E5M2>, tensor<16xf32>, tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>,
        tensor<16xf32>, tensor<16x16xf8E5M2>, tensor<16x16xf8E5M2>, tensor<f32>) {
  %dx, %dg, %db, %qt = te.layer_norm_grad %dy, %x, %g, %m, %r quantize(%s) {zero_centered}
    : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
    -> dx tensor<16x16xf32> dgamma tensor<16xf32> dbeta tensor<16xf32> columnwise tensor<16x16xf8E5M2>
  %rstd, %q1, %q1t, %a1 = te.rms_norm %x, %g quantize(%s) {eps = 1.0e-3 : f32}
    : tensor<16x16xf32>, tensor<16xf32> -> stats tensor<16xf32> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  %dg2, %q2, %q2t, %a2 = te.rms_norm_grad %dy, %x, %g, %r quantize(%s) {zero_centered}
    : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>
    -> dgamma tensor<16xf32> rowwise tensor<16x16xf8E5M2> columnwise tensor<16x16xf8E5M2> amax tensor<f32>
  return %dx, %dg, %qt, %rstd, %q1, %q1t, %a1, %dg2, %q2, %q2t, %a2
    : tensor<16x16xf32>, tensor<16xf32>, tensor<16x16xf8E5M2>, tensor<16xf32>, tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>,
      tensor<16xf32>, tensor<16x16xf8E5M2>, tensor<16x16xf8E5M2>, tensor<f32>
}

func.func @activations_quantized(%dy: tensor<16x16xf32>, %x: tensor<16x16xf32>, %z: tensor<16x32xf32>, %s: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>, tensor<16x16xf8E5M2>, tensor<16x16xf8E5M2>, tensor<f32>,
        tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>, tensor<16x32xf8E5M2>, tensor<32x16xf8E5M2>, tensor<f32>) {
  %q0, %q0t, %a0 = te.activation silu %x quantize(%s) : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  %q1, %q1t, %a1 = te.activation_grad silu %dy, %x quantize(%s) : tensor<16x16xf32>, tensor<16x16xf32>
    -> rowwise tensor<16x16xf8E5M2> columnwise tensor<16x16xf8E5M2> amax tensor<f32>
  %q2, %q2t, %a2 = te.gated_activation silu %z quantize(%s) : tensor<16x32xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  %q3, %q3t, %a3 = te.gated_activation_grad silu %dy, %z quantize(%s) : tensor<16x16xf32>, tensor<16x32xf32>
    -> rowwise tensor<16x32xf8E5M2> columnwise tensor<32x16xf8E5M2> amax tensor<f32>
  return %q0, %q0t, %a0, %q1, %q1t, %a1, %q2, %q2t, %a2, %q3, %q3t, %a3
    : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>, tensor<16x16xf8E5M2>, tensor<16x16xf8E5M2>, tensor<f32>,
      tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>, tensor<16x32xf8E5M2>, tensor<32x16xf8E5M2>, tensor<f32>
}

func.func @split_rows(%x: tensor<6x2xf32>) -> (tensor<1x2xf32>, tensor<2x2xf32>) {
  %a, %b, %c = te.split %x axis 0 : tensor<6x2xf32> -> tensor<1x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>
  return %a, %b : tensor<1x2xf32>, tensor<2x2xf32>
}

func.func @labels(%ids: tensor<2x3xi32>, %x: tensor<6x4xf32>, %l: tensor<6xi64>, %d: tensor<f32>, %lse: tensor<6xf32>, %c: tensor<f32>)
    -> (tensor<2x3xi32>, tensor<f32>, tensor<6x4xf32>) {
  %0 = te.shift_labels %ids : tensor<2x3xi32>
  %n = te.count_labels %l {classes = 4 : i64} : tensor<6xi64>
  %dx = te.cross_entropy_grad %d, %x, %l, %lse, %c {reduction = #te.reduction<sum>}
    : tensor<6x4xf32>, tensor<6xi64>, tensor<6xf32> -> tensor<6x4xf32>
  return %0, %n, %dx : tensor<2x3xi32>, tensor<f32>, tensor<6x4xf32>
}

func.func @one_slot(%s: tensor<1xf32>, %i: tensor<1xf32>, %h: tensor<1x1xf32> {test.range = [0.0, 0.5]}, %n: tensor<1xi64>, %a: tensor<f32> {test.range = [0.2, 0.3]})
    -> (tensor<1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %h1 = te.record_amaxes %h amaxes(%a) : tensor<1x1xf32>
  %s1, %i1, %h2, %n1 = te.update_scales %s, %i, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 1, algo = most_recent>, formats = [f8E5M2]}
    : tensor<1xf32>, tensor<1xf32>, tensor<1x1xf32>, tensor<1xi64>
  return %s1, %h1, %h2 : tensor<1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

func.func @optimizers_quantized(%p: tensor<16x16xf32>, %m: tensor<16x16xf32>, %v: tensor<16x16xf32> {test.range = [0.1, 1.0]}, %g: tensor<16x16xbf16>,
                 %c: tensor<f32>, %lr: tensor<f32>, %b1: tensor<f32> {test.range = [0.8, 0.9]}, %b2: tensor<f32> {test.range = [0.9, 0.99]},
                 %e: tensor<f32> {test.range = [0.01, 0.02]}, %wd: tensor<f32>, %s: tensor<i64> {test.range = [3.0, 4.0]}, %q: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<f32>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>) {
  %n = te.global_norm %g : tensor<16x16xbf16>
  %p1, %m1, %v1, %r1, %t1 = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%c) scalars(%lr, %b1, %b2, %e, %wd) step(%s) quantize(%q)
    : tensor<16x16xf32>, tensor<16x16xbf16> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %p2, %r2, %t2, %a2 = te.update #te.sgd<momentum = 0.0> %p gradient(%g) coefficient(%c) scalars(%lr, %wd) step(%s) quantize(%q)
    : tensor<16x16xf32>, tensor<16x16xbf16> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  return %n, %p1, %t1, %p2, %r2, %t2, %a2
    : tensor<f32>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>, tensor<f32>
}

// The matrices of experts, whose copies are those of one matrix.
func.func @optimizers_experts(%p: tensor<2x16x8xf32>, %m: tensor<2x16x8xf32>, %v: tensor<2x16x8xf32> {test.range = [0.1, 1.0]}, %g: tensor<2x16x8xf32>,
                 %c: tensor<f32>, %lr: tensor<f32>, %b1: tensor<f32> {test.range = [0.8, 0.9]}, %b2: tensor<f32> {test.range = [0.9, 0.99]},
                 %e: tensor<f32> {test.range = [0.01, 0.02]}, %wd: tensor<f32>, %s: tensor<i64> {test.range = [3.0, 4.0]}, %q: tensor<f32> {test.range = [50.0, 300.0]})
    -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<32x16xf8E4M3FN>, tensor<16x32xf8E4M3FN>, tensor<f32>) {
  %p1, %m1, %v1, %r1, %t1, %a1 = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%c) scalars(%lr, %b1, %b2, %e, %wd) step(%s) quantize(%q)
    : tensor<2x16x8xf32>, tensor<2x16x8xf32> -> rowwise tensor<32x16xf8E4M3FN> columnwise tensor<16x32xf8E4M3FN> amax tensor<f32>
  return %p1, %m1, %r1, %t1, %a1 : tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<32x16xf8E4M3FN>, tensor<16x32xf8E4M3FN>, tensor<f32>
}

// A step that is skipped, and an amax that is not finite.
func.func @skipped(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>, %b1: tensor<f32>,
                   %b2: tensor<f32>, %e: tensor<f32>, %wd: tensor<f32>, %s: tensor<i64> {test.range = [3.0, 4.0]}, %scales: tensor<2xf32>,
                   %invs: tensor<2xf32>, %h: tensor<3x2xf32> {test.range = [0.0, 0.5]}, %n: tensor<2xi64>, %a: tensor<f32> {test.range = [0.2, 0.3]})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<4xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xi64>) {
  %inf = arith.constant dense<0x7F800000> : tensor<f32>
  %c = te.clip_coefficient %a, %a amaxes(%inf)
  %p1, %m1, %v1 = te.update #te.adamw %p states(%m, %v) gradient(%g) coefficient(%c) scalars(%lr, %b1, %b2, %e, %wd) step(%s) {decay}
    : tensor<4xf32>, tensor<4xf32>
  %s1 = te.advance_step %s if_finite %c
  %p2 = te.update #te.sgd<momentum = 0.0> %p gradient(%g) coefficient(%c) scalars(%lr, %wd) step(%s) : tensor<4xf32>, tensor<4xf32>
  %sc1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %h, %n amaxes(%inf, %a)
    {recipe = #te.delayed_scaling<history = 3>, formats = [f8E4M3FN, f8E5M2]} : tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xi64>
  return %p1, %m1, %v1, %s1, %p2, %sc1, %h1, %n1
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<4xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2xi64>
}

// Mixtures of experts: a token has two rows, and one of three experts may have
// none.
func.func @experts(%x: tensor<4x5xf32>, %e: tensor<8xi32>, %w: tensor<8xf32>, %m: tensor<21x5xf32>, %n: tensor<21x5xbf16>, %dy: tensor<4x5xf32>)
    -> (tensor<20xi32>, tensor<4x5xf32>, tensor<8xf32>, tensor<21x5xf32>) {
  %source, %slot, %groups = te.group_rows %e {count = 3 : i64, alignment = 4 : i64} : tensor<8xi32> -> tensor<20xi32>
  %p = te.permute %x, %source {repeat = 2 : i64} : tensor<4x5xf32>, tensor<20xi32> -> y tensor<20x5xf32>
  %h = te.expert_matmul %p, %m experts(%groups) {alignment = 4 : i64, transpose_b} : tensor<20x5xf32>, tensor<21x5xf32>, tensor<20xi32> -> tensor<20x7xf32>
  %o = te.expert_matmul %h, %n experts(%groups) {alignment = 4 : i64} : tensor<20x7xf32>, tensor<21x5xbf16>, tensor<20xi32> -> tensor<20x5xf32>
  %y = te.unpermute %o, %slot weights(%w : tensor<8xf32>) {repeat = 2 : i64} : tensor<20x5xf32>, tensor<8xi32> -> tensor<4x5xf32>
  %dw = te.permute_weights_grad %o, %slot, %dy {repeat = 2 : i64} : tensor<20x5xf32>, tensor<8xi32>, tensor<4x5xf32> -> tensor<8xf32>
  %do = te.permute %dy, %source weights(%w : tensor<8xf32>) {repeat = 2 : i64} : tensor<4x5xf32>, tensor<20xi32> -> y tensor<20x5xf32>
  %dn = te.expert_matmul %h, %do experts(%groups) {alignment = 4 : i64, role = #te.role<wgrad>, input_first} : tensor<20x7xf32>, tensor<20x5xf32>, tensor<20xi32> -> tensor<21x5xf32>
  return %groups, %y, %dw, %dn : tensor<20xi32>, tensor<4x5xf32>, tensor<8xf32>, tensor<21x5xf32>
}

// In any order, and sums of no rows.
func.func @expert_rows(%x: tensor<6x5xf32>, %e: tensor<6xi32>, %w: tensor<15x4xf32>) -> (tensor<6x4xf32>, tensor<0x4xf32>) {
  %y = te.expert_matmul %x, %w experts(%e) {layer = "up"} : tensor<6x5xf32>, tensor<15x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %none = tensor.empty() : tensor<0xi32>
  %no_rows = tensor.empty() : tensor<0x5xf32>
  %z = te.expert_matmul %no_rows, %w experts(%none) : tensor<0x5xf32>, tensor<15x4xf32>, tensor<0xi32> -> tensor<0x4xf32>
  return %y, %z : tensor<6x4xf32>, tensor<0x4xf32>
}

// One row for each token.
func.func @expert_order(%x: tensor<6x5xf32>, %e: tensor<6xi32>, %dy: tensor<6x5xf32>) -> (tensor<6x5xf32>, tensor<6xf32>) {
  %source, %slot, %groups = te.group_rows %e {count = 3 : i64, alignment = 1 : i64} : tensor<6xi32> -> tensor<6xi32>
  %p = te.permute %x, %source : tensor<6x5xf32>, tensor<6xi32> -> y tensor<6x5xf32>
  %y = te.unpermute %p, %slot : tensor<6x5xf32>, tensor<6xi32> -> tensor<6x5xf32>
  %dw = te.permute_weights_grad %p, %slot, %dy : tensor<6x5xf32>, tensor<6xi32>, tensor<6x5xf32> -> tensor<6xf32>
  return %y, %dw : tensor<6x5xf32>, tensor<6xf32>
}

// Of two ranks, with too few places for some rows, and rows without an expert.
func.func @expert_ranks(%x: tensor<6x5xf32>, %e: tensor<12xi32> {test.range = [-1.0, 4.0]}, %w: tensor<12xf32>, %dy: tensor<6x5xf32>)
    -> (tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<6x5xf32>, tensor<12xf32>) {
  %source, %slot, %groups = te.group_rows %e {count = 4 : i64, alignment = 3 : i64, ranks = 2 : i64} : tensor<12xi32> -> tensor<12xi32>
  %p = te.permute %x, %source {repeat = 2 : i64} : tensor<6x5xf32>, tensor<12xi32> -> y tensor<12x5xf32>
  %y = te.unpermute %p, %slot weights(%w : tensor<12xf32>) {repeat = 2 : i64} : tensor<12x5xf32>, tensor<12xi32> -> tensor<6x5xf32>
  %dw = te.permute_weights_grad %p, %slot, %dy {repeat = 2 : i64} : tensor<12x5xf32>, tensor<12xi32>, tensor<6x5xf32> -> tensor<12xf32>
  return %source, %slot, %groups, %y, %dw : tensor<12xi32>, tensor<12xi32>, tensor<12xi32>, tensor<6x5xf32>, tensor<12xf32>
}

func.func @expert_codes(%x: tensor<16x16xf32>, %e: tensor<16xi32> {test.range = [-1.0, 3.0]}, %s: tensor<f32> {test.range = [3.0, 400.0]}, %i: tensor<f32> {test.range = [0.1, 0.2]}) -> tensor<22x16xf32> {
  %source, %slot, %groups = te.group_rows %e {count = 3 : i64, alignment = 2 : i64, ranks = 1 : i64} : tensor<16xi32> -> tensor<22xi32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %p = te.take_rows %q, %source : tensor<16x16xf8E4M3FN>, tensor<22xi32> -> tensor<22x16xf8E4M3FN>
  %y = te.dequantize %p, %i : tensor<22x16xf8E4M3FN> -> tensor<22x16xf32>
  return %y : tensor<22x16xf32>
}

func.func @scaled_experts(%x: tensor<32x16xf32>, %e: tensor<8xi32> {test.range = [0.0, 2.0]}, %w: tensor<32x16xf32>, %dy: tensor<32x16xf32>,
                          %s: tensor<f32> {test.range = [3.0, 400.0]}, %i: tensor<f32> {test.range = [0.1, 0.2]})
    -> (tensor<32x16xbf16>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<f32>) {
  %source, %slot, %groups = te.group_rows %e {count = 2 : i64, alignment = 8 : i64} : tensor<8xi32> -> tensor<32xi32>
  %q, %qt = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> columnwise tensor<16x32xf8E4M3FN>
  %p, %pt = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> columnwise tensor<16x32xf8E4M3FN>
  %g, %gt, %amax = te.permute %dy, %source quantize(%s) {repeat = 1 : i64} : tensor<32x16xf32>, tensor<32xi32>
    -> rowwise tensor<32x16xf8E5M2> columnwise tensor<16x32xf8E5M2> amax tensor<f32>
  %y = te.scaled_expert_matmul %q, %p scales(%i, %i) experts(%groups) {accumulate = #te.accumulate<fast>, alignment = 8 : i64, layer = "up", transpose_b}
    : tensor<32x16xf8E4M3FN>, tensor<32x16xf8E4M3FN>, tensor<32xi32> -> tensor<32x16xbf16>
  %dx = te.scaled_expert_matmul %g, %pt scales(%i, %i) experts(%groups) {role = #te.role<dgrad>}
    : tensor<32x16xf8E5M2>, tensor<16x32xf8E4M3FN>, tensor<32xi32> -> tensor<32x16xf32>
  %dw = te.scaled_expert_matmul %gt, %qt scales(%i, %i) experts(%groups) {alignment = 8 : i64, role = #te.role<wgrad>}
    : tensor<16x32xf8E5M2>, tensor<16x32xf8E4M3FN>, tensor<32xi32> -> tensor<32x16xf32>
  return %y, %dx, %dw, %amax : tensor<32x16xbf16>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<f32>
}

// Scans: batches, groups of channels, chunks that are no multiple of the tokens.
func.func @causal_conv(%x: tensor<2x5x3xbf16>, %w: tensor<4x3xf32>, %b: tensor<3xf32>, %dy: tensor<2x5x3xf32>)
    -> (tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<2x5x3xf32>, tensor<4x3xf32>) {
  %y = te.causal_conv %x, %w bias(%b : tensor<3xf32>) {silu} : tensor<2x5x3xbf16>, tensor<4x3xf32> -> tensor<2x5x3xf32>
  %z = te.causal_conv %dy, %w : tensor<2x5x3xf32>, tensor<4x3xf32> -> tensor<2x5x3xf32>
  %dx, %dw, %db = te.causal_conv_grad %dy, %x, %w bias(%b : tensor<3xf32>) {silu}
    : tensor<2x5x3xf32>, tensor<2x5x3xbf16>, tensor<4x3xf32> -> tensor<2x5x3xf32>, tensor<4x3xf32> dbias tensor<3xf32>
  %ex, %ew = te.causal_conv_grad %dy, %x, %w
    : tensor<2x5x3xf32>, tensor<2x5x3xbf16>, tensor<4x3xf32> -> tensor<2x5x3xf32>, tensor<4x3xf32>
  return %y, %z, %dx, %dw, %db, %ex, %ew : tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<2x5x3xf32>, tensor<4x3xf32>
}

// More taps than tokens.
func.func @causal_conv_short(%x: tensor<1x2x3xf32>, %w: tensor<5x3xf32>, %dy: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<5x3xf32>) {
  %y = te.causal_conv %x, %w {silu} : tensor<1x2x3xf32>, tensor<5x3xf32> -> tensor<1x2x3xf32>
  %dx, %dw = te.causal_conv_grad %dy, %x, %w {silu} : tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<5x3xf32> -> tensor<1x2x3xf32>, tensor<5x3xf32>
  return %y, %dx, %dw : tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<5x3xf32>
}

func.func @scan(%d: tensor<2x5x6xf32>, %x: tensor<2x5x6xbf16>, %i: tensor<2x6x1xf32>, %dy: tensor<2x5x6xf32>, %df: tensor<2x6x1xf32>)
    -> (tensor<2x5x6xf32>, tensor<2x3x6x1xf32>, tensor<2x6x1xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x6x1xf32>) {
  %y, %s, %f = te.scan %d, %x initial(%i : tensor<2x6x1xf32>) {chunk = 2 : i64}
    : tensor<2x5x6xf32>, tensor<2x5x6xbf16> -> tensor<2x5x6xf32>, tensor<2x3x6x1xf32>, tensor<2x6x1xf32>
  %dd, %dx, %di = te.scan_grad %dy, %d, %x, %s dfinal(%df : tensor<2x6x1xf32>) {chunk = 2 : i64}
    : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xbf16>, tensor<2x3x6x1xf32> -> tensor<2x5x6xf32>, tensor<2x5x6xf32> dinitial tensor<2x6x1xf32>
  return %y, %s, %f, %dd, %dx, %di : tensor<2x5x6xf32>, tensor<2x3x6x1xf32>, tensor<2x6x1xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x6x1xf32>
}

func.func @scan_keys(%d: tensor<2x4x6xf32>, %x: tensor<2x4x6xf32>, %k: tensor<2x4x4xbf16>, %q: tensor<2x4x4xf32>, %dy: tensor<2x4x6xf32>)
    -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
  %y, %s, %f = te.scan %d, %x keys(%k : tensor<2x4x4xbf16>) queries(%q : tensor<2x4x4xf32>) {chunk = 4 : i64}
    : tensor<2x4x6xf32>, tensor<2x4x6xf32> -> tensor<2x4x6xf32>, tensor<2x1x6x2xf32>, tensor<2x6x2xf32>
  %dd, %dx, %dk, %dq, %di = te.scan_grad %dy, %d, %x, %s keys(%k : tensor<2x4x4xbf16>) queries(%q : tensor<2x4x4xf32>) {chunk = 4 : i64}
    : tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x1x6x2xf32>
    -> tensor<2x4x6xf32>, tensor<2x4x6xf32> dkeys tensor<2x4x4xf32> dqueries tensor<2x4x4xf32> dinitial tensor<2x6x2xf32>
  return %y, %dd, %dx, %dk, %dq : tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>
}

func.func @scan_rates(%d: tensor<1x7x4xf32>, %x: tensor<1x7x4xf32>, %r: tensor<4x3xf32>, %k: tensor<1x7x3xf32>, %q: tensor<1x7x3xf32>, %i: tensor<1x4x3xf32>,
                      %dy: tensor<1x7x4xf32>, %df: tensor<1x4x3xf32>)
    -> (tensor<1x7x4xf32>, tensor<1x4x3xf32>, tensor<1x7x4xf32>, tensor<1x7x4xf32>, tensor<4x3xf32>, tensor<1x7x3xf32>, tensor<1x7x3xf32>, tensor<1x4x3xf32>) {
  %y, %s, %f = te.scan %d, %x rates(%r : tensor<4x3xf32>) keys(%k : tensor<1x7x3xf32>) queries(%q : tensor<1x7x3xf32>) initial(%i : tensor<1x4x3xf32>) {chunk = 3 : i64}
    : tensor<1x7x4xf32>, tensor<1x7x4xf32> -> tensor<1x7x4xf32>, tensor<1x3x4x3xf32>, tensor<1x4x3xf32>
  %dd, %dx, %dr, %dk, %dq, %di = te.scan_grad %dy, %d, %x, %s rates(%r : tensor<4x3xf32>) keys(%k : tensor<1x7x3xf32>) queries(%q : tensor<1x7x3xf32>)
    dfinal(%df : tensor<1x4x3xf32>) {chunk = 3 : i64}
    : tensor<1x7x4xf32>, tensor<1x7x4xf32>, tensor<1x7x4xf32>, tensor<1x3x4x3xf32>
    -> tensor<1x7x4xf32>, tensor<1x7x4xf32> drates tensor<4x3xf32> dkeys tensor<1x7x3xf32> dqueries tensor<1x7x3xf32> dinitial tensor<1x4x3xf32>
  return %y, %f, %dd, %dx, %dr, %dk, %dq, %di : tensor<1x7x4xf32>, tensor<1x4x3xf32>, tensor<1x7x4xf32>, tensor<1x7x4xf32>, tensor<4x3xf32>, tensor<1x7x3xf32>, tensor<1x7x3xf32>, tensor<1x4x3xf32>
}
