// RUN: te-opt %s --split-input-file --verify-diagnostics --te-differentiate=entries=vjp

func.func @forward(%x: tensor<16x32xf32> {te.param = "x"}, %s: tensor<f32> {te.input = "s"}) -> (tensor<1x1xf32> {te.output = "y"}) {
  // expected-error @+1 {{'te.activation' op is differentiated in its quantized form; run te-differentiate before te-fuse}}
  %q, %amax = te.activation silu %x quantize(%s) : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN> amax tensor<f32>
  %y = tensor.expand_shape %amax [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}
