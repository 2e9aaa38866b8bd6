# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line: python3 -m temlir_data tokenize, encode, decode."""

import argparse
import json
import os
import sys
import time

from . import DataError, decode_lines, encode_prompts, find_files, tokenize

_EXAMPLES = """examples:
  python3 -m temlir_data tokenize corpus.jsonl --tokenizer gpt2 -o train.bin
  python3 -m temlir_data tokenize parquet/ --tokenizer ./model --key content \\
      -o shards/
  te-run train gpt.so --data shards --steps 10000

Files: JSON lines (.jsonl, .ndjson, .json), .parquet (needs pyarrow), text; the
first and the last may be compressed (.gz). -o writes llm.c's format: a header,
then ids of 16 or 32 bits, which te-run recognises.
"""


def _fail(message):
    print(f"temlir_data: error: {message}", file=sys.stderr)
    return 1


class _Progress:
    """A line every second, on a terminal in one place."""

    def __init__(self):
        self._start = self._shown = time.monotonic()

    def __call__(self, documents, tokens):
        now = time.monotonic()
        if now - self._shown < 1:
            return
        self._shown = now
        rate = tokens / (now - self._start)
        line = f"{documents:,} documents  {tokens:,} tokens  {rate:,.0f} tokens/s"
        terminal = sys.stderr.isatty()
        end = "" if terminal else "\n"
        print(("\r\033[K" if terminal else "") + line, end=end, file=sys.stderr)

    @staticmethod
    def clear():
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)


def _is_tokens(path):
    """Whether a file is one that this program writes."""
    with open(path, "rb") as file:
        begin = file.read(4)
    return begin in (b"", *((n).to_bytes(4, "little") for n in (20240520, 20240801)))


def _encode(options):
    encoded = encode_prompts(options.texts, options.tokenizer)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(encoded, file)
        return
    for ids in encoded["prompts"]:
        print(",".join(map(str, ids)))


def _decode(options):
    if options.file == "-":
        lines = sys.stdin.readlines()
    else:
        with open(options.file, encoding="utf-8") as file:
            lines = file.readlines()
    for text in decode_lines(lines, options.tokenizer):
        print(text)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="temlir_data",
        description="Texts as tokens, for te-run train and te-run generate.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    which = {
        "required": True,
        "metavar": "NAME",
        "help": "a tokenizer.json, a folder with one, a model of the Hugging Face Hub, "
        "or bytes",
    }
    command = commands.add_parser("encode", help="prompts to ids, for te-run generate")
    command.add_argument("texts", nargs="+", metavar="TEXT")
    command.add_argument("--tokenizer", **which)
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="JSON: the ids of all prompts, and that of the token that ends texts",
    )
    command.set_defaults(run=_encode)
    command = commands.add_parser("decode", help="ids of te-run generate to text")
    command.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="lines of ids with commas between; - or none: the standard input",
    )
    command.add_argument("--tokenizer", **which)
    command.set_defaults(run=_decode)
    command = commands.add_parser(
        "tokenize",
        help="texts to tokens",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "files", nargs="+", metavar="FILE", help="files, folders, globs in quotes"
    )
    command.add_argument("--tokenizer", **which)
    command.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="the .bin file, or a folder (shards/) for several",
    )
    command.add_argument(
        "--key",
        default="text",
        metavar="NAME",
        help="of the text in a record, or the column (default text)",
    )
    command.add_argument(
        "--end",
        metavar="TOKEN",
        help="ends every document; without it the vocabulary's, such as "
        "<|endoftext|>; none for none",
    )
    command.add_argument("--workers", type=int, metavar="N", help="default: all cores")
    command.add_argument(
        "--shard-tokens",
        type=int,
        default=100_000_000,
        metavar="N",
        help="of a file in a folder (default 100000000)",
    )
    command.add_argument(
        "--force", action="store_true", help="replace a file that has no tokens"
    )
    options = parser.parse_args(arguments)
    if options.command != "tokenize":
        try:
            options.run(options)
        except (DataError, OSError) as error:
            return _fail(error)
        return 0
    for name in ("workers", "shard_tokens"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            return _fail(f"--{name.replace('_', '-')} takes a number above 0")
    output, progress = options.output, _Progress()
    try:
        files = find_files(options.files)
        if os.path.isfile(output):
            if any(os.path.samefile(output, file) for file in files):
                return _fail(f"'{output}' is one of the files that are read")
            if not options.force and not _is_tokens(output):
                return _fail(
                    f"'{output}' is there, and has no tokens; --force replaces it"
                )
        paths, documents, tokens = tokenize(
            files,
            options.tokenizer,
            output,
            key=options.key,
            end=options.end,
            workers=options.workers,
            shard_tokens=options.shard_tokens,
            progress=progress,
        )
    except (DataError, OSError) as error:
        progress.clear()
        return _fail(error)
    progress.clear()
    place = paths[0] if len(paths) == 1 else f"{output} ({len(paths)} files)"
    print(f"{place}: {tokens:,} tokens of {documents:,} documents")
    return 0


if __name__ == "__main__":
    sys.exit(main())
