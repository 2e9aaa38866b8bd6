// RUN: te-opt %s --tert-async-collectives=least-microseconds=0 | FileCheck %s
// RUN: te-opt %s --tert-bucket-collectives --tert-async-collectives=least-microseconds=0 | FileCheck %s --check-prefix=JOIN

// The collective begins where it was, and is awaited in front of the first reader.
// CHECK-LABEL: func.func @reader(
// CHECK-NEXT: tert.collective all_reduce async -> y(%[[G:.*]] : memref<4xf32>) {axes = 1 : i32}
// CHECK-NEXT: tert.add
// CHECK-NEXT: tert.await -> tensors(%[[G]] : memref<4xf32>)
// CHECK-NEXT: tert.global_norm gradients(%[[G]]
func.func @reader(%g: memref<4xf32>, %a: memref<4xf32>, %y: memref<4xf32>, %n: memref<f32>) {
  tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
  tert.add a(%a : memref<4xf32>) b(%a : memref<4xf32>) -> y(%y : memref<4xf32>)
  tert.global_norm gradients(%g : memref<4xf32>) -> norm(%n : memref<f32>)
  return
}

// A reader right behind it, a writer, a view of the same memory, and what nobody
// knows end the collective, too; so does the end of the function.
// CHECK-LABEL: func.func @next(
// CHECK-NEXT: tert.collective all_reduce
// CHECK-NEXT: tert.global_norm
func.func @next(%g: memref<4xf32>, %n: memref<f32>) {
  tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
  tert.global_norm gradients(%g : memref<4xf32>) -> norm(%n : memref<f32>)
  return
}

// CHECK-LABEL: func.func @writer(
// CHECK: tert.collective all_reduce async
// CHECK-NEXT: tert.fill -> y(%arg1
// CHECK-NEXT: tert.await
// CHECK-NEXT: tert.fill -> y(%arg0
func.func @writer(%g: memref<4xf32>, %y: memref<4xf32>) {
  tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.fill -> y(%g : memref<4xf32>) {value = 0.0 : f64}
  return
}

// CHECK-LABEL: func.func @view(
// CHECK: tert.collective all_reduce async
// CHECK-NEXT: tert.fill -> y(%arg1
// CHECK-NEXT: memref.subview
// CHECK-NEXT: tert.await
// CHECK-NEXT: tert.global_norm
func.func @view(%g: memref<4xf32>, %y: memref<4xf32>, %n: memref<f32>) {
  tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  %v = memref.subview %g[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  tert.global_norm gradients(%v : memref<2xf32, strided<[1], offset: 1>>) -> norm(%n : memref<f32>)
  return
}

// CHECK-LABEL: func.func @unknown(
// CHECK: tert.collective all_reduce async
// CHECK-NEXT: tert.fill
// CHECK-NEXT: tert.await
// CHECK-NEXT: call @somewhere
func.func private @somewhere()
func.func @unknown(%g: memref<4xf32>, %y: memref<4xf32>) {
  tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  func.call @somewhere() : () -> ()
  return
}

// CHECK-LABEL: func.func @end(
// CHECK: tert.collective all_reduce async
// CHECK-NEXT: tert.fill
// CHECK-NEXT: tert.await
// CHECK-NEXT: return
func.func @end(%g: memref<4xf32>, %y: memref<4xf32>) {
  tert.collective all_reduce -> y(%g : memref<4xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  return
}

// Small exchanges along the same axes are one, as long as nothing needs the
// first before the last; a large one closes a bucket.
// JOIN-LABEL: func.func @buckets(
// JOIN: tert.fill -> y(%arg4
// JOIN-NEXT: tert.collective all_reduce async -> y(%arg0, %arg1 : memref<4xf32>, memref<8xf32>) {axes = 1 : i32}
// JOIN-NEXT: tert.fill
// JOIN-NEXT: tert.collective all_reduce async -> y(%arg2 : memref<9000000xf32>) {axes = 1 : i32}
// JOIN-NEXT: tert.fill
// JOIN-NEXT: tert.collective all_reduce -> y(%arg3 : memref<4xf32>) {axes = 2 : i32}
// JOIN-NEXT: tert.await -> tensors(%arg2
// JOIN-NEXT: tert.await -> tensors(%arg0, %arg1
// JOIN-NEXT: tert.global_norm
func.func @buckets(%a: memref<4xf32>, %b: memref<8xf32>, %c: memref<9000000xf32>, %d: memref<4xf32>, %y: memref<4xf32>, %n: memref<f32>) {
  tert.collective all_reduce -> y(%a : memref<4xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%b : memref<8xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%c : memref<9000000xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%d : memref<4xf32>) {axes = 2 : i32}
  tert.global_norm gradients(%a, %b, %c, %d : memref<4xf32>, memref<8xf32>, memref<9000000xf32>, memref<4xf32>) -> norm(%n : memref<f32>)
  return
}

// Of 64 MiB a quarter at once: two tensors of 8 MiB.
// JOIN-LABEL: func.func @quarters(
// JOIN: tert.collective all_reduce async -> y(%arg0, %arg1 :
// JOIN: tert.collective all_reduce async -> y(%arg2, %arg3 :
// JOIN: tert.collective all_reduce async -> y(%arg4, %arg5 :
// JOIN: tert.collective all_reduce async -> y(%arg6, %arg7 :
// JOIN: tert.await
func.func @quarters(%g0: memref<2097152xf32>, %g1: memref<2097152xf32>, %g2: memref<2097152xf32>, %g3: memref<2097152xf32>, %g4: memref<2097152xf32>, %g5: memref<2097152xf32>, %g6: memref<2097152xf32>, %g7: memref<2097152xf32>, %y: memref<4xf32>, %n: memref<f32>) {
  tert.collective all_reduce -> y(%g0 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g1 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g2 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g3 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g4 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g5 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g6 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g7 : memref<2097152xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.global_norm gradients(%g0, %g1, %g2, %g3, %g4, %g5, %g6, %g7 : memref<2097152xf32>, memref<2097152xf32>, memref<2097152xf32>, memref<2097152xf32>, memref<2097152xf32>, memref<2097152xf32>, memref<2097152xf32>, memref<2097152xf32>) -> norm(%n : memref<f32>)
  return
}

// Of 12 MiB not a quarter but 4 MiB, which take longer than their start does.
// JOIN-LABEL: func.func @small_buckets(
// JOIN: tert.collective all_reduce async -> y(%arg0, %arg1 :
// JOIN: tert.collective all_reduce async -> y(%arg2, %arg3 :
// JOIN: tert.collective all_reduce async -> y(%arg4, %arg5 :
// JOIN: tert.await
func.func @small_buckets(%g0: memref<524288xf32>, %g1: memref<524288xf32>, %g2: memref<524288xf32>, %g3: memref<524288xf32>, %g4: memref<524288xf32>, %g5: memref<524288xf32>, %y: memref<4xf32>, %n: memref<f32>) {
  tert.collective all_reduce -> y(%g0 : memref<524288xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g1 : memref<524288xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g2 : memref<524288xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g3 : memref<524288xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g4 : memref<524288xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.collective all_reduce -> y(%g5 : memref<524288xf32>) {axes = 1 : i32}
  tert.fill -> y(%y : memref<4xf32>) {value = 0.0 : f64}
  tert.global_norm gradients(%g0, %g1, %g2, %g3, %g4, %g5 : memref<524288xf32>, memref<524288xf32>, memref<524288xf32>, memref<524288xf32>, memref<524288xf32>, memref<524288xf32>) -> norm(%n : memref<f32>)
  return
}
