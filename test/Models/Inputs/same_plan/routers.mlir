// Two routers and a layer as JAX writes them: argmax, lax.top_k, max.
"builtin.module"() <{sym_name = "routers"}> ({
  "func.func"() <{arg_attrs = [{te.param = "a"}, {te.param = "b"}, {te.param = "c"}, {te.input = "x"}], function_type = (tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64x2xf32>, tensor<64xf32>), res_attrs = [{te.output = "place"}, {te.output = "top"}, {te.output = "max"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%a: tensor<32x16xf32>, %b: tensor<32x16xf32>, %c: tensor<32x16xf32>, %x: tensor<64x32xf32>):
    %0 = "stablehlo.dot_general"(%x, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %1 = "stablehlo.dot_general"(%x, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %2 = "stablehlo.dot_general"(%x, %c) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %3 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<64x16xi32>
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6:2 = "stablehlo.reduce"(%0, %3, %4, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%i: tensor<f32>, %j: tensor<i32>, %k: tensor<f32>, %l: tensor<i32>):
      %10 = "stablehlo.compare"(%i, %k) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = "stablehlo.compare"(%i, %i) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = "stablehlo.or"(%10, %11) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %13 = "stablehlo.compare"(%i, %k) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = "stablehlo.compare"(%j, %l) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = "stablehlo.and"(%13, %14) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %16 = "stablehlo.or"(%12, %15) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %17 = "stablehlo.select"(%12, %i, %k) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %18 = "stablehlo.select"(%16, %j, %l) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%17, %18) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<64x16xf32>, tensor<64x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
    %7 = "stablehlo.convert"(%6#1) : (tensor<64xi32>) -> tensor<64xf32>
    %8:2 = "chlo.top_k"(%1) <{k = 2 : i64}> : (tensor<64x16xf32>) -> (tensor<64x2xf32>, tensor<64x2xi32>)
    %9 = "stablehlo.reduce"(%2, %4) <{dimensions = array<i64: 1>}> ({
    ^bb0(%i: tensor<f32>, %j: tensor<f32>):
      %10 = "stablehlo.maximum"(%i, %j) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) : (tensor<64x16xf32>, tensor<f32>) -> tensor<64xf32>
    "func.return"(%7, %8#0, %9) : (tensor<64xf32>, tensor<64x2xf32>, tensor<64xf32>) -> ()
  }) : () -> ()
}) : () -> ()
