// Slots belong to layers and to parameters.
// RUN: te-opt %s --split-input-file --te-partition --te-quantize --te-validate-precision | FileCheck %s

// Two layers that stand in one module have no scale in common.

// CHECK: te.slots = ["ka.input", "ka.weight", "kb.input", "kb.weight"]
func.func @a(%x: tensor<32x32xbf16> {te.input = "x"}, %k: tensor<32x32xbf16> {te.param = "ka"}) -> (tensor<32x32xbf16> {te.output = "y"}) attributes {te.entry = "grad"} {
  %s = te.matmul %x, %k {transpose_b} : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xbf16>
  %p = te.activation tanh %s : tensor<32x32xbf16> -> y tensor<32x32xbf16>
  return %p : tensor<32x32xbf16>
}
func.func @b(%x: tensor<64x32xbf16> {te.input = "x"}, %k: tensor<48x32xbf16> {te.param = "kb"}) -> (tensor<64x48xbf16> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %s = te.matmul %x, %k {transpose_b} : tensor<64x32xbf16>, tensor<48x32xbf16> -> tensor<64x48xbf16>
  %p = te.activation tanh %s : tensor<64x48xbf16> -> y tensor<64x48xbf16>
  return %p : tensor<64x48xbf16>
}

// -----

// One parameter that both read is one tensor: its weight's slot is one, their
// inputs' are two.

// CHECK: te.slots = ["k.input", "k.weight", "k:1.input"]
func.func @a(%x: tensor<32x32xbf16> {te.input = "x"}, %k: tensor<32x32xbf16> {te.param = "k"}) -> (tensor<32x32xbf16> {te.output = "y"}) attributes {te.entry = "grad"} {
  %s = te.matmul %x, %k {transpose_b} : tensor<32x32xbf16>, tensor<32x32xbf16> -> tensor<32x32xbf16>
  %p = te.activation tanh %s : tensor<32x32xbf16> -> y tensor<32x32xbf16>
  return %p : tensor<32x32xbf16>
}
func.func @b(%x: tensor<64x32xbf16> {te.input = "x"}, %k: tensor<32x32xbf16> {te.param = "k"}) -> (tensor<64x32xbf16> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %s = te.matmul %x, %k : tensor<64x32xbf16>, tensor<32x32xbf16> -> tensor<64x32xbf16>
  %p = te.activation tanh %s : tensor<64x32xbf16> -> y tensor<64x32xbf16>
  return %p : tensor<64x32xbf16>
}

// -----

// Entries made of one model have its layers in common, also where one of them
// reads an input that layers share with another of these layers alone.

// CHECK: te.slots = ["q.input", "q.weight", "k.weight"]
// CHECK-LABEL: func.func @forward(
// CHECK: tensor.extract_slice %{{.*}}[0] [1] [1] : tensor<3xf32>
// CHECK: te.scaled_matmul {{.*}} layer = "k"}
func.func @train(%x: tensor<32x32xf32> {te.input = "x"}, %q: tensor<32x32xf32> {te.param = "q"}, %k: tensor<32x32xf32> {te.param = "k"}) -> (tensor<32x32xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %0 = te.matmul %x, %q {layer = "q"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %1 = te.matmul %x, %k {layer = "k"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %2 = te.add %0, %1 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}
func.func @forward(%x: tensor<32x32xf32> {te.input = "x"}, %k: tensor<32x32xf32> {te.param = "k"}) -> (tensor<32x32xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %0 = te.matmul %x, %k {layer = "k"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %1 = te.activation tanh %0 : tensor<32x32xf32> -> y tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
