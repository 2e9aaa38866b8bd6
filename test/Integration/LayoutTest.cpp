// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts that the tert dialect declares (RuntimeCallOpInterface) against
// those that the C functions take: every operand of every op in every layout
// below, compiled and called.

#include "TestFiles.h"

#include "te/Artifact/SharedLibrary.h"
#include "te/Conversion/Passes.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/InitAll.h"
#include "te/Target/MachineCode.h"

#include "tert/context.h"
#include "tert/ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

#include "gtest/gtest.h"
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::te;
using tert::LayoutRequirement;
using tert::RuntimeCallOpInterface;

namespace {

/// A layout of a tensor, and how far its elements reach.
struct Layout {
  std::string name;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

/// One call with one operand in another layout.
struct Case {
  std::string entry, text;
  bool declared;     ///< to be taken
  bool refusedOnCpu; ///< if not: a CPU takes unaligned rows
};

class LayoutTest : public testing::Test {
protected:
  void SetUp() override {
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceFile<ModuleOp>(
        TE_INTEGRATION_INPUTS "/runtime_calls.mlir", &context);
    ASSERT_TRUE(module);
  }

  DialectRegistry registry;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

static SmallVector<int64_t> rowMajor(ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t dim = sizes.size(); dim-- > 0; stride *= sizes[dim])
    strides[dim] = stride;
  return strides;
}

/// Layouts that views of tensors have, from friendly to hostile.
static std::vector<Layout> layoutsOf(MemRefType type) {
  ArrayRef<int64_t> sizes = type.getShape();
  SmallVector<int64_t> dense = rowMajor(sizes);
  if (sizes.empty())
    return {{"scalar", {}}, {"an element of a vector", {}, 3}};
  std::vector<Layout> layouts = {{"dense", dense}, {"shifted", dense, 1}};
  SmallVector<int64_t> twice =
      llvm::map_to_vector(dense, [](int64_t stride) { return 2 * stride; });
  layouts.push_back({"every second element", twice});
  SmallVector<int64_t> reversed = dense;
  reversed.back() = -1;
  layouts.push_back({"elements in reverse", reversed, sizes.back() - 1});
  if (sizes.size() == 1)
    return layouts;
  auto withRows = [&](int64_t row) {
    SmallVector<int64_t> wider(sizes);
    wider.back() = row;
    return rowMajor(wider);
  };
  layouts.push_back({"columns of a wider matrix", withRows(sizes.back() + 16)});
  layouts.push_back({"unaligned rows", withRows(sizes.back() + 1)});
  layouts.push_back({"overlapping rows", withRows(sizes.back() - 1)});
  reversed = dense;
  reversed.front() *= -1;
  layouts.push_back(
      {"rows in reverse", reversed, (sizes.front() - 1) * dense.front()});
  SmallVector<int64_t> transposed(sizes.size());
  int64_t stride = 1;
  for (size_t dim = 0; dim < sizes.size(); stride *= sizes[dim++])
    transposed[dim] = stride;
  layouts.push_back({"transposed", transposed});
  if (sizes.size() > 2) {
    // The outer dimensions change places, as heads and sequence do.
    SmallVector<int64_t> swapped = dense;
    swapped[sizes.size() - 3] = sizes.back();
    swapped[sizes.size() - 2] = sizes.back() * sizes[sizes.size() - 3];
    layouts.push_back({"outer dimensions swapped", swapped});
  }
  return layouts;
}

/// Adds a copy of `function` in which an argument has another layout.
static void addCase(func::FuncOp function, unsigned argument,
                    const Layout &layout, std::vector<Case> &cases) {
  auto variant = cast<func::FuncOp>(function->clone());
  std::string entry = "case" + std::to_string(cases.size());
  variant.setName(entry);
  BlockArgument value = variant.getArgument(argument);
  auto type = cast<MemRefType>(value.getType());
  type = MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), layout.offset, layout.strides));
  value.setType(type);
  variant.setFunctionType(FunctionType::get(
      variant.getContext(), variant.front().getArgumentTypes(), {}));
  function->getParentOfType<ModuleOp>().push_back(variant);

  OpOperand &operand = *value.use_begin();
  auto call = cast<RuntimeCallOpInterface>(operand.getOwner());
  LayoutRequirement required = call.getLayoutRequirement(operand);
  LayoutRequirement unaligned = required;
  unaligned.rowAlignment = 1;
  cases.push_back({"tert_entry_" + entry,
                   call->getName().getStringRef().str() + ": " +
                       call.getOperandName(operand).str() + ", " + layout.name,
                   required.isMetBy(type), !unaligned.isMetBy(type)});
}

TEST_F(LayoutTest, EveryOpIsCalled) {
  llvm::StringSet<> called;
  module->walk([&](RuntimeCallOpInterface call) {
    called.insert(call->getName().getStringRef());
  });
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<RuntimeCallOpInterface>())
      EXPECT_TRUE(called.contains(name.getStringRef()))
          << name.getStringRef().str() << " is not in runtime_calls.mlir";
}

TEST_F(LayoutTest, DeclaredLayoutsAreThoseThatFunctionsTake) {
  std::vector<Case> cases;
  std::vector<std::vector<size_t>> sizes; // bytes of the buffers, by case
  for (auto function : llvm::to_vector(module->getOps<func::FuncOp>()))
    for (unsigned argument = 0; argument < function.getNumArguments();
         ++argument)
      for (const Layout &layout : layoutsOf(
               cast<MemRefType>(function.getArgument(argument).getType()))) {
        addCase(function, argument, layout, cases);
        // Rows of one float that are padded to 16 bytes and more reach
        // farthest.
        std::vector<size_t> &bytes = sizes.emplace_back();
        for (Type type : function.getArgumentTypes())
          bytes.push_back(cast<MemRefType>(type).getNumElements() * 17 * 8 +
                          256);
      }
  ASSERT_GT(cases.size(), 500u);

  PassManager pm(&context);
  pm.addPass(createTEKernelsToLLVM());
  pm.addPass(createTERTToLLVM());
  ASSERT_TRUE(succeeded(pm.run(*module)));
  FailureOr<llvm::SmallVector<char, 0>> object = compileToObject(*module);
  ASSERT_TRUE(succeeded(object));
  test::TemporaryFolder folder;
  std::string path = folder / "calls.so";
  FailureOr<std::string> image = linkSharedLibrary(*module, *object, "calls");
  ASSERT_TRUE(succeeded(image));
  test::writeText(path, *image);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();

  char message[256];
  tert_options options = {1, 0};
  tert_context *runtime = nullptr;
  ASSERT_EQ(tert_open("cpu", &options, &runtime, message, sizeof(message)),
            TERT_OK)
      << message;
  unsigned taken = 0, refused = 0;
  for (auto [test, bytes] : llvm::zip_equal(cases, sizes)) {
    auto *entry = reinterpret_cast<tert_status (*)(tert_context *, void **)>(
        dlsym(library, test.entry.c_str()));
    ASSERT_NE(entry, nullptr) << test.text;
    std::vector<void *> buffers;
    for (size_t size : bytes) {
      void *memory = nullptr;
      ASSERT_EQ(tert_allocate(runtime, size, &memory), TERT_OK);
      std::memset(memory, 0, size);
      buffers.push_back(memory);
    }
    tert_status status = entry(runtime, buffers.data());
    if (test.declared) {
      EXPECT_EQ(status, TERT_OK)
          << test.text << ": " << tert_last_error(runtime);
      ++taken;
    } else if (test.refusedOnCpu) {
      EXPECT_EQ(status, TERT_INVALID_ARGUMENT)
          << test.text << " is taken, though it is not declared";
      ++refused;
    }
    for (void *memory : buffers)
      tert_release(runtime, memory);
  }
  std::printf("%u layouts taken, %u refused\n", taken, refused);
  tert_close(runtime);
  dlclose(library);
}
