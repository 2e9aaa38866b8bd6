// Gradients of pointwise arithmetic and of linalg.generic: against central
// differences, in float64 on a reference evaluator that shares nothing with the
// rules, and as IR.

// RUN: te-test-opt %s --split-input-file --te-fuse-elementwise --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp -o /dev/null | FileCheck %s --check-prefix=NUMBERS
// RUN: te-opt %s --split-input-file --te-fuse-elementwise --te-differentiate="entries=vjp loss=none" --te-fuse-elementwise | FileCheck %s

// Every rule.
// CHECK-LABEL: func.func @vjp(%arg0: tensor<3x5xf32>
// NUMBERS: 2 gradients agree
func.func @forward(%x: tensor<3x5xf32> {te.input = "x"}, %y: tensor<3x5xf32> {te.input = "y"}) -> (
    tensor<3x5xf32> {te.output = "o0"},
    tensor<3x5xf32> {te.output = "o1"},
    tensor<3x5xf32> {te.output = "o2"},
    tensor<3x5xf32> {te.output = "o3"},
    tensor<3x5xf32> {te.output = "o4"},
    tensor<3x5xf32> {te.output = "o5"},
    tensor<3x5xf32> {te.output = "o6"},
    tensor<3x5xf32> {te.output = "o7"},
    tensor<3x5xf32> {te.output = "o8"},
    tensor<3x5xf32> {te.output = "o9"},
    tensor<3x5xf32> {te.output = "o10"},
    tensor<3x5xf32> {te.output = "o11"},
    tensor<3x5xf32> {te.output = "o12"},
    tensor<3x5xf32> {te.output = "o13"},
    tensor<3x5xf32> {te.output = "o14"},
    tensor<3x5xf32> {te.output = "o15"},
    tensor<3x5xf32> {te.output = "o16"},
    tensor<3x5xf32> {te.output = "o17"},
    tensor<3x5xf32> {te.output = "o18"},
    tensor<3x5xf32> {te.output = "o19"},
    tensor<3x5xf32> {te.output = "o20"},
    tensor<3x5xf32> {te.output = "o21"},
    tensor<3x5xf32> {te.output = "o22"},
    tensor<3x5xf32> {te.output = "o23"},
    tensor<3x5xf32> {te.output = "o24"},
    tensor<3x5xf32> {te.output = "o25"},
    tensor<3x5xf32> {te.output = "o26"},
    tensor<3x5xf32> {te.output = "o27"}) {
  // Positive for logarithms, and far from where a function has a kink.
  %half = arith.constant dense<0.5> : tensor<3x5xf32>
  %xx = arith.mulf %x, %x : tensor<3x5xf32>
  %p = arith.addf %xx, %half : tensor<3x5xf32>
  %yy = arith.mulf %y, %y : tensor<3x5xf32>
  %q = arith.addf %yy, %half : tensor<3x5xf32>
  %u0 = math.absf %x : tensor<3x5xf32>
  %u1 = math.cos %x : tensor<3x5xf32>
  %u2 = math.cosh %x : tensor<3x5xf32>
  %u3 = math.erf %x : tensor<3x5xf32>
  %u4 = math.exp %x : tensor<3x5xf32>
  %u5 = math.exp2 %x : tensor<3x5xf32>
  %u6 = math.expm1 %x : tensor<3x5xf32>
  %u7 = math.log %p : tensor<3x5xf32>
  %u8 = math.log1p %p : tensor<3x5xf32>
  %u9 = math.log2 %p : tensor<3x5xf32>
  %u10 = math.rsqrt %p : tensor<3x5xf32>
  %u11 = math.sin %x : tensor<3x5xf32>
  %u12 = math.sinh %x : tensor<3x5xf32>
  %u13 = math.sqrt %p : tensor<3x5xf32>
  %u14 = math.tanh %x : tensor<3x5xf32>
  %u15 = arith.negf %x : tensor<3x5xf32>
  %u16 = math.floor %x : tensor<3x5xf32>
  %b0 = arith.addf %x, %p : tensor<3x5xf32>
  %b1 = arith.subf %x, %p : tensor<3x5xf32>
  %b2 = arith.mulf %x, %p : tensor<3x5xf32>
  %b3 = arith.divf %x, %p : tensor<3x5xf32>
  %b4 = arith.maximumf %x, %p : tensor<3x5xf32>
  %b5 = arith.minimumf %x, %p : tensor<3x5xf32>
  %b9 = arith.divf %y, %q : tensor<3x5xf32>
  %pw = math.powf %p, %y : tensor<3x5xf32>
  %fm = math.fma %x, %y, %p : tensor<3x5xf32>
  %c = arith.cmpf ogt, %x, %y : tensor<3x5xf32>
  %se = arith.select %c, %p, %y : tensor<3x5xi1>, tensor<3x5xf32>
  %cs = math.copysign %p, %y : tensor<3x5xf32>
  return %u0, %u1, %u2, %u3, %u4, %u5, %u6, %u7, %u8, %u9, %u10, %u11, %u12, %u13, %u14, %u15, %u16, %b0, %b1, %b2, %b3, %b4, %b5, %b9, %pw, %fm, %se, %cs : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
}

// -----

// Broadcast operands, transposed ones, and one that a loop repeats: the sum over
// what they lack is a te.column_sum for each dimension.
// NUMBERS: 6 gradients agree
// CHECK-LABEL: func.func @vjp(%arg0: tensor<2x3x4xf32>
// One op for all cotangents.
// CHECK:     linalg.generic
// CHECK:     linalg.generic
// CHECK-NOT: linalg.generic
// CHECK:     te.column_sum %{{.*}} : tensor<2x12xf32> -> tensor<12xf32>
// CHECK:     te.column_sum %{{.*}} : tensor<3x4xf32> -> tensor<4xf32>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>
#first = affine_map<(d0, d1, d2) -> (d0)>
#swapped = affine_map<(d0, d1, d2) -> (d2, d1)>
#one = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#scalar = affine_map<(d0, d1, d2) -> ()>
func.func @forward(%x: tensor<2x3x4xf32> {te.input = "x"}, %b: tensor<4xf32> {te.input = "b"}, %k: tensor<2xf32> {te.input = "k"},
                   %t: tensor<4x3xf32> {te.input = "t"}, %o: tensor<2x1x4xf32> {te.input = "o"}, %s: tensor<f32> {te.input = "s"})
    -> (tensor<2x3x4xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %y = linalg.generic {indexing_maps = [#id, #last, #first, #swapped, #one, #scalar, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b, %k, %t, %o, %s : tensor<2x3x4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4x3xf32>, tensor<2x1x4xf32>, tensor<f32>)
      outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %bias: f32, %factor: f32, %phase: f32, %rest: f32, %all: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.mulf %0, %factor : f32
    %2 = math.sin %phase : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %rest, %rest : f32
    %5 = arith.addf %3, %4 : f32
    %6 = arith.mulf %5, %all : f32
    linalg.yield %6 : f32
  } -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// A sum over the rows' squares, and the norm made with it: sums are
// differentiated, and what they start from is passed on.
// NUMBERS: 2 gradients agree
// CHECK-LABEL: func.func @vjp(%arg0: tensor<4x6xf32>
// CHECK:     "reduction"
// CHECK-NOT: "reduction"
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}, %start: tensor<4xf32> {te.input = "start"}) -> (tensor<4x6xf32> {te.output = "y"}) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%in: f32, %old: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %0, %old : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %moved = arith.addf %sum, %two : tensor<4xf32>
  %r = math.rsqrt %moved : tensor<4xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %wide = linalg.broadcast ins(%r : tensor<4xf32>) outs(%e : tensor<4x6xf32>) dimensions = [1]
  %y = arith.mulf %x, %wide : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// A power of a whole number, loop counters, and an operand that only decides.
// CHECK-LABEL: func.func @vjp(%arg0: tensor<7xf32>
// NUMBERS: 2 gradients agree
#v = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<7xf32> {te.input = "x"}, %d: tensor<7xf32> {te.input = "d"}) -> (tensor<7xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<7xf32>
  %y = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]}
      ins(%x, %d : tensor<7xf32>, tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%in: f32, %decides: f32, %out: f32):
    %three = arith.constant 3 : i32
    %zero = arith.constant 0.0 : f32
    %0 = math.fpowi %in, %three : f32, i32
    %1 = arith.cmpf oge, %decides, %zero : f32
    %2 = arith.select %1, %0, %in : f32
    linalg.yield %2 : f32
  } -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

// What passes a cotangent on unchanged needs no kernel.
// CHECK-LABEL: func.func @vjp(%arg0: tensor<4x8xf32>
// CHECK-SAME:    %[[DY:[a-z0-9]+]]: tensor<4x8xf32> {te.input = "cotangent.y"}
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return %{{.*}}, %[[DY]], %{{.*}}
// NUMBERS: 2 gradients agree
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @forward(%x: tensor<4x8xf32> {te.input = "x"}, %b: tensor<8xf32> {te.input = "b"}) -> (tensor<4x8xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// The largest element of a row takes its cotangent; equal ones would share it.
// CHECK-LABEL: func.func @vjp(%arg0: tensor<4x6xf32>
// CHECK: arith.maximumf
// CHECK: arith.cmpf oeq
// NUMBERS: 1 gradients agree
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "largest"}, tensor<6xf32> {te.output = "smallest"}) {
  %low = arith.constant dense<0xFF800000> : tensor<4xf32>
  %largest = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%low : tensor<4xf32>) {
  ^bb0(%in: f32, %old: f32):
    %0 = arith.maximumf %in, %old : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %high = arith.constant dense<0x7F800000> : tensor<6xf32>
  %smallest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%high : tensor<6xf32>) {
  ^bb0(%in: f32, %old: f32):
    %0 = arith.minimumf %old, %in : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  return %largest, %smallest : tensor<4xf32>, tensor<6xf32>
}

// -----

// What a softmax subtracts for range alone says that it counts as constant: no
// kernel counts the largest elements.
// CHECK-LABEL: func.func @vjp(%arg0: tensor<4x6xf32>
// CHECK-NOT: arith.constant 1.000000e+00
// NUMBERS: 1 gradients agree
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}) -> (tensor<4x6xf32> {te.output = "y"}) {
  %low = arith.constant dense<0xFF800000> : tensor<4xf32>
  %largest = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%low : tensor<4xf32>) attrs = {te.constant} {
  ^bb0(%in: f32, %old: f32):
    %0 = arith.maximumf %in, %old : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %e0 = tensor.empty() : tensor<4x6xf32>
  %shift = linalg.broadcast ins(%largest : tensor<4xf32>) outs(%e0 : tensor<4x6xf32>) dimensions = [1]
  %shifted = arith.subf %x, %shift : tensor<4x6xf32>
  %exp = math.exp %shifted : tensor<4x6xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<4x6xf32>) outs(%zero : tensor<4xf32>) {
  ^bb0(%in: f32, %old: f32):
    %0 = arith.addf %in, %old : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %whole = linalg.broadcast ins(%sum : tensor<4xf32>) outs(%e0 : tensor<4x6xf32>) dimensions = [1]
  %y = arith.divf %exp, %whole : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
