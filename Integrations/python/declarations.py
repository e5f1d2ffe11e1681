"""Makes contextdiff.cdef, what cffi reads, of contextdiff.h: its declarations and numbers, without comments and code.

    python declarations.py > src/contextdiff/contextdiff.cdef
"""

import pathlib
import re

HEADER = pathlib.Path(__file__).resolve().parents[2] / "Sources/CContextDiff/include/contextdiff.h"


def declarations(header: str) -> str:
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = re.sub(r"\\\n", "", text)
    # All but macros that are numbers; of these not the version's, for which the library is asked.
    text = re.sub(r'(?m)^#(?!define (?!CONTEXTDIFF_VERSION_)\w+ \d+u?$).*$|^extern "C" \{$', "", text)
    text = re.sub(r"(?ms)^static inline .*?^\}$", "", text)
    text = re.sub(r"\bCONTEXTDIFF_API\s+", "", text)
    # What is left of the braces around it all, in C++ alone.
    text = re.sub(r"(?m)^\}$", "", text)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


if __name__ == "__main__":
    print(declarations(HEADER.read_text()), end="")
