# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import array
import contextlib
import gzip
import io
import json
import os
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from temlir_data import tokenize
from temlir_data.__main__ import main
from temlir_data.tokenize import configured_end


def read_tokens(path):
    """By the format's definition: 256 int32, then the tokens."""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, count = struct.unpack("<3i", data[:12])
    code = {(20240520, 1): "H", (20240801, 7): "I"}[magic, version]
    tokens = array.array(code, data[1024:])
    assert len(tokens) == count
    return list(tokens)


class Tokenize(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode()
        opened = gzip.open if name.endswith(".gz") else open
        with opened(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def run_tool(self, *arguments):
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            code = main(["tokenize", *arguments])
        return code, out.getvalue() + error.getvalue()

    def test_bytes_of_all_kinds_of_files(self):
        self.write("in/1.jsonl", '\ufeff{"text": "ab"}\n\n{"text": "ü", "id": 3}\n')
        self.write("in/2.txt", "line\nline")
        self.write("in/3.jsonl.gz", '"x"\n')
        self.write("in/notes.md", "not data")
        output = self.path("out.bin")
        code, text = self.run_tool(
            self.path("in"), "--tokenizer", "bytes", "-o", output, "--workers", "1"
        )
        self.assertEqual(code, 0, text)
        self.assertIn("18 tokens of 4 documents", text.replace(",", ""))
        expected = "ab\nü\nline\nline\nx\n".encode()
        self.assertEqual(read_tokens(output), list(expected))
        # Another time it replaces its own file, and no other.
        self.assertEqual(
            self.run_tool(
                self.path("in/2.txt"), "--tokenizer", "bytes", "--end", "none",
                "-o", output, "--workers", "1",
            )[0],
            0,
        )
        self.assertEqual(read_tokens(output), list(b"line\nline"))
        mine = self.write("mine", "mine")
        code, text = self.run_tool(
            self.path("in/2.txt"), "--tokenizer", "bytes", "-o", mine
        )
        self.assertEqual(code, 1)
        self.assertIn("--force", text)

    def test_folders_of_tokenizers(self):
        self.write("in.txt", "text")
        self.write("model/config.json", "{}")
        code, text = self.run_tool(
            self.path("in.txt"), "--tokenizer", self.path("model"), "-o", "out.bin"
        )
        self.assertEqual(code, 1)
        self.assertIn("has no tokenizer.json; transformers.AutoTokenizer", text)
        for config, end in (
            ({"eos_token": "</s>"}, "</s>"),
            ({"eos_token": {"content": "<end>", "special": True}}, "<end>"),
            ({"eos_token": None}, None),
            ({"eos_token": 3}, None),
            ({"eos_token": {}}, None),
            ({}, None),
            ([], None),
        ):
            self.write("model/tokenizer_config.json", json.dumps(config))
            self.assertEqual(configured_end(self.path("model")), end, config)
        self.write("model/tokenizer_config.json", "[" * 100000)
        self.assertIsNone(configured_end(self.path("model")))
        self.assertIsNone(configured_end("bytes"))

    def test_processes_keep_the_order(self):
        texts = [f"document {i} " + "x" * (i % 7) for i in range(500)]
        lines = "".join(json.dumps({"text": t}) + "\n" for t in texts)
        path = self.write("in.jsonl", lines)
        output = self.path("shards") + os.sep
        _, documents, tokens = tokenize(
            [path], "bytes", output, workers=2, shard_tokens=1000
        )
        self.assertEqual(documents, 500)
        names = sorted(os.listdir(output))
        self.assertEqual(names[0], "shard-00000.bin")
        shards = [read_tokens(os.path.join(output, name)) for name in names]
        expected = list("".join(t + "\n" for t in texts).encode())
        self.assertEqual(sum(shards, []), expected)
        self.assertEqual(tokens, len(expected))
        # Documents are whole.
        for shard in shards:
            self.assertEqual(shard[-1], ord("\n"))
        for shard in shards[:-1]:
            self.assertLess(len(shard), 1000 + 30)

    def test_what_cannot_be_read(self):
        def says(part, name, text, *more):
            path = self.write(name, text)
            output = self.path("never.bin")
            code, message = self.run_tool(
                path, "--tokenizer", "bytes", "-o", output, "--workers", "1", *more
            )
            self.assertEqual(code, 1)
            self.assertIn(part, message)
            self.assertFalse(os.path.exists(output))
            self.assertFalse(os.path.exists(output + ".tmp"))

        says("line 2 of", "a.jsonl", '{"text": "a"}\n{"text": \n')
        says("its keys are body", "a.jsonl", '{"body": "a"}\n')
        says("it is no object", "a.jsonl", "[1]\n")
        says("no text called 'body'", "a.jsonl", '{"body": 3}', "--key", "body")
        says("is not UTF-8", "a.jsonl", b'{"text": "\xff"}')
        says("not UTF-8 at byte 2", "a.txt", b"ab\xffd")
        says("no text in the data", "a.txt", "")
        says("has no token 'ab'", "a.txt", "x", "--end", "ab")
        says("line 1 of", "a.jsonl", "[" * 100000)
        path = self.write("b.txt", "x")
        with open(self.write("c.jsonl.gz", '{"text": "abc"}'), "rb") as file:
            cut = file.read()[:-6]
        with open(self.path("c.jsonl.gz"), "wb") as file:
            file.write(cut)
        code, message = self.run_tool(
            self.path("c.jsonl.gz"), "--tokenizer", "bytes", "-o", self.path("c"),
            "--workers", "1",
        )
        self.assertEqual((code, "cannot read" in message), (1, True))
        code, message = self.run_tool(
            self.path("none*"), "--tokenizer", "bytes", "-o", self.path("o")
        )
        self.assertEqual((code, "is no file" in message), (1, True))
        code, message = self.run_tool(path, "--tokenizer", "bytes", "-o", path)
        self.assertEqual((code, "files that are read" in message), (1, True))

    def test_a_trained_tokenizer(self):
        try:
            from tokenizers import Tokenizer, models, pre_tokenizers
        except ImportError:
            self.skipTest("tokenizers is not installed")
        words = {"<|endoftext|>": 0, "one": 1, "two": 2, "[UNK]": 3}
        # Beyond 16 bits.
        words.update({f"word{i}": i for i in range(4, 70000)})
        tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.save(self.path("tokenizer.json"))
        path = self.write("a.jsonl", '{"text": "one word69999"}\n{"text": "x two"}\n')
        output = self.path("out.bin")
        # The folder of a model; its vocabulary says what ends a document.
        code, text = self.run_tool(path, "--tokenizer", self.folder, "-o", output)
        self.assertEqual(code, 0, text)
        self.assertEqual(read_tokens(output), [1, 69999, 0, 3, 2, 0])

    def test_parquet(self):
        path = self.write("a.parquet", b"PAR1 damaged")
        code, text = self.run_tool(path, "--tokenizer", "bytes", "-o", self.path("o"))
        self.assertEqual(code, 1)
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            self.assertIn("pip install pyarrow", text)
            return
        self.assertIn("cannot read", text)
        table = pyarrow.table({"text": ["a", None, "b"], "id": [1, 2, 3]})
        pyarrow.parquet.write_table(table, path)
        output = self.path("out.bin")
        tokenize([path], "bytes", output, workers=1)
        self.assertEqual(read_tokens(output), list(b"a\nb\n"))
        code, text = self.run_tool(
            path, "--tokenizer", "bytes", "--key", "body", "-o", output
        )
        self.assertIn("its columns are text, id", text)


class Prompts(unittest.TestCase):
    """encode and decode."""

    def run_tool(self, *arguments, given=""):
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            before, sys.stdin = sys.stdin, io.StringIO(given)
            try:
                code = main(list(arguments))
            finally:
                sys.stdin = before
        return code, out.getvalue() + error.getvalue()

    def test_bytes(self):
        code, text = self.run_tool("encode", "ab", "\u00fc", "--tokenizer", "bytes")
        self.assertEqual((code, text), (0, "97,98\n195,188\n"))
        code, text = self.run_tool("decode", "--tokenizer", "bytes", given=text)
        self.assertEqual((code, text), (0, "ab\n\u00fc\n"))

    def test_invalid_ids(self):
        code, text = self.run_tool("decode", "--tokenizer", "bytes", given="97,256\n")
        self.assertEqual(code, 1)
        self.assertIn("has ids 0 to 255, not 256", text)
        code, text = self.run_tool("decode", "--tokenizer", "bytes", given="97,x\n")
        self.assertEqual(code, 1)
        self.assertIn("'97,x' is not ids with commas between", text)

    def test_special_tokens(self):
        """The tokenizer's own begin and end: the end is left out of a prompt."""
        try:
            from tokenizers import Tokenizer, models, pre_tokenizers, processors
        except ImportError:
            self.skipTest("needs tokenizers")
        words = {"<s>": 0, "</s>": 1, "a": 2, "b": 3}
        tokenizer = Tokenizer(models.WordLevel(words, unk_token="<s>"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.add_special_tokens(["<s>", "</s>"])
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tokenizer.json")
            tokenizer.save(path)
            output = os.path.join(folder, "prompts.json")
            code, text = self.run_tool(
                "encode", "a b a", "--tokenizer", path, "-o", output
            )
            self.assertEqual((code, text), (0, ""))
            with open(output) as file:
                self.assertEqual(json.load(file), {"prompts": [[0, 2, 3, 2]], "end": 1})
            code, text = self.run_tool("decode", "--tokenizer", path, given="0,2,3,1\n")
            self.assertEqual((code, text), (0, "a b\n"))


if __name__ == "__main__":
    unittest.main()
