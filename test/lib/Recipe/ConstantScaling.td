// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recipe that nothing in lib/ knows, in a dialect that nothing there knows.

#ifndef TE_TEST_LIB_RECIPE_CONSTANTSCALING_TD
#define TE_TEST_LIB_RECIPE_CONSTANTSCALING_TD

include "mlir/IR/AttrTypeBase.td"
include "te/Dialect/TE/IR/RecipeInterfaces.td"

def TestRecipe_Dialect : Dialect {
  let name = "test_recipe";
  let cppNamespace = "::mlir::te::test";
  let useDefaultAttributePrinterParser = 1;
}

def TestRecipe_ConstantScalingAttr
    : AttrDef<TestRecipe_Dialect, "ConstantScaling",
              [DeclareAttrInterfaceMethods<TE_RecipeAttrInterface,
                                           ["checkScale"]>]> {
  let mnemonic = "constant_scaling";
  let summary = "The same power of two for every tensor, E4M3 throughout";
  let parameters = (ins "int64_t":$exponent);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TE_TEST_LIB_RECIPE_CONSTANTSCALING_TD
