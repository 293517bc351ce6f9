// Watching folders: entries that appear, go or change their permissions are reported, once for
// several changes; a folder that does not exist yet is waited for, at any depth.
import Glibc
import Scratch
import Testing

@testable import Systemd

extension SystemdTests {
  @Suite struct FolderWatchTests {
    private let scratch = ScratchFolder()
    private var folder: String { scratch.path }

    private func touch(_ name: String) {
      close(open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }

    @Test("files that appear, change permissions or go are reported, several at once only once")
    func files() throws {
      let loop = try EventLoop()
      var count = 0
      let watch = try FolderWatch([folder], on: loop) { count += 1 }
      #expect(try loop.runAllReady() == 0)
      for change in [
        { touch("one") }, { _ = chmod(folder + "/one", 0o640) }, { unlink(folder + "/one") },
        { for name in ["two", "three"] { touch(name) } },
      ] as [() -> Void] {
        let before = count
        change()
        try loop.runAllReady()
        #expect(count == before + 1)
      }
      withExtendedLifetime(watch) {}
    }

    @Test("a folder that appears later, or again, is watched from then on")
    func late() throws {
      let loop = try EventLoop()
      var count = 0
      let watch = try FolderWatch([folder + "/dev/snd", folder + "/dev"], on: loop) { count += 1 }
      for _ in 0..<2 {
        mkdir(folder + "/dev", 0o700)
        try loop.runAllReady()
        mkdir(folder + "/dev/snd", 0o700)
        try loop.runAllReady()
        let before = count
        touch("dev/snd/card")
        try loop.runAllReady()
        #expect(count == before + 1)
        for name in ["/dev/snd/card", "/dev/snd", "/dev"] {
          remove(folder + name)
          try loop.runAllReady()
        }
      }
      withExtendedLifetime(watch) {}
    }

    @Test("a released watch reports nothing more")
    func ended() throws {
      let loop = try EventLoop()
      var count = 0
      var watch: FolderWatch? = try FolderWatch([folder], on: loop) { count += 1 }
      withExtendedLifetime(watch) {}
      watch = nil
      touch("one")
      #expect(try loop.runAllReady() == 0 && count == 0)
    }
  }
}
