// Views that runtime calls do not take as they are: every second column, a
// transposed part of a weight, rows in reverse, transposes. Inputs, results and
// gradients (differences in float64) are made by Inputs/layouts.py.

// RUN: te-compile %s --entry vjp --init=normal:1 --precision f32 -o %t.so
// RUN: te-run vjp %t.so --weights %S/Inputs/layouts.safetensors --inputs %S/Inputs/layouts.safetensors --outputs %t.safetensors
// RUN: te-run compare %t.safetensors %S/Inputs/layouts.safetensors --tolerance 2e-5

// What is sliced is quantized, and copies of quantized values are sliced.
// RUN: te-compile %s --entry vjp --init=normal:1 --precision fp8 -o %t.fp8.so
// RUN: te-run vjp %t.fp8.so --weights %S/Inputs/layouts.safetensors --inputs %S/Inputs/layouts.safetensors --outputs %t.fp8.safetensors
// RUN: te-run compare %t.fp8.safetensors %S/Inputs/layouts.safetensors --tolerance 0.2

func.func @forward(%x: tensor<32x64xf32> {te.input = "x"}, %w: tensor<64x64xf32> {te.param = "w"}, %v: tensor<32x32xf32> {te.param = "v"},
                   %p: tensor<64x32xf32> {te.param = "p"}, %q: tensor<32x64xf32> {te.param = "q"},
                   %g: tensor<64xf32> {te.param = "g"}, %b: tensor<64xf32> {te.param = "b"})
    -> (tensor<32x32xf32> {te.output = "swiglu"}, tensor<32x64xf32> {te.output = "parts"},
        tensor<32x64xf32> {te.output = "reversed"}, tensor<64x32xf32> {te.output = "transposed"}) {
  // Gate and value of a SwiGLU alternate.
  %u = te.matmul %x, %w {transpose_b} : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("gate_up")
  %gate = tensor.extract_slice %u[0, 0] [32, 32] [1, 2] : tensor<32x64xf32> to tensor<32x32xf32>
  %value = tensor.extract_slice %u[0, 1] [32, 32] [1, 2] : tensor<32x64xf32> to tensor<32x32xf32>
  %s = te.activation silu %gate : tensor<32x32xf32> -> y tensor<32x32xf32>
  %m = arith.mulf %s, %value : tensor<32x32xf32>
  %swiglu = te.matmul %m, %v {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("down")

  // Half of a weight is stored the other way round.
  %e = tensor.empty() : tensor<32x64xf32>
  %pt = linalg.transpose ins(%p : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  %c = tensor.concat dim(0) %pt, %q : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %pq = te.matmul %x, %c {transpose_b} : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32> loc("joined")
  %parts = te.activation tanh %pq : tensor<32x64xf32> -> y tensor<32x64xf32>

  // The last row first.
  %back = tensor.extract_slice %x[31, 0] [32, 64] [-1, 1] : tensor<32x64xf32> to tensor<32x64xf32>
  %reversed, %mean, %rstd = te.layer_norm %back, %g, %b {eps = 1.0e-5 : f32}
    : tensor<32x64xf32>, tensor<64xf32>, tensor<64xf32> -> y tensor<32x64xf32> stats tensor<32xf32>, tensor<32xf32>

  %et = tensor.empty() : tensor<64x32xf32>
  %xt = linalg.transpose ins(%x : tensor<32x64xf32>) outs(%et : tensor<64x32xf32>) permutation = [1, 0]
  %transposed = te.activation gelu_tanh %xt : tensor<64x32xf32> -> y tensor<64x32xf32>
  return %swiglu, %parts, %reversed, %transposed : tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32>, tensor<64x32xf32>
}
