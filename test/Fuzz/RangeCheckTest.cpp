// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of small programs on ordinary and extreme values. te-fuzz does the
// same with random graphs, their gradients and their FP8 forms.

#include "RangeCheck.h"
#include "Values.h"

#include "te/Analysis/Ranges.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/InitAll.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

namespace {

class RangeCheckTest : public testing::Test {
protected:
  RangeCheckTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    return module ? module->lookupSymbol<func::FuncOp>("forward")
                  : func::FuncOp();
  }

  static SmallVector<HostTensor>
  makeArguments(func::FuncOp function, StringRef floats, unsigned stream) {
    SmallVector<HostTensor> values;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Type type = function.getArgument(i).getType();
      auto shaped = dyn_cast<ShapedType>(type);
      if (!shaped)
        shaped = RankedTensorType::get({}, type);
      bool isFloat = isa<FloatType>(shaped.getElementType());
      std::string kind = isFloat ? floats.str() : "ids 0 2";
      values.push_back(
          makeValues(kind + " " + std::to_string(stream + i), shaped));
    }
    return values;
  }

  /// Checks the function @forward of `text` on many arguments. `least`: so many
  /// of its values have a bound beyond their type's, in all.
  void check(StringRef text, int64_t least) {
    int64_t bounded = 0;
    for (StringRef floats :
         {"uniform 1", "uniform 100", "uniform 1e-20", "extreme"})
      for (unsigned stream = 0; stream < 12; ++stream) {
        func::FuncOp function = parse(text);
        ASSERT_TRUE(function);
        SmallVector<HostTensor> values =
            makeArguments(function, floats, stream);
        declareMaxAbs(function, values);
        RangeAnalysis ranges(*module);
        auto found = findOutOfRange(
            function, values, [&](Value value) { return ranges.get(value); },
            bounded);
        ASSERT_TRUE(succeeded(found));
        ASSERT_FALSE(*found)
            << **found << "\non " << floats.str() << " " << stream << " in\n"
            << text.str();
      }
    EXPECT_GE(bounded, least);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(RangeCheckTest, FindsClaimsThatAreTooNarrow) {
  func::FuncOp function = parse(R"(
    func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = arith.addf %x, %x : tensor<4xf32>
      return %y : tensor<4xf32>
    })");
  HostTensor x(ArrayRef<int64_t>{4}, 3);
  x[0] = -0.25;
  declareMaxAbs(function, x);
  RangeAnalysis ranges(*module);
  auto find = [&](double above, double below) {
    int64_t bounded = 0;
    auto found = findOutOfRange(
        function, x,
        [&](Value value) {
          MagnitudeRange range = ranges.get(value);
          return MagnitudeRange{std::max(range.lower, -1 - below),
                                range.upper + above};
        },
        bounded);
    return succeeded(found) && *found ? **found : std::string();
  };
  EXPECT_EQ(find(0, 1), "");
  EXPECT_NE(find(-0.001, 1), "");
  // Of the argument, whose least number is 2^-2.
  EXPECT_NE(find(0, 0.9), "");
}

TEST_F(RangeCheckTest, ManyUsesAndCaptures) {
  check(R"(
    func.func @forward(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %c: f32, %g: tensor<8xf32>)
        -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %m = arith.mulf %in, %c : f32
        %p = math.exp %m : f32
        %q = arith.divf %m, %p : f32
        linalg.yield %q : f32
      } -> tensor<4x8xf32>
      %n, %r = te.rms_norm %x, %g {eps = 1.0e-5 : f32}
        : tensor<4x8xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<4xf32>
      %y = te.matmul %n, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
      %s = te.add %y, %n : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
      %t = te.activation tanh %s : tensor<4x8xf32> -> y tensor<4x8xf32>
      %z = te.add %s, %t : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
      return %a, %z, %r, %n : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xf32>
    })",
        100);
}

TEST_F(RangeCheckTest, ControlFlowAndCalls) {
  check(R"(
    func.func private @half(%x: tensor<4xf32>) -> tensor<4xf32> {
      %h = arith.constant dense<-0.5> : tensor<4xf32>
      %y = arith.mulf %x, %h : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    func.func @forward(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: i1)
        -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %a = scf.if %c -> tensor<4xf32> {
        %b = func.call @half(%x) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %b : tensor<4xf32>
      } else {
        %b = func.call @half(%y) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %b : tensor<4xf32>
      }
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %many = arith.constant 40 : index
      %l:2 = scf.for %i = %zero to %many step %one iter_args(%p = %a, %q = %x) -> (tensor<4xf32>, tensor<4xf32>) {
        %m = arith.minimumf %p, %y : tensor<4xf32>
        %g = arith.addf %q, %q : tensor<4xf32>
        scf.yield %m, %g : tensor<4xf32>, tensor<4xf32>
      }
      return %a, %l#0, %l#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    })",
        100);
}

TEST_F(RangeCheckTest, NoElementsAndOne) {
  check(R"(
    func.func @forward(%x: tensor<0x4xf32>, %w: tensor<4x0xf32>, %s: tensor<f32>, %one: tensor<1x1xf32>, %g: tensor<1xf32>)
        -> (tensor<4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>, tensor<1x1xf32>) {
      %a = te.column_sum %x : tensor<0x4xf32> -> tensor<4xf32>
      %b = te.matmul %w, %x : tensor<4x0xf32>, tensor<0x4xf32> -> tensor<4x4xf32>
      %c = te.amax %x : tensor<0x4xf32>
      %d = math.sqrt %s : tensor<f32>
      %n, %r = te.rms_norm %one, %g {eps = 1.0e-5 : f32}
        : tensor<1x1xf32>, tensor<1xf32> -> y tensor<1x1xf32> stats tensor<1xf32>
      return %a, %b, %c, %d, %n : tensor<4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>, tensor<1x1xf32>
    })",
        100);
}

TEST_F(RangeCheckTest, IntegersMasksAndInfinities) {
  check(R"(
    func.func @forward(%x: tensor<4x4xf32>, %m: tensor<4x4xi1>, %i: tensor<4x4xi64> {te.range = array<i64: 0, 2>})
        -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi64>, tensor<4x4xf32>, tensor<4x4xf32>) {
      %hidden = arith.constant dense<0xFF800000> : tensor<4x4xf32>
      %zeros = arith.constant dense<-0.0> : tensor<4x4xf32>
      %a = arith.select %m, %x, %hidden : tensor<4x4xi1>, tensor<4x4xf32>
      %b = math.exp %a : tensor<4x4xf32>
      %k = arith.constant dense<-5> : tensor<4x4xi64>
      %j = arith.muli %i, %k : tensor<4x4xi64>
      %f = arith.sitofp %j : tensor<4x4xi64> to tensor<4x4xf32>
      %u = arith.uitofp %m : tensor<4x4xi1> to tensor<4x4xf32>
      %d = arith.divf %u, %f : tensor<4x4xf32>
      %t = te.activation sigmoid %a : tensor<4x4xf32> -> y tensor<4x4xf32>
      %z = arith.mulf %t, %zeros : tensor<4x4xf32>
      return %b, %d, %j, %t, %z : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi64>, tensor<4x4xf32>, tensor<4x4xf32>
    })",
        100);
}

TEST_F(RangeCheckTest, LossesAndNarrowTypes) {
  check(R"(
    func.func @forward(%x: tensor<16x16xbf16>, %t: tensor<16xi64>, %one: tensor<f32>, %g: tensor<16xf32>, %b: tensor<16xf32>)
        -> (tensor<f32>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16xf32>) {
      %n, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
        : tensor<16x16xbf16>, tensor<16xf32>, tensor<16xf32>
        -> y tensor<16x16xbf16> stats tensor<16xf32>, tensor<16xf32>
      %loss, %lse, %count = te.cross_entropy %n, %t {label_smoothing = 0.1 : f32, z_loss = 1.0e-4 : f32}
        : tensor<16x16xbf16>, tensor<16xi64> -> tensor<16xf32>
      %dn = te.cross_entropy_grad %one, %n, %t, %lse, %count {label_smoothing = 0.1 : f32, z_loss = 1.0e-4 : f32}
        : tensor<16x16xbf16>, tensor<16xi64>, tensor<16xf32> -> tensor<16x16xbf16>
      %dx, %dg, %db = te.layer_norm_grad %dn, %x, %g, %mean, %rstd
        : tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
        -> dx tensor<16x16xbf16> dgamma tensor<16xf32> dbeta tensor<16xf32>
      %a = te.amax %x : tensor<16x16xbf16>
      %s, %si = te.compute_scale %a {format = f8E4M3FN}
      %q = te.quantize %x, %s : tensor<16x16xbf16> -> rowwise tensor<16x16xf8E4M3FN>
      %y = te.scaled_matmul %q, %q scales(%si, %si) {accumulate = #te.accumulate<fast>}
        : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xbf16>
      return %loss, %dn, %dx, %y, %dg : tensor<f32>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<16xf32>
    })",
        100);
}

} // namespace
