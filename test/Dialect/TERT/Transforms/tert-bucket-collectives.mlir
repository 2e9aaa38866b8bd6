// RUN: te-opt %s --tert-bucket-collectives --split-input-file | FileCheck %s

// Sums of gradients go together; what tensor parallel ranks compute with next does
// not wait for another sum.
// CHECK-LABEL: func.func @axes(
// CHECK: tert.collective reduce_scatter x(%{{.*}}, %{{.*}} : memref<8xf32>, memref<8xf32>) {{.*}} {axes = 1 : i32}
// CHECK: tert.collective reduce_scatter x(%{{[a-z0-9]*}} : memref<8xf32>) {{.*}} {axes = 2 : i32}
// CHECK: tert.collective reduce_scatter x(%{{[a-z0-9]*}} : memref<8xf32>) {{.*}} {axes = 2 : i32}
shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "tp"]}
func.func @axes(%x: memref<8xf32>, %z: memref<8xf32>, %y0: memref<4xf32>, %y1: memref<4xf32>, %y2: memref<4xf32>, %y3: memref<4xf32>) {
  tert.collective reduce_scatter x(%x : memref<8xf32>) -> y(%y0 : memref<4xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%z : memref<8xf32>) -> y(%y1 : memref<4xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%x : memref<8xf32>) -> y(%y2 : memref<4xf32>) {axes = 2 : i32}
  tert.collective reduce_scatter x(%z : memref<8xf32>) -> y(%y3 : memref<4xf32>) {axes = 2 : i32}
  return
}

// -----

// What is summed last is to be little: two thirds of what is left from the first sum of
// a bucket on are one collective at most, unless that is less than 16 MiB.
// CHECK-LABEL: func.func @last(
// CHECK: tert.collective reduce_scatter x(%{{[a-z0-9]*}}, %{{[a-z0-9]*}} : memref<2359296xf32>, memref<2359296xf32>)
// CHECK: tert.collective reduce_scatter x(%{{[a-z0-9]*}}, %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : memref<589824xf32>, memref<1769472xf32>, memref<786432xf32>)
func.func @last(%all: memref<33554432xf32>, %part: memref<16777216xf32>,
                %x0: memref<2359296xf32>, %x1: memref<2359296xf32>, %x2: memref<589824xf32>, %x3: memref<1769472xf32>, %x4: memref<786432xf32>,
                %y0: memref<1179648xf32>, %y1: memref<1179648xf32>, %y2: memref<294912xf32>, %y3: memref<884736xf32>, %y4: memref<393216xf32>) {
  tert.collective reduce_scatter x(%all : memref<33554432xf32>) -> y(%part : memref<16777216xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%x0 : memref<2359296xf32>) -> y(%y0 : memref<1179648xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%x1 : memref<2359296xf32>) -> y(%y1 : memref<1179648xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%x2 : memref<589824xf32>) -> y(%y2 : memref<294912xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%x3 : memref<1769472xf32>) -> y(%y3 : memref<884736xf32>) {axes = 1 : i32}
  tert.collective reduce_scatter x(%x4 : memref<786432xf32>) -> y(%y4 : memref<393216xf32>) {axes = 1 : i32}
  return
}
