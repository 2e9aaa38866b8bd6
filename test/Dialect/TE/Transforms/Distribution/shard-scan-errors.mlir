// RUN: te-opt %s --te-shard-model=mesh=tp=2 --verify-diagnostics

// Groups of channels with keys of their own are not divided.
// expected-error @+1 {{no column-/row-parallel layer pair found for 2 tensor parallel ranks}}
func.func @groups(%x: tensor<8x16xf32> {te.input = "x"}, %wi: tensor<32x16xf32> {te.param = "in"}, %wo: tensor<16x32xf32> {te.param = "out"}, %k: tensor<2x4x8xf32> {te.input = "k"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %u = te.matmul %x, %wi {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %s = tensor.expand_shape %u [[0, 1], [2]] output_shape [2, 4, 32] : tensor<8x32xf32> into tensor<2x4x32xf32>
  %h, %states, %final = te.scan %s, %s keys(%k : tensor<2x4x8xf32>) queries(%k : tensor<2x4x8xf32>) {chunk = 32 : i64}
    : tensor<2x4x32xf32>, tensor<2x4x32xf32> -> tensor<2x4x32xf32>, tensor<2x1x32x4xf32>, tensor<2x32x4xf32>
  %rows = tensor.collapse_shape %h [[0, 1], [2]] : tensor<2x4x32xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
