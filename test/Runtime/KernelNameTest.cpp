// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/KernelName.h"

#include <gtest/gtest.h>

using tert::cuda::readableKernelName;

// Symbols as nvcc and clang make them (the Itanium C++ ABI), with return types,
// namespaces, template arguments that have brackets of their own.
TEST(KernelName, OfCppSymbols) {
  // void tert::cuda::(anonymous namespace)::addKernel<float, (bool)1>(
  //     tert::cuda::View<float>, int)
  EXPECT_EQ(readableKernelName("_ZN4tert4cuda12_GLOBAL__N_19addKernelIfLb1EEEv"
                               "NS0_4ViewIT_EEi"),
            "addKernel");
  // fillRows(char*, unsigned long)
  EXPECT_EQ(readableKernelName("_Z8fillRowsPcm"), "fillRows");
  // void cub::sweep<cub::Policy<4>, (cub::Order)0, unsigned int>(unsigned int*,
  //     void (*)(int))
  EXPECT_EQ(readableKernelName("_ZN3cub5sweepINS_6PolicyILi4EEELNS_5OrderE0EjEE"
                               "vPT1_PFviE"),
            "sweep");
  // a variable, which has no parameters
  EXPECT_EQ(readableKernelName("_ZN1a1bE"), "b");
}

TEST(KernelName, OthersStay) {
  for (const char *name :
       {"twice", "nvjet_qqtst_128x256_128x4_2x1_v_bz_coopA_TNT",
        "cudnn_generated_fort_native_sdpa_sm90_knob_7_64x64x128_kernel0_0",
        "_Zbroken", ""})
    EXPECT_EQ(readableKernelName(name), name);
}
