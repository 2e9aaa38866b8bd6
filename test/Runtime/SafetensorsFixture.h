// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the safetensors files that belong to these tests (they are trusted).
#ifndef TERT_TEST_RUNTIME_SAFETENSORSFIXTURE_H
#define TERT_TEST_RUNTIME_SAFETENSORSFIXTURE_H

#include "TestTensor.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace tert_test {

class SafetensorsFixture {
public:
  explicit SafetensorsFixture(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
      throw std::runtime_error("cannot open " + path);
    uint64_t headerSize = 0;
    file.read(reinterpret_cast<char *>(&headerSize), sizeof(headerSize));
    std::string text(headerSize, '\0');
    file.read(text.data(), headerSize);
    header = nlohmann::json::parse(text);
    data.assign(std::istreambuf_iterator<char>(file), {});
  }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto &entry : header.items())
      if (entry.key() != "__metadata__")
        result.push_back(entry.key());
    return result;
  }

  /// The tensor `name`; a U8 one is given `fp8` as its dtype. One element of
  /// shape [1] becomes a scalar.
  Tensor get(const std::string &name, int32_t fp8 = TERT_U8) const {
    const nlohmann::json &entry = header.at(name);
    std::string dtype = entry.at("dtype");
    std::vector<int64_t> shape = entry.at("shape");
    if (shape == std::vector<int64_t>{1})
      shape.clear();
    Tensor tensor(dtype == "BF16" ? int32_t(TERT_BF16)
                  : dtype == "U8" ? fp8
                                  : int32_t(TERT_F32),
                  shape);
    size_t begin = entry.at("data_offsets")[0];
    size_t end = entry.at("data_offsets")[1];
    std::memcpy(tensor.data(), data.data() + begin, end - begin);
    return tensor;
  }

private:
  nlohmann::json header;
  std::vector<char> data;
};

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_SAFETENSORSFIXTURE_H
