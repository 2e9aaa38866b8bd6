"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "head"}, {te.param = "layers.down"}, {te.param = "layers.gate"}, {te.param = "layers.k"}, {te.param = "layers.norm_1"}, {te.param = "layers.norm_2"}, {te.param = "layers.o"}, {te.param = "layers.q"}, {te.param = "layers.up"}, {te.param = "layers.v"}, {te.param = "norm"}, {te.param = "tokens"}, {te.input = "ids"}], function_type = (tensor<16x48xf32>, tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<16xf32>, tensor<48x16xf32>, tensor<2x8xi32>) -> tensor<2x8x48xf32>, res_attrs = [{te.output = "logits"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg37: tensor<16x48xf32>, %arg38: tensor<3x32x16xf32>, %arg39: tensor<3x16x32xf32>, %arg40: tensor<3x16x8xf32>, %arg41: tensor<3x16xf32>, %arg42: tensor<3x16xf32>, %arg43: tensor<3x16x16xf32>, %arg44: tensor<3x16x16xf32>, %arg45: tensor<3x16x32xf32>, %arg46: tensor<3x16x8xf32>, %arg47: tensor<16xf32>, %arg48: tensor<48x16xf32>, %arg49: tensor<2x8xi32>):
    %201 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %203 = "stablehlo.compare"(%arg49, %202) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %204 = "stablehlo.constant"() <{value = dense<48> : tensor<i32>}> : () -> tensor<i32>
    %205 = "stablehlo.broadcast_in_dim"(%204) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %206 = "stablehlo.add"(%arg49, %205) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %207 = "stablehlo.select"(%203, %206, %arg49) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %209 = "stablehlo.gather"(%arg48, %208) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<48x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %210 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %212 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %213:12 = "stablehlo.while"(%arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %212, %209, %211) ({
    ^bb0(%arg64: tensor<3x32x16xf32>, %arg65: tensor<3x16x32xf32>, %arg66: tensor<3x16x8xf32>, %arg67: tensor<3x16xf32>, %arg68: tensor<3x16xf32>, %arg69: tensor<3x16x16xf32>, %arg70: tensor<3x16x16xf32>, %arg71: tensor<3x16x32xf32>, %arg72: tensor<3x16x8xf32>, %arg73: tensor<i32>, %arg74: tensor<2x8x16xf32>, %arg75: tensor<3xf32>):
      %245 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %246 = "stablehlo.compare"(%arg73, %245) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%246) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg52: tensor<3x32x16xf32>, %arg53: tensor<3x16x32xf32>, %arg54: tensor<3x16x8xf32>, %arg55: tensor<3x16xf32>, %arg56: tensor<3x16xf32>, %arg57: tensor<3x16x16xf32>, %arg58: tensor<3x16x16xf32>, %arg59: tensor<3x16x32xf32>, %arg60: tensor<3x16x8xf32>, %arg61: tensor<i32>, %arg62: tensor<2x8x16xf32>, %arg63: tensor<3xf32>):
      %232 = "func.call"(%arg52, %arg61) <{callee = @dynamic_index_in_dim}> : (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %233 = "func.call"(%arg53, %arg61) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %234 = "func.call"(%arg54, %arg61) <{callee = @dynamic_index_in_dim_1}> : (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %235 = "func.call"(%arg55, %arg61) <{callee = @dynamic_index_in_dim_2}> : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %236 = "func.call"(%arg56, %arg61) <{callee = @dynamic_index_in_dim_2}> : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %237 = "func.call"(%arg57, %arg61) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %238 = "func.call"(%arg58, %arg61) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %239 = "func.call"(%arg59, %arg61) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %240 = "func.call"(%arg60, %arg61) <{callee = @dynamic_index_in_dim_1}> : (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %241:2 = "func.call"(%arg62, %232, %233, %234, %235, %236, %237, %238, %239, %240) <{callee = @closed_call}> : (tensor<2x8x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>) -> (tensor<2x8x16xf32>, tensor<f32>)
      %242 = "func.call"(%arg63, %241#1, %arg61) <{callee = @dynamic_update_index_in_dim}> : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
      %243 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %244 = "stablehlo.add"(%arg61, %243) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60, %244, %241#0, %242) : (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<i32>, tensor<2x8x16xf32>, tensor<3xf32>) -> ()
    }) : (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<i32>, tensor<2x8x16xf32>, tensor<3xf32>) -> (tensor<3x32x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x32xf32>, tensor<3x16x8xf32>, tensor<i32>, tensor<2x8x16xf32>, tensor<3xf32>)
    %214 = "stablehlo.multiply"(%213#10, %213#10) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %215 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %216 = "stablehlo.reduce"(%214, %215) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %231 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%231) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %217 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %218 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %220 = "stablehlo.divide"(%217, %219) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %221 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %222 = "stablehlo.broadcast_in_dim"(%221) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %223 = "stablehlo.add"(%220, %222) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %224 = "stablehlo.rsqrt"(%223) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %225 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %226 = "stablehlo.multiply"(%213#10, %225) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %227 = "stablehlo.broadcast_in_dim"(%arg47) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %228 = "stablehlo.broadcast_in_dim"(%227) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %229 = "stablehlo.multiply"(%226, %228) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %230 = "stablehlo.dot_general"(%229, %arg37) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    "func.return"(%230) : (tensor<2x8x48xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<3x32x16xf32>, %arg36: tensor<i32>):
    %197 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %198 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %199 = "stablehlo.dynamic_slice"(%arg35, %arg36, %197, %198) <{slice_sizes = array<i64: 1, 32, 16>}> : (tensor<3x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %200 = "stablehlo.reshape"(%199) : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    "func.return"(%200) : (tensor<32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<3x16x32xf32>, %arg34: tensor<i32>):
    %193 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %194 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %195 = "stablehlo.dynamic_slice"(%arg33, %arg34, %193, %194) <{slice_sizes = array<i64: 1, 16, 32>}> : (tensor<3x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %196 = "stablehlo.reshape"(%195) : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    "func.return"(%196) : (tensor<16x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16x8xf32>, tensor<i32>) -> tensor<16x8xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<3x16x8xf32>, %arg32: tensor<i32>):
    %189 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %190 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %191 = "stablehlo.dynamic_slice"(%arg31, %arg32, %189, %190) <{slice_sizes = array<i64: 1, 16, 8>}> : (tensor<3x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %192 = "stablehlo.reshape"(%191) : (tensor<1x16x8xf32>) -> tensor<16x8xf32>
    "func.return"(%192) : (tensor<16x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<3x16xf32>, %arg30: tensor<i32>):
    %186 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %187 = "stablehlo.dynamic_slice"(%arg29, %arg30, %186) <{slice_sizes = array<i64: 1, 16>}> : (tensor<3x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %188 = "stablehlo.reshape"(%187) : (tensor<1x16xf32>) -> tensor<16xf32>
    "func.return"(%188) : (tensor<16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg27: tensor<3x16x16xf32>, %arg28: tensor<i32>):
    %182 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %183 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %184 = "stablehlo.dynamic_slice"(%arg27, %arg28, %182, %183) <{slice_sizes = array<i64: 1, 16, 16>}> : (tensor<3x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %185 = "stablehlo.reshape"(%184) : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    "func.return"(%185) : (tensor<16x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x8x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x8xf32>) -> (tensor<2x8x16xf32>, tensor<f32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x8x16xf32>, %arg8: tensor<32x16xf32>, %arg9: tensor<16x32xf32>, %arg10: tensor<16x8xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<16x32xf32>, %arg16: tensor<16x8xf32>):
    %15 = "stablehlo.multiply"(%arg7, %arg7) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %16 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %181 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%181) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %19 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %21 = "stablehlo.divide"(%18, %20) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %22 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %24 = "stablehlo.add"(%21, %23) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %25 = "stablehlo.rsqrt"(%24) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %27 = "stablehlo.multiply"(%arg7, %26) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %28 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %30 = "stablehlo.multiply"(%27, %29) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %31 = "stablehlo.dot_general"(%30, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %32 = "stablehlo.reshape"(%31) : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %33 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
    %35 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %36 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %38 = "stablehlo.multiply"(%37, %35) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %41 = "stablehlo.add"(%40, %38) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %42 = "stablehlo.negate"(%41) : (tensor<4xi32>) -> tensor<4xi32>
    %43 = "stablehlo.convert"(%42) : (tensor<4xi32>) -> tensor<4xf32>
    %44 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %46 = "stablehlo.divide"(%43, %45) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %47 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %49 = "stablehlo.power"(%48, %46) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %50 = "stablehlo.convert"(%34) : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %51 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %52 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %53 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %54 = "stablehlo.multiply"(%52, %53) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %55 = "stablehlo.cosine"(%54) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %56 = "stablehlo.concatenate"(%55, %55) <{dimension = 1 : i64}> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x8xf32>) -> tensor<8x1x8xf32>
    %58 = "stablehlo.sine"(%54) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %59 = "stablehlo.concatenate"(%58, %58) <{dimension = 1 : i64}> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x8xf32>) -> tensor<8x1x8xf32>
    %61 = "stablehlo.slice"(%32) <{limit_indices = array<i64: 2, 8, 2, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4xf32>
    %62 = "stablehlo.slice"(%32) <{limit_indices = array<i64: 2, 8, 2, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4xf32>
    %63 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x8xf32>) -> tensor<2x8x2x8xf32>
    %65 = "stablehlo.multiply"(%32, %64) : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %66 = "stablehlo.negate"(%62) : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %67 = "stablehlo.concatenate"(%66, %61) <{dimension = 3 : i64}> : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x8xf32>
    %68 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x8xf32>) -> tensor<2x8x2x8xf32>
    %70 = "stablehlo.multiply"(%67, %69) : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %71 = "stablehlo.add"(%65, %70) : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %72 = "stablehlo.dot_general"(%30, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x8xf32>) -> tensor<2x8x8xf32>
    %73 = "stablehlo.reshape"(%72) : (tensor<2x8x8xf32>) -> tensor<2x8x1x8xf32>
    %74 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
    %76 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %77 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %79 = "stablehlo.multiply"(%78, %76) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %80 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %82 = "stablehlo.add"(%81, %79) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %83 = "stablehlo.negate"(%82) : (tensor<4xi32>) -> tensor<4xi32>
    %84 = "stablehlo.convert"(%83) : (tensor<4xi32>) -> tensor<4xf32>
    %85 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %87 = "stablehlo.divide"(%84, %86) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %88 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %90 = "stablehlo.power"(%89, %87) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %91 = "stablehlo.convert"(%75) : (tensor<8x1xi32>) -> tensor<8x1xf32>
    %92 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %93 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %94 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %95 = "stablehlo.multiply"(%93, %94) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %96 = "stablehlo.cosine"(%95) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %97 = "stablehlo.concatenate"(%96, %96) <{dimension = 1 : i64}> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x8xf32>) -> tensor<8x1x8xf32>
    %99 = "stablehlo.sine"(%95) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %100 = "stablehlo.concatenate"(%99, %99) <{dimension = 1 : i64}> : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x8xf32>) -> tensor<8x1x8xf32>
    %102 = "stablehlo.slice"(%73) <{limit_indices = array<i64: 2, 8, 1, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x4xf32>
    %103 = "stablehlo.slice"(%73) <{limit_indices = array<i64: 2, 8, 1, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x4xf32>
    %104 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x8xf32>) -> tensor<2x8x1x8xf32>
    %106 = "stablehlo.multiply"(%73, %105) : (tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) -> tensor<2x8x1x8xf32>
    %107 = "stablehlo.negate"(%103) : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4xf32>
    %108 = "stablehlo.concatenate"(%107, %102) <{dimension = 3 : i64}> : (tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>) -> tensor<2x8x1x8xf32>
    %109 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<8x1x8xf32>) -> tensor<1x8x1x8xf32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x8x1x8xf32>) -> tensor<2x8x1x8xf32>
    %111 = "stablehlo.multiply"(%108, %110) : (tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) -> tensor<2x8x1x8xf32>
    %112 = "stablehlo.add"(%106, %111) : (tensor<2x8x1x8xf32>, tensor<2x8x1x8xf32>) -> tensor<2x8x1x8xf32>
    %113 = "stablehlo.dot_general"(%30, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x8xf32>) -> tensor<2x8x8xf32>
    %114 = "stablehlo.reshape"(%113) : (tensor<2x8x8xf32>) -> tensor<2x8x1x8xf32>
    %115 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x2x8xf32>
    %116 = "stablehlo.reshape"(%115) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %117 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<2x8x1x8xf32>) -> tensor<2x8x1x2x8xf32>
    %118 = "stablehlo.reshape"(%117) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %119 = "stablehlo.dot_general"(%71, %116) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %120 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %122 = "stablehlo.multiply"(%119, %121) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %123 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32>
    %125 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32>
    %127 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %128 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %129 = "stablehlo.compare"(%127, %128) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %130 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %131 = "func.call"(%129, %122, %130) <{callee = @_where}> : (tensor<8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %132 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.reduce"(%131, %132) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %180 = "stablehlo.maximum"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%180) : (tensor<f32>) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %134 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8xf32>
    %136 = "stablehlo.maximum"(%135, %133) : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
    %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %139 = "stablehlo.subtract"(%131, %138) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %140 = "stablehlo.exponential"(%139) : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %141 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %142 = "stablehlo.reduce"(%140, %141) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %179 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%179) : (tensor<f32>) -> ()
    }) : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %145 = "stablehlo.divide"(%140, %144) : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %146 = "stablehlo.dot_general"(%118, %145) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %147 = "stablehlo.transpose"(%146) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %148 = "stablehlo.reshape"(%147) : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %149 = "stablehlo.dot_general"(%148, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %150 = "stablehlo.add"(%arg7, %149) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %151 = "stablehlo.multiply"(%150, %150) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %152 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %153 = "stablehlo.reduce"(%151, %152) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %178 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%178) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %154 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %155 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %157 = "stablehlo.divide"(%154, %156) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %158 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %160 = "stablehlo.add"(%157, %159) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %161 = "stablehlo.rsqrt"(%160) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %162 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %163 = "stablehlo.multiply"(%150, %162) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %164 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %165 = "stablehlo.broadcast_in_dim"(%164) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %166 = "stablehlo.multiply"(%163, %165) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %167 = "stablehlo.dot_general"(%166, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %168 = "func.call"(%167) <{callee = @silu}> : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %169 = "stablehlo.dot_general"(%166, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %170 = "stablehlo.multiply"(%168, %169) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %171 = "stablehlo.dot_general"(%170, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %172 = "stablehlo.add"(%150, %171) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %173 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %174 = "stablehlo.reduce"(%150, %173) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %177 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%177) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<f32>
    %175 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %176 = "stablehlo.divide"(%174, %175) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%172, %176) : (tensor<2x8x16xf32>, tensor<f32>) -> ()
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
