// RUN: not te-opt %s --te-partition='quality=0.1%%' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not te-opt %s --te-partition=calibration=%S/Inputs/calibration.json 2>&1 | FileCheck %s --check-prefix=NOQUALITY
// RUN: not te-opt %s --te-partition='calibration=%S/Inputs/calibration.json quality=much' 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: not te-opt %s --te-partition='calibration=%t.missing quality=0.1%%' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not te-opt %s --te-partition='calibration=%s quality=0.1%%' 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not te-opt %s --te-partition='calibration=%S/Inputs/calibration.json quality=0.1%%' 2>&1 | FileCheck %s --check-prefix=OTHER
// ALONE: error: 'quality' is about a calibration; add 'calibration', a file of 'te-run calibrate'
// NOQUALITY: error: 'calibration' chooses layers by 'quality', what FP8 may add to the loss; add it, such as 0.1%
// MUCH: error: the quality 'much' is not what FP8 may add to the loss, such as 0.1% or 0.001
// MISSING: error: calibration: cannot read '{{.*}}.missing': {{[Nn]}}o such file
// TEXT: error: {{.*}}partition-quality-errors.mlir: it is not JSON: [1:1, byte=1]
// OTHER: error: the calibration '{{.*}}calibration.json' is of another model; it has no 'd', 'e'; this model has no 'c', 'head'. Compile the entry calibrate of this model with the same --policy and --merge-linears, and run 'te-run calibrate' again

// 'f' has no gradient, and cannot have been measured.
func.func @forward(%x: tensor<64x64xbf16> {te.input = "x"}, %w: tensor<64x64xbf16> {te.param = "a"})
    -> (tensor<64x64xbf16> {te.output = "y"}, tensor<64x64xbf16>, tensor<64x64xbf16>) attributes {te.entry = "vjp"} {
  %a = te.matmul %x, %w {layer = "a", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %b = te.matmul %a, %w {layer = "b", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %d = te.matmul %b, %w {layer = "d", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %e = te.matmul %d, %w {layer = "e", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %f = te.matmul %e, %w {layer = "f", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %r = te.activation relu %f : tensor<64x64xbf16> -> y tensor<64x64xbf16>
  %dd = te.matmul %e, %w {layer = "d", role = #te.role<dgrad>} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  %de = te.matmul %e, %w {layer = "e", role = #te.role<dgrad>} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
  return %r, %dd, %de : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>
}
