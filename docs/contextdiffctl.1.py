#!/usr/bin/env python3
"""Writes contextdiffctl(1) from what the program says of itself, so that page and --help never differ.

    docs/contextdiffctl.1.py .build/product/release/contextdiffctl >docs/contextdiffctl.1

A test fails where the committed page isn't what this makes.
"""

import json
import re
import subprocess
import sys

HEAD = r'''.\" Made by contextdiffctl.1.py from the program's own help: change that, not this.
.Dd November 29, 2026
.Dt CONTEXTDIFFCTL 1
.Os
.Sh NAME
.Nm contextdiffctl
.Nd classify, watch, try and explain what happens around the caret
.Sh SYNOPSIS
'''

TAIL = r'''.Sh HOW TEXT IS SHOWN
Where text is drawn for people, what a terminal would obey, or would not show, stands there in another form.
A line feed is ⏎, any other ASCII control its picture (␛).
Other controls, line and paragraph separators, and what Unicode calls a directional control
.Pq Sy Bidi_Control
or ignorable by default
.Pq Sy Default_Ignorable_Code_Point ,
are written by their numbers:
.Ql \eu{200B}
is a zero width space,
.Ql \eu{AD}
a soft hyphen.
What gives a character beside it another look stays: a variation selector right behind a character, a zero width joiner between two
that make one, the tags of a flag.
A combining mark with nothing to stand on is put on ◌.
In JSON that goes to a terminal, U+007F to U+009F, line and paragraph separators and directional controls are escaped
.Pq Ql \eu009b ;
else it is left as it is.
.Sh ENVIRONMENT
.Bl -tag -width Ds
.It Ev CONTEXTDIFF_SOCKET
The daemon's socket, where
.Fl \-socket
does not name one; empty, it counts as unset.
.It Ev XDG_RUNTIME_DIR
Where the socket of this user's own daemon is.
.It Ev NO_COLOR
If set and not empty, nothing is coloured.
.El
.Sh FILES
.Bl -tag -width Ds
.It Pa $XDG_STATE_HOME/contextdiff , ~/.local/state/contextdiff
For each socket, and each choice of sessions and kinds, a file in which
.Cm monitor
writes down the number of the last event that it showed, and the run of the daemon that counted it, for
.Fl \-since Cm last .
.El
.Sh EXIT STATUS
0, 1 where something failed, also where the daemon goes away meanwhile, 3 where there is none, 64 where the command was used wrongly.
Interrupted (^C) or terminated it ends by that signal, which a shell shows as 130 or 143; in
.Cm try ,
^C is a key that ends it as ^D does.
Where nobody reads its standard output any more it ends quietly, by
.Dv SIGPIPE .
.Sh SEE ALSO
.Xr jq 1 ,
.Xr io.contextdiff 7 ,
.Xr contextdiffd 8
'''


# Names that are typed as they stand: a kind, a path, a variable. No line may break within one.
NAME = re.compile(r"[\w$./-]*(?:[a-z][A-Z]|[A-Z]{2}|/)[\w$./-]*")


def escaped(text):
    """Text that roff shows as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = NAME.sub(r"\\%\g<0>", text)
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def prose(text):
    """Paragraphs; what is indented stands as it is."""
    lines = []
    for paragraph in text.split("\n\n"):
        if lines:
            lines.append(".Pp")
        block = paragraph.split("\n")
        plain = [line for line in block if not line.startswith("  ")]
        code = [line[2:] for line in block if line.startswith("  ")]
        lines += [escaped(sentence) for line in plain for sentence in line.replace(". ", ".\n").split("\n")]
        if code:
            lines += [".Bd -literal -offset indent", *map(escaped, code), ".Ed"]
    return lines


def long_name(argument):
    return next(name["name"] for name in argument["names"] if name["kind"] == "long")


def flags(argument):
    """The names of a flag, with that of its inverse where it has one."""
    return [f"\\-{escaped(name)}" for name in (long_name(argument), *argument.get("inverse", []))]


def joined(arguments):
    """The arguments, a flag and its inverse as one."""
    flags = {long_name(argument): argument for argument in arguments if argument["kind"] == "flag"}
    for name in flags:
        if f"no-{name}" in flags:
            flags[name]["inverse"] = [f"no-{name}"]
    inverses = [flags[name] for flag in flags.values() for name in flag.get("inverse", [])]
    return [argument for argument in arguments if argument not in inverses]


def shown(command):
    """The arguments of a command that a page is to have: not the ones that every command has."""
    return joined([
        argument for argument in command.get("arguments", [])
        if argument["shouldDisplay"]
        and (argument["kind"] == "positional" or long_name(argument) not in ("socket", "timeout", "color", "version", "help"))])


def synopsis(command):
    words = [".Nm", f".Cm {command['commandName']}"]
    for argument in shown(command):
        repeats = " ..." if argument["isRepeating"] else ""
        if argument["kind"] == "positional":
            place = f"Ar {argument['valueName']}{repeats}"
            words.append(f".Op {place}" if argument["isOptional"] else f".{place}")
        elif argument["kind"] == "flag":
            words.append(f".Op Fl {' | '.join(flags(argument))}")
        else:
            words.append(f".Op Fl \\-{escaped(long_name(argument))} Ar {argument['valueName']}{repeats}")
    return words


def item(argument):
    if argument["kind"] == "positional":
        head = f".It Ar {argument['valueName']}"
    elif argument["kind"] == "flag":
        head = f".It Fl {' , '.join(flags(argument))}"
    else:
        head = f".It Fl \\-{escaped(long_name(argument))} Ar {argument['valueName']}"
    lines = [head, *prose(argument.get("abstract", ""))]
    if argument.get("allValues"):
        lines.append("One of " + escaped(", ".join(argument["allValues"])) + ".")
    if argument.get("defaultValue"):
        lines.append(f"Default: {escaped(argument['defaultValue'])}.")
    return lines


def section(command):
    lines = [f".Ss {command['commandName']}", *prose(command["abstract"])]
    if command.get("discussion"):
        lines += [".Pp", *prose(command["discussion"])]
    arguments = shown(command)
    if arguments:
        lines += [".Bl -tag -width Ds", *(line for argument in arguments for line in item(argument)), ".El"]
    return lines


def page(program):
    told = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True)
    root = json.loads(told.stdout)["command"]
    commands = [command for command in root["subcommands"] if command["commandName"] != "help"]
    lines = [line for command in commands for line in synopsis(command)]
    lines += [".Nm", ".Fl \\-version | \\-help", ".Sh DESCRIPTION", *prose(root["abstract"]), ".Pp"]
    lines += prose(root["discussion"])
    common = [argument for argument in root["arguments"]
              if argument["kind"] != "positional" and long_name(argument) in ("socket", "timeout", "color")]
    lines += [".Pp", "Before the command or behind it may stand", ".Bl -tag -width Ds",
              *(line for argument in common for line in item(argument)), ".El"]
    lines += [".Sh COMMANDS", *(line for command in commands for line in section(command))]
    return HEAD + "\n".join(lines) + "\n" + TAIL


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
