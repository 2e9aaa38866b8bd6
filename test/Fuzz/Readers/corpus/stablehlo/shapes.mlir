"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "x"}], function_type = (tensor<4x4xf32>, tensor<2x3x4xf32>) -> tensor<5x6x3xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<4x4xf32>, %arg2: tensor<2x3x4xf32>):
    %1 = "stablehlo.transpose"(%arg2) <{permutation = array<i64: 2, 1, 0>}> : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
    %2 = "func.call"(%1) <{callee = @_flip}> : (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.pad"(%2, %3) <{edge_padding_high = array<i64: 1, 0, 2>, edge_padding_low = array<i64: 0, 1, -1>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<4x3x2xf32>, tensor<f32>) -> tensor<5x6x3xf32>
    %5 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 1, 1, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x4xf32>) -> tensor<1x1x1xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1x1x1xf32>) -> tensor<1x1xf32>
    %7 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 1, 1, 2>, start_indices = array<i64: 0, 0, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x4xf32>) -> tensor<1x1x1xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<1x1x1xf32>) -> tensor<1x1xf32>
    %9 = "stablehlo.concatenate"(%6, %8) <{dimension = 0 : i64}> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %10 = "stablehlo.reshape"(%9) : (tensor<2x1xf32>) -> tensor<1x2x1x1xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %12 = "stablehlo.reshape"(%11) : (tensor<1x2x1x1xf32>) -> tensor<2x1xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %17 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<2x1xf32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6x3xf32>
    %16 = "stablehlo.add"(%4, %15) : (tensor<5x6x3xf32>, tensor<5x6x3xf32>) -> tensor<5x6x3xf32>
    "func.return"(%16) : (tensor<5x6x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x3x2xf32>):
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1>}> : (tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
    "func.return"(%0) : (tensor<4x3x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
