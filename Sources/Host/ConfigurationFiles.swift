// Which files a configuration is made of: the main file, and beside it a directory of small ones,
// so that a package, an image or a technician can add a few keys without editing the main file.
// Reading waits for the disk; it is done at the start and on a reload.
import Glibc
import Realtime

/// A file of the configuration as it was read.
public struct ConfigurationFile: Equatable, Sendable {
  public let path: String
  public let text: [UInt8]

  public init(path: String, text: [UInt8]) {
    self.path = path
    self.text = text
  }
}

extension ConfigurationReader {
  /// More files than this are an error of the program that writes them.
  static let filesMaximum = 64

  public enum Files: Equatable, Sendable {
    /// In the order in which they are read; empty if there is none.
    case found([ConfigurationFile])
    case wrong([ConfigurationError])
  }

  /// Returns `/etc/reel/reel.d` for `/etc/reel/reel.json`.
  public static func directory(beside file: String) -> String {
    (file.hasSuffix(".json") ? String(file.dropLast(5)) : file) + ".d"
  }

  /// Returns the main file, if there is one, and the files of its directory in the order of their
  /// names. All that cannot be read is reported.
  public static func files(of main: String) -> Files {
    var found: [ConfigurationFile] = []
    var mistakes: [ConfigurationError] = []
    func refuse(_ path: String, _ sentence: String) {
      mistakes.append(
        ConfigurationError(file: path, place: nil, path: "", sentence: sentence))
    }
    let directory = directory(beside: main)
    var names: [String] = []
    do throws(DirectoryRefusal) { names = try fileNames(in: directory) } catch {
      refuse(directory, error.sentence)
    }
    for path in [main] + names.map({ directory + "/" + $0 }) {
      switch contents(of: path) {
      case .text(let text): found.append(ConfigurationFile(path: path, text: text))
      // In the directory this is a dangling link, or a file that was deleted just now.
      case .missing: if path != main { refuse(path, "there is no such file") }
      case .unreadable(let why): refuse(path, why)
      }
    }
    return mistakes.isEmpty ? .found(found) : .wrong(mistakes)
  }

  private struct DirectoryRefusal: Error { let sentence: String }

  /// Leftovers of editors and package managers have another ending, or begin with a dot.
  private static func fileNames(in directory: String) throws(DirectoryRefusal) -> [String] {
    guard let folder = opendir(directory) else {
      let number = errno
      if access(directory, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return [] }
      throw DirectoryRefusal(sentence: "it cannot be read: \(systemWords(for: number))")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
      if names.count > filesMaximum {
        throw DirectoryRefusal(sentence: "there are more than \(filesMaximum) files in it")
      }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
