// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes and external models that only tests use.

#ifndef TE_TEST_LIB_TESTPASSES_H
#define TE_TEST_LIB_TESTPASSES_H

namespace mlir {
class DialectRegistry;

namespace te::test {

/// --test-te-print-entry-interface
void registerPrintEntryInterfacePass();
/// --test-te-check-vjp
void registerCheckVjpPass();
/// --test-te-check-raise
void registerCheckRaisePass();
/// --test-te-check-train
void registerCheckTrainPass();

/// --test-te-check-linalg-coverage
void registerCheckLinalgCoveragePass();
/// --test-te-upstream-main
void registerUpstreamMainPass();

/// --test-te-planted-rewrite, in te-bisect
void registerPlantedRewritePass();

/// Lets `te.costs` be a dictionary, of kernels to seconds.
void registerExternalCosts(DialectRegistry &registry);

/// The recipe #test_recipe.constant_scaling.
void registerConstantScaling(DialectRegistry &registry);

/// Attaches DifferentiableOpInterface to arith.mulf on tensors.
void registerExternalVjp(DialectRegistry &registry);

/// Adds the target "test_gpu".
void registerTestTarget(DialectRegistry &registry);

} // namespace te::test
} // namespace mlir

#endif // TE_TEST_LIB_TESTPASSES_H
