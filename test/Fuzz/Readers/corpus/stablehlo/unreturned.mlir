"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%w: tensor<4x4xf32> loc("params['kernel']"), %x: tensor<2x4xf32> loc("x")):
    %0 = "stablehlo.tanh"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.dot"(%x, %w) : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  }) : () -> ()
}) : () -> ()
