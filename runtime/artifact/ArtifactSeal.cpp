// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/ArtifactSeal.h"

#include "artifact/ElfImage.h"
#include "support/Digest.h"
#include "tert/artifact.h"

#include <cstring>

using namespace tert::session;

static constexpr std::string_view magic = TERT_ARTIFACT_SEAL_MAGIC;
static constexpr size_t sealBytes = TERT_ARTIFACT_SEAL_BYTES;
static_assert(sealBytes == magic.size() + 2 * Digest::textLength,
              "magic, program, weights");

std::string tert::session::weightsPathOf(const std::string &program) {
  return program + ".weights.safetensors";
}

/// The seal, if there is one.
static std::optional<std::string_view> findSeal(std::string_view image) {
  std::optional<std::string_view> seal =
      findSection(image, TERT_ARTIFACT_SEAL_SECTION);
  if (!seal || seal->size() < sealBytes ||
      seal->substr(0, magic.size()) != magic)
    return std::nullopt;
  return seal->substr(0, sealBytes);
}

bool tert::session::isProgramImage(std::string_view image) {
  if (findSeal(image))
    return true;
  for (const char *names : {".dynstr", ".strtab"})
    if (auto section = findSection(image, names))
      if (section->find(TERT_ARTIFACT_DESCRIPTION_SYMBOL) !=
          std::string_view::npos)
        return true;
  return false;
}

/// Digest of all of `image` except for the program's own digest in `seal`.
static std::string digestOfImage(std::string_view image,
                                 std::string_view seal) {
  const char *own = seal.data() + magic.size();
  const char *rest = own + Digest::textLength;
  Digest digest;
  digest.add(image.data(), static_cast<size_t>(own - image.data()));
  digest.add(rest, static_cast<size_t>(image.data() + image.size() - rest));
  return digest.text();
}

Error tert::session::sealProgram(std::string &image,
                                 const std::string &weights) {
  std::optional<std::string_view> seal = findSeal(image);
  if (!seal)
    return Error("the linker left out the section '" +
                 std::string(TERT_ARTIFACT_SEAL_SECTION) + "'");
  char *own = image.data() + (seal->data() - image.data()) + magic.size();
  std::string none = Digest::placeholder();
  std::memcpy(own + none.size(), weights.empty() ? none.data() : weights.data(),
              none.size());
  std::string digest = digestOfImage(image, *seal);
  std::memcpy(own, digest.data(), digest.size());
  return Error::success();
}

Expected<SealedProgram>
tert::session::checkSealedProgram(std::string_view image,
                                  const std::string &path) {
  if (std::string problem = findImageProblem(image); !problem.empty())
    return Error("'" + path + "' is not a complete artifact: " + problem +
                 "; compile it again with te-compile");
  std::optional<std::string_view> seal = findSeal(image);
  std::optional<std::string_view> description =
      findSection(image, TERT_ARTIFACT_DESCRIPTION_SECTION);
  if (!seal || !description)
    return Error(
        "'" + path +
        "' is a shared library, but not one that te-compile wrote" +
        (isProgramImage(image)
             ? std::string(", or one of another version: compile it again with "
                           "the te-compile of this runtime")
             : std::string()));
  std::string_view own = seal->substr(magic.size(), Digest::textLength);
  std::string_view weights = seal->substr(magic.size() + Digest::textLength);
  if (own == Digest::placeholder())
    return Error("'" + path +
                 "' has no digest: it was linked by something else than "
                 "te-compile, which seals what it links (--emit=so)");
  if (own != digestOfImage(image, *seal))
    return Error("'" + path +
                 "' is damaged: its bytes do not match its digest; compile it "
                 "again with te-compile");
  SealedProgram program;
  program.description = description->substr(0, description->find('\0'));
  program.seal = *seal;
  if (weights != Digest::placeholder())
    program.weights = weights;
  return program;
}
