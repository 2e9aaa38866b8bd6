// Functions of IREE in MLIR's generic form, with and without buffer views.

// RUN: te-opt %s --te-import-linalg --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[W:.*]]: tensor<4xf32> {te.param = "w"}, %[[X:.*]]: tensor<4xf32> {te.input = "arg1"}) -> (tensor<4xf32> {te.output = "y"})
// CHECK:       arith.mulf %[[W]], %[[X]]
"util.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, sym_name = "main", sym_visibility = "public",
                arg_attrs = [{te.param = "w"}, {iree.abi.affinity = "none"}], res_attrs = [{te.output = "y"}]}> ({
^bb0(%w: tensor<4xf32>, %x: tensor<4xf32>):
  %y = arith.mulf %w, %x : tensor<4xf32>
  "util.return"(%y) : (tensor<4xf32>) -> ()
}) : () -> ()

// -----

// As it writes what came from ONNX: an asynchronous function of buffer views,
// and one that waits for it.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[W:.*]]: tensor<4xf32> {te.param = "w"}, %[[X:.*]]: tensor<4xf32> {te.input = "arg1"}) -> (tensor<4xf32> {te.output = "result"})
// CHECK-NEXT:  %[[Y:.*]] = arith.mulf %[[W]], %[[X]]
// CHECK-NEXT:  return %[[Y]]
// CHECK-NOT:   func.func
"util.func"() <{function_type = (!hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view, sym_name = "main$async",
                arg_attrs = [{te.param = "w"}, {}, {}, {}]}> ({
^bb0(%w: !hal.buffer_view, %x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence):
  %0 = "hal.tensor.import"(%w, %wait) <{target_encoding = tensor<4xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<4xf32>
  %1 = "hal.tensor.import"(%x, %wait) <{target_encoding = tensor<4xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<4xf32>
  %y = arith.mulf %0, %1 : tensor<4xf32>
  %2 = "hal.tensor.barrier"(%y, %signal) : (tensor<4xf32>, !hal.fence) -> tensor<4xf32>
  %3 = "hal.tensor.export"(%2) <{source_encoding = tensor<4xf32>}> : (tensor<4xf32>) -> !hal.buffer_view
  "util.return"(%3) : (!hal.buffer_view) -> ()
}) : () -> ()
"util.func"() <{function_type = (!hal.buffer_view, !hal.buffer_view) -> !hal.buffer_view, sym_name = "main"}> ({
^bb0(%w: !hal.buffer_view, %x: !hal.buffer_view):
  %0 = "util.null"() : () -> !hal.fence
  %1 = "util.call"(%w, %x, %0, %0) <{callee = @main$async}> : (!hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
  "util.return"(%1) : (!hal.buffer_view) -> ()
}) : () -> ()
