// Checks the project against the house rules. Each violation is one line that says where and what
// to do. The tests beside this prove with planted violations that the rules find anything.
import Testing

@Suite struct HouseTests {
  static let files = Project.files()

  @Test("the project's files are found")
  func found() {
    let paths = Self.files.map(\.path)
    #expect(paths.contains("Package.swift"))
    #expect(paths.contains("scripts/setup"))
    #expect(paths.contains("Sources/Systemd/EventLoop.swift"))
    #expect(paths.contains("Tests/TidyTests/HouseTests.swift"))
  }

  @Test("imports point down the house only")
  func imports() { expectNone(Self.files.flatMap(checkImports) + checkGround(Self.files)) }

  @Test("the table of imports names only existing folders")
  func table() { expectNone(checkTable(Self.files)) }

  @Test("files, functions and lines are short and clean")
  func layout() { expectNone(Self.files.flatMap { checkLayout($0) + checkFunctionLength($0) }) }

  @Test("a reducer touches only the parts of the state that are its own")
  func reducers() {
    expectNone(Self.files.flatMap(checkReducer) + checkReducerTable(Self.files))
  }

  @Test("no construct that hides an error")
  func constructs() { expectNone(Self.files.flatMap(checkConstructs)) }

  @Test("no test ends before its expectations, or waits for a time")
  func tests() { expectNone(Self.files.flatMap(checkTests)) }

  @Test("every file opens with a paragraph about itself")
  func openings() { expectNone(Self.files.flatMap(checkOpening)) }

  @Test("no paths of one machine, and no postponed work, are left in a file")
  func words() { expectNone(Self.files.flatMap(checkWords)) }

  @Test("each suite of tests that a page names exists")
  func suites() { expectNone(checkSuites(Self.files)) }

  @Test("each planted fault fits the sources")
  func patches() {
    expectNone(checkPatches(Self.files) + Self.files.flatMap(checkPatchWords))
  }

  private func expectNone(_ violations: [Violation]) {
    for violation in violations { Issue.record("\(violation)") }
  }
}
