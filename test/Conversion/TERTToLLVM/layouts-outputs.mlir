// Results that go into every second column or row, and backwards, of larger
// tensors. The expected values are made by Inputs/layouts.py.

// RUN: te-compile %s --entry forward --precision f32 -o %t.so
// RUN: te-run forward %t.so --inputs %S/Inputs/layouts_forward.safetensors --outputs %t.safetensors
// RUN: te-run compare %t.safetensors %S/Inputs/layouts_forward.safetensors --tolerance 1e-6

func.func @forward(%a: tensor<16x32xf32> {te.input = "a"}, %wide: tensor<16x64xf32> {te.input = "wide"})
    -> (tensor<16x64xf32> {te.output = "columns"}, tensor<32x32xf32> {te.output = "rows"}, tensor<5x9xf32> {te.output = "corner"}) {
  %relu = te.activation relu %a : tensor<16x32xf32> -> y tensor<16x32xf32>
  %columns = tensor.insert_slice %relu into %wide[0, 1] [16, 32] [1, 2] : tensor<16x32xf32> into tensor<16x64xf32>

  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %aat = te.matmul %a, %a {transpose_b} : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x16xf32>
  %odd = te.matmul %aat, %a : tensor<16x16xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %even = tensor.insert_slice %relu into %zeros[0, 0] [16, 32] [2, 1] : tensor<16x32xf32> into tensor<32x32xf32>
  %rows = tensor.insert_slice %odd into %even[1, 0] [16, 32] [2, 1] : tensor<16x32xf32> into tensor<32x32xf32>

  %p = tensor.extract_slice %a[0, 0] [2, 3] [1, 1] : tensor<16x32xf32> to tensor<2x3xf32>
  %q = tensor.extract_slice %a[2, 3] [2, 3] [1, 1] : tensor<16x32xf32> to tensor<2x3xf32>
  %pq = te.add %p, %q : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %none = arith.constant dense<0.0> : tensor<5x9xf32>
  %corner = tensor.insert_slice %pq into %none[4, 8] [2, 3] [-2, -3] : tensor<2x3xf32> into tensor<5x9xf32>
  return %columns, %rows, %corner : tensor<16x64xf32>, tensor<32x32xf32>, tensor<5x9xf32>
}
