"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %true = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %0 = "stablehlo.while"(%x) ({
    ^bb0(%h: tensor<4xf32>):
      "stablehlo.return"(%true) : (tensor<i1>) -> ()
    }, {
    ^bb0(%h: tensor<4xf32>):
      "stablehlo.return"(%h) : (tensor<4xf32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.reduce"(%0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: f32, %b: f32):
      %p = "stablehlo.add"(%a, %b) : (f32, f32) -> f32
      "stablehlo.return"(%p) : (f32) -> ()
    }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: f32, %b: f32):
      %p = "stablehlo.add"(%a, %b) : (f32, f32) -> f32
      "stablehlo.return"(%p) : (f32) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
