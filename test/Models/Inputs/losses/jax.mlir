"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "embed"}, {te.param = "fc"}, {te.param = "head"}, {te.input = "input_ids"}], function_type = (tensor<24x16xf32>, tensor<16x16xf32>, tensor<16x4xf32>, tensor<3x6xi32>) -> tensor<3x4xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<24x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x4xf32>, %arg3: tensor<3x6xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x6xi32>
    %2 = "stablehlo.compare"(%arg3, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x6xi32>, tensor<3x6xi32>) -> tensor<3x6xi1>
    %3 = "stablehlo.constant"() <{value = dense<24> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x6xi32>
    %5 = "stablehlo.add"(%arg3, %4) : (tensor<3x6xi32>, tensor<3x6xi32>) -> tensor<3x6xi32>
    %6 = "stablehlo.select"(%2, %5, %arg3) : (tensor<3x6xi1>, tensor<3x6xi32>, tensor<3x6xi32>) -> tensor<3x6xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x6xi32>) -> tensor<3x6x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<24x16xf32>, tensor<3x6x1xi32>) -> tensor<3x6x16xf32>
    %9 = "stablehlo.dot_general"(%8, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x6x16xf32>, tensor<16x16xf32>) -> tensor<3x6x16xf32>
    %10 = "stablehlo.multiply"(%9, %9) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %11 = "stablehlo.multiply"(%10, %9) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %12 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6x16xf32>
    %14 = "stablehlo.multiply"(%13, %11) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %15 = "stablehlo.add"(%9, %14) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6x16xf32>
    %18 = "stablehlo.multiply"(%17, %15) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %19 = "stablehlo.tanh"(%18) : (tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6x16xf32>
    %22 = "stablehlo.add"(%21, %19) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %23 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6x16xf32>
    %25 = "stablehlo.multiply"(%24, %22) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %26 = "stablehlo.multiply"(%9, %25) : (tensor<3x6x16xf32>, tensor<3x6x16xf32>) -> tensor<3x6x16xf32>
    %27 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %33 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) : (tensor<3x6x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    %29 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x16xf32>
    %31 = "stablehlo.divide"(%28, %30) : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<3x16xf32>
    %32 = "stablehlo.dot_general"(%31, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x16xf32>, tensor<16x4xf32>) -> tensor<3x4xf32>
    "func.return"(%32) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
