"""The engine and the codec alone, in one process: builds and runs the Swift package beside this, and holds it to thresholds.json."""

import json
import subprocess

from tools import HERE, Failure, run_json


def measure():
    # A plan that is there knows nothing of files that are new in the package that this one measures.
    (HERE / ".build/release.yaml").unlink(missing_ok=True)
    build = ["swift", "build", "--package-path", HERE, "-c", "release"]
    done = subprocess.run(build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure(f"the benchmark package does not build:\n{done.stdout[-2000:]}")
    figures = run_json([HERE / ".build/release/Inside"])
    return {"figures": figures, "goals": goals({one["name"]: one for one in figures})}


def goals(figures):
    thresholds = json.loads((HERE / "thresholds.json").read_text())
    found = []

    def goal(name, value, most, unit):
        found.append({"name": name, "value": round(value, 3), "unit": unit, "most": most, "met": value <= most})

    for name, most in thresholds["nanoseconds"].items():
        goal(f"time of {name}", figures[name]["nanoseconds"], most, " ns")
    for name, other, most in thresholds["ratios"]:
        goal(f"{name} / {other}", figures[name]["nanoseconds"] / figures[other]["nanoseconds"], most, "×")
    for name, most in thresholds["allocations"].items():
        goal(f"allocations of {name}", figures[name]["allocations"], most, "")
    return found
