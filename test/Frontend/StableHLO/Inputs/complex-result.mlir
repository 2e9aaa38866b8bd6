"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %z = "stablehlo.complex"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    "func.return"(%z) : (tensor<4xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
