# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts to tokens, in as many processes as there are cores, in order."""

import array
import json
import multiprocessing
import os
import struct
import sys

from .documents import DataError, read_documents

# Headers of llm.c's files (dev/data/data_common.py): magic, version, by the bytes of
# a token; then the number of tokens; 256 int32 in all.
_HEADERS = {2: (20240520, 1), 4: (20240801, 7)}
_HEADER_BYTES = 256 * 4
_MOST_TOKENS = 2**31 - 1

# Characters of the texts that a process gets at a time.
_CHUNK = 1 << 20

# What usually ends a document, in the order in which it is looked for.
_ENDS = (
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "</s>",
    "<eos>",
    "[SEP]",
)


class _Bytes:
    """Every byte of the text in UTF-8 is a token."""

    @staticmethod
    def get_vocab_size():
        return 256

    @staticmethod
    def token_to_id(text):
        data = text.encode()
        return data[0] if len(data) == 1 else None

    @staticmethod
    def encode_many(texts):
        return [list(text.encode()) for text in texts]

    @staticmethod
    def encode_prompt(text):
        return list(text.encode())

    @staticmethod
    def decode(ids):
        return bytes(ids).decode(errors="replace")


class _Trained:
    """One of the package tokenizers."""

    def __init__(self, tokenizer):
        self._tokenizer = tokenizer
        self.token_to_id = tokenizer.token_to_id

    def get_vocab_size(self):
        return self._tokenizer.get_vocab_size()

    def encode_many(self, texts):
        encoded = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return [one.ids for one in encoded]

    def encode_prompt(self, text):
        """With the tokens that the tokenizer puts around a text by itself."""
        return self._tokenizer.encode(text).ids

    def decode(self, ids):
        return self._tokenizer.decode(ids)


def load_tokenizer(name):
    """The tokenizer called `name`: "bytes", a tokenizer.json or a folder with one,
    or a model of the Hugging Face Hub. Raises DataError if there is none."""
    if name == "bytes":
        return _Bytes()
    path = os.path.join(name, "tokenizer.json") if os.path.isdir(name) else name
    if os.path.isdir(name) and not os.path.exists(path):
        raise DataError(
            f"'{name}' has no tokenizer.json; "
            "transformers.AutoTokenizer.from_pretrained(FOLDER).save_pretrained(FOLDER) "
            "writes one"
        )
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise DataError(
            "the package tokenizers is not installed: pip install tokenizers"
        ) from error
    try:
        if os.path.exists(path):
            return _Trained(Tokenizer.from_file(path))
        return _Trained(Tokenizer.from_pretrained(name))
    except Exception as error:  # The package raises Exception itself.
        raise DataError(f"cannot load the tokenizer '{name}': {error}") from error


class TokenWriter:
    """Writes one file of tokens, with llm.c's header, which says how wide they are.
    It appears under its name when it is complete."""

    def __init__(self, path, width):
        self.path, self.width, self.count = path, width, 0
        self._code = {2: "H", 4: "I"}[width]
        self._file = open(path + ".tmp", "wb")
        self._file.write(bytes(_HEADER_BYTES))

    def write(self, ids):
        tokens = array.array(self._code, ids)
        if sys.byteorder == "big":
            tokens.byteswap()
        self.count += len(tokens)
        if self.count > _MOST_TOKENS:
            raise DataError(
                f"'{self.path}' would have more than {_MOST_TOKENS} tokens; give a "
                "folder to -o, for several files"
            )
        tokens.tofile(self._file)

    def commit(self):
        self._file.seek(0)
        self._file.write(struct.pack("<3i", *_HEADERS[self.width], self.count))
        self._file.close()
        os.replace(self.path + ".tmp", self.path)

    def abandon(self):
        self._file.close()
        os.unlink(self.path + ".tmp")


# Of a worker process.
_tokenizer = None


def _start_worker(name):
    global _tokenizer
    # One thread in each process.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    _tokenizer = load_tokenizer(name)


def _encode(texts):
    return _tokenizer.encode_many(texts)


def _chunks(files, key):
    """Lists of texts, and the file of their last one."""
    texts, size = [], 0
    for path in files:
        for text in read_documents(path, key):
            texts.append(text)
            size += len(text)
            if size >= _CHUNK:
                yield texts
                texts, size = [], 0
    if texts:
        yield texts


def configured_end(name):
    """The token that ends texts in the configuration of a folder's tokenizer; None
    if it does not say."""
    try:
        with open(os.path.join(name, "tokenizer_config.json"), encoding="utf-8") as file:
            end = json.load(file)["eos_token"]
        end = end["content"] if isinstance(end, dict) else end
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return end if isinstance(end, str) and end else None


def find_end(tokenizer, end):
    """The id of the token that ends documents; None for none."""
    if end == "none":
        return None
    if isinstance(tokenizer, _Bytes) and end is None:
        end = "\n"
    for text in (end,) if end is not None else _ENDS:
        found = tokenizer.token_to_id(text)
        if found is not None:
            return found
    raise DataError(
        f"the tokenizer has no token '{end}'"
        if end is not None
        else "which token ends a document is not known: give it with --end, or "
        "--end none"
    )


def tokenize(
    files,
    tokenizer,
    output,
    key="text",
    end=None,
    workers=None,
    shard_tokens=100_000_000,
    progress=None,
):
    """Writes the tokens of all documents in `files`, in order, each followed by the
    token `end` (found in the vocabulary if None, "none" for none), to the file
    `output`, or, if that is a folder or ends in "/", to shard-00000.bin and so on
    in it, of about `shard_tokens` tokens. Documents are not split between files.

    `tokenizer` is a name for load_tokenizer(). `workers` processes, as many as
    there are cores if None; the result does not depend on it. `progress(documents,
    tokens)` is called now and then. Returns the paths, and the numbers of documents
    and tokens. Raises DataError; then nothing that was there is changed, except
    that complete shards stay."""
    loaded = load_tokenizer(tokenizer)
    width = 2 if loaded.get_vocab_size() <= 1 << 16 else 4
    ending = find_end(loaded, end or configured_end(tokenizer))
    in_folder = output.endswith(os.sep) or os.path.isdir(output)
    if in_folder:
        os.makedirs(output, exist_ok=True)
    paths, documents, tokens, writer = [], 0, 0, None

    def start():
        name = f"shard-{len(paths):05}.bin"
        paths.append(os.path.join(output, name) if in_folder else output)
        return TokenWriter(paths[-1], width)

    context = multiprocessing.get_context("spawn")
    count = workers or os.cpu_count() or 1
    pool = context.Pool(count, _start_worker, (tokenizer,)) if count > 1 else None
    if pool is None:
        _start_worker(tokenizer)
    try:
        chunks = _chunks(files, key)
        encoded = _bounded(pool, chunks, 2 * count) if pool else map(_encode, chunks)
        for texts in encoded:
            for ids in texts:
                if writer is None:
                    writer = start()
                before = writer.count
                writer.write(ids)
                if ending is not None:
                    writer.write((ending,))
                tokens += writer.count - before
                documents += 1
                if in_folder and writer.count >= shard_tokens:
                    writer.commit()
                    writer = None
            if progress:
                progress(documents, tokens)
        if writer is None and not paths:
            raise DataError("there is no text in the data")
        if writer is not None:
            done, writer = writer, None
            done.commit()
    finally:
        if writer is not None:
            writer.abandon()
        if pool:
            pool.terminate()
    return paths, documents, tokens


def _bounded(pool, chunks, limit):
    """Like pool.imap, but with at most `limit` chunks read ahead: imap would read
    all of the data into memory."""
    waiting = []
    for chunk in chunks:
        waiting.append(pool.apply_async(_encode, (chunk,)))
        if len(waiting) >= limit:
            yield waiting.pop(0).get()
    for result in waiting:
        yield result.get()
