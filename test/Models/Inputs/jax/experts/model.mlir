"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "argsort.down"}, {te.param = "argsort.gate"}, {te.param = "argsort.router"}, {te.param = "argsort.up"}, {te.param = "head"}, {te.param = "places.down"}, {te.param = "places.gate"}, {te.param = "places.router"}, {te.param = "places.up"}, {te.param = "sum.down"}, {te.param = "sum.gate"}, {te.param = "sum.router"}, {te.param = "sum.up"}, {te.param = "tokens"}, {te.input = "ids"}], function_type = (tensor<6x16x16xf32>, tensor<6x16x16xf32>, tensor<16x6xf32>, tensor<6x16x16xf32>, tensor<16x48xf32>, tensor<6x16x16xf32>, tensor<6x16x16xf32>, tensor<16x6xf32>, tensor<6x16x16xf32>, tensor<6x16x16xf32>, tensor<6x16x16xf32>, tensor<16x6xf32>, tensor<6x16x16xf32>, tensor<48x16xf32>, tensor<2x8xi32>) -> tensor<2x8x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg25: tensor<6x16x16xf32>, %arg26: tensor<6x16x16xf32>, %arg27: tensor<16x6xf32>, %arg28: tensor<6x16x16xf32>, %arg29: tensor<16x48xf32>, %arg30: tensor<6x16x16xf32>, %arg31: tensor<6x16x16xf32>, %arg32: tensor<16x6xf32>, %arg33: tensor<6x16x16xf32>, %arg34: tensor<6x16x16xf32>, %arg35: tensor<6x16x16xf32>, %arg36: tensor<16x6xf32>, %arg37: tensor<6x16x16xf32>, %arg38: tensor<48x16xf32>, %arg39: tensor<2x8xi32>):
    %91 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %93 = "stablehlo.compare"(%arg39, %92) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %94 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %96 = "stablehlo.add"(%arg39, %95) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %97 = "stablehlo.select"(%93, %96, %arg39) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %99 = "stablehlo.gather"(%arg38, %98) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %100 = "stablehlo.reshape"(%99) : (tensor<2x8x16xf32>) -> tensor<16x16xf32>
    %101 = "stablehlo.dot_general"(%100, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x16xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %102 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.reduce"(%101, %102) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
      %462 = "stablehlo.maximum"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%462) : (tensor<f32>) -> ()
    }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16xf32>
    %104 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %106 = "stablehlo.maximum"(%105, %103) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x6xf32>
    %109 = "stablehlo.subtract"(%101, %108) : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %110 = "stablehlo.exponential"(%109) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %111 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %112 = "stablehlo.reduce"(%110, %111) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg70: tensor<f32>, %arg71: tensor<f32>):
      %461 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%461) : (tensor<f32>) -> ()
    }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16xf32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x6xf32>
    %115 = "stablehlo.divide"(%110, %114) : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %116:2 = "chlo.top_k"(%115) <{k = 2 : i64}> : (tensor<16x6xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.reduce"(%116#0, %117) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg68: tensor<f32>, %arg69: tensor<f32>):
      %460 = "stablehlo.add"(%arg68, %arg69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%460) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
    %121 = "stablehlo.divide"(%116#0, %120) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %122 = "stablehlo.reshape"(%116#1) : (tensor<16x2xi32>) -> tensor<32xi32>
    %123 = "func.call"(%122) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
    %124 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %125 = "func.call"(%123, %124) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
    %126 = "func.call"(%100, %125) <{callee = @_take}> : (tensor<16x16xf32>, tensor<32xi32>) -> tensor<32x16xf32>
    %127 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %129 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %130 = "func.call"(%122, %129) <{callee = @clip}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
    %131 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %133 = "stablehlo.compare"(%130, %132) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %134 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %136 = "stablehlo.add"(%130, %135) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %137 = "stablehlo.select"(%133, %136, %130) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %139 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %141 = "stablehlo.scatter"(%128, %138, %140) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg66: tensor<i32>, %arg67: tensor<i32>):
      %459 = "stablehlo.add"(%arg66, %arg67) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%459) : (tensor<i32>) -> ()
    }) : (tensor<6xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<6xi32>
    %142 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %143 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %144 = "func.call"(%141) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %147 = "stablehlo.slice"(%146) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %148 = "stablehlo.slice"(%144) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %149 = "stablehlo.concatenate"(%147, %148) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %150 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %151 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %152 = "stablehlo.compare"(%151, %143) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %153 = "stablehlo.compare"(%143, %150) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %154 = "stablehlo.and"(%152, %153) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %155 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %157 = "stablehlo.select"(%154, %142, %156) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %158 = "stablehlo.dot_general"(%157, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %159 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %160 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %161 = "func.call"(%141) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %162 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %164 = "stablehlo.slice"(%163) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %165 = "stablehlo.slice"(%161) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %166 = "stablehlo.concatenate"(%164, %165) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %167 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %168 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %169 = "stablehlo.compare"(%168, %160) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %170 = "stablehlo.compare"(%160, %167) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %171 = "stablehlo.and"(%169, %170) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %172 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %174 = "stablehlo.select"(%171, %159, %173) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %175 = "stablehlo.dot_general"(%174, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %176 = "func.call"(%158) <{callee = @silu}> : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %177 = "stablehlo.multiply"(%176, %175) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %179 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %180 = "func.call"(%141) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %181 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %183 = "stablehlo.slice"(%182) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %184 = "stablehlo.slice"(%180) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %185 = "stablehlo.concatenate"(%183, %184) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %186 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %187 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %188 = "stablehlo.compare"(%187, %179) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %189 = "stablehlo.compare"(%179, %186) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %190 = "stablehlo.and"(%188, %189) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %191 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %193 = "stablehlo.select"(%190, %178, %192) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %194 = "stablehlo.dot_general"(%193, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %195 = "func.call"(%123) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
    %196 = "func.call"(%194, %195) <{callee = @_take_0}> : (tensor<32x16xf32>, tensor<32xi32>) -> tensor<32x16xf32>
    %197 = "stablehlo.reshape"(%196) : (tensor<32x16xf32>) -> tensor<16x2x16xf32>
    %198 = "stablehlo.dot_general"(%197, %121) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2x16xf32>, tensor<16x2xf32>) -> tensor<16x16xf32>
    %199 = "stablehlo.add"(%100, %198) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %200 = "stablehlo.dot_general"(%199, %arg36) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x16xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %201 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.reduce"(%200, %201) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
      %458 = "stablehlo.maximum"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%458) : (tensor<f32>) -> ()
    }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16xf32>
    %203 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %204 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %205 = "stablehlo.maximum"(%204, %202) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x6xf32>
    %208 = "stablehlo.subtract"(%200, %207) : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %209 = "stablehlo.exponential"(%208) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %210 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %211 = "stablehlo.reduce"(%209, %210) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg62: tensor<f32>, %arg63: tensor<f32>):
      %457 = "stablehlo.add"(%arg62, %arg63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%457) : (tensor<f32>) -> ()
    }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16xf32>
    %212 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x6xf32>
    %214 = "stablehlo.divide"(%209, %213) : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %215:2 = "chlo.top_k"(%214) <{k = 2 : i64}> : (tensor<16x6xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %216 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %217 = "stablehlo.reduce"(%215#0, %216) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
      %456 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%456) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
    %218 = "stablehlo.broadcast_in_dim"(%217) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
    %220 = "stablehlo.divide"(%215#0, %219) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %221 = "stablehlo.reshape"(%215#1) : (tensor<16x2xi32>) -> tensor<32xi32>
    %222 = "func.call"(%221) <{callee = @argsort}> : (tensor<32xi32>) -> tensor<32xi32>
    %223 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %225 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %227 = "stablehlo.compare"(%221, %226) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %228 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %229 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %230 = "stablehlo.add"(%221, %229) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %231 = "stablehlo.select"(%227, %230, %221) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %233 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %235 = "stablehlo.scatter"(%224, %232, %234) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg58: tensor<i32>, %arg59: tensor<i32>):
      %455 = "stablehlo.add"(%arg58, %arg59) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%455) : (tensor<i32>) -> ()
    }) : (tensor<6xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<6xi32>
    %236 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<16x16xf32>) -> tensor<16x2x16xf32>
    %237 = "stablehlo.reshape"(%236) : (tensor<16x2x16xf32>) -> tensor<32x16xf32>
    %238 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %240 = "stablehlo.compare"(%222, %239) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %241 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %242 = "stablehlo.broadcast_in_dim"(%241) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %243 = "stablehlo.add"(%222, %242) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %244 = "stablehlo.select"(%240, %243, %222) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %245 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %246 = "stablehlo.gather"(%237, %245) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>
    %247 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %248 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %249 = "func.call"(%235) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %250 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %252 = "stablehlo.slice"(%251) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %253 = "stablehlo.slice"(%249) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %254 = "stablehlo.concatenate"(%252, %253) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %255 = "stablehlo.broadcast_in_dim"(%249) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %256 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %257 = "stablehlo.compare"(%256, %248) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %258 = "stablehlo.compare"(%248, %255) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %259 = "stablehlo.and"(%257, %258) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %260 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %262 = "stablehlo.select"(%259, %247, %261) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %263 = "stablehlo.dot_general"(%262, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %264 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %265 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %266 = "func.call"(%235) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %267 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %268 = "stablehlo.broadcast_in_dim"(%267) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %269 = "stablehlo.slice"(%268) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %270 = "stablehlo.slice"(%266) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %271 = "stablehlo.concatenate"(%269, %270) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %272 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %273 = "stablehlo.broadcast_in_dim"(%271) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %274 = "stablehlo.compare"(%273, %265) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %275 = "stablehlo.compare"(%265, %272) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %276 = "stablehlo.and"(%274, %275) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %277 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %278 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %279 = "stablehlo.select"(%276, %264, %278) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %280 = "stablehlo.dot_general"(%279, %arg37) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %281 = "func.call"(%263) <{callee = @silu}> : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %282 = "stablehlo.multiply"(%281, %280) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %283 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %284 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %285 = "func.call"(%235) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %286 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %288 = "stablehlo.slice"(%287) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %289 = "stablehlo.slice"(%285) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %290 = "stablehlo.concatenate"(%288, %289) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %291 = "stablehlo.broadcast_in_dim"(%285) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %292 = "stablehlo.broadcast_in_dim"(%290) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %293 = "stablehlo.compare"(%292, %284) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %294 = "stablehlo.compare"(%284, %291) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %295 = "stablehlo.and"(%293, %294) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %296 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %297 = "stablehlo.broadcast_in_dim"(%296) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %298 = "stablehlo.select"(%295, %283, %297) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %299 = "stablehlo.dot_general"(%298, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %300 = "stablehlo.reshape"(%220) : (tensor<16x2xf32>) -> tensor<32xf32>
    %301 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %302 = "stablehlo.broadcast_in_dim"(%301) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %303 = "stablehlo.compare"(%222, %302) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %304 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %305 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %306 = "stablehlo.add"(%222, %305) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %307 = "stablehlo.select"(%303, %306, %222) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %308 = "stablehlo.broadcast_in_dim"(%307) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %309 = "stablehlo.gather"(%300, %308) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<32xf32>, tensor<32x1xi32>) -> tensor<32xf32>
    %310 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xf32>) -> tensor<32x1xf32>
    %311 = "stablehlo.broadcast_in_dim"(%310) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xf32>) -> tensor<32x16xf32>
    %312 = "stablehlo.multiply"(%299, %311) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %313 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %314 = "stablehlo.broadcast_in_dim"(%313) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x16xf32>
    %315 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %316 = "func.call"(%222, %315) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
    %317 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %318 = "stablehlo.broadcast_in_dim"(%317) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %319 = "stablehlo.compare"(%316, %318) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %320 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
    %321 = "stablehlo.broadcast_in_dim"(%320) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %322 = "stablehlo.add"(%316, %321) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %323 = "stablehlo.select"(%319, %322, %316) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %324 = "stablehlo.broadcast_in_dim"(%323) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %325 = "stablehlo.scatter"(%314, %324, %312) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
      %454 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%454) : (tensor<f32>) -> ()
    }) : (tensor<16x16xf32>, tensor<32x1xi32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    %326 = "stablehlo.add"(%199, %325) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %327 = "stablehlo.dot_general"(%326, %arg32) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x16xf32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %328 = "stablehlo.slice"(%327) <{limit_indices = array<i64: 16, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<16x6xf32>) -> tensor<16x4xf32>
    %329 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %330 = "stablehlo.reduce"(%328, %329) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg54: tensor<f32>, %arg55: tensor<f32>):
      %453 = "stablehlo.maximum"(%arg54, %arg55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%453) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %331 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %332 = "stablehlo.broadcast_in_dim"(%331) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %333 = "stablehlo.maximum"(%332, %330) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %334 = "stablehlo.broadcast_in_dim"(%333) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %335 = "stablehlo.broadcast_in_dim"(%334) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %336 = "stablehlo.subtract"(%328, %335) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %337 = "stablehlo.exponential"(%336) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %338 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %339 = "stablehlo.reduce"(%337, %338) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
      %452 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%452) : (tensor<f32>) -> ()
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16xf32>
    %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %341 = "stablehlo.broadcast_in_dim"(%340) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x4xf32>
    %342 = "stablehlo.divide"(%337, %341) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
    %343:2 = "chlo.top_k"(%342) <{k = 2 : i64}> : (tensor<16x4xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>)
    %344 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %345 = "stablehlo.reduce"(%343#0, %344) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %451 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%451) : (tensor<f32>) -> ()
    }) : (tensor<16x2xf32>, tensor<f32>) -> tensor<16xf32>
    %346 = "stablehlo.broadcast_in_dim"(%345) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %347 = "stablehlo.broadcast_in_dim"(%346) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x2xf32>
    %348 = "stablehlo.divide"(%343#0, %347) : (tensor<16x2xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    %349 = "stablehlo.reshape"(%343#1) : (tensor<16x2xi32>) -> tensor<32xi32>
    %350 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %351:2 = "stablehlo.sort"(%349, %350) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg46: tensor<i32>, %arg47: tensor<i32>, %arg48: tensor<i32>, %arg49: tensor<i32>):
      %450 = "stablehlo.compare"(%arg46, %arg47) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%450) : (tensor<i1>) -> ()
    }) : (tensor<32xi32>, tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    %352 = "func.call"(%349) <{callee = @_one_hot}> : (tensor<32xi32>) -> tensor<32x6xi32>
    %353 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %354 = "stablehlo.reduce"(%352, %353) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg44: tensor<i32>, %arg45: tensor<i32>):
      %449 = "stablehlo.add"(%arg44, %arg45) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%449) : (tensor<i32>) -> ()
    }) : (tensor<32x6xi32>, tensor<i32>) -> tensor<6xi32>
    %355 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %356 = "func.call"(%351#1, %355) <{callee = @floor_divide}> : (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>
    %357 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %358 = "stablehlo.broadcast_in_dim"(%357) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %359 = "stablehlo.compare"(%356, %358) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %360 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
    %361 = "stablehlo.broadcast_in_dim"(%360) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %362 = "stablehlo.add"(%356, %361) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %363 = "stablehlo.select"(%359, %362, %356) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %364 = "stablehlo.broadcast_in_dim"(%363) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %365 = "stablehlo.gather"(%326, %364) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<16x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>
    %366 = "stablehlo.broadcast_in_dim"(%365) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %367 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %368 = "func.call"(%354) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %369 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %370 = "stablehlo.broadcast_in_dim"(%369) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %371 = "stablehlo.slice"(%370) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %372 = "stablehlo.slice"(%368) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %373 = "stablehlo.concatenate"(%371, %372) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %374 = "stablehlo.broadcast_in_dim"(%368) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %375 = "stablehlo.broadcast_in_dim"(%373) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %376 = "stablehlo.compare"(%375, %367) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %377 = "stablehlo.compare"(%367, %374) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %378 = "stablehlo.and"(%376, %377) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %379 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %380 = "stablehlo.broadcast_in_dim"(%379) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %381 = "stablehlo.select"(%378, %366, %380) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %382 = "stablehlo.dot_general"(%381, %arg31) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %383 = "stablehlo.broadcast_in_dim"(%365) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %384 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %385 = "func.call"(%354) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %386 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %387 = "stablehlo.broadcast_in_dim"(%386) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %388 = "stablehlo.slice"(%387) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %389 = "stablehlo.slice"(%385) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %390 = "stablehlo.concatenate"(%388, %389) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %391 = "stablehlo.broadcast_in_dim"(%385) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %392 = "stablehlo.broadcast_in_dim"(%390) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %393 = "stablehlo.compare"(%392, %384) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %394 = "stablehlo.compare"(%384, %391) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %395 = "stablehlo.and"(%393, %394) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %396 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %397 = "stablehlo.broadcast_in_dim"(%396) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %398 = "stablehlo.select"(%395, %383, %397) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %399 = "stablehlo.dot_general"(%398, %arg33) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %400 = "func.call"(%382) <{callee = @silu}> : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %401 = "stablehlo.multiply"(%400, %399) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %402 = "stablehlo.broadcast_in_dim"(%401) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x16xf32>) -> tensor<6x32x16xf32>
    %403 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<6x32x16xi32>
    %404 = "func.call"(%354) <{callee = @cumsum}> : (tensor<6xi32>) -> tensor<6xi32>
    %405 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %406 = "stablehlo.broadcast_in_dim"(%405) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<6xi32>
    %407 = "stablehlo.slice"(%406) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<1xi32>
    %408 = "stablehlo.slice"(%404) <{limit_indices = array<i64: 5>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<6xi32>) -> tensor<5xi32>
    %409 = "stablehlo.concatenate"(%407, %408) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<5xi32>) -> tensor<6xi32>
    %410 = "stablehlo.broadcast_in_dim"(%404) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %411 = "stablehlo.broadcast_in_dim"(%409) <{broadcast_dimensions = array<i64: 0>}> : (tensor<6xi32>) -> tensor<6x32x16xi32>
    %412 = "stablehlo.compare"(%411, %403) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %413 = "stablehlo.compare"(%403, %410) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<6x32x16xi32>, tensor<6x32x16xi32>) -> tensor<6x32x16xi1>
    %414 = "stablehlo.and"(%412, %413) : (tensor<6x32x16xi1>, tensor<6x32x16xi1>) -> tensor<6x32x16xi1>
    %415 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %416 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x32x16xf32>
    %417 = "stablehlo.select"(%414, %402, %416) : (tensor<6x32x16xi1>, tensor<6x32x16xf32>, tensor<6x32x16xf32>) -> tensor<6x32x16xf32>
    %418 = "stablehlo.dot_general"(%417, %arg30) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<6x32x16xf32>, tensor<6x16x16xf32>) -> tensor<32x16xf32>
    %419 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %420 = "stablehlo.broadcast_in_dim"(%419) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %421 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %422 = "stablehlo.broadcast_in_dim"(%421) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %423 = "stablehlo.compare"(%351#1, %422) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %424 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %425 = "stablehlo.broadcast_in_dim"(%424) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %426 = "stablehlo.add"(%351#1, %425) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %427 = "stablehlo.select"(%423, %426, %351#1) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %428 = "stablehlo.broadcast_in_dim"(%427) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %429 = "stablehlo.scatter"(%420, %428, %350) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg42: tensor<i32>, %arg43: tensor<i32>):
      "stablehlo.return"(%arg43) : (tensor<i32>) -> ()
    }) : (tensor<32xi32>, tensor<32x1xi32>, tensor<32xi32>) -> tensor<32xi32>
    %430 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %431 = "stablehlo.broadcast_in_dim"(%430) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %432 = "stablehlo.compare"(%429, %431) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %433 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %434 = "stablehlo.broadcast_in_dim"(%433) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %435 = "stablehlo.add"(%429, %434) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %436 = "stablehlo.select"(%432, %435, %429) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %437 = "stablehlo.broadcast_in_dim"(%436) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %438 = "stablehlo.gather"(%418, %437) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>
    %439 = "stablehlo.reshape"(%438) : (tensor<32x16xf32>) -> tensor<16x2x16xf32>
    %440 = "stablehlo.broadcast_in_dim"(%348) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x2xf32>) -> tensor<16x2x1xf32>
    %441 = "stablehlo.broadcast_in_dim"(%440) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x2x1xf32>) -> tensor<16x2x16xf32>
    %442 = "stablehlo.multiply"(%439, %441) : (tensor<16x2x16xf32>, tensor<16x2x16xf32>) -> tensor<16x2x16xf32>
    %443 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %444 = "stablehlo.reduce"(%442, %443) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %448 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%448) : (tensor<f32>) -> ()
    }) : (tensor<16x2x16xf32>, tensor<f32>) -> tensor<16x16xf32>
    %445 = "stablehlo.add"(%326, %444) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %446 = "stablehlo.reshape"(%445) : (tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %447 = "stablehlo.dot_general"(%446, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    "func.return"(%447) : (tensor<2x8x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<32xi32>):
    %88 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32xi32>
    %89:2 = "stablehlo.sort"(%arg20, %88) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg21: tensor<i32>, %arg22: tensor<i32>, %arg23: tensor<i32>, %arg24: tensor<i32>):
      %90 = "stablehlo.compare"(%arg21, %arg22) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%90) : (tensor<i1>) -> ()
    }) : (tensor<32xi32>, tensor<32xi32>) -> (tensor<32xi32>, tensor<32xi32>)
    "func.return"(%89#1) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<32xi32>, %arg19: tensor<i32>):
    %71 = "stablehlo.convert"(%arg19) : (tensor<i32>) -> tensor<i32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %73 = "stablehlo.divide"(%arg18, %72) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %74 = "stablehlo.sign"(%arg18) : (tensor<32xi32>) -> tensor<32xi32>
    %75 = "stablehlo.sign"(%71) : (tensor<i32>) -> tensor<i32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %77 = "stablehlo.compare"(%74, %76) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %78 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %79 = "stablehlo.remainder"(%arg18, %78) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %82 = "stablehlo.compare"(%79, %81) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %83 = "stablehlo.and"(%77, %82) : (tensor<32xi1>, tensor<32xi1>) -> tensor<32xi1>
    %84 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %86 = "stablehlo.subtract"(%73, %85) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %87 = "func.call"(%83, %86, %73) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%87) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<32xi1>, %arg16: tensor<32xi32>, %arg17: tensor<32xi32>):
    %70 = "stablehlo.select"(%arg15, %arg16, %arg17) : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%70) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x16xf32>, tensor<32xi32>) -> tensor<32x16xf32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<16x16xf32>, %arg12: tensor<32xi32>):
    %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %48 = "stablehlo.compare"(%arg12, %47) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %49 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %51 = "stablehlo.add"(%arg12, %50) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %52 = "func.call"(%48, %51, %arg12) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %54 = "stablehlo.constant"() <{value = dense<15> : tensor<1xi32>}> : () -> tensor<1xi32>
    %55 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32x1xi32>
    %57 = "stablehlo.compare"(%53, %56) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
    %58 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<32x1xi32>
    %60 = "stablehlo.compare"(%53, %59) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
    %61 = "stablehlo.and"(%57, %60) : (tensor<32x1xi1>, tensor<32x1xi1>) -> tensor<32x1xi1>
    %62 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %63 = "stablehlo.reduce"(%61, %62) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg13: tensor<i1>, %arg14: tensor<i1>):
      %69 = "stablehlo.and"(%arg13, %arg14) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%69) : (tensor<i1>) -> ()
    }) : (tensor<32x1xi1>, tensor<i1>) -> tensor<32xi1>
    %64 = "stablehlo.gather"(%arg11, %53) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<16x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>
    %65 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi1>) -> tensor<32x16xi1>
    %66 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %68 = "stablehlo.select"(%65, %64, %67) : (tensor<32x16xi1>, tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    "func.return"(%68) : (tensor<32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32xi32>, tensor<i32>) -> tensor<32xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<32xi32>, %arg10: tensor<i32>):
    %43 = "stablehlo.convert"(%arg10) : (tensor<i32>) -> tensor<i32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %45 = "stablehlo.maximum"(%44, %arg9) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    "func.return"(%45) : (tensor<32xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6xi32>) -> tensor<6xi32>, sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<6xi32>):
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %41 = "stablehlo.reduce_window"(%arg6, %40) <{base_dilations = array<i64: 1>, padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 6>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<i32>):
      %42 = "stablehlo.add"(%arg7, %arg8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%42) : (tensor<i32>) -> ()
    }) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    "func.return"(%41) : (tensor<6xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32x16xf32>) -> tensor<32x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<32x16xf32>):
    %30 = "stablehlo.negate"(%arg5) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %31 = "stablehlo.exponential"(%30) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %34 = "stablehlo.add"(%33, %31) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %37 = "stablehlo.divide"(%36, %34) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    %38 = "stablehlo.multiply"(%arg5, %37) : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    "func.return"(%38) : (tensor<32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<32x16xf32>, tensor<32xi32>) -> tensor<32x16xf32>, res_attrs = [{}], sym_name = "_take_0", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<32x16xf32>, %arg2: tensor<32xi32>):
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %8 = "stablehlo.compare"(%arg2, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %9 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32xi32>
    %11 = "stablehlo.add"(%arg2, %10) : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %12 = "func.call"(%8, %11, %arg2) <{callee = @_where}> : (tensor<32xi1>, tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %14 = "stablehlo.constant"() <{value = dense<31> : tensor<1xi32>}> : () -> tensor<1xi32>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<32x1xi32>
    %17 = "stablehlo.compare"(%13, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
    %18 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<32x1xi32>
    %20 = "stablehlo.compare"(%13, %19) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
    %21 = "stablehlo.and"(%17, %20) : (tensor<32x1xi1>, tensor<32x1xi1>) -> tensor<32x1xi1>
    %22 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %23 = "stablehlo.reduce"(%21, %22) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
      %29 = "stablehlo.and"(%arg3, %arg4) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%29) : (tensor<i1>) -> ()
    }) : (tensor<32x1xi1>, tensor<i1>) -> tensor<32xi1>
    %24 = "stablehlo.gather"(%arg1, %13) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi1>) -> tensor<32x16xi1>
    %26 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x16xf32>
    %28 = "stablehlo.select"(%25, %24, %27) : (tensor<32x16xi1>, tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    "func.return"(%28) : (tensor<32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<32xi32>) -> tensor<32x6xi32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<32xi32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x6xi32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<32x1xi32>) -> tensor<32x6xi32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x6xi32>) -> tensor<32x6xi32>
    %4 = "stablehlo.compare"(%2, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<32x6xi32>, tensor<32x6xi32>) -> tensor<32x6xi1>
    %5 = "stablehlo.convert"(%4) : (tensor<32x6xi1>) -> tensor<32x6xi32>
    "func.return"(%5) : (tensor<32x6xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
