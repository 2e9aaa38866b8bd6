"builtin.module"() ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "x"}], function_type = (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{te.output = "y"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%w: tensor<4xf32>, %x: tensor<2x4xf32>):
    %j = "stablehlo.constant"() <{value = dense<(0.0,1.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %0 = "stablehlo.broadcast_in_dim"(%j) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %1 = "stablehlo.convert"(%w) : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %2 = "stablehlo.multiply"(%0, %1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = "stablehlo.exponential"(%2) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %5 = "stablehlo.complex"(%x, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xcomplex<f32>>
    %6 = "func.call"(%5, %4) <{callee = @turn}> : (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %7 = "stablehlo.reshape"(%6) : (tensor<2x4xcomplex<f32>>) -> tensor<4x2xcomplex<f32>>
    %8 = "stablehlo.transpose"(%7) <{permutation = array<i64: 1, 0>}> : (tensor<4x2xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %9 = "stablehlo.negate"(%8) : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %10 = "stablehlo.real"(%9) : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xf32>
    %11 = "stablehlo.imag"(%9) : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xf32>
    %12 = "stablehlo.add"(%10, %11) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%12) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>, sym_name = "turn", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<2x4xcomplex<f32>>, %b: tensor<2x4xcomplex<f32>>):
    %0 = "stablehlo.multiply"(%a, %b) : (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    "func.return"(%0) : (tensor<2x4xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
