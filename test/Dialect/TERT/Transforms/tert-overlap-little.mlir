// RUN: te-opt %s --te-attach-costs=target=sm_90 --tert-async-collectives | FileCheck %s

// 64 MiB are read and written in some 30 us: the collective hides behind that.
// CHECK-LABEL: @much
func.func @much(%x: memref<16777216xf32>, %y: memref<8388608xf32>, %a: memref<8388608xf32>, %b: memref<8388608xf32>) {
  // CHECK: tert.collective reduce_scatter async
  // CHECK-NEXT: tert.copy
  // CHECK-NEXT: tert.await
  tert.collective reduce_scatter x(%x : memref<16777216xf32>) -> y(%y : memref<8388608xf32>) {axes = 1 : i32}
  tert.copy x(%a : memref<8388608xf32>) -> y(%b : memref<8388608xf32>)
  tert.copy x(%y : memref<8388608xf32>) -> y(%b : memref<8388608xf32>)
  return
}

// Views take no time, a copy of 4 KiB next to none.
// CHECK-LABEL: @little
func.func @little(%x: memref<16777216xf32>, %y: memref<8388608xf32>, %a: memref<1024xf32>, %b: memref<1024xf32>, %c: memref<8388608xf32>) {
  // CHECK: tert.collective reduce_scatter x(
  // CHECK-NEXT: memref.subview
  // CHECK-NEXT: tert.copy
  // CHECK-NEXT: tert.copy
  // CHECK-NOT: tert.await
  tert.collective reduce_scatter x(%x : memref<16777216xf32>) -> y(%y : memref<8388608xf32>) {axes = 1 : i32}
  %part = memref.subview %a[0] [512] [1] : memref<1024xf32> to memref<512xf32, strided<[1]>>
  tert.copy x(%a : memref<1024xf32>) -> y(%b : memref<1024xf32>)
  tert.copy x(%y : memref<8388608xf32>) -> y(%c : memref<8388608xf32>)
  return
}

// A product of 2^38 operations on little memory takes long.
// CHECK-LABEL: @product
func.func @product(%x: memref<4194304xf32>, %y: memref<2097152xf32>, %a: memref<4096x4096xbf16>, %b: memref<4096x4096xbf16>, %d: memref<4096x4096xbf16>, %c: memref<2097152xf32>) {
  // CHECK: tert.collective reduce_scatter async
  // CHECK-NEXT: tert.matmul
  // CHECK-NEXT: tert.await
  tert.collective reduce_scatter x(%x : memref<4194304xf32>) -> y(%y : memref<2097152xf32>) {axes = 1 : i32}
  tert.matmul a(%a : memref<4096x4096xbf16>) b(%b : memref<4096x4096xbf16>) -> d(%d : memref<4096x4096xbf16>)
  tert.copy x(%y : memref<2097152xf32>) -> y(%c : memref<2097152xf32>)
  return
}
