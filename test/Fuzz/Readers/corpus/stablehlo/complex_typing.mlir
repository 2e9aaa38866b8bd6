// Operations whose operands and results are not complex alike.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<2x4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32> loc("x"), %m: tensor<2x4xf32> loc("m")):
    %z = "stablehlo.complex"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %1 = "stablehlo.reshape"(%x) : (tensor<4xf32>) -> tensor<2x2xcomplex<f32>>
    %2 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2x4xcomplex<f32>>
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<4xi1>}> : () -> tensor<4xi1>
    %3 = "stablehlo.select"(%t, %x, %z) : (tensor<4xi1>, tensor<4xf32>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %4 = "stablehlo.select"(%z, %z, %z) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %5 = "stablehlo.reshape"(%z) : (tensor<4xcomplex<f32>>) -> tensor<2x2xf32>
    %6 = "stablehlo.dot_general"(%z, %m) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<4xcomplex<f32>>, tensor<2x4xf32>) -> tensor<2xcomplex<f32>>
    %7 = "stablehlo.add"(%z, %x) : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %8 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xcomplex<f64>>
    %9 = "stablehlo.slice"(%8) <{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xcomplex<f64>>) -> tensor<2xcomplex<f32>>
    %i = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    // Two values for the two parts of one:
    %10 = "stablehlo.case"(%i) ({
      "stablehlo.return"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4xcomplex<f32>>
    %11 = "stablehlo.composite"(%x, %x) <{name = "f", decomposition = @f}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %12 = "stablehlo.optimization_barrier"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %13 = "stablehlo.while"(%z) ({
    ^bb0(%a: tensor<4xcomplex<f32>>):
      %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%a: tensor<4xcomplex<f32>>):
      "stablehlo.return"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> ()
    }) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %start = "stablehlo.constant"() <{value = dense<(0.0,0.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %14 = "stablehlo.reduce"(%z, %start) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%p) : (tensor<f32>) -> ()
    }) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %15 = "stablehlo.real"(%z) : (tensor<4xcomplex<f32>>) -> tensor<2x2xf32>
    "func.return"(%x) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>), sym_name = "f", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    "func.return"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
