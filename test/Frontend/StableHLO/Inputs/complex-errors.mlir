"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i1>), sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x"), %n: tensor<i32> loc("n")):
    %z = "stablehlo.complex"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    // By no real number:
    %1 = "stablehlo.divide"(%z, %z) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    // What reads it is not the matter.
    %2 = "stablehlo.multiply"(%1, %z) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = "stablehlo.real"(%2) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %4 = "stablehlo.imag"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.abs"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %6 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
    %7 = "stablehlo.complex"(%x, %6) : (tensor<4xf32>, tensor<2xf32>) -> tensor<4xcomplex<f32>>
    %8 = "stablehlo.case"(%n) ({
      "stablehlo.return"(%z) : (tensor<4xcomplex<f32>>) -> ()
    }) : (tensor<i32>) -> tensor<4xcomplex<f32>>
    %9 = "stablehlo.add"(%4, %5) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %start = "stablehlo.constant"() <{value = dense<(1.0,0.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %10 = "stablehlo.reduce"(%z, %start) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
      %p = "stablehlo.multiply"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%p) : (tensor<complex<f32>>) -> ()
    }) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %11 = "stablehlo.compare"(%10, %start) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
    "func.return"(%9, %11) : (tensor<4xf32>, tensor<i1>) -> ()
  }) : () -> ()
}) : () -> ()
