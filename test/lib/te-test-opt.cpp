// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimizer driver with the passes that only tests use.

#include "TestPasses.h"
#include "te/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::te::registerAllDialects(registry);
  mlir::te::test::registerConstantScaling(registry);
  mlir::te::test::registerExternalCosts(registry);
  mlir::te::test::registerExternalVjp(registry);
  mlir::te::test::registerTestTarget(registry);
  mlir::te::registerAllPasses();
  mlir::te::test::registerPrintEntryInterfacePass();
  mlir::te::test::registerCheckVjpPass();
  mlir::te::test::registerCheckRaisePass();
  mlir::te::test::registerCheckTrainPass();
  mlir::te::test::registerCheckLinalgCoveragePass();
  mlir::te::test::registerUpstreamMainPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "TE-MLIR optimizer driver for tests\n", registry));
}
