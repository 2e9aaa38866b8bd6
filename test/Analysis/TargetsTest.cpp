// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler and the runtime know the same targets.

#include "te/Target/Targets.h"

#include "program/Targets.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::te;

TEST(Targets, CompilerAndRuntimeAgree) {
  DialectRegistry registry;
  registerTargets(registry);
  MLIRContext context(registry);
  auto *dialect = context.getOrLoadDialect<TEDialect>();
  auto known = TargetRegistry::get(*dialect).getTargets();
  EXPECT_EQ(known.size(), std::size(tert::targets));
  for (const tert::Target &target : tert::targets) {
    const TargetInfo *info = findTarget(&context, target.name);
    ASSERT_TRUE(info) << target.name;
    EXPECT_EQ(info->getBackend(), StringRef(target.backend));
    EXPECT_EQ(target.device.substr(0, target.device.find(':')), target.backend);
  }
}

TEST(Targets, ALaterOneReplacesOneOfItsName) {
  struct Other : TargetInfo {
    StringRef getName() const override { return "cpu"; }
    StringRef getDescription() const override { return "another"; }
    StringRef getBackend() const override { return "other"; }
    KernelForm getKernelForm() const override { return KernelForm::Blocks; }
    bool convertsBF16() const override { return true; }
  };
  MLIRContext context;
  auto *dialect = context.getOrLoadDialect<TEDialect>();
  EXPECT_FALSE(findTarget(&context, "cpu"));
  EXPECT_EQ(listTargets(&context), "none");
  TargetRegistry &registry = TargetRegistry::get(*dialect);
  registry.add(createCPUTarget());
  EXPECT_EQ(findTarget(&context, "cpu")->getBackend(), "cpu");
  registry.add(std::make_unique<Other>());
  EXPECT_EQ(findTarget(&context, "cpu")->getBackend(), "other");
  EXPECT_EQ(registry.getTargets().size(), 1u);
}
