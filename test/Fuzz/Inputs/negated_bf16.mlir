// A negation of bf16: LLVM made it a call of __truncsfbf2, which neither the
// runtime nor the C library has, and the compiled program could not be loaded.
func.func @forward(%x: tensor<2x5xbf16> {te.input = "x"}) -> (tensor<2x5xbf16> {te.output = "y0"}) {
  %0 = arith.negf %x : tensor<2x5xbf16>
  return %0 : tensor<2x5xbf16>
}
