// The daemon's configuration: where its file is, what of it holds, and what becomes of it when the
// file has changed. Made before anything else, since nothing starts on a file with mistakes; later
// used by the loop's thread.

import Glibc
import Host
import Panel
import Recorder

struct RunningConfiguration {
  let file: String
  private(set) var value: Configuration
  private let pace: Arguments.Pace

  struct Refusal: Error {
    let mistakes: [ConfigurationMistake]
  }

  init(_ arguments: Arguments) throws(Refusal) {
    file = Self.file(arguments)
    value = try Self.read(file, mustExist: arguments.configurationFile != nil)
    pace = arguments.pace
  }

  /// With `--root DIR`, everything is below DIR.
  private static func file(_ arguments: Arguments) -> String {
    if let file = arguments.configurationFile { return file }
    if let root = arguments.root { return root + "/etc/reel.json" }
    if !arguments.isVirtual { return "/etc/reel/reel.json" }
    return Root.standard(isVirtual: true) + "/etc/reel.json"
  }

  /// A file that somebody named should be there; others need not.
  private static func read(
    _ file: String, mustExist: Bool = false
  ) throws(Refusal) -> Configuration {
    let text: [UInt8]
    switch ConfigurationReader.contents(of: file) {
    case .missing where !mustExist: return Configuration()
    case .missing: throw Refusal(file, "there is no such file")
    case .unreadable(let why): throw Refusal(file, why)
    case .text(let bytes): text = bytes
    }
    switch ConfigurationReader.read(text, file: file) {
    case .wrong(let mistakes): throw Refusal(mistakes: mistakes)
    case .good(let configuration):
      let plan = PanelPlan(configuration.panel)
      let mistakes = plan.mistakes(bindings: configuration.settings.bindings)
      if mistakes.isEmpty { return configuration }
      let place = ConfigurationReader.place(of: "panel", in: text)
      throw Refusal(
        mistakes: mistakes.map {
          ConfigurationMistake(file: file, place: place, path: "panel", sentence: $0)
        })
    }
  }

  /// What the heart is told. A file that is heard as fast as it goes is heard from its beginning:
  /// nothing listens before.
  var settings: Settings {
    var settings = value.settings
    if pace == .max { settings.isArmed = false }
    return settings
  }

  /// What holds, a key a line.
  var text: String { "// \(file)\n" + ConfigurationText.file(value) }

  /// Reads the file again. What is told of it, and what is to be said to whoever reads the journal.
  mutating func reload() -> (event: HostEvent, sentences: [String]) {
    do {
      let reloaded = value.reloaded(with: try Self.read(file))
      value = reloaded.running
      let waiting = reloaded.waiting.joined(separator: ", ")
      return (
        .configured(settings),
        waiting.isEmpty ? [] : ["\(file): a restart is needed for what has changed in \(waiting)"]
      )
    } catch {
      let sentences = error.mistakes.map(\.description)
      let more = sentences.count > 1 ? " (and \(sentences.count - 1) more)" : ""
      return (.configurationRefused((sentences.first ?? file) + more), sentences)
    }
  }

  /// What the file says now, and whether it can be understood; the defaults where it cannot.
  static func facts(_ arguments: Arguments) -> (Configuration, ConfigurationFacts) {
    let file = file(arguments)
    do throws(Refusal) {
      let value = try read(file, mustExist: arguments.configurationFile != nil)
      return (value, access(file, F_OK) == 0 ? .understood(file: file) : .absent(file: file))
    } catch {
      return (
        Configuration(), .wrong(file: file, mistakes: error.mistakes.map(\.description))
      )
    }
  }

  /// `reeld --check-config`: says what is wrong, to whoever reads standard error.
  static func check(_ arguments: Arguments) -> Int32 {
    do throws(Refusal) {
      let file = file(arguments)
      _ = try read(file, mustExist: arguments.configurationFile != nil)
      let isThere = access(file, F_OK) == 0
      print("\(file): \(isThere ? "understood" : "not there; everything has its default")")
      return 0
    } catch {
      // Without the program's name in front, editors find the place.
      let lines = Array(error.mistakes.map { "\($0)\n" }.joined().utf8)
      _ = lines.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      return 78
    }
  }
}

extension RunningConfiguration.Refusal {
  fileprivate init(_ file: String, _ sentence: String) {
    mistakes = [ConfigurationMistake(file: file, place: nil, path: "", sentence: sentence)]
  }
}
