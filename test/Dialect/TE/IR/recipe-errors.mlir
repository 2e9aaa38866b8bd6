// An attribute that is given as a recipe without being one.
// RUN: te-opt %s --te-quantize='recipe=#te.role<fprop>' --verify-diagnostics

// expected-error @unknown {{'#te.role<fprop>' is not a quantization recipe: the attribute does not implement RecipeAttrInterface; use one such as '#te.delayed_scaling<history = 16>', '#te.current_scaling' or '#te.row_scaling'}}
module {}
