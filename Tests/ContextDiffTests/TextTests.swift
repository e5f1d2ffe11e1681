#if DEBUG || TESTABLE  // What it tests is internal, and open where modules are built for testing.

  import Testing

  @testable import ContextDiff

  /// Bytes and Joined against plain arrays, at every length at which their words and blocks end.
  @Suite struct TextTests {
    /// `length` bytes of ASCII that do not repeat soon.
    private static func text(_ length: Int, seed: Int = 0) -> [UInt8] {
      (0..<length).map { UInt8(0x21 + ($0 * 7 + $0 / 13 + seed) % 90) }
    }

    @Test("Equality, common beginnings and ends, at every length from 0 to 130")
    func comparison() {
      for length in 0...130 {
        let left = Self.text(length)
        compare(left, left)
        for index in 0..<length {
          var right = left
          right[index] ^= 1
          compare(left, right)
        }
        compare(left, left + [0x21])
        compare(left, [0x21] + left)
        if length > 0 { compare(left, Array(left.dropLast())) }
      }
    }

    @Test("What is read beyond the text ends the program")
    func accessBeyondTheText() async {
      await #expect(processExitsWith: .failure) {
        TextTests.text(7).withBytes { _ = $0[7] }
      }
      await #expect(processExitsWith: .failure) {
        TextTests.text(7).withBytes { _ = $0.word(0) }
      }
      await #expect(processExitsWith: .failure) {
        TextTests.text(70).withBytes { _ = $0.load(7, as: Bytes.Block.self) }
      }
    }

    private func compare(_ left: [UInt8], _ right: [UInt8]) {
      let prefix = zip(left, right).prefix { $0 == $1 }.count
      let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
      left.withUnsafeBufferPointer { leftBuffer in
        right.withUnsafeBufferPointer { rightBuffer in
          let (mine, others) = (Bytes(leftBuffer), Bytes(rightBuffer))
          #expect((mine == others) == (left == right), "\(left.count), \(right.count)")
          #expect(mine.commonPrefix(others) == prefix)
          #expect(mine.commonSuffix(others) == suffix)
          #expect(mine.hasPrefix(others) == left.starts(with: right))
          #expect(mine.hasSuffix(others) == left.reversed().starts(with: right.reversed()))
        }
      }
    }

    @Test("Scalars are counted and found as String does, at every length from 0 to 130")
    func scalars() {
      let alphabet: [Unicode.Scalar] = ["a", "é", "か", "😀", "\u{3099}", "\n"]
      for length in 0...130 {
        var view = String.UnicodeScalarView()
        for index in 0..<length { view.append(alphabet[(index * 5 + index / 7) % alphabet.count]) }
        let string = String(view)
        string.withBytes { bytes in
          #expect(bytes.scalarCount == length)
          #expect(bytes.scalarCount(upTo: 20) == min(length, 20))
          #expect(bytes.firstScalar == view.first?.value ?? 0)
          #expect(bytes.lastScalar == view.last?.value ?? 0)
          for offset in 0...length {
            let expected = String(view.prefix(offset)).utf8.count
            #expect(bytes.byteOffset(ofScalar: offset) == expected)
          }
        }
      }
    }

    @Test("Scalars of a long text are counted, too")
    func manyScalars() {
      for scalars in [16_319, 16_384, 40_000] {
        for unit in ["a", "かa😀é"] {
          let text = String(repeating: unit, count: scalars / unit.unicodeScalars.count)
          text.withBytes { #expect($0.scalarCount == text.unicodeScalars.count) }
        }
      }
    }

    @Test("What a text would have to be guessed by is its scalars, a run of blanks as one")
    func newScalars() {
      let alphabet: [Unicode.Scalar] = ["a", " ", "\t", "か", " ", "\n"]
      var generator = SeededGenerator(seed: 5)
      for length in 0...130 {
        for _ in 0..<20 {
          var view = String.UnicodeScalarView()
          for _ in 0..<length { view.append(alphabet.randomElement(using: &generator) ?? "a") }
          var runs = 0
          var last: Unicode.Scalar = "a"
          for scalar in view {
            let isBlank = scalar == " " || scalar == "\t"
            if !isBlank || !(last == " " || last == "\t") { runs += 1 }
            last = scalar
          }
          let expected = min(runs, 2 * Measured.mostUnknown)
          String(view).withBytes { #expect($0.newScalars == expected) }
        }
      }
    }

    @Test("Text in three stretches reads as the same text in one")
    func joined() {
      let all = Self.text(24)
      all.withUnsafeBufferPointer { buffer in
        let whole = Bytes(buffer)
        for first in 0...24 {
          for second in first...24 {
            let parts = Joined(
              whole.prefix(first), whole.prefix(second).dropFirst(first), whole.dropFirst(second))
            #expect(parts == Joined(whole))
            #expect(parts.contiguous == all)
            for index in 0..<24 { #expect(parts[index] == all[index]) }
            for cut in stride(from: 0, through: 24, by: 5) {
              #expect(parts.prefix(cut).contiguous == Array(all.prefix(cut)))
              #expect(parts.dropFirst(cut).contiguous == Array(all.dropFirst(cut)))
              #expect(parts.commonPrefix(Joined(whole.prefix(cut))) == cut)
              #expect(parts.commonSuffix(Joined(whole.dropFirst(cut))) == 24 - cut)
            }
          }
        }
      }
    }

    @Test("Lines end and begin where a plain search says, at every length from 0 to 130")
    func lines() {
      for length in 0...130 {
        for first in 0...length {
          var text = Self.text(length)
          if first < length { text[first] = .newline }
          if first >= 20 { text[first - 20] = .newline }
          text.withUnsafeBufferPointer {
            let bytes = Bytes($0)
            #expect(bytes.lineEnd == text.firstIndex(of: .newline) ?? length)
            #expect(bytes.lastLineStart == text.lastIndex(of: .newline).map { $0 + 1 } ?? 0)
            #expect(bytes.holdsLineBreak == text.contains(.newline))
          }
        }
      }
    }

    @Test("The clusters of a text are those that String counts, whatever joins what")
    func clusters() {
      // Of each kind that the rules of UAX #29 name, and what is plain by blocks and by scalars.
      let alphabet: [Unicode.Scalar] = [
        "a", " ", "\n", "\r", "é", "Я", "か", "漢", "、", "\u{3000}", "\u{3030}", "\u{302A}",
        "\u{3099}",
        "\u{309A}", "\u{3297}", "\u{301}", "\u{200D}", "\u{200C}", "👩", "😀", "\u{1F1EF}",
        "\u{1F1F5}",
        "\u{1F3FD}", "\u{FE0F}", "\u{600}", "\u{E33}", "ก", "\u{E34}", "क", "\u{94D}", "\u{93F}",
        "\u{1100}", "\u{1161}", "\u{11A8}", "\u{483}", "\u{5B0}", "\u{64B}", "\u{6DD}", "\u{AD}",
        "가", "각", "！", "\u{FF9E}", "\u{FFFD}", "…", "©",
      ]
      let plain: [ArraySlice<Unicode.Scalar>] = [
        ["か", "漢", "a", "ン", "、"], ["п", "р", "и", "Ҋ", " "], ["é", "α", "ß", "ա", " "],
        ["ש", "م", "ل", "ڤ", "א"], ["가", "각", "힝", "ก", "า"],
        ["😀", "👩", "☀", "🚀", "a"],
      ]
      var generator = SeededGenerator(seed: 29)
      for round in 0..<10_000 {
        // Mostly plain, as texts are, or a few scalars that join each other.
        let share = [2, 5, 20, 60][round % 4]
        let length = Int.random(in: 0...90, using: &generator)
        var view = String.UnicodeScalarView()
        for _ in 0..<length {
          let isAny = Int.random(in: 0..<share, using: &generator) == 0
          let scalars = isAny ? alphabet[...] : plain[round % plain.count]
          view.append(scalars.randomElement(using: &generator) ?? "a")
        }
        let text = String(view)
        text.withBytes { #expect($0.clusterCount == text.count, "\(Array(view).map(\.value))") }
      }
    }

    @Test("What is plain forms no cluster with what is plain")
    func plainScalars() {
      let all = (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init)
      func isPlain(_ scalars: [Unicode.Scalar]) -> Bool {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view).withBytes { $0.plainLength == $0.count }
      }
      // By itself, and within a block.
      let block = [Unicode.Scalar](repeating: "a", count: 20)
      var plain = String.UnicodeScalarView()
      for scalar in all where isPlain([scalar]) || isPlain(block + [scalar] + block) {
        plain.append("a")
        plain.append(scalar)
        plain.append(scalar)
      }
      #expect(plain.count > 60_000)
      #expect(String(plain).count == plain.count)
    }

    @Test("The length of a text is what String says, whatever it holds")
    func extents() {
      let texts = [
        "", "\r", "\r\n", "か", "か\u{3099}", "\u{3099}", "😀", "👩‍👩‍👧", "é", "e\u{301}", "今日は良い天気",
        "ab。cd",
      ]
      for inserted in texts {
        for length in [0, 1, 62, 63, 64, 65, 130] {
          for place in Set([0, 1, length / 2, length]) where place <= length {
            let plain = String(decoding: Self.text(length), as: UTF8.self)
            let text = plain.prefix(place) + inserted + plain.dropFirst(place)
            let expected = Extent(
              scalars: text.unicodeScalars.count, utf16: text.utf16.count, graphemes: text.count)
            String(text).withBytes { bytes in
              #expect(Extent(of: Joined(bytes)) == expected)
              // Two stretches may join at what makes one cluster.
              for cut in 0...bytes.count where bytes.scalarStart(atOrBefore: cut) == cut {
                #expect(Extent(of: Joined(bytes.prefix(cut), bytes.dropFirst(cut))) == expected)
              }
            }
          }
        }
      }
    }

    @Test("The places of every short text in every other are those of a plain search")
    func occurrences() {
      let texts = (0...8).flatMap { length in
        (0..<1 << length).map { bits in (0..<length).map { UInt8(0x61 + bits >> $0 & 1) } }
      }
      for text in texts {
        for pattern in texts where (1...4).contains(pattern.count) { search(pattern, in: text) }
      }
    }

    @Test("The places of a text are found wherever they lie in blocks and stretches")
    func occurrencesInBlocks() {
      var generator = SeededGenerator(seed: 11)
      for turn in 0..<600 {
        let letters = UInt8(2 + turn % 20)
        let isLong = turn % 10 == 0
        var text = (0..<Int.random(in: 1...(isLong ? 20_000 : 300), using: &generator)).map { _ in
          0x61 + UInt8.random(in: 0..<letters, using: &generator)
        }
        let start = Int.random(in: 0..<text.count, using: &generator)
        let pattern = Array(
          text[start...].prefix(Int.random(in: 1...(isLong ? 700 : 90), using: &generator)))
        search(pattern, in: text)
        text.replaceSubrange(0..<min(pattern.count, text.count), with: pattern)
        search(pattern, in: text)
      }
    }

    private func search(_ pattern: [UInt8], in text: [UInt8]) {
      let places = (0..<max(0, text.count - pattern.count + 1)).filter {
        text[$0...].starts(with: pattern)
      }
      text.withUnsafeBufferPointer { buffer in
        pattern.withUnsafeBufferPointer { pattern in
          let all = Bytes(buffer)
          for first in [0, all.count / 3] {
            let second = first + (all.count - first) / 2
            let text = Joined(
              all.prefix(first), all.prefix(second).dropFirst(first), all.dropFirst(second))
            #expect(Array(Occurrences(of: Bytes(pattern), in: text)) == places)
            let back = Occurrences(of: Bytes(pattern), in: text, isBackward: true)
            #expect(Array(back) == places.reversed())
          }
        }
      }
    }

    @Test("The longest end of a text that another begins with is what a plain search finds")
    func overlaps() {
      var generator = SeededGenerator(seed: 12)
      for turn in 0..<3_000 {
        let letters = UInt8(1 + turn % 3)
        func random() -> [UInt8] {
          (0..<Int.random(in: 0...24, using: &generator)).map { _ in
            0x61 + UInt8.random(in: 0..<letters, using: &generator)
          }
        }
        let common = random()
        let (text, pattern) = (random() + common, common + random())
        let longest = (8...80).last {
          $0 <= min(text.count, pattern.count) && text.suffix($0) == pattern.prefix($0)
        }
        text.withUnsafeBufferPointer { text in
          pattern.withUnsafeBufferPointer { pattern in
            let found = Overlap.longestEnd(of: Bytes(text), thatBegins: Bytes(pattern))
            #expect(found == longest ?? 0)
          }
        }
      }
    }

    @Test("Terminators of one's own are told from all other scalars, however many")
    func terminators() {
      let many = String(String.UnicodeScalarView((0x2460..<0x2480).compactMap(Unicode.Scalar.init)))
      for own in ["", "。", "!?", "😀|", "\n.", many, many + "ab😀"] {
        let terminators = Terminators(own)
        for value in Array(0..<0x500) + Array(0x2400..<0x2500) + [0x3002, 0x1F600, 0x10FFFF] {
          guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
          let expected = scalar != "\n" && own.unicodeScalars.contains(scalar)
          #expect(terminators.contains(UInt32(value)) == expected, "\(own) \(value)")
        }
        let reversed = String(String.UnicodeScalarView((own + own).unicodeScalars.reversed()))
        #expect(Terminators(reversed) == terminators, "\(own)")
      }
    }

    @Test("Among four kana or ideographs a terminator is missed at no place")
    func terminatorAmongFour() {
      let terminators = Terminators.standard
      func mayContain(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(12))
        let words = bytes.withUnsafeBytes {
          ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        }
        return terminators.mayContain(
          oneOfFour: (UInt64(littleEndian: words.0), UInt32(littleEndian: words.1)))
      }
      #expect(!mayContain("かなかな"))
      for scalar in "。．！？…".unicodeScalars {
        for place in 0..<4 {
          var text = Array("かなかな".unicodeScalars)
          text[place] = scalar
          #expect(mayContain(String(String.UnicodeScalarView(text))), "\(scalar) \(place)")
        }
      }
      // Not four of three bytes.
      for text in ["かなかabc", "aかなかbc", "éかなかa", "😀かなab", "a😀b.cdefghi"] {
        #expect(mayContain(text), "\(text)")
      }
    }
  }

#endif
