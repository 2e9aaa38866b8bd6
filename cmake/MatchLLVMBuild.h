// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included first in every file that uses LLVM, when this project is built with
// assertions or sanitizers and LLVM was not: some of LLVM's headers change with
// the build that includes them, and must say what they said to the library's
// own build.

#ifndef TE_MATCH_LLVM_BUILD_H
#define TE_MATCH_LLVM_BUILD_H

// With assertions, llvm::Statistic has two more members. The constructor of
// mlir::Pass::Statistic is in the library and would leave them uninitialized.
#ifndef NDEBUG
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#endif
#include <cassert>

// Under the address sanitizer, LLVM's inline allocators poison what they have
// not given out yet. The library shares these allocators and would not unpoison
// what it takes from them.
#include "llvm/Support/Compiler.h"
#if LLVM_ADDRESS_SANITIZER_BUILD
#define __asan_poison_memory_region(address, size)                             \
  (static_cast<void>(address), static_cast<void>(size))
#define __asan_unpoison_memory_region(address, size)                           \
  (static_cast<void>(address), static_cast<void>(size))
#endif

#endif // TE_MATCH_LLVM_BUILD_H
