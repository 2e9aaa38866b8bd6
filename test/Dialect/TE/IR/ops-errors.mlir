// RUN: te-opt %s --split-input-file --verify-diagnostics

//===-- matmul, scaled_matmul ---------------------------------------------===//

func.func @contraction(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>) {
  // expected-error@+1 {{'te.matmul' op contracts 8 elements of the left operand with 16 of the right one ('tensor<4x8xf32>', 'tensor<16x8xf32>'); is transpose_a or transpose_b missing?}}
  %0 = te.matmul %a, %b : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @contraction_transposed(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) {
  // expected-error@+1 {{'te.matmul' op contracts 4 elements of the left operand with 16 of the right one ('tensor<4x8xf32>' transposed, 'tensor<8x16xf32>' transposed); is transpose_a or transpose_b missing?}}
  %0 = te.matmul %a, %b {transpose_a, transpose_b} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<8x8xf32>
  return
}

// -----

func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) {
  // expected-error@+1 {{'te.matmul' op expects the result to have shape [4, 16], but it is 'tensor<4x8xf32>'}}
  %0 = te.matmul %a, %b : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @bias(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<8xf32>) {
  // expected-error@+1 {{'te.matmul' op expects the bias to have shape [16], but it is 'tensor<8xf32>'}}
  %0 = te.matmul %a, %b bias(%c : tensor<8xf32>) : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @addend(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xbf16>) {
  // expected-error@+1 {{'te.matmul' op expects an addend of the result's type, 'tensor<4x16xf32>', but it is 'tensor<4x16xbf16>'}}
  %0 = te.matmul %a, %b addend(%c : tensor<4x16xbf16>) : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @input_first(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) {
  // expected-error@+1 {{'te.matmul' op has input_first, which only wgrad takes}}
  %0 = te.matmul %a, %b {input_first} : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @two_e5m2(%a: tensor<16x32xf8E5M2>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.scaled_matmul' op has two f8E5M2 operands; FP8 GEMMs take at most one}}
  %0 = te.scaled_matmul %a, %a scales(%s, %s) : tensor<16x32xf8E5M2>, tensor<16x32xf8E5M2> -> tensor<16x16xf32>
  return
}

// -----

func.func @scaled_contraction(%a: tensor<16x32xf8E4M3FN>, %b: tensor<16x16xf8E4M3FN>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.scaled_matmul' op contracts the last dimensions of both operands, which differ: 'tensor<16x32xf8E4M3FN>' and 'tensor<16x16xf8E4M3FN>'}}
  %0 = te.scaled_matmul %a, %b scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}

// -----

func.func @scaled_product(%a: tensor<16x32xf8E4M3FN>, %b: tensor<48x32xf8E4M3FN>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.scaled_matmul' op expects the result to have shape [16, 48], but it is 'tensor<48x16xf32>'}}
  %0 = te.scaled_matmul %a, %b scales(%s, %s) : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E4M3FN> -> tensor<48x16xf32>
  return
}

// -----

func.func @scaled_bias(%a: tensor<16x32xf8E4M3FN>, %b: tensor<48x32xf8E4M3FN>, %s: tensor<f32>, %c: tensor<16xf32>) {
  // expected-error@+1 {{'te.scaled_matmul' op expects the bias to have shape [48], but it is 'tensor<16xf32>'}}
  %0 = te.scaled_matmul %a, %b scales(%s, %s) bias(%c : tensor<16xf32>) : tensor<16x32xf8E4M3FN>, tensor<48x32xf8E4M3FN> -> tensor<16x48xf32>
  return
}

// -----

func.func @scaled_matmul_addend(%a: tensor<16x32xf8E4M3FN>, %s: tensor<f32>, %x: tensor<16x16xbf16>) {
  // expected-error@+1 {{'te.scaled_matmul' op expects an addend of the result's type, 'tensor<16x16xf32>', but it is 'tensor<16x16xbf16>'}}
  %0 = te.scaled_matmul %a, %a scales(%s, %s) addend(%x : tensor<16x16xbf16>) : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  return
}

// -----

func.func @layer_norm_grad_dbias(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects dbias to have shape [8], but it is 'tensor<4xf32>'}}
  %0:4 = te.layer_norm_grad %x, %x, %v, %s, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<8xf32> dbias tensor<4xf32>
  return
}

// -----

//===-- layer_norm --------------------------------------------------------===//

func.func @norm_gamma(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm' op expects gamma to have shape [8], but it is 'tensor<4xf32>'}}
  %0:3 = te.layer_norm %x, %w, %v {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @norm_beta(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm' op expects beta to have shape [8], but it is 'tensor<4xf32>'}}
  %0:3 = te.layer_norm %x, %v, %w {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32> -> y tensor<4x8xf32> stats tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @norm_mean(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{'te.layer_norm' op expects mean to have shape [4], but it is 'tensor<8xf32>'}}
  %0:3 = te.layer_norm %x, %v, %v {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<8xf32>, tensor<4xf32>
  return
}

// -----

func.func @norm_rstd(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{'te.layer_norm' op expects rstd to have shape [4], but it is 'tensor<8xf32>'}}
  %0:3 = te.layer_norm %x, %v, %v {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<4xf32>, tensor<8xf32>
  return
}

// -----

func.func @norm_result(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{'te.layer_norm' op expects y to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:3 = te.layer_norm %x, %v, %v {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<8x4xf32> stats tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @norm_grad_dy(%x: tensor<4x8xf32>, %t: tensor<8x4xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects dy to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:3 = te.layer_norm_grad %t, %x, %v, %s, %s : tensor<8x4xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<8xf32>
  return
}

// -----

func.func @norm_grad_dx(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects dx to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %v, %s, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<8x4xf32> dgamma tensor<8xf32> dbeta tensor<8xf32>
  return
}

// -----

func.func @norm_grad_gamma(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects gamma to have shape [8], but it is 'tensor<4xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %s, %s, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<8xf32>
  return
}

// -----

func.func @norm_grad_dgamma(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects dgamma to have shape [8], but it is 'tensor<4xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %v, %s, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<4xf32> dbeta tensor<8xf32>
  return
}

// -----

func.func @norm_grad_dbeta(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects dbeta to have shape [8], but it is 'tensor<4xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %v, %s, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<4xf32>
  return
}

// -----

func.func @norm_grad_mean(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects mean to have shape [4], but it is 'tensor<8xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %v, %v, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<8xf32>
  return
}

// -----

func.func @norm_grad_rstd(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects rstd to have shape [4], but it is 'tensor<8xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %v, %s, %v : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<8xf32>
  return
}

// -----

func.func @norm_grad_residual(%x: tensor<4x8xf32>, %r: tensor<8x4xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.layer_norm_grad' op expects the residual to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:3 = te.layer_norm_grad %x, %x, %v, %s, %s residual(%r : tensor<8x4xf32>)
    : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32> dbeta tensor<8xf32>
  return
}

// -----

//===-- activation --------------------------------------------------------===//

func.func @activation_result(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.activation' op expects y to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0 = te.activation silu %x : tensor<4x8xf32> -> y tensor<8x4xf32>
  return
}

// -----

func.func @activation_grad_dy(%x: tensor<4x8xf32>, %dy: tensor<8x4xf32>) {
  // expected-error@+1 {{'te.activation_grad' op expects dy to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0 = te.activation_grad silu %dy, %x : tensor<8x4xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32>
  return
}

// -----

func.func @activation_grad_dx(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.activation_grad' op expects dx to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0 = te.activation_grad silu %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> dx tensor<8x4xf32>
  return
}

// -----

func.func @activation_grad_dbias(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.activation_grad' op expects dbias to have shape [8], but it is 'tensor<4xf32>'}}
  %0:2 = te.activation_grad silu %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32> dbias tensor<4xf32>
  return
}

// -----

//===-- What quantizing ops share -----------------------------------------===//

func.func @no_scale(%x: tensor<16x32xf32>) {
  // expected-error@+1 {{'te.activation' op has quantized results but no scale; add quantize(%scale)}}
  %0 = te.activation silu %x : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN>
  return
}

// -----

func.func @amax_beside_result(%x: tensor<16x32xf32>) {
  // expected-error@+1 {{'te.activation' op has an amax beside its result but no scale; add quantize(%scale), or use te.amax}}
  %0:2 = te.activation silu %x : tensor<16x32xf32> -> y tensor<16x32xf32> amax tensor<f32>
  return
}

// -----

func.func @no_copy(%x: tensor<16x32xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.activation' op has a scale but no quantized result}}
  %0 = te.activation silu %x quantize(%s) : tensor<16x32xf32> -> y tensor<16x32xf32>
  return
}

// -----

func.func @rowwise(%x: tensor<20x32xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.activation' op expects the rowwise copy to have shape [20, 32], each dimension as it is or rounded up to a multiple of 16, but it is 'tensor<24x32xf8E4M3FN>'}}
  %0 = te.activation silu %x quantize(%s) : tensor<20x32xf32> -> rowwise tensor<24x32xf8E4M3FN>
  return
}

// -----

func.func @columnwise(%x: tensor<20x32xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.activation' op expects the columnwise copy to have shape [32, 20], each dimension as it is or rounded up to a multiple of 16, but it is 'tensor<20x32xf8E4M3FN>'}}
  %0 = te.activation silu %x quantize(%s) : tensor<20x32xf32> -> columnwise tensor<20x32xf8E4M3FN>
  return
}

// -----

func.func @two_formats(%x: tensor<16x32xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.activation' op expects both copies to have one element type, but they are 'tensor<16x32xf8E4M3FN>' and 'tensor<32x16xf8E5M2>'}}
  %0:2 = te.activation silu %x quantize(%s) : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN> columnwise tensor<32x16xf8E5M2>
  return
}

// -----

func.func @quantizes_nothing(%x: tensor<16x32xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.quantize' op has no result; ask for rowwise, columnwise or amax}}
  te.quantize %x, %s : tensor<16x32xf32> ->
  return
}

// -----

func.func @quantize_dbias(%x: tensor<16x32xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.quantize' op expects dbias to have shape [32], but it is 'tensor<16xf32>'}}
  %0:2 = te.quantize %x, %s : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN> dbias tensor<16xf32>
  return
}

// -----

func.func @dequantize(%x: tensor<16x32xf8E4M3FN>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.dequantize' op expects the result to have shape [16, 32], but it is 'tensor<32x16xf32>'}}
  %0 = te.dequantize %x, %s : tensor<16x32xf8E4M3FN> -> tensor<32x16xf32>
  return
}

// -----

//===-- update_scales -----------------------------------------------------===//

func.func @formats(%s: tensor<1xf32>, %h: tensor<16x1xf32>, %n: tensor<1xi64>, %a: tensor<f32>) {
  // expected-error@+1 {{'te.update_scales' op has 1 amaxes but 2 formats}}
  %0:4 = te.update_scales %s, %s, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN, f8E5M2]}
    : tensor<1xf32>, tensor<1xf32>, tensor<16x1xf32>, tensor<1xi64>
  return
}

// -----

func.func @format(%s: tensor<1xf32>, %h: tensor<16x1xf32>, %n: tensor<1xi64>, %a: tensor<f32>) {
  // expected-error@+1 {{'te.update_scales' op has format f16; formats are f8E4M3FN and f8E5M2}}
  %0:4 = te.update_scales %s, %s, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 16>, formats = [f16]}
    : tensor<1xf32>, tensor<1xf32>, tensor<16x1xf32>, tensor<1xi64>
  return
}

// -----

func.func @scales(%s: tensor<1xf32>, %t: tensor<2xf32>, %h: tensor<16x1xf32>, %n: tensor<1xi64>, %a: tensor<f32>) {
  // expected-error@+1 {{'te.update_scales' op expects scales to have shape [1], but it is 'tensor<2xf32>'}}
  %0:4 = te.update_scales %t, %s, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN]}
    : tensor<2xf32>, tensor<1xf32>, tensor<16x1xf32>, tensor<1xi64>
  return
}

// -----

func.func @scale_invs(%s: tensor<1xf32>, %t: tensor<2xf32>, %h: tensor<16x1xf32>, %n: tensor<1xi64>, %a: tensor<f32>) {
  // expected-error@+1 {{'te.update_scales' op expects scale_invs to have shape [1], but it is 'tensor<2xf32>'}}
  %0:4 = te.update_scales %s, %t, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN]}
    : tensor<1xf32>, tensor<2xf32>, tensor<16x1xf32>, tensor<1xi64>
  return
}

// -----

func.func @nonfinite(%s: tensor<1xf32>, %h: tensor<16x1xf32>, %n: tensor<2xi64>, %a: tensor<f32>) {
  // expected-error@+1 {{'te.update_scales' op expects nonfinite to have shape [1], but it is 'tensor<2xi64>'}}
  %0:4 = te.update_scales %s, %s, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN]}
    : tensor<1xf32>, tensor<1xf32>, tensor<16x1xf32>, tensor<2xi64>
  return
}

// -----

func.func @history(%s: tensor<1xf32>, %h: tensor<8x1xf32>, %n: tensor<1xi64>, %a: tensor<f32>) {
  // expected-error@+1 {{'te.update_scales' op expects history to have shape [16, 1], but it is 'tensor<8x1xf32>'}}
  %0:4 = te.update_scales %s, %s, %h, %n amaxes(%a) {recipe = #te.delayed_scaling<history = 16>, formats = [f8E4M3FN]}
    : tensor<1xf32>, tensor<1xf32>, tensor<8x1xf32>, tensor<1xi64>
  return
}

// -----

func.func @record(%h: tensor<4xf32>, %a: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{'te.record_amaxes' op expects a history [length, slots], got 'tensor<4xf32>'}}
  %h1 = te.record_amaxes %h amaxes(%a) : tensor<4xf32>
  return %h1 : tensor<4xf32>
}

// -----

func.func @record(%h: tensor<4x2xf32>, %a: tensor<f32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'te.record_amaxes' op expects history to have shape [4, 1]}}
  %h1 = te.record_amaxes %h amaxes(%a) : tensor<4x2xf32>
  return %h1 : tensor<4x2xf32>
}

// -----

//===-- embedding and loss ------------------------------------------------===//

func.func @embedding(%ids: tensor<4xi64>, %table: tensor<10x8xf32>) {
  // expected-error@+1 {{'te.embedding' op expects the result to have shape [4, 8], but it is 'tensor<10x8xf32>'}}
  %0 = te.embedding %ids, %table : tensor<4xi64>, tensor<10x8xf32> -> tensor<10x8xf32>
  return
}

// -----

func.func @embedding_grad_ids(%ids: tensor<4xi64>, %dy: tensor<5x8xf32>) {
  // expected-error@+1 {{'te.embedding_grad' op expects the ids to have shape [5], but it is 'tensor<4xi64>'}}
  %0 = te.embedding_grad %ids, %dy : tensor<4xi64>, tensor<5x8xf32> -> tensor<10x8xf32>
  return
}

// -----

func.func @embedding_grad_table(%ids: tensor<4xi64>, %dy: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.embedding_grad' op expects dtable to have shape [10, 8], but it is 'tensor<10x6xf32>'}}
  %0 = te.embedding_grad %ids, %dy : tensor<4xi64>, tensor<4x8xf32> -> tensor<10x6xf32>
  return
}

// -----

func.func @loss_labels(%x: tensor<4x10xf32>, %l: tensor<5xi64>) {
  // expected-error@+1 {{'te.cross_entropy' op expects the labels to have shape [4], but it is 'tensor<5xi64>'}}
  %0:3 = te.cross_entropy %x, %l : tensor<4x10xf32>, tensor<5xi64> -> tensor<4xf32>
  return
}

// -----

func.func @loss_lse(%x: tensor<4x10xf32>, %l: tensor<4xi64>) {
  // expected-error@+1 {{'te.cross_entropy' op expects lse to have shape [4], but it is 'tensor<10xf32>'}}
  %0:3 = te.cross_entropy %x, %l : tensor<4x10xf32>, tensor<4xi64> -> tensor<10xf32>
  return
}

// -----

func.func @loss_grad_labels(%d: tensor<f32>, %x: tensor<4x10xf32>, %l: tensor<5xi64>, %lse: tensor<4xf32>) {
  // expected-error@+1 {{'te.cross_entropy_grad' op expects the labels to have shape [4], but it is 'tensor<5xi64>'}}
  %0 = te.cross_entropy_grad %d, %x, %l, %lse, %d : tensor<4x10xf32>, tensor<5xi64>, tensor<4xf32> -> tensor<4x10xf32>
  return
}

// -----

func.func @loss_grad_lse(%d: tensor<f32>, %x: tensor<4x10xf32>, %l: tensor<4xi64>, %lse: tensor<10xf32>) {
  // expected-error@+1 {{'te.cross_entropy_grad' op expects lse to have shape [4], but it is 'tensor<10xf32>'}}
  %0 = te.cross_entropy_grad %d, %x, %l, %lse, %d : tensor<4x10xf32>, tensor<4xi64>, tensor<10xf32> -> tensor<4x10xf32>
  return
}

// -----

func.func @loss_grad_result(%d: tensor<f32>, %x: tensor<4x10xf32>, %l: tensor<4xi64>, %lse: tensor<4xf32>) {
  // expected-error@+1 {{'te.cross_entropy_grad' op expects dlogits to have shape [4, 10], but it is 'tensor<10x4xf32>'}}
  %0 = te.cross_entropy_grad %d, %x, %l, %lse, %d : tensor<4x10xf32>, tensor<4xi64>, tensor<4xf32> -> tensor<10x4xf32>
  return
}

// -----

func.func @loss_with_grad(%d: tensor<f32>, %x: tensor<4x10xf32>, %l: tensor<5xi64>) {
  // expected-error@+1 {{'te.cross_entropy_with_grad' op expects the labels to have shape [4], but it is 'tensor<5xi64>'}}
  %0:2 = te.cross_entropy_with_grad %d, %l, %d, %x, %d : tensor<5xi64>, tensor<4x10xf32>
  return
}

// -----

//===-- elementwise, reductions, movement ---------------------------------===//

func.func @add_result(%a: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.add' op expects the result to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0 = te.add %a, %a : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @add_rows(%a: tensor<4x8xf32>, %b: tensor<3x8xf32>) {
  // expected-error@+1 {{'te.add' op expects the right operand to have the columns of the left one and a divisor of its rows, but they are 'tensor<4x8xf32>' and 'tensor<3x8xf32>'}}
  %0 = te.add %a, %b : tensor<4x8xf32>, tensor<3x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @add_no_rows(%a: tensor<4x8xf32>, %b: tensor<0x8xf32>) {
  // expected-error@+1 {{'te.add' op expects the right operand to have the columns of the left one and a divisor of its rows, but they are 'tensor<4x8xf32>' and 'tensor<0x8xf32>'}}
  %0 = te.add %a, %b : tensor<4x8xf32>, tensor<0x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @column_sum(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.column_sum' op expects the result to have shape [8], but it is 'tensor<4xf32>'}}
  %0 = te.column_sum %x : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

func.func @split_axis(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.split' op has axis 2, but the operand is 'tensor<4x8xf32>'}}
  %0 = te.split %x axis 2 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @split_shape(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.split' op expects a piece to have shape [4, 4], but it is 'tensor<3x4xf32>'}}
  %0:2 = te.split %x axis 1 : tensor<4x8xf32> -> tensor<4x4xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @split_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'te.split' op expects a piece of rank 1, but one is 'tensor<f32>'}}
  %0 = te.split %x axis 0 : tensor<4xf32> -> tensor<f32>
  return
}

// -----

func.func @split_type(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.split' op expects pieces of the operand's element type, but one is 'tensor<4x4xbf16>'}}
  %0:2 = te.split %x axis 1 : tensor<4x8xf32> -> tensor<4x4xf32>, tensor<4x4xbf16>
  return
}

// -----

func.func @split_total(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.split' op has pieces of 7 elements along axis 1 of 'tensor<4x8xf32>'}}
  %0:2 = te.split %x axis 1 : tensor<4x8xf32> -> tensor<4x4xf32>, tensor<4x3xf32>
  return
}

// -----

//===-- optimizer ---------------------------------------------------------===//

func.func @adamw_gradient(%p: tensor<8xf32>, %g: tensor<4xf32>, %s: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{'te.update' op expects the gradient to have shape [8], but it is 'tensor<4xf32>'}}
  %0:3 = te.update #te.adamw %p states(%p, %p) gradient(%g) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t) : tensor<8xf32>, tensor<4xf32>
  return
}

// -----

func.func @adamw_vector(%p: tensor<8xf32>, %s: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{'te.update' op quantizes a parameter that has no rows: 'tensor<8xf32>'}}
  %0:4 = te.update #te.adamw %p states(%p, %p) gradient(%p) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t) quantize(%s)
    : tensor<8xf32>, tensor<8xf32> -> rowwise tensor<8x8xf8E4M3FN>
  return
}

// -----

func.func @state_kinds(%p: tensor<8x200xf32>, %b: tensor<8x200xbf16>, %s: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{'te.update' op expects states that are all f32, all bf16 or all FP8, got 'tensor<8x200xbf16>' and 'tensor<8x200xf32>'}}
  %0:3 = te.update #te.adamw %p states(%b, %p) gradient(%p) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t)
    : tensor<8x200xf32>, tensor<8x200xf32> states(bf16, f32)
  return
}

// -----

func.func @state_types(%p: tensor<8x200xf32>, %b: tensor<8x200xbf16>, %s: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+2 {{expected element types of 2 states, got 1}}
  %0:3 = te.update #te.adamw %p states(%b, %b) gradient(%p) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t)
    : tensor<8x200xf32>, tensor<8x200xf32> states(bf16)
  return
}

// -----

func.func @state_scales(%p: tensor<8x200xf32>, %q: tensor<8x200xf8E4M3FN>, %s: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{'te.update' op has 0 scales of states, but expects 2}}
  %0:3 = te.update #te.adamw %p states(%q, %q) gradient(%p) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t)
    : tensor<8x200xf32>, tensor<8x200xf32> states(f8E4M3FN, f8E4M3FN)
  return
}

// -----

func.func @state_vectors(%p: tensor<200xf32>, %q: tensor<200xf8E4M3FN>, %s: tensor<f32>, %t: tensor<i64>) {
  // expected-error@+1 {{'te.update' op has FP8 states of 'tensor<200xf32>', which is no matrix}}
  %0:3 = te.update #te.adamw %p states(%q, %q) gradient(%p) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t)
    : tensor<200xf32>, tensor<200xf32> states(f8E4M3FN, f8E4M3FN)
  return
}

// -----

//===-- region ------------------------------------------------------------===//

func.func @region_end(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.region' op expects its body to end in te.yield}}
  "te.region"() <{precision = #te<precision high>}> ({
    func.return
  }) : () -> ()
  return
}

// -----

func.func @region_types(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.region' op yields values of other types than its results}}
  %0 = te.region high -> (tensor<8x4xf32>) {
    te.yield %x : tensor<4x8xf32>
  }
  return
}
