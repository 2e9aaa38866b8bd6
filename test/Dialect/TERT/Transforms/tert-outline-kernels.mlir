// RUN: te-opt %s --tert-outline-kernels --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @launches
// CHECK-SAME:    (%[[X:.*]]: memref<64x100xf32>, %[[B:.*]]: memref<100xf32>, %[[Y:.*]]: memref<64x100xf32>, %[[Z:.*]]: memref<64x100xf32>)
// CHECK-NEXT:    tert.launch inputs(%[[X]], %[[B]] : memref<64x100xf32>, memref<100xf32>) -> outputs(%[[Y]] : memref<64x100xf32>) {kernel = @tert_kernels::@exp_mul_0}
// The same again, in place: what is read and written is one argument.
// CHECK-NEXT:    tert.launch inputs(%[[Y]], %[[B]] {{.*}} outputs(%[[Z]] {{.*}} {kernel = @tert_kernels::@exp_mul_0}
// CHECK-NEXT:    tert.launch inputs(%[[B]] : memref<100xf32>) -> outputs(%[[Z]] : memref<64x100xf32>) {kernel = @tert_kernels::@exp_mul_1}
// CHECK-NEXT:    return
// CHECK:       module @tert_kernels
// CHECK-NEXT:    func.func @exp_mul_0(%{{.*}}: memref<64x100xf32> {tert.alignment = 16 : i64}, %{{.*}}: memref<100xf32> {tert.alignment = 16 : i64}, %{{.*}}: memref<64x100xf32> {tert.alignment = 16 : i64}) {
// CHECK-NEXT:      linalg.generic
// CHECK:         func.func @exp_mul_1(%[[KB:.*]]: memref<100xf32> {{.*}}, %[[KZ:.*]]: memref<64x100xf32>
// CHECK-NEXT:      linalg.generic {{.*}} ins(%[[KZ]], %[[KB]] : {{.*}}) outs(%[[KZ]]
// CHECK-NOT:     func.func
func.func @launches(%x: memref<64x100xf32>, %b: memref<100xf32>, %y: memref<64x100xf32>, %z: memref<64x100xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : memref<64x100xf32>, memref<100xf32>) outs(%y : memref<64x100xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = math.exp %in : f32
    %1 = arith.mulf %0, %bias : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : memref<64x100xf32>, memref<100xf32>) outs(%z : memref<64x100xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = math.exp %in : f32
    %1 = arith.mulf %0, %bias : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %b : memref<64x100xf32>, memref<100xf32>) outs(%z : memref<64x100xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = math.exp %in : f32
    %1 = arith.mulf %0, %bias : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Offsets stay with the caller, and limit what the kernel knows of addresses;
// pieces of one buffer may overlap. Constants move into the body.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @pieces
// CHECK:         tert.launch inputs(%{{.*}} : memref<8x4xf32, strided<[16, 1], offset: 2>>) -> outputs(%{{.*}} : memref<8x4xf32, strided<[16, 1], offset: 8>>)
// CHECK:         func.func @mul_0(%{{.*}}: memref<8x4xf32, strided<[16, 1]>> {tert.alignment = 8 : i64}, %{{.*}}: memref<8x4xf32, strided<[16, 1]>> {tert.alignment = 16 : i64}) attributes {tert.overlap}
// CHECK:           %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:           arith.mulf %{{.*}}, %[[TWO]]
func.func @pieces(%x: memref<8x16xf32>) {
  %two = arith.constant 2.0 : f32
  %a = memref.subview %x[0, 2] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: 2>>
  %b = memref.subview %x[0, 8] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: 8>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<8x4xf32, strided<[16, 1], offset: 2>>) outs(%b : memref<8x4xf32, strided<[16, 1], offset: 8>>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %two : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Named ops are linalg too.
// CHECK-LABEL: func.func @named
// CHECK:         tert.launch inputs(%arg0 : memref<4xf32>) -> outputs(%arg1 : memref<3x4xf32>) {kernel = @tert_kernels::@copy_0}
func.func @named(%x: memref<4xf32>, %y: memref<3x4xf32>) {
  linalg.broadcast ins(%x : memref<4xf32>) outs(%y : memref<3x4xf32>) dimensions = [0]
  return
}

// -----

// A kernel may have operands of more dimensions than the runtime's tensors have;
// what is launched are views of them.
#eight = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4, d5, d6, d7)>
#repeat = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, 0, d2, d3, d4, d5, d6, d7)>
// CHECK-LABEL: func.func @many_dimensions(
// CHECK-SAME:      %[[X:.*]]: memref<2x1x3x1x4x1x5x1xf32>, %[[P:.*]]: memref<2x2x3x1x4x1x5x1xf32, strided<[240, 120, 1, 1, 3, 1, 12, 1], offset: 8>>
// CHECK-DAG:     %[[VX:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [120], strides: [1]
// CHECK-DAG:     %[[VP:.*]] = memref.reinterpret_cast %[[P]] to offset: [8], sizes: [4, 60], strides: [120, 1]
// CHECK:         tert.launch inputs(%[[VX]] : memref<120xf32, strided<[1]>>) -> outputs(%[[VP]] : memref<4x60xf32, strided<[120, 1], offset: 8>>)
// CHECK:         func.func @exp_0(%{{.*}}: memref<2x1x3x1x4x1x5x1xf32> {tert.alignment = 16 : i64}, %{{.*}}: memref<2x2x3x1x4x1x5x1xf32, strided<[240, 120, 1, 1, 3, 1, 12, 1]>>
func.func @many_dimensions(%x: memref<2x1x3x1x4x1x5x1xf32>, %p: memref<2x2x3x1x4x1x5x1xf32, strided<[240, 120, 1, 1, 3, 1, 12, 1], offset: 8>>) {
  linalg.generic {indexing_maps = [#repeat, #eight], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<2x1x3x1x4x1x5x1xf32>) outs(%p : memref<2x2x3x1x4x1x5x1xf32, strided<[240, 120, 1, 1, 3, 1, 12, 1], offset: 8>>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}
