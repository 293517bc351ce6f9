// A configuration of several files: the directory beside the main file is read after it in the
// order of names, a later key wins, each mistake names its own file, and one mistake refuses all.
// In a directory of the test's own.
import Glibc
import Testing

@testable import Host

@Suite struct ConfigurationFilesTests {
  private func good(_ folder: Folder) throws -> Configuration {
    let result = ConfigurationReader.read(file: folder.path + "/reel.json")
    guard case .good(let configuration) = result else {
      Issue.record("\(result)")
      return Configuration()
    }
    return configuration
  }

  private func mistakes(_ folder: Folder) -> [String] {
    switch ConfigurationReader.read(file: folder.path + "/reel.json") {
    case .good: []
    case .wrong(let mistakes):
      mistakes.map { $0.description.replacing(folder.path + "/", with: "") }
    }
  }

  @Test("the directory is named after the main file")
  func name() {
    #expect(ConfigurationReader.directory(beside: "/etc/reel/reel.json") == "/etc/reel/reel.d")
    #expect(ConfigurationReader.directory(beside: "/a/b") == "/a/b.d")
  }

  @Test("files are read in the order of their names, and the last value of a key wins")
  func order() throws {
    // Given
    let folder = Folder()
    folder.write("{ seek: '5 s', warn: '20 min', encoder: { complexity: 5 } }", to: "reel.json")
    folder.write("{ warn: '40 min' }", to: "reel.d/20-b.json")
    folder.write("{ warn: '30 min', volumeStep: 7 }", to: "reel.d/10-a.json")
    // Files that are ignored
    for name in [".hidden.json", "30-c.json.dpkg-old", "30-c.json~", "README"] {
      folder.write("nonsense", to: "reel.d/" + name)
    }
    // Then
    let configuration = try good(folder)
    #expect(configuration.settings.seekMilliseconds == 5000)
    #expect(configuration.settings.warnMilliseconds == 2_400_000)
    #expect(configuration.settings.volumeStepPercent == 7)
    #expect(configuration.opus.complexity == 5)
  }

  @Test("a section in a later file leaves the other keys of the section as they are")
  func section() throws {
    let folder = Folder()
    folder.write("{ encoder: { complexity: 5 } }", to: "reel.json")
    folder.write("{ encoder: { bitrate: '96 kbit/s' } }", to: "reel.d/a.json")
    let configuration = try good(folder)
    #expect(configuration.opus.complexity == 5 && configuration.opus.bitsPerSecond == 96_000)
  }

  @Test("without a main file the directory is read, and without both all has its default")
  func absent() throws {
    let folder = Folder()
    #expect(try good(folder) == Configuration())
    folder.write("{ volumeStep: 9 }", to: "reel.d/a.json")
    #expect(try good(folder).settings.volumeStepPercent == 9)
  }

  @Test("mistakes of all files are reported, each at its place, and nothing takes effect")
  func wrong() throws {
    let folder = Folder()
    folder.write("{\n  warn: 1x }", to: "reel.json")
    folder.write("{ volumeStep: 9 }", to: "reel.d/a.json")
    folder.write("{ seek: '5 s',\n  prerol: 2 }", to: "reel.d/b.json")
    let found = mistakes(folder)
    #expect(found.count == 2)
    #expect(found.first?.hasPrefix("reel.json:2:") == true)
    #expect(
      found.last == "reel.d/b.json:2:3: prerol: there is no such key; did you mean 'preroll'?")
  }

  @Test("each unreadable file gives one clear sentence")
  func unreadable() throws {
    // Given a directory with the name of a file, and a link to nothing
    let folder = Folder()
    mkdir(folder.path + "/reel.d", 0o755)
    mkdir(folder.path + "/reel.d/a.json", 0o755)
    symlink("/nowhere", folder.path + "/reel.d/b.json")
    // Then
    #expect(
      mistakes(folder) == [
        "reel.d/a.json: it is not a file", "reel.d/b.json: there is no such file",
      ])
    // Given a file in the place of the directory
    let other = Folder()
    other.write("", to: "reel.d")
    #expect(mistakes(other) == ["reel.d: it cannot be read: not a directory"])
  }

  @Test("the number of files is limited")
  func tooMany() throws {
    let folder = Folder()
    for number in 0...ConfigurationReader.filesMaximum {
      folder.write("{}", to: "reel.d/\(number).json")
    }
    #expect(mistakes(folder) == ["reel.d: there are more than 64 files in it"])
  }
}
