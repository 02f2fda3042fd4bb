#!/usr/bin/python3
"""Opens a page of `weft profile --html` in Chromium's engine and prints as JSON what it shows: {"console": messages of
its scripts, "what", "where", "advice", "facts": texts, "schedules": table, "shown": [{"schedule", "title", "in_view",
"tables"}], one for each schedule's button with the steady state in view, "themes": the page's background in each}.

  read_page.py PAGE.html [--picture FILE.png] [--size WxH] [--theme dark]

--picture keeps what it looks like. Needs a display (xvfb-run)."""

import argparse
import json
import os
import sys
import tempfile

# The engine keeps things at home.
HOME = tempfile.TemporaryDirectory()
os.environ["HOME"] = os.environ["XDG_RUNTIME_DIR"] = HOME.name
# Software alone; the engine's sandbox refuses to work for root.
os.environ["QT_QUICK_BACKEND"] = "software"
os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = "--no-sandbox --disable-gpu"

from PyQt5.QtCore import QTimer, QUrl  # noqa: E402
from PyQt5.QtWebEngineWidgets import QWebEnginePage, QWebEngineView  # noqa: E402
from PyQt5.QtWidgets import QApplication  # noqa: E402

# What a reader would do: look, press each button, look again.
LOOK = """(() => {
  const text = (id) => document.getElementById(id).textContent;
  const cells = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
  const lines = (id) => document.getElementById(id) ? [...document.getElementById(id).children].map((e) => e.textContent) : [];
  const seen = {what: text("what"), where: text("where"), advice: lines("advice"), facts: lines("facts"),
    schedules: cells(document.getElementById("schedules")), shown: [], themes: []};
  for (const button of document.getElementById("choice").children) {
    button.click();
    document.getElementById("steady").click();
    seen.shown.push({schedule: button.textContent, title: text("detail-title"), in_view: text("in-view"),
      tables: [...document.querySelectorAll("#details table")].map(cells)});
  }
  for (let i = 0; i < 2; ++i) {
    seen.themes.push(getComputedStyle(document.body).backgroundColor);
    document.getElementById("theme").click();
  }
  return JSON.stringify(seen);
})()"""
DARK = """if (document.documentElement.dataset.theme !== "dark") document.getElementById("theme").click();"""


class Page(QWebEnginePage):
    """Keeps what scripts complain of."""

    def __init__(self):
        super().__init__()
        self.console = []

    def javaScriptConsoleMessage(self, level, message, line, source):
        self.console.append(f"line {line}: {message}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--picture")
    parser.add_argument("--size", default="1280x1600")
    parser.add_argument("--theme", default="light")
    options = parser.parse_args()
    app = QApplication([sys.argv[0]])
    view, page = QWebEngineView(), Page()
    view.setPage(page)
    view.resize(*map(int, options.size.split("x")))
    view.show()

    def end(seen):
        print(json.dumps({"console": page.console, **json.loads(seen)}))
        app.quit()

    def look():
        page.runJavaScript(LOOK, end)

    def picture():
        view.grab().save(options.picture)
        look()

    def loaded(ok):
        if not ok:
            sys.exit(f"{options.page} cannot be loaded")
        if not options.picture:
            look()
            return
        if options.theme == "dark":
            page.runJavaScript(DARK)
        QTimer.singleShot(500, picture)  # until it is painted

    view.loadFinished.connect(loaded)
    view.load(QUrl.fromLocalFile(os.path.abspath(options.page)))
    app.exec_()
    # The engine's threads are ended in the wrong order by Python's own end.
    sys.stdout.flush()
    HOME.cleanup()
    os._exit(0)


main()
