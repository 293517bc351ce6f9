// The project's own files, found from this file's path. Only reads; leaves out files that git
// ignores, names that begin with a dot, and files that are not text.
import FoundationEssentials

enum Project {
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// Every text file, by its path from the root.
  static func files() -> [SourceFile] {
    paths(below: "").sorted().compactMap { path in
      guard let data = FileManager.default.contents(atPath: root + "/" + path),
        data.count < 1_000_000, !data.prefix(1024).contains(0)
      else { return nil }
      return SourceFile(path, String(decoding: data, as: UTF8.self))
    }
  }

  private static func paths(below folder: String) -> [String] {
    names(in: folder).flatMap { name -> [String] in
      let path = folder.isEmpty ? name : folder + "/" + name
      var isFolder = false
      if name.hasPrefix(".") || ignored.contains(path) || inputs.contains(path) { return [] }
      _ = FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
      return isFolder ? paths(below: path) : [path]
    }
  }

  private static func names(in folder: String) -> [String] {
    // A folder that cannot be read has nothing to check.
    (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
  }

  /// Inputs of the fuzzers are not text of this project.
  private static let inputs: Set<String> = ["Fuzz/corpus", "Fuzz/findings"]

  /// The folders that `.gitignore` names by path.
  private static let ignored: Set<String> = {
    let data = FileManager.default.contents(atPath: root + "/.gitignore")
    let lines = String(decoding: data ?? .init(), as: UTF8.self).split(separator: "\n")
    return Set(lines.map { $0.split(separator: "/").joined(separator: "/") })
  }()
}
