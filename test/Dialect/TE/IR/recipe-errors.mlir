// An attribute that is given as a recipe without being one.
// RUN: te-opt %s --te-quantize='recipe=#te.role<fprop>' --verify-diagnostics

// Epsilons that no amax can be compared with.
// RUN: not te-opt %s --te-quantize='recipe=#te.block_scaling<epsilon=-1.0>' 2>&1 | FileCheck %s
// RUN: not te-opt %s --te-quantize='recipe=#te.current_scaling<epsilon=1.0e39>' 2>&1 | FileCheck %s
// CHECK: is not a quantization recipe (expects an epsilon that is finite in float32 and not negative, got {{-1|1e\+39|1.0+e\+39}}

// expected-error @unknown {{'#te.role<fprop>' is not a quantization recipe: the attribute does not implement RecipeAttrInterface; use one such as '#te.delayed_scaling<history = 16>', '#te.current_scaling', '#te.row_scaling', '#te.block_scaling' or '#te.mxfp8_scaling'}}
module {}
