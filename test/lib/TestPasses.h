// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that only tests use.

#ifndef TE_TEST_LIB_TESTPASSES_H
#define TE_TEST_LIB_TESTPASSES_H

namespace mlir::te::test {

/// --test-te-print-entry-interface
void registerPrintEntryInterfacePass();
/// --test-te-check-vjp
void registerCheckVjpPass();
/// --test-te-check-train
void registerCheckTrainPass();

} // namespace mlir::te::test

#endif // TE_TEST_LIB_TESTPASSES_H
