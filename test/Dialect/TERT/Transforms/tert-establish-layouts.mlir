// RUN: te-opt %s --tert-establish-layouts | FileCheck %s
// RUN: te-opt %s --tert-establish-layouts --remarks-filter=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Every second column is copied, once for both of its readers; the dense rest
// stays where it is.
// CHECK-LABEL: func @inputs(
// CHECK-SAME:    %[[X:.*]]: memref<8x16xf32>, %[[Y:.*]]: memref<8x8xf32>, %[[S:.*]]: memref<f32>)
// CHECK-NEXT:    %[[ODD:.*]] = memref.subview %[[X]][0, 1]
// CHECK-NEXT:    %[[COPY:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    tert.copy x(%[[ODD]] : memref<8x8xf32, strided<[16, 2], offset: 1>>) -> y(%[[COPY]] : memref<8x8xf32>)
// CHECK-NEXT:    tert.activation x(%[[COPY]] : memref<8x8xf32>) -> y(%[[Y]] : memref<8x8xf32>)
// CHECK-NEXT:    tert.amax x(%[[COPY]] : memref<8x8xf32>)
// CHECK-NEXT:    %[[LEFT:.*]] = memref.subview %[[X]][0, 0] [8, 8]
// CHECK-NEXT:    tert.activation x(%[[LEFT]] : memref<8x8xf32, strided<[16, 1]>>) -> y(%[[Y]] :
// REMARK: [Missed] Layout {{.*}}Function=inputs | Elements=64, Reason="tert.activation takes 'x' with dense rows (an innermost stride of 1); memref<8x8xf32, strided<[16, 2], offset: 1>> is copied"
// REMARK-NOT: Function=inputs
func.func @inputs(%x: memref<8x16xf32>, %y: memref<8x8xf32>, %s: memref<f32>) {
  %odd = memref.subview %x[0, 1] [8, 8] [1, 2] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 2], offset: 1>>
  tert.activation x(%odd : memref<8x8xf32, strided<[16, 2], offset: 1>>) -> y(%y : memref<8x8xf32>) {kind = #te<activation_kind silu>}
  tert.amax x(%odd : memref<8x8xf32, strided<[16, 2], offset: 1>>) -> amax(%s : memref<f32>)
  %left = memref.subview %x[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  tert.activation x(%left : memref<8x8xf32, strided<[16, 1]>>) -> y(%y : memref<8x8xf32>) {kind = #te<activation_kind silu>}
  return
}

// A copy is old once the original is written, through a transposed view, too.
// CHECK-LABEL: func @written(
// CHECK:         %[[FIRST:.*]] = memref.alloc() : memref<8x4xf32>
// CHECK-NEXT:    tert.copy x(%[[VIEW:.*]] : memref<8x4xf32, strided<[1, 8]>>) -> y(%[[FIRST]] :
// CHECK-NEXT:    tert.amax x(%[[FIRST]] :
// CHECK-NEXT:    tert.fill
// CHECK-NEXT:    %[[SECOND:.*]] = memref.alloc() : memref<8x4xf32>
// CHECK-NEXT:    tert.copy x(%[[VIEW]] : memref<8x4xf32, strided<[1, 8]>>) -> y(%[[SECOND]] :
// CHECK-NEXT:    tert.amax x(%[[SECOND]] :
func.func @written(%x: memref<4x8xf32>, %s: memref<f32>) {
  %t = memref.transpose %x (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  tert.amax x(%t : memref<8x4xf32, strided<[1, 8]>>) -> amax(%s : memref<f32>)
  tert.fill -> y(%x : memref<4x8xf32>) {value = 1.0 : f64}
  tert.amax x(%t : memref<8x4xf32, strided<[1, 8]>>) -> amax(%s : memref<f32>)
  return
}

// What is only written is copied back, what is updated is filled before.
// CHECK-LABEL: func @outputs(
// CHECK-SAME:    %[[A:.*]]: memref<8x8xf32>, %[[D:.*]]: memref<16x16xf32>)
// CHECK:         %[[HALF:.*]] = memref.subview %[[D]]
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    tert.matmul {{.*}} -> d(%[[NEW]] : memref<8x8xf32>){{$}}
// CHECK-NEXT:    tert.copy x(%[[NEW]] : memref<8x8xf32>) -> y(%[[HALF]] : memref<8x8xf32, strided<[32, 2]>>)
// CHECK-NEXT:    %[[SUM:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    tert.copy x(%[[HALF]] : memref<8x8xf32, strided<[32, 2]>>) -> y(%[[SUM]] : memref<8x8xf32>)
// CHECK-NEXT:    tert.matmul {{.*}} -> d(%[[SUM]] : memref<8x8xf32>) {add_to_d}
// CHECK-NEXT:    tert.copy x(%[[SUM]] : memref<8x8xf32>) -> y(%[[HALF]] :
// CHECK-NEXT:    return
func.func @outputs(%a: memref<8x8xf32>, %d: memref<16x16xf32>) {
  %half = memref.subview %d[0, 0] [8, 8] [2, 2] : memref<16x16xf32> to memref<8x8xf32, strided<[32, 2]>>
  tert.matmul a(%a : memref<8x8xf32>) b(%a : memref<8x8xf32>) -> d(%half : memref<8x8xf32, strided<[32, 2]>>)
  tert.matmul a(%a : memref<8x8xf32>) b(%a : memref<8x8xf32>) -> d(%half : memref<8x8xf32, strided<[32, 2]>>) {add_to_d}
  return
}

// Columns of a parameter are not a contiguous parameter.
// CHECK-LABEL: func @contiguous(
// CHECK:         tert.update gradients(%{{.*}} : memref<8x4xf32, strided<[8, 1]>>)
// CHECK-SAME:      params(%{{.*}} : memref<8x4xf32>) states(%{{.*}}, %{{.*}} : memref<8x4xf32>, memref<8x4xf32>)
// REMARK: [Missed] Layout {{.*}}Function=contiguous | Elements=32, Reason="tert.update takes 'params' with contiguous elements; memref<8x4xf32, strided<[8, 1]>> is copied"
func.func @contiguous(%g: memref<8x8xf32>, %p: memref<8x8xf32>, %m: memref<8x4xf32>, %v: memref<8x4xf32>, %s: memref<f32>, %step: memref<i64>) {
  %gs = memref.subview %g[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %ps = memref.subview %p[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  tert.update gradients(%gs : memref<8x4xf32, strided<[8, 1]>>) coefficient(%s : memref<f32>)
    scalars(%s, %s, %s, %s, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>, memref<f32>) step(%step : memref<i64>)
    -> params(%ps : memref<8x4xf32, strided<[8, 1]>>) states(%m, %v : memref<8x4xf32>, memref<8x4xf32>) {copies = array<i32: 0>, decays = array<i32: 0>, rule = "adamw"}
  return
}

// FP8 products write rows that start at multiples of 16 bytes: 19 columns of
// bf16 are given 24.
// CHECK-LABEL: func @aligned(
// CHECK:         %[[WIDE:.*]] = memref.alloc() : memref<16x16xbf16>
// CHECK-NEXT:    tert.scaled_matmul {{.*}} -> d(%[[WIDE]] : memref<16x16xbf16>)
// CHECK-NEXT:    tert.copy x(%[[WIDE]] :
// CHECK:         %[[NINETEEN:.*]] = memref.alloc() : memref<16x24xbf16>
// CHECK-NEXT:    %[[ROWS:.*]] = memref.subview %[[NINETEEN]][0, 0] [16, 19] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul {{.*}} -> d(%[[ROWS]] : memref<16x19xbf16, strided<[24, 1]>>)
// REMARK: [Missed] Layout {{.*}}Function=aligned | Elements=256, Reason="tert.scaled_matmul takes 'd' with dense rows (an innermost stride of 1) at multiples of 16 bytes; memref<16x16xbf16, strided<[19, 1], offset: 3>> is copied"
func.func @aligned(%a: memref<16x16xf8E4M3FN>, %b: memref<19x16xf8E4M3FN>, %s: memref<f32>, %d: memref<16x19xbf16>) {
  %right = memref.subview %d[0, 3] [16, 16] [1, 1] : memref<16x19xbf16> to memref<16x16xbf16, strided<[19, 1], offset: 3>>
  tert.scaled_matmul a(%a : memref<16x16xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%a : memref<16x16xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%right : memref<16x16xbf16, strided<[19, 1], offset: 3>>) {accumulate = #te.accumulate<split>}
  tert.scaled_matmul a(%a : memref<16x16xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%b : memref<19x16xf8E4M3FN>) b_scale_inv(%s : memref<f32>)
    -> d(%d : memref<16x19xbf16>) {accumulate = #te.accumulate<split>}
  return
}

// Copies, fills and generated kernels take any strides.
// CHECK-LABEL: func @free(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @free(%x: memref<8x16xf32>, %y: memref<8x8xf32>) {
  %odd = memref.subview %x[0, 1] [8, 8] [1, 2] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 2], offset: 1>>
  tert.copy x(%odd : memref<8x8xf32, strided<[16, 2], offset: 1>>) -> y(%y : memref<8x8xf32>)
  tert.fill -> y(%odd : memref<8x8xf32, strided<[16, 2], offset: 1>>) {value = 1.0 : f64}
  tert.launch inputs(%odd : memref<8x8xf32, strided<[16, 2], offset: 1>>) -> outputs(%y : memref<8x8xf32>) {kernel = @tert_kernels::@k}
  return
}

// What has no elements lies as every call takes it.
// CHECK-LABEL: func @no_terms(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4x0xbf16>
// CHECK-NEXT:    tert.copy x(%{{.*}}) -> y(%[[A]] : memref<4x0xbf16>)
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<0x8xbf16>
// CHECK-NEXT:    tert.copy x(%{{.*}}) -> y(%[[B]] : memref<0x8xbf16>)
// CHECK-NEXT:    tert.matmul a(%[[A]] : memref<4x0xbf16>) b(%[[B]] : memref<0x8xbf16>)
// CHECK-NEXT:    return
func.func @no_terms(%x: memref<4x16xf32>, %w: memref<16x8xf32>, %y: memref<4x8xf32>) {
  %s = memref.subview %x[0, 0] [4, 0] [1, 1] : memref<4x16xf32> to memref<4x0xf32, strided<[16, 1]>>
  %v = memref.subview %w[0, 0] [0, 8] [1, 1] : memref<16x8xf32> to memref<0x8xf32, strided<[8, 1]>>
  %a = memref.alloc() : memref<4x0xbf16>
  tert.copy x(%s : memref<4x0xf32, strided<[16, 1]>>) -> y(%a : memref<4x0xbf16>)
  %b = memref.alloc() : memref<0x8xbf16>
  tert.copy x(%v : memref<0x8xf32, strided<[8, 1]>>) -> y(%b : memref<0x8xbf16>)
  tert.matmul a(%a : memref<4x0xbf16>) b(%b : memref<0x8xbf16>) -> d(%y : memref<4x8xf32>)
  return
}
