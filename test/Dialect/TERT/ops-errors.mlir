// RUN: te-opt %s --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?x128xf32>, %y: tensor<128xf32>) {
  // expected-error@+1 {{operand #0 must be tensor or memref of f32 or bf16}}
  %0 = tert.column_sum x(%x : tensor<?x128xf32>) -> y(%y : tensor<128xf32>)
  return
}

// -----

func.func @element_type(%x: memref<64x128xf8E4M3FN>, %y: memref<f32>) {
  // expected-error@+1 {{operand #0 must be tensor or memref of f32 or bf16}}
  tert.amax x(%x : memref<64x128xf8E4M3FN>) -> amax(%y : memref<f32>)
  return
}

// -----

func.func @missing_attribute(%x: memref<64x128xf32>, %y: memref<64x128xf32>) {
  // expected-error@+1 {{requires attribute 'kind'}}
  tert.activation x(%x : memref<64x128xf32>) -> y(%y : memref<64x128xf32>)
  return
}

// -----

func.func @results(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  "tert.copy"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}
