// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallFrames.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace mlir::te;

unsigned CallFrames::take(unsigned bytes) {
  unsigned offset = getNumWords() * wordBytes;
  words.resize(words.size() + llvm::divideCeil(bytes, wordBytes));
  mostWords = std::max(mostWords, getNumWords());
  return offset;
}

void CallFrames::setInt32(unsigned offset, int32_t value) {
  Word &word = words[firstWord + offset / wordBytes];
  std::memcpy(reinterpret_cast<char *>(&word.number) + offset % wordBytes,
              &value, sizeof(value));
}

SmallVector<int64_t> CallFrames::getTable() const {
  SmallVector<int64_t> table;
  table.reserve(2 * words.size());
  for (const Word &word : words) {
    table.push_back(word.number);
    table.push_back(word.pointer);
  }
  return table;
}

LLVM::LLVMFuncOp CallFrames::getWriter(ModuleOp module) {
  constexpr StringRef name = "tert_write_frame";
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  ImplicitLocOpBuilder builder(module.getLoc(), module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  Type i64 = builder.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto function = LLVM::LLVMFuncOp::create(
      builder, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  {pointer, i64, pointer, pointer}),
      LLVM::Linkage::Internal);
  Block *head = function.addEntryBlock(builder);
  Value table = head->getArgument(0), count = head->getArgument(1),
        buffers = head->getArgument(2), own = head->getArgument(3);
  Block *loop = builder.createBlock(
      &function.getBody(), function.getBody().end(), i64, builder.getLoc());
  Block *exit =
      builder.createBlock(&function.getBody(), function.getBody().end());
  auto number = [&](int64_t value) {
    return LLVM::ConstantOp::create(builder, i64, value).getResult();
  };
  auto element = [&](Type type, Value base, Value index) {
    return LLVM::GEPOp::create(builder, pointer, type, base, index).getResult();
  };

  builder.setInsertionPointToEnd(head);
  Value frame = LLVM::LoadOp::create(builder, pointer,
                                     element(pointer, own, number(~Frame)));
  LLVM::BrOp::create(builder, number(0), loop);

  builder.setInsertionPointToEnd(loop);
  Value index = loop->getArgument(0);
  Value word = element(LLVM::LLVMArrayType::get(i64, 2), table, index);
  Value offset = LLVM::LoadOp::create(builder, i64, word);
  Value selector =
      LLVM::LoadOp::create(builder, i64, element(i64, word, number(1)));
  // A negative selector is the complement of the index of an own pointer.
  Value sign = LLVM::AShrOp::create(builder, selector, number(63));
  Value isOwn = LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::slt,
                                     selector, number(0));
  Value pointers = LLVM::SelectOp::create(builder, isOwn, own, buffers);
  Value base = LLVM::LoadOp::create(
      builder, pointer,
      element(pointer, pointers, LLVM::XOrOp::create(builder, selector, sign)));
  LLVM::StoreOp::create(builder, element(builder.getI8Type(), base, offset),
                        element(pointer, frame, index));
  Value next = LLVM::AddOp::create(builder, index, number(1));
  Value isLast =
      LLVM::ICmpOp::create(builder, LLVM::ICmpPredicate::eq, next, count);
  LLVM::CondBrOp::create(builder, isLast, exit, ValueRange(), loop,
                         ValueRange(next));

  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}
