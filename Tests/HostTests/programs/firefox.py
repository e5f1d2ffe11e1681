"""Firefox with a text area, started with the text to hold. The page asks this program for orders and tells it what happens."""

import http.server
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

PAGE = """<!doctype html><meta charset=utf-8><title>desk</title><style>body{margin:0}
textarea{display:block;width:800px;height:420px;font:16px monospace;line-height:20px;padding:0;border:0;white-space:pre}</style>
<textarea id=area spellcheck=false autofocus></textarea><input id=secret type=password>
<script>
const area = document.getElementById('area'), secret = document.getElementById('secret')
const scalars = (text, utf16) => [...text.slice(0, utf16)].length
let released = 0, composing = false, last
area.value = TEXT
area.setSelectionRange(0, 0)
function state() {
  if (!composing) {
    const {selectionStart: start, selectionEnd: end, value: text} = area
    const back = area.selectionDirection == 'backward'
    last = {text, anchor: scalars(text, back ? end : start), caret: scalars(text, back ? start : end)}
  }
  return last
}
const told = []
let telling = false
async function tell(record) {
  told.push(JSON.stringify({...record, at: performance.timeOrigin + performance.now()}))
  if (telling) return
  telling = true
  while (told.length) await fetch('/tell', {method: 'POST', body: told.splice(0).join('\\n')})
  telling = false
}
let before = ''
function report() {
  const now = JSON.stringify(state())
  if (now != before) tell({e: 'state', ...last})
  before = now
}
area.addEventListener('compositionstart', () => { report(); composing = true })
area.addEventListener('compositionupdate', event => tell({e: 'preedit', text: event.data}))
area.addEventListener('compositionend', () => { composing = false; report() })
area.addEventListener('input', report)
document.addEventListener('selectionchange', report)
area.addEventListener('selectionchange', report)
document.addEventListener('keyup', () => { released += 1 })
const canvas = document.createElement('canvas').getContext('2d')
async function obey(order) {
  const answer = {}
  if (order.do == 'place') {
    const before = [...area.value].slice(0, order.offset).join('').split('\\n')
    canvas.font = getComputedStyle(area).font
    answer.x = Math.round(mozInnerScreenX + canvas.measureText(before.at(-1)).width - area.scrollLeft)
    answer.y = Math.round(mozInnerScreenY + 20 * before.length - 10 - area.scrollTop)
  } else if (order.do == 'clipboard') answer.clipboard = await navigator.clipboard.readText().catch(() => null)
  else if (order.do == 'copy') await navigator.clipboard.writeText(order.text)
  else if (order.do == 'focus') { (order.field == 'secret' ? secret : area).focus() }
  else await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
  tell({e: 'answer', n: order.n, released, secret: secret.value, ...state(), ...answer})
}
addEventListener('focus', () => tell({e: 'focus'}))
async function listen() {
  for (;;) await obey(await (await fetch('/order')).json())
}
area.focus()
report()
if (document.hasFocus()) tell({e: 'focus'})
tell({e: 'loaded'})
listen()
</script>"""

PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False, "browser.aboutwelcome.enabled": False, "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "toolkit.telemetry.enabled": False, "app.update.auto": False, "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "browser.safebrowsing.downloads.enabled": False, "extensions.update.enabled": False,
    "extensions.getAddons.cache.enabled": False, "services.settings.server": "http://127.0.0.1:9/", "browser.region.network.url": "",
    "privacy.reduceTimerPrecision": False, "dom.events.testing.asyncClipboard": True, "layout.spellcheckDefault": 0,
    "browser.sessionstore.resume_from_crash": False, "browser.translations.enable": False, "sidebar.revamp": False,
    "ui.key.menuAccessKeyFocuses": False, "general.smoothScroll": False, "trailhead.firstrun.didSeeAboutWelcome": True,
    "browser.preonboarding.enabled": False, "termsofuse.bypassNotification": True,
}

from reporting import on_wayland

orders = queue.Queue()
# What the page's clock, that of the day, is ahead of CLOCK_MONOTONIC.
AHEAD = time.time() - time.monotonic()


def write(record):
    sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def tell(record):
    record["t"] = record.pop("at") / 1000 - AHEAD
    if record["e"] == "loaded":
        if on_wayland():
            return write(dict(record, e="ready", window=None))
        window = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "desk"], capture_output=True, text=True)
        record = {"e": "ready", "window": int(window.stdout.split()[0])}
    write(record)


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/order":
            self.reply(orders.get(), "application/json")
        elif self.path == "/":
            self.reply(PAGE.replace("TEXT", json.dumps(sys.argv[1]), 1), "text/html; charset=utf-8")
        else:
            self.send_error(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.reply("", "text/plain")
        for line in body.split("\n"):
            tell(json.loads(line))

    def reply(self, body, kind):
        body = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


# Whoever ends this program ends the browser, and its profile goes.
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(dir=os.environ["HOME"], ignore_cleanup_errors=True) as profile:
    with open(os.path.join(profile, "user.js"), "w") as preferences:
        for name, value in PREFERENCES.items():
            preferences.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
    browser = subprocess.Popen(
        ["firefox-esr", "--no-remote", "--profile", profile, "--width", "1000", "--height", "700",
         f"http://127.0.0.1:{server.server_port}/"],
        env=dict(os.environ, MOZ_DISABLE_CONTENT_SANDBOX="1", MOZ_CRASHREPORTER_DISABLE="1"),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for line in sys.stdin:
            orders.put(line)
    finally:
        browser.terminate()
        try:
            browser.wait(10)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()
