// RUN: te-opt %s --tert-join-copies --split-input-file | FileCheck %s
// RUN: te-opt %s --tert-join-copies=max-bytes=4096 --split-input-file | FileCheck %s --check-prefix=SMALL

// Neighbours are one call, where the last of them was; views stay.

// CHECK-LABEL: func @neighbours(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<64x128xf8E4M3FN>, %[[S:[^ ]*]]: memref<2xf32>, %[[Y:[^ ]*]]: memref<128x64xf8E4M3FN>, %[[Z:[^ ]*]]: memref<f32>)
// CHECK-NEXT:    %[[T:.*]] = memref.transpose %[[A]]
// CHECK-NEXT:    %[[V:.*]] = memref.subview %[[S]]
// CHECK-NEXT:    tert.multi_copy x(%[[T]], %[[V]] : memref<128x64xf8E4M3FN, strided<[1, 128]>>, memref<f32, strided<[], offset: 1>>) -> y(%[[Y]], %[[Z]] : memref<128x64xf8E4M3FN>, memref<f32>){{$}}
// CHECK-NEXT:    return

// One that is too large stays alone, and so does what is left.

// SMALL-LABEL: func @neighbours(
// SMALL-COUNT-2: tert.copy
// SMALL-NOT:     tert.multi_copy
// SMALL-LABEL: func @between(
func.func @neighbours(%a: memref<64x128xf8E4M3FN>, %s: memref<2xf32>, %y: memref<128x64xf8E4M3FN>, %z: memref<f32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<64x128xf8E4M3FN> to memref<128x64xf8E4M3FN, strided<[1, 128]>>
  tert.copy x(%t : memref<128x64xf8E4M3FN, strided<[1, 128]>>) -> y(%y : memref<128x64xf8E4M3FN>)
  %v = memref.subview %s[1] [1] [1] : memref<2xf32> to memref<f32, strided<[], offset: 1>>
  tert.copy x(%v : memref<f32, strided<[], offset: 1>>) -> y(%z : memref<f32>)
  return
}

// -----

// Calls that touch nothing of the copies lie between them; one that writes what
// a copy reads, or reads what it writes, ends the group.

// CHECK-LABEL: func @between(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<8xf32>, %[[B:[^ ]*]]: memref<8xf32>, %[[C:[^ ]*]]: memref<8xf32>, %[[N:[^ ]*]]: memref<f32>,
// CHECK-NEXT:    tert.amax x(%[[A]] : memref<8xf32>) -> amax(%[[N]] : memref<f32>)
// CHECK-NEXT:    tert.multi_copy x(%[[A]], %[[B]] : memref<8xf32>, memref<8xf32>) -> y(%{{.*}}, %{{.*}} : memref<8xf32>, memref<8xbf16>)
// CHECK-NEXT:    tert.fill -> y(%[[A]] : memref<8xf32>)
// CHECK-NEXT:    tert.copy x(%[[C]] : memref<8xf32>)
// CHECK-NEXT:    tert.amax
// CHECK-NEXT:    tert.copy x(%[[A]] : memref<8xf32>)
// CHECK-NEXT:    return
func.func @between(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %n: memref<f32>,
                   %x: memref<8xf32>, %y: memref<8xbf16>, %z: memref<8xf32>, %w: memref<8xf32>) {
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  tert.amax x(%a : memref<8xf32>) -> amax(%n : memref<f32>)
  tert.copy x(%b : memref<8xf32>) -> y(%y : memref<8xbf16>)
  tert.fill -> y(%a : memref<8xf32>) {value = 0.0 : f64}
  tert.copy x(%c : memref<8xf32>) -> y(%z : memref<8xf32>)
  tert.amax x(%z : memref<8xf32>) -> amax(%n : memref<f32>)
  tert.copy x(%a : memref<8xf32>) -> y(%w : memref<8xf32>)
  return
}

// -----

// A copy of a copy comes behind it, and so does one over what another reads or
// writes, also through views. Parts of one tensor are different.

// CHECK-LABEL: func @dependent(
// CHECK:         tert.copy
// CHECK-NEXT:    tert.copy
// CHECK-NEXT:    return
func.func @dependent(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) {
  tert.copy x(%a : memref<8xf32>) -> y(%b : memref<8xf32>)
  tert.copy x(%b : memref<8xf32>) -> y(%c : memref<8xf32>)
  return
}

// CHECK-LABEL: func @overwritten(
// CHECK:         tert.copy
// CHECK-NEXT:    tert.copy
// CHECK-NEXT:    return
func.func @overwritten(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4xf32>) {
  %0 = memref.subview %a[0, 0] [4, 1] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[4]>>
  tert.copy x(%a : memref<4x4xf32>) -> y(%b : memref<4x4xf32>)
  tert.copy x(%c : memref<4xf32>) -> y(%0 : memref<4xf32, strided<[4]>>)
  return
}

// CHECK-LABEL: func @same_result(
// CHECK:         tert.copy
// CHECK-NEXT:    tert.copy
// CHECK-NEXT:    return
func.func @same_result(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  tert.copy x(%a : memref<4xf32>) -> y(%c : memref<4xf32>)
  tert.copy x(%b : memref<4xf32>) -> y(%c : memref<4xf32>)
  return
}

// CHECK-LABEL: func @parts(
// CHECK:         tert.multi_copy
// CHECK-NEXT:    return
func.func @parts(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<8xf32>) {
  %0 = memref.subview %c[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %1 = memref.subview %c[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  tert.copy x(%a : memref<4xf32>) -> y(%0 : memref<4xf32, strided<[1]>>)
  tert.copy x(%b : memref<4xf32>) -> y(%1 : memref<4xf32, strided<[1], offset: 4>>)
  return
}

// Within one tensor it is the copy alone that knows the order of elements.

// CHECK-LABEL: func @within(
// CHECK:         tert.copy
// CHECK:         tert.copy
// CHECK-NEXT:    return
func.func @within(%a: memref<8xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  %0 = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %1 = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  tert.copy x(%0 : memref<4xf32, strided<[1]>>) -> y(%1 : memref<4xf32, strided<[1], offset: 4>>)
  tert.copy x(%b : memref<4xf32>) -> y(%c : memref<4xf32>)
  return
}

// -----

// What was waited for is copied while the last others are on their way; what
// lies in front of another wait is too little for a call of its own.

// CHECK-LABEL: func @awaits(
// CHECK:         tert.await
// CHECK-NEXT:    tert.multi_copy
// CHECK-NEXT:    tert.await
// CHECK-NEXT:    tert.multi_copy
// CHECK-NEXT:    return
func.func @awaits(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %d: memref<8xf32>,
                  %x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %w: memref<8xf32>) {
  tert.await -> tensors(%a, %b : memref<8xf32>, memref<8xf32>)
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  tert.copy x(%b : memref<8xf32>) -> y(%y : memref<8xf32>)
  tert.await -> tensors(%c, %d : memref<8xf32>, memref<8xf32>)
  tert.copy x(%c : memref<8xf32>) -> y(%z : memref<8xf32>)
  tert.copy x(%d : memref<8xf32>) -> y(%w : memref<8xf32>)
  return
}

// CHECK-LABEL: func @more_awaits(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<8xf32>, %[[B:[^ ]*]]: memref<8xf32>, %[[C:[^ ]*]]: memref<8xf32>
// CHECK-NEXT:    tert.await -> tensors(%[[A]]
// CHECK-NEXT:    tert.await -> tensors(%[[B]]
// CHECK-NEXT:    tert.multi_copy x(%[[A]], %[[B]]
// CHECK-NEXT:    tert.await -> tensors(%[[C]]
// CHECK-NEXT:    tert.copy x(%[[C]]
// CHECK-NEXT:    tert.await
// CHECK-NEXT:    return
func.func @more_awaits(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %d: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  tert.await -> tensors(%a : memref<8xf32>)
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  tert.await -> tensors(%b : memref<8xf32>)
  tert.copy x(%b : memref<8xf32>) -> y(%y : memref<8xf32>)
  tert.await -> tensors(%c : memref<8xf32>)
  tert.copy x(%c : memref<8xf32>) -> y(%z : memref<8xf32>)
  tert.await -> tensors(%d : memref<8xf32>)
  return
}

// What is read behind the second wait has been copied in front of it, and what
// another collective writes is read before it begins.

// CHECK-LABEL: func @read_between(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<8xf32>, %[[B:[^ ]*]]: memref<8xf32>
// CHECK-NEXT:    tert.await -> tensors(%[[A]]
// CHECK-NEXT:    tert.copy x(%[[A]]
// CHECK-NEXT:    tert.await -> tensors(%[[B]]
// CHECK-NEXT:    tert.amax
// CHECK-NEXT:    tert.copy x(%[[B]]
// CHECK-NEXT:    tert.collective all_reduce async -> y(%[[B]]
// CHECK-NEXT:    tert.copy x(%[[A]]
// CHECK-NEXT:    tert.await -> tensors(%[[B]]
// CHECK-NEXT:    tert.copy x(%[[B]]
// CHECK-NEXT:    return
func.func @read_between(%a: memref<8xf32>, %b: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>, %n: memref<f32>) {
  tert.await -> tensors(%a : memref<8xf32>)
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  tert.await -> tensors(%b : memref<8xf32>)
  tert.amax x(%x : memref<8xf32>) -> amax(%n : memref<f32>)
  tert.copy x(%b : memref<8xf32>) -> y(%y : memref<8xf32>)
  tert.collective all_reduce async -> y(%b : memref<8xf32>) {axes = 1 : i32}
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  tert.await -> tensors(%b : memref<8xf32>)
  tert.copy x(%b : memref<8xf32>) -> y(%y : memref<8xf32>)
  return
}

// -----

// A large temporary is not kept longer; a small one may be.

// CHECK-LABEL: func @temporaries(
// CHECK:         tert.copy x(%{{.*}} : memref<65536xf32>)
// CHECK-NEXT:    tert.multi_copy x(%{{.*}}, %{{.*}} : memref<8xf32>, memref<8xf32>)
// CHECK-NEXT:    return
func.func @temporaries(%a: memref<8xf32>, %x: memref<65536xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %0 = memref.alloc() : memref<65536xf32>
  %1 = memref.alloc() : memref<8xf32>
  tert.fill -> y(%0 : memref<65536xf32>) {value = 1.0 : f64}
  tert.fill -> y(%1 : memref<8xf32>) {value = 1.0 : f64}
  tert.copy x(%1 : memref<8xf32>) -> y(%y : memref<8xf32>)
  tert.copy x(%0 : memref<65536xf32>) -> y(%x : memref<65536xf32>)
  tert.copy x(%a : memref<8xf32>) -> y(%z : memref<8xf32>)
  return
}

// -----

// Nobody knows what a call touches. On tensors there is nothing to join.

func.func private @callee()

// CHECK-LABEL: func @unknown(
// CHECK:         tert.copy
// CHECK-NEXT:    call @callee
// CHECK-NEXT:    tert.copy
func.func @unknown(%a: memref<8xf32>, %b: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  call @callee() : () -> ()
  tert.copy x(%b : memref<8xf32>) -> y(%y : memref<8xf32>)
  return
}

// CHECK-LABEL: func @tensors(
// CHECK-NOT:     multi_copy
func.func @tensors(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xbf16>, tensor<8xbf16>) {
  %0 = tensor.empty() : tensor<8xbf16>
  %1 = tert.copy x(%a : tensor<8xf32>) -> y(%0 : tensor<8xbf16>)
  %2 = tert.copy x(%b : tensor<8xf32>) -> y(%0 : tensor<8xbf16>)
  return %1, %2 : tensor<8xbf16>, tensor<8xbf16>
}

// -----

// Fills of what is kept between calls are one call, with other ones between
// them that have nothing to do with them, and across waits.

// CHECK-LABEL: func @fills(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<8xf32>, %[[B:[^ ]*]]: memref<4x4xbf16>, %[[C:[^ ]*]]: memref<i64>, %[[D:[^ ]*]]: memref<8xf32>, %[[N:[^ ]*]]: memref<f32>)
// CHECK-NEXT:    tert.amax x(%[[D]]
// CHECK-NEXT:    tert.await
// CHECK-NEXT:    tert.multi_fill -> y(%[[A]], %[[B]], %[[C]] : memref<8xf32>, memref<4x4xbf16>, memref<i64>) {value = 0.000000e+00 : f64}
// CHECK-NEXT:    return
func.func @fills(%a: memref<8xf32>, %b: memref<4x4xbf16>, %c: memref<i64>, %d: memref<8xf32>, %n: memref<f32>) {
  tert.fill -> y(%a : memref<8xf32>) {value = 0.0 : f64}
  tert.amax x(%d : memref<8xf32>) -> amax(%n : memref<f32>)
  tert.fill -> y(%b : memref<4x4xbf16>) {value = 0.0 : f64}
  tert.await -> tensors(%d : memref<8xf32>)
  tert.fill -> y(%c : memref<i64>) {value = 0.0 : f64}
  return
}

// Not with another value, nor behind a call that reads or writes them; and not
// of a temporary, which would have its memory for longer or shorter.

// CHECK-LABEL: func @other_fills(
// CHECK-NEXT:    tert.fill {{.*}}value = 0.0
// CHECK-NEXT:    tert.fill {{.*}}value = 1.0
// CHECK-NEXT:    tert.amax
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    tert.fill -> y(%{{.*}} : memref<8xf32>) {value = 1.0
// CHECK-NEXT:    tert.fill -> y(%{{.*}} : memref<4xf32>) {value = 1.0
// CHECK-NEXT:    tert.copy
// CHECK-NEXT:    return
func.func @other_fills(%a: memref<8xf32>, %b: memref<8xf32>, %n: memref<f32>, %x: memref<4xf32>, %y: memref<4xf32>) {
  tert.fill -> y(%a : memref<8xf32>) {value = 0.0 : f64}
  tert.fill -> y(%b : memref<8xf32>) {value = 1.0 : f64}
  tert.amax x(%b : memref<8xf32>) -> amax(%n : memref<f32>)
  %0 = memref.alloc() : memref<8xf32>
  tert.fill -> y(%0 : memref<8xf32>) {value = 1.0 : f64}
  tert.fill -> y(%x : memref<4xf32>) {value = 1.0 : f64}
  tert.copy x(%x : memref<4xf32>) -> y(%y : memref<4xf32>)
  return
}

// A copy of what is filled comes before or behind it, as it did.

// CHECK-LABEL: func @filled_and_copied(
// CHECK-NEXT:    tert.copy x(%[[A:.*]] : memref<8xf32>) -> y(%[[X:.*]] : memref<8xf32>)
// CHECK-NEXT:    tert.fill -> y(%[[A]]
// CHECK-NEXT:    tert.copy x(%[[A]] : memref<8xf32>) -> y(%{{.*}} : memref<8xf32>)
// CHECK-NEXT:    tert.fill -> y(%[[X]]
// CHECK-NEXT:    return
func.func @filled_and_copied(%a: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  tert.copy x(%a : memref<8xf32>) -> y(%x : memref<8xf32>)
  tert.fill -> y(%a : memref<8xf32>) {value = 0.0 : f64}
  tert.copy x(%a : memref<8xf32>) -> y(%y : memref<8xf32>)
  tert.fill -> y(%x : memref<8xf32>) {value = 0.0 : f64}
  return
}
