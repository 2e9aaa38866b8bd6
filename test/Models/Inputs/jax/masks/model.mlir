"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "counted_choices.down"}, {te.param = "counted_choices.gate"}, {te.param = "counted_choices.router"}, {te.param = "counted_choices.up"}, {te.param = "gates_inside.down"}, {te.param = "gates_inside.router"}, {te.param = "gates_inside.up"}, {te.param = "gates_of_sums.down"}, {te.param = "gates_of_sums.router"}, {te.param = "gates_of_sums.up"}, {te.param = "head"}, {te.param = "kept_gates.down"}, {te.param = "kept_gates.router"}, {te.param = "kept_gates.up"}, {te.param = "kept_logits.down"}, {te.param = "kept_logits.router"}, {te.param = "kept_logits.up"}, {te.param = "one_choice.down"}, {te.param = "one_choice.router"}, {te.param = "one_choice.up"}, {te.param = "places_of_choices.bias"}, {te.param = "places_of_choices.down"}, {te.param = "places_of_choices.router"}, {te.param = "places_of_choices.up"}, {te.param = "places_of_experts.down"}, {te.param = "places_of_experts.router"}, {te.param = "places_of_experts.up"}, {te.param = "tokens"}, {te.input = "ids"}], function_type = (tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<16x48xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x3xf32>, tensor<8x16x16xf32>, tensor<48x16xf32>, tensor<2x64xi32>) -> tensor<2x64x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg39: tensor<8x16x16xf32>, %arg40: tensor<8x16x16xf32>, %arg41: tensor<16x8xf32>, %arg42: tensor<8x16x16xf32>, %arg43: tensor<8x16x16xf32>, %arg44: tensor<16x8xf32>, %arg45: tensor<8x16x16xf32>, %arg46: tensor<8x16x16xf32>, %arg47: tensor<16x8xf32>, %arg48: tensor<8x16x16xf32>, %arg49: tensor<16x48xf32>, %arg50: tensor<8x16x16xf32>, %arg51: tensor<16x8xf32>, %arg52: tensor<8x16x16xf32>, %arg53: tensor<8x16x16xf32>, %arg54: tensor<16x8xf32>, %arg55: tensor<8x16x16xf32>, %arg56: tensor<8x16x16xf32>, %arg57: tensor<16x8xf32>, %arg58: tensor<8x16x16xf32>, %arg59: tensor<8x16xf32>, %arg60: tensor<8x16x16xf32>, %arg61: tensor<16x8xf32>, %arg62: tensor<8x16x16xf32>, %arg63: tensor<8x16x16xf32>, %arg64: tensor<16x3xf32>, %arg65: tensor<8x16x16xf32>, %arg66: tensor<48x16xf32>, %arg67: tensor<2x64xi32>):
    %142 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x64xi32>
    %144 = "stablehlo.compare"(%arg67, %143) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi1>
    %145 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x64xi32>
    %147 = "stablehlo.add"(%arg67, %146) : (tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi32>
    %148 = "stablehlo.select"(%144, %147, %arg67) : (tensor<2x64xi1>, tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xi32>) -> tensor<2x64x1xi32>
    %150 = "stablehlo.gather"(%arg66, %149) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x64x1xi32>) -> tensor<2x64x16xf32>
    %151 = "stablehlo.reshape"(%150) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %152 = "stablehlo.dot_general"(%151, %arg47) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %153 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %154 = "stablehlo.reduce"(%152, %153) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg124: tensor<f32>, %arg125: tensor<f32>):
      %543 = "stablehlo.maximum"(%arg124, %arg125) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%543) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %155 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %157 = "stablehlo.maximum"(%156, %154) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %160 = "stablehlo.subtract"(%152, %159) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %161 = "stablehlo.exponential"(%160) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.reduce"(%161, %162) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg122: tensor<f32>, %arg123: tensor<f32>):
      %542 = "stablehlo.add"(%arg122, %arg123) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%542) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %165 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %166 = "stablehlo.divide"(%161, %165) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %167:2 = "chlo.top_k"(%166) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %168 = "func.call"(%167#1) <{callee = @_one_hot}> : (tensor<128x2xi32>) -> tensor<128x2x8xf32>
    %169 = "stablehlo.broadcast_in_dim"(%167#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xf32>) -> tensor<128x2x1xf32>
    %170 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xf32>) -> tensor<128x2x8xf32>
    %171 = "stablehlo.multiply"(%168, %170) : (tensor<128x2x8xf32>, tensor<128x2x8xf32>) -> tensor<128x2x8xf32>
    %172 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %173 = "stablehlo.reduce"(%171, %172) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg120: tensor<f32>, %arg121: tensor<f32>):
      %541 = "stablehlo.add"(%arg120, %arg121) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%541) : (tensor<f32>) -> ()
    }) : (tensor<128x2x8xf32>, tensor<f32>) -> tensor<128x8xf32>
    %174 = "stablehlo.dot_general"(%151, %arg48) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<8x16x16xf32>) -> tensor<128x8x16xf32>
    %175 = "func.call"(%174) <{callee = @silu}> : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %176 = "stablehlo.dot_general"(%arg46, %175) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %177 = "stablehlo.transpose"(%176) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %178 = "stablehlo.dot_general"(%173, %177) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8xf32>, tensor<128x8x16xf32>) -> tensor<128x16xf32>
    %179 = "stablehlo.add"(%151, %178) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %180 = "stablehlo.dot_general"(%179, %arg44) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %181 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.reduce"(%180, %181) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg118: tensor<f32>, %arg119: tensor<f32>):
      %540 = "stablehlo.maximum"(%arg118, %arg119) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%540) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %183 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %185 = "stablehlo.maximum"(%184, %182) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %188 = "stablehlo.subtract"(%180, %187) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %189 = "stablehlo.exponential"(%188) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %190 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.reduce"(%189, %190) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg116: tensor<f32>, %arg117: tensor<f32>):
      %539 = "stablehlo.add"(%arg116, %arg117) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%539) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %194 = "stablehlo.divide"(%189, %193) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %195:2 = "chlo.top_k"(%194) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %196 = "func.call"(%195#1) <{callee = @_one_hot}> : (tensor<128x2xi32>) -> tensor<128x2x8xf32>
    %197 = "stablehlo.dot_general"(%195#0, %196) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x2xf32>, tensor<128x2x8xf32>) -> tensor<128x8xf32>
    %198 = "stablehlo.dot_general"(%179, %arg45) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<8x16x16xf32>) -> tensor<128x8x16xf32>
    %199 = "stablehlo.multiply"(%198, %198) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %200 = "stablehlo.multiply"(%199, %198) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %201 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %203 = "stablehlo.multiply"(%202, %200) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %204 = "stablehlo.add"(%198, %203) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %205 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %207 = "stablehlo.multiply"(%206, %204) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %208 = "stablehlo.tanh"(%207) : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %209 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %211 = "stablehlo.add"(%210, %208) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %212 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %214 = "stablehlo.multiply"(%213, %211) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %215 = "stablehlo.multiply"(%198, %214) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %216 = "stablehlo.dot_general"(%197, %215) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %217 = "stablehlo.dot_general"(%216, %arg43) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x16xf32>, tensor<8x16x16xf32>) -> tensor<128x16xf32>
    %218 = "stablehlo.add"(%179, %217) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %219 = "stablehlo.reshape"(%218) : (tensor<128x16xf32>) -> tensor<2x64x16xf32>
    %220 = "stablehlo.dot_general"(%219, %arg51) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<16x8xf32>) -> tensor<2x64x8xf32>
    %221 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %222 = "stablehlo.reduce"(%220, %221) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg114: tensor<f32>, %arg115: tensor<f32>):
      %538 = "stablehlo.maximum"(%arg114, %arg115) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%538) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %223 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64xf32>
    %225 = "stablehlo.maximum"(%224, %222) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %227 = "stablehlo.broadcast_in_dim"(%226) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %228 = "stablehlo.subtract"(%220, %227) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %229 = "stablehlo.exponential"(%228) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %230 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %231 = "stablehlo.reduce"(%229, %230) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg112: tensor<f32>, %arg113: tensor<f32>):
      %537 = "stablehlo.add"(%arg112, %arg113) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%537) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %233 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %234 = "stablehlo.divide"(%229, %233) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %235:2 = "chlo.top_k"(%234) <{k = 2 : i64}> : (tensor<2x64x8xf32>) -> (tensor<2x64x2xf32>, tensor<2x64x2xi32>)
    %236 = "func.call"(%235#1) <{callee = @_one_hot_0}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x8xf32>
    %237 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %238 = "stablehlo.reduce"(%236, %237) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg110: tensor<f32>, %arg111: tensor<f32>):
      %536 = "stablehlo.add"(%arg110, %arg111) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%536) : (tensor<f32>) -> ()
    }) : (tensor<2x64x2x8xf32>, tensor<f32>) -> tensor<2x64x8xf32>
    %239 = "stablehlo.multiply"(%234, %238) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %240 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %241 = "stablehlo.reduce"(%239, %240) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg108: tensor<f32>, %arg109: tensor<f32>):
      %535 = "stablehlo.add"(%arg108, %arg109) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%535) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %242 = "stablehlo.broadcast_in_dim"(%241) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %244 = "stablehlo.divide"(%239, %243) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %245 = "stablehlo.dot_general"(%arg52, %219) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<2x64x16xf32>) -> tensor<8x16x2x64xf32>
    %246 = "stablehlo.transpose"(%245) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<8x16x2x64xf32>) -> tensor<8x2x64x16xf32>
    %247 = "func.call"(%246) <{callee = @silu_1}> : (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %248 = "stablehlo.dot_general"(%247, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x64x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x64x16xf32>
    %249 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x1xf32>
    %250 = "stablehlo.transpose"(%248) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<8x2x64x16xf32>) -> tensor<2x64x8x16xf32>
    %251 = "stablehlo.broadcast_in_dim"(%249) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xf32>) -> tensor<2x64x8x16xf32>
    %252 = "stablehlo.multiply"(%251, %250) : (tensor<2x64x8x16xf32>, tensor<2x64x8x16xf32>) -> tensor<2x64x8x16xf32>
    %253 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %254 = "stablehlo.reduce"(%252, %253) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg106: tensor<f32>, %arg107: tensor<f32>):
      %534 = "stablehlo.add"(%arg106, %arg107) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%534) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8x16xf32>, tensor<f32>) -> tensor<2x64x16xf32>
    %255 = "stablehlo.reshape"(%254) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %256 = "stablehlo.add"(%218, %255) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %257 = "stablehlo.dot_general"(%256, %arg54) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %258:2 = "chlo.top_k"(%257) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %259 = "func.call"(%258#1) <{callee = @_one_hot_2}> : (tensor<128x2xi32>) -> tensor<128x2x8xi1>
    %260 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %261 = "stablehlo.reduce"(%259, %260) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg104: tensor<i1>, %arg105: tensor<i1>):
      %533 = "stablehlo.or"(%arg104, %arg105) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%533) : (tensor<i1>) -> ()
    }) : (tensor<128x2x8xi1>, tensor<i1>) -> tensor<128x8xi1>
    %262 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %263 = "func.call"(%261, %257, %262) <{callee = @_where}> : (tensor<128x8xi1>, tensor<128x8xf32>, tensor<f32>) -> tensor<128x8xf32>
    %264 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %265 = "stablehlo.reduce"(%263, %264) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg102: tensor<f32>, %arg103: tensor<f32>):
      %532 = "stablehlo.maximum"(%arg102, %arg103) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%532) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %266 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %267 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %268 = "stablehlo.maximum"(%267, %265) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %269 = "stablehlo.broadcast_in_dim"(%268) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %270 = "stablehlo.broadcast_in_dim"(%269) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %271 = "stablehlo.subtract"(%263, %270) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %272 = "stablehlo.exponential"(%271) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %273 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %274 = "stablehlo.reduce"(%272, %273) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg100: tensor<f32>, %arg101: tensor<f32>):
      %531 = "stablehlo.add"(%arg100, %arg101) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%531) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %276 = "stablehlo.broadcast_in_dim"(%275) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %277 = "stablehlo.divide"(%272, %276) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %278 = "stablehlo.dot_general"(%arg55, %256) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<128x16xf32>) -> tensor<8x16x128xf32>
    %279 = "stablehlo.transpose"(%278) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x16x128xf32>) -> tensor<8x128x16xf32>
    %280 = "func.call"(%279) <{callee = @silu_3}> : (tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %281 = "stablehlo.dot_general"(%280, %arg53) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x128x16xf32>, tensor<8x16x16xf32>) -> tensor<8x128x16xf32>
    %282 = "stablehlo.dot_general"(%277, %281) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8xf32>, tensor<8x128x16xf32>) -> tensor<128x16xf32>
    %283 = "stablehlo.add"(%256, %282) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %284 = "stablehlo.dot_general"(%283, %arg57) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %285 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %286 = "func.call"(%285) <{callee = @_one_hot_4}> : (tensor<i32>) -> tensor<8xf32>
    %287 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %288 = "stablehlo.broadcast_in_dim"(%287) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %289 = "stablehlo.multiply"(%288, %286) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %290 = "stablehlo.broadcast_in_dim"(%289) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %291 = "stablehlo.broadcast_in_dim"(%290) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<128x8xf32>
    %292 = "stablehlo.add"(%284, %291) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %293 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %294 = "stablehlo.reduce"(%292, %293) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg98: tensor<f32>, %arg99: tensor<f32>):
      %530 = "stablehlo.maximum"(%arg98, %arg99) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%530) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %295 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %296 = "stablehlo.broadcast_in_dim"(%295) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %297 = "stablehlo.maximum"(%296, %294) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %298 = "stablehlo.broadcast_in_dim"(%297) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %300 = "stablehlo.subtract"(%292, %299) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %301 = "stablehlo.exponential"(%300) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %302 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %303 = "stablehlo.reduce"(%301, %302) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg96: tensor<f32>, %arg97: tensor<f32>):
      %529 = "stablehlo.add"(%arg96, %arg97) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%529) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %305 = "stablehlo.broadcast_in_dim"(%304) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %306 = "stablehlo.divide"(%301, %305) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %307 = "func.call"(%306) <{callee = @argmax}> : (tensor<128x8xf32>) -> tensor<128xi32>
    %308 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %309 = "stablehlo.reduce"(%306, %308) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg94: tensor<f32>, %arg95: tensor<f32>):
      %528 = "stablehlo.maximum"(%arg94, %arg95) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%528) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %310 = "func.call"(%307) <{callee = @_one_hot_5}> : (tensor<128xi32>) -> tensor<128x8xf32>
    %311 = "func.call"(%310) <{callee = @cumsum}> : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %312 = "stablehlo.multiply"(%311, %310) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %313 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %314 = "stablehlo.broadcast_in_dim"(%313) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8xf32>
    %315 = "stablehlo.compare"(%312, %314) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xi1>
    %316 = "stablehlo.convert"(%315) : (tensor<128x8xi1>) -> tensor<128x8xf32>
    %317 = "stablehlo.multiply"(%310, %316) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %318 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %319 = "stablehlo.reduce"(%317, %318) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg92: tensor<f32>, %arg93: tensor<f32>):
      %527 = "stablehlo.add"(%arg92, %arg93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%527) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %320 = "stablehlo.multiply"(%309, %319) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %321 = "stablehlo.multiply"(%320, %319) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %322 = "stablehlo.broadcast_in_dim"(%321) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1x1xf32>
    %323 = "func.call"(%307) <{callee = @_one_hot_5}> : (tensor<128xi32>) -> tensor<128x8xf32>
    %324 = "stablehlo.broadcast_in_dim"(%323) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x8xf32>) -> tensor<128x8x1xf32>
    %325 = "stablehlo.broadcast_in_dim"(%322) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x1x1xf32>) -> tensor<128x8x1xf32>
    %326 = "stablehlo.multiply"(%325, %324) : (tensor<128x8x1xf32>, tensor<128x8x1xf32>) -> tensor<128x8x1xf32>
    %327 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %328 = "stablehlo.broadcast_in_dim"(%327) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8xf32>
    %329 = "stablehlo.subtract"(%312, %328) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %330 = "stablehlo.convert"(%329) : (tensor<128x8xf32>) -> tensor<128x8xi32>
    %331 = "func.call"(%330) <{callee = @_one_hot_7}> : (tensor<128x8xi32>) -> tensor<128x8x12xf32>
    %332 = "stablehlo.broadcast_in_dim"(%326) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x8x1xf32>) -> tensor<128x8x12xf32>
    %333 = "stablehlo.multiply"(%332, %331) : (tensor<128x8x12xf32>, tensor<128x8x12xf32>) -> tensor<128x8x12xf32>
    %334 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %335 = "stablehlo.broadcast_in_dim"(%334) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x12xf32>
    %336 = "stablehlo.compare"(%333, %335) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<128x8x12xf32>, tensor<128x8x12xf32>) -> tensor<128x8x12xi1>
    %337 = "stablehlo.convert"(%336) : (tensor<128x8x12xi1>) -> tensor<128x8x12xf32>
    %338 = "stablehlo.dot_general"(%337, %283) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<128x16xf32>) -> tensor<8x12x16xf32>
    %339 = "stablehlo.dot_general"(%338, %arg58) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %340 = "func.call"(%339) <{callee = @relu}> : (tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    %341 = "stablehlo.dot_general"(%340, %arg56) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %342 = "stablehlo.dot_general"(%333, %341) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<8x12x16xf32>) -> tensor<128x16xf32>
    %343 = "stablehlo.add"(%283, %342) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %344 = "stablehlo.dot_general"(%343, %arg61) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %345 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %346 = "stablehlo.reduce"(%344, %345) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg90: tensor<f32>, %arg91: tensor<f32>):
      %526 = "stablehlo.maximum"(%arg90, %arg91) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%526) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %347 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %348 = "stablehlo.broadcast_in_dim"(%347) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %349 = "stablehlo.maximum"(%348, %346) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %350 = "stablehlo.broadcast_in_dim"(%349) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %351 = "stablehlo.broadcast_in_dim"(%350) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %352 = "stablehlo.subtract"(%344, %351) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %353 = "stablehlo.exponential"(%352) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %354 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %355 = "stablehlo.reduce"(%353, %354) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
      %525 = "stablehlo.add"(%arg88, %arg89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%525) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %356 = "stablehlo.broadcast_in_dim"(%355) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %357 = "stablehlo.broadcast_in_dim"(%356) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %358 = "stablehlo.divide"(%353, %357) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %359:2 = "chlo.top_k"(%358) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %360 = "func.call"(%359#1) <{callee = @_one_hot_8}> : (tensor<128x2xi32>) -> tensor<128x2x8xi32>
    %361 = "stablehlo.reshape"(%360) : (tensor<128x2x8xi32>) -> tensor<256x8xi32>
    %362 = "func.call"(%361) <{callee = @cumsum_9}> : (tensor<256x8xi32>) -> tensor<256x8xi32>
    %363 = "stablehlo.subtract"(%362, %361) : (tensor<256x8xi32>, tensor<256x8xi32>) -> tensor<256x8xi32>
    %364 = "stablehlo.multiply"(%363, %361) : (tensor<256x8xi32>, tensor<256x8xi32>) -> tensor<256x8xi32>
    %365 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %366 = "stablehlo.reduce"(%364, %365) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg86: tensor<i32>, %arg87: tensor<i32>):
      %524 = "stablehlo.add"(%arg86, %arg87) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%524) : (tensor<i32>) -> ()
    }) : (tensor<256x8xi32>, tensor<i32>) -> tensor<256xi32>
    %367 = "stablehlo.reshape"(%366) : (tensor<256xi32>) -> tensor<128x2xi32>
    %368 = "func.call"(%359#1) <{callee = @_one_hot}> : (tensor<128x2xi32>) -> tensor<128x2x8xf32>
    %369 = "stablehlo.broadcast_in_dim"(%368) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x8xf32>) -> tensor<128x2x8x1xf32>
    %370 = "func.call"(%367) <{callee = @_one_hot_11}> : (tensor<128x2xi32>) -> tensor<128x2x12xf32>
    %371 = "stablehlo.broadcast_in_dim"(%370) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<128x2x12xf32>) -> tensor<128x2x1x12xf32>
    %372 = "stablehlo.broadcast_in_dim"(%369) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<128x2x8x1xf32>) -> tensor<128x2x8x12xf32>
    %373 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<128x2x1x12xf32>) -> tensor<128x2x8x12xf32>
    %374 = "stablehlo.multiply"(%372, %373) : (tensor<128x2x8x12xf32>, tensor<128x2x8x12xf32>) -> tensor<128x2x8x12xf32>
    %375 = "stablehlo.broadcast_in_dim"(%359#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xf32>) -> tensor<128x2x1x1xf32>
    %376 = "stablehlo.broadcast_in_dim"(%375) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<128x2x1x1xf32>) -> tensor<128x2x8x12xf32>
    %377 = "stablehlo.multiply"(%374, %376) : (tensor<128x2x8x12xf32>, tensor<128x2x8x12xf32>) -> tensor<128x2x8x12xf32>
    %378 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %379 = "stablehlo.reduce"(%377, %378) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg84: tensor<f32>, %arg85: tensor<f32>):
      %523 = "stablehlo.add"(%arg84, %arg85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%523) : (tensor<f32>) -> ()
    }) : (tensor<128x2x8x12xf32>, tensor<f32>) -> tensor<128x8x12xf32>
    %380 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %381 = "stablehlo.reduce"(%374, %380) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
      %522 = "stablehlo.add"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%522) : (tensor<f32>) -> ()
    }) : (tensor<128x2x8x12xf32>, tensor<f32>) -> tensor<128x8x12xf32>
    %382 = "stablehlo.dot_general"(%381, %343) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<128x16xf32>) -> tensor<8x12x16xf32>
    %383 = "stablehlo.dot_general"(%382, %arg62) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %384 = "stablehlo.broadcast_in_dim"(%arg59) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %385 = "stablehlo.broadcast_in_dim"(%384) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x1x16xf32>) -> tensor<8x12x16xf32>
    %386 = "stablehlo.add"(%383, %385) : (tensor<8x12x16xf32>, tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    %387 = "func.call"(%386) <{callee = @relu}> : (tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    %388 = "stablehlo.dot_general"(%387, %arg60) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %389 = "stablehlo.dot_general"(%379, %388) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<8x12x16xf32>) -> tensor<128x16xf32>
    %390 = "stablehlo.add"(%343, %389) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %391 = "stablehlo.reshape"(%390) : (tensor<128x16xf32>) -> tensor<2x64x16xf32>
    %392 = "stablehlo.concatenate"(%arg64, %arg64) <{dimension = 1 : i64}> : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x6xf32>
    %393 = "stablehlo.dot_general"(%391, %392) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<16x6xf32>) -> tensor<2x64x6xf32>
    %394 = "stablehlo.constant"() <{value = dense<-9> : tensor<i32>}> : () -> tensor<i32>
    %395 = "func.call"(%393, %394) <{callee = @_pad}> : (tensor<2x64x6xf32>, tensor<i32>) -> tensor<2x64x8xf32>
    %396 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %397 = "stablehlo.reduce"(%395, %396) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
      %521 = "stablehlo.maximum"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%521) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %398 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %399 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64xf32>
    %400 = "stablehlo.maximum"(%399, %397) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    %401 = "stablehlo.broadcast_in_dim"(%400) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %402 = "stablehlo.broadcast_in_dim"(%401) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %403 = "stablehlo.subtract"(%395, %402) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %404 = "stablehlo.exponential"(%403) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %405 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %406 = "stablehlo.reduce"(%404, %405) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
      %520 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%520) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %407 = "stablehlo.broadcast_in_dim"(%406) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %408 = "stablehlo.broadcast_in_dim"(%407) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %409 = "stablehlo.divide"(%404, %408) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %410:2 = "chlo.top_k"(%409) <{k = 2 : i64}> : (tensor<2x64x8xf32>) -> (tensor<2x64x2xf32>, tensor<2x64x2xi32>)
    %411 = "stablehlo.transpose"(%410#1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x64x2xi32>) -> tensor<2x2x64xi32>
    %412 = "stablehlo.reshape"(%411) : (tensor<2x2x64xi32>) -> tensor<2x128xi32>
    %413 = "func.call"(%412) <{callee = @_one_hot_12}> : (tensor<2x128xi32>) -> tensor<2x128x8xi32>
    %414 = "func.call"(%413) <{callee = @cumsum_13}> : (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %415 = "stablehlo.multiply"(%414, %413) : (tensor<2x128x8xi32>, tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %416 = "stablehlo.convert"(%415) : (tensor<2x128x8xi32>) -> tensor<2x128x8xf32>
    %417 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %418 = "stablehlo.broadcast_in_dim"(%417) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x128x8xf32>
    %419 = "stablehlo.subtract"(%416, %418) : (tensor<2x128x8xf32>, tensor<2x128x8xf32>) -> tensor<2x128x8xf32>
    %420 = "stablehlo.reshape"(%419) : (tensor<2x128x8xf32>) -> tensor<2x2x64x8xf32>
    %421 = "stablehlo.transpose"(%420) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x64x8xf32>) -> tensor<2x64x2x8xf32>
    %422 = "stablehlo.convert"(%421) : (tensor<2x64x2x8xf32>) -> tensor<2x64x2x8xf32>
    %423 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %424 = "stablehlo.reduce"(%422, %423) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
      %519 = "stablehlo.maximum"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%519) : (tensor<f32>) -> ()
    }) : (tensor<2x64x2x8xf32>, tensor<f32>) -> tensor<2x64x8xf32>
    %425 = "func.call"(%424) <{callee = @_one_hot_15}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x12xi1>
    %426 = "stablehlo.convert"(%409) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %427 = "stablehlo.convert"(%425) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xf32>
    %428 = "stablehlo.dot_general"(%426, %427) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x64x8x12xf32>) -> tensor<2x64x8x12xf32>
    %429 = "stablehlo.convert"(%425) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xf32>
    %430 = "stablehlo.convert"(%391) : (tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
    %431 = "stablehlo.dot_general"(%429, %430) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<2x64x16xf32>) -> tensor<2x8x12x16xf32>
    %432 = "stablehlo.dot_general"(%arg65, %431) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<2x8x12x16xf32>) -> tensor<8x16x2x12xf32>
    %433 = "stablehlo.transpose"(%432) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<8x16x2x12xf32>) -> tensor<2x8x12x16xf32>
    %434 = "stablehlo.multiply"(%433, %433) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %435 = "stablehlo.multiply"(%434, %433) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %436 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %437 = "stablehlo.broadcast_in_dim"(%436) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %438 = "stablehlo.multiply"(%437, %435) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %439 = "stablehlo.add"(%433, %438) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %440 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %441 = "stablehlo.broadcast_in_dim"(%440) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %442 = "stablehlo.multiply"(%441, %439) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %443 = "stablehlo.tanh"(%442) : (tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %444 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %445 = "stablehlo.broadcast_in_dim"(%444) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %446 = "stablehlo.add"(%445, %443) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %447 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %448 = "stablehlo.broadcast_in_dim"(%447) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %449 = "stablehlo.multiply"(%448, %446) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %450 = "stablehlo.multiply"(%433, %449) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %451 = "stablehlo.dot_general"(%arg63, %450) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<2x8x12x16xf32>) -> tensor<8x16x2x12xf32>
    %452 = "stablehlo.transpose"(%451) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<8x16x2x12xf32>) -> tensor<2x8x12x16xf32>
    %453 = "stablehlo.dot_general"(%428, %452) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<2x8x12x16xf32>) -> tensor<2x64x16xf32>
    %454 = "stablehlo.reshape"(%453) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %455 = "stablehlo.add"(%390, %454) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %456 = "stablehlo.reshape"(%455) : (tensor<128x16xf32>) -> tensor<2x64x16xf32>
    %457 = "stablehlo.dot_general"(%456, %arg41) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<16x8xf32>) -> tensor<2x64x8xf32>
    %458 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %459 = "stablehlo.reduce"(%457, %458) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg74: tensor<f32>, %arg75: tensor<f32>):
      %518 = "stablehlo.maximum"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%518) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %460 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %461 = "stablehlo.broadcast_in_dim"(%460) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64xf32>
    %462 = "stablehlo.maximum"(%461, %459) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    %463 = "stablehlo.broadcast_in_dim"(%462) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %464 = "stablehlo.broadcast_in_dim"(%463) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %465 = "stablehlo.subtract"(%457, %464) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %466 = "stablehlo.exponential"(%465) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %467 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %468 = "stablehlo.reduce"(%466, %467) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
      %517 = "stablehlo.add"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%517) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %470 = "stablehlo.broadcast_in_dim"(%469) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %471 = "stablehlo.divide"(%466, %470) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %472:2 = "chlo.top_k"(%471) <{k = 2 : i64}> : (tensor<2x64x8xf32>) -> (tensor<2x64x2xf32>, tensor<2x64x2xi32>)
    %473 = "func.call"(%472#1) <{callee = @_one_hot_16}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x8xi32>
    %474 = "stablehlo.reshape"(%473) : (tensor<2x64x2x8xi32>) -> tensor<2x128x8xi32>
    %475 = "func.call"(%474) <{callee = @cumsum_13}> : (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %476 = "stablehlo.reshape"(%475) : (tensor<2x128x8xi32>) -> tensor<2x64x2x8xi32>
    %477 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
    %478 = "stablehlo.broadcast_in_dim"(%477) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x64x2x8xi32>
    %479 = "stablehlo.compare"(%476, %478) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi1>
    %480 = "stablehlo.convert"(%479) : (tensor<2x64x2x8xi1>) -> tensor<2x64x2x8xi32>
    %481 = "stablehlo.multiply"(%473, %480) : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi32>
    %482 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %483 = "stablehlo.reduce"(%481, %482) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg70: tensor<i32>, %arg71: tensor<i32>):
      %516 = "stablehlo.add"(%arg70, %arg71) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%516) : (tensor<i32>) -> ()
    }) : (tensor<2x64x2x8xi32>, tensor<i32>) -> tensor<2x64x8xi32>
    %484 = "stablehlo.multiply"(%474, %475) : (tensor<2x128x8xi32>, tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %485 = "stablehlo.reshape"(%484) : (tensor<2x128x8xi32>) -> tensor<2x64x2x8xi32>
    %486 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %487 = "stablehlo.reduce"(%485, %486) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg68: tensor<i32>, %arg69: tensor<i32>):
      %515 = "stablehlo.add"(%arg68, %arg69) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%515) : (tensor<i32>) -> ()
    }) : (tensor<2x64x2x8xi32>, tensor<i32>) -> tensor<2x64x8xi32>
    %488 = "stablehlo.multiply"(%487, %483) : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi32>
    %489 = "stablehlo.convert"(%483) : (tensor<2x64x8xi32>) -> tensor<2x64x8xf32>
    %490 = "stablehlo.multiply"(%471, %489) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %491 = "stablehlo.broadcast_in_dim"(%490) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x1xf32>
    %492 = "func.call"(%488) <{callee = @_one_hot_17}> : (tensor<2x64x8xi32>) -> tensor<2x64x8x13xi32>
    %493 = "stablehlo.convert"(%492) : (tensor<2x64x8x13xi32>) -> tensor<2x64x8x13xf32>
    %494 = "stablehlo.broadcast_in_dim"(%491) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xf32>) -> tensor<2x64x8x13xf32>
    %495 = "stablehlo.multiply"(%494, %493) : (tensor<2x64x8x13xf32>, tensor<2x64x8x13xf32>) -> tensor<2x64x8x13xf32>
    %496 = "stablehlo.slice"(%495) <{limit_indices = array<i64: 2, 64, 8, 13>, start_indices = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x64x8x13xf32>) -> tensor<2x64x8x12xf32>
    %497 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %498 = "stablehlo.broadcast_in_dim"(%497) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8x12xf32>
    %499 = "stablehlo.compare"(%496, %498) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x64x8x12xf32>, tensor<2x64x8x12xf32>) -> tensor<2x64x8x12xi1>
    %500 = "stablehlo.convert"(%499) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xi1>
    %501 = "stablehlo.convert"(%500) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xf32>
    %502 = "stablehlo.convert"(%456) : (tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
    %503 = "stablehlo.dot_general"(%501, %502) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<2x64x16xf32>) -> tensor<2x8x12x16xf32>
    %504 = "stablehlo.transpose"(%503) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x8x12x16xf32>) -> tensor<8x2x12x16xf32>
    %505 = "stablehlo.dot_general"(%504, %arg42) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x12x16xf32>
    %506 = "func.call"(%505) <{callee = @silu_18}> : (tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %507 = "stablehlo.dot_general"(%504, %arg40) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x12x16xf32>
    %508 = "stablehlo.multiply"(%506, %507) : (tensor<8x2x12x16xf32>, tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %509 = "stablehlo.dot_general"(%508, %arg39) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x12x16xf32>
    %510 = "stablehlo.dot_general"(%496, %509) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<8x2x12x16xf32>) -> tensor<2x64x16xf32>
    %511 = "stablehlo.reshape"(%510) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %512 = "stablehlo.add"(%455, %511) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %513 = "stablehlo.dot_general"(%512, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x48xf32>) -> tensor<128x48xf32>
    %514 = "stablehlo.reshape"(%513) : (tensor<128x48xf32>) -> tensor<2x64x48xf32>
    "func.return"(%514) : (tensor<2x64x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x8xf32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<128x2xi32>):
    %136 = "stablehlo.broadcast_in_dim"(%arg38) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %137 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %138 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xi32>) -> tensor<128x2x8xi32>
    %139 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<128x2x8xi32>
    %140 = "stablehlo.compare"(%138, %139) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x2x8xi32>, tensor<128x2x8xi32>) -> tensor<128x2x8xi1>
    %141 = "stablehlo.convert"(%140) : (tensor<128x2x8xi1>) -> tensor<128x2x8xf32>
    "func.return"(%141) : (tensor<128x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg37: tensor<128x8x16xf32>):
    %127 = "stablehlo.negate"(%arg37) : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %128 = "stablehlo.exponential"(%127) : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %129 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %131 = "stablehlo.add"(%130, %128) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %132 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %134 = "stablehlo.divide"(%133, %131) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %135 = "stablehlo.multiply"(%arg37, %134) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    "func.return"(%135) : (tensor<128x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x2xi32>) -> tensor<2x64x2x8xf32>, res_attrs = [{}], sym_name = "_one_hot_0", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<2x64x2xi32>):
    %121 = "stablehlo.broadcast_in_dim"(%arg36) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x1xi32>
    %122 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x8xi32>
    %123 = "stablehlo.broadcast_in_dim"(%121) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x2x1xi32>) -> tensor<2x64x2x8xi32>
    %124 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xi32>) -> tensor<2x64x2x8xi32>
    %125 = "stablehlo.compare"(%123, %124) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi1>
    %126 = "stablehlo.convert"(%125) : (tensor<2x64x2x8xi1>) -> tensor<2x64x2x8xf32>
    "func.return"(%126) : (tensor<2x64x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>, res_attrs = [{}], sym_name = "silu_1", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<8x2x64x16xf32>):
    %112 = "stablehlo.negate"(%arg35) : (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %113 = "stablehlo.exponential"(%112) : (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %114 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x64x16xf32>
    %116 = "stablehlo.add"(%115, %113) : (tensor<8x2x64x16xf32>, tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %117 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x64x16xf32>
    %119 = "stablehlo.divide"(%118, %116) : (tensor<8x2x64x16xf32>, tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %120 = "stablehlo.multiply"(%arg35, %119) : (tensor<8x2x64x16xf32>, tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    "func.return"(%120) : (tensor<8x2x64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x8xi1>, res_attrs = [{}], sym_name = "_one_hot_2", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<128x2xi32>):
    %107 = "stablehlo.broadcast_in_dim"(%arg34) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %108 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %109 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xi32>) -> tensor<128x2x8xi32>
    %110 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<128x2x8xi32>
    %111 = "stablehlo.compare"(%109, %110) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x2x8xi32>, tensor<128x2x8xi32>) -> tensor<128x2x8xi1>
    "func.return"(%111) : (tensor<128x2x8xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<128x8xi1>, tensor<128x8xf32>, tensor<f32>) -> tensor<128x8xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<128x8xi1>, %arg32: tensor<128x8xf32>, %arg33: tensor<f32>):
    %104 = "stablehlo.convert"(%arg33) : (tensor<f32>) -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8xf32>
    %106 = "stablehlo.select"(%arg31, %arg32, %105) : (tensor<128x8xi1>, tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    "func.return"(%106) : (tensor<128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x128x16xf32>) -> tensor<8x128x16xf32>, res_attrs = [{}], sym_name = "silu_3", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<8x128x16xf32>):
    %95 = "stablehlo.negate"(%arg30) : (tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %96 = "stablehlo.exponential"(%95) : (tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %97 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x16xf32>
    %99 = "stablehlo.add"(%98, %96) : (tensor<8x128x16xf32>, tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %100 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x128x16xf32>
    %102 = "stablehlo.divide"(%101, %99) : (tensor<8x128x16xf32>, tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %103 = "stablehlo.multiply"(%arg30, %102) : (tensor<8x128x16xf32>, tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    "func.return"(%103) : (tensor<8x128x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<i32>) -> tensor<8xf32>, res_attrs = [{}], sym_name = "_one_hot_4", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<i32>):
    %89 = "stablehlo.broadcast_in_dim"(%arg29) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %90 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %91 = "stablehlo.convert"(%89) : (tensor<1xi32>) -> tensor<1xi32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi32>) -> tensor<8xi32>
    %93 = "stablehlo.compare"(%92, %90) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %94 = "stablehlo.convert"(%93) : (tensor<8xi1>) -> tensor<8xf32>
    "func.return"(%94) : (tensor<8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<128x8xf32>) -> tensor<128xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg24: tensor<128x8xf32>):
    %76 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<128x8xi32>
    %77 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %79:2 = "stablehlo.reduce"(%arg24, %76, %77, %78) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<i32>, %arg27: tensor<f32>, %arg28: tensor<i32>):
      %80 = "stablehlo.compare"(%arg25, %arg27) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %81 = "stablehlo.compare"(%arg25, %arg25) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %82 = "stablehlo.or"(%80, %81) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %83 = "stablehlo.compare"(%arg25, %arg27) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %84 = "stablehlo.compare"(%arg26, %arg28) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %85 = "stablehlo.and"(%83, %84) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %86 = "stablehlo.or"(%82, %85) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %87 = "stablehlo.select"(%82, %arg25, %arg27) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %88 = "stablehlo.select"(%86, %arg26, %arg28) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%87, %88) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<128x8xf32>, tensor<128x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<128xf32>, tensor<128xi32>)
    "func.return"(%79#1) : (tensor<128xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128xi32>) -> tensor<128x8xf32>, res_attrs = [{}], sym_name = "_one_hot_5", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<128xi32>):
    %70 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %71 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x8xi32>
    %72 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xi32>) -> tensor<128x8xi32>
    %73 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<128x8xi32>
    %74 = "stablehlo.compare"(%72, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x8xi32>, tensor<128x8xi32>) -> tensor<128x8xi1>
    %75 = "stablehlo.convert"(%74) : (tensor<128x8xi1>) -> tensor<128x8xf32>
    "func.return"(%75) : (tensor<128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x8xf32>) -> tensor<128x8xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<128x8xf32>):
    %69 = "func.call"(%arg22) <{callee = @cumsum_6}> : (tensor<128x8xf32>) -> tensor<128x8xf32>
    "func.return"(%69) : (tensor<128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<128x8xf32>) -> tensor<128x8xf32>, sym_name = "cumsum_6", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<128x8xf32>):
    %65 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %67 = "stablehlo.reduce_window"(%arg19, %66) <{base_dilations = array<i64: 1, 1>, padding = dense<[[127, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 128, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %68 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%68) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128x8xf32>
    "func.return"(%67) : (tensor<128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x8xi32>) -> tensor<128x8x12xf32>, res_attrs = [{}], sym_name = "_one_hot_7", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<128x8xi32>):
    %59 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x8xi32>) -> tensor<128x8x1xi32>
    %60 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x12xi32>
    %61 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x8x1xi32>) -> tensor<128x8x12xi32>
    %62 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xi32>) -> tensor<128x8x12xi32>
    %63 = "stablehlo.compare"(%61, %62) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x8x12xi32>, tensor<128x8x12xi32>) -> tensor<128x8x12xi1>
    %64 = "stablehlo.convert"(%63) : (tensor<128x8x12xi1>) -> tensor<128x8x12xf32>
    "func.return"(%64) : (tensor<128x8x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x12x16xf32>) -> tensor<8x12x16xf32>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<8x12x16xf32>):
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x12x16xf32>
    %58 = "stablehlo.maximum"(%arg17, %57) : (tensor<8x12x16xf32>, tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    "func.return"(%58) : (tensor<8x12x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_8", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<128x2xi32>):
    %50 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %51 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %52 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xi32>) -> tensor<128x2x8xi32>
    %53 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<128x2x8xi32>
    %54 = "stablehlo.compare"(%52, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x2x8xi32>, tensor<128x2x8xi32>) -> tensor<128x2x8xi1>
    %55 = "stablehlo.convert"(%54) : (tensor<128x2x8xi1>) -> tensor<128x2x8xi32>
    "func.return"(%55) : (tensor<128x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<256x8xi32>) -> tensor<256x8xi32>, res_attrs = [{}], sym_name = "cumsum_9", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<256x8xi32>):
    %49 = "func.call"(%arg15) <{callee = @cumsum_10}> : (tensor<256x8xi32>) -> tensor<256x8xi32>
    "func.return"(%49) : (tensor<256x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<256x8xi32>) -> tensor<256x8xi32>, sym_name = "cumsum_10", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<256x8xi32>):
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %47 = "stablehlo.reduce_window"(%arg12, %46) <{base_dilations = array<i64: 1, 1>, padding = dense<[[255, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 256, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg13: tensor<i32>, %arg14: tensor<i32>):
      %48 = "stablehlo.add"(%arg13, %arg14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%48) : (tensor<i32>) -> ()
    }) : (tensor<256x8xi32>, tensor<i32>) -> tensor<256x8xi32>
    "func.return"(%47) : (tensor<256x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x12xf32>, res_attrs = [{}], sym_name = "_one_hot_11", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<128x2xi32>):
    %39 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %40 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x12xi32>
    %41 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xi32>) -> tensor<128x2x12xi32>
    %42 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xi32>) -> tensor<128x2x12xi32>
    %43 = "stablehlo.compare"(%41, %42) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x2x12xi32>, tensor<128x2x12xi32>) -> tensor<128x2x12xi1>
    %44 = "stablehlo.convert"(%43) : (tensor<128x2x12xi1>) -> tensor<128x2x12xf32>
    "func.return"(%44) : (tensor<128x2x12xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x64x6xf32>, tensor<i32>) -> tensor<2x64x8xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x64x6xf32>, %arg10: tensor<i32>):
    %37 = "stablehlo.convert"(%arg10) : (tensor<i32>) -> tensor<f32>
    %38 = "stablehlo.pad"(%arg9, %37) <{edge_padding_high = array<i64: 0, 0, 2>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<2x64x6xf32>, tensor<f32>) -> tensor<2x64x8xf32>
    "func.return"(%38) : (tensor<2x64x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x128xi32>) -> tensor<2x128x8xi32>, res_attrs = [{}], sym_name = "_one_hot_12", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x128xi32>):
    %31 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x128xi32>) -> tensor<2x128x1xi32>
    %32 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %33 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x128x1xi32>) -> tensor<2x128x8xi32>
    %34 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<2x128x8xi32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x128x8xi32>, tensor<2x128x8xi32>) -> tensor<2x128x8xi1>
    %36 = "stablehlo.convert"(%35) : (tensor<2x128x8xi1>) -> tensor<2x128x8xi32>
    "func.return"(%36) : (tensor<2x128x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>, res_attrs = [{}], sym_name = "cumsum_13", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x128x8xi32>):
    %30 = "func.call"(%arg7) <{callee = @cumsum_14}> : (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    "func.return"(%30) : (tensor<2x128x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>, sym_name = "cumsum_14", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x128x8xi32>):
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %28 = "stablehlo.reduce_window"(%arg4, %27) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [127, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 128, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %29 = "stablehlo.add"(%arg5, %arg6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%29) : (tensor<i32>) -> ()
    }) : (tensor<2x128x8xi32>, tensor<i32>) -> tensor<2x128x8xi32>
    "func.return"(%28) : (tensor<2x128x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x8xf32>) -> tensor<2x64x8x12xi1>, res_attrs = [{}], sym_name = "_one_hot_15", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x64x8xf32>):
    %21 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x1xf32>
    %22 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x12xf32>
    %23 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xf32>) -> tensor<2x64x8x12xf32>
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x12xf32>) -> tensor<2x64x8x12xf32>
    %25 = "stablehlo.compare"(%23, %24) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x8x12xf32>, tensor<2x64x8x12xf32>) -> tensor<2x64x8x12xi1>
    "func.return"(%25) : (tensor<2x64x8x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x2xi32>) -> tensor<2x64x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_16", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x64x2xi32>):
    %15 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x1xi32>
    %16 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x8xi32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x2x1xi32>) -> tensor<2x64x2x8xi32>
    %18 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xi32>) -> tensor<2x64x2x8xi32>
    %19 = "stablehlo.compare"(%17, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi1>
    %20 = "stablehlo.convert"(%19) : (tensor<2x64x2x8xi1>) -> tensor<2x64x2x8xi32>
    "func.return"(%20) : (tensor<2x64x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x8xi32>) -> tensor<2x64x8x13xi32>, res_attrs = [{}], sym_name = "_one_hot_17", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x64x8xi32>):
    %9 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xi32>) -> tensor<2x64x8x1xi32>
    %10 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x13xi32>
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xi32>) -> tensor<2x64x8x13xi32>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x13xi32>) -> tensor<2x64x8x13xi32>
    %13 = "stablehlo.compare"(%11, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x8x13xi32>, tensor<2x64x8x13xi32>) -> tensor<2x64x8x13xi1>
    %14 = "stablehlo.convert"(%13) : (tensor<2x64x8x13xi1>) -> tensor<2x64x8x13xi32>
    "func.return"(%14) : (tensor<2x64x8x13xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>, res_attrs = [{}], sym_name = "silu_18", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x2x12x16xf32>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x12x16xf32>
    %4 = "stablehlo.add"(%3, %1) : (tensor<8x2x12x16xf32>, tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x12x16xf32>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<8x2x12x16xf32>, tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %8 = "stablehlo.multiply"(%arg0, %7) : (tensor<8x2x12x16xf32>, tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    "func.return"(%8) : (tensor<8x2x12x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
