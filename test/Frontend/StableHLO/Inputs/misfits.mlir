"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<3xi32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x4xf32> loc("x"), %i: tensor<3xi32> loc("i")):
    %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [7], rhs_contracting_dimensions = [0]>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [9], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
    %2 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>}> : (tensor<2x4xf32>) -> tensor<3x4xf32>
    %4 = "stablehlo.concatenate"(%x, %x) <{dimension = 1 : i64}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %5 = "stablehlo.add"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %6 = "stablehlo.transpose"(%x) <{permutation = array<i64: 0, 0>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%x) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
