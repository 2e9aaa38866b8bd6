"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%w: tensor<2x4xf32> loc("params['w']"), %x: tensor<2x4xf32> loc("x")):
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %max = "stablehlo.maximum"(%w, %zero) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %difference = "stablehlo.subtract"(%w, %zero) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %abs = "stablehlo.abs"(%difference) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %minus = "stablehlo.negate"(%abs) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %exp = "stablehlo.exponential"(%minus) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %log = "stablehlo.log_plus_one"(%exp) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %softplus = "stablehlo.add"(%max, %log) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %relu = "stablehlo.maximum"(%x, %zero) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%softplus, %relu) : (tensor<2x4xf32>, tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
