// Dynamic shapes that a fixed one becomes and that become one.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %0 = "stablehlo.reshape"(%x) : (tensor<4xf32>) -> tensor<?xf32>
    %1 = "stablehlo.complex"(%0, %0) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xcomplex<f32>>
    %z = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %2 = "stablehlo.reshape"(%z) : (tensor<4xcomplex<f32>>) -> tensor<?xcomplex<f32>>
    %3 = "stablehlo.exponential"(%2) : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
    %4 = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<?xcomplex<f32>>
    %5 = "stablehlo.imag"(%4) : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
    %6 = "stablehlo.reshape"(%4) : (tensor<?xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %7 = "stablehlo.imag"(%6) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    "func.return"(%7) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
