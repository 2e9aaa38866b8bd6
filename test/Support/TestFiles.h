// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files for tests: a folder that goes away, and whole files as texts.

#ifndef TE_TEST_SUPPORT_TESTFILES_H
#define TE_TEST_SUPPORT_TESTFILES_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace test {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "te-test-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code code;
    std::filesystem::remove_all(folder, code);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string operator/(const std::string &name) const {
    return folder + "/" + name;
  }
  const std::string &path() const { return folder; }
  /// Names in the folder.
  size_t count() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder),
                      std::filesystem::directory_iterator()));
  }

private:
  std::string folder;
};

inline std::string readText(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream),
          std::istreambuf_iterator<char>()};
}

inline void writeText(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A safetensors file from its parts, whatever they are.
inline std::string safetensors(const std::string &header,
                               const std::string &payload) {
  std::string bytes(8, '\0');
  for (int i = 0; i < 8; ++i)
    bytes[static_cast<size_t>(i)] =
        static_cast<char>((uint64_t(header.size()) >> (8 * i)) & 0xff);
  return bytes + header + payload;
}

/// The bytes of values.
template <typename T> std::string bytesOf(const std::vector<T> &values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

#ifdef TE_TOYS
inline std::string toyPath(const std::string &name) {
  return std::string(TE_TOYS) + "/" + name + ".so";
}
#endif

} // namespace test

#endif // TE_TEST_SUPPORT_TESTFILES_H
