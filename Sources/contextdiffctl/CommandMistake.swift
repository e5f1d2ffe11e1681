import ArgumentParser

/// A mistake in a command line about which ArgumentParser, which parses it, would say something misleading.
struct CommandMistake {
  /// What is wrong and, where that is known, what was meant; one line, without a prefix.
  let message: String

  /// Finds the mistake in `arguments`; `nil` where there is none of the two kinds that it knows.
  ///
  /// - An unknown subcommand: the first word that is no option, or the word behind `help`, is not a subcommand of
  ///   `root`. The message names the subcommand that was probably meant, or all of them.
  /// - A negative number behind a word that is no option, so that nothing takes it.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - root: The command whose subcommands there are.
  init?(_ arguments: ArraySlice<String>, of root: any ParsableCommand.Type) {
    let names = root.configuration.subcommands.compactMap { $0._commandName } + ["help"]
    let words = Self.words(in: arguments)
    guard let word = words.first == "help" ? words.dropFirst().first : words.first,
      !names.contains(word)
    else {
      // ArgumentParser takes a negative number for unknown options, and says that the argument itself is missing.
      guard let number = Self.strayNegative(in: arguments) else { return nil }
      message =
        "The value '\(number)' is invalid: no command takes a negative number there. "
        + "A name that begins with a hyphen stands behind --."
      return
    }
    let nearest = names.min { Self.distance(word, $0) < Self.distance(word, $1) }
    // A subcommand is meant that differs by two edits at most, and by half of the word at most.
    let isMeant = nearest.map { Self.distance(word, $0) <= min(2, max(1, word.count / 2)) } ?? false
    let list = names.sorted().joined(separator: ", ")
    if isMeant, let nearest {
      message = "there is no command '\(word)'. Did you mean '\(nearest)'?"
    } else {
      message = "there is no command '\(word)'. There are \(list)."
    }
  }

  /// The first negative number before `--` that does not follow an option, which could take it; `nil` where there is
  /// none.
  private static func strayNegative(in arguments: ArraySlice<String>) -> String? {
    let named = arguments.prefix { $0 != "--" }
    return zip(named, named.dropFirst()).first { before, word in
      // Double takes -inf and -nan too, which are options that there are not.
      !before.hasPrefix("--") && word.hasPrefix("-") && Double(word)?.isFinite == true
    }?.1
  }

  /// The words that are neither an option nor the value of an option that may stand before the subcommand.
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

  /// How many Unicode scalars must be inserted, deleted, replaced or swapped with the next one to turn `left` into
  /// `right`.
  ///
  /// This is the optimal string alignment distance: Damerau-Levenshtein, with no scalar edited twice. Only the first
  /// 32 scalars of `left` count, so that a long argument costs little.
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
