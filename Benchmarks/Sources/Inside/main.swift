// Measures the engine and the codec by themselves and prints the figures as one JSON array.
// With an argument: only the subjects whose names hold it.

let wanted = CommandLine.arguments.dropFirst().first ?? ""
let subjects = (codecSubjects() + engineSubjects()).filter { $0.name.contains(wanted) }
let lines = try Subject.measure(subjects).map { "  \($0.json)" }
print("[\n\(lines.joined(separator: ",\n"))\n]")
