// Proves that the rules about tests find their violations, at the right line, and accept similar
// correct code. Everything planted is in strings, which the rules do not look into.
import Testing

private let path = "Tests/LoopTests/A.swift"

/// Returns the lines of violations in the body of a test from line 2 on.
private func linesInTest(_ body: String) -> [Int] {
  lines(checkTests, "@Test(\"a (b\") func f(c: Int = g({ 1 })) throws {\n\(body)\n}\n", at: path)
}

@Suite struct PlantedTestRuleTests {
  @Test(
    "a test that ends before its expectations is found",
    arguments: [
      "guard case .a = b else { return }", "if a { return }",
      "guard let a = b(where: { c($0) }) else { return }",
      "for a in b {\n  if c { return }\n}", "do { try a() } catch { return }",
      "switch a {\ncase .b: return\ncase .c: d()\n}", "a()\nreturn",
      "guard a else {\n  return  // why\n}", "a.b { c() }\nif d { return }",
      "guard a else { return }\nIssue.record(\"b\")",
    ])
  func earlyEnds(body: String) {
    #expect(linesInTest(body).count == 1, "\(linesInTest(body))")
  }

  @Test(
    "a test that says why it ends, or that leaves only a closure, is accepted",
    arguments: [
      "guard case .a = b else {\n  Issue.record(\"no a\")\n  return\n}",
      "if a { return }  // One that fails is enough to read.",
      "// Nothing is left to look at.\nif a { return }",
      "a.b { c in\n  guard c else { return }\n}", "let a = b(where: { if c { return } })",
      "func a() {\n  if b { return }\n}", "a.map { return 1 }", "let a = \"return\"", "returned()",
    ])
  func rightEnds(body: String) {
    #expect(linesInTest(body) == [])
  }

  @Test("a function that is no test may return")
  func others() {
    #expect(
      lines(checkTests, "func f() {\n  if a { return }\n}\n@Test func g() {}\n", at: path) == [])
    #expect(
      lines(checkTests, "@Test func f() { if a { return } }", at: "Sources/Loop/A.swift") == [])
    #expect(lines(checkTests, "@Test func f() { if a { return } }", at: "Fuzz/A.swift") == [1])
  }

  @Test("an expectation that only holds where a value has the right shape is found")
  func conditionals() {
    for header in ["if case .a(let b) = c", "if let b", "if let b = c, b.d"] {
      #expect(linesInTest("\(header) {\n  #expect(b == 1)\n}") == [2], "\(header)")
      #expect(linesInTest("for d in e {\n\(header) {\n#expect(b)\n}\n}") == [3], "\(header)")
      #expect(linesInTest("\(header) { #expect(b) } else { Issue.record() }") == [], "\(header)")
      #expect(linesInTest("\(header) { d += b }") == [], "\(header)")
      #expect(linesInTest("// Some have none at all.\n\(header) { #expect(b) }") == [])
    }
    #expect(linesInTest("if index > 0 { #expect(b) }") == [])
    #expect(linesInTest("a.map { if case .b = $0 { true } else { false } }") == [])
  }

  @Test(
    "a sleep without a reason is found, in a helper as well",
    arguments: [
      "usleep(1000)", "sleep(1)", "nanosleep(&a, nil)", "try seat.pass(milliseconds: 5)",
      "Thread.sleep(forTimeInterval: 1)", "try await Task.sleep(for: .seconds(1))",
    ])
  func sleeps(call: String) {
    #expect(lines(checkTests, "func f() {\n  \(call)\n}\n", at: path) == [2])
    #expect(lines(checkTests, "func f() {\n  \(call)  // short\n}\n", at: path) == [2])
    #expect(lines(checkTests, "func f() {\n  \(call)  // The pre-roll fills.\n}\n", at: path) == [])
    #expect(
      lines(checkTests, "func f() {\n  // The pre-roll fills.\n  \(call)\n}\n", at: path) == [])
    #expect(lines(checkTests, "func f() {\n  \(call)\n}\n", at: "Sources/Loop/A.swift") == [])
  }

  @Test("code that only looks like a sleep is accepted")
  func noSleeps() {
    for text in ["time.sleep(until: 5)", "func sleep(until a: Int)", "\"usleep(1)\"", "asleep(1)"] {
      #expect(lines(checkTests, text, at: path) == [], "\(text)")
    }
  }

  @Test(
    "an expectation that the machine is fast is found, one that time has passed is accepted",
    arguments: [
      ("#expect(now() - before < 10_000)", true), ("#expect(elapsedMilliseconds < 10)", true),
      ("#expect(\n  (1..<5).contains(elapsedMilliseconds))", true),
      ("try #require(clock.now - start <= .seconds(1))", true),
      ("#expect(now() - before >= 10_000)", false), ("#expect(a < b)\nlet c = now() - d", false),
      ("let isLate = now() - before < 10", false),
    ])
  func timed(text: String, isFound: Bool) {
    #expect(linesInTest(text).isEmpty == !isFound)
  }
}
