/* Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C interface: what compiles, what is refused, and who hears of it.
 */
#include "te-c/Compilation.h"
#include "te-c/Dialects.h"
#include "te-c/Passes.h"
#include "te-c/Registration.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model[] =
    "func.func @forward(%x: tensor<64x128xf32> {te.input = \"x\"},\n"
    "    %w: tensor<32x128xf32> {te.param = \"w\"})\n"
    "    -> (tensor<64x32xf32> {te.output = \"y\"}) {\n"
    "  %t = tensor.empty() : tensor<128x32xf32>\n"
    "  %wt = linalg.transpose ins(%w : tensor<32x128xf32>)\n"
    "      outs(%t : tensor<128x32xf32>) permutation = [1, 0]\n"
    "  %y = te.matmul %x, %wt\n"
    "    : tensor<64x128xf32>, tensor<128x32xf32> -> tensor<64x32xf32>\n"
    "  return %y : tensor<64x32xf32>\n"
    "}\n";

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

/* Like CHECK(status == expected), with what the compilation says. */
#define EXPECT(compilation, call, expected)                                    \
  do {                                                                         \
    TeStatus status = (call);                                                  \
    if (status != (expected)) {                                                \
      fprintf(stderr, "%s:%d: %s is %d: %s\n", __FILE__, __LINE__, #call,      \
              (int)status, teCompilationGetMessage(compilation));              \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

#define SAYS(compilation, text)                                                \
  CHECK(strstr(teCompilationGetMessage(compilation), text))

typedef struct Text {
  char *data;
  size_t size;
} Text;

static void append(MlirStringRef piece, void *userData) {
  Text *text = userData;
  text->data = realloc(text->data, text->size + piece.length + 1);
  memcpy(text->data + text->size, piece.data, piece.length);
  text->size += piece.length;
  text->data[text->size] = 0;
}

typedef struct Heard {
  int errors, notes;
  char place[256], message[1024];
} Heard;

static void hear(TeSeverity severity, const char *location, const char *message,
                 void *userData) {
  Heard *heard = userData;
  heard->errors += severity == TE_SEVERITY_ERROR;
  heard->notes += severity == TE_SEVERITY_NOTE;
  if (severity != TE_SEVERITY_ERROR)
    return;
  snprintf(heard->place, sizeof heard->place, "%s", location);
  snprintf(heard->message, sizeof heard->message, "%s", message);
}

/* A compilation of the model above, with entry forward in f32. */
static TeCompilation *makeForward(MlirContext context, const char *emit) {
  TeCompilation *compilation = teCompilationCreate(context);
  EXPECT(compilation, teCompilationSetOption(compilation, "entry", "forward"),
         TE_STATUS_OK);
  EXPECT(compilation, teCompilationSetOption(compilation, "precision", "f32"),
         TE_STATUS_OK);
  EXPECT(compilation, teCompilationSetOption(compilation, "init", "zeros"),
         TE_STATUS_OK);
  EXPECT(compilation, teCompilationSetOption(compilation, "emit", emit),
         TE_STATUS_OK);
  return compilation;
}

static void testText(MlirContext context) {
  TeCompilation *compilation = makeForward(context, "te");
  CHECK(mlirModuleIsNull(teCompilationGetModule(compilation)));
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "m.mlir", model, sizeof model - 1),
      TE_STATUS_OK);
  CHECK(!mlirModuleIsNull(teCompilationGetModule(compilation)));
  EXPECT(compilation, teCompilationRun(compilation), TE_STATUS_OK);
  Text text = {NULL, 0};
  EXPECT(compilation, teCompilationEmitToCallback(compilation, append, &text),
         TE_STATUS_OK);
  /* te-raise has made the transpose a part of the product. */
  CHECK(text.data && strstr(text.data, "te.matmul"));
  CHECK(text.data && strstr(text.data, "transpose_b"));
  CHECK(text.data && !strstr(text.data, "linalg.transpose"));
  free(text.data);
  teCompilationDestroy(compilation);
}

/* What is trained is an option like any other. */
static void testFrozen(MlirContext context) {
  TeCompilation *compilation = makeForward(context, "te");
  EXPECT(compilation, teCompilationSetOption(compilation, "freeze", "w"),
         TE_STATUS_OK);
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "m.mlir", model, sizeof model - 1),
      TE_STATUS_OK);
  EXPECT(compilation, teCompilationRun(compilation), TE_STATUS_OK);
  Text text = {NULL, 0};
  EXPECT(compilation, teCompilationEmitToCallback(compilation, append, &text),
         TE_STATUS_OK);
  CHECK(text.data && strstr(text.data, "te.frozen"));
  free(text.data);
  teCompilationDestroy(compilation);

  compilation = makeForward(context, "te");
  EXPECT(compilation, teCompilationSetOption(compilation, "train-only", "v"),
         TE_STATUS_OK);
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "m.mlir", model, sizeof model - 1),
      TE_STATUS_FAILED);
  SAYS(compilation, "--train-only='v' matches no parameter");
  teCompilationDestroy(compilation);
}

static void testArtifact(MlirContext context, const char *folder) {
  char path[4096];
  TeCompilation *compilation = makeForward(context, "so");
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "m.mlir", model, sizeof model - 1),
      TE_STATUS_OK);
  EXPECT(compilation, teCompilationRun(compilation), TE_STATUS_OK);
  Text text = {NULL, 0};
  EXPECT(compilation, teCompilationEmitToCallback(compilation, append, &text),
         TE_STATUS_FAILED);
  SAYS(compilation, "a shared library is written by a linker");
  snprintf(path, sizeof path, "%s/absent/m.so", folder);
  EXPECT(compilation, teCompilationEmitFile(compilation, path),
         TE_STATUS_FAILED);
  SAYS(compilation, "absent/m.so");
  snprintf(path, sizeof path, "%s/m.so", folder);
  remove(path);
  EXPECT(compilation, teCompilationEmitFile(compilation, path), TE_STATUS_OK);
  FILE *file = fopen(path, "rb");
  char magic[4] = {0};
  CHECK(file && fread(magic, 1, 4, file) == 4 && !memcmp(magic, "\177ELF", 4));
  if (file)
    fclose(file);
  teCompilationDestroy(compilation);
}

static void testErrors(MlirContext context) {
  TeCompilation *compilation = teCompilationCreate(context);
  CHECK(!strcmp(teCompilationGetMessage(compilation), ""));
  EXPECT(compilation, teCompilationSetOption(compilation, "precision", "fp9"),
         TE_STATUS_WRONG_USAGE);
  SAYS(compilation, "use fp8, bf16, f32");
  EXPECT(compilation, teCompilationSetOption(compilation, "entri", "train"),
         TE_STATUS_WRONG_USAGE);
  SAYS(compilation, "did you mean 'entry'?");
  EXPECT(compilation, teCompilationRun(compilation), TE_STATUS_WRONG_USAGE);
  EXPECT(compilation, teCompilationEmitFile(compilation, NULL),
         TE_STATUS_WRONG_USAGE);

  /* Options that contradict each other can be set right. */
  EXPECT(compilation, teCompilationSetOption(compilation, "loss", "none"),
         TE_STATUS_OK);
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "m.mlir", model, sizeof model - 1),
      TE_STATUS_WRONG_USAGE);
  SAYS(compilation, "need a loss");
  EXPECT(compilation, teCompilationSetOption(compilation, "entry", "forward"),
         TE_STATUS_OK);
  EXPECT(compilation, teCompilationLoadFile(compilation, "/absent/model.onnx"),
         TE_STATUS_FAILED);
  SAYS(compilation, "/absent/model.onnx");
  EXPECT(compilation, teCompilationSetOption(compilation, "entry", "train"),
         TE_STATUS_WRONG_USAGE);
  SAYS(compilation, "options are set before a model is loaded");
  teCompilationDestroy(compilation);
  teCompilationDestroy(NULL);

  /* Diagnostics have places, and the callback hears them. */
  static const char wrong[] = "func.func @forward() {\n  te.nothing\n}\n";
  Heard heard = {0};
  compilation = makeForward(context, "te");
  teCompilationSetDiagnosticCallback(compilation, hear, &heard);
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "w.mlir", wrong, sizeof wrong - 1),
      TE_STATUS_FAILED);
  CHECK(heard.errors == 2);
  SAYS(compilation, "\"w.mlir\":2:3: ");
  SAYS(compilation, "te.nothing");
  SAYS(compilation, "neither an ONNX model nor MLIR");
  CHECK(!strcmp(heard.place, ""));
  teCompilationDestroy(compilation);

  /* Ops of dialects that are not known are named, also those with regions. */
  static const char unknown[] =
      "func.func @forward(%x: tensor<4xf32> {te.input = \"x\"},\n"
      "    %w: tensor<4xf32> {te.param = \"w\"}) -> tensor<4xf32> {\n"
      "  %0 = \"other.sort\"(%x) ({\n"
      "  ^bb0(%a: f32):\n"
      "    \"other.yield\"(%a) : (f32) -> ()\n"
      "  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  %1 = \"other.sum\"(%0, %w)\n"
      "    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %1 : tensor<4xf32>\n"
      "}\n";
  compilation = makeForward(context, "te");
  EXPECT(compilation,
         teCompilationLoadBuffer(compilation, "u.mlir", unknown,
                                 sizeof unknown - 1),
         TE_STATUS_FAILED);
  SAYS(compilation, "other.sort x1, other.sum x1");
  teCompilationDestroy(compilation);

  /* Plugins are loaded before the model. */
  compilation = makeForward(context, "te");
  EXPECT(compilation,
         teCompilationSetOption(compilation, "load-dialect-plugin",
                                "/absent/plugin.so"),
         TE_STATUS_OK);
  EXPECT(
      compilation,
      teCompilationLoadBuffer(compilation, "m.mlir", model, sizeof model - 1),
      TE_STATUS_WRONG_USAGE);
  SAYS(compilation, "cannot load '/absent/plugin.so'");
  teCompilationDestroy(compilation);
}

/* Our passes through MLIR's own C interface. */
static void testPasses(MlirContext context) {
  teRegisterAllPasses();
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(model, sizeof model - 1));
  CHECK(!mlirModuleIsNull(module));
  MlirPassManager passes = mlirPassManagerCreate(context);
  Text complaints = {NULL, 0};
  CHECK(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes),
      mlirStringRefCreateFromCString("builtin.module(te-raise)"), append,
      &complaints)));
  CHECK(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))));
  Text text = {NULL, 0};
  mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
  CHECK(text.data && strstr(text.data, "transpose_b"));
  free(text.data);
  free(complaints.data);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
}

/* One pass, made by its own function, with the defaults of its options. */
static void testOnePass(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(
      context, mlirStringRefCreate(model, sizeof model - 1));
  MlirPassManager passes = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(passes, mlirCreateTETERaise());
  CHECK(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module))));
  Text text = {NULL, 0};
  mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
  CHECK(text.data && strstr(text.data, "transpose_b"));
  free(text.data);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
}

/* Before anything else is registered: one pass becomes known by its name, and
 * no other; then a group. */
static void testRegistration(MlirContext context) {
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirOpPassManager top = mlirPassManagerGetAsOpPassManager(passes);
  Text complaints = {NULL, 0};
  MlirStringRef both = mlirStringRefCreateFromCString(
      "builtin.module(te-to-tert,tert-plan-memory)");
  mlirRegisterTEConversionTEToTERT();
  CHECK(mlirLogicalResultIsFailure(
      mlirParsePassPipeline(top, both, append, &complaints)));
  CHECK(complaints.data && strstr(complaints.data, "'tert-plan-memory'"));
  CHECK(complaints.data && !strstr(complaints.data, "'te-to-tert'"));
  mlirRegisterTERTPasses();
  CHECK(mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(top, both, append, &complaints)));
  free(complaints.data);
  mlirPassManagerDestroy(passes);
}

static void ignore(MlirStringRef piece, void *userData) {}

static MlirLogicalResult keepQuiet(MlirDiagnostic diagnostic, void *userData) {
  mlirDiagnosticPrint(diagnostic, ignore, NULL);
  return mlirLogicalResultSuccess();
}

/* Dialects one by one, in a context that has none of ours. */
static void testHandles(void) {
  MlirContext context = mlirContextCreate();
  mlirContextAttachDiagnosticHandler(context, keepQuiet, NULL, NULL);
  MlirStringRef recipe =
      mlirStringRefCreateFromCString("#te.delayed_scaling<history = 16>");
  CHECK(mlirAttributeIsNull(mlirAttributeParseGet(context, recipe)));
  MlirDialectHandle te = mlirGetDialectHandle__te__();
  MlirDialectHandle tert = mlirGetDialectHandle__tert__();
  CHECK(!mlirDialectIsNull(mlirDialectHandleLoadDialect(te, context)));
  CHECK(!mlirAttributeIsNull(mlirAttributeParseGet(context, recipe)));
  CHECK(mlirStringRefEqual(mlirDialectHandleGetNamespace(te),
                           mlirStringRefCreateFromCString("te")));
  CHECK(mlirStringRefEqual(mlirDialectHandleGetNamespace(tert),
                           mlirStringRefCreateFromCString("tert")));
  mlirContextDestroy(context);

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirDialectHandleInsertDialect(tert, registry);
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  CHECK(!mlirDialectIsNull(mlirContextGetOrLoadDialect(
      context, mlirStringRefCreateFromCString("tert"))));
  mlirContextDestroy(context);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  CHECK(strchr(teGetVersion(), '.'));
  MlirContext context = teContextCreate();
  testRegistration(context);
  testHandles();
  testText(context);
  testFrozen(context);
  testArtifact(context, argv[1]);
  testErrors(context);
  testPasses(context);
  testOnePass(context);
  mlirContextDestroy(context);

  /* A context of somebody else's, with our dialects. */
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  teRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  testText(context);
  mlirContextDestroy(context);
  if (failures == 0)
    puts("all is well");
  return failures != 0;
}
