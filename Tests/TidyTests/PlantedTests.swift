// Proves that each rule finds its violations, at the right line, and accepts similar correct code.
// Everything planted is in strings, which the rules about code do not look into.
import Testing

/// Returns the lines of a rule's violations.
func lines(
  _ rule: Rule, _ text: String, at path: String = "Sources/Systemd/A.swift"
) -> [Int] {
  rule(SourceFile(path, text)).map(\.line)
}

private let opening = "// " + String(repeating: "word ", count: 15) + "\n"

@Suite struct PlantedTests {
  @Test("a violation reads as path, line, and what to do")
  func sentence() {
    let found = checkConstructs(SourceFile("Sources/Loop/A.swift", "let a = 1\nlet b = c!\n"))
    #expect(found.count == 1)
    #expect(found.first?.description.hasPrefix("Sources/Loop/A.swift:2: handle nil") == true)
  }

  @Test(
    "code, comments and strings are separated",
    arguments: [
      (#"a // b! "c""#, "a"),
      (#""// a" b"#, #""" b"#),
      (#""\"a" b"#, #""" b"#),
      (#""x\(a + f("y"))z" b"#, #""(a + f(""))" b"#),
      ("#\"a\\(b)\"c\"# d", "#\"\"# d"),
      ("#\"a\\#(b)c\"# d", "#\"(b)\"# d"),
      ("/* a /* b */ c */ d", "d"),
      ("\"\"\"\n\"a\"\n\"\"\" b", "\"\"\"\n\n\"\"\" b"),
      ("\"unfinished\nb", "\"\nb"),
      (#""" b"#, #""" b"#),
    ])
  func splitting(text: String, expected: String) {
    let file = SourceFile("Sources/Loop/A.swift", text)
    #expect(file.code.count == file.text.count)
    // Blanks replace everything else; the expectation above checks their number.
    func withoutBlanks(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.filter { $0 != 32 } }
    #expect(withoutBlanks(file.code) == withoutBlanks(expected.utf8))
  }

  @Test("a reducer that touches another's part of the state is found, and its own is not")
  func reducers() {
    let text = "// notices\nlet a = notices.kept\nself.notices = b\nanswer(.notices, notices: 1)\n"
    #expect(lines(checkReducer, text, at: "Sources/Recorder/Reducers/ReducePanel.swift") == [2, 3])
    #expect(lines(checkReducer, text, at: "Sources/Recorder/Reducers/ReduceNotices.swift").isEmpty)
    #expect(lines(checkReducer, text, at: "Sources/Recorder/Reducers/New.swift") == [2, 3])
    #expect(lines(checkReducer, text, at: "Sources/Recorder/Views/ReducePanel.swift").isEmpty)
  }

  @Test(
    "imports that point up, sideways, or out of the project are found",
    arguments: [
      ("Sources/Recorder/A.swift", "Glibc"), ("Sources/Loop/A.swift", "Foundation"),
      ("Sources/Panel/A.swift", "Audio"), ("Sources/Panel/A.swift", "CALSA"),
      ("Sources/Audio/A.swift", "CSystemd"), ("Sources/Tape/A.swift", "Recorder"),
      ("Sources/reeld/A.swift", "Foundation"), ("Sources/reel-bench/A.swift", "Dispatch"),
      ("Sources/Host/A.swift", "FoundationEssentials"),
      ("Sources/reelctl/A.swift", "FoundationEssentials"), ("Sources/JSON/A.swift", "Glibc"),
      ("Sources/reeld/A.swift", "CSystemd"), ("Sources/Systemd/Deep/A.swift", "Loop"),
    ])
  func forbiddenImports(path: String, module: String) {
    for form in ["import \(module)", "@testable import \(module)", "public import \(module).part"] {
      #expect(lines(checkImports, "// import\n\(form)\n", at: path) == [2])
    }
    #expect(lines(checkImports, "import struct \(module).S", at: path) == [1])
    #expect(lines(checkImports, "#if a\n  import \(module) // why\n#endif", at: path) == [2])
  }

  @Test(
    "imports that point down, and text that only looks like an import, are accepted",
    arguments: [
      ("Sources/Recorder/A.swift", "import Loop"), ("Sources/Audio/A.swift", "import CALSA"),
      ("Sources/Host/A.swift", "import JSON"),
      ("Sources/reeld/A.swift", "import Audio\nimport Panel"),
      ("Tests/LoopTests/A.swift", "import Foundation"),
      ("Sources/Recorder/A.swift", "// import Glibc\nlet a = \"import Glibc\"\nimportant(1)"),
      ("Sources/CSystemd/shim.h", "#include <a.h> // import Glibc"),
    ])
  func allowedImports(path: String, text: String) {
    #expect(lines(checkImports, text, at: path).isEmpty)
  }

  @Test("a folder without a line in the table is found")
  func unknownFolder() {
    #expect(lines(checkImports, "", at: "Sources/Attic/A.swift") == [1])
    #expect(lines(checkImports, "", at: "Sources/CAttic/shim.h") == [1])
  }

  @Test("a C library is imported by one target, no more and no fewer")
  func oneImporter() {
    let library = SourceFile("Sources/CSystemd/shim.h", "")
    let one = SourceFile("Sources/Systemd/A.swift", "import CSystemd")
    let same = SourceFile("Sources/Systemd/B.swift", "import CSystemd")
    let other = SourceFile("Sources/Host/A.swift", "import CSystemd")
    #expect(checkGround([library, one, same]).isEmpty)
    #expect(checkGround([library]).count == 1)
    #expect(checkGround([library, one, other]).count == 1)
  }

  @Test("a name in the table that is no folder is found")
  func absentFolder() {
    let found = checkTable([SourceFile("Sources/CSystemd/shim.h", "")]).map(\.sentence)
    #expect(found.contains { $0.contains("Sources/CALSA") })
    #expect(!found.contains { $0.contains("CSystemd") })
  }

  @Test("long files, wide lines, tabs, and blanks at an end are found")
  func layout() {
    let wide = String(repeating: "é", count: 100)
    #expect(lines(checkLayout, "\(wide)\na\n").isEmpty)
    #expect(lines(checkLayout, "a\n\(wide)x\n") == [2])
    #expect(lines(checkLayout, "a\n\tb\nc \n") == [2, 3])
    #expect(lines(checkLayout, "a\r\n") == [1])
    #expect(lines(checkLayout, "a\nb") == [2])
    #expect(lines(checkLayout, "a\n\n") == [2])
    #expect(lines(checkLayout, String(repeating: "a\n", count: 400)).isEmpty)
    #expect(lines(checkLayout, String(repeating: "a\n", count: 401)) == [401])
    #expect(lines(checkLayout, "a\tb \n", at: "docs/a.md").isEmpty)
  }

  @Test(
    "a function of 71 lines is found, one of 70 is not, a type may be longer",
    arguments: [
      "func f() {", "init() {", "deinit {", "var a: Int {", "subscript(a: Int) -> Int {",
      "let a = f(\"{\") {", "@Test(\"b\") func f(class: Int) {", "static func f() -> [Int] {",
    ])
  func functionLength(header: String) {
    func text(_ count: Int) -> String {
      "let x = 1\nextension A {\n  struct S {\n\(header)\n"
        + String(repeating: "  if a { b } // }\n", count: count - 2) + "}\n}\n}\n"
    }
    #expect(lines(checkFunctionLength, text(70)).isEmpty)
    #expect(lines(checkFunctionLength, text(71)) == [4])
  }

  @Test(
    "unwrapping by force is found in every form",
    arguments: [
      "a!", "a!.b", "f()!", "a[0]!", "a?.b!", "{ 1 }()!", "\"a\"!", "try! f()", "a as! B",
      "var a: B!", "let a: [B]!", "let a: C<B>!", "init!() {}", "a! = 1", "a! + b", "a!!",
      "\"\\(a!)\"", "(a! != b)", "`in`!", "é!",
    ])
  func force(text: String) {
    #expect(!lines(checkConstructs, "\n\(text)\n").isEmpty)
    #expect(lines(checkConstructs, "\n\(text)\n").allSatisfy { $0 == 2 })
  }

  @Test(
    "code that only looks like it is accepted",
    arguments: [
      "a != b", "a!=b", "a !== b", "!a", "(!a)", "[!a]", "{ !a }", "a && !b", "return !a",
      "#if !os(Linux)", "\"a!\"", "// a!", "\"\"\"\n a!\n\"\"\"", "#\"a!\"#", "/* a! */",
      "try f()", "a as? B", "let a: B?",
    ])
  func noForce(text: String) {
    #expect(lines(checkConstructs, text).isEmpty)
  }

  @Test("a silent try needs a reason, beside it or above it")
  func silentTries() {
    #expect(lines(checkConstructs, "a\nlet b = try? c()\n") == [2])
    #expect(lines(checkConstructs, "let b = try? c() // why\n") == [1])
    #expect(lines(checkConstructs, "// Absent is as good as empty.\n\ntry? c()\n") == [3])
    #expect(lines(checkConstructs, "try? c() // Absent is as good as empty.\n").isEmpty)
    #expect(lines(checkConstructs, "// Absent is as good as empty.\ntry? c()\n").isEmpty)
    #expect(lines(checkConstructs, "let retry = a ? b : c; retry?.d()\n").isEmpty)
  }

  @Test("a promise to the compiler needs a proof above it", arguments: ["Sources", "Tests"])
  func unproved(folder: String) {
    let path = "\(folder)/Loop/A.swift"
    let proof = "// Written before the thread starts, only read after."
    let broken = "struct A<B>:\n  ~Copyable, @unchecked Sendable\n{\n}"
    #expect(lines(checkConstructs, "let a = 1\n\n\(broken)\n", at: path) == [4])
    #expect(lines(checkConstructs, "\(proof)\n\(broken)\n", at: path).isEmpty)
    for promise in ["final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1"] {
      #expect(lines(checkConstructs, "\n\(promise)\n", at: path) == [2])
      #expect(lines(checkConstructs, "let a = 1 \(proof)\n\(promise)\n", at: path) == [2])
      #expect(lines(checkConstructs, "\(proof)\n\(promise)\n", at: path).isEmpty)
      #expect(lines(checkConstructs, "/\(proof)\n@attribute\n\(promise)\n", at: path).isEmpty)
    }
  }

  @Test("only main programs may print, and none may call fatalError or await")
  func calls() {
    let room = "Sources/Audio/A.swift"
    for call in ["print(1)", "debugPrint(a)", "dump(a)", "fatalError()", "await f()"] {
      #expect(lines(checkConstructs, "\n\(call)\n", at: room) == [2])
      #expect(lines(checkConstructs, "\n\(call)\n", at: "Tests/AudioTests/A.swift").isEmpty)
    }
    #expect(lines(checkConstructs, "print(1)\n", at: "Sources/reelctl/A.swift").isEmpty)
    #expect(lines(checkConstructs, "fatalError()\n", at: "Sources/reelctl/A.swift") == [1])
    for near in ["page.print(1)", "func print(_ a: Int) {}", "reprint(1)", "// print(1)", "dumper"]
    {
      #expect(lines(checkConstructs, "\(near)\n", at: room).isEmpty)
    }
  }

  @Test("a file without an opening paragraph is found")
  func openings() {
    for path in ["Sources/Loop/A.swift", "Tests/LoopTests/A.swift", "Sources/CALSA/shim.h"] {
      #expect(lines(checkOpening, "\(opening)import A\n", at: path).isEmpty)
      #expect(lines(checkOpening, "import A\n\(opening)", at: path) == [1])
      #expect(lines(checkOpening, "// Short.\nimport A\n", at: path) == [1])
      #expect(lines(checkOpening, "", at: path) == [1])
    }
    #expect(lines(checkOpening, "import A\n", at: "Package.swift").isEmpty)
  }

  @Test("a script without its first line or its paragraph is found")
  func scriptOpenings() {
    let paragraph = "# " + String(repeating: "word ", count: 15) + "\n"
    #expect(lines(checkOpening, "#!/bin/sh\n\(paragraph)ls\n", at: "scripts/a").isEmpty)
    #expect(lines(checkOpening, paragraph + "ls\n", at: "scripts/a") == [1])
    #expect(lines(checkOpening, "#!/bin/sh\nls\n\(paragraph)", at: "scripts/a") == [1])
  }

  @Test("forbidden words are found in any kind of file, but not within other words")
  func words() {
    let planted = [
      "cd /wo" + "rk/a", "/ho" + "me/me", "/ro" + "ot/", "/opt" + "/swift/usr", "// TO" + "DO: b",
      "(FIX" + "ME)", "XX" + "X", "a HA" + "CK.", "Lorem" + " Ipsum", "Foo" + "Bar",
      "<<<<" + "<<< HEAD",
    ]
    for text in planted {
      for path in ["docs/a.md", "Sources/Loop/A.swift", "scripts/a"] {
        #expect(lines(checkWords, "a\n\(text)\n", at: path) == [2], "\(text)")
      }
    }
    let near = ["/tmp/reel-XXXXXX", "network/a", "/homes/", "rooted", "todo list", "hack", "HACKS"]
    for text in near { #expect(lines(checkWords, text, at: "docs/a.md").isEmpty, "\(text)") }
  }

  @Test("a suite that a page names, and that no file has, is found")
  func suites() {
    let suite = SourceFile("Tests/LoopTests/A.swift", "@Suite struct RingTests {}\n")
    let page = SourceFile("docs/a.md", "RingTests, LoopTests\nand WaveTests\n")
    #expect(checkSuites([suite, page]).map(\.line) == [2])
  }

  @Test("a patch must fit its file, hunk by hunk")
  func patches() {
    let file = SourceFile("Sources/Loop/A.swift", "a\nb\nc\nd\n")
    func lines(_ hunks: String) -> [Int] {
      let text = "# a fault\n--- a/Sources/Loop/A.swift\n+++ b/Sources/Loop/A.swift\n" + hunks
      return checkPatches([SourceFile("Tests/planted/a.patch", text), file]).map(\.line)
    }
    #expect(lines("@@ -1,2 +1,2 @@\n a\n-b\n+x\n") == [])
    #expect(lines("@@ -1,2 +1,2 @@\n a\n-c\n+x\n") == [4])
    #expect(lines("@@ -1 +1,2 @@\n a\n+x\n@@ -3,2 +4,1 @@\n c\n-e\n") == [7])
    let lost = SourceFile("Tests/planted/b.patch", "--- a/Sources/B.swift\n@@ -1 +1 @@\n-a\n")
    #expect(checkPatches([lost, file]).map(\.line) == [2])
  }

  @Test(
    "a descriptor that a hook could inherit is found",
    arguments: ["pipe(&ends)", "dup(file)", "fcntl(file, F_SETFD, 1)", "inotify_init()"])
  func inherited(call: String) {
    #expect(lines(checkConstructs, "// a\nlet a = \(call)\n") == [2])
    #expect(lines(checkConstructs, "// a\nlet a = \(call)\n", at: "Tests/A/A.swift").isEmpty)
  }

  @Test("a patch says what is wrong, which test notices, and calls isPlanted with its name")
  func patchWords() {
    let path = "Tests/planted/late-end.patch"
    let whole = "# It ends late.\n# check: A.B\n+if isPlanted(\"late-end\") { a() }\n"
    #expect(lines(checkPatchWords, whole, at: path) == [])
    #expect(lines(checkPatchWords, whole, at: "Tests/planted/other.patch") == [1])
    #expect(lines(checkPatchWords, "# It ends late.\n+a()\n", at: path) == [1, 1])
    #expect(lines(checkPatchWords, "--- a/b\n", at: path) == [1, 1, 1])
  }
}
