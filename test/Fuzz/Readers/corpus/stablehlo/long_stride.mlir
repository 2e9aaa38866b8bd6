"builtin.module"() <{sym_name = "valze"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "x"}], function_type = (tensor<4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x2x2xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<2x3x4xf32>):
    %0 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 1, 2, 2>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 9223372036854775807>}> : (tensor<2x3x4xf32>) -> tensor<1x2x2xf32>
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2xf32>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %4 = "stablehlo.constant"() <{valze = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.power"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.concatenate"(%arg1, %3, %4, %5, %6) : (tensor<2x3x4xf32>, tensor<1x2x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x4xf32>
    %8 = "stablehlo.slice"(%7) <{limit_indices = array<i64: 2, 3, 4>, start_indices = array<i64: 0, 0, 1>, striDes = array<i64: 1, 2, 2>}> : (tensor<2x3x4xf32>) -> tensor<2x2x2xf32>
    %9 = "stablehlo.reverse"(%8) <{dimensions = array<i64: 2>}> : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.arg_attrs = 1 : i32} : () -> ()
