"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "counted_choices.down"}, {te.param = "counted_choices.gate"}, {te.param = "counted_choices.router"}, {te.param = "counted_choices.up"}, {te.param = "gates_inside.down"}, {te.param = "gates_inside.router"}, {te.param = "gates_inside.up"}, {te.param = "gates_of_sums.down"}, {te.param = "gates_of_sums.router"}, {te.param = "gates_of_sums.up"}, {te.param = "head"}, {te.param = "kept_gates.down"}, {te.param = "kept_gates.router"}, {te.param = "kept_gates.up"}, {te.param = "one_choice.down"}, {te.param = "one_choice.router"}, {te.param = "one_choice.up"}, {te.param = "places_of_choices.bias"}, {te.param = "places_of_choices.down"}, {te.param = "places_of_choices.router"}, {te.param = "places_of_choices.up"}, {te.param = "places_of_experts.down"}, {te.param = "places_of_experts.router"}, {te.param = "places_of_experts.up"}, {te.param = "tokens"}, {te.input = "ids"}], function_type = (tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<16x48xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16xf32>, tensor<8x16x16xf32>, tensor<16x8xf32>, tensor<8x16x16xf32>, tensor<8x16x16xf32>, tensor<16x3xf32>, tensor<8x16x16xf32>, tensor<48x16xf32>, tensor<2x64xi32>) -> tensor<2x64x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg34: tensor<8x16x16xf32>, %arg35: tensor<8x16x16xf32>, %arg36: tensor<16x8xf32>, %arg37: tensor<8x16x16xf32>, %arg38: tensor<8x16x16xf32>, %arg39: tensor<16x8xf32>, %arg40: tensor<8x16x16xf32>, %arg41: tensor<8x16x16xf32>, %arg42: tensor<16x8xf32>, %arg43: tensor<8x16x16xf32>, %arg44: tensor<16x48xf32>, %arg45: tensor<8x16x16xf32>, %arg46: tensor<16x8xf32>, %arg47: tensor<8x16x16xf32>, %arg48: tensor<8x16x16xf32>, %arg49: tensor<16x8xf32>, %arg50: tensor<8x16x16xf32>, %arg51: tensor<8x16xf32>, %arg52: tensor<8x16x16xf32>, %arg53: tensor<16x8xf32>, %arg54: tensor<8x16x16xf32>, %arg55: tensor<8x16x16xf32>, %arg56: tensor<16x3xf32>, %arg57: tensor<8x16x16xf32>, %arg58: tensor<48x16xf32>, %arg59: tensor<2x64xi32>):
    %125 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x64xi32>
    %127 = "stablehlo.compare"(%arg59, %126) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi1>
    %128 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x64xi32>
    %130 = "stablehlo.add"(%arg59, %129) : (tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi32>
    %131 = "stablehlo.select"(%127, %130, %arg59) : (tensor<2x64xi1>, tensor<2x64xi32>, tensor<2x64xi32>) -> tensor<2x64xi32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xi32>) -> tensor<2x64x1xi32>
    %133 = "stablehlo.gather"(%arg58, %132) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x64x1xi32>) -> tensor<2x64x16xf32>
    %134 = "stablehlo.reshape"(%133) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %135 = "stablehlo.dot_general"(%134, %arg42) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %136 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %137 = "stablehlo.reduce"(%135, %136) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg110: tensor<f32>, %arg111: tensor<f32>):
      %496 = "stablehlo.maximum"(%arg110, %arg111) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%496) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %138 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %140 = "stablehlo.maximum"(%139, %137) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %143 = "stablehlo.subtract"(%135, %142) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %144 = "stablehlo.exponential"(%143) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %145 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %146 = "stablehlo.reduce"(%144, %145) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg108: tensor<f32>, %arg109: tensor<f32>):
      %495 = "stablehlo.add"(%arg108, %arg109) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%495) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %149 = "stablehlo.divide"(%144, %148) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %150:2 = "chlo.top_k"(%149) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %151 = "func.call"(%150#1) <{callee = @_one_hot}> : (tensor<128x2xi32>) -> tensor<128x2x8xf32>
    %152 = "stablehlo.broadcast_in_dim"(%150#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xf32>) -> tensor<128x2x1xf32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xf32>) -> tensor<128x2x8xf32>
    %154 = "stablehlo.multiply"(%151, %153) : (tensor<128x2x8xf32>, tensor<128x2x8xf32>) -> tensor<128x2x8xf32>
    %155 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%154, %155) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg106: tensor<f32>, %arg107: tensor<f32>):
      %494 = "stablehlo.add"(%arg106, %arg107) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%494) : (tensor<f32>) -> ()
    }) : (tensor<128x2x8xf32>, tensor<f32>) -> tensor<128x8xf32>
    %157 = "stablehlo.dot_general"(%134, %arg43) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<8x16x16xf32>) -> tensor<128x8x16xf32>
    %158 = "func.call"(%157) <{callee = @silu}> : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %159 = "stablehlo.dot_general"(%arg41, %158) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %160 = "stablehlo.transpose"(%159) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %161 = "stablehlo.dot_general"(%156, %160) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8xf32>, tensor<128x8x16xf32>) -> tensor<128x16xf32>
    %162 = "stablehlo.add"(%134, %161) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %163 = "stablehlo.dot_general"(%162, %arg39) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %164 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %165 = "stablehlo.reduce"(%163, %164) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg104: tensor<f32>, %arg105: tensor<f32>):
      %493 = "stablehlo.maximum"(%arg104, %arg105) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%493) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %166 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %168 = "stablehlo.maximum"(%167, %165) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %169 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %170 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %171 = "stablehlo.subtract"(%163, %170) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %172 = "stablehlo.exponential"(%171) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %173 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %174 = "stablehlo.reduce"(%172, %173) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg102: tensor<f32>, %arg103: tensor<f32>):
      %492 = "stablehlo.add"(%arg102, %arg103) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%492) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %176 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %177 = "stablehlo.divide"(%172, %176) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %178:2 = "chlo.top_k"(%177) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %179 = "func.call"(%178#1) <{callee = @_one_hot}> : (tensor<128x2xi32>) -> tensor<128x2x8xf32>
    %180 = "stablehlo.dot_general"(%178#0, %179) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x2xf32>, tensor<128x2x8xf32>) -> tensor<128x8xf32>
    %181 = "stablehlo.dot_general"(%162, %arg40) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<8x16x16xf32>) -> tensor<128x8x16xf32>
    %182 = "stablehlo.multiply"(%181, %181) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %183 = "stablehlo.multiply"(%182, %181) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %184 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %186 = "stablehlo.multiply"(%185, %183) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %187 = "stablehlo.add"(%181, %186) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %188 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %190 = "stablehlo.multiply"(%189, %187) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %191 = "stablehlo.tanh"(%190) : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %192 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %194 = "stablehlo.add"(%193, %191) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %195 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %196 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %197 = "stablehlo.multiply"(%196, %194) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %198 = "stablehlo.multiply"(%181, %197) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %199 = "stablehlo.dot_general"(%180, %198) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %200 = "stablehlo.dot_general"(%199, %arg38) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x16xf32>, tensor<8x16x16xf32>) -> tensor<128x16xf32>
    %201 = "stablehlo.add"(%162, %200) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %202 = "stablehlo.reshape"(%201) : (tensor<128x16xf32>) -> tensor<2x64x16xf32>
    %203 = "stablehlo.dot_general"(%202, %arg46) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<16x8xf32>) -> tensor<2x64x8xf32>
    %204 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %205 = "stablehlo.reduce"(%203, %204) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg100: tensor<f32>, %arg101: tensor<f32>):
      %491 = "stablehlo.maximum"(%arg100, %arg101) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%491) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %206 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64xf32>
    %208 = "stablehlo.maximum"(%207, %205) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %211 = "stablehlo.subtract"(%203, %210) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %212 = "stablehlo.exponential"(%211) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %213 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %214 = "stablehlo.reduce"(%212, %213) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg98: tensor<f32>, %arg99: tensor<f32>):
      %490 = "stablehlo.add"(%arg98, %arg99) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%490) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %216 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %217 = "stablehlo.divide"(%212, %216) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %218:2 = "chlo.top_k"(%217) <{k = 2 : i64}> : (tensor<2x64x8xf32>) -> (tensor<2x64x2xf32>, tensor<2x64x2xi32>)
    %219 = "func.call"(%218#1) <{callee = @_one_hot_0}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x8xf32>
    %220 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %221 = "stablehlo.reduce"(%219, %220) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg96: tensor<f32>, %arg97: tensor<f32>):
      %489 = "stablehlo.add"(%arg96, %arg97) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%489) : (tensor<f32>) -> ()
    }) : (tensor<2x64x2x8xf32>, tensor<f32>) -> tensor<2x64x8xf32>
    %222 = "stablehlo.multiply"(%217, %221) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %223 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %224 = "stablehlo.reduce"(%222, %223) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg94: tensor<f32>, %arg95: tensor<f32>):
      %488 = "stablehlo.add"(%arg94, %arg95) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%488) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %227 = "stablehlo.divide"(%222, %226) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %228 = "stablehlo.dot_general"(%arg47, %202) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<2x64x16xf32>) -> tensor<8x16x2x64xf32>
    %229 = "stablehlo.transpose"(%228) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<8x16x2x64xf32>) -> tensor<8x2x64x16xf32>
    %230 = "func.call"(%229) <{callee = @silu_1}> : (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %231 = "stablehlo.dot_general"(%230, %arg45) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x64x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x64x16xf32>
    %232 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x1xf32>
    %233 = "stablehlo.transpose"(%231) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<8x2x64x16xf32>) -> tensor<2x64x8x16xf32>
    %234 = "stablehlo.broadcast_in_dim"(%232) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xf32>) -> tensor<2x64x8x16xf32>
    %235 = "stablehlo.multiply"(%234, %233) : (tensor<2x64x8x16xf32>, tensor<2x64x8x16xf32>) -> tensor<2x64x8x16xf32>
    %236 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %237 = "stablehlo.reduce"(%235, %236) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg92: tensor<f32>, %arg93: tensor<f32>):
      %487 = "stablehlo.add"(%arg92, %arg93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%487) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8x16xf32>, tensor<f32>) -> tensor<2x64x16xf32>
    %238 = "stablehlo.reshape"(%237) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %239 = "stablehlo.add"(%201, %238) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %240 = "stablehlo.dot_general"(%239, %arg49) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %241 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %242 = "func.call"(%241) <{callee = @_one_hot_2}> : (tensor<i32>) -> tensor<8xf32>
    %243 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %244 = "stablehlo.broadcast_in_dim"(%243) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %245 = "stablehlo.multiply"(%244, %242) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32>
    %247 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<128x8xf32>
    %248 = "stablehlo.add"(%240, %247) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %249 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %250 = "stablehlo.reduce"(%248, %249) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg90: tensor<f32>, %arg91: tensor<f32>):
      %486 = "stablehlo.maximum"(%arg90, %arg91) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%486) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %251 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %252 = "stablehlo.broadcast_in_dim"(%251) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %253 = "stablehlo.maximum"(%252, %250) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %254 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %255 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %256 = "stablehlo.subtract"(%248, %255) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %257 = "stablehlo.exponential"(%256) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %258 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %259 = "stablehlo.reduce"(%257, %258) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
      %485 = "stablehlo.add"(%arg88, %arg89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%485) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %260 = "stablehlo.broadcast_in_dim"(%259) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %262 = "stablehlo.divide"(%257, %261) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %263 = "func.call"(%262) <{callee = @argmax}> : (tensor<128x8xf32>) -> tensor<128xi32>
    %264 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %265 = "stablehlo.reduce"(%262, %264) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg86: tensor<f32>, %arg87: tensor<f32>):
      %484 = "stablehlo.maximum"(%arg86, %arg87) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%484) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %266 = "func.call"(%263) <{callee = @_one_hot_3}> : (tensor<128xi32>) -> tensor<128x8xf32>
    %267 = "func.call"(%266) <{callee = @cumsum}> : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %268 = "stablehlo.multiply"(%267, %266) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %269 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %270 = "stablehlo.broadcast_in_dim"(%269) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8xf32>
    %271 = "stablehlo.compare"(%268, %270) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xi1>
    %272 = "stablehlo.convert"(%271) : (tensor<128x8xi1>) -> tensor<128x8xf32>
    %273 = "stablehlo.multiply"(%266, %272) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %274 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %275 = "stablehlo.reduce"(%273, %274) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg84: tensor<f32>, %arg85: tensor<f32>):
      %483 = "stablehlo.add"(%arg84, %arg85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%483) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %276 = "stablehlo.multiply"(%265, %275) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %277 = "stablehlo.multiply"(%276, %275) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %278 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1x1xf32>
    %279 = "func.call"(%263) <{callee = @_one_hot_3}> : (tensor<128xi32>) -> tensor<128x8xf32>
    %280 = "stablehlo.broadcast_in_dim"(%279) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x8xf32>) -> tensor<128x8x1xf32>
    %281 = "stablehlo.broadcast_in_dim"(%278) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x1x1xf32>) -> tensor<128x8x1xf32>
    %282 = "stablehlo.multiply"(%281, %280) : (tensor<128x8x1xf32>, tensor<128x8x1xf32>) -> tensor<128x8x1xf32>
    %283 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %284 = "stablehlo.broadcast_in_dim"(%283) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8xf32>
    %285 = "stablehlo.subtract"(%268, %284) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %286 = "stablehlo.convert"(%285) : (tensor<128x8xf32>) -> tensor<128x8xi32>
    %287 = "func.call"(%286) <{callee = @_one_hot_5}> : (tensor<128x8xi32>) -> tensor<128x8x12xf32>
    %288 = "stablehlo.broadcast_in_dim"(%282) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x8x1xf32>) -> tensor<128x8x12xf32>
    %289 = "stablehlo.multiply"(%288, %287) : (tensor<128x8x12xf32>, tensor<128x8x12xf32>) -> tensor<128x8x12xf32>
    %290 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %291 = "stablehlo.broadcast_in_dim"(%290) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x12xf32>
    %292 = "stablehlo.compare"(%289, %291) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<128x8x12xf32>, tensor<128x8x12xf32>) -> tensor<128x8x12xi1>
    %293 = "stablehlo.convert"(%292) : (tensor<128x8x12xi1>) -> tensor<128x8x12xf32>
    %294 = "stablehlo.dot_general"(%293, %239) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<128x16xf32>) -> tensor<8x12x16xf32>
    %295 = "stablehlo.dot_general"(%294, %arg50) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %296 = "func.call"(%295) <{callee = @relu}> : (tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    %297 = "stablehlo.dot_general"(%296, %arg48) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %298 = "stablehlo.dot_general"(%289, %297) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<8x12x16xf32>) -> tensor<128x16xf32>
    %299 = "stablehlo.add"(%239, %298) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %300 = "stablehlo.dot_general"(%299, %arg53) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x8xf32>) -> tensor<128x8xf32>
    %301 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %302 = "stablehlo.reduce"(%300, %301) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
      %482 = "stablehlo.maximum"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%482) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %303 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128xf32>
    %305 = "stablehlo.maximum"(%304, %302) : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %307 = "stablehlo.broadcast_in_dim"(%306) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %308 = "stablehlo.subtract"(%300, %307) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %309 = "stablehlo.exponential"(%308) : (tensor<128x8xf32>) -> tensor<128x8xf32>
    %310 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %311 = "stablehlo.reduce"(%309, %310) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
      %481 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%481) : (tensor<f32>) -> ()
    }) : (tensor<128x8xf32>, tensor<f32>) -> tensor<128xf32>
    %312 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xf32>) -> tensor<128x1xf32>
    %313 = "stablehlo.broadcast_in_dim"(%312) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x8xf32>
    %314 = "stablehlo.divide"(%309, %313) : (tensor<128x8xf32>, tensor<128x8xf32>) -> tensor<128x8xf32>
    %315:2 = "chlo.top_k"(%314) <{k = 2 : i64}> : (tensor<128x8xf32>) -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %316 = "func.call"(%315#1) <{callee = @_one_hot_6}> : (tensor<128x2xi32>) -> tensor<128x2x8xi32>
    %317 = "stablehlo.reshape"(%316) : (tensor<128x2x8xi32>) -> tensor<256x8xi32>
    %318 = "func.call"(%317) <{callee = @cumsum_7}> : (tensor<256x8xi32>) -> tensor<256x8xi32>
    %319 = "stablehlo.subtract"(%318, %317) : (tensor<256x8xi32>, tensor<256x8xi32>) -> tensor<256x8xi32>
    %320 = "stablehlo.multiply"(%319, %317) : (tensor<256x8xi32>, tensor<256x8xi32>) -> tensor<256x8xi32>
    %321 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %322 = "stablehlo.reduce"(%320, %321) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg78: tensor<i32>, %arg79: tensor<i32>):
      %480 = "stablehlo.add"(%arg78, %arg79) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%480) : (tensor<i32>) -> ()
    }) : (tensor<256x8xi32>, tensor<i32>) -> tensor<256xi32>
    %323 = "stablehlo.reshape"(%322) : (tensor<256xi32>) -> tensor<128x2xi32>
    %324 = "func.call"(%315#1) <{callee = @_one_hot}> : (tensor<128x2xi32>) -> tensor<128x2x8xf32>
    %325 = "stablehlo.broadcast_in_dim"(%324) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x8xf32>) -> tensor<128x2x8x1xf32>
    %326 = "func.call"(%323) <{callee = @_one_hot_9}> : (tensor<128x2xi32>) -> tensor<128x2x12xf32>
    %327 = "stablehlo.broadcast_in_dim"(%326) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<128x2x12xf32>) -> tensor<128x2x1x12xf32>
    %328 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<128x2x8x1xf32>) -> tensor<128x2x8x12xf32>
    %329 = "stablehlo.broadcast_in_dim"(%327) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<128x2x1x12xf32>) -> tensor<128x2x8x12xf32>
    %330 = "stablehlo.multiply"(%328, %329) : (tensor<128x2x8x12xf32>, tensor<128x2x8x12xf32>) -> tensor<128x2x8x12xf32>
    %331 = "stablehlo.broadcast_in_dim"(%315#0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xf32>) -> tensor<128x2x1x1xf32>
    %332 = "stablehlo.broadcast_in_dim"(%331) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<128x2x1x1xf32>) -> tensor<128x2x8x12xf32>
    %333 = "stablehlo.multiply"(%330, %332) : (tensor<128x2x8x12xf32>, tensor<128x2x8x12xf32>) -> tensor<128x2x8x12xf32>
    %334 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %335 = "stablehlo.reduce"(%333, %334) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
      %479 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%479) : (tensor<f32>) -> ()
    }) : (tensor<128x2x8x12xf32>, tensor<f32>) -> tensor<128x8x12xf32>
    %336 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %337 = "stablehlo.reduce"(%330, %336) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg74: tensor<f32>, %arg75: tensor<f32>):
      %478 = "stablehlo.add"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%478) : (tensor<f32>) -> ()
    }) : (tensor<128x2x8x12xf32>, tensor<f32>) -> tensor<128x8x12xf32>
    %338 = "stablehlo.dot_general"(%337, %299) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<128x16xf32>) -> tensor<8x12x16xf32>
    %339 = "stablehlo.dot_general"(%338, %arg54) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %340 = "stablehlo.broadcast_in_dim"(%arg51) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x16xf32>) -> tensor<8x1x16xf32>
    %341 = "stablehlo.broadcast_in_dim"(%340) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<8x1x16xf32>) -> tensor<8x12x16xf32>
    %342 = "stablehlo.add"(%339, %341) : (tensor<8x12x16xf32>, tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    %343 = "func.call"(%342) <{callee = @relu}> : (tensor<8x12x16xf32>) -> tensor<8x12x16xf32>
    %344 = "stablehlo.dot_general"(%343, %arg52) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x12x16xf32>
    %345 = "stablehlo.dot_general"(%335, %344) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 1], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x8x12xf32>, tensor<8x12x16xf32>) -> tensor<128x16xf32>
    %346 = "stablehlo.add"(%299, %345) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %347 = "stablehlo.reshape"(%346) : (tensor<128x16xf32>) -> tensor<2x64x16xf32>
    %348 = "stablehlo.concatenate"(%arg56, %arg56) <{dimension = 1 : i64}> : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x6xf32>
    %349 = "stablehlo.dot_general"(%347, %348) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<16x6xf32>) -> tensor<2x64x6xf32>
    %350 = "stablehlo.constant"() <{value = dense<-9> : tensor<i32>}> : () -> tensor<i32>
    %351 = "func.call"(%349, %350) <{callee = @_pad}> : (tensor<2x64x6xf32>, tensor<i32>) -> tensor<2x64x8xf32>
    %352 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %353 = "stablehlo.reduce"(%351, %352) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
      %477 = "stablehlo.maximum"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%477) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %354 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %355 = "stablehlo.broadcast_in_dim"(%354) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64xf32>
    %356 = "stablehlo.maximum"(%355, %353) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    %357 = "stablehlo.broadcast_in_dim"(%356) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %358 = "stablehlo.broadcast_in_dim"(%357) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %359 = "stablehlo.subtract"(%351, %358) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %360 = "stablehlo.exponential"(%359) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %361 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %362 = "stablehlo.reduce"(%360, %361) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg70: tensor<f32>, %arg71: tensor<f32>):
      %476 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%476) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %363 = "stablehlo.broadcast_in_dim"(%362) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %364 = "stablehlo.broadcast_in_dim"(%363) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %365 = "stablehlo.divide"(%360, %364) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %366:2 = "chlo.top_k"(%365) <{k = 2 : i64}> : (tensor<2x64x8xf32>) -> (tensor<2x64x2xf32>, tensor<2x64x2xi32>)
    %367 = "stablehlo.transpose"(%366#1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x64x2xi32>) -> tensor<2x2x64xi32>
    %368 = "stablehlo.reshape"(%367) : (tensor<2x2x64xi32>) -> tensor<2x128xi32>
    %369 = "func.call"(%368) <{callee = @_one_hot_10}> : (tensor<2x128xi32>) -> tensor<2x128x8xi32>
    %370 = "func.call"(%369) <{callee = @cumsum_11}> : (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %371 = "stablehlo.multiply"(%370, %369) : (tensor<2x128x8xi32>, tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %372 = "stablehlo.convert"(%371) : (tensor<2x128x8xi32>) -> tensor<2x128x8xf32>
    %373 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %374 = "stablehlo.broadcast_in_dim"(%373) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x128x8xf32>
    %375 = "stablehlo.subtract"(%372, %374) : (tensor<2x128x8xf32>, tensor<2x128x8xf32>) -> tensor<2x128x8xf32>
    %376 = "stablehlo.reshape"(%375) : (tensor<2x128x8xf32>) -> tensor<2x2x64x8xf32>
    %377 = "stablehlo.transpose"(%376) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x2x64x8xf32>) -> tensor<2x64x2x8xf32>
    %378 = "stablehlo.convert"(%377) : (tensor<2x64x2x8xf32>) -> tensor<2x64x2x8xf32>
    %379 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %380 = "stablehlo.reduce"(%378, %379) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg68: tensor<f32>, %arg69: tensor<f32>):
      %475 = "stablehlo.maximum"(%arg68, %arg69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%475) : (tensor<f32>) -> ()
    }) : (tensor<2x64x2x8xf32>, tensor<f32>) -> tensor<2x64x8xf32>
    %381 = "func.call"(%380) <{callee = @_one_hot_13}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x12xi1>
    %382 = "stablehlo.convert"(%365) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %383 = "stablehlo.convert"(%381) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xf32>
    %384 = "stablehlo.dot_general"(%382, %383) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1, 2], rhs_batching_dimensions = [0, 1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8xf32>, tensor<2x64x8x12xf32>) -> tensor<2x64x8x12xf32>
    %385 = "stablehlo.convert"(%381) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xf32>
    %386 = "stablehlo.convert"(%347) : (tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
    %387 = "stablehlo.dot_general"(%385, %386) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<2x64x16xf32>) -> tensor<2x8x12x16xf32>
    %388 = "stablehlo.dot_general"(%arg57, %387) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<2x8x12x16xf32>) -> tensor<8x16x2x12xf32>
    %389 = "stablehlo.transpose"(%388) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<8x16x2x12xf32>) -> tensor<2x8x12x16xf32>
    %390 = "stablehlo.multiply"(%389, %389) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %391 = "stablehlo.multiply"(%390, %389) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %392 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %393 = "stablehlo.broadcast_in_dim"(%392) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %394 = "stablehlo.multiply"(%393, %391) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %395 = "stablehlo.add"(%389, %394) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %396 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %397 = "stablehlo.broadcast_in_dim"(%396) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %398 = "stablehlo.multiply"(%397, %395) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %399 = "stablehlo.tanh"(%398) : (tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %400 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %401 = "stablehlo.broadcast_in_dim"(%400) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %402 = "stablehlo.add"(%401, %399) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %403 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %404 = "stablehlo.broadcast_in_dim"(%403) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x12x16xf32>
    %405 = "stablehlo.multiply"(%404, %402) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %406 = "stablehlo.multiply"(%389, %405) : (tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
    %407 = "stablehlo.dot_general"(%arg55, %406) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x16xf32>, tensor<2x8x12x16xf32>) -> tensor<8x16x2x12xf32>
    %408 = "stablehlo.transpose"(%407) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<8x16x2x12xf32>) -> tensor<2x8x12x16xf32>
    %409 = "stablehlo.dot_general"(%384, %408) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<2x8x12x16xf32>) -> tensor<2x64x16xf32>
    %410 = "stablehlo.reshape"(%409) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %411 = "stablehlo.add"(%346, %410) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %412 = "stablehlo.reshape"(%411) : (tensor<128x16xf32>) -> tensor<2x64x16xf32>
    %413 = "stablehlo.dot_general"(%412, %arg36) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x16xf32>, tensor<16x8xf32>) -> tensor<2x64x8xf32>
    %414 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %415 = "stablehlo.reduce"(%413, %414) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
      %474 = "stablehlo.maximum"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%474) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %416 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %417 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64xf32>
    %418 = "stablehlo.maximum"(%417, %415) : (tensor<2x64xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
    %419 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %420 = "stablehlo.broadcast_in_dim"(%419) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %421 = "stablehlo.subtract"(%413, %420) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %422 = "stablehlo.exponential"(%421) : (tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %423 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %424 = "stablehlo.reduce"(%422, %423) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
      %473 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%473) : (tensor<f32>) -> ()
    }) : (tensor<2x64x8xf32>, tensor<f32>) -> tensor<2x64xf32>
    %425 = "stablehlo.broadcast_in_dim"(%424) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x64xf32>) -> tensor<2x64x1xf32>
    %426 = "stablehlo.broadcast_in_dim"(%425) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x1xf32>) -> tensor<2x64x8xf32>
    %427 = "stablehlo.divide"(%422, %426) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %428:2 = "chlo.top_k"(%427) <{k = 2 : i64}> : (tensor<2x64x8xf32>) -> (tensor<2x64x2xf32>, tensor<2x64x2xi32>)
    %429 = "func.call"(%428#1) <{callee = @_one_hot_14}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x8xi32>
    %430 = "stablehlo.reshape"(%429) : (tensor<2x64x2x8xi32>) -> tensor<2x128x8xi32>
    %431 = "func.call"(%430) <{callee = @cumsum_11}> : (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %432 = "stablehlo.reshape"(%431) : (tensor<2x128x8xi32>) -> tensor<2x64x2x8xi32>
    %433 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
    %434 = "stablehlo.broadcast_in_dim"(%433) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x64x2x8xi32>
    %435 = "stablehlo.compare"(%432, %434) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi1>
    %436 = "stablehlo.convert"(%435) : (tensor<2x64x2x8xi1>) -> tensor<2x64x2x8xi32>
    %437 = "stablehlo.multiply"(%429, %436) : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi32>
    %438 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %439 = "stablehlo.reduce"(%437, %438) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg62: tensor<i32>, %arg63: tensor<i32>):
      %472 = "stablehlo.add"(%arg62, %arg63) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%472) : (tensor<i32>) -> ()
    }) : (tensor<2x64x2x8xi32>, tensor<i32>) -> tensor<2x64x8xi32>
    %440 = "stablehlo.multiply"(%430, %431) : (tensor<2x128x8xi32>, tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    %441 = "stablehlo.reshape"(%440) : (tensor<2x128x8xi32>) -> tensor<2x64x2x8xi32>
    %442 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %443 = "stablehlo.reduce"(%441, %442) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg60: tensor<i32>, %arg61: tensor<i32>):
      %471 = "stablehlo.add"(%arg60, %arg61) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%471) : (tensor<i32>) -> ()
    }) : (tensor<2x64x2x8xi32>, tensor<i32>) -> tensor<2x64x8xi32>
    %444 = "stablehlo.multiply"(%443, %439) : (tensor<2x64x8xi32>, tensor<2x64x8xi32>) -> tensor<2x64x8xi32>
    %445 = "stablehlo.convert"(%439) : (tensor<2x64x8xi32>) -> tensor<2x64x8xf32>
    %446 = "stablehlo.multiply"(%427, %445) : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x8xf32>
    %447 = "stablehlo.broadcast_in_dim"(%446) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x1xf32>
    %448 = "func.call"(%444) <{callee = @_one_hot_15}> : (tensor<2x64x8xi32>) -> tensor<2x64x8x13xi32>
    %449 = "stablehlo.convert"(%448) : (tensor<2x64x8x13xi32>) -> tensor<2x64x8x13xf32>
    %450 = "stablehlo.broadcast_in_dim"(%447) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xf32>) -> tensor<2x64x8x13xf32>
    %451 = "stablehlo.multiply"(%450, %449) : (tensor<2x64x8x13xf32>, tensor<2x64x8x13xf32>) -> tensor<2x64x8x13xf32>
    %452 = "stablehlo.slice"(%451) <{limit_indices = array<i64: 2, 64, 8, 13>, start_indices = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x64x8x13xf32>) -> tensor<2x64x8x12xf32>
    %453 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %454 = "stablehlo.broadcast_in_dim"(%453) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x64x8x12xf32>
    %455 = "stablehlo.compare"(%452, %454) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x64x8x12xf32>, tensor<2x64x8x12xf32>) -> tensor<2x64x8x12xi1>
    %456 = "stablehlo.convert"(%455) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xi1>
    %457 = "stablehlo.convert"(%456) : (tensor<2x64x8x12xi1>) -> tensor<2x64x8x12xf32>
    %458 = "stablehlo.convert"(%412) : (tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
    %459 = "stablehlo.dot_general"(%457, %458) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<2x64x16xf32>) -> tensor<2x8x12x16xf32>
    %460 = "stablehlo.transpose"(%459) <{permutation = array<i64: 1, 0, 2, 3>}> : (tensor<2x8x12x16xf32>) -> tensor<8x2x12x16xf32>
    %461 = "stablehlo.dot_general"(%460, %arg37) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x12x16xf32>
    %462 = "func.call"(%461) <{callee = @silu_16}> : (tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %463 = "stablehlo.dot_general"(%460, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x12x16xf32>
    %464 = "stablehlo.multiply"(%462, %463) : (tensor<8x2x12x16xf32>, tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>
    %465 = "stablehlo.dot_general"(%464, %arg34) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x2x12x16xf32>, tensor<8x16x16xf32>) -> tensor<8x2x12x16xf32>
    %466 = "stablehlo.dot_general"(%452, %465) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x64x8x12xf32>, tensor<8x2x12x16xf32>) -> tensor<2x64x16xf32>
    %467 = "stablehlo.reshape"(%466) : (tensor<2x64x16xf32>) -> tensor<128x16xf32>
    %468 = "stablehlo.add"(%411, %467) : (tensor<128x16xf32>, tensor<128x16xf32>) -> tensor<128x16xf32>
    %469 = "stablehlo.dot_general"(%468, %arg44) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<128x16xf32>, tensor<16x48xf32>) -> tensor<128x48xf32>
    %470 = "stablehlo.reshape"(%469) : (tensor<128x48xf32>) -> tensor<2x64x48xf32>
    "func.return"(%470) : (tensor<2x64x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x8xf32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<128x2xi32>):
    %119 = "stablehlo.broadcast_in_dim"(%arg33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %120 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %121 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xi32>) -> tensor<128x2x8xi32>
    %122 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<128x2x8xi32>
    %123 = "stablehlo.compare"(%121, %122) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x2x8xi32>, tensor<128x2x8xi32>) -> tensor<128x2x8xi1>
    %124 = "stablehlo.convert"(%123) : (tensor<128x2x8xi1>) -> tensor<128x2x8xf32>
    "func.return"(%124) : (tensor<128x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<128x8x16xf32>):
    %110 = "stablehlo.negate"(%arg32) : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %111 = "stablehlo.exponential"(%110) : (tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %112 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %114 = "stablehlo.add"(%113, %111) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %115 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x8x16xf32>
    %117 = "stablehlo.divide"(%116, %114) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    %118 = "stablehlo.multiply"(%arg32, %117) : (tensor<128x8x16xf32>, tensor<128x8x16xf32>) -> tensor<128x8x16xf32>
    "func.return"(%118) : (tensor<128x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x2xi32>) -> tensor<2x64x2x8xf32>, res_attrs = [{}], sym_name = "_one_hot_0", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<2x64x2xi32>):
    %104 = "stablehlo.broadcast_in_dim"(%arg31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x1xi32>
    %105 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x8xi32>
    %106 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x2x1xi32>) -> tensor<2x64x2x8xi32>
    %107 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xi32>) -> tensor<2x64x2x8xi32>
    %108 = "stablehlo.compare"(%106, %107) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi1>
    %109 = "stablehlo.convert"(%108) : (tensor<2x64x2x8xi1>) -> tensor<2x64x2x8xf32>
    "func.return"(%109) : (tensor<2x64x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>, res_attrs = [{}], sym_name = "silu_1", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<8x2x64x16xf32>):
    %95 = "stablehlo.negate"(%arg30) : (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %96 = "stablehlo.exponential"(%95) : (tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %97 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x64x16xf32>
    %99 = "stablehlo.add"(%98, %96) : (tensor<8x2x64x16xf32>, tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %100 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2x64x16xf32>
    %102 = "stablehlo.divide"(%101, %99) : (tensor<8x2x64x16xf32>, tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    %103 = "stablehlo.multiply"(%arg30, %102) : (tensor<8x2x64x16xf32>, tensor<8x2x64x16xf32>) -> tensor<8x2x64x16xf32>
    "func.return"(%103) : (tensor<8x2x64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<i32>) -> tensor<8xf32>, res_attrs = [{}], sym_name = "_one_hot_2", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128xi32>) -> tensor<128x8xf32>, res_attrs = [{}], sym_name = "_one_hot_3", sym_visibility = "private"}> ({
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
    %69 = "func.call"(%arg22) <{callee = @cumsum_4}> : (tensor<128x8xf32>) -> tensor<128x8xf32>
    "func.return"(%69) : (tensor<128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<128x8xf32>) -> tensor<128x8xf32>, sym_name = "cumsum_4", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x8xi32>) -> tensor<128x8x12xf32>, res_attrs = [{}], sym_name = "_one_hot_5", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_6", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<128x2xi32>):
    %50 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %51 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %52 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<128x2x1xi32>) -> tensor<128x2x8xi32>
    %53 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<128x2x8xi32>
    %54 = "stablehlo.compare"(%52, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<128x2x8xi32>, tensor<128x2x8xi32>) -> tensor<128x2x8xi1>
    %55 = "stablehlo.convert"(%54) : (tensor<128x2x8xi1>) -> tensor<128x2x8xi32>
    "func.return"(%55) : (tensor<128x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<256x8xi32>) -> tensor<256x8xi32>, res_attrs = [{}], sym_name = "cumsum_7", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<256x8xi32>):
    %49 = "func.call"(%arg15) <{callee = @cumsum_8}> : (tensor<256x8xi32>) -> tensor<256x8xi32>
    "func.return"(%49) : (tensor<256x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<256x8xi32>) -> tensor<256x8xi32>, sym_name = "cumsum_8", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<128x2xi32>) -> tensor<128x2x12xf32>, res_attrs = [{}], sym_name = "_one_hot_9", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x128xi32>) -> tensor<2x128x8xi32>, res_attrs = [{}], sym_name = "_one_hot_10", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<2x128xi32>):
    %31 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x128xi32>) -> tensor<2x128x1xi32>
    %32 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %33 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x128x1xi32>) -> tensor<2x128x8xi32>
    %34 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<2x128x8xi32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x128x8xi32>, tensor<2x128x8xi32>) -> tensor<2x128x8xi1>
    %36 = "stablehlo.convert"(%35) : (tensor<2x128x8xi1>) -> tensor<2x128x8xi32>
    "func.return"(%36) : (tensor<2x128x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>, res_attrs = [{}], sym_name = "cumsum_11", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x128x8xi32>):
    %30 = "func.call"(%arg7) <{callee = @cumsum_12}> : (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>
    "func.return"(%30) : (tensor<2x128x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x128x8xi32>) -> tensor<2x128x8xi32>, sym_name = "cumsum_12", sym_visibility = "private"}> ({
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x8xf32>) -> tensor<2x64x8x12xi1>, res_attrs = [{}], sym_name = "_one_hot_13", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x64x8xf32>):
    %21 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xf32>) -> tensor<2x64x8x1xf32>
    %22 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x12xf32>
    %23 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xf32>) -> tensor<2x64x8x12xf32>
    %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x12xf32>) -> tensor<2x64x8x12xf32>
    %25 = "stablehlo.compare"(%23, %24) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x8x12xf32>, tensor<2x64x8x12xf32>) -> tensor<2x64x8x12xi1>
    "func.return"(%25) : (tensor<2x64x8x12xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x2xi32>) -> tensor<2x64x2x8xi32>, res_attrs = [{}], sym_name = "_one_hot_14", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x64x2xi32>):
    %15 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x2xi32>) -> tensor<2x64x2x1xi32>
    %16 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x8xi32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x2x1xi32>) -> tensor<2x64x2x8xi32>
    %18 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x8xi32>) -> tensor<2x64x2x8xi32>
    %19 = "stablehlo.compare"(%17, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x2x8xi32>, tensor<2x64x2x8xi32>) -> tensor<2x64x2x8xi1>
    %20 = "stablehlo.convert"(%19) : (tensor<2x64x2x8xi1>) -> tensor<2x64x2x8xi32>
    "func.return"(%20) : (tensor<2x64x2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x64x8xi32>) -> tensor<2x64x8x13xi32>, res_attrs = [{}], sym_name = "_one_hot_15", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x64x8xi32>):
    %9 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x64x8xi32>) -> tensor<2x64x8x1xi32>
    %10 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x13xi32>
    %11 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x64x8x1xi32>) -> tensor<2x64x8x13xi32>
    %12 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x13xi32>) -> tensor<2x64x8x13xi32>
    %13 = "stablehlo.compare"(%11, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x64x8x13xi32>, tensor<2x64x8x13xi32>) -> tensor<2x64x8x13xi1>
    %14 = "stablehlo.convert"(%13) : (tensor<2x64x8x13xi1>) -> tensor<2x64x8x13xi32>
    "func.return"(%14) : (tensor<2x64x8x13xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x2x12x16xf32>) -> tensor<8x2x12x16xf32>, res_attrs = [{}], sym_name = "silu_16", sym_visibility = "private"}> ({
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
