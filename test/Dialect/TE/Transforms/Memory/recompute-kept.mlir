// RUN: te-opt %s --te-recompute | FileCheck %s

// What is repeated, and what is not, in functions that differ in how %a is made
// of %x, and in who else reads it. The backward pass begins with the large
// product %f and reads %a at its end.

shard.grid @mesh(shape = 2)

// CHECK-LABEL: func.func @plain(
// CHECK: %[[F:.*]] = te.matmul {{.*}} -> tensor<64x512xf32>
// CHECK: %[[DZ:.*]] = te.matmul %[[F]]
// CHECK-NEXT: %[[H:.*]] = te.matmul %arg0, %arg1 {te.recomputed, transpose_b}
// CHECK-NEXT: %[[A:.*]] = te.activation gelu_tanh %[[H]] {te.recomputed}
// CHECK-NEXT: te.matmul %[[DZ]], %[[A]]
func.func @plain(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd : tensor<64x32xf32>, tensor<32x128xf32>
}

// A value that a region captures is read where it is made again.
// CHECK-LABEL: func.func @captured(
// CHECK: %[[H:.*]] = te.matmul %arg0, %arg1 {te.recomputed, transpose_b}
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty
// CHECK-NEXT: %[[A:.*]] = linalg.generic {{.*}} outs(%[[EMPTY]]
// CHECK: tensor.extract %[[H]][
// CHECK: te.matmul %{{.*}}, %[[A]] {role = #te.role<wgrad>
func.func @captured(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %empty = tensor.empty() : tensor<64x128xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<64x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %h[%i, %j] : tensor<64x128xf32>
    %w = arith.addf %v, %v : f32
    linalg.yield %w : f32
  } -> tensor<64x128xf32>
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd : tensor<64x32xf32>, tensor<32x128xf32>
}

// What ranks do together, they would have to do again together.
// CHECK-LABEL: func.func @collective(
// CHECK-NOT: te.recomputed
func.func @collective(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = shard.all_reduce %h on @mesh grid_axes = [0] : tensor<64x128xf32> -> tensor<64x128xf32>
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd : tensor<64x32xf32>, tensor<32x128xf32>
}

// CHECK-LABEL: func.func @called(
// CHECK-NOT: te.recomputed
func.func private @made(tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @called(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = func.call @made(%h) : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd : tensor<64x32xf32>, tensor<32x128xf32>
}

// CHECK-LABEL: func.func @loop(
// CHECK-NOT: te.recomputed
func.func @loop(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %a = scf.for %i = %zero to %two step %one iter_args(%old = %h) -> tensor<64x128xf32> {
    %new = te.activation gelu_tanh %old : tensor<64x128xf32> -> y tensor<64x128xf32>
    scf.yield %new : tensor<64x128xf32>
  }
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd : tensor<64x32xf32>, tensor<32x128xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK-NOT: te.recomputed
func.func @branch(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %first = tensor.extract_slice %x[0, 0] [1, 1] [1, 1] : tensor<64x32xf32> to tensor<1x1xf32>
  %zero = arith.constant 0 : index
  %value = tensor.extract %first[%zero, %zero] : tensor<1x1xf32>
  %limit = arith.constant 0.0 : f32
  %isPositive = arith.cmpf ogt, %value, %limit : f32
  %a = scf.if %isPositive -> tensor<64x128xf32> {
    %other = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
    scf.yield %other : tensor<64x128xf32>
  } else {
    scf.yield %h : tensor<64x128xf32>
  }
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd : tensor<64x32xf32>, tensor<32x128xf32>
}

// An output is there until the end.
// CHECK-LABEL: func.func @output(
// CHECK-NOT: te.recomputed
func.func @output(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<64x128xf32> {te.output = "a"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %a, %gd : tensor<64x32xf32>, tensor<64x128xf32>, tensor<32x128xf32>
}

// A state is made of the values of the first time, as is what decides about an
// update.
// CHECK-LABEL: func.func @state(
// CHECK: %[[OLD:.*]] = te.activation gelu_tanh %{{[^ ]*}} :
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %arg4
// CHECK: %[[A:.*]] = te.activation gelu_tanh %{{.*}} {te.recomputed}
// CHECK: te.matmul %{{.*}}, %[[A]] {role = #te.role<wgrad>
// CHECK: return %{{.*}}, %{{.*}}, %[[NEW]] :
func.func @state(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"},
    %d: tensor<32x128xf32> {te.param = "d"}, %e: tensor<512x32xf32> {te.param = "e"},
    %old: tensor<64x128xf32> {te.init = 0.0 : f32, te.kind = "buffer", te.state = "old"})
    -> (tensor<64x32xf32> {te.output = "y"}, tensor<32x128xf32> {te.gradient = "d", te.output = "grad.d"},
        tensor<64x128xf32> {te.kind = "buffer", te.state = "old"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
  %new = arith.addf %a, %old : tensor<64x128xf32>
  %y = te.matmul %a, %d {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %f = te.matmul %y, %e {role = #te.role<dgrad>, transpose_b} : tensor<64x32xf32>, tensor<512x32xf32> -> tensor<64x512xf32>
  %dz = te.matmul %f, %e {role = #te.role<dgrad>} : tensor<64x512xf32>, tensor<512x32xf32> -> tensor<64x32xf32>
  %gd = te.matmul %dz, %a {role = #te.role<wgrad>, transpose_a} : tensor<64x32xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  return %y, %gd, %new : tensor<64x32xf32>, tensor<32x128xf32>, tensor<64x128xf32>
}

// CHECK-LABEL: func.func @no_backward(
// CHECK-NOT: te.recomputed
func.func @no_backward(%x: tensor<64x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"})
    -> (tensor<64x128xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
  return %a : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @no_rows(
// CHECK-NOT: te.recomputed
func.func @no_rows(%x: tensor<0x32xf32> {te.input = "x"}, %u: tensor<128x32xf32> {te.param = "u"})
    -> (tensor<0x128xf32> {te.output = "y"}, tensor<128x128xf32> {te.gradient = "u", te.output = "grad.u"}) attributes {te.entry = "grad"} {
  %h = te.matmul %x, %u {transpose_b} : tensor<0x32xf32>, tensor<128x32xf32> -> tensor<0x128xf32>
  %a = te.activation gelu_tanh %h : tensor<0x128xf32> -> y tensor<0x128xf32>
  %g = te.matmul %h, %h {role = #te.role<wgrad>, transpose_a} : tensor<0x128xf32>, tensor<0x128xf32> -> tensor<128x128xf32>
  return %a, %g : tensor<0x128xf32>, tensor<128x128xf32>
}
