internal import ContextDiffWire
internal import JSON
internal import Varlink

extension FuzzTarget {
  /// Frames, cut anywhere: the same as found the simple way.
  ///
  /// Input: how many bytes come at a time, less one; the limit; the stream.
  static let frames = FuzzTarget(name: "frames") { input in
    guard input.count > 2 else { return }
    let (chunk, limit) = (Int(input[0]) + 1, Int(input[1]))
    let stream = UnsafeRawBufferPointer(rebasing: input[2...])
    let reader = FrameReader()
    var found: [[UInt8]] = []
    var isTooLarge = false
    var start = 0
    while start < stream.count, !isTooLarge {
      let end = min(start + chunk, stream.count)
      var rest = UnsafeRawBufferPointer(rebasing: stream[start..<end])
      start = end
      do throws(FrameReader.FrameTooLarge) {
        while let frame = try reader.next(in: &rest, limit: limit) {
          found.append(Array(frame))
          // Every third one is a stop.
          if found.count % 3 == 0 {
            reader.keep(rest)
            rest = UnsafeRawBufferPointer(start: nil, count: 0)
          }
        }
      } catch {
        isTooLarge = true
      }
    }
    var wanted = stream.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    let unfinished = wanted.removeLast()
    let large = wanted.firstIndex { $0.count > limit }
    require(found == Array(wanted[..<(large ?? wanted.count)]), "the frames are the stream's")
    require(isTooLarge == (large != nil || unfinished.count > limit), "the limit holds")
  }

  /// JSON: what is read and written again reads as the same.
  static let json = FuzzTarget(name: "json") { input in
    let parser = JSONParser()
    guard let value = try? parser.parse(input) else { return }
    walk(value)
    var once = JSONWriter(capacity: 64)
    once.value(value)
    let again = JSONParser()
    guard let rewritten = try? again.parse(once.bytes) else {
      fatalError("what was written is JSON")
    }
    var twice = JSONWriter(capacity: 64)
    twice.value(rewritten)
    require(once.bytes.elementsEqual(twice.bytes), "what was written reads as the same")
  }

  /// Asks a value and all within it for everything.
  private static func walk(_ value: JSONValue) {
    _ = (value.bool, value.integer, value.double, value.string?.count, value.count)
    value.forEachMember { name, member in
      _ = name.string
      walk(member)
    }
    value.forEachElement { walk($0) }
  }

  /// A pair's parameters: what a cursor takes of them is what the parsed text says.
  static let pairs = FuzzTarget(name: "pairs") { input in
    for form in [PairParameters.View.Form.classify, .post] {
      let parser = JSONParser()
      var taken: PairParameters?
      _ = parser.read(input) {
        var view = PairParameters.View()
        guard view.read(form, from: &$0, fieldLimit: 64), $0.isAtEnd else { return false }
        taken = PairParameters(view)
        return true
      }
      guard let taken else { continue }
      guard let value = try? parser.parse(input),
        let view = try? PairParameters.View(form, json: value, fieldLimit: 64)
      else { fatalError("what a cursor takes is right") }
      var once = JSONWriter()
      var again = JSONWriter()
      taken.write(to: &once)
      PairParameters(view).write(to: &again)
      require(once.bytes.elementsEqual(again.bytes), "both readers say the same")
    }
  }

  /// An interface's description.
  static let idl = FuzzTarget(name: "idl") { input in
    let text = String(decoding: input, as: UTF8.self)
    guard let interface = try? VarlinkInterface(description: text) else { return }
    require(!interface.name.isEmpty, "an interface has a name")
    require(Set(interface.methods).count == interface.methods.count, "a method stands once")
  }
}
