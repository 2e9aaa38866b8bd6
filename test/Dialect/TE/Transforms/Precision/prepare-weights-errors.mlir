// RUN: te-opt %s --te-prepare-weights --verify-diagnostics

// expected-error @+1 {{is named 'prepare', a name that te-prepare-weights needs; rename it}}
func.func @prepare(%x: tensor<8x16xf32> {te.input = "x"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  return %x : tensor<8x16xf32>
}
