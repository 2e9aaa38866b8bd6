// Sines and cosines of arguments of every size, far beyond where a multiple of
// pi/2 can be subtracted in f64. Inputs/sines.py has the expected values from
// arithmetic with 300 bits.

// RUN: te-compile %s --entry forward --precision f32 -o %t.so
// RUN: te-run forward %t.so --inputs %S/Inputs/sines.safetensors --outputs %t.safetensors
// RUN: te-run compare %t.safetensors %S/Inputs/sines.safetensors --tolerance 5e-8
func.func @forward(%x: tensor<1024xf32> {te.input = "x"}) -> (tensor<1024xf32> {te.output = "sin"}, tensor<1024xf32> {te.output = "cos"}) {
  %sin = math.sin %x : tensor<1024xf32>
  %cos = math.cos %x : tensor<1024xf32>
  return %sin, %cos : tensor<1024xf32>, tensor<1024xf32>
}
