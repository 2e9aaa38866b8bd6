// What decides is which layer a product belongs to and what its operands are,
// not where it was written.
// RUN: te-opt %s --split-input-file --te-partition --remarks-filter=te-partition --allow-unregistered-dialect -o /dev/null 2>&1 | FileCheck %s
// RUN: te-opt %s --split-input-file --te-partition --te-quantize --te-validate-precision --allow-unregistered-dialect -o /dev/null

// A head without a location, and one whose location is that of the whole model:
// its gradients stay with it, and the layer before it becomes FP8.

// CHECK: remark: {{.*}}[Passed] FP8 | {{.*}}layer=w, product=fprop
// CHECK: remark: {{.*}}[Missed] LMHead | {{.*}} Suggestion="add 'v=fp8' to the policy", {{.*}}layer=v, product=fprop
// CHECK: remark: {{.*}}[Missed] LMHead | {{.*}}layer=v, product=dgrad
// CHECK: remark: {{.*}}[Missed] LMHead | {{.*}}layer=v, product=wgrad
// CHECK: remark: {{.*}}[Passed] FP8 | {{.*}}layer=w, product=wgrad
func.func @no_paths(%x: tensor<64x32xf32> {te.input = "x"}, %dy: tensor<64x64xf32> {te.input = "dy"}, %w: tensor<48x32xf32> {te.param = "w"}, %v: tensor<64x48xf32> {te.param = "v"})
    -> (tensor<64x64xf32> {te.output = "y"}, tensor<64x48xf32> {te.output = "grad.v"}, tensor<48x32xf32> {te.output = "grad.w"}) {
  %m = te.matmul %x, %w {transpose_b} : tensor<64x32xf32>, tensor<48x32xf32> -> tensor<64x48xf32>
  %n = te.matmul %m, %v {transpose_b} : tensor<64x48xf32>, tensor<64x48xf32> -> tensor<64x64xf32>
  %dm = te.matmul %dy, %v {role = #te.role<dgrad>} : tensor<64x64xf32>, tensor<64x48xf32> -> tensor<64x48xf32>
  %dv = te.matmul %dy, %m {role = #te.role<wgrad>, transpose_a} : tensor<64x64xf32>, tensor<64x48xf32> -> tensor<64x48xf32>
  %dw = te.matmul %dm, %x {role = #te.role<wgrad>, transpose_a} : tensor<64x48xf32>, tensor<64x32xf32> -> tensor<48x32xf32>
  return %n, %dv, %dw : tensor<64x64xf32>, tensor<64x48xf32>, tensor<48x32xf32>
}

// -----

// CHECK: remark: loc("model"): [Passed] FP8 | {{.*}}layer=model, product=fprop
// CHECK: remark: loc("model"): [Missed] LMHead | {{.*}} Suggestion="add 'model:1=fp8' to the policy", {{.*}}layer=model:1, product=fprop
// CHECK: remark: loc("model"): [Missed] LMHead | {{.*}}layer=model:1, product=dgrad
// CHECK: remark: loc("model"): [Missed] LMHead | {{.*}}layer=model:1, product=wgrad
// CHECK: remark: loc("model"): [Passed] FP8 | {{.*}}layer=model, product=wgrad
func.func @one_path(%x: tensor<64x32xf32> {te.input = "x"}, %dy: tensor<64x64xf32> {te.input = "dy"}, %w: tensor<48x32xf32> {te.param = "w"}, %v: tensor<64x48xf32> {te.param = "v"})
    -> (tensor<64x64xf32> {te.output = "y"}, tensor<64x48xf32> {te.output = "grad.v"}, tensor<48x32xf32> {te.output = "grad.w"}) {
  %m = te.matmul %x, %w {transpose_b} : tensor<64x32xf32>, tensor<48x32xf32> -> tensor<64x48xf32> loc("model")
  %n = te.matmul %m, %v {transpose_b} : tensor<64x48xf32>, tensor<64x48xf32> -> tensor<64x64xf32> loc("model")
  %dm = te.matmul %dy, %v {role = #te.role<dgrad>} : tensor<64x64xf32>, tensor<64x48xf32> -> tensor<64x48xf32> loc("model")
  %dv = te.matmul %dy, %m {role = #te.role<wgrad>, transpose_a} : tensor<64x64xf32>, tensor<64x48xf32> -> tensor<64x48xf32> loc("model")
  %dw = te.matmul %dm, %x {role = #te.role<wgrad>, transpose_a} : tensor<64x48xf32>, tensor<64x32xf32> -> tensor<48x32xf32> loc("model")
  return %n, %dv, %dw : tensor<64x64xf32>, tensor<64x48xf32>, tensor<48x32xf32>
}

// -----

// Products of two activations, and their gradients; attention scores written
// out, say. What follows from parameters alone is a weight, however computed.

// CHECK: remark: {{.*}}[Missed] NoWeight | {{.*}} Reason="it multiplies two activations: operand 1 is not computed from parameters alone, so it has no weight", Suggestion="if that operand is a weight, mark the argument that holds it with te.param"
// CHECK: remark: {{.*}}[Missed] NoWeight | {{.*}} Reason="its weight is its left operand, and the right one is computed from an input", Suggestion="write it as input times weight"
// CHECK: remark: {{.*}}[Passed] FP8 | {{.*}}layer=scaled
// CHECK: remark: {{.*}}[Passed] FP8 | {{.*}}layer=frozen
// CHECK: remark: {{.*}}[Missed] NoWeight | {{.*}} Reason="the forward product of its layer stays in high precision: it multiplies two activations: {{.*}}, product=dgrad
// CHECK: remark: {{.*}}[Missed] NoWeight | {{.*}} Reason="the forward product of its layer stays in high precision: it multiplies two activations: {{.*}}, product=wgrad
func.func @activations(%q: tensor<64x64xf32> {te.input = "q"}, %k: tensor<64x64xf32> {te.input = "k"}, %dy: tensor<64x64xf32> {te.input = "dy"},
    %w: tensor<64x64xf32> {te.param = "w"}, %gain: tensor<64x64xf32> {te.param = "gain"}) {
  %s = te.matmul %q, %k {layer = "scores", transpose_b} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("scores")
  %l = te.matmul %w, %k {transpose_b} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("left")
  %product = arith.mulf %w, %gain : tensor<64x64xf32>
  %r = te.matmul %s, %product : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("scaled")
  %constant = arith.constant dense<0.5> : tensor<64x64xf32>
  %f = te.matmul %l, %constant : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("frozen")
  %dq = te.matmul %dy, %k {layer = "scores", role = #te.role<dgrad>} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("scores")
  %dk = te.matmul %dy, %q {layer = "scores", role = #te.role<wgrad>, transpose_a} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("scores")
  %0 = te.add %r, %f : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return
}

// -----

// What would help fits the reason.

// CHECK: remark: loc("token"): [Missed] Unsupported | {{.*}} Reason="padding M=17 N=17 K=16 to multiples of 16 would more than double the work", Suggestion="give the step more tokens, a multiple of 16"
// Few tokens take no less time than 16.
// CHECK: remark: loc("few"): [Passed] FP8
// CHECK: remark: loc("features"): [Missed] Unsupported | {{.*}} Reason="padding M=16 N=3 K=16 to multiples of 16 would more than double the work", Suggestion="choose features that are multiples of 16"
// CHECK: remark: loc("sum"): [Missed] Unsupported | {{.*}} Reason="it adds to a matrix, which FP8 products cannot", Suggestion="add the matrix to its result with te.add"
// CHECK: remark: loc("columns"): [Missed] Unsupported | {{.*}} Reason="its activations are not stored one token per row", Suggestion="store the left operand as [tokens, features], without transpose_a"
// CHECK: remark: loc("columns"): [Missed] Unsupported | {{.*}} Reason="the forward product of its layer stays in high precision: its activations are not stored one token per row"
// CHECK: remark: loc("rows"): [Passed] FP8
// CHECK: remark: loc("rows"): [Missed] Unsupported | {{.*}} Reason="its activations are not stored one token per row", Suggestion="store the gradient and the input as [tokens, features], without transpose_b"
// CHECK: remark: loc("away"): [Missed] NoForward | {{.*}} Reason="the module has no forward product of its layer 'away'", Suggestion="give the products of a layer the same 'layer' attribute"
func.func @suggestions(%t: tensor<17x16xf32> {te.input = "t"}, %few: tensor<1x16xf32> {te.input = "few"}, %u: tensor<16x17xf32> {te.param = "u"}, %x: tensor<16x16xf32> {te.input = "x"}, %w: tensor<16x16xf32> {te.param = "w"}, %v: tensor<16x3xf32> {te.param = "v"}) {
  %0 = te.matmul %t, %u : tensor<17x16xf32>, tensor<16x17xf32> -> tensor<17x17xf32> loc("token")
  %f = te.matmul %few, %w : tensor<1x16xf32>, tensor<16x16xf32> -> tensor<1x16xf32> loc("few")
  %1 = te.matmul %x, %v : tensor<16x16xf32>, tensor<16x3xf32> -> tensor<16x3xf32> loc("features")
  %2 = te.matmul %x, %w addend(%x : tensor<16x16xf32>) : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("sum")
  %3 = te.matmul %x, %w {layer = "columns", transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("columns")
  %4 = te.matmul %x, %w {layer = "columns", role = #te.role<dgrad>} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("columns")
  %5 = te.matmul %x, %w {layer = "rows"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("rows")
  %6 = te.matmul %3, %x {layer = "rows", role = #te.role<wgrad>, transpose_a, transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("rows")
  %7 = te.matmul %x, %3 {layer = "away", role = #te.role<dgrad>} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("away")
  return
}

// -----

// Every contraction is spoken of, where it stands and whatever it is.

// CHECK: remark: loc("inner"): [Missed] Place | {{.*}} Reason="it stands in a region of 'test.loop', which may run it any number of times while a scale is updated once", Suggestion="move it out of the region, or unroll the loop (te-import-linalg unrolls those with known bounds)"
// CHECK: remark: loc("inner"): [Missed] NoFp8Form | {{.*}} Reason="'linalg.matmul' is a contraction that has no FP8 form", Suggestion="write it as te.matmul, run te-raise on it, or attach Fp8OpInterface to the operation"
// CHECK: remark: loc("generic"): [Missed] NoFp8Form | {{.*}} Reason="'linalg.generic' is a contraction that has no FP8 form"
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @contractions(%x: tensor<32x32xf32> {te.input = "x"}, %w: tensor<32x32xf32> {te.param = "w"}) -> tensor<32x32xf32> {
  "test.loop"() ({
    %0 = te.matmul %x, %w : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("inner")
    %1 = linalg.matmul ins(%x, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) -> tensor<32x32xf32> loc("inner")
    "test.end"() : () -> ()
  }) : () -> ()
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<32x32xf32> loc("generic")
  return %y : tensor<32x32xf32>
}

// -----

// Of a batch of products each has matrices of its own. Types that te has no
// contraction of are named, too.

// CHECK: remark: loc("scores"): [Missed] NoFp8Form | {{.*}} Reason="'linalg.batch_matmul' is a batch of 4 products, each of two matrices of its own; the FP8 form is one product of two matrices with one scale each", Suggestion="if all of them read one weight, fold the batch into the rows of one product"
// CHECK: remark: loc("heads"): [Missed] NoFp8Form | {{.*}} Reason="'linalg.generic' is a batch of 6 products,
// CHECK: remark: loc("experts"): [Missed] NoFp8Form | {{.*}} Reason="'linalg.batch_matmul' is a batch of 4 products,
// CHECK: remark: loc("half"): [Missed] NoFp8Form | {{.*}} Reason="'linalg.matmul' is a contraction that has no FP8 form: an operand is not of float32 or bfloat16"
#qa = affine_map<(b, h, m, n, k) -> (b, m, h, k)>
#qb = affine_map<(b, h, m, n, k) -> (b, n, h, k)>
#qc = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
func.func @batches(%q: tensor<4x32x16xf32> {te.input = "q"}, %k: tensor<4x16x32xf32> {te.input = "k"}, %w: tensor<4x16x32xf32> {te.param = "w"},
    %p: tensor<2x32x3x16xf32> {te.input = "p"}, %h: tensor<32x32xf16> {te.input = "h"}) {
  %z = tensor.empty() : tensor<4x32x32xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x32x16xf32>, tensor<4x16x32xf32>) outs(%z : tensor<4x32x32xf32>) -> tensor<4x32x32xf32> loc("scores")
  %e = tensor.empty() : tensor<2x3x32x32xf32>
  %g = linalg.generic {indexing_maps = [#qa, #qb, #qc], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p, %p : tensor<2x32x3x16xf32>, tensor<2x32x3x16xf32>) outs(%e : tensor<2x3x32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.mulf %x, %y : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<2x3x32x32xf32> loc("heads")
  %y = linalg.batch_matmul ins(%q, %w : tensor<4x32x16xf32>, tensor<4x16x32xf32>) outs(%z : tensor<4x32x32xf32>) -> tensor<4x32x32xf32> loc("experts")
  %i = tensor.empty() : tensor<32x32xf16>
  %f = linalg.matmul ins(%h, %h : tensor<32x32xf16>, tensor<32x32xf16>) outs(%i : tensor<32x32xf16>) -> tensor<32x32xf16> loc("half")
  return
}

// -----

// A module without any.

// CHECK: remark: {{.*}}[Missed] Nothing | {{.*}} Reason="the module has no matrix product, so nothing of it can run in FP8"
func.func @nothing(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %y = te.activation relu %x : tensor<32x32xf32> -> y tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// -----

// A function that is called does not become FP8, and so no call is left behind;
// nor does one with several blocks, or one of another module.

// CHECK: remark: {{.*}}[Missed] Place | {{.*}} Reason="its function @lin is called by @f, and scaling state enters through entries", Suggestion="run the pass 'inline' first"
// CHECK: remark: {{.*}}[Passed] FP8 | {{.*}}Function=f
// CHECK: remark: {{.*}}[Missed] Place | {{.*}} Reason="its function has several blocks", Suggestion="write the branches as selects, or the function without control flow"
// CHECK: remark: {{.*}}[Missed] Place | {{.*}} Reason="it does not stand in a function of this module"
func.func private @lin(%q: tensor<64x64xf32>, %k: tensor<64x64xf32> {te.param = "k"}) -> tensor<64x64xf32> {
  %s = te.matmul %q, %k {transpose_b} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
func.func @f(%q: tensor<64x64xf32> {te.input = "q"}, %k: tensor<64x64xf32> {te.param = "k"}) -> (tensor<64x64xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %s = call @lin(%q, %k) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = te.matmul %s, %k : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %y = te.activation tanh %t : tensor<64x64xf32> -> y tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
func.func @blocks(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) -> tensor<16x16xf32> {
  %y = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  "test.branch"()[^end] : () -> ()
^end:
  return %y : tensor<16x16xf32>
}
module @inner {
  func.func @g(%x: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}) {
    %y = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    return
  }
}
