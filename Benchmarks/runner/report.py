"""The table, the ratios with their goals, and the bars."""

from statistics import median

COLUMNS = [("classify", "Classify"), ("post", "Post"), ("echo", "bare echo"), ("redis", "Redis"), ("dbus", "D-Bus")]
BAR = 40
MOST_INSTRUCTIONS = {"classify": 5_000, "post": 7_500, "again": 10_000, "jumping": 10_000}


def middle(rounds, figure):
    """The median of `figure` over the rounds; None where nothing was measured."""
    return median(one[figure] for one in rounds) if rounds else None


def rows(results):
    """Each line of the table: its title, how a value is shown, and the value of each column."""
    found = []

    def add(title, show, rounds, figure):
        found.append((title, show, {column: middle(rounds.get(column), figure) for column, _ in COLUMNS}))

    if trip := results.get("round-trip"):
        add("round trip, p50", microseconds, trip, "p50_us")
        add("round trip, p99", microseconds, trip, "p99_us")
    for connections, rounds in results.get("pipelined", {}).items():
        plural = "s" if connections != "1" else ""
        add(f"pipelined, {connections} connection{plural}", per_second, rounds, "calls_per_second")
    fan_out = results.get("fan-out", {})
    for subscribers, rounds in fan_out.get("throughput", {}).items():
        add(f"fan-out to {subscribers}", per_second, rounds, "events_per_second")
    for subscribers, rounds in fan_out.get("latency", {}).items():
        add(f"to the last of {subscribers}, p50", microseconds, rounds, "p50_us")
        add(f"to the last of {subscribers}, p99", microseconds, rounds, "p99_us")
    for state in ("idle", "500 subscribers"):
        if memory := results.get("memory"):
            values = {column: memory.get(column, {}).get(state) for column, _ in COLUMNS}
            found.append((f"memory, {state}", mebibytes, values | {"post": memory["contextdiff"][state]}))
    if start := results.get("start"):
        add("exec to first answer, p50", microseconds, start | {"classify": start["contextdiff"]}, "p50_us")
    return found


def microseconds(value):
    return f"{value / 1000:.1f} ms" if value >= 1000 else f"{value:.1f} µs"


def per_second(value):
    return f"{value / 1e6:.2f} M/s" if value >= 1e6 else f"{value / 1e3:.0f} k/s"


def mebibytes(value):
    return f"{value / 1024:.1f} MiB"


def goals(results):
    """What was to be reached: ratios of medians, the daemon's against a peer's."""
    found = []

    def goal(name, value, most=None, least=None, unit="×"):
        met = value <= most if most is not None else value >= least
        found.append({"name": name, "value": round(value, 3), "unit": unit, "met": met,
                      **({"most": most} if most is not None else {"least": least})})

    def ratio(name, rounds, figure, column, peer, **limit):
        goal(f"{name}: {column} / {peer}", middle(rounds[column], figure) / middle(rounds[peer], figure), **limit)

    if trip := results.get("round-trip"):
        for column in ("classify", "post"):
            ratio("round trip p50", trip, "p50_us", column, "redis", most=1.0)
            ratio("round trip p50", trip, "p50_us", column, "echo", most=1.5)
            ratio("round trip p99", trip, "p99_us", column, "redis", most=1.5)
    for connections, rounds in results.get("pipelined", {}).items():
        for column in ("classify", "post"):
            ratio(f"pipelined, {connections} connection{'' if connections == '1' else 's'}", rounds, "calls_per_second", column, "redis", least=1.0)
    for kind, counted in results.get("posts", {}).items():
        goal(f"{kind}, pipelined: contextdiff / redis",
             middle(counted["contextdiff"], "calls_per_second") / middle(counted["redis"], "calls_per_second"),
             least=1.0 if kind == "classify" else 0.9)
        if kind in MOST_INSTRUCTIONS and "instructions" in counted:
            goal(f"{kind}, instructions", counted["instructions"], most=MOST_INSTRUCTIONS[kind], unit="")
    fan_out = results.get("fan-out", {})
    for subscribers, rounds in fan_out.get("throughput", {}).items():
        ratio(f"fan-out to {subscribers}", rounds, "events_per_second", "post", "redis", least=1.0)
    for subscribers, rounds in fan_out.get("latency", {}).items():
        ratio(f"to the last of {subscribers}, p99", rounds, "p99_us", "post", "redis", most=1.0)
    if memory := results.get("memory"):
        ours = memory["contextdiff"]
        goal("memory idle: contextdiff / redis", ours["idle"] / memory["redis"]["idle"], most=1.0)
        goal("memory of a further subscriber", (ours["500 subscribers"] - ours["1 subscriber"]) / 499, most=8, unit=" KiB")
        goal("memory of a session", (ours["4096 sessions"] - ours["1 session"]) / 4095, most=2, unit=" KiB")
    if start := results.get("start"):
        goal("start: contextdiff / redis", middle(start["contextdiff"], "p50_us") / middle(start["redis"], "p50_us"), most=1.0)
    if growth := results.get("growth"):
        for what, many in (("connections", "1000"), ("sessions", "4096")):
            cost = {count: middle(rounds, "nanoseconds_per_call") for count, rounds in growth[what].items()}
            goal(f"cost of a call at {many} {what} / at 1", cost[many] / cost["1"], most=1.25)
        length = {count: middle(rounds, "p50_us") for count, rounds in growth["length"].items()}
        goal("cost of a byte at 1 MB / at 100 kB", length["1000000"] / length["100000"] / 10, most=1.5)
    return found + results.get("inside", {}).get("goals", [])


def text(results, goals, options):
    parts = [table(results), post_lines(results), growth_lines(results), inside_lines(results), bars(results), goal_lines(goals)]
    busiest = busiest_generator(results)
    parts.append(f"Medians of {options.rounds} rounds of {options.seconds} s, the servers in turn; every reply checked, nothing lost."
                 + (f" The generator's own CPU was at most {busiest:.0%} of a core." if busiest else ""))
    return "\n\n".join(part for part in parts if part)


def aligned(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(line, widths))) for line in lines)


def table(results):
    lines = [[title, *(show(values[column]) if values[column] is not None else "–" for column, _ in COLUMNS)]
             for title, show, values in rows(results)]
    return aligned([["", *(name for _, name in COLUMNS)], *lines]) if lines else ""


def post_lines(results):
    """What each kind of call costs: calls a second, time of the server's own, and what can be counted here."""
    def number(value, digits):
        return f"{value:,.{digits}f}" if value is not None else "–"

    def server_time(rounds):
        return f"{median(one['server_cpu'] / one['calls_per_second'] for one in rounds) * 1e6:.2f} µs"

    heads = ["pipelined, 1 connection", "contextdiff", "Redis", "its time", "Redis's", "instructions", "system calls"]
    lines = [[kind, *(per_second(middle(counted[server], "calls_per_second")) for server in ("contextdiff", "redis")),
              *(server_time(counted[server]) for server in ("contextdiff", "redis")),
              number(counted.get("instructions"), 0), number(counted.get("system_calls"), 3)]
             for kind, counted in results.get("posts", {}).items()]
    return aligned([heads, *lines]) if lines else ""


def growth_lines(results):
    growth = results.get("growth")
    if not growth:
        return ""
    lines = []
    for what, figure in (("connections", "nanoseconds_per_call"), ("sessions", "nanoseconds_per_call"), ("length", "p50_us")):
        scale, unit = (1e3, "µs") if figure.startswith("nano") else (1, "µs")
        values = ", ".join(f"{int(count):,}: {middle(rounds, figure) / scale:.2f} {unit}" for count, rounds in growth[what].items())
        lines.append(f"{'a call at this many ' + what if what != 'length' else 'a Classify of this many bytes'}   {values}")
    return "\n".join(lines)


def inside_lines(results):
    measured = results.get("inside", {}).get("figures", [])
    return aligned([["inside one process", "median", "allocations", "memory"],
                    *([one["name"], f"{one['nanoseconds']:,.0f} ns", f"{one['allocations']:g}", f"{one['bytes'] / 1024:,.1f} KiB"]
                      for one in measured)]) if measured else ""


def bars(results):
    """Longer is faster: throughputs as they are, times as their inverse."""
    blocks = " ▏▎▍▌▋▊▉█"
    lines = []
    for title, show, values in rows(results):
        if "p99" in title or show is mebibytes:
            continue
        speed = {column: (1 / value if show is microseconds else value) for column, value in values.items() if value}
        fastest = max(speed.values())
        lines.append(title)
        for column, name in COLUMNS:
            if column in speed:
                eighths = round(speed[column] / fastest * BAR * 8)
                bar = "█" * (eighths // 8) + blocks[eighths % 8].strip()
                lines.append(f"  {name:<10}{bar} {show(values[column])}")
    return "\n".join(lines)


def goal_lines(goals):
    lines = [["reached" if goal["met"] else "MISSED", f"{goal['value']:.{3 if goal['unit'] == '×' else 2}f}{goal['unit']}",
              f"≤ {goal['most']:g}" if "most" in goal else f"≥ {goal['least']:g}", goal["name"]] for goal in goals]
    return "\n".join(f"{met:<8}{value:>10}  {limit:<7} {name}" for met, value, limit, name in lines)


def busiest_generator(results):
    shares = []

    def collect(part):
        if isinstance(part, dict):
            if "generator_cpu" in part:
                shares.append(part["generator_cpu"])
            for value in part.values():
                collect(value)
        elif isinstance(part, list):
            for value in part:
                collect(value)

    collect(results)
    return max(shares, default=None)
