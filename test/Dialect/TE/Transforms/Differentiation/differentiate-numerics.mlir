// Gradients against central differences, in float64 on a reference evaluator that
// shares nothing with the runtime. "agree" means to 1e-6 of the largest element.

// Every op of differentiate-vjps.mlir:
// RUN: te-test-opt %S/differentiate-vjps.mlir --split-input-file --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp -o /dev/null | FileCheck %s --check-prefix=OPS
// OPS-COUNT-28: {{[1-9]}} gradients agree

// More of what ops can be:
// RUN: te-test-opt %s --split-input-file --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp=ids=6 -o /dev/null | FileCheck %s

// A whole model:
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=vjp,forward" --test-te-check-vjp -o /dev/null | FileCheck %s --check-prefix=GPT
// GPT: grad.wte.weight
// GPT: 28 gradients agree

// Three steps of training, the loss, the gradients, clipping, and the update of
// every parameter; weight decay on the matrices of linears alone.
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward optimizer=adamw<weight_decay=0.1,learning_rate=0.05>" \
// RUN:   --test-te-check-train=decayed=h.0.attn.c_attn.weight,h.0.attn.c_proj.weight,h.0.mlp.c_fc.weight,h.0.mlp.c_proj.weight,h.1.attn.c_attn.weight,h.1.attn.c_proj.weight,h.1.mlp.c_fc.weight,h.1.mlp.c_proj.weight -o /dev/null | FileCheck %s --check-prefix=TRAIN
// TRAIN: step 1: loss {{.*}}, clipped by 0.{{.*}}, gradients agree
// TRAIN: step 2:
// TRAIN: step 3:
// Without clipping:
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward max-grad-norm=0 optimizer=adamw<weight_decay=0>" \
// RUN:   --test-te-check-train=steps=2 -o /dev/null | FileCheck %s --check-prefix=UNCLIPPED
// UNCLIPPED: step 1: loss {{.*}}, clipped by 1.000000, gradients agree
// UNCLIPPED: step 2: loss {{.*}}, clipped by 1.000000, gradients agree

// The checks themselves can fail: here weight decay is expected where there is none.
// RUN: not te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward" --test-te-check-train=decayed=wte.weight -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: returns a new 'wte.weight' =

// Every activation.
// CHECK: 1 gradients agree
func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}) -> (
    tensor<6x8xf32> {te.output = "gelu_erf"},
    tensor<6x8xf32> {te.output = "gelu_tanh"},
    tensor<6x8xf32> {te.output = "quick_gelu"},
    tensor<6x8xf32> {te.output = "relu"},
    tensor<6x8xf32> {te.output = "squared_relu"},
    tensor<6x8xf32> {te.output = "silu"},
    tensor<6x8xf32> {te.output = "sigmoid"},
    tensor<6x8xf32> {te.output = "tanh"}) {
  %0 = te.activation gelu_erf %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %1 = te.activation gelu_tanh %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %2 = te.activation quick_gelu %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %3 = te.activation relu %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %4 = te.activation squared_relu %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %5 = te.activation silu %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %6 = te.activation sigmoid %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  %7 = te.activation tanh %x : tensor<6x8xf32> -> y tensor<6x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

// -----

// Fewer queries than keys, seen from the end; grouped heads.
// CHECK: 3 gradients agree
func.func @forward(%q: tensor<2x5x4x3xf32> {te.input = "q"}, %k: tensor<2x7x2x3xf32> {te.input = "k"}, %v: tensor<2x7x2x3xf32> {te.input = "v"})
    -> (tensor<2x5x4x3xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v {causal, scale = 0.7 : f32, layout = #te.attention_layout<bshd>}
    : tensor<2x5x4x3xf32>, tensor<2x7x2x3xf32>, tensor<2x7x2x3xf32> -> tensor<2x5x4x3xf32>, tensor<2x4x5xf32>
  return %o : tensor<2x5x4x3xf32>
}

// -----

// Sequence first, no mask.
// CHECK: 3 gradients agree
func.func @forward(%q: tensor<5x2x3x4xf32> {te.input = "q"}, %k: tensor<5x2x3x4xf32> {te.input = "k"}, %v: tensor<5x2x3x4xf32> {te.input = "v"})
    -> (tensor<5x2x3x4xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v {scale = 0.7 : f32, layout = #te.attention_layout<sbhd>}
    : tensor<5x2x3x4xf32>, tensor<5x2x3x4xf32>, tensor<5x2x3x4xf32> -> tensor<5x2x3x4xf32>, tensor<2x3x5xf32>
  return %o : tensor<5x2x3x4xf32>
}

// -----

// One key head for all.
// CHECK: 3 gradients agree
func.func @forward(%q: tensor<2x4x5x3xf32> {te.input = "q"}, %k: tensor<2x1x5x3xf32> {te.input = "k"}, %v: tensor<2x1x5x3xf32> {te.input = "v"})
    -> (tensor<2x4x5x3xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v {causal, scale = 0.7 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x5x3xf32>, tensor<2x1x5x3xf32>, tensor<2x1x5x3xf32> -> tensor<2x4x5x3xf32>, tensor<2x4x5xf32>
  return %o : tensor<2x4x5x3xf32>
}

// -----

// A softcap, a bias of heads that the batch shares, and a window.
// CHECK: 4 gradients agree
func.func @forward(%q: tensor<2x5x4x3xf32> {te.input = "q"}, %k: tensor<2x7x2x3xf32> {te.input = "k"}, %v: tensor<2x7x2x3xf32> {te.input = "v"}, %b: tensor<1x4x5x7xf32> {te.input = "bias"})
    -> (tensor<2x5x4x3xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v bias(%b : tensor<1x4x5x7xf32>) {causal, scale = 0.7 : f32, softcap = 0.8 : f32, window = 3 : i64}
    : tensor<2x5x4x3xf32>, tensor<2x7x2x3xf32>, tensor<2x7x2x3xf32> -> tensor<2x5x4x3xf32>, tensor<2x4x5xf32>
  return %o : tensor<2x5x4x3xf32>
}

// -----

// Sinks, and a bias of keys that queries and heads share.
// CHECK: 5 gradients agree
func.func @forward(%q: tensor<2x4x5x3xf32> {te.input = "q"}, %k: tensor<2x1x6x3xf32> {te.input = "k"}, %v: tensor<2x1x6x3xf32> {te.input = "v"}, %b: tensor<2x1x1x6xf32> {te.input = "bias"}, %s: tensor<4xf32> {te.input = "sinks"})
    -> (tensor<2x4x5x3xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v bias(%b : tensor<2x1x1x6xf32>) sinks(%s : tensor<4xf32>) {scale = 0.7 : f32, layout = #te.attention_layout<bhsd>}
    : tensor<2x4x5x3xf32>, tensor<2x1x6x3xf32>, tensor<2x1x6x3xf32> -> tensor<2x4x5x3xf32>, tensor<2x4x5xf32>
  return %o : tensor<2x4x5x3xf32>
}

// -----

// Sequences of several lengths, one without any key (ids are below 6).
// CHECK: 4 gradients agree
func.func @forward(%q: tensor<3x5x2x3xf32> {te.input = "q"}, %k: tensor<3x6x2x3xf32> {te.input = "k"}, %v: tensor<3x6x2x3xf32> {te.input = "v"}, %l: tensor<3xi64> {te.input = "lengths"}, %s: tensor<2xf32> {te.input = "sinks"})
    -> (tensor<3x5x2x3xf32> {te.output = "o"}) {
  %o, %lse = te.attention %q, %k, %v lengths(%l : tensor<3xi64>) sinks(%s : tensor<2xf32>) {scale = 0.7 : f32}
    : tensor<3x5x2x3xf32>, tensor<3x6x2x3xf32>, tensor<3x6x2x3xf32> -> tensor<3x5x2x3xf32>, tensor<3x2x5xf32>
  return %o : tensor<3x5x2x3xf32>
}

// -----

// Rows that are ignored (label 3), mean.
// CHECK: 1 gradients agree
func.func @forward(%x: tensor<12x6xf32> {te.input = "x"}, %l: tensor<12xi64> {te.input = "l"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss, %lse, %count = te.cross_entropy %x, %l {ignore_index = 3 : i64, reduction = #te.reduction<mean>}
    : tensor<12x6xf32>, tensor<12xi64> -> tensor<12xf32>
  return %loss : tensor<f32>
}

// -----

// The same with smoothed labels and a z-loss.
// CHECK: 1 gradients agree
func.func @forward(%x: tensor<12x6xf32> {te.input = "x"}, %l: tensor<12xi64> {te.input = "l"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss, %lse, %count = te.cross_entropy %x, %l {ignore_index = 3 : i64, label_smoothing = 0.3 : f32, z_loss = 0.2 : f32}
    : tensor<12x6xf32>, tensor<12xi64> -> tensor<12xf32>
  return %loss : tensor<f32>
}

// -----

// Squared distances, whose targets may be computed, too.
// CHECK: 2 gradients agree
func.func @forward(%x: tensor<4x3xf32> {te.input = "x"}, %t: tensor<4x3xf32> {te.input = "t"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss = te.squared_error %x, %t : tensor<4x3xf32>, tensor<4x3xf32>
  return %loss : tensor<f32>
}

// -----

// CHECK: 2 gradients agree
func.func @forward(%x: tensor<4x3xf32> {te.input = "x"}, %t: tensor<4x3xf32> {te.input = "t"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss = te.squared_error %x, %t {reduction = #te.reduction<sum>} : tensor<4x3xf32>, tensor<4x3xf32>
  return %loss : tensor<f32>
}

// -----

// Rows that are ignored (label 3), sum.
// CHECK: 1 gradients agree
func.func @forward(%x: tensor<12x6xf32> {te.input = "x"}, %l: tensor<12xi64> {te.input = "l"}) -> (tensor<f32> {te.output = "loss"}) {
  %loss, %lse, %count = te.cross_entropy %x, %l {ignore_index = 3 : i64, reduction = #te.reduction<sum>}
    : tensor<12x6xf32>, tensor<12xi64> -> tensor<12xf32>
  return %loss : tensor<f32>
}

// -----

// A repeating table that is itself a slice, and one value added to itself.
// CHECK: 2 gradients agree
func.func @forward(%x: tensor<8x3xf32> {te.input = "x"}, %p: tensor<5x3xf32> {te.param = "p"}) -> (tensor<8x3xf32> {te.output = "y"}) {
  %s = tensor.extract_slice %p[1, 0] [4, 3] [1, 1] : tensor<5x3xf32> to tensor<4x3xf32>
  %a = te.add %x, %s : tensor<8x3xf32>, tensor<4x3xf32> -> tensor<8x3xf32>
  %b = te.activation tanh %a : tensor<8x3xf32> -> y tensor<8x3xf32>
  %c = te.add %b, %b : tensor<8x3xf32>, tensor<8x3xf32> -> tensor<8x3xf32>
  %d = te.activation silu %c : tensor<8x3xf32> -> y tensor<8x3xf32>
  return %d : tensor<8x3xf32>
}

// -----

// Norms that share their input, their scale and their shift, around a residual.
// CHECK: 3 gradients agree
func.func @forward(%x: tensor<5x8xf32> {te.input = "x"}, %g: tensor<8xf32> {te.param = "g"}, %b: tensor<8xf32> {te.param = "b"})
    -> (tensor<5x8xf32> {te.output = "y"}) {
  %n, %m0, %r0 = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<5x8xf32> stats tensor<5xf32>, tensor<5xf32>
  %z, %m1, %r1 = te.layer_norm %x, %g, %b {eps = 1.0e-3 : f32, zero_centered}
    : tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<5x8xf32> stats tensor<5xf32>, tensor<5xf32>
  %a = te.add %n, %x : tensor<5x8xf32>, tensor<5x8xf32> -> tensor<5x8xf32>
  %c = te.add %a, %z : tensor<5x8xf32>, tensor<5x8xf32> -> tensor<5x8xf32>
  %t = te.activation tanh %c : tensor<5x8xf32> -> y tensor<5x8xf32>
  %y, %m2, %r2 = te.layer_norm %t, %g, %g {eps = 1.0e-5 : f32}
    : tensor<5x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<5x8xf32> stats tensor<5xf32>, tensor<5xf32>
  return %y : tensor<5x8xf32>
}

// -----

// A parameter as both operands of one product, transposed in all ways.
// CHECK: 2 gradients agree
func.func @forward(%x: tensor<4x4xf32> {te.input = "x"}, %w: tensor<4x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.output = "y"}) {
  %0 = te.matmul %x, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = te.matmul %w, %0 {transpose_a} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = te.matmul %1, %w {transpose_b} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = te.matmul %2, %2 {transpose_a, transpose_b} : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  %4 = te.activation tanh %3 : tensor<4x4xf32> -> y tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// -----

// Pieces split, transposed, reversed and joined.
// CHECK: 2 gradients agree
func.func @forward(%x: tensor<3x6xf32> {te.input = "x"}, %e: tensor<2x3xf32> {te.param = "e"}) -> (tensor<5x3xf32> {te.output = "y"}) {
  %a, %b, %c = te.split %x axis 1 : tensor<3x6xf32> -> tensor<3x2xf32>, tensor<3x1xf32>, tensor<3x3xf32>
  %0 = te.activation silu %c : tensor<3x3xf32> -> y tensor<3x3xf32>
  %empty = tensor.empty() : tensor<2x3xf32>
  %t = linalg.transpose ins(%a : tensor<3x2xf32>) outs(%empty : tensor<2x3xf32>) permutation = [1, 0]
  %u = te.add %t, %e : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %v = te.activation sigmoid %u : tensor<2x3xf32> -> y tensor<2x3xf32>
  %y = tensor.concat dim(0) %0, %v : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// -----

// A scan without keys, and only its last state.
// CHECK: 3 gradients agree
func.func @forward(%d: tensor<2x5x4xf32> {te.input = "d"}, %x: tensor<2x5x4xf32> {te.input = "x"}, %i: tensor<2x4x1xf32> {te.input = "i"})
    -> (tensor<2x4x1xf32> {te.output = "final"}) {
  %y, %s, %f = te.scan %d, %x initial(%i : tensor<2x4x1xf32>) {chunk = 5 : i64}
    : tensor<2x5x4xf32>, tensor<2x5x4xf32> -> tensor<2x5x4xf32>, tensor<2x1x4x1xf32>, tensor<2x4x1xf32>
  return %f : tensor<2x4x1xf32>
}

// -----

// Decays with keys and queries; the keys need no gradient.
// CHECK: 3 gradients agree
func.func @forward(%d: tensor<1x5x4xf32> {te.input = "d"}, %x: tensor<1x5x4xf32> {te.input = "x"}, %q: tensor<1x5x2xf32> {te.input = "q"})
    -> (tensor<1x5x4xf32> {te.output = "y"}) {
  %k = arith.constant dense<[[[0.5, -1.0], [2.0, 0.25], [1.0, 1.0], [-0.75, 0.0], [0.125, 3.0]]]> : tensor<1x5x2xf32>
  %y, %s, %f = te.scan %d, %x keys(%k : tensor<1x5x2xf32>) queries(%q : tensor<1x5x2xf32>) {chunk = 2 : i64}
    : tensor<1x5x4xf32>, tensor<1x5x4xf32> -> tensor<1x5x4xf32>, tensor<1x3x4x2xf32>, tensor<1x4x2xf32>
  return %y : tensor<1x5x4xf32>
}

// -----

// A convolution along a sequence, with and without its SiLU.
// CHECK: 3 gradients agree
func.func @forward(%x: tensor<2x5x3xf32> {te.input = "x"}, %w: tensor<4x3xf32> {te.param = "w"}, %b: tensor<3xf32> {te.param = "b"})
    -> (tensor<2x5x3xf32> {te.output = "y"}) {
  %y = te.causal_conv %x, %w bias(%b : tensor<3xf32>) {silu} : tensor<2x5x3xf32>, tensor<4x3xf32> -> tensor<2x5x3xf32>
  %z = te.causal_conv %y, %w : tensor<2x5x3xf32>, tensor<4x3xf32> -> tensor<2x5x3xf32>
  return %z : tensor<2x5x3xf32>
}
