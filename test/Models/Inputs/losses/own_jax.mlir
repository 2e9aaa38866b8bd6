"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "beta"}, {te.param = "down"}, {te.param = "gamma"}, {te.param = "head"}, {te.param = "out"}, {te.param = "qkv"}, {te.param = "tokens"}, {te.param = "up"}, {te.input = "ids"}, {te.input = "positions"}, {te.input = "labels"}], function_type = (tensor<16xf32>, tensor<24x16xf32>, tensor<16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<16x48xf32>, tensor<32x16xf32>, tensor<16x24xf32>, tensor<2x8xi32>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<f32>, res_attrs = [{te.output = "loss"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<16xf32>, %arg20: tensor<24x16xf32>, %arg21: tensor<16xf32>, %arg22: tensor<16x32xf32>, %arg23: tensor<16x16xf32>, %arg24: tensor<16x48xf32>, %arg25: tensor<32x16xf32>, %arg26: tensor<16x24xf32>, %arg27: tensor<2x8xi32>, %arg28: tensor<2x8xi32>, %arg29: tensor<2x8xi32>):
    %60 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %62 = "stablehlo.compare"(%arg27, %61) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %63 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %65 = "stablehlo.add"(%arg27, %64) : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %66 = "stablehlo.select"(%62, %65, %arg27) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %68 = "stablehlo.gather"(%arg25, %67) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<2x8x1xi32>) -> tensor<2x8x16xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.reduce"(%68, %69) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg40: tensor<f32>, %arg41: tensor<f32>):
      %258 = "stablehlo.add"(%arg40, %arg41) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%258) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %72 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %74 = "stablehlo.divide"(%71, %73) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %75 = "stablehlo.multiply"(%68, %68) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %76 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.reduce"(%75, %76) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %257 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%257) : (tensor<f32>) -> ()
    }) : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %79 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %81 = "stablehlo.divide"(%78, %80) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %82 = "stablehlo.multiply"(%74, %74) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %83 = "stablehlo.subtract"(%81, %82) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %84 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %85 = "stablehlo.subtract"(%68, %84) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %86 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %88 = "stablehlo.add"(%83, %87) : (tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %89 = "stablehlo.rsqrt"(%88) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %91 = "stablehlo.multiply"(%85, %90) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %92 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %94 = "stablehlo.multiply"(%91, %93) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %95 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 2>}> : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %97 = "stablehlo.add"(%94, %96) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %98 = "stablehlo.dot_general"(%97, %arg24) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x48xf32>) -> tensor<2x8x48xf32>
    %99 = "stablehlo.reshape"(%98) : (tensor<2x8x48xf32>) -> tensor<2x8x3x2x8xf32>
    %100 = "stablehlo.slice"(%99) <{limit_indices = array<i64: 2, 8, 1, 2, 8>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x3x2x8xf32>) -> tensor<2x8x1x2x8xf32>
    %101 = "stablehlo.reshape"(%100) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %102 = "stablehlo.slice"(%99) <{limit_indices = array<i64: 2, 8, 2, 2, 8>, start_indices = array<i64: 0, 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x3x2x8xf32>) -> tensor<2x8x1x2x8xf32>
    %103 = "stablehlo.reshape"(%102) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %104 = "stablehlo.slice"(%99) <{limit_indices = array<i64: 2, 8, 3, 2, 8>, start_indices = array<i64: 0, 0, 2, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x8x3x2x8xf32>) -> tensor<2x8x1x2x8xf32>
    %105 = "stablehlo.reshape"(%104) : (tensor<2x8x1x2x8xf32>) -> tensor<2x8x2x8xf32>
    %106 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %107 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %109 = "stablehlo.multiply"(%108, %106) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %110 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %112 = "stablehlo.add"(%111, %109) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %113 = "stablehlo.negate"(%112) : (tensor<4xi32>) -> tensor<4xi32>
    %114 = "stablehlo.convert"(%113) : (tensor<4xi32>) -> tensor<4xf32>
    %115 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %117 = "stablehlo.divide"(%114, %116) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %118 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %120 = "stablehlo.power"(%119, %117) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %121 = "stablehlo.broadcast_in_dim"(%arg28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %122 = "stablehlo.convert"(%121) : (tensor<2x8x1xi32>) -> tensor<2x8x1xf32>
    %123 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 2>}> : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %124 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x4xf32>
    %125 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xf32>) -> tensor<2x8x4xf32>
    %126 = "stablehlo.multiply"(%124, %125) : (tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x4xf32>) -> tensor<2x8x1x4xf32>
    %128 = "stablehlo.cosine"(%127) : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4xf32>
    %129 = "stablehlo.sine"(%127) : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4xf32>
    %130 = "stablehlo.slice"(%101) <{limit_indices = array<i64: 2, 8, 2, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4xf32>
    %131 = "stablehlo.slice"(%101) <{limit_indices = array<i64: 2, 8, 2, 8>, start_indices = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4xf32>
    %132 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %133 = "stablehlo.multiply"(%130, %132) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %134 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %135 = "stablehlo.multiply"(%131, %134) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %136 = "stablehlo.subtract"(%133, %135) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %137 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %138 = "stablehlo.multiply"(%131, %137) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %139 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %140 = "stablehlo.multiply"(%130, %139) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %141 = "stablehlo.add"(%138, %140) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %142 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4x1xf32>
    %143 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4x1xf32>
    %144 = "stablehlo.concatenate"(%142, %143) <{dimension = 4 : i64}> : (tensor<2x8x2x4x1xf32>, tensor<2x8x2x4x1xf32>) -> tensor<2x8x2x4x2xf32>
    %145 = "stablehlo.reshape"(%144) : (tensor<2x8x2x4x2xf32>) -> tensor<2x8x2x8xf32>
    %146 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %147 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %148 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %149 = "stablehlo.multiply"(%148, %146) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %150 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %151 = "stablehlo.broadcast_in_dim"(%150) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %152 = "stablehlo.add"(%151, %149) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %153 = "stablehlo.negate"(%152) : (tensor<4xi32>) -> tensor<4xi32>
    %154 = "stablehlo.convert"(%153) : (tensor<4xi32>) -> tensor<4xf32>
    %155 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %157 = "stablehlo.divide"(%154, %156) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %158 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %160 = "stablehlo.power"(%159, %157) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %161 = "stablehlo.broadcast_in_dim"(%arg28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %162 = "stablehlo.convert"(%161) : (tensor<2x8x1xi32>) -> tensor<2x8x1xf32>
    %163 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64: 2>}> : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %164 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x4xf32>
    %165 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x4xf32>) -> tensor<2x8x4xf32>
    %166 = "stablehlo.multiply"(%164, %165) : (tensor<2x8x4xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x4xf32>) -> tensor<2x8x1x4xf32>
    %168 = "stablehlo.cosine"(%167) : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4xf32>
    %169 = "stablehlo.sine"(%167) : (tensor<2x8x1x4xf32>) -> tensor<2x8x1x4xf32>
    %170 = "stablehlo.slice"(%103) <{limit_indices = array<i64: 2, 8, 2, 8>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4xf32>
    %171 = "stablehlo.slice"(%103) <{limit_indices = array<i64: 2, 8, 2, 8>, start_indices = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 2>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x4xf32>
    %172 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %173 = "stablehlo.multiply"(%170, %172) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %174 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %175 = "stablehlo.multiply"(%171, %174) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %176 = "stablehlo.subtract"(%173, %175) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %177 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %178 = "stablehlo.multiply"(%171, %177) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %179 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x1x4xf32>) -> tensor<2x8x2x4xf32>
    %180 = "stablehlo.multiply"(%170, %179) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %181 = "stablehlo.add"(%178, %180) : (tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> tensor<2x8x2x4xf32>
    %182 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4x1xf32>
    %183 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x2x4xf32>) -> tensor<2x8x2x4x1xf32>
    %184 = "stablehlo.concatenate"(%182, %183) <{dimension = 4 : i64}> : (tensor<2x8x2x4x1xf32>, tensor<2x8x2x4x1xf32>) -> tensor<2x8x2x4x2xf32>
    %185 = "stablehlo.reshape"(%184) : (tensor<2x8x2x4x2xf32>) -> tensor<2x8x2x8xf32>
    %186 = "stablehlo.reshape"(%145) : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x1x8xf32>
    %187 = "stablehlo.dot_general"(%186, %185) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [4], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x1x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x1x8xf32>
    %188 = "stablehlo.constant"() <{value = dense<0.353553385> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x1x8xf32>
    %190 = "stablehlo.multiply"(%187, %189) : (tensor<2x2x8x1x8xf32>, tensor<2x2x8x1x8xf32>) -> tensor<2x2x8x1x8xf32>
    %191 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x2x8x8xi1>
    %193 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8x8xi1>
    %195 = "func.call"(%194) <{callee = @tril}> : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %196 = "stablehlo.broadcast_in_dim"(%195) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %197 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x8x8xi1>) -> tensor<2x2x8x8xi1>
    %198 = "stablehlo.and"(%192, %197) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xi1>) -> tensor<2x2x8x8xi1>
    %199 = "stablehlo.constant"() <{value = dense<-2.38197633E+38> : tensor<f32>}> : () -> tensor<f32>
    %200 = "func.call"(%198, %190, %199) <{callee = @_where}> : (tensor<2x2x8x8xi1>, tensor<2x2x8x1x8xf32>, tensor<f32>) -> tensor<1x2x2x8x8xf32>
    %201 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.reduce"(%200, %201) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %256 = "stablehlo.maximum"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%256) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x8x8xf32>, tensor<f32>) -> tensor<1x2x2x8xf32>
    %203 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %204 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %205 = "stablehlo.maximum"(%204, %202) : (tensor<1x2x2x8xf32>, tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8x1xf32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x8x1xf32>) -> tensor<1x2x2x8x8xf32>
    %208 = "stablehlo.subtract"(%200, %207) : (tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %209 = "stablehlo.exponential"(%208) : (tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %210 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %211 = "stablehlo.reduce"(%209, %210) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %255 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%255) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x8x8xf32>, tensor<f32>) -> tensor<1x2x2x8xf32>
    %212 = "stablehlo.broadcast_in_dim"(%211) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8x1xf32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<1x2x2x8x1xf32>) -> tensor<1x2x2x8x8xf32>
    %214 = "stablehlo.divide"(%209, %213) : (tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %215 = "stablehlo.dot_general"(%105, %214) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [1, 2], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x2x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<2x2x8x1x8xf32>
    %216 = "stablehlo.transpose"(%215) <{permutation = array<i64: 3, 0, 4, 1, 2>}> : (tensor<2x2x8x1x8xf32>) -> tensor<1x2x8x2x8xf32>
    %217 = "stablehlo.transpose"(%216) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<1x2x8x2x8xf32>) -> tensor<2x8x2x1x8xf32>
    %218 = "stablehlo.reshape"(%217) : (tensor<2x8x2x1x8xf32>) -> tensor<2x8x2x8xf32>
    %219 = "stablehlo.reshape"(%218) : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %220 = "stablehlo.dot_general"(%219, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %221 = "stablehlo.add"(%68, %220) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %222 = "stablehlo.dot_general"(%221, %arg26) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x24xf32>) -> tensor<2x8x24xf32>
    %223 = "stablehlo.negate"(%222) : (tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %224 = "stablehlo.exponential"(%223) : (tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %225 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x24xf32>
    %227 = "stablehlo.add"(%226, %224) : (tensor<2x8x24xf32>, tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %228 = "stablehlo.divide"(%222, %227) : (tensor<2x8x24xf32>, tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
    %229 = "stablehlo.dot_general"(%228, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x24xf32>, tensor<24x16xf32>) -> tensor<2x8x16xf32>
    %230 = "stablehlo.add"(%221, %229) : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %231 = "stablehlo.dot_general"(%230, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x16xf32>, tensor<16x32xf32>) -> tensor<2x8x32xf32>
    %232 = "func.call"(%231) <{callee = @log_softmax}> : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %233 = "stablehlo.constant"() <{value = dense<-100> : tensor<i32>}> : () -> tensor<i32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %235 = "stablehlo.compare"(%arg29, %234) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %236 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %237 = "func.call"(%235, %arg29, %236) <{callee = @_where_0}> : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<i32>) -> tensor<2x8xi32>
    %238 = "stablehlo.broadcast_in_dim"(%237) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %239 = "func.call"(%232, %238) <{callee = @take_along_axis}> : (tensor<2x8x32xf32>, tensor<2x8x1xi32>) -> tensor<2x8x1xf32>
    %240 = "stablehlo.reshape"(%239) : (tensor<2x8x1xf32>) -> tensor<2x8xf32>
    %241 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %242 = "func.call"(%235, %240, %241) <{callee = @_where_1}> : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %243 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %244 = "stablehlo.reduce"(%242, %243) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %254 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%254) : (tensor<f32>) -> ()
    }) : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
    %245 = "stablehlo.negate"(%244) : (tensor<f32>) -> tensor<f32>
    %246 = "stablehlo.convert"(%235) : (tensor<2x8xi1>) -> tensor<2x8xi32>
    %247 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %248 = "stablehlo.reduce"(%246, %247) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg30: tensor<i32>, %arg31: tensor<i32>):
      %253 = "stablehlo.add"(%arg30, %arg31) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%253) : (tensor<i32>) -> ()
    }) : (tensor<2x8xi32>, tensor<i32>) -> tensor<i32>
    %249 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %250 = "stablehlo.maximum"(%248, %249) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %251 = "stablehlo.convert"(%250) : (tensor<i32>) -> tensor<f32>
    %252 = "stablehlo.divide"(%245, %251) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%252) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x8xi1>) -> tensor<8x8xi1>, res_attrs = [{}], sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<8x8xi1>):
    %51 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8x8xi32>
    %52 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x8xi32>
    %54 = "stablehlo.add"(%51, %53) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %55 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<8x8xi32>
    %56 = "stablehlo.compare"(%54, %55) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %57 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8x8xi1>
    %59 = "stablehlo.select"(%56, %arg18, %58) : (tensor<8x8xi1>, tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
    "func.return"(%59) : (tensor<8x8xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x2x8x8xi1>, tensor<2x2x8x1x8xf32>, tensor<f32>) -> tensor<1x2x2x8x8xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<2x2x8x8xi1>, %arg16: tensor<2x2x8x1x8xf32>, %arg17: tensor<f32>):
    %46 = "stablehlo.broadcast_in_dim"(%arg17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %47 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x8x8xi1>) -> tensor<1x2x2x8x8xi1>
    %48 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %49 = "stablehlo.transpose"(%arg16) <{permutation = array<i64: 3, 0, 1, 2, 4>}> : (tensor<2x2x8x1x8xf32>) -> tensor<1x2x2x8x8xf32>
    %50 = "stablehlo.select"(%47, %49, %48) : (tensor<1x2x2x8x8xi1>, tensor<1x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    "func.return"(%50) : (tensor<1x2x2x8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>, res_attrs = [{}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<2x8x32xf32>):
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.reduce"(%arg10, %29) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %45 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %31 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %33 = "stablehlo.maximum"(%32, %30) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %36 = "stablehlo.subtract"(%arg10, %35) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %37 = "stablehlo.exponential"(%36) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.reduce"(%37, %38) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %44 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%44) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32xf32>, tensor<f32>) -> tensor<2x8xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %41 = "stablehlo.log"(%40) : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x1xf32>) -> tensor<2x8x32xf32>
    %43 = "stablehlo.subtract"(%36, %42) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    "func.return"(%43) : (tensor<2x8x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8xi1>, tensor<2x8xi32>, tensor<i32>) -> tensor<2x8xi32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x8xi1>, %arg8: tensor<2x8xi32>, %arg9: tensor<i32>):
    %26 = "stablehlo.convert"(%arg9) : (tensor<i32>) -> tensor<i32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8xi32>
    %28 = "stablehlo.select"(%arg7, %arg8, %27) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi32>
    "func.return"(%28) : (tensor<2x8xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x32xf32>, tensor<2x8x1xi32>) -> tensor<2x8x1xf32>, res_attrs = [{}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2x8x32xf32>, %arg4: tensor<2x8x1xi32>):
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8x1xi32>
    %5 = "stablehlo.compare"(%arg4, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi1>
    %6 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8x1xi32>
    %8 = "stablehlo.add"(%arg4, %7) : (tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi32>
    %9 = "stablehlo.select"(%5, %8, %arg4) : (tensor<2x8x1xi1>, tensor<2x8x1xi32>, tensor<2x8x1xi32>) -> tensor<2x8x1xi32>
    %10 = "stablehlo.reshape"(%9) : (tensor<2x8x1xi32>) -> tensor<2x8x1x1xi32>
    %11 = "stablehlo.constant"() <{value = dense<31> : tensor<1xi32>}> : () -> tensor<1xi32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x8x1x1xi32>
    %14 = "stablehlo.compare"(%10, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %15 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>) -> tensor<2x8x1x1xi32>
    %17 = "stablehlo.compare"(%10, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x8x1x1xi32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1x1xi1>
    %18 = "stablehlo.and"(%14, %17) : (tensor<2x8x1x1xi1>, tensor<2x8x1x1xi1>) -> tensor<2x8x1x1xi1>
    %19 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %20 = "stablehlo.reduce"(%18, %19) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg5: tensor<i1>, %arg6: tensor<i1>):
      %25 = "stablehlo.and"(%arg5, %arg6) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%25) : (tensor<i1>) -> ()
    }) : (tensor<2x8x1x1xi1>, tensor<i1>) -> tensor<2x8x1xi1>
    %21 = "stablehlo.gather"(%arg3, %10) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x8x32xf32>, tensor<2x8x1x1xi32>) -> tensor<2x8x1xf32>
    %22 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x1xf32>
    %24 = "stablehlo.select"(%20, %21, %23) : (tensor<2x8x1xi1>, tensor<2x8x1xf32>, tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    "func.return"(%24) : (tensor<2x8x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8xi1>, tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8xi1>, %arg1: tensor<2x8xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x8xi1>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    "func.return"(%2) : (tensor<2x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
