"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "x"}, {te.input = "y"}, {te.input = "ids"}], function_type = (tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<2x5xi32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x9xf32>, tensor<3x9xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<4xf32>, tensor<4xf32>), res_attrs = [{te.output = "barrier_im"}, {te.output = "barrier_re"}, {te.output = "branch_im"}, {te.output = "branch_re"}, {te.output = "called_im"}, {te.output = "called_re"}, {te.output = "chosen_im"}, {te.output = "chosen_re"}, {te.output = "constants_im"}, {te.output = "constants_re"}, {te.output = "einsum_im"}, {te.output = "einsum_re"}, {te.output = "exponentials_im"}, {te.output = "exponentials_re"}, {te.output = "joined_im"}, {te.output = "joined_re"}, {te.output = "loop_im"}, {te.output = "loop_re"}, {te.output = "matrix_im"}, {te.output = "matrix_re"}, {te.output = "negative_im"}, {te.output = "negative_re"}, {te.output = "products_im"}, {te.output = "products_re"}, {te.output = "quotients_im"}, {te.output = "quotients_re"}, {te.output = "rows_im"}, {te.output = "rows_re"}, {te.output = "scan_im"}, {te.output = "scan_re"}, {te.output = "shapes_im"}, {te.output = "shapes_re"}, {te.output = "sums_im"}, {te.output = "sums_re"}, {te.output = "total_im"}, {te.output = "total_re"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg30: tensor<3x4x6xf32>, %arg31: tensor<3x4x6xf32>, %arg32: tensor<4x6xf32>, %arg33: tensor<2x5xi32>):
    %80 = "stablehlo.constant"() <{value = dense<[[(1.000000e+00,0.000000e+00), (0.540302277,0.841470957), (-0.416146845,0.909297406), (-0.989992499,1.411200e-01), (-0.653643608,-0.756802499), (0.2836622,-0.958924293)], [(0.960170269,-0.279415488), (0.753902256,0.656986594), (-0.145500034,0.989358246), (-0.911130249,0.412118495), (-0.839071512,-0.54402113), (0.00442569796,-0.999990224)], [(0.84385395,-0.536572933), (0.907446801,0.420167029), (0.136737213,0.99060738), (-0.7596879,0.650287867), (-0.957659482,-0.287903309), (-0.275163352,-0.961397469)], [(0.660316706,-0.750987231), (0.988704621,0.149877205), (0.408082068,0.91294527), (-0.547729254,0.836655616), (-0.999960839,-0.00885130931), (-0.53283304,-0.846220433)]]> : tensor<4x6xcomplex<f32>>}> : () -> tensor<4x6xcomplex<f32>>
    %81 = "stablehlo.complex"(%arg31, %arg30) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xcomplex<f32>>
    %82 = "stablehlo.convert"(%arg32) : (tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %83 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %85 = "stablehlo.multiply"(%84, %82) : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %86 = "stablehlo.exponential"(%85) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %89 = "stablehlo.add"(%81, %88) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %90 = "stablehlo.convert"(%arg31) : (tensor<3x4x6xf32>) -> tensor<3x4x6xcomplex<f32>>
    %91 = "stablehlo.constant"() <{value = dense<(0.000000e+00,2.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %93 = "stablehlo.multiply"(%92, %90) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %94 = "stablehlo.subtract"(%89, %93) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %95 = "stablehlo.constant"() <{value = dense<(1.000000e+00,-3.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %97 = "stablehlo.add"(%94, %96) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %98 = "stablehlo.real"(%97) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %99 = "stablehlo.imag"(%97) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %100 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %102 = "stablehlo.multiply"(%81, %101) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %103 = "stablehlo.constant"() <{value = dense<(5.000000e-01,2.500000e-01)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %105 = "stablehlo.multiply"(%102, %104) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %106 = "stablehlo.real"(%105) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %107 = "stablehlo.imag"(%105) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %108 = "stablehlo.negate"(%81) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %109 = "stablehlo.real"(%86) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %110 = "stablehlo.imag"(%86) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %111 = "stablehlo.negate"(%110) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %112 = "stablehlo.complex"(%109, %111) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %115 = "stablehlo.multiply"(%108, %114) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %116 = "stablehlo.real"(%115) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %117 = "stablehlo.imag"(%115) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %118 = "stablehlo.multiply"(%arg31, %arg31) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %119 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %121 = "stablehlo.add"(%118, %120) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %122 = "stablehlo.convert"(%121) : (tensor<3x4x6xf32>) -> tensor<3x4x6xcomplex<f32>>
    %123 = "stablehlo.divide"(%81, %122) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %124 = "stablehlo.constant"() <{value = dense<(3.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %125 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %126 = "stablehlo.divide"(%123, %125) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %127 = "stablehlo.real"(%126) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %128 = "stablehlo.imag"(%126) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %129 = "stablehlo.exponential"(%81) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %130 = "stablehlo.convert"(%arg32) : (tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>>
    %131 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %133 = "stablehlo.multiply"(%132, %130) : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %134 = "stablehlo.exponential"(%133) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %136 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %137 = "stablehlo.add"(%129, %136) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %138 = "stablehlo.real"(%137) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %139 = "stablehlo.imag"(%137) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %140 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %142 = "stablehlo.multiply"(%81, %141) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %143 = "stablehlo.dot_general"(%142, %81) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
    %144 = "stablehlo.real"(%143) : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %145 = "stablehlo.imag"(%143) : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
    %146 = "stablehlo.slice"(%81) <{limit_indices = array<i64: 1, 4, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %147 = "stablehlo.reshape"(%146) : (tensor<1x4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %148 = "stablehlo.transpose"(%86) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %149 = "stablehlo.dot_general"(%147, %148) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x6xcomplex<f32>>, tensor<6x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %150 = "stablehlo.slice"(%81) <{limit_indices = array<i64: 1, 4, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %151 = "stablehlo.reshape"(%150) : (tensor<1x4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %152 = "stablehlo.transpose"(%arg32) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %153 = "stablehlo.convert"(%151) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %154 = "stablehlo.convert"(%152) : (tensor<6x4xf32>) -> tensor<6x4xcomplex<f32>>
    %155 = "stablehlo.dot_general"(%153, %154) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x6xcomplex<f32>>, tensor<6x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %156 = "stablehlo.add"(%149, %155) : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %157 = "stablehlo.real"(%156) : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %158 = "stablehlo.imag"(%156) : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %159 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %160 = "stablehlo.reduce"(%81, %159) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%arg52: tensor<complex<f32>>, %arg53: tensor<complex<f32>>):
      %236 = "stablehlo.add"(%arg52, %arg53) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%236) : (tensor<complex<f32>>) -> ()
    }) : (tensor<3x4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
    %161 = "stablehlo.real"(%160) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %162 = "stablehlo.imag"(%160) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %163 = "func.call"(%86, %arg33) <{callee = @_take}> : (tensor<4x6xcomplex<f32>>, tensor<2x5xi32>) -> tensor<2x5x6xcomplex<f32>>
    %164 = "stablehlo.real"(%163) : (tensor<2x5x6xcomplex<f32>>) -> tensor<2x5x6xf32>
    %165 = "stablehlo.imag"(%163) : (tensor<2x5x6xcomplex<f32>>) -> tensor<2x5x6xf32>
    %166 = "stablehlo.transpose"(%81) <{permutation = array<i64: 2, 1, 0>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<6x4x3xcomplex<f32>>
    %167 = "func.call"(%166) <{callee = @_flip}> : (tensor<6x4x3xcomplex<f32>>) -> tensor<6x4x3xcomplex<f32>>
    %168 = "stablehlo.reshape"(%167) : (tensor<6x4x3xcomplex<f32>>) -> tensor<4x18xcomplex<f32>>
    %169 = "stablehlo.slice"(%168) <{limit_indices = array<i64: 4, 18>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<4x18xcomplex<f32>>) -> tensor<3x9xcomplex<f32>>
    %170 = "stablehlo.real"(%169) : (tensor<3x9xcomplex<f32>>) -> tensor<3x9xf32>
    %171 = "stablehlo.imag"(%169) : (tensor<3x9xcomplex<f32>>) -> tensor<3x9xf32>
    %172 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %173 = "stablehlo.slice"(%81) <{limit_indices = array<i64: 1, 4, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %174 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %175 = "stablehlo.broadcast_in_dim"(%174) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %176 = "stablehlo.multiply"(%175, %173) : (tensor<1x4x6xcomplex<f32>>, tensor<1x4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %177 = "stablehlo.add"(%172, %176) : (tensor<1x4x6xcomplex<f32>>, tensor<1x4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %178 = "stablehlo.slice"(%81) <{limit_indices = array<i64: 1, 4, 6>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<1x3x6xcomplex<f32>>
    %179 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %180 = "func.call"(%178, %179) <{callee = @_pad}> : (tensor<1x3x6xcomplex<f32>>, tensor<i32>) -> tensor<1x4x6xcomplex<f32>>
    %181 = "stablehlo.concatenate"(%81, %177, %180) <{dimension = 0 : i64}> : (tensor<3x4x6xcomplex<f32>>, tensor<1x4x6xcomplex<f32>>, tensor<1x4x6xcomplex<f32>>) -> tensor<5x4x6xcomplex<f32>>
    %182 = "stablehlo.real"(%181) : (tensor<5x4x6xcomplex<f32>>) -> tensor<5x4x6xf32>
    %183 = "stablehlo.imag"(%181) : (tensor<5x4x6xcomplex<f32>>) -> tensor<5x4x6xf32>
    %184 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %186 = "stablehlo.compare"(%arg31, %185) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %187 = "func.call"(%186, %81, %86) <{callee = @_where_0}> : (tensor<3x4x6xi1>, tensor<3x4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %188 = "stablehlo.real"(%187) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %189 = "stablehlo.imag"(%187) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %190 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %192 = "stablehlo.multiply"(%81, %191) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %193 = "stablehlo.real"(%192) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %194 = "stablehlo.imag"(%192) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %195 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %196:3 = "func.call"(%81, %195) <{callee = @turn}> : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> (tensor<3x4x6xcomplex<f32>>, tensor<f32>, tensor<3x4x6xcomplex<f32>>)
    %197 = "stablehlo.convert"(%196#1) : (tensor<f32>) -> tensor<complex<f32>>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %199 = "stablehlo.multiply"(%198, %196#2) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %200 = "stablehlo.add"(%196#0, %199) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %201 = "stablehlo.real"(%200) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %202 = "stablehlo.imag"(%200) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %203 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %204 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %205:5 = "stablehlo.while"(%86, %81, %204, %203, %86) ({
    ^bb0(%arg47: tensor<4x6xcomplex<f32>>, %arg48: tensor<3x4x6xcomplex<f32>>, %arg49: tensor<i32>, %arg50: tensor<i32>, %arg51: tensor<4x6xcomplex<f32>>):
      %234 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %235 = "stablehlo.compare"(%arg49, %234) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%235) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg42: tensor<4x6xcomplex<f32>>, %arg43: tensor<3x4x6xcomplex<f32>>, %arg44: tensor<i32>, %arg45: tensor<i32>, %arg46: tensor<4x6xcomplex<f32>>):
      %231:2 = "func.call"(%arg42, %arg43, %arg45, %arg46) <{callee = @closed_call}> : (tensor<4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<4x6xcomplex<f32>>) -> (tensor<i32>, tensor<4x6xcomplex<f32>>)
      %232 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %233 = "stablehlo.add"(%arg44, %232) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg42, %arg43, %233, %231#0, %231#1) : (tensor<4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<4x6xcomplex<f32>>) -> ()
    }) : (tensor<4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<4x6xcomplex<f32>>) -> (tensor<4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<4x6xcomplex<f32>>)
    %206 = "stablehlo.real"(%205#4) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %207 = "stablehlo.imag"(%205#4) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %208 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %209 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %211 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %212:4 = "stablehlo.while"(%81, %211, %208, %210) ({
    ^bb0(%arg38: tensor<3x4x6xcomplex<f32>>, %arg39: tensor<i32>, %arg40: tensor<complex<f32>>, %arg41: tensor<3x4x6xcomplex<f32>>):
      %229 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %230 = "stablehlo.compare"(%arg39, %229) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%230) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg34: tensor<3x4x6xcomplex<f32>>, %arg35: tensor<i32>, %arg36: tensor<complex<f32>>, %arg37: tensor<3x4x6xcomplex<f32>>):
      %224 = "func.call"(%arg34, %arg35) <{callee = @dynamic_index_in_dim}> : (tensor<3x4x6xcomplex<f32>>, tensor<i32>) -> tensor<4x6xcomplex<f32>>
      %225:2 = "func.call"(%arg36, %224) <{callee = @closed_call_1}> : (tensor<complex<f32>>, tensor<4x6xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<4x6xcomplex<f32>>)
      %226 = "func.call"(%arg37, %225#1, %arg35) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<i32>) -> tensor<3x4x6xcomplex<f32>>
      %227 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %228 = "stablehlo.add"(%arg35, %227) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg34, %228, %225#0, %226) : (tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<complex<f32>>, tensor<3x4x6xcomplex<f32>>) -> ()
    }) : (tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<complex<f32>>, tensor<3x4x6xcomplex<f32>>) -> (tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<complex<f32>>, tensor<3x4x6xcomplex<f32>>)
    %213 = "stablehlo.real"(%212#3) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %214 = "stablehlo.imag"(%212#3) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %215 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %216 = "stablehlo.case"(%215) ({
      %223 = "stablehlo.negate"(%86) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
      "stablehlo.return"(%223) : (tensor<4x6xcomplex<f32>>) -> ()
    }, {
      %222 = "stablehlo.multiply"(%86, %86) : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
      "stablehlo.return"(%222) : (tensor<4x6xcomplex<f32>>) -> ()
    }) : (tensor<i32>) -> tensor<4x6xcomplex<f32>>
    %217 = "stablehlo.real"(%216) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %218 = "stablehlo.imag"(%216) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %219:2 = "stablehlo.optimization_barrier"(%86, %arg32) : (tensor<4x6xcomplex<f32>>, tensor<4x6xf32>) -> (tensor<4x6xcomplex<f32>>, tensor<4x6xf32>)
    %220 = "stablehlo.real"(%219#0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    %221 = "stablehlo.imag"(%219#0) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
    "func.return"(%221, %220, %218, %217, %202, %201, %189, %188, %194, %193, %145, %144, %139, %138, %183, %182, %207, %206, %158, %157, %117, %116, %107, %106, %128, %127, %165, %164, %214, %213, %171, %170, %99, %98, %162, %161) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x9xf32>, tensor<3x9xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xcomplex<f32>>, tensor<2x5xi32>) -> tensor<2x5x6xcomplex<f32>>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<4x6xcomplex<f32>>, %arg27: tensor<2x5xi32>):
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %58 = "stablehlo.compare"(%arg27, %57) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %59 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %61 = "stablehlo.add"(%arg27, %60) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %62 = "func.call"(%58, %61, %arg27) <{callee = @_where}> : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %64 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5x1xi32>
    %67 = "stablehlo.compare"(%63, %66) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %68 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %70 = "stablehlo.compare"(%63, %69) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %71 = "stablehlo.and"(%67, %70) : (tensor<2x5x1xi1>, tensor<2x5x1xi1>) -> tensor<2x5x1xi1>
    %72 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %73 = "stablehlo.reduce"(%71, %72) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg28: tensor<i1>, %arg29: tensor<i1>):
      %79 = "stablehlo.and"(%arg28, %arg29) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%79) : (tensor<i1>) -> ()
    }) : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %74 = "stablehlo.gather"(%arg26, %63) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xcomplex<f32>>, tensor<2x5x1xi32>) -> tensor<2x5x6xcomplex<f32>>
    %75 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi1>) -> tensor<2x5x6xi1>
    %76 = "stablehlo.constant"() <{value = dense<(0x7FC00000,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x5x6xcomplex<f32>>
    %78 = "stablehlo.select"(%75, %74, %77) : (tensor<2x5x6xi1>, tensor<2x5x6xcomplex<f32>>, tensor<2x5x6xcomplex<f32>>) -> tensor<2x5x6xcomplex<f32>>
    "func.return"(%78) : (tensor<2x5x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<2x5xi1>, %arg24: tensor<2x5xi32>, %arg25: tensor<2x5xi32>):
    %55 = "stablehlo.select"(%arg23, %arg24, %arg25) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    "func.return"(%55) : (tensor<2x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x4x3xcomplex<f32>>) -> tensor<6x4x3xcomplex<f32>>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<6x4x3xcomplex<f32>>):
    %54 = "stablehlo.reverse"(%arg22) <{dimensions = array<i64: 1>}> : (tensor<6x4x3xcomplex<f32>>) -> tensor<6x4x3xcomplex<f32>>
    "func.return"(%54) : (tensor<6x4x3xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x3x6xcomplex<f32>>, tensor<i32>) -> tensor<1x4x6xcomplex<f32>>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<1x3x6xcomplex<f32>>, %arg21: tensor<i32>):
    %52 = "stablehlo.convert"(%arg21) : (tensor<i32>) -> tensor<complex<f32>>
    %53 = "stablehlo.pad"(%arg20, %52) <{edge_padding_high = array<i64: 0, 1, 0>, edge_padding_low = array<i64: 0, 0, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<1x3x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    "func.return"(%53) : (tensor<1x4x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xi1>, tensor<3x4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<3x4x6xi1>, %arg18: tensor<3x4x6xcomplex<f32>>, %arg19: tensor<4x6xcomplex<f32>>):
    %50 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %51 = "stablehlo.select"(%arg17, %arg18, %50) : (tensor<3x4x6xi1>, tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    "func.return"(%51) : (tensor<3x4x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> (tensor<3x4x6xcomplex<f32>>, tensor<f32>, tensor<3x4x6xcomplex<f32>>), res_attrs = [{}, {}, {}], sym_name = "turn", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<3x4x6xcomplex<f32>>, %arg14: tensor<3x4x6xcomplex<f32>>):
    %44 = "stablehlo.multiply"(%arg13, %arg14) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %45 = "stablehlo.real"(%arg13) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xf32>
    %46 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.reduce"(%45, %46) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %49 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<f32>
    %48 = "stablehlo.subtract"(%arg13, %arg14) : (tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    "func.return"(%44, %47, %48) : (tensor<3x4x6xcomplex<f32>>, tensor<f32>, tensor<3x4x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<4x6xcomplex<f32>>) -> (tensor<i32>, tensor<4x6xcomplex<f32>>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<4x6xcomplex<f32>>, %arg10: tensor<3x4x6xcomplex<f32>>, %arg11: tensor<i32>, %arg12: tensor<4x6xcomplex<f32>>):
    %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.add"(%arg11, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.multiply"(%arg12, %arg9) : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %19 = "stablehlo.convert"(%arg11) : (tensor<i32>) -> tensor<i32>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %22 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.add"(%19, %22) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %24 = "stablehlo.select"(%21, %23, %19) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.compare"(%25, %26) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.select"(%27, %30, %31) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.add"(%36, %37) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.select"(%35, %38, %39) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %41 = "stablehlo.dynamic_slice"(%arg10, %24, %32, %40) <{slice_sizes = array<i64: 1, 4, 6>}> : (tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xcomplex<f32>>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    %43 = "stablehlo.add"(%18, %42) : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    "func.return"(%17, %43) : (tensor<i32>, tensor<4x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xcomplex<f32>>, tensor<i32>) -> tensor<4x6xcomplex<f32>>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<3x4x6xcomplex<f32>>, %arg8: tensor<i32>):
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.dynamic_slice"(%arg7, %arg8, %12, %13) <{slice_sizes = array<i64: 1, 4, 6>}> : (tensor<3x4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xcomplex<f32>>
    %15 = "stablehlo.reshape"(%14) : (tensor<1x4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    "func.return"(%15) : (tensor<4x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<complex<f32>>, tensor<4x6xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<4x6xcomplex<f32>>), res_attrs = [{}, {}], sym_name = "closed_call_1", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<complex<f32>>, %arg4: tensor<4x6xcomplex<f32>>):
    %4 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %5 = "stablehlo.reduce"(%arg4, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg5: tensor<complex<f32>>, %arg6: tensor<complex<f32>>):
      %11 = "stablehlo.add"(%arg5, %arg6) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%11) : (tensor<complex<f32>>) -> ()
    }) : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %6 = "stablehlo.convert"(%arg3) : (tensor<complex<f32>>) -> tensor<complex<f32>>
    %7 = "stablehlo.add"(%6, %5) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    %8 = "stablehlo.convert"(%arg3) : (tensor<complex<f32>>) -> tensor<complex<f32>>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
    %10 = "stablehlo.multiply"(%9, %arg4) : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
    "func.return"(%7, %10) : (tensor<complex<f32>>, tensor<4x6xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<i32>) -> tensor<3x4x6xcomplex<f32>>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x4x6xcomplex<f32>>, %arg1: tensor<4x6xcomplex<f32>>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xcomplex<f32>>) -> tensor<1x4x6xcomplex<f32>>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<3x4x6xcomplex<f32>>, tensor<1x4x6xcomplex<f32>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x6xcomplex<f32>>
    "func.return"(%3) : (tensor<3x4x6xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
