"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "keys"}, {te.input = "values"}, {te.input = "truths"}], function_type = (tensor<4x7xf32>, tensor<4x7xi32>, tensor<4x7xf32>, tensor<4x7xi32>) -> tensor<4x7xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg22: tensor<4x7xf32>, %arg23: tensor<4x7xi32>, %arg24: tensor<4x7xf32>, %arg25: tensor<4x7xi32>):
    %18 = "stablehlo.constant"() <{value = dense<[1, 2, 1]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %19 = "func.call"(%arg23) <{callee = @sort}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %20 = "func.call"(%arg23) <{callee = @argsort}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %21 = "stablehlo.negate"(%arg23) : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %22 = "func.call"(%21) <{callee = @argsort_0}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %25 = "stablehlo.compare"(%arg25, %24) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %26:3 = "stablehlo.sort"(%arg23, %arg24, %25) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg34: tensor<i32>, %arg35: tensor<i32>, %arg36: tensor<f32>, %arg37: tensor<f32>, %arg38: tensor<i1>, %arg39: tensor<i1>):
      %130 = "stablehlo.compare"(%arg34, %arg35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%130) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xf32>, tensor<4x7xi1>) -> (tensor<4x7xi32>, tensor<4x7xf32>, tensor<4x7xi1>)
    %27 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %29 = "stablehlo.multiply"(%28, %20) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %30 = "stablehlo.add"(%19, %29) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %31 = "stablehlo.constant"() <{value = dense<100> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %33 = "stablehlo.multiply"(%32, %22) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %34 = "stablehlo.add"(%30, %33) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %35 = "stablehlo.constant"() <{value = dense<1000> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %37 = "stablehlo.multiply"(%36, %26#0) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %38 = "stablehlo.add"(%34, %37) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %39 = "func.call"(%arg23) <{callee = @argsort_1}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %40 = "stablehlo.constant"() <{value = dense<10000> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %42 = "stablehlo.multiply"(%41, %39) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %43 = "stablehlo.add"(%38, %42) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %46 = "stablehlo.compare"(%arg25, %45) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %47 = "func.call"(%46) <{callee = @_flip}> : (tensor<4x7xi1>) -> tensor<4x7xi1>
    %48 = "stablehlo.xor"(%26#2, %47) : (tensor<4x7xi1>, tensor<4x7xi1>) -> tensor<4x7xi1>
    %49 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %51 = "stablehlo.negate"(%arg25) : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %52 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %54 = "stablehlo.compare"(%50, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %55 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %57 = "stablehlo.add"(%50, %56) : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %58 = "stablehlo.select"(%54, %57, %50) : (tensor<4x1xi1>, tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %59 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %61 = "stablehlo.compare"(%arg23, %60) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %62 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %64 = "stablehlo.add"(%arg23, %63) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %65 = "stablehlo.select"(%61, %64, %arg23) : (tensor<4x7xi1>, tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %66 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x1xi32>) -> tensor<4x7xi32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x7xi32>) -> tensor<4x7x1xi32>
    %68 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x7xi32>) -> tensor<4x7x1xi32>
    %69 = "stablehlo.concatenate"(%67, %68) <{dimension = 2 : i64}> : (tensor<4x7x1xi32>, tensor<4x7x1xi32>) -> tensor<4x7x2xi32>
    %70 = "stablehlo.scatter"(%43, %69, %51) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg32: tensor<i32>, %arg33: tensor<i32>):
      "stablehlo.return"(%arg33) : (tensor<i32>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7x2xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %71 = "stablehlo.slice"(%arg23) <{limit_indices = array<i64: 3, 7>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x7xi32>) -> tensor<3x7xi32>
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %74 = "stablehlo.compare"(%18, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %75 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %77 = "stablehlo.add"(%18, %76) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %78 = "stablehlo.select"(%74, %77, %18) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %80 = "stablehlo.scatter"(%70, %79, %71) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg30: tensor<i32>, %arg31: tensor<i32>):
      "stablehlo.return"(%arg31) : (tensor<i32>) -> ()
    }) : (tensor<4x7xi32>, tensor<3x1xi32>, tensor<3x7xi32>) -> tensor<4x7xi32>
    %81 = "stablehlo.slice"(%arg23) <{limit_indices = array<i64: 1, 7>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x7xi32>) -> tensor<1x7xi32>
    %82 = "stablehlo.reshape"(%81) : (tensor<1x7xi32>) -> tensor<7xi32>
    %83 = "stablehlo.slice"(%arg23) <{limit_indices = array<i64: 2, 7>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<4x7xi32>) -> tensor<1x7xi32>
    %84 = "stablehlo.reshape"(%83) : (tensor<1x7xi32>) -> tensor<7xi32>
    %85 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %87 = "stablehlo.multiply"(%86, %84) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %88 = "stablehlo.slice"(%arg24) <{limit_indices = array<i64: 1, 7>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x7xf32>) -> tensor<1x7xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<1x7xf32>) -> tensor<7xf32>
    %90 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %92 = "stablehlo.compare"(%82, %91) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %93 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %95 = "stablehlo.add"(%82, %94) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %96 = "stablehlo.select"(%92, %95, %82) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %97 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %99 = "stablehlo.compare"(%87, %98) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %100 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %102 = "stablehlo.add"(%87, %101) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %103 = "stablehlo.select"(%99, %102, %87) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %104 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %105 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %106 = "stablehlo.concatenate"(%104, %105) <{dimension = 1 : i64}> : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x2xi32>
    %107 = "stablehlo.scatter"(%26#1, %106, %89) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      "stablehlo.return"(%arg29) : (tensor<f32>) -> ()
    }) : (tensor<4x7xf32>, tensor<7x2xi32>, tensor<7xf32>) -> tensor<4x7xf32>
    %108 = "stablehlo.slice"(%arg23) <{limit_indices = array<i64: 3, 7>, start_indices = array<i64: 2, 0>, strides = array<i64: 1, 1>}> : (tensor<4x7xi32>) -> tensor<1x7xi32>
    %109 = "stablehlo.reshape"(%108) : (tensor<1x7xi32>) -> tensor<7xi32>
    %110 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %112 = "stablehlo.compare"(%arg25, %111) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %113 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %115 = "stablehlo.compare"(%109, %114) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %116 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32>
    %118 = "stablehlo.add"(%109, %117) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %119 = "stablehlo.select"(%115, %118, %109) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32>
    %121 = "stablehlo.scatter"(%48, %120, %112) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg26: tensor<i1>, %arg27: tensor<i1>):
      "stablehlo.return"(%arg27) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi1>, tensor<7x1xi32>, tensor<4x7xi1>) -> tensor<4x7xi1>
    %122 = "stablehlo.convert"(%80) : (tensor<4x7xi32>) -> tensor<4x7xf32>
    %123 = "stablehlo.add"(%122, %107) : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    %124 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %125 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %126 = "func.call"(%121, %124, %125) <{callee = @_where}> : (tensor<4x7xi1>, tensor<f32>, tensor<f32>) -> tensor<4x7xf32>
    %127 = "stablehlo.convert"(%126) : (tensor<4x7xf32>) -> tensor<4x7xf32>
    %128 = "stablehlo.add"(%123, %127) : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    %129 = "stablehlo.multiply"(%arg22, %128) : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    "func.return"(%129) : (tensor<4x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<4x7xi32>):
    %16 = "stablehlo.sort"(%arg19) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg20: tensor<i32>, %arg21: tensor<i32>):
      %17 = "stablehlo.compare"(%arg20, %arg21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%17) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>) -> tensor<4x7xi32>
    "func.return"(%16) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<4x7xi32>):
    %13 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x7xi32>
    %14:2 = "stablehlo.sort"(%arg14, %13) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<i32>, %arg17: tensor<i32>, %arg18: tensor<i32>):
      %15 = "stablehlo.compare"(%arg15, %arg16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xi32>) -> (tensor<4x7xi32>, tensor<4x7xi32>)
    "func.return"(%14#1) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "argsort_0", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<4x7xi32>):
    %10 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x7xi32>
    %11:2 = "stablehlo.sort"(%arg9, %10) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<i32>, %arg13: tensor<i32>):
      %12 = "stablehlo.compare"(%arg10, %arg11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%12) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xi32>) -> (tensor<4x7xi32>, tensor<4x7xi32>)
    "func.return"(%11#1) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "argsort_1", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x7xi32>):
    %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x7xi32>
    %5 = "stablehlo.reverse"(%arg4) <{dimensions = array<i64: 1>}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %6 = "stablehlo.reverse"(%4) <{dimensions = array<i64: 1>}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %7:2 = "stablehlo.sort"(%5, %6) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>):
      %9 = "stablehlo.compare"(%arg5, %arg6) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%9) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xi32>) -> (tensor<4x7xi32>, tensor<4x7xi32>)
    %8 = "stablehlo.reverse"(%7#1) <{dimensions = array<i64: 1>}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    "func.return"(%8) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi1>) -> tensor<4x7xi1>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x7xi1>):
    %3 = "stablehlo.reverse"(%arg3) <{dimensions = array<i64: 0, 1>}> : (tensor<4x7xi1>) -> tensor<4x7xi1>
    "func.return"(%3) : (tensor<4x7xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x7xi1>, tensor<f32>, tensor<f32>) -> tensor<4x7xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x7xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x7xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x7xf32>
    %2 = "stablehlo.select"(%arg0, %0, %1) : (tensor<4x7xi1>, tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    "func.return"(%2) : (tensor<4x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
