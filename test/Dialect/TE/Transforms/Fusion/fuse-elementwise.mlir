// RUN: te-opt %s --te-fuse-elementwise --split-input-file | FileCheck %s

// A chain, with an activation in it and a number, is one op.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK-SAME:        ins(%arg0 : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[EXP:.*]] = math.exp %[[IN]] : f32
// CHECK-NEXT:      %[[LOG:.*]] = math.log1p %[[EXP]] : f32
// CHECK-NEXT:      %[[TANH:.*]] = math.tanh %[[LOG]] : f32
// CHECK-NEXT:      %[[MUL:.*]] = arith.mulf %[[IN]], %[[TANH]] : f32
// CHECK-NEXT:      %[[TWO:.*]] = arith.mulf %[[MUL]], %{{.*}} : f32
// CHECK-NEXT:      linalg.yield %[[TWO]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]]
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %two = arith.constant dense<2.0> : tensor<4x8xf32>
  %0 = math.exp %x : tensor<4x8xf32>
  %1 = math.log1p %0 : tensor<4x8xf32>
  %2 = te.activation tanh %1 : tensor<4x8xf32> -> y tensor<4x8xf32>
  %3 = arith.mulf %x, %2 : tensor<4x8xf32>
  %y = arith.mulf %3, %two : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Rows that repeat are read where they are; a sum joins its neighbour.
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @repeated
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]], #[[$ID]]]
// CHECK-NOT:     linalg.broadcast
// CHECK-NOT:     te.add
// CHECK:         return
func.func @repeated(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %r: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %wide = linalg.broadcast ins(%g : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %0 = arith.mulf %x, %wide : tensor<4x8xf32>
  %y = te.add %0, %r : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A value with two readers is stored once; a truth value is made in both.
// CHECK-LABEL: func.func @shared
// CHECK:         %[[E:.*]] = linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} ins(%arg0, %[[E]] : {{.*}}
// CHECK:           arith.cmpf
// CHECK:           arith.select
// CHECK:         linalg.generic {{.*}} ins(%arg0, %[[E]] : {{.*}}
// CHECK:           arith.cmpf
// CHECK:           arith.select
// CHECK-NOT:     tensor<4x8xi1>
func.func @shared(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = math.exp %x : tensor<4x8xf32>
  %c = arith.cmpf olt, %x, %zero : tensor<4x8xf32>
  %y = arith.select %c, %0, %zero : tensor<4x8xi1>, tensor<4x8xf32>
  %1 = math.sin %0 : tensor<4x8xf32>
  %z = arith.select %c, %1, %x : tensor<4x8xi1>, tensor<4x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// An activation that a product reads stays: it can write FP8 copies. So does a
// conversion that no kernel is beside.
// CHECK-LABEL: func.func @kept
// CHECK:         linalg.generic
// CHECK:         te.activation relu
// CHECK:         arith.truncf
// CHECK:         te.matmul
func.func @kept(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = math.exp %x : tensor<4x8xf32>
  %1 = te.activation relu %0 : tensor<4x8xf32> -> y tensor<4x8xf32>
  %2 = arith.truncf %w : tensor<8x8xf32> to tensor<8x8xbf16>
  %y = te.matmul %1, %2 : tensor<4x8xf32>, tensor<8x8xbf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A kernel converts what it reads and writes.
// CHECK-LABEL: func.func @conversions
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4x8xbf16>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.extf
// CHECK-NEXT:      math.sin
// CHECK-NEXT:      arith.truncf
// CHECK-NOT:     tensor<4x8xf32>
func.func @conversions(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = arith.extf %x : tensor<4x8xbf16> to tensor<4x8xf32>
  %1 = math.sin %0 : tensor<4x8xf32>
  %2 = arith.truncf %1 : tensor<4x8xf32> to tensor<4x8xbf16>
  return %2 : tensor<4x8xbf16>
}

// -----

// What is only widened is read in its narrow type by everyone.
// CHECK-LABEL: func.func @widened_twice
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%arg0 : tensor<4x8xbf16>)
// CHECK-NOT:     linalg.generic
func.func @widened_twice(%x: tensor<4x8xbf16>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = arith.extf %x : tensor<4x8xbf16> to tensor<4x8xf32>
  %1 = math.sin %0 : tensor<4x8xf32>
  %2 = math.cos %0 : tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A tensor with an encoding may be stored in any form.
// CHECK-LABEL: func.func @encoded
// CHECK-COUNT-2: arith.{{addf|extf}}
// CHECK-NOT: linalg.generic
func.func @encoded(%x: tensor<4xf32, "sparse">, %y: tensor<4xbf16, "sparse">) -> (tensor<4xf32, "sparse">, tensor<4xf32, "sparse">) {
  %0 = arith.addf %x, %x : tensor<4xf32, "sparse">
  %1 = arith.extf %y : tensor<4xbf16, "sparse"> to tensor<4xf32, "sparse">
  return %0, %1 : tensor<4xf32, "sparse">, tensor<4xf32, "sparse">
}
