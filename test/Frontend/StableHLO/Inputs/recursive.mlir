"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %0 = "stablehlo.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "func.call"(%0) <{callee = @again}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "again", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<4xf32>):
    %0 = "func.call"(%x) <{callee = @again}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
