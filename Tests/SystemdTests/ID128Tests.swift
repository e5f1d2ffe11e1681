import Systemd
import Testing

@Suite struct ID128Tests {
  @Test func anIDIs32LowerCaseHexDigitsOfAVersion4UUID() throws {
    let id = try ID128.random()
    #expect(id.utf8.count == 32)
    #expect(id.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    #expect(Array(id)[12] == "4")
    #expect("89ab".contains(Array(id)[16]))
  }

  @Test func twoIDsDiffer() throws {
    #expect(try ID128.random() != ID128.random())
  }
}
