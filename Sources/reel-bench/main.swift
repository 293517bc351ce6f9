// Measures our side of Benchmarks/run: one subcommand a benchmark, its figures on stdout.
// To add one: a file with a function of the remaining arguments, and a line in the table.
import Glibc

/// Returns what is printed; nil if the arguments make no sense.
typealias Measure = ([String]) throws -> String?

let measures: [String: Measure] = [
  "clicks": checkClicks,
  "decode": decodeFile,
  "flac": recordFlac,
  "json": measureJSON,
  "live": recordLive,
  "loudness": measureLoudness,
  "record": recordFile,
  "reduce": measureReduce,
  "ring": measureRing,
  "store": measureStore,
]

let usage = """
  usage: reel-bench clicks FILE
         reel-bench decode OPUS
         reel-bench flac RAW CHANNELS 16|24 RATE FLAC
         reel-bench json ITEMS
         reel-bench live PCM SECONDS RATE opus|flac16|flac24 FILE
         reel-bench loudness RAW CHANNELS
         reel-bench record RAW CHANNELS 16|24 RATE COMPLEXITY OPUS
         reel-bench reduce RECORDINGS FOLDERS
         reel-bench ring bytes|items SIZE COUNT
         reel-bench store changes ITEMS CHANGES
         reel-bench store fill DIRECTORY RECORDINGS FOLDERS
         reel-bench store open|list DIRECTORY
  """

func end(_ status: CInt, _ words: String) -> Never {
  var line = words + "\n"
  line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(status)
}

do {
  let arguments = CommandLine.arguments.dropFirst()
  guard
    let measure = arguments.first.flatMap({ measures[$0] }),
    let figures = try measure(Array(arguments.dropFirst()))
  else { end(EX_USAGE, usage) }
  print(figures)
} catch {
  end(EX_OSERR, "reel-bench: \(error)")
}
