// Measures the engine and the codec by themselves and prints the figures as one JSON array.
// With an argument: only the subjects whose names hold it; with a second: so many rounds (for a profiler).

let arguments = CommandLine.arguments
let wanted = arguments.count > 1 ? arguments[1] : ""
let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 41 : 41
let subjects = (codecSubjects() + engineSubjects()).filter { $0.name.contains(wanted) }
let lines = try Subject.measure(subjects, rounds: rounds).map { "  \($0.json)" }
print("[\n\(lines.joined(separator: ",\n"))\n]")
