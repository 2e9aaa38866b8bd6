// Bodies over tensors without elements. Windows and elements of an operand are
// slices, of which an empty tensor has none: they are empty tensors.

// RUN: te-opt %s --te-import-linalg --split-input-file | FileCheck %s

// A convolution of no images: windows of two out of six positions.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<0x5x3xf32>
// CHECK:         %[[P:.*]] = tensor.expand_shape %[[E]] {{.*}} output_shape [0, 5, 1, 3]
// CHECK:         tensor.concat dim(2) %[[P]], %[[P]]
// CHECK:         return %{{.*}} : tensor<0x5x4xf32>
func.func @windows(%all: tensor<1x6x3xf32> {te.input = "x"}, %w: tensor<4x2x3xf32> {te.param = "w"}) -> tensor<0x5x4xf32> {
  %x = tensor.extract_slice %all[0, 0, 0] [0, 6, 3] [1, 1, 1] : tensor<1x6x3xf32> to tensor<0x6x3xf32>
  %zero = arith.constant dense<0.0> : tensor<0x5x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, o, c, i, d) -> (b, o + i, d)>, affine_map<(b, o, c, i, d) -> (c, i, d)>, affine_map<(b, o, c, i, d) -> (b, o, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<0x6x3xf32>, tensor<4x2x3xf32>) outs(%zero : tensor<0x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %next = arith.addf %sum, %p : f32
    linalg.yield %next : f32
  } -> tensor<0x5x4xf32>
  return %y : tensor<0x5x4xf32>
}

// -----

// Row 1 of two rows without elements.
// CHECK-LABEL: func.func @forward(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x0xf32>
// CHECK:         %[[ROW:.*]] = tensor.collapse_shape %[[E]] {{.*}} into tensor<0xf32>
// CHECK:         math.tanh %[[ROW]] : tensor<0xf32>
func.func @row(%all: tensor<2x1xf32> {te.input = "x"}) -> tensor<0xf32> {
  %x = tensor.extract_slice %all[0, 0] [2, 0] [1, 1] : tensor<2x1xf32> to tensor<2x0xf32>
  %e = tensor.empty() : tensor<0xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (1, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2x0xf32>) outs(%e : tensor<0xf32>) {
  ^bb0(%a: f32, %out: f32):
    %t = math.tanh %a : f32
    linalg.yield %t : f32
  } -> tensor<0xf32>
  return %y : tensor<0xf32>
}

// -----

// Windows of no positions at all, which are none.
// CHECK-LABEL: func.func @forward(
// CHECK:         tensor<1x0x3xf32>
func.func @positions(%x: tensor<3xf32> {te.input = "x"}, %w: tensor<1x1x3xf32> {te.param = "w"}) -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<1x0x1xf32>
  %e = tensor.empty() : tensor<1x0x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x0x3xf32>) -> tensor<1x0x3xf32>
  %y = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
      ins(%none, %w : tensor<1x0x1xf32>, tensor<1x1x3xf32>) outs(%init : tensor<1x0x3xf32>) -> tensor<1x0x3xf32>
  %start = linalg.fill ins(%zero : f32) outs(%x : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.reduce ins(%y : tensor<1x0x3xf32>) outs(%start : tensor<3xf32>) dimensions = [0, 1]
      (%in: f32, %out: f32) {
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
  %r = arith.addf %sum, %x : tensor<3xf32>
  return %r : tensor<3xf32>
}
