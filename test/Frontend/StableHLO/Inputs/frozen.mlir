"builtin.module"() ({
  "func.func"() <{arg_attrs = [{te.frozen, te.param = "first"}, {te.param = "second"}, {te.input = "x"}, {te.input = "mask"}], function_type = (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xi1>) -> tensor<2x4xf32>, res_attrs = [{te.output = "y"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%w: tensor<4x4xf32>, %v: tensor<4x4xf32>, %x: tensor<2x4xf32>, %mask: tensor<2x4xi1>):
    %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.dot_general"(%0, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.select"(%mask, %1, %0) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%2) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
