// RUN: te-opt %s --split-input-file --verify-diagnostics --te-average-parameters
// RUN: not te-opt %s --split-input-file --te-average-parameters=decay=1 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not te-opt %s --split-input-file --te-average-parameters=decay=nan 2>&1 | FileCheck %s --check-prefix=DECAY

// DECAY: error: expects a decay of averages of at least 0 and less than 1

// expected-error @+1 {{does not count its steps; te-average-parameters is for what te-update-parameters has made}}
func.func @train(%x: tensor<8xf32> {te.param = "x"}) -> (tensor<8xf32> {te.param = "x"}) attributes {te.entry = "train"} {
  return %x : tensor<8xf32>
}
