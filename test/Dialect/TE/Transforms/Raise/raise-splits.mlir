// Slices that are the consecutive pieces of one value are one te.split.

// RUN: te-opt %s --te-raise | FileCheck %s

// CHECK-LABEL: func.func @three
// CHECK-SAME: (%[[X:.*]]: tensor<2x5x10xf32>)
// CHECK: %[[P:.*]]:3 = te.split %[[X]] axis 2 : tensor<2x5x10xf32> -> tensor<2x5x3xf32>, tensor<2x5x1xf32>, tensor<2x5x6xf32>
// CHECK: return %[[P]]#2, %[[P]]#0, %[[P]]#1
func.func @three(%x: tensor<2x5x10xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x3xf32>, tensor<2x5x1xf32>) {
  %c = tensor.extract_slice %x[0, 0, 4] [2, 5, 6] [1, 1, 1] : tensor<2x5x10xf32> to tensor<2x5x6xf32>
  %a = tensor.extract_slice %x[0, 0, 0] [2, 5, 3] [1, 1, 1] : tensor<2x5x10xf32> to tensor<2x5x3xf32>
  %b = tensor.extract_slice %x[0, 0, 3] [2, 5, 1] [1, 1, 1] : tensor<2x5x10xf32> to tensor<2x5x1xf32>
  return %c, %a, %b : tensor<2x5x6xf32>, tensor<2x5x3xf32>, tensor<2x5x1xf32>
}

// Pieces of a piece, and another reader of it.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xbf16>)
// CHECK: %[[P:.*]]:2 = te.split %[[X]] axis 0
// CHECK: %[[Q:.*]]:2 = te.split %[[P]]#1 axis 1 : tensor<3x6xbf16> -> tensor<3x2xbf16>, tensor<3x4xbf16>
// CHECK: return %[[P]]#0, %[[P]]#1, %[[Q]]#0, %[[Q]]#1
func.func @nested(%x: tensor<4x6xbf16>) -> (tensor<1x6xbf16>, tensor<3x6xbf16>, tensor<3x2xbf16>, tensor<3x4xbf16>) {
  %a = tensor.extract_slice %x[0, 0] [1, 6] [1, 1] : tensor<4x6xbf16> to tensor<1x6xbf16>
  %b = tensor.extract_slice %x[1, 0] [3, 6] [1, 1] : tensor<4x6xbf16> to tensor<3x6xbf16>
  %c = tensor.extract_slice %b[0, 0] [3, 2] [1, 1] : tensor<3x6xbf16> to tensor<3x2xbf16>
  %d = tensor.extract_slice %b[0, 2] [3, 4] [1, 1] : tensor<3x6xbf16> to tensor<3x4xbf16>
  return %a, %b, %c, %d : tensor<1x6xbf16>, tensor<3x6xbf16>, tensor<3x2xbf16>, tensor<3x4xbf16>
}

// Not all of it, not in one dimension, some of it twice, elements that are apart,
// without the dimension, integers.
// CHECK-LABEL: func.func @others
// CHECK-NOT: te.split
// CHECK: return
func.func @others(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %z: tensor<4x6xf32>, %s: tensor<4x6xf32>, %r: tensor<2x6xf32>, %i: tensor<4x6xi32>)
    -> (tensor<4x2xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<4x4xf32>, tensor<4x3xf32>,
        tensor<4x3xf32>, tensor<4x3xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x2xi32>, tensor<4x4xi32>) {
  %0 = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %1 = tensor.extract_slice %x[0, 2] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %2 = tensor.extract_slice %y[0, 0] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>
  %3 = tensor.extract_slice %y[2, 3] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>
  %4 = tensor.extract_slice %z[0, 0] [4, 4] [1, 1] : tensor<4x6xf32> to tensor<4x4xf32>
  %5 = tensor.extract_slice %z[0, 3] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %6 = tensor.extract_slice %s[0, 0] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>
  %7 = tensor.extract_slice %s[0, 1] [4, 3] [1, 2] : tensor<4x6xf32> to tensor<4x3xf32>
  %8 = tensor.extract_slice %r[0, 0] [1, 6] [1, 1] : tensor<2x6xf32> to tensor<6xf32>
  %9 = tensor.extract_slice %r[1, 0] [1, 6] [1, 1] : tensor<2x6xf32> to tensor<6xf32>
  %10 = tensor.extract_slice %i[0, 0] [4, 2] [1, 1] : tensor<4x6xi32> to tensor<4x2xi32>
  %11 = tensor.extract_slice %i[0, 2] [4, 4] [1, 1] : tensor<4x6xi32> to tensor<4x4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<4x2xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<4x4xf32>, tensor<4x3xf32>,
        tensor<4x3xf32>, tensor<4x3xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x2xi32>, tensor<4x4xi32>
}
