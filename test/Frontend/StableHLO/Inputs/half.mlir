"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %0 = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<4xf16>
    %1 = "stablehlo.convert"(%0) : (tensor<4xf16>) -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
