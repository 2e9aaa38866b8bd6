// An attribute of the file says nothing about what the importer made.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x")):
    %0 = "stablehlo.complex"(%x, %x) {te.joined} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.negate"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.complex"(%x, %x) <{te.joined}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<2x2xf32>) -> tensor<4xf32>
    %4 = "stablehlo.complex"(%x, %x) {te.joined} : (tensor<4xf32>, tensor<4xf32>) -> tensor<2xcomplex<f32>>
    %5 = "stablehlo.real"(%4) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %6 = "stablehlo.concatenate"(%5, %5) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    %7 = "stablehlo.add"(%1, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.exponential"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%7, %8) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
