# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_report.py REPORT.json REPORT.html REPORT.md: the three forms of a
report tell the same, the JSON has the fields of docs/report.md and figures that
fit its shapes, and the page is one file of well-formed HTML that loads and runs
nothing."""

import json
import math
import re
import sys
from html.parser import HTMLParser

number = (int, float)
maybe = (int, float, type(None))
PRODUCT = {"product": str, "precision": str, "operands": [[int]],
           "result": [int], "formats": str, "flops": number, "seconds": maybe}
REPORT = {
    "format": str, "version": int, "compiler": str, "model": str, "target": str,
    "device": (str, type(None)),
    "entries": [{"entry": str, "products": int, "fp8_products": int,
                 "flops": number, "fp8_flops": number, "seconds": maybe,
                 "arena_bytes": maybe}],
    "products": [dict(PRODUCT, entry=str, layer=str, decision=str, reason=str,
                      suggestion=str, arguments=dict)],
    "decisions": [{"pass": str, "where": str, "what": str, "done": bool,
                   "text": str, "suggestion": str, "arguments": dict}],
    "sensitivity": [{"layer": str, "precision": str, "adds_to_loss": number,
                     "quality": (str, type(None)), "relative_error": dict,
                     "tensors": dict}],
    "graphs": [{"entry": str, "ops": list}],
    "costs": [{"entry": str, "kernels": [{
        "kernel": str, "calls": int, "seconds": number,
        "floor_seconds": number, "unknown_calls": int, "figures": str}]}],
    "parameters": {"trained": int, "trained_elements": int,
                   "frozen_elements": int,
                   "frozen": [{"name": str, "shape": [int]}]},
    "slots": [{"name": str, "format": str}],
    "plan": (dict, type(None)),
}
OP = {"kernel": str, "path": str, "phase": str, "seconds": maybe}


def check_fields(value, fields, path):
    if isinstance(fields, dict):
        assert value.keys() == fields.keys(), (path, value.keys())
        for key, kind in fields.items():
            check_fields(value[key], kind, path + "." + key)
    elif isinstance(fields, list):
        for index, element in enumerate(value):
            check_fields(element, fields[0], f"{path}[{index}]")
    else:
        assert isinstance(value, fields), (path, value)


def check_products(report):
    """FLOPs from shapes, and the sums of each entry."""
    sums = {}
    for product in report["products"]:
        # Each dimension is in two of the three matrices.
        sizes = 1
        for shape in (*product["operands"], product["result"]):
            for size in shape:
                sizes *= size
        assert 2 * math.isqrt(sizes) == product["flops"], product
        entry = sums.setdefault(product["entry"], [0, 0, 0, 0])
        isFp8 = product["precision"] == "fp8"
        entry[0] += 1
        entry[1] += isFp8
        entry[2] += product["flops"]
        entry[3] += product["flops"] * isFp8
        if isFp8:
            assert re.fullmatch("e[45]m[23] x e[45]m[23] -> (bf16|f32)",
                                product["formats"]), product
        else:
            assert product["reason"], product
    for entry in report["entries"]:
        assert sums.pop(entry["entry"], [0, 0, 0, 0]) == [
            entry[key] for key in ("products", "fp8_products", "flops",
                                   "fp8_flops")], entry
    assert not sums


class Page(HTMLParser):
    """Its text; fails on what is not closed, and on what loads or runs."""
    VOID = ("meta", "wbr", "br")

    def __init__(self):
        super().__init__()
        self.open, self.text, self.titles = [], [], []

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe", "object", "base",
                           "form", "a"), tag
        for name, value in attributes:
            assert not name.startswith("on"), (tag, name)
            assert name not in ("src", "href", "xlink:href"), (tag, name)
            assert "url(" not in (value or ""), (tag, value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            assert "@import" not in data and "url(" not in data
        else:
            (self.titles if self.open and self.open[-1] == "title"
             else self.text).append(data)


def check_page(text, report):
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert "default-src 'none'" in text
    assert text.startswith("<!DOCTYPE html>")
    shown = "".join(page.text).replace("→", "->")
    for product in report["products"]:
        for key in ("formats", "reason", "suggestion"):
            assert product[key] in shown, (key, product)
    for entry in report["costs"]:
        for kernel in entry["kernels"]:
            assert f"{kernel['seconds'] * 1e6:.1f}" in shown, kernel
    assert len(re.findall("<svg role", text)) == len(report["graphs"])
    # A box of a picture says everything.
    titles = "".join(page.titles)
    for graph in report["graphs"]:
        for op in graph["ops"]:
            assert op.get("formats", op["kernel"]) in titles, op
    return shown


report = json.load(open(sys.argv[1]))
check_fields(report, REPORT, "report")
assert (report["format"], report["version"]) == ("te-report", 1)
for graph in report["graphs"]:
    for op in graph["ops"]:
        check_fields(op, dict(OP, **PRODUCT) if "product" in op else OP, "op")
        assert op["phase"] in ("forward", "backward", "update")
check_products(report)
shown = check_page(open(sys.argv[2], encoding="utf-8").read(), report)
markdown = open(sys.argv[3], encoding="utf-8", errors="replace").read()
fp8 = sum(p["precision"] == "fp8" for p in report["products"])
assert f"{fp8} of {len(report['products'])} products are FP8" in markdown
for name in sys.argv[4:]:
    assert name in shown, name
    assert name in markdown, name
    assert any(name in p["layer"] for p in report["products"]), name
