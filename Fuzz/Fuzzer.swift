// The program that scripts/fuzz runs: libFuzzer around one target. Without libFuzzer's driver it
// runs each given file once, to debug a finding.
//   reel-fuzz TARGET [libFuzzer's own options and folders]
//   reel-fuzz TARGET --seeds FOLDER      writes the inputs to begin with
//   reel-fuzz --targets                  what there is: name and longest input

import CFuzzer
import Glibc

@main
enum Fuzzer {
  /// Set once before libFuzzer calls anything; everything runs on one thread.
  nonisolated(unsafe) private static var target: FuzzTarget?

  private static let again = "REEL_FUZZ_TARGET"

  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--targets" {
      for target in FuzzTarget.all { print(target.name, target.limitBytes) }
      return
    }
    // libFuzzer starts this program again, with its own options alone, to merge and to minimise.
    let isAgain = words.first?.hasPrefix("-") ?? false
    let named = isAgain ? getenv(Self.again).map { String(cString: $0) } : words.first
    guard let target = FuzzTarget.all.first(where: { $0.name == named }) else {
      logError("name one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
      exit(64)
    }
    self.target = target
    setenv(Self.again, target.name, 1)
    if words.dropFirst().first == "--seeds", let folder = words.dropFirst(2).first {
      return try writeSeeds(of: target, to: folder)
    }
    exit(
      fuzz(CommandLine.arguments.enumerated().filter { isAgain || $0.offset != 1 }.map(\.element)))
  }

  /// libFuzzer's options are this program's, without the target.
  private static func fuzz(_ arguments: [String]) -> Int32 {
    var words = arguments.map { strdup($0) } + [nil]
    var count = Int32(arguments.count)
    return words.withUnsafeMutableBufferPointer { words in
      var start = words.baseAddress
      return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
        Fuzzer.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
        return 0
      }
    }
  }

  private static func run(_ bytes: [UInt8]) {
    do { try target?.run(bytes) } catch {
      logError("a promise does not hold: \(error)")
      abort()
    }
  }

  private static func logError(_ sentence: String) {
    let line = Array("reel-fuzz: \(sentence)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  private static func writeSeeds(of target: FuzzTarget, to folder: String) throws {
    for (index, seed) in try target.seeds().enumerated() {
      guard let file = fopen("\(folder)/seed-\(index)", "w") else {
        throw Broken("cannot write into \(folder)")
      }
      fwrite(seed, 1, seed.count, file)
      fclose(file)
    }
  }
}
