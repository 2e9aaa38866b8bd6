"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "attention.gate"}, {te.param = "attention.keys"}, {te.param = "attention.queries"}, {te.param = "gates.gate"}, {te.param = "head"}, {te.param = "scan.keys"}, {te.param = "scan.queries"}, {te.param = "scan.rates"}, {te.param = "scan.step"}, {te.param = "tokens"}, {te.param = "tree.keys"}, {te.param = "tree.queries"}, {te.param = "tree.rates"}, {te.param = "tree.step"}, {te.input = "ids"}], function_type = (tensor<16x16xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<16x48xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<48x16xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<2x8xi32>) -> tensor<2x8x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<16x16xf32>, %arg20: tensor<16x4xf32>, %arg21: tensor<16x4xf32>, %arg22: tensor<16x16xf32>, %arg23: tensor<16x48xf32>, %arg24: tensor<16x4xf32>, %arg25: tensor<16x4xf32>, %arg26: tensor<16x4xf32>, %arg27: tensor<16x16xf32>, %arg28: tensor<48x16xf32>, %arg29: tensor<16x4xf32>, %arg30: tensor<16x4xf32>, %arg31: tensor<16x4xf32>, %arg32: tensor<16x16xf32>, %arg33: tensor<2x8xi32>):
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %53 = "stablehlo.compare"(%arg33, %52) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %54 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %56 = "stablehlo.add"(%arg33, %55) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %57 = "stablehlo.select"(%53, %56, %arg33) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %59 = "stablehlo.gather"(%arg28, %58) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %60 = "stablehlo.dot_general"(%59, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %61 = "func.call"(%60) <{callee = @softplus}> : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %62 = "stablehlo.exponential"(%arg26) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %63 = "stablehlo.negate"(%62) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %64 = "stablehlo.dot_general"(%59, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %65 = "stablehlo.dot_general"(%59, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %66 = "stablehlo.transpose"(%59) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x16xf32>) -> tensor<8x2x16xf32>
    %67 = "stablehlo.transpose"(%61) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x16xf32>) -> tensor<8x2x16xf32>
    %68 = "stablehlo.transpose"(%64) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x4xf32>) -> tensor<8x2x4xf32>
    %69 = "stablehlo.transpose"(%65) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x4xf32>) -> tensor<8x2x4xf32>
    %70 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x16x4xf32>
    %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x16xf32>
    %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %75:8 = "stablehlo.while"(%66, %67, %68, %69, %63, %74, %71, %73) ({
    ^bb0(%arg58: tensor<8x2x16xf32>, %arg59: tensor<8x2x16xf32>, %arg60: tensor<8x2x4xf32>, %arg61: tensor<8x2x4xf32>, %arg62: tensor<16x4xf32>, %arg63: tensor<i32>, %arg64: tensor<2x16x4xf32>, %arg65: tensor<8x2x16xf32>):
      %329 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %330 = "stablehlo.compare"(%arg63, %329) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%330) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg50: tensor<8x2x16xf32>, %arg51: tensor<8x2x16xf32>, %arg52: tensor<8x2x4xf32>, %arg53: tensor<8x2x4xf32>, %arg54: tensor<16x4xf32>, %arg55: tensor<i32>, %arg56: tensor<2x16x4xf32>, %arg57: tensor<8x2x16xf32>):
      %321 = "func.call"(%arg50, %arg55) <{callee = @dynamic_index_in_dim}> : (tensor<8x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>
      %322 = "func.call"(%arg51, %arg55) <{callee = @dynamic_index_in_dim}> : (tensor<8x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>
      %323 = "func.call"(%arg52, %arg55) <{callee = @dynamic_index_in_dim_0}> : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %324 = "func.call"(%arg53, %arg55) <{callee = @dynamic_index_in_dim_0}> : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %325:2 = "func.call"(%arg54, %arg56, %321, %322, %323, %324) <{callee = @closed_call}> : (tensor<16x4xf32>, tensor<2x16x4xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x16x4xf32>, tensor<2x16xf32>)
      %326 = "func.call"(%arg57, %325#1, %arg55) <{callee = @dynamic_update_index_in_dim}> : (tensor<8x2x16xf32>, tensor<2x16xf32>, tensor<i32>) -> tensor<8x2x16xf32>
      %327 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %328 = "stablehlo.add"(%arg55, %327) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg50, %arg51, %arg52, %arg53, %arg54, %328, %325#0, %326) : (tensor<8x2x16xf32>, tensor<8x2x16xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<16x4xf32>, tensor<i32>, tensor<2x16x4xf32>, tensor<8x2x16xf32>) -> ()
    }) : (tensor<8x2x16xf32>, tensor<8x2x16xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<16x4xf32>, tensor<i32>, tensor<2x16x4xf32>, tensor<8x2x16xf32>) -> (tensor<8x2x16xf32>, tensor<8x2x16xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<16x4xf32>, tensor<i32>, tensor<2x16x4xf32>, tensor<8x2x16xf32>)
    %76 = "stablehlo.transpose"(%75#7) <{permutation = array<i64: 1, 0, 2>}> : (tensor<8x2x16xf32>) -> tensor<2x8x16xf32>
    %77 = "stablehlo.add"(%59, %76) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %78 = "stablehlo.dot_general"(%77, %arg32) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %79 = "func.call"(%78) <{callee = @softplus}> : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %80 = "stablehlo.exponential"(%arg31) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %81 = "stablehlo.negate"(%80) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %82 = "stablehlo.dot_general"(%77, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %83 = "stablehlo.dot_general"(%77, %arg30) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %84 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x16xf32>) -> tensor<2x8x16x1xf32>
    %85 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<16x4xf32>) -> tensor<1x1x16x4xf32>
    %86 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x16x1xf32>) -> tensor<2x8x16x4xf32>
    %87 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x16x4xf32>) -> tensor<2x8x16x4xf32>
    %88 = "stablehlo.multiply"(%86, %87) : (tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>) -> tensor<2x8x16x4xf32>
    %89 = "stablehlo.exponential"(%88) : (tensor<2x8x16x4xf32>) -> tensor<2x8x16x4xf32>
    %90 = "stablehlo.multiply"(%79, %77) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x16xf32>) -> tensor<2x8x16x1xf32>
    %92 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x4xf32>) -> tensor<2x8x1x4xf32>
    %93 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x16x1xf32>) -> tensor<2x8x16x4xf32>
    %94 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x16x4xf32>
    %95 = "stablehlo.multiply"(%93, %94) : (tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>) -> tensor<2x8x16x4xf32>
    %96 = "stablehlo.slice"(%89) <{limit_indices = array<i64: 2, 7, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x4x16x4xf32>
    %97 = "stablehlo.slice"(%95) <{limit_indices = array<i64: 2, 7, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x4x16x4xf32>
    %98 = "stablehlo.slice"(%89) <{limit_indices = array<i64: 2, 8, 16, 4>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x4x16x4xf32>
    %99 = "stablehlo.slice"(%95) <{limit_indices = array<i64: 2, 8, 16, 4>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x4x16x4xf32>
    %100 = "stablehlo.multiply"(%96, %98) : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x4xf32>
    %101 = "stablehlo.multiply"(%98, %97) : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x4xf32>
    %102 = "stablehlo.add"(%101, %99) : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x4xf32>
    %103 = "stablehlo.slice"(%100) <{limit_indices = array<i64: 2, 3, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x2x16x4xf32>
    %104 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 3, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x2x16x4xf32>
    %105 = "stablehlo.slice"(%100) <{limit_indices = array<i64: 2, 4, 16, 4>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x2x16x4xf32>
    %106 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 4, 16, 4>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x2x16x4xf32>
    %107 = "stablehlo.multiply"(%103, %105) : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    %108 = "stablehlo.multiply"(%105, %104) : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    %109 = "stablehlo.add"(%108, %106) : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    %110 = "stablehlo.slice"(%107) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %111 = "stablehlo.slice"(%109) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %112 = "stablehlo.slice"(%107) <{limit_indices = array<i64: 2, 2, 16, 4>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %113 = "stablehlo.slice"(%109) <{limit_indices = array<i64: 2, 2, 16, 4>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %114 = "stablehlo.multiply"(%110, %112) : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x1x16x4xf32>
    %115 = "stablehlo.multiply"(%112, %111) : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x1x16x4xf32>
    %116 = "stablehlo.add"(%115, %113) : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x1x16x4xf32>
    %117 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 2, 0, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x1x16x4xf32>) -> tensor<2x0x16x4xf32>
    %118 = "stablehlo.slice"(%116) <{limit_indices = array<i64: 2, 0, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x1x16x4xf32>) -> tensor<2x0x16x4xf32>
    %119 = "stablehlo.slice"(%107) <{limit_indices = array<i64: 2, 2, 16, 4>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x0x16x4xf32>
    %120 = "stablehlo.slice"(%109) <{limit_indices = array<i64: 2, 2, 16, 4>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x0x16x4xf32>
    %121 = "stablehlo.multiply"(%117, %119) : (tensor<2x0x16x4xf32>, tensor<2x0x16x4xf32>) -> tensor<2x0x16x4xf32>
    %122 = "stablehlo.multiply"(%119, %118) : (tensor<2x0x16x4xf32>, tensor<2x0x16x4xf32>) -> tensor<2x0x16x4xf32>
    %123 = "stablehlo.add"(%122, %120) : (tensor<2x0x16x4xf32>, tensor<2x0x16x4xf32>) -> tensor<2x0x16x4xf32>
    %124 = "stablehlo.slice"(%107) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %125 = "stablehlo.concatenate"(%124, %121) <{dimension = 1 : i64}> : (tensor<2x1x16x4xf32>, tensor<2x0x16x4xf32>) -> tensor<2x1x16x4xf32>
    %126 = "stablehlo.slice"(%109) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %127 = "stablehlo.concatenate"(%126, %123) <{dimension = 1 : i64}> : (tensor<2x1x16x4xf32>, tensor<2x0x16x4xf32>) -> tensor<2x1x16x4xf32>
    %128 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.pad"(%125, %128) <{edge_padding_high = array<i64: 0, 1, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x1x16x4xf32>, tensor<f32>) -> tensor<2x2x16x4xf32>
    %130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.pad"(%114, %130) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x1x16x4xf32>, tensor<f32>) -> tensor<2x2x16x4xf32>
    %132 = "stablehlo.add"(%129, %131) : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    %133 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %134 = "stablehlo.pad"(%127, %133) <{edge_padding_high = array<i64: 0, 1, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x1x16x4xf32>, tensor<f32>) -> tensor<2x2x16x4xf32>
    %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %136 = "stablehlo.pad"(%116, %135) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x1x16x4xf32>, tensor<f32>) -> tensor<2x2x16x4xf32>
    %137 = "stablehlo.add"(%134, %136) : (tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    %138 = "stablehlo.slice"(%132) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %139 = "stablehlo.slice"(%137) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x2x16x4xf32>) -> tensor<2x1x16x4xf32>
    %140 = "stablehlo.slice"(%100) <{limit_indices = array<i64: 2, 4, 16, 4>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x1x16x4xf32>
    %141 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 4, 16, 4>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x1x16x4xf32>
    %142 = "stablehlo.multiply"(%138, %140) : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x1x16x4xf32>
    %143 = "stablehlo.multiply"(%140, %139) : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x1x16x4xf32>
    %144 = "stablehlo.add"(%143, %141) : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x1x16x4xf32>
    %145 = "stablehlo.slice"(%100) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x1x16x4xf32>
    %146 = "stablehlo.concatenate"(%145, %142) <{dimension = 1 : i64}> : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x2x16x4xf32>
    %147 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x1x16x4xf32>
    %148 = "stablehlo.concatenate"(%147, %144) <{dimension = 1 : i64}> : (tensor<2x1x16x4xf32>, tensor<2x1x16x4xf32>) -> tensor<2x2x16x4xf32>
    %149 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.pad"(%146, %149) <{edge_padding_high = array<i64: 0, 1, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x2x16x4xf32>, tensor<f32>) -> tensor<2x4x16x4xf32>
    %151 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %152 = "stablehlo.pad"(%132, %151) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x2x16x4xf32>, tensor<f32>) -> tensor<2x4x16x4xf32>
    %153 = "stablehlo.add"(%150, %152) : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x4xf32>
    %154 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %155 = "stablehlo.pad"(%148, %154) <{edge_padding_high = array<i64: 0, 1, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x2x16x4xf32>, tensor<f32>) -> tensor<2x4x16x4xf32>
    %156 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %157 = "stablehlo.pad"(%137, %156) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x2x16x4xf32>, tensor<f32>) -> tensor<2x4x16x4xf32>
    %158 = "stablehlo.add"(%155, %157) : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x4xf32>
    %159 = "stablehlo.slice"(%153) <{limit_indices = array<i64: 2, 3, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x3x16x4xf32>
    %160 = "stablehlo.slice"(%158) <{limit_indices = array<i64: 2, 3, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x16x4xf32>) -> tensor<2x3x16x4xf32>
    %161 = "stablehlo.slice"(%89) <{limit_indices = array<i64: 2, 8, 16, 4>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x3x16x4xf32>
    %162 = "stablehlo.slice"(%95) <{limit_indices = array<i64: 2, 8, 16, 4>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 2, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x3x16x4xf32>
    %163 = "stablehlo.multiply"(%159, %161) : (tensor<2x3x16x4xf32>, tensor<2x3x16x4xf32>) -> tensor<2x3x16x4xf32>
    %164 = "stablehlo.multiply"(%161, %160) : (tensor<2x3x16x4xf32>, tensor<2x3x16x4xf32>) -> tensor<2x3x16x4xf32>
    %165 = "stablehlo.add"(%164, %162) : (tensor<2x3x16x4xf32>, tensor<2x3x16x4xf32>) -> tensor<2x3x16x4xf32>
    %166 = "stablehlo.slice"(%89) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x1x16x4xf32>
    %167 = "stablehlo.concatenate"(%166, %163) <{dimension = 1 : i64}> : (tensor<2x1x16x4xf32>, tensor<2x3x16x4xf32>) -> tensor<2x4x16x4xf32>
    %168 = "stablehlo.slice"(%95) <{limit_indices = array<i64: 2, 1, 16, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x16x4xf32>) -> tensor<2x1x16x4xf32>
    %169 = "stablehlo.concatenate"(%168, %165) <{dimension = 1 : i64}> : (tensor<2x1x16x4xf32>, tensor<2x3x16x4xf32>) -> tensor<2x4x16x4xf32>
    %170 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %171 = "stablehlo.pad"(%167, %170) <{edge_padding_high = array<i64: 0, 1, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x4x16x4xf32>, tensor<f32>) -> tensor<2x8x16x4xf32>
    %172 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.pad"(%153, %172) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x4x16x4xf32>, tensor<f32>) -> tensor<2x8x16x4xf32>
    %174 = "stablehlo.add"(%171, %173) : (tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>) -> tensor<2x8x16x4xf32>
    %175 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.pad"(%169, %175) <{edge_padding_high = array<i64: 0, 1, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x4x16x4xf32>, tensor<f32>) -> tensor<2x8x16x4xf32>
    %177 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %178 = "stablehlo.pad"(%158, %177) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>}> : (tensor<2x4x16x4xf32>, tensor<f32>) -> tensor<2x8x16x4xf32>
    %179 = "stablehlo.add"(%176, %178) : (tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>) -> tensor<2x8x16x4xf32>
    %180 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x4xf32>) -> tensor<2x8x1x4xf32>
    %181 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x16x4xf32>
    %182 = "stablehlo.multiply"(%179, %181) : (tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>) -> tensor<2x8x16x4xf32>
    %183 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %184 = "stablehlo.reduce"(%182, %183) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
      %320 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%320) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16x4xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %185 = "stablehlo.add"(%77, %184) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %186 = "stablehlo.dot_general"(%185, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %187 = "stablehlo.negate"(%186) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %188 = "stablehlo.exponential"(%187) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %189 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %191 = "stablehlo.add"(%190, %188) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %192 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %194 = "stablehlo.divide"(%193, %191) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %195 = "stablehlo.multiply"(%194, %194) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %196 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %197 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %198 = "stablehlo.subtract"(%197, %195) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %199 = "stablehlo.sqrt"(%198) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %200 = "stablehlo.multiply"(%185, %199) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %201 = "stablehlo.slice"(%194) <{limit_indices = array<i64: 2, 7, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
    %202 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 7, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
    %203 = "stablehlo.slice"(%194) <{limit_indices = array<i64: 2, 8, 16>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
    %204 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 8, 16>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
    %205 = "stablehlo.multiply"(%201, %203) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %206 = "stablehlo.multiply"(%203, %202) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %207 = "stablehlo.add"(%206, %204) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %208 = "stablehlo.slice"(%205) <{limit_indices = array<i64: 2, 3, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x2x16xf32>
    %209 = "stablehlo.slice"(%207) <{limit_indices = array<i64: 2, 3, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x2x16xf32>
    %210 = "stablehlo.slice"(%205) <{limit_indices = array<i64: 2, 4, 16>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x2x16xf32>
    %211 = "stablehlo.slice"(%207) <{limit_indices = array<i64: 2, 4, 16>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x2x16xf32>
    %212 = "stablehlo.multiply"(%208, %210) : (tensor<2x2x16xf32>, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %213 = "stablehlo.multiply"(%210, %209) : (tensor<2x2x16xf32>, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %214 = "stablehlo.add"(%213, %211) : (tensor<2x2x16xf32>, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %215 = "stablehlo.slice"(%212) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %216 = "stablehlo.slice"(%214) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %217 = "stablehlo.slice"(%212) <{limit_indices = array<i64: 2, 2, 16>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %218 = "stablehlo.slice"(%214) <{limit_indices = array<i64: 2, 2, 16>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %219 = "stablehlo.multiply"(%215, %217) : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x16xf32>
    %220 = "stablehlo.multiply"(%217, %216) : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x16xf32>
    %221 = "stablehlo.add"(%220, %218) : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x16xf32>
    %222 = "stablehlo.slice"(%219) <{limit_indices = array<i64: 2, 0, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x1x16xf32>) -> tensor<2x0x16xf32>
    %223 = "stablehlo.slice"(%221) <{limit_indices = array<i64: 2, 0, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x1x16xf32>) -> tensor<2x0x16xf32>
    %224 = "stablehlo.slice"(%212) <{limit_indices = array<i64: 2, 2, 16>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x0x16xf32>
    %225 = "stablehlo.slice"(%214) <{limit_indices = array<i64: 2, 2, 16>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x0x16xf32>
    %226 = "stablehlo.multiply"(%222, %224) : (tensor<2x0x16xf32>, tensor<2x0x16xf32>) -> tensor<2x0x16xf32>
    %227 = "stablehlo.multiply"(%224, %223) : (tensor<2x0x16xf32>, tensor<2x0x16xf32>) -> tensor<2x0x16xf32>
    %228 = "stablehlo.add"(%227, %225) : (tensor<2x0x16xf32>, tensor<2x0x16xf32>) -> tensor<2x0x16xf32>
    %229 = "stablehlo.slice"(%212) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %230 = "stablehlo.concatenate"(%229, %226) <{dimension = 1 : i64}> : (tensor<2x1x16xf32>, tensor<2x0x16xf32>) -> tensor<2x1x16xf32>
    %231 = "stablehlo.slice"(%214) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %232 = "stablehlo.concatenate"(%231, %228) <{dimension = 1 : i64}> : (tensor<2x1x16xf32>, tensor<2x0x16xf32>) -> tensor<2x1x16xf32>
    %233 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %234 = "stablehlo.pad"(%230, %233) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x1x16xf32>, tensor<f32>) -> tensor<2x2x16xf32>
    %235 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %236 = "stablehlo.pad"(%219, %235) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x1x16xf32>, tensor<f32>) -> tensor<2x2x16xf32>
    %237 = "stablehlo.add"(%234, %236) : (tensor<2x2x16xf32>, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %238 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %239 = "stablehlo.pad"(%232, %238) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x1x16xf32>, tensor<f32>) -> tensor<2x2x16xf32>
    %240 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %241 = "stablehlo.pad"(%221, %240) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x1x16xf32>, tensor<f32>) -> tensor<2x2x16xf32>
    %242 = "stablehlo.add"(%239, %241) : (tensor<2x2x16xf32>, tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %243 = "stablehlo.slice"(%237) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %244 = "stablehlo.slice"(%242) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x2x16xf32>) -> tensor<2x1x16xf32>
    %245 = "stablehlo.slice"(%205) <{limit_indices = array<i64: 2, 4, 16>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x1x16xf32>
    %246 = "stablehlo.slice"(%207) <{limit_indices = array<i64: 2, 4, 16>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x1x16xf32>
    %247 = "stablehlo.multiply"(%243, %245) : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x16xf32>
    %248 = "stablehlo.multiply"(%245, %244) : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x16xf32>
    %249 = "stablehlo.add"(%248, %246) : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x1x16xf32>
    %250 = "stablehlo.slice"(%205) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x1x16xf32>
    %251 = "stablehlo.concatenate"(%250, %247) <{dimension = 1 : i64}> : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x2x16xf32>
    %252 = "stablehlo.slice"(%207) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x1x16xf32>
    %253 = "stablehlo.concatenate"(%252, %249) <{dimension = 1 : i64}> : (tensor<2x1x16xf32>, tensor<2x1x16xf32>) -> tensor<2x2x16xf32>
    %254 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %255 = "stablehlo.pad"(%251, %254) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x2x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %256 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %257 = "stablehlo.pad"(%237, %256) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x2x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %258 = "stablehlo.add"(%255, %257) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %259 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %260 = "stablehlo.pad"(%253, %259) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x2x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %261 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %262 = "stablehlo.pad"(%242, %261) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x2x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
    %263 = "stablehlo.add"(%260, %262) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %264 = "stablehlo.slice"(%258) <{limit_indices = array<i64: 2, 3, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x3x16xf32>
    %265 = "stablehlo.slice"(%263) <{limit_indices = array<i64: 2, 3, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x16xf32>) -> tensor<2x3x16xf32>
    %266 = "stablehlo.slice"(%194) <{limit_indices = array<i64: 2, 8, 16>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x3x16xf32>
    %267 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 8, 16>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 2, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x3x16xf32>
    %268 = "stablehlo.multiply"(%264, %266) : (tensor<2x3x16xf32>, tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
    %269 = "stablehlo.multiply"(%266, %265) : (tensor<2x3x16xf32>, tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
    %270 = "stablehlo.add"(%269, %267) : (tensor<2x3x16xf32>, tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
    %271 = "stablehlo.slice"(%194) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x1x16xf32>
    %272 = "stablehlo.concatenate"(%271, %268) <{dimension = 1 : i64}> : (tensor<2x1x16xf32>, tensor<2x3x16xf32>) -> tensor<2x4x16xf32>
    %273 = "stablehlo.slice"(%200) <{limit_indices = array<i64: 2, 1, 16>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x16xf32>) -> tensor<2x1x16xf32>
    %274 = "stablehlo.concatenate"(%273, %270) <{dimension = 1 : i64}> : (tensor<2x1x16xf32>, tensor<2x3x16xf32>) -> tensor<2x4x16xf32>
    %275 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %276 = "stablehlo.pad"(%272, %275) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %277 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %278 = "stablehlo.pad"(%258, %277) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %279 = "stablehlo.add"(%276, %278) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %280 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %281 = "stablehlo.pad"(%274, %280) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %282 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %283 = "stablehlo.pad"(%263, %282) <{edge_padding_high = array<i64: 0, 0, 0>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 1, 0>}> : (tensor<2x4x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %284 = "stablehlo.add"(%281, %283) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %285 = "stablehlo.add"(%185, %284) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %286 = "stablehlo.dot_general"(%285, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %287 = "stablehlo.negate"(%286) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %288 = "stablehlo.exponential"(%287) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %289 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %290 = "stablehlo.broadcast_in_dim"(%289) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %291 = "stablehlo.add"(%290, %288) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %292 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %293 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %294 = "stablehlo.divide"(%293, %291) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %295 = "stablehlo.dot_general"(%285, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %296 = "stablehlo.dot_general"(%285, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x4xf32>) -> tensor<2x8x4xf32>
    %297 = "stablehlo.transpose"(%285) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x16xf32>) -> tensor<8x2x16xf32>
    %298 = "stablehlo.transpose"(%294) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x16xf32>) -> tensor<8x2x16xf32>
    %299 = "stablehlo.transpose"(%295) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x4xf32>) -> tensor<8x2x4xf32>
    %300 = "stablehlo.transpose"(%296) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x8x4xf32>) -> tensor<8x2x4xf32>
    %301 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %302 = "stablehlo.broadcast_in_dim"(%301) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4x16xf32>
    %303 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x16xf32>
    %305 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %306:7 = "stablehlo.while"(%297, %298, %299, %300, %305, %302, %304) ({
    ^bb0(%arg41: tensor<8x2x16xf32>, %arg42: tensor<8x2x16xf32>, %arg43: tensor<8x2x4xf32>, %arg44: tensor<8x2x4xf32>, %arg45: tensor<i32>, %arg46: tensor<2x4x16xf32>, %arg47: tensor<8x2x16xf32>):
      %318 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
      %319 = "stablehlo.compare"(%arg45, %318) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%319) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg34: tensor<8x2x16xf32>, %arg35: tensor<8x2x16xf32>, %arg36: tensor<8x2x4xf32>, %arg37: tensor<8x2x4xf32>, %arg38: tensor<i32>, %arg39: tensor<2x4x16xf32>, %arg40: tensor<8x2x16xf32>):
      %310 = "func.call"(%arg34, %arg38) <{callee = @dynamic_index_in_dim}> : (tensor<8x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>
      %311 = "func.call"(%arg35, %arg38) <{callee = @dynamic_index_in_dim}> : (tensor<8x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>
      %312 = "func.call"(%arg36, %arg38) <{callee = @dynamic_index_in_dim_0}> : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %313 = "func.call"(%arg37, %arg38) <{callee = @dynamic_index_in_dim_0}> : (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>
      %314:2 = "func.call"(%arg39, %310, %311, %312, %313) <{callee = @closed_call_1}> : (tensor<2x4x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4x16xf32>, tensor<2x16xf32>)
      %315 = "func.call"(%arg40, %314#1, %arg38) <{callee = @dynamic_update_index_in_dim}> : (tensor<8x2x16xf32>, tensor<2x16xf32>, tensor<i32>) -> tensor<8x2x16xf32>
      %316 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %317 = "stablehlo.add"(%arg38, %316) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg34, %arg35, %arg36, %arg37, %317, %314#0, %315) : (tensor<8x2x16xf32>, tensor<8x2x16xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<i32>, tensor<2x4x16xf32>, tensor<8x2x16xf32>) -> ()
    }) : (tensor<8x2x16xf32>, tensor<8x2x16xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<i32>, tensor<2x4x16xf32>, tensor<8x2x16xf32>) -> (tensor<8x2x16xf32>, tensor<8x2x16xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<i32>, tensor<2x4x16xf32>, tensor<8x2x16xf32>)
    %307 = "stablehlo.transpose"(%306#6) <{permutation = array<i64: 1, 0, 2>}> : (tensor<8x2x16xf32>) -> tensor<2x8x16xf32>
    %308 = "stablehlo.add"(%285, %307) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %309 = "stablehlo.dot_general"(%308, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    "func.return"(%309) : (tensor<2x8x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>, res_attrs = [{}], sym_name = "softplus", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<2x8x16xf32>):
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %39 = "stablehlo.maximum"(%arg18, %38) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %40 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %41 = "stablehlo.subtract"(%arg18, %40) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %42 = "stablehlo.compare"(%41, %41) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xi1>
    %43 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x16xf32>
    %44 = "stablehlo.add"(%arg18, %43) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %45 = "stablehlo.abs"(%41) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %46 = "stablehlo.negate"(%45) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %47 = "stablehlo.exponential"(%46) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %48 = "stablehlo.log_plus_one"(%47) : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %49 = "stablehlo.add"(%39, %48) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %50 = "stablehlo.select"(%42, %44, %49) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    "func.return"(%50) : (tensor<2x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x2x16xf32>, tensor<i32>) -> tensor<2x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<8x2x16xf32>, %arg17: tensor<i32>):
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.dynamic_slice"(%arg16, %arg17, %33, %34) <{slice_sizes = array<i64: 1, 2, 16>}> : (tensor<8x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x16xf32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1x2x16xf32>) -> tensor<2x16xf32>
    "func.return"(%36) : (tensor<2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<8x2x4xf32>, %arg15: tensor<i32>):
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.dynamic_slice"(%arg14, %arg15, %29, %30) <{slice_sizes = array<i64: 1, 2, 4>}> : (tensor<8x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%32) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x4xf32>, tensor<2x16x4xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x16x4xf32>, tensor<2x16xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<16x4xf32>, %arg9: tensor<2x16x4xf32>, %arg10: tensor<2x16xf32>, %arg11: tensor<2x16xf32>, %arg12: tensor<2x4xf32>, %arg13: tensor<2x4xf32>):
    %14 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %15 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x4xf32>) -> tensor<1x16x4xf32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x16x1xf32>) -> tensor<2x16x4xf32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x16x4xf32>) -> tensor<2x16x4xf32>
    %18 = "stablehlo.multiply"(%16, %17) : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
    %19 = "stablehlo.exponential"(%18) : (tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
    %20 = "stablehlo.multiply"(%19, %arg9) : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
    %21 = "stablehlo.multiply"(%arg11, %arg10) : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
    %23 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x16x1xf32>) -> tensor<2x16x4xf32>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x4xf32>) -> tensor<2x16x4xf32>
    %26 = "stablehlo.multiply"(%24, %25) : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
    %27 = "stablehlo.add"(%20, %26) : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<2x16x4xf32>
    %28 = "stablehlo.dot_general"(%27, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x16x4xf32>, tensor<2x4xf32>) -> tensor<2x16xf32>
    "func.return"(%27, %28) : (tensor<2x16x4xf32>, tensor<2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x2x16xf32>, tensor<2x16xf32>, tensor<i32>) -> tensor<8x2x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<8x2x16xf32>, %arg6: tensor<2x16xf32>, %arg7: tensor<i32>):
    %10 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x16xf32>) -> tensor<1x2x16xf32>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.dynamic_update_slice"(%arg5, %10, %arg7, %11, %12) : (tensor<8x2x16xf32>, tensor<1x2x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x2x16xf32>
    "func.return"(%13) : (tensor<8x2x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4x16xf32>, tensor<2x16xf32>), res_attrs = [{}, {}], sym_name = "closed_call_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4x16xf32>, %arg1: tensor<2x16xf32>, %arg2: tensor<2x16xf32>, %arg3: tensor<2x4xf32>, %arg4: tensor<2x4xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x16xf32>) -> tensor<2x1x16xf32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x16xf32>) -> tensor<2x4x16xf32>
    %2 = "stablehlo.multiply"(%1, %arg0) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %3 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %4 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x16xf32>) -> tensor<2x1x16xf32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x4x1xf32>) -> tensor<2x4x16xf32>
    %6 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x1x16xf32>) -> tensor<2x4x16xf32>
    %7 = "stablehlo.multiply"(%5, %6) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %8 = "stablehlo.add"(%2, %7) : (tensor<2x4x16xf32>, tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %9 = "stablehlo.dot_general"(%arg4, %8) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<2x4x16xf32>) -> tensor<2x16xf32>
    "func.return"(%8, %9) : (tensor<2x4x16xf32>, tensor<2x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
