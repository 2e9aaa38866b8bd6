// RUN: te-opt %s --tert-async-collectives=least-microseconds=0 | FileCheck %s
// RUN: te-opt %s --tert-bucket-collectives --tert-async-collectives=least-microseconds=0 | FileCheck %s --check-prefix=JOIN

// What is scattered may be read beside it, not written, and what it becomes is not
// touched. The await says that both are in use.
// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT: tert.collective reduce_scatter async x(%[[X:.*]] : memref<4xf32>) -> y(%[[Y:.*]] : memref<2xf32>) {axes = 1 : i32}
// CHECK-NEXT: tert.amax x(%[[X]]
// CHECK-NEXT: tert.await -> tensors(%[[X]], %[[Y]] : memref<4xf32>, memref<2xf32>)
// CHECK-NEXT: tert.fill -> y(%[[X]]
// CHECK-NEXT: tert.amax x(%[[Y]]
func.func @scatter(%x: memref<4xf32>, %y: memref<2xf32>, %a: memref<f32>) {
  tert.collective reduce_scatter x(%x : memref<4xf32>) -> y(%y : memref<2xf32>) {axes = 1 : i32}
  tert.amax x(%x : memref<4xf32>) -> amax(%a : memref<f32>)
  tert.fill -> y(%x : memref<4xf32>) {value = 0.0 : f64}
  tert.amax x(%y : memref<2xf32>) -> amax(%a : memref<f32>)
  return
}

// CHECK-LABEL: func.func @gather(
// CHECK-NEXT: tert.collective all_gather async x(%[[X:.*]] : memref<2xf8E4M3FN>) -> y(%[[Y:.*]] : memref<4xf8E4M3FN>) {axes = 1 : i32}
// CHECK-NEXT: tert.fill
// CHECK-NEXT: tert.await -> tensors(%[[X]], %[[Y]]
// CHECK-NEXT: tert.copy x(%[[Y]]
func.func @gather(%x: memref<2xf8E4M3FN>, %y: memref<4xf8E4M3FN>, %z: memref<4xf8E4M3FN>, %a: memref<f32>) {
  tert.collective all_gather x(%x : memref<2xf8E4M3FN>) -> y(%y : memref<4xf8E4M3FN>) {axes = 1 : i32}
  tert.fill -> y(%a : memref<f32>) {value = 0.0 : f64}
  tert.copy x(%y : memref<4xf8E4M3FN>) -> y(%z : memref<4xf8E4M3FN>)
  return
}

// Two are under way; the third waits for the first, whose gradient's memory is free
// then.
// CHECK-LABEL: func.func @three(
// CHECK-NEXT: tert.collective reduce_scatter async x(%[[A:.*]] : memref<4xf32>) -> y(%[[P:.*]] : memref<2xf32>)
// CHECK-NEXT: tert.fill
// CHECK-NEXT: tert.collective reduce_scatter async
// CHECK-NEXT: tert.fill
// CHECK-NEXT: tert.await -> tensors(%[[A]], %[[P]]
// CHECK-NEXT: tert.collective reduce_scatter async
// CHECK-NEXT: tert.fill
// CHECK-NEXT: tert.await
// CHECK-NEXT: tert.await
// CHECK-NEXT: tert.global_norm
func.func @three(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %p: memref<2xf32>, %q: memref<2xf32>, %r: memref<2xf32>, %n: memref<f32>) {
  tert.collective reduce_scatter x(%a : memref<4xf32>) -> y(%p : memref<2xf32>) {axes = 1 : i32}
  tert.fill -> y(%n : memref<f32>) {value = 0.0 : f64}
  tert.collective reduce_scatter x(%b : memref<4xf32>) -> y(%q : memref<2xf32>) {axes = 1 : i32}
  tert.fill -> y(%n : memref<f32>) {value = 0.0 : f64}
  tert.collective reduce_scatter x(%c : memref<4xf32>) -> y(%r : memref<2xf32>) {axes = 1 : i32}
  tert.fill -> y(%n : memref<f32>) {value = 0.0 : f64}
  tert.global_norm gradients(%p, %q, %r : memref<2xf32>, memref<2xf32>, memref<2xf32>) -> norm(%n : memref<f32>)
  return
}

// One that is much larger takes longer than the next two.
// CHECK-LABEL: func.func @large(
// CHECK-NEXT: tert.collective reduce_scatter async x(%[[A:.*]] : memref<12xf32>) -> y(%[[P:.*]] : memref<6xf32>)
// CHECK-NEXT: tert.collective reduce_scatter async
// CHECK-NEXT: tert.collective reduce_scatter async
// CHECK-NEXT: tert.await -> tensors(%[[A]], %[[P]]
// CHECK-NEXT: tert.await
// CHECK-NEXT: tert.collective reduce_scatter async
// CHECK-NEXT: tert.fill
func.func @large(%a: memref<12xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>, %o: memref<6xf32>, %p: memref<2xf32>, %q: memref<2xf32>, %r: memref<2xf32>, %n: memref<f32>) {
  tert.collective reduce_scatter x(%a : memref<12xf32>) -> y(%o : memref<6xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%b : memref<4xf32>) -> y(%p : memref<2xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%c : memref<4xf32>) -> y(%q : memref<2xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%d : memref<4xf32>) -> y(%r : memref<2xf32>) {axes = 1 : i32}
  tert.fill -> y(%n : memref<f32>) {value = 0.0 : f64}
  tert.global_norm gradients(%o, %p, %q, %r : memref<6xf32>, memref<2xf32>, memref<2xf32>, memref<2xf32>) -> norm(%n : memref<f32>)
  return
}

// Sums of one kind become one collective, whatever others stand between them. What
// is gathered is one collective only with its neighbours: it is on its way while
// others compute.
// JOIN-LABEL: func.func @kinds(
// JOIN-NEXT: tert.collective all_gather async x(%[[P:.*]], %[[Q:.*]] : memref<2xf32>, memref<2xf32>) -> y(%{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>)
// JOIN-NEXT: tert.fill
// JOIN-NEXT: tert.collective all_gather async x(%[[R:.*]] : memref<2xf32>)
// JOIN-NEXT: tert.collective all_reduce async -> y(%{{.*}}, %{{.*}} : memref<8xf32>, memref<8xf32>)
// JOIN-NEXT: tert.collective reduce_scatter async x(%{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>)
// JOIN-NEXT: tert.fill
// JOIN: tert.amax
func.func @kinds(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %p: memref<2xf32>, %q: memref<2xf32>, %r: memref<2xf32>,
                 %g: memref<4xf32>, %h: memref<4xf32>, %u: memref<2xf32>, %v: memref<2xf32>, %s: memref<8xf32>, %t: memref<8xf32>, %n: memref<f32>) {
  tert.collective all_gather x(%p : memref<2xf32>) -> y(%a : memref<4xf32>) {axes = 1 : i32}
  tert.collective all_gather x(%q : memref<2xf32>) -> y(%b : memref<4xf32>) {axes = 1 : i32}
  tert.fill -> y(%n : memref<f32>) {value = 0.0 : f64}
  tert.collective all_gather x(%r : memref<2xf32>) -> y(%c : memref<4xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%g : memref<4xf32>) -> y(%u : memref<2xf32>) {axes = 1 : i32}
  tert.collective all_reduce -> y(%s : memref<8xf32>) {axes = 1 : i32}
  tert.collective all_reduce -> y(%t : memref<8xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%h : memref<4xf32>) -> y(%v : memref<2xf32>) {axes = 1 : i32}
  tert.fill -> y(%n : memref<f32>) {value = 0.0 : f64}
  tert.amax x(%c : memref<4xf32>) -> amax(%n : memref<f32>)
  return
}
