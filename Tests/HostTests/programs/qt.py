"""A text editor of Qt 6 or 5 (`qt.py 6 TEXT`): QPlainTextEdit."""

import json
import sys

if sys.argv[1] == "6":
    from PyQt6 import QtCore, QtGui, QtWidgets
else:
    from PyQt5 import QtCore, QtGui, QtWidgets

from reporting import Reporter

reporter = Reporter()
application = QtWidgets.QApplication(["qt" + sys.argv[1]])
window = QtWidgets.QWidget()
window.resize(640, 420)
edit = QtWidgets.QPlainTextEdit()
edit.setCursorWidth(1)
secret = QtWidgets.QLineEdit()
secret.setEchoMode(QtWidgets.QLineEdit.EchoMode.Password)
layout = QtWidgets.QVBoxLayout(window)
layout.setContentsMargins(0, 0, 0, 0)
layout.addWidget(edit)
layout.addWidget(secret)


def scalars(text, utf16):
    return len(text.encode("utf-16-le")[: 2 * utf16].decode("utf-16-le"))


def utf16(text, scalars):
    return len(text[:scalars].encode("utf-16-le")) // 2


def report():
    text, cursor = edit.toPlainText(), edit.textCursor()
    reporter.state(text, scalars(text, cursor.anchor()), scalars(text, cursor.position()))


def settle(then):
    """Calls `then` when every event that the X server has sent is done with."""
    application.sync() if hasattr(application, "sync") else None
    QtCore.QTimer.singleShot(0, lambda: QtCore.QTimer.singleShot(0, then))


def asked():
    line = sys.stdin.readline()
    if not line:
        application.quit()
        return
    order = json.loads(line)
    number, what = order["n"], order["do"]
    clipboard = application.clipboard()
    if what == "sync":
        settle(lambda: reporter.answer(number, secret=secret.text()))
    elif what == "place":
        cursor = QtGui.QTextCursor(edit.document())
        cursor.setPosition(utf16(edit.toPlainText(), order["offset"]))
        place = edit.viewport().mapToGlobal(edit.cursorRect(cursor).center())
        reporter.answer(number, x=place.x(), y=place.y())
    elif what == "clipboard":
        reporter.answer(number, clipboard=clipboard.text())
    elif what == "copy":
        clipboard.setText(order["text"])
        reporter.answer(number)
    elif what == "focus":
        (secret if order["field"] == "secret" else edit).setFocus()
        settle(lambda: reporter.answer(number))


class Keys(QtCore.QObject):
    def eventFilter(self, receiver, event):
        if event.type() == QtCore.QEvent.Type.KeyRelease and receiver in (edit, secret):
            reporter.released += 1
        if event.type() == QtCore.QEvent.Type.InputMethod and receiver is edit:
            reporter.write(e="preedit", text=event.preeditString())
        if event.type() == QtCore.QEvent.Type.WindowActivate and receiver is window:
            reporter.write(e="focus")
        return False


edit.setPlainText(sys.argv[2])
edit.document().clearUndoRedoStacks()
edit.textChanged.connect(report)
edit.cursorPositionChanged.connect(report)
edit.selectionChanged.connect(report)
keys = Keys()
application.installEventFilter(keys)
notifier = QtCore.QSocketNotifier(sys.stdin.fileno(), QtCore.QSocketNotifier.Type.Read)
notifier.activated.connect(asked)
window.move(0, 0)
window.show()
edit.setFocus()
report()
reporter.write(e="ready", window=int(window.winId()))
application.exec() if hasattr(application, "exec") else application.exec_()
