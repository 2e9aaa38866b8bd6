"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "x"}], function_type = (tensor<4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<2x3x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.clamp"(%0, %1, %2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %7 = "stablehlo.sine"(%arg1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
      "stablehlo.return"(%7) : (tensor<2x3x4xf32>) -> ()
    }, {
      %6 = "stablehlo.cosine"(%arg1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
      "stablehlo.return"(%6) : (tensor<2x3x4xf32>) -> ()
    }, {
      %5 = "stablehlo.tanh"(%arg1) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
      "stablehlo.return"(%5) : (tensor<2x3x4xf32>) -> ()
    }) : (tensor<i32>) -> tensor<2x3x4xf32>
    "func.return"(%4) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
