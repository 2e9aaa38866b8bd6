"builtin.module"() ({
  "func.func"() <{function_type = () -> tensor<4xf32>, sym_name = "main"}> ({
    %0 = "stablehlo.constant"() <{value = dense_resource<__elided__> : tensor<4xf32>}> : () -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
