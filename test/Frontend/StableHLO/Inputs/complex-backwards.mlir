"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %i = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.case"(%i) ({
      %r = "stablehlo.real"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
      %z = "stablehlo.complex"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
      "stablehlo.return"(%r) : (tensor<4xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4xf32>
    "func.return"(%7) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
