"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "keys"}, {te.input = "values"}, {te.input = "truths"}], function_type = (tensor<4x7xf32>, tensor<4x7xi32>, tensor<4x7xf32>, tensor<4x7xi32>) -> tensor<4x7xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg16: tensor<4x7xf32>, %arg17: tensor<4x7xi32>, %arg18: tensor<4x7xf32>, %arg19: tensor<4x7xi32>):
    %11 = "func.call"(%arg17) <{callee = @sort}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %12 = "func.call"(%arg17) <{callee = @argsort}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %13 = "stablehlo.negate"(%arg17) : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %14 = "func.call"(%13) <{callee = @argsort_0}> : (tensor<4x7xi32>) -> tensor<4x7xi32>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %17 = "stablehlo.compare"(%arg19, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi1>
    %18:3 = "stablehlo.sort"(%arg17, %arg18, %17) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg20: tensor<i32>, %arg21: tensor<i32>, %arg22: tensor<f32>, %arg23: tensor<f32>, %arg24: tensor<i1>, %arg25: tensor<i1>):
      %39 = "stablehlo.compare"(%arg20, %arg21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%39) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xf32>, tensor<4x7xi1>) -> (tensor<4x7xi32>, tensor<4x7xf32>, tensor<4x7xi1>)
    %19 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %21 = "stablehlo.multiply"(%20, %12) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %22 = "stablehlo.add"(%11, %21) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %23 = "stablehlo.constant"() <{value = dense<100> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %25 = "stablehlo.multiply"(%24, %14) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %26 = "stablehlo.add"(%22, %25) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %27 = "stablehlo.constant"() <{value = dense<1000> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x7xi32>
    %29 = "stablehlo.multiply"(%28, %18#0) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %30 = "stablehlo.add"(%26, %29) : (tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
    %31 = "stablehlo.convert"(%30) : (tensor<4x7xi32>) -> tensor<4x7xf32>
    %32 = "stablehlo.add"(%31, %18#1) : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    %33 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.constant"() <{value = dense<2.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %35 = "func.call"(%18#2, %33, %34) <{callee = @_where}> : (tensor<4x7xi1>, tensor<f32>, tensor<f32>) -> tensor<4x7xf32>
    %36 = "stablehlo.convert"(%35) : (tensor<4x7xf32>) -> tensor<4x7xf32>
    %37 = "stablehlo.add"(%32, %36) : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    %38 = "stablehlo.multiply"(%arg16, %37) : (tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    "func.return"(%38) : (tensor<4x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<4x7xi32>):
    %9 = "stablehlo.sort"(%arg13) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg14: tensor<i32>, %arg15: tensor<i32>):
      %10 = "stablehlo.compare"(%arg14, %arg15) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>) -> tensor<4x7xi32>
    "func.return"(%9) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<4x7xi32>):
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x7xi32>
    %7:2 = "stablehlo.sort"(%arg8, %6) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<i32>):
      %8 = "stablehlo.compare"(%arg9, %arg10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xi32>) -> (tensor<4x7xi32>, tensor<4x7xi32>)
    "func.return"(%7#1) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x7xi32>) -> tensor<4x7xi32>, res_attrs = [{}], sym_name = "argsort_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x7xi32>):
    %3 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x7xi32>
    %4:2 = "stablehlo.sort"(%arg3, %3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %5 = "stablehlo.compare"(%arg4, %arg5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%5) : (tensor<i1>) -> ()
    }) : (tensor<4x7xi32>, tensor<4x7xi32>) -> (tensor<4x7xi32>, tensor<4x7xi32>)
    "func.return"(%4#1) : (tensor<4x7xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x7xi1>, tensor<f32>, tensor<f32>) -> tensor<4x7xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x7xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x7xf32>
    %1 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x7xf32>
    %2 = "stablehlo.select"(%arg0, %0, %1) : (tensor<4x7xi1>, tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7xf32>
    "func.return"(%2) : (tensor<4x7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
