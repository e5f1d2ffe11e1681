"""The page to play with in a real browser, driven by real key, mouse and composition events."""

import shutil
import time

from chromium import Chromium
from conftest import PATIENCE


def missing():
    """Why no browser can be had here; None where one can."""
    return None if program() else "needs chromium"


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser(Chromium):
    """The page at that address."""

    def __init__(self, address):
        super().__init__(program(), 1000, 800)
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && !!document.getElementById('area')")
        self.call("Page.bringToFront")

    def until(self, expression):
        """Waits until the page says so."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < deadline, expression
            time.sleep(0.01)
        return value

    def compose(self, text):
        self.call("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))

    def commit(self, text):
        self.call("Input.insertText", text=text)

    def click(self, x, y, count=1):
        for kind, buttons in [("mousePressed", 1), ("mouseReleased", 0)]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=count)
