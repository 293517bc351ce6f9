// The house rules, held against the project itself. Each violation is one line that says where and
// what to do. That the rules find anything at all is proved beside this, with planted violations.
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

  @Test("files, functions and lines are short and clean")
  func layout() { expectNone(Self.files.flatMap { checkLayout($0) + checkFunctionLength($0) }) }

  @Test("no construct that hides an error")
  func constructs() { expectNone(Self.files.flatMap(checkConstructs)) }

  @Test("every file says first what it is")
  func openings() { expectNone(Self.files.flatMap(checkOpening)) }

  @Test("nothing is left behind that belongs to a machine or to another day")
  func words() { expectNone(Self.files.flatMap(checkWords)) }

  @Test("each fault that is planted has its place in the sources")
  func patches() { expectNone(checkPatches(Self.files)) }

  private func expectNone(_ violations: [Violation]) {
    for violation in violations { Issue.record("\(violation)") }
  }
}
