import ArgumentParser

/// What is wrong with a command line, where the library that reads it would say something else.
struct CommandMistake {
  /// What to tell.
  let message: String

  /// That the first word of `arguments` that is no option, or the word behind `help`, is none of the subcommands of
  /// `root`, with the one that was probably meant; or that a negative number stands where no option takes it.
  ///
  /// `nil` where it is neither.
  init?(_ arguments: ArraySlice<String>, of root: any ParsableCommand.Type) {
    let names = root.configuration.subcommands.compactMap { $0._commandName } + ["help"]
    let words = Self.words(in: arguments)
    guard let word = words.first == "help" ? words.dropFirst().first : words.first,
      !names.contains(word)
    else {
      // The library takes it for options that there are not, and the argument in its place for left out.
      guard let number = Self.strayNegative(in: arguments) else { return nil }
      message =
        "The value '\(number)' is invalid: no command takes a negative number there. "
        + "A name that begins with a hyphen stands behind --."
      return
    }
    let nearest = names.min { Self.distance(word, $0) < Self.distance(word, $1) }
    // Two mistakes, and no more than half of the word.
    let isMeant = nearest.map { Self.distance(word, $0) <= min(2, max(1, word.count / 2)) } ?? false
    let list = names.sorted().joined(separator: ", ")
    if isMeant, let nearest {
      message = "there is no command '\(word)'. Did you mean '\(nearest)'?"
    } else {
      message = "there is no command '\(word)'. There are \(list)."
    }
  }

  /// The first negative number that is not behind an option, which may take it.
  private static func strayNegative(in arguments: ArraySlice<String>) -> String? {
    let named = arguments.prefix { $0 != "--" }
    return zip(named, named.dropFirst()).first { before, word in
      !before.hasPrefix("--") && word.hasPrefix("-") && Double(word) != nil
    }?.1
  }

  /// The words that are neither an option nor the value of one that may stand before the command.
  private static func words(in arguments: ArraySlice<String>) -> [String] {
    var words: [String] = []
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
      } else if ["--socket", "--timeout", "--color"].contains(argument) {
        isValue = true
      } else if !argument.hasPrefix("-") {
        words.append(argument)
      }
    }
    return words
  }

  /// How many characters to put in, take out, exchange or swap with the next to get from one to the
  /// other (Damerau and Levenshtein, each place touched once).
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars.prefix(32)), Array(right.unicodeScalars))
    var rows = [Array(0...right.count)]
    for (i, one) in left.enumerated() {
      var row = [i + 1]
      for (j, other) in right.enumerated() {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (one == other ? 0 : 1))
        if i > 0, j > 0, one == right[j - 1], left[i - 1] == other {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
