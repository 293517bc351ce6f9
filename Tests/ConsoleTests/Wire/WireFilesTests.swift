// Open files that clients pass: used by the request that announces them, checked before use, and
// closed in any case. A hostile client's files cost nothing but its connection.

import Glibc
import Recorder
import Scratch
import Testing

@testable import Console

@Suite struct WireFilesTests {
  private let scratch = ScratchFolder()
  private var folder: String { scratch.path }

  private func file(_ flags: Int32 = O_RDWR, _ text: String = "") -> Int32 {
    let made = open(folder + "/file", flags | O_CREAT | O_CLOEXEC, 0o600)
    _ = write(made, text, text.utf8.count)
    return made
  }

  /// Waits until `count` copies are open: other threads close files later. False if that never
  /// happens.
  private func hasSoon(_ count: Int, copiesOf file: Int32) -> Bool {
    for _ in 0..<2000 {
      if copies(of: file) == count { return true }
      usleep(5000)  // Between two polls.
    }
    return false
  }

  /// Returns how many descriptors are open on the file of this descriptor.
  private func copies(of file: Int32) -> Int {
    var wanted = stat()
    fstat(file, &wanted)
    // Other tests hold a thousand at times.
    return (0..<8192).count { number in
      var status = stat()
      return fstat(Int32(number), &status) == 0 && status.st_ino == wanted.st_ino
        && status.st_dev == wanted.st_dev
    }
  }

  private func request(_ words: String, files: Int, id: Int = 1) -> String {
    let list = words.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",")
    return "{\"id\":\(id),\"files\":\(files),\"do\":[\(list)]}\n"
  }

  @Test("an export goes into the passed file, under its name, which is closed after that")
  func export() throws {
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let file = file()
    defer { close(file) }
    caller.pass(request("export 11 /media/usb/kitchen.wav", files: 1), [file])
    var isOver = false
    while !isOver, let reply = try caller.next() { if case .ok = reply { isOver = true } }
    #expect(isOver)
    let targets = rig.bench.commands.compactMap { command -> OutsideFile? in
      guard case .card(.work(_, .long(.export(_, _, _, _, let file)))) = command else { return nil }
      return file
    }
    #expect(targets == [OutsideFile("/media/usb/kitchen.wav", passed: 1)])
    #expect(rig.kept.isEmpty && copies(of: file) == 1)
  }

  @Test("the files of a client that goes in mid-request are closed")
  func goneClient() throws {
    let rig = try WireRig()
    rig.bench.cardAnswers = false
    let caller = try rig.client()
    _ = try caller.next()
    let file = file()
    defer { close(file) }
    caller.pass(request("export 11 /media/usb/kitchen.wav", files: 1), [file])
    #expect(rig.turn { rig.kept.count == 1 })
    caller.hangUp()
    #expect(rig.turn { rig.kept.isEmpty && copies(of: file) == 1 })
  }

  @Test("files come to the requests that announce them, in the order they came")
  func order() throws {
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let files = [file(O_RDONLY), file(O_RDONLY)]
    defer { for file in files { close(file) } }
    caller.pass(request("import a.wav b.wav", files: 2), files)
    var isOver = false
    while !isOver, let reply = try caller.next() {
      switch reply {
      case .ok, .error: isOver = true
      default: break
      }
    }
    let sources = rig.bench.commands.compactMap { command -> OutsideFile? in
      guard case .card(.work(_, .importFile(_, _, let file, _, _))) = command else { return nil }
      return file
    }
    #expect(sources.first == OutsideFile("a.wav", passed: 1))
    #expect(rig.kept.isEmpty && copies(of: files[0]) == 2)
  }

  @Test("a file that was opened for a client comes beside its answer, and is closed here")
  func opened() throws {
    // given a client that asks for a file, and one that asks for nothing
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let file = file(O_RDWR, "sound")
    defer { close(file) }
    rig.offered = [7: dup(file)]
    rig.bench.opened = ClientFile(number: 7, file: "0001 Take.opus", sizeBytes: 5)
    let id = ItemID.root
    caller.write(request("open \(id) --in \(id)", files: 0))
    // when the answer comes
    guard case .ok(1, .opened(let opened)) = try caller.next(), let given = caller.takeFile()
    else {
      Issue.record("no file")
      return
    }
    defer { close(given) }
    // then it has the file, and only those of the two ends are open
    #expect(opened.sizeBytes == 5 && rig.offered.isEmpty && hasSoon(2, copiesOf: file))
  }

  @Test("the text of the manifest comes beside its facts")
  func manifest() throws {
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let file = file(O_RDWR, "1 kept")
    defer { close(file) }
    rig.offered = [7: dup(file)]
    rig.bench.opened = ClientFile(number: 7, file: ".manifest/0.txt", sizeBytes: 6)
    caller.write(request("manifest open", files: 0))
    guard case .ok(1, .manifest(let facts)) = try caller.next(), let given = caller.takeFile()
    else {
      Issue.record("no file")
      return
    }
    defer { close(given) }
    #expect(facts.file?.sizeBytes == 6 && rig.offered.isEmpty && hasSoon(2, copiesOf: file))
  }

  @Test("a file that was opened for a request which has ended is closed")
  func openedTooLate() throws {
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let file = file(O_RDWR, "sound")
    defer { close(file) }
    for console in [ControlSocket.firstConsole + 1, ControlSocket.firstConsole + 99] {
      rig.offered = [7: dup(file)]
      let opened = ClientFile(number: 7, file: "0001 Take.opus", sizeBytes: 5)
      rig.socket?.answer(console, 9, .opened(opened), isLast: true)
      #expect(rig.offered.isEmpty && copies(of: file) == 1)
    }
  }

  private static let unusable: [(String, String, @Sendable (String) -> [Int32], Int, String)] = [
    ("none where one is due", "export 11 /k.wav", { _ in [] }, 1, "announced"),
    (
      "a directory", "export 11 /k.wav", { [open($0, O_RDONLY | O_DIRECTORY)] }, 1, "is no file"
    ),
    ("a device", "import /k.wav", { _ in [open("/dev/zero", O_RDWR)] }, 1, "is no file"),
    (
      "a pipe", "import /k.wav",
      { folder in
        mkfifo(folder + "/pipe", 0o600)
        return [open(folder + "/pipe", O_RDWR)]
      }, 1, "is no file"
    ),
    (
      "one that can only be read", "export 11 /k.wav",
      { [open($0 + "/new", O_RDONLY | O_CREAT, 0o600)] }, 1, "cannot be written"
    ),
    (
      "one that appends", "export 11 /k.wav",
      { [open($0 + "/new", O_RDWR | O_APPEND | O_CREAT, 0o600)] }, 1, "cannot be written"
    ),
    (
      "one that can only be written", "import /k.wav",
      { [open($0 + "/new", O_WRONLY | O_CREAT, 0o600)] }, 1, "cannot be read"
    ),
    (
      "one with something in it", "export 11 /k.wav",
      { folder in
        let file = open(folder + "/full", O_RDWR | O_CREAT, 0o600)
        write(file, "x", 1)
        return [file]
      }, 1, "not empty"
    ),
    (
      "one for a command that takes none", "status",
      { [open($0 + "/new", O_RDWR | O_CREAT, 0o600)] }, 1, "takes no files"
    ),
    (
      "two for one recording", "export 11 /k.wav",
      { folder in (1...2).map { open("\(folder)/\($0)", O_RDWR | O_CREAT, 0o600) } }, 2, "one file"
    ),
  ]

  @Test("an unusable file is refused in a sentence, and closed", arguments: unusable.indices)
  func refused(_ index: Int) throws {
    let (_, words, make, count, sentence) = Self.unusable[index]
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let files = make(folder)
    defer { for file in files { close(file) } }
    caller.pass(request(words, files: count), files)
    guard case .error(1, let failure)? = try caller.next() else {
      Issue.record("it was not refused")
      return
    }
    #expect(failure.sentence.contains(sentence), "\(failure)")
    #expect(rig.kept.isEmpty)
    for file in files where files.count == 1 { #expect(hasSoon(1, copiesOf: file)) }
    #expect(try caller.answer("pwd") == .told("/"))
  }

  @Test("a client that passes too many files is disconnected, and all are closed")
  func tooMany() throws {
    let rig = try WireRig()
    let caller = try rig.client()
    _ = try caller.next()
    let file = file()
    defer { close(file) }
    for _ in 0..<3 { caller.pass(" ", Array(repeating: file, count: 8)) }
    guard case .error(nil, let failure)? = try caller.next() else {
      Issue.record("it was not sent away")
      return
    }
    #expect(failure.code == "tooManyFiles")
    #expect(caller.endsByThem() && hasSoon(1, copiesOf: file))
  }

  @Test("too many files at once, and a client that leaves: no file stays open")
  func leftovers() throws {
    let rig = try WireRig()
    let file = file()
    defer { close(file) }
    let greedy = try rig.client()
    _ = try greedy.next()
    greedy.pass(" ", Array(repeating: file, count: 200))
    #expect(greedy.endsByThem() && hasSoon(1, copiesOf: file))
    let shy = try rig.client()
    _ = try shy.next()
    shy.pass(" ", [file, file])
    #expect(try shy.answer("pwd") == .told("/"))
    #expect(hasSoon(3, copiesOf: file))
    shy.hangUp()
    #expect(rig.turn { copies(of: file) == 1 })
  }
}
