import ContextDiffService
import Testing

@Suite struct AccessTests {
  @Test func rootAndTheOwnUserMayConnect() {
    let access = Access(ownUserID: 1_000)
    #expect(access.allows(userID: 1_000, groupID: 1, groups: { [] }))
    #expect(access.allows(userID: 0, groupID: 0, groups: { [] }))
    #expect(!access.allows(userID: 1_001, groupID: 1_000, groups: { [1_000] }))
  }

  @Test func membersOfTheGroupMayConnectToo() {
    let access = Access(ownUserID: 999, groupID: 50)
    #expect(access.allows(userID: 1_001, groupID: 50, groups: { [] }))
    #expect(access.allows(userID: 1_001, groupID: 1, groups: { [7, 50] }))
    #expect(!access.allows(userID: 1_001, groupID: 1, groups: { [7] }))
  }

  @Test func aGroupThatIsNotThereIsAnError() {
    var settings = Settings()
    settings.accessGroup = "no-such-group"
    let error = #expect(throws: SettingsError.self) { try Access(settings, groupFrom: "file:1") }
    #expect(error?.description == "file:1: accessGroup: there is no group no-such-group")
    settings.accessGroup = "root"
    #expect((try? Access(settings, groupFrom: "file:1"))?.groupID == 0)
  }
}
