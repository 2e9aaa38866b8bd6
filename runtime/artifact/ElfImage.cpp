// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/ElfImage.h"

#include <cstdint>
#include <cstring>
#include <elf.h>

using namespace tert::session;

/// `bytes` from `offset` on, if they are within `image`.
static std::optional<std::string_view> slice(std::string_view image,
                                             uint64_t offset, uint64_t bytes) {
  if (offset > image.size() || bytes > image.size() - offset)
    return std::nullopt;
  return image.substr(offset, bytes);
}

/// Reads a structure of the file, which may be unaligned.
template <typename T>
static std::optional<T> read(std::string_view image, uint64_t offset) {
  std::optional<std::string_view> bytes = slice(image, offset, sizeof(T));
  if (!bytes)
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes->data(), sizeof(T));
  return value;
}

/// Reads element `index` of a table of `T`; its end may exceed 64 bits.
template <typename T>
static std::optional<T> readElement(std::string_view image, uint64_t table,
                                    uint64_t index) {
  uint64_t offset = index * sizeof(T);
  if (table > image.size() || offset > image.size() - table)
    return std::nullopt;
  return read<T>(image, table + offset);
}

static std::optional<Elf64_Ehdr> readHeader(std::string_view image) {
  std::optional<Elf64_Ehdr> header = read<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return std::nullopt;
  return header;
}

static bool isForThisMachine(const Elf64_Ehdr &header) {
  return header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
                                         ? ELFDATA2LSB
                                         : ELFDATA2MSB);
}

std::string tert::session::findImageProblem(std::string_view image) {
  std::optional<Elf64_Ehdr> header = readHeader(image);
  if (!header)
    return "it is not a shared library";
  if (!isForThisMachine(*header) || header->e_type != ET_DYN ||
      header->e_phentsize != sizeof(Elf64_Phdr))
    return "it is not a shared library for this machine";
  for (uint64_t i = 0; i < header->e_phnum; ++i) {
    auto segment = readElement<Elf64_Phdr>(image, header->e_phoff, i);
    if (!segment || (segment->p_type == PT_LOAD &&
                     !slice(image, segment->p_offset, segment->p_filesz)))
      return "it is truncated";
  }
  return {};
}

std::optional<std::string_view>
tert::session::findSection(std::string_view image, std::string_view name) {
  std::optional<Elf64_Ehdr> header = readHeader(image);
  if (!header || !isForThisMachine(*header) ||
      header->e_shentsize != sizeof(Elf64_Shdr))
    return std::nullopt;
  auto sectionAt = [&](uint64_t index) {
    return readElement<Elf64_Shdr>(image, header->e_shoff, index);
  };
  auto contents =
      [&](const Elf64_Shdr &section) -> std::optional<std::string_view> {
    if (section.sh_type == SHT_NOBITS)
      return std::nullopt;
    return slice(image, section.sh_offset, section.sh_size);
  };
  std::optional<Elf64_Shdr> nameSection = sectionAt(header->e_shstrndx);
  std::optional<std::string_view> names =
      nameSection ? contents(*nameSection) : std::nullopt;
  if (!names)
    return std::nullopt;
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    std::optional<Elf64_Shdr> section = sectionAt(i);
    if (!section)
      return std::nullopt;
    if (section->sh_name >= names->size())
      continue;
    std::string_view own = names->substr(section->sh_name);
    if (own.substr(0, own.find('\0')) == name)
      return contents(*section);
  }
  return std::nullopt;
}
