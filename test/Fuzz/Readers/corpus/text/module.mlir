module attributes {te.slots = ["a"], te.slot_formats = [f8E4M3FN], te.recipe = #te.delayed_scaling<history = 4, margin = 1>} {
  func.func @f(%q: tensor<1x4x2x8xbf16>, %t: tensor<2x4xi64>) -> tensor<2x4xi64> {
    %o, %lse = te.attention %q, %q, %q {causal, scale = 0.125 : f32} : tensor<1x4x2x8xbf16>, tensor<1x4x2x8xbf16>, tensor<1x4x2x8xbf16> -> tensor<1x4x2x8xbf16>, tensor<1x2x4xf32>
    %l = te.shift_labels %t {ignore_index = -100 : i64} : tensor<2x4xi64>
    return %l : tensor<2x4xi64>
  }
}
