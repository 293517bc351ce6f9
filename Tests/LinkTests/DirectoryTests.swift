// Copies into a directory: written under a temporary name, gone on with after a cut, never over
// another file, never through a link, and never onto the disk that the recorder itself is on.
import Glibc
import Scratch
import Testing

@testable import Link

extension LinkTests {
  @Suite struct DirectoryTests {
    private let bench: LinkBench
    private let bytes = LinkBench.bytes(700_000)
    private var place: DiskPlace
    private var stick: String { bench.scratch.path + "/stick" }

    init() throws {
      bench = try LinkBench()
      place = DiskPlace(target: "stick", path: bench.scratch.path + "/stick/Box")
      place.isMounted = false
      mkdir(stick, 0o755)
      mkdir(stick + "/Box", 0o755)
    }

    private var target: DirectoryTarget { DirectoryTarget(place) }

    private func contents(_ path: String) throws -> [UInt8] {
      let file = try bench.open(stick + "/" + path)
      var status = stat()
      fstat(file.descriptor, &status)
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      let count = bytes.withUnsafeMutableBytes { file.read($0, at: 0) }
      #expect(count == .success(bytes.count))
      return bytes
    }

    /// The bytes are not printed: they are many.
    private func has(_ path: String, _ bytes: [UInt8]) throws -> Bool {
      try contents(path) == bytes
    }

    private func names(in path: String) -> [String] {
      guard let folder = opendir(stick + "/" + path) else { return [] }
      defer { closedir(folder) }
      var names: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
      }
      return names.sorted()
    }

    @Test("a copy is whole, below its folders, and found the next time")
    func copied() throws {
      let request = try bench.request(bytes, "May", "Morning", "Kitchen.opus")
      #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
      #expect(try has("Box/May/Morning/Kitchen.opus", bytes))
      #expect(names(in: "Box/May/Morning") == ["Kitchen.opus"])
      #expect(try bench.copy(request, to: target).receipt?.wasThere == true)
    }

    @Test("a copy that was cut goes on; one whose beginning is damaged is sent again")
    func resumed() throws {
      for isDamaged in [false, true] {
        let name = try RemoteName(["\(isDamaged).opus"])
        var request = try bench.request(bytes, "x")
        request.name = name
        let part = name.part(of: LinkBench.content(of: bytes).hashes)
        var cut = Array(bytes.prefix(300_000))
        if isDamaged { cut[5] ^= 1 }
        try bench.write(cut, "stick/Box/\(part)")
        #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
        #expect(try has("Box/\(name)", bytes))
      }
      #expect(names(in: "Box") == ["false.opus", "true.opus"])
    }

    @Test("a name that is taken by a file, a folder or a link gets a number")
    func taken() throws {
      try bench.write(LinkBench.bytes(700_000, seed: 7), "stick/Box/a.opus")
      mkdir(stick + "/Box/b.opus", 0o755)
      symlink("/etc/passwd", stick + "/Box/c.opus")
      for name in ["a", "b", "c"] {
        let request = try bench.request(bytes, "\(name).opus")
        let receipt = try #require(try bench.copy(request, to: target).receipt)
        #expect(receipt.name.file == "\(name) (2).opus")
        #expect(try has("Box/\(name) (2).opus", bytes))
      }
      #expect(try has("Box/a.opus", LinkBench.bytes(700_000, seed: 7)))
    }

    @Test("a link in place of a folder is not followed")
    func links() throws {
      let outside = ScratchFolder()
      symlink(outside.path, stick + "/Box/May")
      let request = try bench.request(bytes, "May", "Kitchen.opus")
      #expect(try bench.copy(request, to: target).error != nil)
      #expect(SmallNames.count(in: outside.path) == 0)
    }

    @Test("without the disk there is no copy: a directory that is absent, or that is no mount")
    func absent() throws {
      let request = try bench.request(bytes, "Kitchen.opus")
      for change in [
        { $0.path += "2" }, { $0.label = "NO SUCH DISK" },
        {
          $0.isMounted = true
          $0.path = "/var/lib"
        },
      ] as [(inout DiskPlace) -> Void] {
        var other = place
        change(&other)
        let error = try bench.copy(request, to: DirectoryTarget(other)).error
        #expect(error?.code == .absent)
        #expect(error?.scope == .target)
      }
    }

    @Test("a stick that goes in mid-copy is absent; when it is back, the copy goes on")
    func unplugged() throws {
      let bytes = LinkBench.bytes(3_000_000)
      let request = try bench.request(bytes, "Kitchen.opus")
      var outcome: CopyOutcome?
      let job = try bench.driver.copy(request, to: target) { outcome = $0 }
      let part = request.name.part(of: LinkBench.content(of: bytes).hashes)
      while access(stick + "/Box/\(part)", F_OK) != 0 {
        try #require(try bench.loop.runOneTurn(waitingAtMostMilliseconds: 5000))
      }
      rename(stick, stick + "2")
      #expect(try bench.wait { outcome }.error?.code == .absent)
      job.stop()
      rename(stick + "2", stick)
      #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
      #expect(try has("Box/Kitchen.opus", bytes))
      #expect(names(in: "Box") == ["Kitchen.opus"])
    }

    @Test("a rename is done there, onto a free name; a missing copy is told")
    func renamed() throws {
      let request = try bench.request(bytes, "a.opus")
      #expect(try bench.copy(request, to: target).receipt != nil)
      try bench.write([1], "stick/Box/b.opus")
      let content = LinkBench.content(of: bytes)
      let wanted = try RemoteName(["b.opus"])
      let job = RenameJob(request.name, to: wanted, content, traits: target.traits)
      #expect(try bench.perform(job, at: target) == .renamed(wanted.numbered(2)))
      #expect(try has("Box/b (2).opus", bytes))
      let again = RenameJob(
        request.name, to: try RemoteName(["c.opus"]), content, traits: target.traits)
      #expect(try bench.perform(again, at: target) == .missing)
      let folder = RenameJob(
        wanted.numbered(2), to: try RemoteName(["May", "d.opus"]), content, traits: target.traits)
      #expect(try bench.perform(folder, at: target) == .renamed(try RemoteName(["May", "d.opus"])))
    }

    @Test("a recording that is not as it was recorded, or shorter, is not sent")
    func source() throws {
      var request = try bench.request(bytes, "a.opus")
      request.soundHash = LinkBench.content(of: LinkBench.bytes(500, seed: 4)).hashes.sound
      #expect(try bench.copy(request, to: target).error == .notAsRecorded)
      request = try bench.request(bytes, "a.opus")
      request.length += 1
      #expect(try bench.copy(request, to: target).error == .sourceChanged)
      #expect(names(in: "Box") == [])
    }

    @Test("a full disk holds the target, and its error says so")
    func full() throws {
      var other = place
      // The one file that is always full.
      other.path = "/dev"
      guard case .failed(let error) = other.failure(ENOSPC) else {
        Issue.record("a full disk is no failure")
        return
      }
      #expect(error.code == .space)
      #expect(error.scope == .target)
    }
  }
}

private enum SmallNames {
  static func count(in path: String) -> Int {
    guard let folder = opendir(path) else { return -1 }
    defer { closedir(folder) }
    var count = -2
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
