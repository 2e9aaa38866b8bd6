"builtin.module"() <{sym_name = "jit_flat"}> ({
  "func.func"() <{arg_attrs = [{te.param = "w"}, {te.input = "x"}, {te.input = "y"}, {te.input = "ids"}, {te.input = "picks"}], function_type = (tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<2x5xi32>, tensor<3x4x2xi32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x6xf32>, tensor<3x4x2xf32>, tensor<4xf32>, tensor<3x6xf32>, tensor<3x4xf32>, tensor<4x6xf32>, tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<3x4x6xf32>, tensor<3x2x5x6xf32>, tensor<3x4xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x5xf32>, tensor<3x6xf32>, tensor<3xf32>, tensor<3x6xf32>, tensor<3x4x6xf32>, tensor<2x5xf32>, tensor<3x7x6xf32>, tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<4xf32>, tensor<3x4x2xf32>, tensor<2x5xf32>, tensor<3x3x1x2x2xf32>, tensor<3x7x7xf32>, tensor<2x5x4xf32>, tensor<3x4x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x8x17xf32>, tensor<3x2x3xf32>, tensor<8x18xf32>, tensor<3x4x3xf32>, tensor<3x4x3xf32>, tensor<4x18xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<5x2x3xf32>), res_attrs = [{te.output = "add_dynamic"}, {te.output = "add_rows"}, {te.output = "all"}, {te.output = "along"}, {te.output = "any"}, {te.output = "argmax"}, {te.output = "argmin"}, {te.output = "barrier"}, {te.output = "batched"}, {te.output = "branch"}, {te.output = "clipped"}, {te.output = "columns"}, {te.output = "counts"}, {te.output = "cumsum"}, {te.output = "cumsum_back"}, {te.output = "cut"}, {te.output = "deviation"}, {te.output = "einsum"}, {te.output = "fixed"}, {te.output = "gates"}, {te.output = "integers"}, {te.output = "joined"}, {te.output = "logs"}, {te.output = "loop"}, {te.output = "max"}, {te.output = "mean"}, {te.output = "narrow"}, {te.output = "numbers"}, {te.output = "outer"}, {te.output = "padded"}, {te.output = "points"}, {te.output = "powers"}, {te.output = "rows"}, {te.output = "rows_clipped"}, {te.output = "rows_filled"}, {te.output = "scan"}, {te.output = "set_column"}, {te.output = "set_rows"}, {te.output = "sign"}, {te.output = "softmaxes"}, {te.output = "spread"}, {te.output = "strided"}, {te.output = "tiled"}, {te.output = "top_places"}, {te.output = "top_values"}, {te.output = "turned"}, {te.output = "updated"}, {te.output = "waves"}, {te.output = "where"}, {te.output = "windows"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg96: tensor<3x4x6xf32>, %arg97: tensor<3x4x6xf32>, %arg98: tensor<4x6xf32>, %arg99: tensor<2x5xi32>, %arg100: tensor<3x4x2xi32>):
    %343 = "stablehlo.constant"() <{value = dense<[5, 7, 1, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>
    %344 = "stablehlo.constant"() <{value = dense<[2, 0, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %345 = "stablehlo.constant"() <{value = dense<[2, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %346 = "stablehlo.constant"() <{value = dense<[3, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %347 = "stablehlo.add"(%arg97, %arg96) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %348 = "func.call"(%arg98, %arg99) <{callee = @_take}> : (tensor<4x6xf32>, tensor<2x5xi32>) -> tensor<2x5x6xf32>
    %349 = "func.call"(%347, %arg99) <{callee = @_take_0}> : (tensor<3x4x6xf32>, tensor<2x5xi32>) -> tensor<3x2x5x6xf32>
    %350 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %351 = "stablehlo.broadcast_in_dim"(%350) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %352 = "stablehlo.add"(%arg99, %351) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %353 = "func.call"(%arg98, %352) <{callee = @_take_1}> : (tensor<4x6xf32>, tensor<2x5xi32>) -> tensor<2x5x6xf32>
    %354 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %355 = "stablehlo.broadcast_in_dim"(%354) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %356 = "stablehlo.add"(%arg99, %355) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %357 = "func.call"(%arg98, %356) <{callee = @_take_2}> : (tensor<4x6xf32>, tensor<2x5xi32>) -> tensor<2x5x6xf32>
    %358 = "func.call"(%347, %arg100) <{callee = @take_along_axis}> : (tensor<3x4x6xf32>, tensor<3x4x2xi32>) -> tensor<3x4x2xf32>
    %359 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %360 = "func.call"(%arg99, %359) <{callee = @remainder}> : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>
    %361 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %362 = "stablehlo.broadcast_in_dim"(%361) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %363 = "stablehlo.compare"(%360, %362) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %364 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %365 = "stablehlo.broadcast_in_dim"(%364) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %366 = "stablehlo.add"(%360, %365) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %367 = "stablehlo.select"(%363, %366, %360) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %368 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %369 = "stablehlo.broadcast_in_dim"(%368) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %370 = "stablehlo.compare"(%arg99, %369) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %371 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %372 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %373 = "stablehlo.add"(%arg99, %372) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %374 = "stablehlo.select"(%370, %373, %arg99) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %375 = "stablehlo.broadcast_in_dim"(%367) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %376 = "stablehlo.broadcast_in_dim"(%374) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %377 = "stablehlo.concatenate"(%375, %376) <{dimension = 2 : i64}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x2xi32>
    %378 = "stablehlo.gather"(%347, %377) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4, 1>}> : (tensor<3x4x6xf32>, tensor<2x5x2xi32>) -> tensor<2x5x4xf32>
    %379 = "stablehlo.slice"(%arg99) <{limit_indices = array<i64: 1, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x5xi32>) -> tensor<1x5xi32>
    %380 = "stablehlo.reshape"(%379) : (tensor<1x5xi32>) -> tensor<5xi32>
    %381 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %382 = "func.call"(%380, %381) <{callee = @remainder_4}> : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
    %383 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %384 = "stablehlo.broadcast_in_dim"(%383) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %385 = "stablehlo.compare"(%382, %384) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %386 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %387 = "stablehlo.broadcast_in_dim"(%386) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %388 = "stablehlo.add"(%382, %387) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %389 = "stablehlo.select"(%385, %388, %382) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %390 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %391 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %392 = "stablehlo.compare"(%390, %391) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %393 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %394 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %395 = "stablehlo.add"(%393, %394) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %396 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %397 = "stablehlo.select"(%392, %395, %396) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %398 = "stablehlo.broadcast_in_dim"(%389) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %399 = "stablehlo.broadcast_in_dim"(%397) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x1xi32>
    %400 = "stablehlo.concatenate"(%398, %399) <{dimension = 1 : i64}> : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
    %401 = "stablehlo.gather"(%arg98, %400) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 3>}> : (tensor<4x6xf32>, tensor<5x2xi32>) -> tensor<5x2x3xf32>
    %402 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %403 = "stablehlo.broadcast_in_dim"(%402) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %404 = "stablehlo.compare"(%arg99, %403) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %405 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %406 = "stablehlo.broadcast_in_dim"(%405) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %407 = "stablehlo.add"(%arg99, %406) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %408 = "stablehlo.select"(%404, %407, %arg99) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %409 = "stablehlo.broadcast_in_dim"(%408) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %410 = "stablehlo.gather"(%343, %409) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, tensor<2x5x1xi32>) -> tensor<2x5xi32>
    %411 = "stablehlo.convert"(%410) : (tensor<2x5xi32>) -> tensor<2x5xf32>
    %412 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %413 = "stablehlo.broadcast_in_dim"(%412) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %414 = "stablehlo.compare"(%344, %413) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %415 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %416 = "stablehlo.broadcast_in_dim"(%415) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3xi32>
    %417 = "stablehlo.add"(%344, %416) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %418 = "stablehlo.select"(%414, %417, %344) : (tensor<3xi1>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %419 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %420 = "stablehlo.gather"(%arg98, %419) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
    %421 = "stablehlo.slice"(%347) <{limit_indices = array<i64: 3, 4, 6>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 2>}> : (tensor<3x4x6xf32>) -> tensor<3x2x3xf32>
    %422 = "stablehlo.reverse"(%421) <{dimensions = array<i64: 1>}> : (tensor<3x2x3xf32>) -> tensor<3x2x3xf32>
    %423 = "stablehlo.slice"(%arg98) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %424 = "stablehlo.reshape"(%423) : (tensor<1x6xf32>) -> tensor<6xf32>
    %425 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %426 = "stablehlo.broadcast_in_dim"(%425) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    %427 = "stablehlo.broadcast_in_dim"(%424) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> tensor<3x6xf32>
    %428 = "stablehlo.scatter"(%347, %426, %427) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg137: tensor<f32>, %arg138: tensor<f32>):
      "stablehlo.return"(%arg138) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<1xi32>, tensor<3x6xf32>) -> tensor<3x4x6xf32>
    %429 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %430 = "stablehlo.broadcast_in_dim"(%429) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %431 = "stablehlo.compare"(%345, %430) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %432 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %433 = "stablehlo.broadcast_in_dim"(%432) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %434 = "stablehlo.add"(%345, %433) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %435 = "stablehlo.select"(%431, %434, %345) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %436 = "stablehlo.broadcast_in_dim"(%435) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %437 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %438 = "stablehlo.broadcast_in_dim"(%437) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x6xf32>
    %439 = "stablehlo.scatter"(%arg98, %436, %438) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg135: tensor<f32>, %arg136: tensor<f32>):
      "stablehlo.return"(%arg136) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %440 = "stablehlo.slice"(%347) <{limit_indices = array<i64: 1, 2, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xf32>) -> tensor<1x2x6xf32>
    %441 = "stablehlo.reshape"(%440) : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %442 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %443 = "stablehlo.broadcast_in_dim"(%442) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %444 = "stablehlo.compare"(%346, %443) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %445 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %446 = "stablehlo.broadcast_in_dim"(%445) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %447 = "stablehlo.add"(%346, %446) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %448 = "stablehlo.select"(%444, %447, %346) : (tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %449 = "stablehlo.broadcast_in_dim"(%448) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %450 = "stablehlo.scatter"(%arg98, %449, %441) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg133: tensor<f32>, %arg134: tensor<f32>):
      %743 = "stablehlo.add"(%arg133, %arg134) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%743) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %451 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %452 = "stablehlo.broadcast_in_dim"(%451) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %453 = "stablehlo.slice"(%arg99) <{limit_indices = array<i64: 1, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x5xi32>) -> tensor<1x5xi32>
    %454 = "stablehlo.reshape"(%453) : (tensor<1x5xi32>) -> tensor<5xi32>
    %455 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %456 = "stablehlo.broadcast_in_dim"(%455) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %457 = "stablehlo.slice"(%arg98) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %458 = "stablehlo.reshape"(%457) : (tensor<1x6xf32>) -> tensor<6xf32>
    %459 = "stablehlo.broadcast_in_dim"(%458) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> tensor<1x6xf32>
    %460 = "stablehlo.broadcast_in_dim"(%459) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %461 = "stablehlo.multiply"(%456, %460) : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %462 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %463 = "stablehlo.broadcast_in_dim"(%462) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %464 = "stablehlo.compare"(%454, %463) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %465 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %466 = "stablehlo.broadcast_in_dim"(%465) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %467 = "stablehlo.add"(%454, %466) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %468 = "stablehlo.select"(%464, %467, %454) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %469 = "stablehlo.broadcast_in_dim"(%468) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi32>) -> tensor<5x1xi32>
    %470 = "stablehlo.scatter"(%452, %469, %461) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg131: tensor<f32>, %arg132: tensor<f32>):
      %742 = "stablehlo.add"(%arg131, %arg132) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%742) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %471 = "stablehlo.slice"(%arg98) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<2x3xf32>
    %472 = "stablehlo.broadcast_in_dim"(%471) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %473 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %474 = "stablehlo.broadcast_in_dim"(%473) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x3xf32>
    %475 = "stablehlo.multiply"(%472, %474) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
    %476 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %477 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %478 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %479 = "stablehlo.dynamic_update_slice"(%347, %475, %476, %477, %478) : (tensor<3x4x6xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x6xf32>
    %480 = "func.call"(%347) <{callee = @argmax}> : (tensor<3x4x6xf32>) -> tensor<3x6xi32>
    %481 = "stablehlo.convert"(%480) : (tensor<3x6xi32>) -> tensor<3x6xf32>
    %482 = "func.call"(%347) <{callee = @argmin}> : (tensor<3x4x6xf32>) -> tensor<3x4xi32>
    %483 = "stablehlo.convert"(%482) : (tensor<3x4xi32>) -> tensor<3x4xf32>
    %484:2 = "chlo.top_k"(%347) <{k = 3 : i64}> : (tensor<3x4x6xf32>) -> (tensor<3x4x3xf32>, tensor<3x4x3xi32>)
    %485 = "stablehlo.convert"(%484#1) : (tensor<3x4x3xi32>) -> tensor<3x4x3xf32>
    %486 = "func.call"(%347) <{callee = @cumsum}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %487 = "func.call"(%347) <{callee = @cumsum_6}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %488 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %489 = "stablehlo.broadcast_in_dim"(%488) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %490 = "stablehlo.compare"(%347, %489) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %491 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %492 = "stablehlo.reduce"(%490, %491) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%arg129: tensor<i1>, %arg130: tensor<i1>):
      %741 = "stablehlo.or"(%arg129, %arg130) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%741) : (tensor<i1>) -> ()
    }) : (tensor<3x4x6xi1>, tensor<i1>) -> tensor<4xi1>
    %493 = "stablehlo.convert"(%492) : (tensor<4xi1>) -> tensor<4xf32>
    %494 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %495 = "stablehlo.broadcast_in_dim"(%494) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %496 = "stablehlo.compare"(%347, %495) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %497 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %498 = "stablehlo.reduce"(%496, %497) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg127: tensor<i1>, %arg128: tensor<i1>):
      %740 = "stablehlo.and"(%arg127, %arg128) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%740) : (tensor<i1>) -> ()
    }) : (tensor<3x4x6xi1>, tensor<i1>) -> tensor<3x6xi1>
    %499 = "stablehlo.convert"(%498) : (tensor<3x6xi1>) -> tensor<3x6xf32>
    %500 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %501 = "stablehlo.broadcast_in_dim"(%500) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %502 = "stablehlo.compare"(%347, %501) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %503 = "stablehlo.convert"(%502) : (tensor<3x4x6xi1>) -> tensor<3x4x6xi32>
    %504 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %505 = "stablehlo.reduce"(%503, %504) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg125: tensor<i32>, %arg126: tensor<i32>):
      %739 = "stablehlo.add"(%arg125, %arg126) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%739) : (tensor<i32>) -> ()
    }) : (tensor<3x4x6xi32>, tensor<i32>) -> tensor<3x4xi32>
    %506 = "stablehlo.convert"(%505) : (tensor<3x4xi32>) -> tensor<3x4xf32>
    %507 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %508 = "stablehlo.reduce"(%347, %507) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg123: tensor<f32>, %arg124: tensor<f32>):
      %738 = "stablehlo.maximum"(%arg123, %arg124) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%738) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %509 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %510 = "stablehlo.reduce"(%347, %509) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%arg121: tensor<f32>, %arg122: tensor<f32>):
      %737 = "stablehlo.add"(%arg121, %arg122) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%737) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %511 = "stablehlo.constant"() <{value = dense<1.800000e+01> : tensor<f32>}> : () -> tensor<f32>
    %512 = "stablehlo.broadcast_in_dim"(%511) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %513 = "stablehlo.divide"(%510, %512) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %514 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %515 = "func.call"(%347, %514) <{callee = @_std}> : (tensor<3x4x6xf32>, tensor<i32>) -> tensor<3x6xf32>
    %516 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %517 = "stablehlo.constant"() <{value = dense<7.500000e-01> : tensor<f32>}> : () -> tensor<f32>
    %518 = "func.call"(%347, %516, %517) <{callee = @clip}> : (tensor<3x4x6xf32>, tensor<f32>, tensor<f32>) -> tensor<3x4x6xf32>
    %519 = "stablehlo.sign"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %520 = "stablehlo.floor"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %521 = "stablehlo.add"(%519, %520) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %522 = "stablehlo.ceil"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %523 = "stablehlo.broadcast_in_dim"(%522) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %524 = "stablehlo.broadcast_in_dim"(%523) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xf32>) -> tensor<3x4x6xf32>
    %525 = "stablehlo.subtract"(%521, %524) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %526 = "func.call"(%347) <{callee = @round}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %527 = "stablehlo.add"(%525, %526) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %528 = "stablehlo.abs"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %529 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %530 = "stablehlo.broadcast_in_dim"(%529) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %531 = "stablehlo.power"(%528, %530) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %532 = "stablehlo.multiply"(%347, %347) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %533 = "stablehlo.multiply"(%532, %347) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %534 = "stablehlo.add"(%531, %533) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %535 = "stablehlo.abs"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %536 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %537 = "stablehlo.broadcast_in_dim"(%536) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %538 = "stablehlo.add"(%535, %537) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %539 = "stablehlo.rsqrt"(%538) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %540 = "stablehlo.add"(%534, %539) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %541 = "stablehlo.abs"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %542 = "stablehlo.log_plus_one"(%541) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %543 = "stablehlo.exponential_minus_one"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %544 = "stablehlo.add"(%542, %543) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %545 = "func.call"(%347) <{callee = @softplus}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %546 = "stablehlo.add"(%544, %545) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %547 = "stablehlo.sine"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %548 = "stablehlo.cosine"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %549 = "stablehlo.broadcast_in_dim"(%548) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %550 = "stablehlo.broadcast_in_dim"(%549) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xf32>) -> tensor<3x4x6xf32>
    %551 = "stablehlo.multiply"(%547, %550) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %552 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %553 = "stablehlo.broadcast_in_dim"(%552) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %554 = "stablehlo.divide"(%arg98, %553) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %555 = "stablehlo.tan"(%554) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %556 = "stablehlo.broadcast_in_dim"(%555) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %557 = "stablehlo.broadcast_in_dim"(%556) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xf32>) -> tensor<3x4x6xf32>
    %558 = "stablehlo.add"(%551, %557) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %559 = "chlo.erf"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %560 = "stablehlo.add"(%558, %559) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %561 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %562 = "stablehlo.broadcast_in_dim"(%561) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %563 = "stablehlo.divide"(%347, %562) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %564 = "chlo.cosh"(%563) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %565 = "stablehlo.add"(%560, %564) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %566 = "func.call"(%347) <{callee = @silu}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %567 = "stablehlo.multiply"(%347, %347) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %568 = "stablehlo.multiply"(%567, %347) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %569 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %570 = "stablehlo.broadcast_in_dim"(%569) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %571 = "stablehlo.multiply"(%570, %568) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %572 = "stablehlo.add"(%347, %571) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %573 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %574 = "stablehlo.broadcast_in_dim"(%573) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %575 = "stablehlo.multiply"(%574, %572) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %576 = "stablehlo.tanh"(%575) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %577 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %578 = "stablehlo.broadcast_in_dim"(%577) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %579 = "stablehlo.add"(%578, %576) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %580 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %581 = "stablehlo.broadcast_in_dim"(%580) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %582 = "stablehlo.multiply"(%581, %579) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %583 = "stablehlo.multiply"(%347, %582) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %584 = "stablehlo.add"(%566, %583) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %585 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %586 = "stablehlo.broadcast_in_dim"(%585) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %587 = "stablehlo.multiply"(%586, %347) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %588 = "stablehlo.negate"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %589 = "stablehlo.constant"() <{value = dense<0.707106769> : tensor<f32>}> : () -> tensor<f32>
    %590 = "stablehlo.broadcast_in_dim"(%589) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %591 = "stablehlo.multiply"(%588, %590) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %592 = "chlo.erfc"(%591) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %593 = "stablehlo.multiply"(%587, %592) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %594 = "stablehlo.add"(%584, %593) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %595 = "stablehlo.negate"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %596 = "stablehlo.exponential"(%595) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %597 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %598 = "stablehlo.broadcast_in_dim"(%597) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %599 = "stablehlo.add"(%598, %596) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %600 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %601 = "stablehlo.broadcast_in_dim"(%600) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %602 = "stablehlo.divide"(%601, %599) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %603 = "stablehlo.add"(%594, %602) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %604 = "func.call"(%347) <{callee = @relu}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %605 = "stablehlo.add"(%603, %604) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %606 = "func.call"(%347) <{callee = @leaky_relu}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %607 = "stablehlo.add"(%605, %606) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %608 = "func.call"(%347) <{callee = @elu}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %609 = "stablehlo.add"(%607, %608) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %610 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %611 = "stablehlo.reduce"(%347, %610) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg119: tensor<f32>, %arg120: tensor<f32>):
      %736 = "stablehlo.maximum"(%arg119, %arg120) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%736) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %612 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %613 = "stablehlo.broadcast_in_dim"(%612) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6xf32>
    %614 = "stablehlo.maximum"(%613, %611) : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    %615 = "stablehlo.broadcast_in_dim"(%614) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<3x6xf32>) -> tensor<3x1x6xf32>
    %616 = "stablehlo.broadcast_in_dim"(%615) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x1x6xf32>) -> tensor<3x4x6xf32>
    %617 = "stablehlo.subtract"(%347, %616) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %618 = "stablehlo.exponential"(%617) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %619 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %620 = "stablehlo.reduce"(%618, %619) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg117: tensor<f32>, %arg118: tensor<f32>):
      %735 = "stablehlo.add"(%arg117, %arg118) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%735) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %621 = "stablehlo.broadcast_in_dim"(%620) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<3x6xf32>) -> tensor<3x1x6xf32>
    %622 = "stablehlo.broadcast_in_dim"(%621) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x1x6xf32>) -> tensor<3x4x6xf32>
    %623 = "stablehlo.divide"(%618, %622) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %624 = "func.call"(%347) <{callee = @log_softmax}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %625 = "stablehlo.add"(%623, %624) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %626 = "stablehlo.slice"(%arg100) <{limit_indices = array<i64: 3, 4, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x2xi32>) -> tensor<3x4x1xi32>
    %627 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %628 = "stablehlo.broadcast_in_dim"(%627) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4x1xi32>
    %629 = "stablehlo.compare"(%626, %628) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x1xi32>, tensor<3x4x1xi32>) -> tensor<3x4x1xi1>
    %630 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %631 = "stablehlo.broadcast_in_dim"(%630) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %632 = "stablehlo.compare"(%347, %631) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %633 = "stablehlo.broadcast_in_dim"(%629) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x4x1xi1>) -> tensor<3x4x6xi1>
    %634 = "stablehlo.and"(%633, %632) : (tensor<3x4x6xi1>, tensor<3x4x6xi1>) -> tensor<3x4x6xi1>
    %635 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %636 = "stablehlo.broadcast_in_dim"(%635) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %637 = "stablehlo.compare"(%arg98, %636) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %638 = "stablehlo.not"(%637) : (tensor<4x6xi1>) -> tensor<4x6xi1>
    %639 = "stablehlo.broadcast_in_dim"(%638) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xi1>) -> tensor<1x4x6xi1>
    %640 = "stablehlo.broadcast_in_dim"(%639) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xi1>) -> tensor<3x4x6xi1>
    %641 = "stablehlo.or"(%634, %640) : (tensor<3x4x6xi1>, tensor<3x4x6xi1>) -> tensor<3x4x6xi1>
    %642 = "func.call"(%641, %347, %arg98) <{callee = @_where_10}> : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<4x6xf32>) -> tensor<3x4x6xf32>
    %643 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %644 = "stablehlo.broadcast_in_dim"(%643) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %645 = "stablehlo.multiply"(%arg99, %644) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %646 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %647 = "stablehlo.broadcast_in_dim"(%646) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %648 = "stablehlo.subtract"(%645, %647) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %649 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %650 = "func.call"(%648, %649) <{callee = @floor_divide}> : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>
    %651 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %652 = "func.call"(%650, %651) <{callee = @remainder}> : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>
    %653 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %654 = "stablehlo.broadcast_in_dim"(%653) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %655 = "stablehlo.minimum"(%arg99, %654) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %656 = "stablehlo.add"(%652, %655) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %657 = "stablehlo.negate"(%arg99) : (tensor<2x5xi32>) -> tensor<2x5xi32>
    %658 = "stablehlo.abs"(%657) : (tensor<2x5xi32>) -> tensor<2x5xi32>
    %659 = "stablehlo.add"(%656, %658) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %660 = "stablehlo.convert"(%659) : (tensor<2x5xi32>) -> tensor<2x5xf32>
    %661 = "stablehlo.slice"(%347) <{limit_indices = array<i64: 3, 1, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xf32>) -> tensor<3x1x6xf32>
    %662 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %663 = "stablehlo.broadcast_in_dim"(%662) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x6xf32>
    %664 = "stablehlo.multiply"(%661, %663) : (tensor<3x1x6xf32>, tensor<3x1x6xf32>) -> tensor<3x1x6xf32>
    %665 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %666 = "stablehlo.broadcast_in_dim"(%665) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x6xf32>
    %667 = "stablehlo.concatenate"(%347, %664, %666) <{dimension = 1 : i64}> : (tensor<3x4x6xf32>, tensor<3x1x6xf32>, tensor<3x2x6xf32>) -> tensor<3x7x6xf32>
    %668 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %669 = "func.call"(%347, %668) <{callee = @_pad}> : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x7x7xf32>
    %670 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %671 = "stablehlo.pad"(%347, %670) <{edge_padding_high = array<i64: 0, 1, -3>, edge_padding_low = array<i64: 0, -1, 2>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x4x5xf32>
    %672 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %673 = "stablehlo.pad"(%347, %672) <{edge_padding_high = array<i64: 0, 0, 2>, edge_padding_low = array<i64: 0, 1, -1>, interior_padding = array<i64: 0, 1, 2>}> : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x8x17xf32>
    %674 = "stablehlo.transpose"(%347) <{permutation = array<i64: 2, 1, 0>}> : (tensor<3x4x6xf32>) -> tensor<6x4x3xf32>
    %675 = "func.call"(%674) <{callee = @_flip}> : (tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
    %676 = "stablehlo.reshape"(%675) : (tensor<6x4x3xf32>) -> tensor<4x18xf32>
    %677 = "stablehlo.reshape"(%arg98) : (tensor<4x6xf32>) -> tensor<1x4x1x6xf32>
    %678 = "stablehlo.broadcast_in_dim"(%677) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x1x6xf32>) -> tensor<2x4x3x6xf32>
    %679 = "stablehlo.reshape"(%678) : (tensor<2x4x3x6xf32>) -> tensor<8x18xf32>
    %680 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %681 = "stablehlo.broadcast_in_dim"(%680) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x18xi32>
    %682 = "stablehlo.reshape"(%681) : (tensor<8x18xi32>) -> tensor<144xi32>
    %683 = "stablehlo.reshape"(%682) : (tensor<144xi32>) -> tensor<8x18xi32>
    %684 = "stablehlo.convert"(%683) : (tensor<8x18xi32>) -> tensor<8x18xf32>
    %685 = "stablehlo.add"(%679, %684) : (tensor<8x18xf32>, tensor<8x18xf32>) -> tensor<8x18xf32>
    %686 = "stablehlo.dot_general"(%347, %arg98) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x6xf32>, tensor<4x6xf32>) -> tensor<3xf32>
    %687 = "stablehlo.slice"(%347) <{limit_indices = array<i64: 2, 4, 6>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xf32>) -> tensor<2x4x6xf32>
    %688 = "stablehlo.dot_general"(%687, %347) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x6xf32>, tensor<3x4x6xf32>) -> tensor<4x2x3xf32>
    %689 = "stablehlo.slice"(%347) <{limit_indices = array<i64: 3, 1, 2>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x6xf32>) -> tensor<3x1x2xf32>
    %690 = "stablehlo.slice"(%arg98) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<2x3xf32>
    %691 = "stablehlo.dot_general"(%690, %689) <{dot_dimension_numbers = #stablehlo.dot<>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x1x2xf32>) -> tensor<2x3x3x1x2xf32>
    %692 = "stablehlo.transpose"(%691) <{permutation = array<i64: 1, 2, 3, 0, 4>}> : (tensor<2x3x3x1x2xf32>) -> tensor<3x3x1x2x2xf32>
    %693 = "stablehlo.convert"(%347) : (tensor<3x4x6xf32>) -> tensor<3x4x6xbf16>
    %694 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<bf16>}> : () -> tensor<bf16>
    %695 = "stablehlo.broadcast_in_dim"(%694) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<6x2xbf16>
    %696 = "stablehlo.dot_general"(%693, %695) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4x6xbf16>, tensor<6x2xbf16>) -> tensor<3x4x2xf32>
    %697 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %698 = "stablehlo.broadcast_in_dim"(%697) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x2xf32>
    %699 = "stablehlo.multiply"(%696, %698) : (tensor<3x4x2xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    %700 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %701 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %702:4 = "stablehlo.while"(%347, %701, %700, %arg98) ({
    ^bb0(%arg113: tensor<3x4x6xf32>, %arg114: tensor<i32>, %arg115: tensor<i32>, %arg116: tensor<4x6xf32>):
      %733 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %734 = "stablehlo.compare"(%arg114, %733) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%734) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg109: tensor<3x4x6xf32>, %arg110: tensor<i32>, %arg111: tensor<i32>, %arg112: tensor<4x6xf32>):
      %730:2 = "func.call"(%arg109, %arg111, %arg112) <{callee = @closed_call}> : (tensor<3x4x6xf32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<i32>, tensor<4x6xf32>)
      %731 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %732 = "stablehlo.add"(%arg110, %731) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg109, %732, %730#0, %730#1) : (tensor<3x4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<3x4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>)
    %703 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %704 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %705 = "stablehlo.broadcast_in_dim"(%704) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %706 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %707:4 = "stablehlo.while"(%347, %706, %703, %705) ({
    ^bb0(%arg105: tensor<3x4x6xf32>, %arg106: tensor<i32>, %arg107: tensor<f32>, %arg108: tensor<3x4x6xf32>):
      %728 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %729 = "stablehlo.compare"(%arg106, %728) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%729) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg101: tensor<3x4x6xf32>, %arg102: tensor<i32>, %arg103: tensor<f32>, %arg104: tensor<3x4x6xf32>):
      %723 = "func.call"(%arg101, %arg102) <{callee = @dynamic_index_in_dim}> : (tensor<3x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %724:2 = "func.call"(%arg103, %723) <{callee = @closed_call_11}> : (tensor<f32>, tensor<4x6xf32>) -> (tensor<f32>, tensor<4x6xf32>)
      %725 = "func.call"(%arg104, %724#1, %arg102) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<3x4x6xf32>
      %726 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %727 = "stablehlo.add"(%arg102, %726) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg101, %727, %724#0, %725) : (tensor<3x4x6xf32>, tensor<i32>, tensor<f32>, tensor<3x4x6xf32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<i32>, tensor<f32>, tensor<3x4x6xf32>) -> (tensor<3x4x6xf32>, tensor<i32>, tensor<f32>, tensor<3x4x6xf32>)
    %708 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %709 = "stablehlo.case"(%708) ({
      %722 = "stablehlo.cosine"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      "stablehlo.return"(%722) : (tensor<4x6xf32>) -> ()
    }, {
      %721 = "stablehlo.sine"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      "stablehlo.return"(%721) : (tensor<4x6xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4x6xf32>
    %710 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %711 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %712 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %713 = "stablehlo.clamp"(%710, %711, %712) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %714 = "stablehlo.case"(%713) ({
      %720 = "stablehlo.sine"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      "stablehlo.return"(%720) : (tensor<4x6xf32>) -> ()
    }, {
      %719 = "stablehlo.cosine"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      "stablehlo.return"(%719) : (tensor<4x6xf32>) -> ()
    }, {
      %718 = "stablehlo.tanh"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      "stablehlo.return"(%718) : (tensor<4x6xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4x6xf32>
    %715 = "stablehlo.add"(%709, %714) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %716 = "stablehlo.exponential"(%arg98) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %717 = "stablehlo.optimization_barrier"(%716) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%470, %450, %499, %358, %493, %481, %483, %717, %688, %715, %518, %349, %506, %486, %487, %671, %515, %686, %420, %609, %411, %667, %546, %702#3, %508, %513, %699, %660, %692, %669, %378, %540, %348, %353, %357, %707#3, %428, %439, %527, %625, %673, %422, %685, %485, %484#0, %676, %479, %565, %642, %401) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x6xf32>, tensor<3x4x2xf32>, tensor<4xf32>, tensor<3x6xf32>, tensor<3x4xf32>, tensor<4x6xf32>, tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<3x4x6xf32>, tensor<3x2x5x6xf32>, tensor<3x4xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x5xf32>, tensor<3x6xf32>, tensor<3xf32>, tensor<3x6xf32>, tensor<3x4x6xf32>, tensor<2x5xf32>, tensor<3x7x6xf32>, tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<4xf32>, tensor<3x4x2xf32>, tensor<2x5xf32>, tensor<3x3x1x2x2xf32>, tensor<3x7x7xf32>, tensor<2x5x4xf32>, tensor<3x4x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x8x17xf32>, tensor<3x2x3xf32>, tensor<8x18xf32>, tensor<3x4x3xf32>, tensor<3x4x3xf32>, tensor<4x18xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<3x4x6xf32>, tensor<5x2x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<2x5xi32>) -> tensor<2x5x6xf32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg92: tensor<4x6xf32>, %arg93: tensor<2x5xi32>):
    %319 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %320 = "stablehlo.broadcast_in_dim"(%319) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %321 = "stablehlo.compare"(%arg93, %320) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %322 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %323 = "stablehlo.broadcast_in_dim"(%322) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %324 = "stablehlo.add"(%arg93, %323) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %325 = "func.call"(%321, %324, %arg93) <{callee = @_where}> : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %326 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %327 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %328 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %329 = "stablehlo.broadcast_in_dim"(%328) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5x1xi32>
    %330 = "stablehlo.compare"(%326, %329) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %331 = "stablehlo.broadcast_in_dim"(%327) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %332 = "stablehlo.broadcast_in_dim"(%331) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %333 = "stablehlo.compare"(%326, %332) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %334 = "stablehlo.and"(%330, %333) : (tensor<2x5x1xi1>, tensor<2x5x1xi1>) -> tensor<2x5x1xi1>
    %335 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %336 = "stablehlo.reduce"(%334, %335) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg94: tensor<i1>, %arg95: tensor<i1>):
      %342 = "stablehlo.and"(%arg94, %arg95) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%342) : (tensor<i1>) -> ()
    }) : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %337 = "stablehlo.gather"(%arg92, %326) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<2x5x1xi32>) -> tensor<2x5x6xf32>
    %338 = "stablehlo.broadcast_in_dim"(%336) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi1>) -> tensor<2x5x6xi1>
    %339 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %340 = "stablehlo.broadcast_in_dim"(%339) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x6xf32>
    %341 = "stablehlo.select"(%338, %337, %340) : (tensor<2x5x6xi1>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    "func.return"(%341) : (tensor<2x5x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg89: tensor<2x5xi1>, %arg90: tensor<2x5xi32>, %arg91: tensor<2x5xi32>):
    %318 = "stablehlo.select"(%arg89, %arg90, %arg91) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    "func.return"(%318) : (tensor<2x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xf32>, tensor<2x5xi32>) -> tensor<3x2x5x6xf32>, res_attrs = [{}], sym_name = "_take_0", sym_visibility = "private"}> ({
  ^bb0(%arg85: tensor<3x4x6xf32>, %arg86: tensor<2x5xi32>):
    %294 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %296 = "stablehlo.compare"(%arg86, %295) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %297 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %298 = "stablehlo.broadcast_in_dim"(%297) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %299 = "stablehlo.add"(%arg86, %298) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %300 = "func.call"(%296, %299, %arg86) <{callee = @_where}> : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %301 = "stablehlo.broadcast_in_dim"(%300) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %302 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %303 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5x1xi32>
    %305 = "stablehlo.compare"(%301, %304) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %306 = "stablehlo.broadcast_in_dim"(%302) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %307 = "stablehlo.broadcast_in_dim"(%306) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %308 = "stablehlo.compare"(%301, %307) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %309 = "stablehlo.and"(%305, %308) : (tensor<2x5x1xi1>, tensor<2x5x1xi1>) -> tensor<2x5x1xi1>
    %310 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %311 = "stablehlo.reduce"(%309, %310) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg87: tensor<i1>, %arg88: tensor<i1>):
      %317 = "stablehlo.and"(%arg87, %arg88) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%317) : (tensor<i1>) -> ()
    }) : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %312 = "stablehlo.gather"(%arg85, %301) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1, 6>}> : (tensor<3x4x6xf32>, tensor<2x5x1xi32>) -> tensor<3x2x5x6xf32>
    %313 = "stablehlo.broadcast_in_dim"(%311) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x5xi1>) -> tensor<3x2x5x6xi1>
    %314 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x5x6xf32>
    %316 = "stablehlo.select"(%313, %312, %315) : (tensor<3x2x5x6xi1>, tensor<3x2x5x6xf32>, tensor<3x2x5x6xf32>) -> tensor<3x2x5x6xf32>
    "func.return"(%316) : (tensor<3x2x5x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<2x5xi32>) -> tensor<2x5x6xf32>, res_attrs = [{}], sym_name = "_take_1", sym_visibility = "private"}> ({
  ^bb0(%arg83: tensor<4x6xf32>, %arg84: tensor<2x5xi32>):
    %292 = "stablehlo.broadcast_in_dim"(%arg84) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %293 = "stablehlo.gather"(%arg83, %292) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<2x5x1xi32>) -> tensor<2x5x6xf32>
    "func.return"(%293) : (tensor<2x5x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<2x5xi32>) -> tensor<2x5x6xf32>, res_attrs = [{}], sym_name = "_take_2", sym_visibility = "private"}> ({
  ^bb0(%arg79: tensor<4x6xf32>, %arg80: tensor<2x5xi32>):
    %268 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %269 = "stablehlo.broadcast_in_dim"(%268) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %270 = "stablehlo.compare"(%arg80, %269) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %271 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %272 = "stablehlo.broadcast_in_dim"(%271) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %273 = "stablehlo.add"(%arg80, %272) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %274 = "func.call"(%270, %273, %arg80) <{callee = @_where}> : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %275 = "stablehlo.broadcast_in_dim"(%274) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
    %276 = "stablehlo.constant"() <{value = dense<3> : tensor<1xi32>}> : () -> tensor<1xi32>
    %277 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %278 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5x1xi32>
    %279 = "stablehlo.compare"(%275, %278) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %280 = "stablehlo.broadcast_in_dim"(%276) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %281 = "stablehlo.broadcast_in_dim"(%280) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<2x5x1xi32>
    %282 = "stablehlo.compare"(%275, %281) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x5x1xi32>, tensor<2x5x1xi32>) -> tensor<2x5x1xi1>
    %283 = "stablehlo.and"(%279, %282) : (tensor<2x5x1xi1>, tensor<2x5x1xi1>) -> tensor<2x5x1xi1>
    %284 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %285 = "stablehlo.reduce"(%283, %284) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg81: tensor<i1>, %arg82: tensor<i1>):
      %291 = "stablehlo.and"(%arg81, %arg82) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%291) : (tensor<i1>) -> ()
    }) : (tensor<2x5x1xi1>, tensor<i1>) -> tensor<2x5xi1>
    %286 = "stablehlo.gather"(%arg79, %275) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<2x5x1xi32>) -> tensor<2x5x6xf32>
    %287 = "stablehlo.broadcast_in_dim"(%285) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xi1>) -> tensor<2x5x6xi1>
    %288 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x6xf32>
    %290 = "stablehlo.select"(%287, %286, %289) : (tensor<2x5x6xi1>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
    "func.return"(%290) : (tensor<2x5x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xf32>, tensor<3x4x2xi32>) -> tensor<3x4x2xf32>, res_attrs = [{}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg75: tensor<3x4x6xf32>, %arg76: tensor<3x4x2xi32>):
    %245 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4x2xi32>
    %247 = "stablehlo.compare"(%arg76, %246) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x4x2xi32>, tensor<3x4x2xi32>) -> tensor<3x4x2xi1>
    %248 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %249 = "stablehlo.broadcast_in_dim"(%248) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4x2xi32>
    %250 = "stablehlo.add"(%arg76, %249) : (tensor<3x4x2xi32>, tensor<3x4x2xi32>) -> tensor<3x4x2xi32>
    %251 = "stablehlo.select"(%247, %250, %arg76) : (tensor<3x4x2xi1>, tensor<3x4x2xi32>, tensor<3x4x2xi32>) -> tensor<3x4x2xi32>
    %252 = "stablehlo.reshape"(%251) : (tensor<3x4x2xi32>) -> tensor<3x4x2x1xi32>
    %253 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %254 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %255 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4x2x1xi32>
    %256 = "stablehlo.compare"(%252, %255) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x4x2x1xi32>, tensor<3x4x2x1xi32>) -> tensor<3x4x2x1xi1>
    %257 = "stablehlo.broadcast_in_dim"(%253) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %258 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>) -> tensor<3x4x2x1xi32>
    %259 = "stablehlo.compare"(%252, %258) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<3x4x2x1xi32>, tensor<3x4x2x1xi32>) -> tensor<3x4x2x1xi1>
    %260 = "stablehlo.and"(%256, %259) : (tensor<3x4x2x1xi1>, tensor<3x4x2x1xi1>) -> tensor<3x4x2x1xi1>
    %261 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %262 = "stablehlo.reduce"(%260, %261) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg77: tensor<i1>, %arg78: tensor<i1>):
      %267 = "stablehlo.and"(%arg77, %arg78) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%267) : (tensor<i1>) -> ()
    }) : (tensor<3x4x2x1xi1>, tensor<i1>) -> tensor<3x4x2xi1>
    %263 = "stablehlo.gather"(%arg75, %252) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<3x4x6xf32>, tensor<3x4x2x1xi32>) -> tensor<3x4x2xf32>
    %264 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %265 = "stablehlo.broadcast_in_dim"(%264) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x2xf32>
    %266 = "stablehlo.select"(%262, %263, %265) : (tensor<3x4x2xi1>, tensor<3x4x2xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
    "func.return"(%266) : (tensor<3x4x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg73: tensor<2x5xi32>, %arg74: tensor<i32>):
    %224 = "stablehlo.convert"(%arg74) : (tensor<i32>) -> tensor<i32>
    %225 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %226 = "stablehlo.compare"(%224, %225) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %227 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %228 = "func.call"(%226, %227, %224) <{callee = @_where_3}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %229 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %230 = "stablehlo.remainder"(%arg73, %229) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %231 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %232 = "stablehlo.broadcast_in_dim"(%231) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %233 = "stablehlo.compare"(%230, %232) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %234 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %236 = "stablehlo.compare"(%230, %235) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %237 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %238 = "stablehlo.compare"(%228, %237) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x5xi1>
    %240 = "stablehlo.compare"(%236, %239) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %241 = "stablehlo.and"(%240, %233) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %242 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %243 = "stablehlo.add"(%230, %242) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %244 = "stablehlo.select"(%241, %243, %230) : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    "func.return"(%244) : (tensor<2x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_3", sym_visibility = "private"}> ({
  ^bb0(%arg70: tensor<i1>, %arg71: tensor<i32>, %arg72: tensor<i32>):
    %223 = "stablehlo.select"(%arg70, %arg71, %arg72) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%223) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>, res_attrs = [{}], sym_name = "remainder_4", sym_visibility = "private"}> ({
  ^bb0(%arg68: tensor<5xi32>, %arg69: tensor<i32>):
    %202 = "stablehlo.convert"(%arg69) : (tensor<i32>) -> tensor<i32>
    %203 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %204 = "stablehlo.compare"(%202, %203) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %205 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %206 = "func.call"(%204, %205, %202) <{callee = @_where_3}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %207 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %208 = "stablehlo.remainder"(%arg68, %207) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %209 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %211 = "stablehlo.compare"(%208, %210) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %212 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %214 = "stablehlo.compare"(%208, %213) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %215 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %216 = "stablehlo.compare"(%206, %215) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %217 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<5xi1>
    %218 = "stablehlo.compare"(%214, %217) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %219 = "stablehlo.and"(%218, %211) : (tensor<5xi1>, tensor<5xi1>) -> tensor<5xi1>
    %220 = "stablehlo.broadcast_in_dim"(%206) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5xi32>
    %221 = "stablehlo.add"(%208, %220) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %222 = "stablehlo.select"(%219, %221, %208) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%222) : (tensor<5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4x6xf32>) -> tensor<3x6xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg63: tensor<3x4x6xf32>):
    %189 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4x6xi32>
    %190 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %192:2 = "stablehlo.reduce"(%arg63, %189, %190, %191) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<i32>, %arg66: tensor<f32>, %arg67: tensor<i32>):
      %193 = "stablehlo.compare"(%arg64, %arg66) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %194 = "stablehlo.compare"(%arg64, %arg64) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %195 = "stablehlo.or"(%193, %194) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %196 = "stablehlo.compare"(%arg64, %arg66) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %197 = "stablehlo.compare"(%arg65, %arg67) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %198 = "stablehlo.and"(%196, %197) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %199 = "stablehlo.or"(%195, %198) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %200 = "stablehlo.select"(%195, %arg64, %arg66) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %201 = "stablehlo.select"(%199, %arg65, %arg67) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%200, %201) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x6xf32>, tensor<3x6xi32>)
    "func.return"(%192#1) : (tensor<3x6xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4x6xf32>) -> tensor<3x4xi32>, sym_name = "argmin", sym_visibility = "private"}> ({
  ^bb0(%arg58: tensor<3x4x6xf32>):
    %176 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<3x4x6xi32>
    %177 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %178 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %179:2 = "stablehlo.reduce"(%arg58, %176, %177, %178) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg59: tensor<f32>, %arg60: tensor<i32>, %arg61: tensor<f32>, %arg62: tensor<i32>):
      %180 = "stablehlo.compare"(%arg59, %arg61) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %181 = "stablehlo.compare"(%arg59, %arg59) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %182 = "stablehlo.or"(%180, %181) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %183 = "stablehlo.compare"(%arg59, %arg61) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %184 = "stablehlo.compare"(%arg60, %arg62) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %185 = "stablehlo.and"(%183, %184) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %186 = "stablehlo.or"(%182, %185) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %187 = "stablehlo.select"(%182, %arg59, %arg61) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %188 = "stablehlo.select"(%186, %arg60, %arg62) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%187, %188) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<3x4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
    "func.return"(%179#1) : (tensor<3x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg57: tensor<3x4x6xf32>):
    %175 = "func.call"(%arg57) <{callee = @cumsum_5}> : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%175) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, sym_name = "cumsum_5", sym_visibility = "private"}> ({
  ^bb0(%arg54: tensor<3x4x6xf32>):
    %171 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %173 = "stablehlo.reduce_window"(%arg54, %172) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [3, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 4, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %174 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%174) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x4x6xf32>
    "func.return"(%173) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, sym_name = "cumsum_6", sym_visibility = "private"}> ({
  ^bb0(%arg51: tensor<3x4x6xf32>):
    %167 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %168 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %169 = "stablehlo.reduce_window"(%arg51, %168) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 5]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 1, 6>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
      %170 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%170) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x4x6xf32>
    "func.return"(%169) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xf32>, tensor<i32>) -> tensor<3x6xf32>, res_attrs = [{}], sym_name = "_std", sym_visibility = "private"}> ({
  ^bb0(%arg49: tensor<3x4x6xf32>, %arg50: tensor<i32>):
    %165 = "func.call"(%arg49, %arg50) <{callee = @_var}> : (tensor<3x4x6xf32>, tensor<i32>) -> tensor<3x6xf32>
    %166 = "stablehlo.sqrt"(%165) : (tensor<3x6xf32>) -> tensor<3x6xf32>
    "func.return"(%166) : (tensor<3x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xf32>, tensor<i32>) -> tensor<3x6xf32>, res_attrs = [{}], sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg43: tensor<3x4x6xf32>, %arg44: tensor<i32>):
    %143 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %144 = "stablehlo.reduce"(%arg43, %143) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %164 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%164) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %145 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<3x6xf32>) -> tensor<3x1x6xf32>
    %146 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1x6xf32>
    %148 = "stablehlo.divide"(%145, %147) : (tensor<3x1x6xf32>, tensor<3x1x6xf32>) -> tensor<3x1x6xf32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x1x6xf32>) -> tensor<3x4x6xf32>
    %150 = "stablehlo.subtract"(%arg43, %149) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %151 = "chlo.square"(%150) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %152 = "stablehlo.convert"(%arg44) : (tensor<i32>) -> tensor<f32>
    %153 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %154 = "stablehlo.subtract"(%153, %152) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %155 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%151, %155) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %163 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%163) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    %157 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6xf32>
    %158 = "stablehlo.divide"(%156, %157) : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    %159 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.compare"(%154, %159) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %161 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %162 = "func.call"(%160, %158, %161) <{callee = @_where_7}> : (tensor<i1>, tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32>
    "func.return"(%162) : (tensor<3x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32>, res_attrs = [{}], sym_name = "_where_7", sym_visibility = "private"}> ({
  ^bb0(%arg40: tensor<i1>, %arg41: tensor<3x6xf32>, %arg42: tensor<f32>):
    %140 = "stablehlo.convert"(%arg42) : (tensor<f32>) -> tensor<f32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x6xf32>
    %142 = "stablehlo.select"(%arg40, %arg41, %141) : (tensor<i1>, tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    "func.return"(%142) : (tensor<3x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xf32>, tensor<f32>, tensor<f32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg37: tensor<3x4x6xf32>, %arg38: tensor<f32>, %arg39: tensor<f32>):
    %134 = "stablehlo.convert"(%arg38) : (tensor<f32>) -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %136 = "stablehlo.maximum"(%135, %arg37) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %137 = "stablehlo.convert"(%arg39) : (tensor<f32>) -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %139 = "stablehlo.minimum"(%138, %136) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%139) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "round", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<3x4x6xf32>):
    %133 = "stablehlo.round_nearest_even"(%arg36) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%133) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "softplus", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<3x4x6xf32>):
    %119 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %121 = "stablehlo.maximum"(%arg35, %120) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %122 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %123 = "stablehlo.subtract"(%arg35, %122) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %124 = "stablehlo.compare"(%123, %123) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %125 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %126 = "stablehlo.add"(%arg35, %125) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %127 = "stablehlo.abs"(%123) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %128 = "stablehlo.negate"(%127) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %129 = "stablehlo.exponential"(%128) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %130 = "stablehlo.log_plus_one"(%129) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %131 = "stablehlo.add"(%121, %130) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %132 = "stablehlo.select"(%124, %126, %131) : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%132) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg34: tensor<3x4x6xf32>):
    %110 = "stablehlo.negate"(%arg34) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %111 = "stablehlo.exponential"(%110) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %112 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %114 = "stablehlo.add"(%113, %111) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %115 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %117 = "stablehlo.divide"(%116, %114) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %118 = "stablehlo.multiply"(%arg34, %117) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%118) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<3x4x6xf32>):
    %107 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %109 = "stablehlo.maximum"(%arg33, %108) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%109) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "leaky_relu", sym_visibility = "private"}> ({
  ^bb0(%arg32: tensor<3x4x6xf32>):
    %100 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %102 = "stablehlo.compare"(%arg32, %101) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %103 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %105 = "stablehlo.multiply"(%104, %arg32) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %106 = "func.call"(%102, %arg32, %105) <{callee = @_where_8}> : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%106) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "_where_8", sym_visibility = "private"}> ({
  ^bb0(%arg29: tensor<3x4x6xi1>, %arg30: tensor<3x4x6xf32>, %arg31: tensor<3x4x6xf32>):
    %99 = "stablehlo.select"(%arg29, %arg30, %arg31) : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%99) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "elu", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<3x4x6xf32>):
    %86 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %88 = "stablehlo.compare"(%arg28, %87) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %91 = "stablehlo.compare"(%arg28, %90) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xi1>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "func.call"(%91, %92, %arg28) <{callee = @_where_9}> : (tensor<3x4x6xi1>, tensor<f32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %94 = "stablehlo.exponential_minus_one"(%93) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %95 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %97 = "stablehlo.multiply"(%96, %94) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %98 = "func.call"(%88, %arg28, %97) <{callee = @_where_8}> : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%98) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xi1>, tensor<f32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "_where_9", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<3x4x6xi1>, %arg26: tensor<f32>, %arg27: tensor<3x4x6xf32>):
    %83 = "stablehlo.convert"(%arg26) : (tensor<f32>) -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x6xf32>
    %85 = "stablehlo.select"(%arg25, %84, %arg27) : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%85) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<3x4x6xf32>):
    %66 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.reduce"(%arg20, %66) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %82 = "stablehlo.maximum"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%82) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %68 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %70 = "stablehlo.maximum"(%69, %67) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xf32>) -> tensor<3x4x6xf32>
    %73 = "stablehlo.subtract"(%arg20, %72) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %74 = "stablehlo.exponential"(%73) : (tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    %75 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.reduce"(%74, %75) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %81 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%81) : (tensor<f32>) -> ()
    }) : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %78 = "stablehlo.log"(%77) : (tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x4x6xf32>) -> tensor<3x4x6xf32>
    %80 = "stablehlo.subtract"(%73, %79) : (tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%80) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<4x6xf32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "_where_10", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<3x4x6xi1>, %arg18: tensor<3x4x6xf32>, %arg19: tensor<4x6xf32>):
    %64 = "stablehlo.broadcast_in_dim"(%arg19) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<3x4x6xf32>
    %65 = "stablehlo.select"(%arg17, %arg18, %64) : (tensor<3x4x6xi1>, tensor<3x4x6xf32>, tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
    "func.return"(%65) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x5xi32>, tensor<i32>) -> tensor<2x5xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<2x5xi32>, %arg16: tensor<i32>):
    %47 = "stablehlo.convert"(%arg16) : (tensor<i32>) -> tensor<i32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %49 = "stablehlo.divide"(%arg15, %48) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %50 = "stablehlo.sign"(%arg15) : (tensor<2x5xi32>) -> tensor<2x5xi32>
    %51 = "stablehlo.sign"(%47) : (tensor<i32>) -> tensor<i32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %53 = "stablehlo.compare"(%50, %52) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %54 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %55 = "stablehlo.remainder"(%arg15, %54) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %58 = "stablehlo.compare"(%55, %57) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi1>
    %59 = "stablehlo.and"(%53, %58) : (tensor<2x5xi1>, tensor<2x5xi1>) -> tensor<2x5xi1>
    %60 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x5xi32>
    %62 = "stablehlo.subtract"(%49, %61) : (tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    %63 = "func.call"(%59, %62, %49) <{callee = @_where}> : (tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xi32>
    "func.return"(%63) : (tensor<2x5xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x7x7xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<3x4x6xf32>, %arg14: tensor<f32>):
    %45 = "stablehlo.convert"(%arg14) : (tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.pad"(%arg13, %45) <{edge_padding_high = array<i64: 0, 2, 1>, edge_padding_low = array<i64: 0, 1, 0>, interior_padding = array<i64: 0, 0, 0>}> : (tensor<3x4x6xf32>, tensor<f32>) -> tensor<3x7x7xf32>
    "func.return"(%46) : (tensor<3x7x7xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x4x3xf32>) -> tensor<6x4x3xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<6x4x3xf32>):
    %44 = "stablehlo.reverse"(%arg12) <{dimensions = array<i64: 1>}> : (tensor<6x4x3xf32>) -> tensor<6x4x3xf32>
    "func.return"(%44) : (tensor<6x4x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4x6xf32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<i32>, tensor<4x6xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x4x6xf32>, %arg10: tensor<i32>, %arg11: tensor<4x6xf32>):
    %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.add"(%arg10, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.tanh"(%arg11) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %19 = "stablehlo.convert"(%arg10) : (tensor<i32>) -> tensor<i32>
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
    %41 = "stablehlo.dynamic_slice"(%arg9, %24, %32, %40) <{slice_sizes = array<i64: 1, 4, 6>}> : (tensor<3x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    %43 = "stablehlo.add"(%18, %42) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%17, %43) : (tensor<i32>, tensor<4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<3x4x6xf32>, %arg8: tensor<i32>):
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.dynamic_slice"(%arg7, %arg8, %12, %13) <{slice_sizes = array<i64: 1, 4, 6>}> : (tensor<3x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %15 = "stablehlo.reshape"(%14) : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%15) : (tensor<4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<f32>, tensor<4x6xf32>) -> (tensor<f32>, tensor<4x6xf32>), res_attrs = [{}, {}], sym_name = "closed_call_11", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<4x6xf32>):
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%arg4, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %11 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.convert"(%arg3) : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.add"(%6, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.convert"(%arg3) : (tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x6xf32>
    %10 = "stablehlo.multiply"(%9, %arg4) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%7, %10) : (tensor<f32>, tensor<4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<3x4x6xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<3x4x6xf32>, tensor<1x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x6xf32>
    "func.return"(%3) : (tensor<3x4x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
