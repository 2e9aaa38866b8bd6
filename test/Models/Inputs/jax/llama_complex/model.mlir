"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "head"}, {te.param = "layers.down"}, {te.param = "layers.gate"}, {te.param = "layers.k"}, {te.param = "layers.norm_1"}, {te.param = "layers.norm_2"}, {te.param = "layers.o"}, {te.param = "layers.q"}, {te.param = "layers.up"}, {te.param = "layers.v"}, {te.param = "norm"}, {te.param = "tokens"}, {te.input = "ids"}], function_type = (tensor<16x48xf32>, tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<2x8xi32>) -> tensor<2x8x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg42: tensor<16x48xf32>, %arg43: tensor<3x32x16xf32>, %arg44: tensor<3x16x32xf32>, %arg45: tensor<3x16x8xf32>, %arg46: tensor<3x16xf32>, %arg47: tensor<3x16xf32>, %arg48: tensor<3x16x16xf32>, %arg49: tensor<3x16x16xf32>, %arg50: tensor<3x16x32xf32>, %arg51: tensor<3x16x8xf32>, %arg52: tensor<16xf32>, %arg53: tensor<48x16xf32>, %arg54: tensor<2x8xi32>):
    %157 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %158 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %160 = "stablehlo.multiply"(%159, %157) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %161 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %162 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %163 = "stablehlo.add"(%162, %160) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %164 = "stablehlo.negate"(%163) : (tensor<4xi32>) -> tensor<4xi32>
    %165 = "stablehlo.convert"(%164) : (tensor<4xi32>) -> tensor<4xf32>
    %166 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %168 = "stablehlo.divide"(%165, %167) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %169 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %170 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %171 = "stablehlo.power"(%170, %168) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %172 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %173 = "stablehlo.convert"(%172) : (tensor<8xi32>) -> tensor<8xf32>
    %174 = "stablehlo.broadcast_in_dim"(%173) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %175 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %176 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %177 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %178 = "stablehlo.multiply"(%176, %177) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %179 = "stablehlo.convert"(%178) : (tensor<8x4xf32>) -> tensor<8x4xcomplex<f32>>
    %180 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %181 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<8x4xcomplex<f32>>
    %182 = "stablehlo.multiply"(%181, %179) : (tensor<8x4xcomplex<f32>>, tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
    %183 = "stablehlo.exponential"(%182) : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
    %184 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %186 = "stablehlo.compare"(%arg54, %185) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %187 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %188 = "stablehlo.broadcast_in_dim"(%187) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %189 = "stablehlo.add"(%arg54, %188) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %190 = "stablehlo.select"(%186, %189, %arg54) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %192 = "stablehlo.gather"(%arg53, %191) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %193 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %195 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %196:13 = "stablehlo.while"(%arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %arg49, %arg50, %arg51, %183, %195, %192, %194) ({
    ^bb0(%arg70: tensor<3x32x16xf32>, %arg71: tensor<3x16x32xf32>, %arg72: tensor<3x16x8xf32>, %arg73: tensor<3x16xf32>, %arg74: tensor<3x16xf32>, %arg75: tensor<3x16x16xf32>, %arg76: tensor<3x16x16xf32>, %arg77: tensor<3x16x32xf32>, %arg78: tensor<3x16x8xf32>, %arg79: tensor<8x4xcomplex<f32>>, %arg80: tensor<i32>, %arg81: tensor<2x8x16xf32>, %arg82: tensor<3xf32>):
      %228 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %229 = "stablehlo.compare"(%arg80, %228) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%229) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg57: tensor<3x32x16xf32>, %arg58: tensor<3x16x32xf32>, %arg59: tensor<3x16x8xf32>, %arg60: tensor<3x16xf32>, %arg61: tensor<3x16xf32>, %arg62: tensor<3x16x16xf32>, %arg63: tensor<3x16x16xf32>, %arg64: tensor<3x16x32xf32>, %arg65: tensor<3x16x8xf32>, %arg66: tensor<8x4xcomplex<f32>>, %arg67: tensor<i32>, %arg68: tensor<2x8x16xf32>, %arg69: tensor<3xf32>):
      %215 = "func.call"(%arg57, %arg67) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %216 = "func.call"(%arg58, %arg67) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %217 = "func.call"(%arg59, %arg67) <{callee = @dynamic_index_in_dim_1}> : (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %218 = "func.call"(%arg60, %arg67) <{callee = @dynamic_index_in_dim_2}> : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %219 = "func.call"(%arg61, %arg67) <{callee = @dynamic_index_in_dim_2}> : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %220 = "func.call"(%arg62, %arg67) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %221 = "func.call"(%arg63, %arg67) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %222 = "func.call"(%arg64, %arg67) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %223 = "func.call"(%arg65, %arg67) <{callee = @dynamic_index_in_dim_1}> : (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %224:2 = "func.call"(%arg66, %arg68, %215, %216, %217, %218, %219, %220, %221, %222, %223) <{callee = @closed_call}> : (tensor<8x4xcomplex<f32>>, tensor<2x8x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>) -> (tensor<2x8x16xf32>, tensor<f32>)
      %225 = "func.call"(%arg69, %224#1, %arg67) <{callee = @dynamic_update_index_in_dim}> : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
      %226 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %227 = "stablehlo.add"(%arg67, %226) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63, %arg64, %arg65, %arg66, %227, %224#0, %225) : (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<8x4xcomplex<f32>>, tensor<i32>, tensor<2x8x16xf32>, tensor<3xf32>) -> ()
    }) : (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<8x4xcomplex<f32>>, tensor<i32>, tensor<2x8x16xf32>, tensor<3xf32>) -> (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<8x4xcomplex<f32>>, tensor<i32>, tensor<2x8x16xf32>, tensor<3xf32>)
    %197 = "stablehlo.multiply"(%196#11, %196#11) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %198 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %199 = "stablehlo.reduce"(%197, %198) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %214 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%214) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %200 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %201 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %203 = "stablehlo.divide"(%200, %202) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %204 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %205 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %206 = "stablehlo.add"(%203, %205) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %207 = "stablehlo.rsqrt"(%206) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %209 = "stablehlo.multiply"(%196#11, %208) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %210 = "stablehlo.broadcast_in_dim"(%arg52) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %212 = "stablehlo.multiply"(%209, %211) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %213 = "stablehlo.dot_general"(%212, %arg42) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    "func.return"(%213) : (tensor<2x8x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<3x32x16xf32>, %arg41: tensor<i32>):
    %153 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %154 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %155 = "stablehlo.dynamic_slice"(%arg40, %arg41, %153, %154) <{slice_sizes = array<i64: 1, 32, 16>}> : (tensor<3x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %156 = "stablehlo.reshape"(%155) : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    "func.return"(%156) : (tensor<32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<3x16x32xf32>, %arg39: tensor<i32>):
    %149 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %150 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %151 = "stablehlo.dynamic_slice"(%arg38, %arg39, %149, %150) <{slice_sizes = array<i64: 1, 16, 32>}> : (tensor<3x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %152 = "stablehlo.reshape"(%151) : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    "func.return"(%152) : (tensor<16x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<3x16x8xf32>, %arg37: tensor<i32>):
    %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %147 = "stablehlo.dynamic_slice"(%arg36, %arg37, %145, %146) <{slice_sizes = array<i64: 1, 16, 8>}> : (tensor<3x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %148 = "stablehlo.reshape"(%147) : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%148) : (tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<3x16xf32>, %arg35: tensor<i32>):
    %142 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %143 = "stablehlo.dynamic_slice"(%arg34, %arg35, %142) <{slice_sizes = array<i64: 1, 16>}> : (tensor<3x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %144 = "stablehlo.reshape"(%143) : (tensor<1x16xf32>) -> tensor<16xf32>
    "func.return"(%144) : (tensor<16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<3x16x16xf32>, %arg33: tensor<i32>):
    %138 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %139 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %140 = "stablehlo.dynamic_slice"(%arg32, %arg33, %138, %139) <{slice_sizes = array<i64: 1, 16, 16>}> : (tensor<3x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %141 = "stablehlo.reshape"(%140) : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    "func.return"(%141) : (tensor<16x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x4xcomplex<f32>>, tensor<2x8x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>) -> (tensor<2x8x16xf32>, tensor<f32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<8x4xcomplex<f32>>, %arg12: tensor<2x8x16xf32>, %arg13: tensor<32x16xf32>, %arg14: tensor<16x32xf32>, %arg15: tensor<16x8xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16xf32>, %arg18: tensor<16x16xf32>, %arg19: tensor<16x16xf32>, %arg20: tensor<16x32xf32>, %arg21: tensor<16x8xf32>):
    %47 = "stablehlo.multiply"(%arg12, %arg12) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %137 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%137) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %51 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %53 = "stablehlo.divide"(%50, %52) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %54 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %56 = "stablehlo.add"(%53, %55) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %57 = "stablehlo.rsqrt"(%56) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %59 = "stablehlo.multiply"(%arg12, %58) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %60 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %62 = "stablehlo.multiply"(%59, %61) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %63 = "stablehlo.dot_general"(%62, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %64 = "stablehlo.reshape"(%63) : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %65 = "func.call"(%64, %arg11) <{callee = @turned}> : (tensor<2x8x2x8xf32>, tensor<8x4xcomplex<f32>>) -> tensor<2x8x2x8xf32>
    %66 = "stablehlo.dot_general"(%62, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x8xf32>) -> tensor<2x8x8xf32>
    %67 = "stablehlo.reshape"(%66) : (tensor<2x8x8xf32>) -> tensor<2x8x1x8xf32>
    %68 = "func.call"(%67, %arg11) <{callee = @turned_4}> : (tensor<2x8x1x8xf32>, tensor<8x4xcomplex<f32>>) -> tensor<2x8x1x8xf32>
    %69 = "stablehlo.dot_general"(%62, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x8xf32>) -> tensor<2x8x8xf32>
    %70 = "stablehlo.reshape"(%69) : (tensor<2x8x8xf32>) -> tensor<2x8x1x8xf32>
    %71 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x2x8xf32>
    %72 = "stablehlo.reshape"(%71) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %73 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x2x8xf32>
    %74 = "stablehlo.reshape"(%73) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %75 = "stablehlo.dot_general"(%65, %72) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %76 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %78 = "stablehlo.multiply"(%75, %77) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %79 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
    %81 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32>
    %83 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %84 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %85 = "stablehlo.compare"(%83, %84) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %86 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %87 = "func.call"(%85, %78, %86) <{callee = @_where}> : (tensor<8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %88 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.reduce"(%87, %88) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %136 = "stablehlo.maximum"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%136) : (tensor<f32>) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %90 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8xf32>
    %92 = "stablehlo.maximum"(%91, %89) : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %95 = "stablehlo.subtract"(%87, %94) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %96 = "stablehlo.exponential"(%95) : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %97 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.reduce"(%96, %97) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %135 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%135) : (tensor<f32>) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %101 = "stablehlo.divide"(%96, %100) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %102 = "stablehlo.dot_general"(%74, %101) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %103 = "stablehlo.transpose"(%102) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %104 = "stablehlo.reshape"(%103) : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %105 = "stablehlo.dot_general"(%104, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %106 = "stablehlo.add"(%arg12, %105) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %107 = "stablehlo.multiply"(%106, %106) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.reduce"(%107, %108) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %134 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%134) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %111 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %113 = "stablehlo.divide"(%110, %112) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %114 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %116 = "stablehlo.add"(%113, %115) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %117 = "stablehlo.rsqrt"(%116) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %119 = "stablehlo.multiply"(%106, %118) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %120 = "stablehlo.broadcast_in_dim"(%arg17) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %122 = "stablehlo.multiply"(%119, %121) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %123 = "stablehlo.dot_general"(%122, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %124 = "func.call"(%123) <{callee = @silu}> : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %125 = "stablehlo.dot_general"(%122, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %126 = "stablehlo.multiply"(%124, %125) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %127 = "stablehlo.dot_general"(%126, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %128 = "stablehlo.add"(%106, %127) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %129 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.reduce"(%106, %129) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %133 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%133) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<f32>
    %131 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %132 = "stablehlo.divide"(%130, %131) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%128, %132) : (tensor<2x8x16xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x2x8xf32>, tensor<8x4xcomplex<f32>>) -> tensor<2x8x2x8xf32>, res_attrs = [{}], sym_name = "turned", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x8x2x8xf32>, %arg10: tensor<8x4xcomplex<f32>>):
    %31 = "stablehlo.reshape"(%arg9) : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4x2xf32>
    %32 = "stablehlo.slice"(%31) <{limit_indices = array<i64: 2, 8, 2, 4, 1>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x2x4x2xf32>) -> tensor<2x8x2x4x1xf32>
    %33 = "stablehlo.reshape"(%32) : (tensor<2x8x2x4x1xf32>) -> tensor<2x8x2x4xf32>
    %34 = "stablehlo.slice"(%31) <{limit_indices = array<i64: 2, 8, 2, 4, 2>, start_indices = array<i64: 0, 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x2x4x2xf32>) -> tensor<2x8x2x4x1xf32>
    %35 = "stablehlo.reshape"(%34) : (tensor<2x8x2x4x1xf32>) -> tensor<2x8x2x4xf32>
    %36 = "stablehlo.complex"(%33, %35) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xcomplex<f32>>
    %37 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x4xcomplex<f32>>) -> tensor<8x1x4xcomplex<f32>>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x1x4xcomplex<f32>>) -> tensor<1x8x1x4xcomplex<f32>>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x4xcomplex<f32>>) -> tensor<2x8x2x4xcomplex<f32>>
    %40 = "stablehlo.multiply"(%36, %39) : (tensor<2x8x2x4xcomplex<f32>>, tensor<2x8x2x4xcomplex<f32>>) -> tensor<2x8x2x4xcomplex<f32>>
    %41 = "stablehlo.real"(%40) : (tensor<2x8x2x4xcomplex<f32>>) -> tensor<2x8x2x4xf32>
    %42 = "stablehlo.imag"(%40) : (tensor<2x8x2x4xcomplex<f32>>) -> tensor<2x8x2x4xf32>
    %43 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4x1xf32>
    %44 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4x1xf32>
    %45 = "stablehlo.concatenate"(%43, %44) <{dimension = 4 : i64}> : (tensor<2x8x2x4x1xf32>, tensor<2x8x2x4x1xf32>) -> tensor<2x8x2x4x2xf32>
    %46 = "stablehlo.reshape"(%45) : (tensor<2x8x2x4x2xf32>) -> tensor<2x8x2x8xf32>
    "func.return"(%46) : (tensor<2x8x2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x1x8xf32>, tensor<8x4xcomplex<f32>>) -> tensor<2x8x1x8xf32>, res_attrs = [{}], sym_name = "turned_4", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x8x1x8xf32>, %arg8: tensor<8x4xcomplex<f32>>):
    %15 = "stablehlo.reshape"(%arg7) : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x4x2xf32>
    %16 = "stablehlo.slice"(%15) <{limit_indices = array<i64: 2, 8, 1, 4, 1>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x1x4x2xf32>) -> tensor<2x8x1x4x1xf32>
    %17 = "stablehlo.reshape"(%16) : (tensor<2x8x1x4x1xf32>) -> tensor<2x8x1x4xf32>
    %18 = "stablehlo.slice"(%15) <{limit_indices = array<i64: 2, 8, 1, 4, 2>, start_indices = array<i64: 0, 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x1x4x2xf32>) -> tensor<2x8x1x4x1xf32>
    %19 = "stablehlo.reshape"(%18) : (tensor<2x8x1x4x1xf32>) -> tensor<2x8x1x4xf32>
    %20 = "stablehlo.complex"(%17, %19) : (tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>) -> tensor<2x8x1x4xcomplex<f32>>
    %21 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x4xcomplex<f32>>) -> tensor<8x1x4xcomplex<f32>>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x1x4xcomplex<f32>>) -> tensor<1x8x1x4xcomplex<f32>>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x4xcomplex<f32>>) -> tensor<2x8x1x4xcomplex<f32>>
    %24 = "stablehlo.multiply"(%20, %23) : (tensor<2x8x1x4xcomplex<f32>>, tensor<2x8x1x4xcomplex<f32>>) -> tensor<2x8x1x4xcomplex<f32>>
    %25 = "stablehlo.real"(%24) : (tensor<2x8x1x4xcomplex<f32>>) -> tensor<2x8x1x4xf32>
    %26 = "stablehlo.imag"(%24) : (tensor<2x8x1x4xcomplex<f32>>) -> tensor<2x8x1x4xf32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4x1xf32>
    %28 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4x1xf32>
    %29 = "stablehlo.concatenate"(%27, %28) <{dimension = 4 : i64}> : (tensor<2x8x1x4x1xf32>, tensor<2x8x1x4x1xf32>) -> tensor<2x8x1x4x2xf32>
    %30 = "stablehlo.reshape"(%29) : (tensor<2x8x1x4x2xf32>) -> tensor<2x8x1x8xf32>
    "func.return"(%30) : (tensor<2x8x1x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<8x8xi1>, %arg5: tensor<2x2x8x8xf32>, %arg6: tensor<f32>):
    %11 = "stablehlo.convert"(%arg6) : (tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<8x8xi1>) -> tensor<2x2x8x8xi1>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %14 = "stablehlo.select"(%12, %arg5, %13) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    "func.return"(%14) : (tensor<2x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x8x32xf32>):
    %2 = "stablehlo.negate"(%arg3) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %3 = "stablehlo.exponential"(%2) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32xf32>
    %6 = "stablehlo.add"(%5, %3) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32xf32>
    %9 = "stablehlo.divide"(%8, %6) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %10 = "stablehlo.multiply"(%arg3, %9) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    "func.return"(%10) : (tensor<2x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2) : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32>
    "func.return"(%1) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
