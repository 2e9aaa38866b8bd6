// States that sum over microbatches are added to where they lie, and filled
// with zeros there when the step has read them.
// RUN: te-opt %s --te-to-tert --tert-bufferize | FileCheck %s

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: memref<32x16xf32> {te.input = "dy"}
// CHECK-SAME: %[[W:[a-z0-9]+]]: memref<16x16xf32> {te.kind = "gradient", te.state = "grad.w"}
// CHECK-SAME: %[[V:[a-z0-9]+]]: memref<16x16xf32> {te.kind = "gradient", te.state = "grad.v"}
// CHECK-SAME: %[[B:[a-z0-9]+]]: memref<16xf32> {te.kind = "gradient", te.state = "grad.b"}
// CHECK-SAME: %[[U:[a-z0-9]+]]: memref<16x16xf32> {te.kind = "gradient", te.state = "grad.u"}
// CHECK-NOT: memref.alloc()
// CHECK-DAG: tert.matmul a(%[[DY]] : {{.*}} -> d(%[[W]] : memref<16x16xf32>) {add_to_d, transpose_a}
// CHECK-DAG: tert.scaled_matmul {{.*}} addend(%[[V]] : memref<16x16xf32>) -> d(%[[V]] : memref<16x16xf32>)
// CHECK-DAG: %[[ROW:.*]] = memref.expand_shape %[[B]]
// CHECK: tert.add a(%[[ROW]] : memref<1x16xf32>) b({{.*}}) -> y(%[[ROW]] : memref<1x16xf32>)
// CHECK: tert.add a(%[[U]] : memref<16x16xf32>) b({{.*}}) -> y(%[[U]] : memref<16x16xf32>)
// CHECK-NOT: tert.copy
// CHECK: return
func.func @accumulate(%dy: tensor<32x16xf32> {te.input = "dy"}, %q: tensor<16x32xf8E4M3FN> {te.input = "q"}, %s: tensor<f32> {te.input = "s"},
    %db: tensor<16xf32> {te.input = "db"}, %du: tensor<16x16xf32> {te.input = "du"},
    %w: tensor<16x16xf32> {te.kind = "gradient", te.state = "grad.w"}, %v: tensor<16x16xf32> {te.kind = "gradient", te.state = "grad.v"},
    %b: tensor<16xf32> {te.kind = "gradient", te.state = "grad.b"}, %u: tensor<16x16xf32> {te.kind = "gradient", te.state = "grad.u"})
    -> (tensor<16x16xf32> {te.state = "grad.w"}, tensor<16x16xf32> {te.state = "grad.v"}, tensor<16xf32> {te.state = "grad.b"}, tensor<16x16xf32> {te.state = "grad.u"})
    attributes {te.entry = "accumulate"} {
  %w1 = te.matmul %dy, %dy addend(%w : tensor<16x16xf32>) {role = #te.role<wgrad>, transpose_a}
    : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<16x16xf32>
  %v1 = te.scaled_matmul %q, %q scales(%s, %s) addend(%v : tensor<16x16xf32>) {layer = "fc", role = #te.role<wgrad>}
    : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  %brow = tensor.expand_shape %b [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %dbrow = tensor.expand_shape %db [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
  %b1row = te.add %brow, %dbrow : tensor<1x16xf32>, tensor<1x16xf32> -> tensor<1x16xf32>
  %b1 = tensor.collapse_shape %b1row [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
  %u1 = te.add %u, %du : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return %w1, %v1, %b1, %u1 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16x16xf32>
}

// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[P:[a-z0-9]+]]: memref<16x16xf32> {te.param = "w"}
// CHECK-SAME: %[[G:[a-z0-9]+]]: memref<16x16xf32> {te.kind = "gradient", te.state = "grad.w"}
// CHECK-NOT: memref.alloc() {{.*}}memref<16x16xf32>
// CHECK: tert.add a(%[[G]] : {{.*}} -> y(%[[G]] :
// CHECK: tert.update gradients(%[[G]] :
// CHECK: tert.fill -> y(%[[G]] : memref<16x16xf32>) {value = 0.000000e+00 : f64}
// CHECK-NOT: tert.copy
// CHECK: return
func.func @train(%dw: tensor<16x16xf32> {te.input = "dw"}, %c: tensor<f32> {te.scalar = "c"}, %step: tensor<i64> {te.input = "step"},
    %w: tensor<16x16xf32> {te.param = "w"}, %g: tensor<16x16xf32> {te.kind = "gradient", te.state = "grad.w"})
    -> (tensor<16x16xf32> {te.param = "w"}, tensor<16x16xf32> {te.state = "grad.w"}) attributes {te.entry = "train"} {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = te.add %g, %dw : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%sum) coefficient(%c) scalars(%c, %c) step(%step) {decay} : tensor<16x16xf32>, tensor<16x16xf32>
  return %w1, %zero : tensor<16x16xf32>, tensor<16x16xf32>
}

// A state that is read when it is full again keeps a buffer for its old value.
// CHECK-LABEL: func.func @late(
// CHECK-SAME: %[[G:[a-z0-9]+]]: memref<16x16xf32> {te.kind = "gradient", te.state = "g"}, %[[Y:[a-z0-9]+]]: memref<16x16xf32> {te.output = "y"}
// CHECK: tert.copy x(%[[G]] : memref<16x16xf32>) -> y(%[[Y]] : memref<16x16xf32>)
// CHECK: tert.fill -> y(%[[G]] : memref<16x16xf32>)
func.func @late(%g: tensor<16x16xf32> {te.kind = "gradient", te.state = "g"})
    -> (tensor<16x16xf32> {te.output = "y"}, tensor<16x16xf32> {te.state = "g"}) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  return %g, %zero : tensor<16x16xf32>, tensor<16x16xf32>
}

// The gradient of a weight from the first rows is added to where it lies.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[W:[a-z0-9]+]]: memref<16x16xf32> {te.output = "w"}
// CHECK-NOT: memref.alloc()
// CHECK: tert.scaled_matmul a(%{{.*}} -> d(%[[W]] : memref<16x16xf32>)
// CHECK: tert.scaled_matmul {{.*}} addend(%[[W]] : memref<16x16xf32>) -> d(%[[W]] : memref<16x16xf32>)
// CHECK: tert.scaled_matmul {{.*}} addend(%[[W]] : memref<16x16xf32>) -> d(%[[W]] : memref<16x16xf32>)
// CHECK-NOT: tert.copy
// CHECK: return
func.func @slices(%q: tensor<16x32xf8E4M3FN> {te.input = "q"}, %s: tensor<f32> {te.input = "s"}) -> (tensor<16x16xf32> {te.output = "w"}) {
  %w0 = te.scaled_matmul %q, %q scales(%s, %s) {layer = "fc", role = #te.role<wgrad>} : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  %w1 = te.scaled_matmul %q, %q scales(%s, %s) addend(%w0 : tensor<16x16xf32>) {layer = "fc", role = #te.role<wgrad>} : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  %w2 = te.scaled_matmul %q, %q scales(%s, %s) addend(%w1 : tensor<16x16xf32>) {layer = "fc", role = #te.role<wgrad>} : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  return %w2 : tensor<16x16xf32>
}

// But not if it is read again.
// CHECK-LABEL: func.func @read_again(
// CHECK-SAME: %[[W0:[a-z0-9]+]]: memref<16x16xf32> {te.output = "w0"}, %[[W1:[a-z0-9]+]]: memref<16x16xf32> {te.output = "w1"}
// CHECK: tert.scaled_matmul a(%{{.*}} -> d(%[[W0]] : memref<16x16xf32>)
// CHECK: tert.scaled_matmul {{.*}} addend(%[[W0]] : memref<16x16xf32>) -> d(%[[W1]] : memref<16x16xf32>)
// CHECK-NOT: tert.copy
func.func @read_again(%q: tensor<16x32xf8E4M3FN> {te.input = "q"}, %s: tensor<f32> {te.input = "s"})
    -> (tensor<16x16xf32> {te.output = "w0"}, tensor<16x16xf32> {te.output = "w1"}) {
  %w0 = te.scaled_matmul %q, %q scales(%s, %s) {layer = "fc", role = #te.role<wgrad>} : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  %w1 = te.scaled_matmul %q, %q scales(%s, %s) addend(%w0 : tensor<16x16xf32>) {layer = "fc", role = #te.role<wgrad>} : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  return %w0, %w1 : tensor<16x16xf32>, tensor<16x16xf32>
}
