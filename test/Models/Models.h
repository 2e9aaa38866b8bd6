// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole models through te-compile and te-run, and their numbers as float64.

#ifndef TE_TEST_MODELS_MODELS_H
#define TE_TEST_MODELS_MODELS_H

#include "Tool.h"
#include "support/Safetensors.h"

#include <cmath>

namespace test {

/// Runs te-compile: te-run's launcher, another program in its child.
inline Result teCompile(const std::vector<std::string> &arguments) {
  return teRun({}, [&] {
    std::vector<char *> pointers = {const_cast<char *>(TE_COMPILE)};
    for (const std::string &argument : arguments)
      pointers.push_back(const_cast<char *>(argument.c_str()));
    pointers.push_back(nullptr);
    ::execv(TE_COMPILE, pointers.data());
  });
}

#define ASSERT_SUCCEEDS(result)                                                \
  do {                                                                         \
    const Result &done = (result);                                             \
    ASSERT_EQ(done.code, 0) << done.out << done.error;                         \
  } while (false)

inline std::string inputPath(const std::string &name) {
  return std::string(TE_MODEL_INPUTS) + "/" + name;
}

/// A safetensors file that a test cannot go on without; throws if it is bad.
inline tert::session::SafetensorsFile openTensors(const std::string &path) {
  tert::session::Expected<tert::session::SafetensorsFile> file =
      tert::session::SafetensorsFile::open(path);
  if (!file)
    throw std::runtime_error(file.takeError().message());
  return std::move(*file);
}

/// The elements of a tensor; throws if the file has no such tensor.
inline std::vector<double> valuesOf(const tert::session::SafetensorsFile &file,
                                    const std::string &name) {
  const tert::session::TensorView *view = file.find(name);
  if (!view)
    throw std::runtime_error(file.path() + " has no tensor '" + name + "'");
  size_t size = sizeOf(view->dtype);
  std::vector<double> values(view->bytes / size);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = readAsDouble(view->dtype, view->data + i * size);
  return values;
}

inline double norm(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

/// ‖a − b‖₂ / ‖b‖₂; NaN for different sizes, which fails every bar.
inline double relativeError(const std::vector<double> &a,
                            const std::vector<double> &b) {
  if (a.size() != b.size())
    return std::nan("");
  std::vector<double> difference(a.size());
  for (size_t i = 0; i < a.size(); ++i)
    difference[i] = a[i] - b[i];
  return norm(difference) / norm(b);
}

} // namespace test

#endif // TE_TEST_MODELS_MODELS_H
