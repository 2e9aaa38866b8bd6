# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows the page of a run in a browser: while the run goes it reloads itself, and
what the browser shows is what was written.

usage: page_in_browser.py TE_COMPILE TE_RUN MODEL.onnx

Exit code 77: there is no Chromium."""

import html.parser
import http.server
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class _Page(html.parser.HTMLParser):
    """Texts of cells, headings and elements of a document."""

    def __init__(self, text):
        super().__init__()
        self.cells, self.headings, self.tags, self._inside = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        self._inside = None

    def handle_data(self, data):
        if self._inside == "td":
            self.cells.append(data)
        elif self._inside == "h2":
            self.headings.append(data)

    def attributes(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def train(te_compile, te_run, model, folder):
    """The page of a run that goes, after some steps, and of the same run ended."""
    program, page = os.path.join(folder, "gpt.so"), os.path.join(folder, "run.html")
    text = os.path.join(folder, "text.txt")
    with open(text, "w", encoding="utf-8") as file:
        file.write("".join(f"{n} plus {n % 7} is {n + n % 7}\n" for n in range(2000)))
    subprocess.run([te_compile, model, "--init", "normal:0.02", "-o", program], check=True)
    command = [te_run, "train", program, "--data", text, "--steps", "100000", "--page", page]
    run = subprocess.Popen([*command, "--quiet"], stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 240
        running = ""
        while not re.search(r'<progress max="100000" value="[1-9]', running):
            if run.poll() is not None or time.monotonic() > end:
                sys.exit(f"no page of a run that goes: {running[:2000]}")
            time.sleep(0.2)
            running = read(page) if os.path.exists(page) else ""
    finally:
        run.send_signal(signal.SIGINT)
        run.wait()
    return running, read(page)


def serve(pages):
    """A server whose first answer is the first page, and so on; the last one stays."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/":
                self.send_error(404)
                return
            body = pages[min(len(asked), len(pages) - 1)].encode()
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, asked


def show(browser, address, milliseconds, folder):
    """The document that the browser has after so many milliseconds of its clock."""
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder}/profile",
        f"--virtual-time-budget={milliseconds}",
        "--dump-dom",
        address,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    if done.returncode:
        sys.exit(f"the browser failed: {done.stderr}")
    return done.stdout


def main(te_compile, te_run, model):
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if not browser:
        print("skipped: there is no Chromium")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        running, ended = train(te_compile, te_run, model, folder)
        server, asked = serve([running, ended])
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        first = show(browser, address, 1000, folder)
        assert len(asked) == 1 and "Running." in first, first[:2000]
        page = _Page(first)
        assert page.attributes("svg") and page.attributes("progress"), first[:2000]
        for cell in ("loss", "tokens/s", "left", "states"):
            assert cell in page.cells, (cell, page.cells)
        assert "Memory" in page.headings, page.headings
        # The browser has found no mistake to mend: as many elements as were written.
        assert len(_Page(running).attributes("tr")) == len(page.attributes("tr"))

        asked.clear()
        second = show(browser, address, 25000, folder)
        assert len(asked) == 2, f"{len(asked)} requests: the page does not reload itself"
        assert "The run has ended." in second, second[:2000]
        assert "left" not in _Page(second).cells
        server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
