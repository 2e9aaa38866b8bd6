// Values that many ops read, which tert-bufferize hides from its analysis. What
// it decides must not depend on how many ops read a value.
// RUN: te-opt %s --tert-bufferize --split-input-file | FileCheck %s

// All reads come first: the state is written in place.

// CHECK-LABEL: func @before(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<4xf32> {te.input = "x"}, %[[P:[^ ]*]]: memref<4xf32>
// CHECK-COUNT-9: tert.add a(%[[X]] : memref<4xf32>) b(%[[P]] : memref<4xf32>)
// CHECK-NOT:     tert.copy
// CHECK:         tert.fill -> y(%[[P]] : memref<4xf32>)
// CHECK-NOT:     tert.copy
// CHECK:         return
func.func @before(%x: tensor<4xf32> {te.input = "x"}, %p: tensor<4xf32> {te.state = "p", te.kind = "k"})
    -> (tensor<4xf32> {te.state = "p"}, tensor<f32> {te.output = "norm"}) attributes {te.entry = "train"} {
  %e0 = tensor.empty() : tensor<4xf32>
  %r0 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e0 : tensor<4xf32>)
  %e1 = tensor.empty() : tensor<4xf32>
  %r1 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e1 : tensor<4xf32>)
  %e2 = tensor.empty() : tensor<4xf32>
  %r2 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e2 : tensor<4xf32>)
  %e3 = tensor.empty() : tensor<4xf32>
  %r3 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e3 : tensor<4xf32>)
  %e4 = tensor.empty() : tensor<4xf32>
  %r4 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e4 : tensor<4xf32>)
  %e5 = tensor.empty() : tensor<4xf32>
  %r5 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e5 : tensor<4xf32>)
  %e6 = tensor.empty() : tensor<4xf32>
  %r6 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e6 : tensor<4xf32>)
  %e7 = tensor.empty() : tensor<4xf32>
  %r7 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e7 : tensor<4xf32>)
  %e8 = tensor.empty() : tensor<4xf32>
  %r8 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e8 : tensor<4xf32>)
  %new = tert.fill -> y(%p : tensor<4xf32>) {value = 1.0 : f64}
  %n0 = tensor.empty() : tensor<f32>
  %norm = tert.global_norm gradients(%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> norm(%n0 : tensor<f32>)
  return %new, %norm : tensor<4xf32>, tensor<f32>
}

// -----

// One read comes later: the new value is made elsewhere, and copied when the old
// one is no longer needed.

// CHECK-LABEL: func @after(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<4xf32> {te.input = "x"}, %[[P:[^ ]*]]: memref<4xf32>
// CHECK-COUNT-9: tert.add a(%[[X]] : memref<4xf32>) b(%[[P]] : memref<4xf32>)
// CHECK:         tert.fill -> y(%[[NEW:[^ ]*]] : memref<4xf32>)
// CHECK:         tert.add a(%[[X]] : memref<4xf32>) b(%[[P]] : memref<4xf32>)
// CHECK:         tert.copy x(%[[NEW]] : memref<4xf32>) -> y(%[[P]] : memref<4xf32>)
// CHECK:         return
func.func @after(%x: tensor<4xf32> {te.input = "x"}, %p: tensor<4xf32> {te.state = "p", te.kind = "k"})
    -> (tensor<4xf32> {te.state = "p"}, tensor<f32> {te.output = "norm"}) attributes {te.entry = "train"} {
  %e0 = tensor.empty() : tensor<4xf32>
  %r0 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e0 : tensor<4xf32>)
  %e1 = tensor.empty() : tensor<4xf32>
  %r1 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e1 : tensor<4xf32>)
  %e2 = tensor.empty() : tensor<4xf32>
  %r2 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e2 : tensor<4xf32>)
  %e3 = tensor.empty() : tensor<4xf32>
  %r3 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e3 : tensor<4xf32>)
  %e4 = tensor.empty() : tensor<4xf32>
  %r4 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e4 : tensor<4xf32>)
  %e5 = tensor.empty() : tensor<4xf32>
  %r5 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e5 : tensor<4xf32>)
  %e6 = tensor.empty() : tensor<4xf32>
  %r6 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e6 : tensor<4xf32>)
  %e7 = tensor.empty() : tensor<4xf32>
  %r7 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e7 : tensor<4xf32>)
  %e8 = tensor.empty() : tensor<4xf32>
  %r8 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e8 : tensor<4xf32>)
  %new = tert.fill -> y(%p : tensor<4xf32>) {value = 1.0 : f64}
  %e9 = tensor.empty() : tensor<4xf32>
  %r9 = tert.add a(%x : tensor<4xf32>) b(%p : tensor<4xf32>) -> y(%e9 : tensor<4xf32>)
  %n0 = tensor.empty() : tensor<f32>
  %norm = tert.global_norm gradients(%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> norm(%n0 : tensor<f32>)
  return %new, %norm : tensor<4xf32>, tensor<f32>
}

// -----

// The same for a value that an op made in the state's buffer: the state's next
// value may not be written there while the first is read.

// CHECK-LABEL: func @made(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<4xf32> {te.input = "x"}, %[[P:[^ ]*]]: memref<4xf32>
// CHECK:         tert.fill -> y(%[[FIRST:[^ ]*]] : memref<4xf32>)
// CHECK-COUNT-9: tert.add a(%[[X]] : memref<4xf32>) b(%[[FIRST]] : memref<4xf32>)
// CHECK:         tert.fill -> y(%[[SECOND:[^ ]*]] : memref<4xf32>)
// CHECK-NOT:     y(%[[FIRST]] :
// CHECK:         tert.add a(%[[X]] : memref<4xf32>) b(%[[FIRST]] : memref<4xf32>)
// CHECK:         return
func.func @made(%x: tensor<4xf32> {te.input = "x"}, %p: tensor<4xf32> {te.state = "p", te.kind = "k"})
    -> (tensor<4xf32> {te.state = "p"}, tensor<f32> {te.output = "norm"}) attributes {te.entry = "train"} {
  %first = tert.fill -> y(%p : tensor<4xf32>) {value = 1.0 : f64}
  %e0 = tensor.empty() : tensor<4xf32>
  %r0 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e0 : tensor<4xf32>)
  %e1 = tensor.empty() : tensor<4xf32>
  %r1 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e1 : tensor<4xf32>)
  %e2 = tensor.empty() : tensor<4xf32>
  %r2 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e2 : tensor<4xf32>)
  %e3 = tensor.empty() : tensor<4xf32>
  %r3 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e3 : tensor<4xf32>)
  %e4 = tensor.empty() : tensor<4xf32>
  %r4 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e4 : tensor<4xf32>)
  %e5 = tensor.empty() : tensor<4xf32>
  %r5 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e5 : tensor<4xf32>)
  %e6 = tensor.empty() : tensor<4xf32>
  %r6 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e6 : tensor<4xf32>)
  %e7 = tensor.empty() : tensor<4xf32>
  %r7 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e7 : tensor<4xf32>)
  %e8 = tensor.empty() : tensor<4xf32>
  %r8 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e8 : tensor<4xf32>)
  %new = tert.fill -> y(%p : tensor<4xf32>) {value = 2.0 : f64}
  %e9 = tensor.empty() : tensor<4xf32>
  %r9 = tert.add a(%x : tensor<4xf32>) b(%first : tensor<4xf32>) -> y(%e9 : tensor<4xf32>)
  %n0 = tensor.empty() : tensor<f32>
  %norm = tert.global_norm gradients(%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> norm(%n0 : tensor<f32>)
  return %new, %norm : tensor<4xf32>, tensor<f32>
}

// -----

// Slices of a state, as every layer takes them of the scales.

// CHECK-LABEL: func @slices(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<4xf32> {te.input = "x"}, %[[P:[^ ]*]]: memref<4xf32>
// CHECK-COUNT-9: tert.add a(%[[X]] : memref<4xf32>) b(%{{.*}} : memref<2xf32, strided<[1], offset: 2>>)
// CHECK-NOT:     tert.copy
// CHECK:         tert.fill -> y(%[[P]] : memref<4xf32>)
// CHECK-NOT:     tert.copy
// CHECK:         return
func.func @slices(%x: tensor<4xf32> {te.input = "x"}, %p: tensor<4xf32> {te.state = "p", te.kind = "k"})
    -> (tensor<4xf32> {te.state = "p"}, tensor<f32> {te.output = "norm"}) attributes {te.entry = "train"} {
  %s0 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e0 = tensor.empty() : tensor<4xf32>
  %r0 = tert.add a(%x : tensor<4xf32>) b(%s0 : tensor<2xf32>) -> y(%e0 : tensor<4xf32>)
  %s1 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %r1 = tert.add a(%x : tensor<4xf32>) b(%s1 : tensor<2xf32>) -> y(%e1 : tensor<4xf32>)
  %s2 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %r2 = tert.add a(%x : tensor<4xf32>) b(%s2 : tensor<2xf32>) -> y(%e2 : tensor<4xf32>)
  %s3 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e3 = tensor.empty() : tensor<4xf32>
  %r3 = tert.add a(%x : tensor<4xf32>) b(%s3 : tensor<2xf32>) -> y(%e3 : tensor<4xf32>)
  %s4 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %r4 = tert.add a(%x : tensor<4xf32>) b(%s4 : tensor<2xf32>) -> y(%e4 : tensor<4xf32>)
  %s5 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e5 = tensor.empty() : tensor<4xf32>
  %r5 = tert.add a(%x : tensor<4xf32>) b(%s5 : tensor<2xf32>) -> y(%e5 : tensor<4xf32>)
  %s6 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e6 = tensor.empty() : tensor<4xf32>
  %r6 = tert.add a(%x : tensor<4xf32>) b(%s6 : tensor<2xf32>) -> y(%e6 : tensor<4xf32>)
  %s7 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e7 = tensor.empty() : tensor<4xf32>
  %r7 = tert.add a(%x : tensor<4xf32>) b(%s7 : tensor<2xf32>) -> y(%e7 : tensor<4xf32>)
  %s8 = tensor.extract_slice %p[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %e8 = tensor.empty() : tensor<4xf32>
  %r8 = tert.add a(%x : tensor<4xf32>) b(%s8 : tensor<2xf32>) -> y(%e8 : tensor<4xf32>)
  %new = tert.fill -> y(%p : tensor<4xf32>) {value = 1.0 : f64}
  %n0 = tensor.empty() : tensor<f32>
  %norm = tert.global_norm gradients(%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    -> norm(%n0 : tensor<f32>)
  return %new, %norm : tensor<4xf32>, tensor<f32>
}
