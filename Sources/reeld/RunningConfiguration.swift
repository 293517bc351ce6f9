// The daemon's configuration: where its files are, what is in force, and what a reload changes.
// Made before anything else, since nothing starts on a file with errors; later used by the loop's
// thread.

import Catalogue
import Glibc
import Host
import Panel
import Recorder

struct RunningConfiguration {
  let file: String
  private(set) var value: Configuration
  private var files: [ConfigurationFile]
  private let pace: Arguments.Pace
  /// Whether it is not the system's own recorder.
  private let isApart: Bool

  struct Rejection: Error {
    let mistakes: [ConfigurationError]
  }

  init(_ arguments: Arguments) throws(Rejection) {
    file = Self.file(arguments)
    let mustExist = arguments.configurationFile != nil
    (files, value) = try Self.read(file, mustExist: mustExist)
    pace = arguments.pace
    isApart = arguments.isVirtual || arguments.root != nil
  }

  /// With `--root DIR`, everything is below DIR.
  private static func file(_ arguments: Arguments) -> String {
    if let file = arguments.configurationFile { return file }
    if let root = arguments.root { return root + "/etc/reel.json" }
    if !arguments.isVirtual { return "/etc/reel/reel.json" }
    return Root.standard(isVirtual: true) + "/etc/reel.json"
  }

  /// A file named on the command line must exist; the standard one need not.
  private static func read(
    _ file: String, mustExist: Bool = false
  ) throws(Rejection) -> (files: [ConfigurationFile], value: Configuration) {
    let files: [ConfigurationFile]
    switch ConfigurationReader.files(of: file) {
    case .wrong(let mistakes): throw Rejection(mistakes: mistakes)
    case .found(let found): files = found
    }
    if mustExist, files.first?.path != file { throw Rejection(file, "there is no such file") }
    switch ConfigurationReader.read(files) {
    case .wrong(let mistakes): throw Rejection(mistakes: mistakes)
    case .good(let configuration):
      let plan = PanelPlan(configuration.panel)
      let mistakes = plan.mistakes(bindings: configuration.settings.bindings)
      if mistakes.isEmpty { return (files, configuration) }
      throw Rejection(mistakes: mistakes.map { mistake(ofPanel: $0, in: files, else: file) })
    }
  }

  /// An error of the panel as a whole is reported at the last file that has a panel.
  private static func mistake(
    ofPanel sentence: String, in files: [ConfigurationFile], else main: String
  ) -> ConfigurationError {
    for file in files.reversed() {
      if let place = ConfigurationReader.place(of: "panel", in: file.text) {
        return ConfigurationError(
          file: file.path, place: place, path: "panel", sentence: sentence)
      }
    }
    return ConfigurationError(file: main, place: nil, path: "panel", sentence: sentence)
  }

  /// The settings for the heart. At full pace the microphone is not armed, so that a file is
  /// recorded from its beginning.
  var settings: Settings {
    var settings = value.settings
    if pace == .max { settings.isArmed = false }
    settings.language = value.language.language(environment: .environment)
    return settings
  }

  /// A recorder with a directory of its own has hooks of its own.
  func hooks(below root: String) -> HookConfiguration {
    var hooks = value.hooks
    if isApart, hooks.directory == HookConfiguration().directory {
      hooks.directory = root + "/etc/hooks"
    }
    return hooks
  }

  /// The configuration in force, one key a line.
  var text: String {
    let names = files.isEmpty ? [file] : files.map(\.path)
    return names.map { "// \($0)\n" }.joined() + ConfigurationText.file(value)
  }

  /// Writes the configuration at the start to where `--lights-off` reads it: when the daemon has
  /// died, the files may have changed, or have errors.
  func keep(at path: String) {
    guard let file = fopen(path, "we") else {
      return logError("cannot write \(path); if reeld dies, its lights may stay on")
    }
    // A file that is cut short does not parse, and is ignored.
    fputs(ConfigurationText.file(value), file)
    fclose(file)
  }

  /// Returns the configuration that a daemon kept; nil if there is none, or it was cut short.
  static func kept(at path: String) -> Configuration? {
    guard case .text(let text) = ConfigurationReader.contents(of: path),
      case .good(let value) = ConfigurationReader.read(text, file: path)
    else { return nil }
    return value
  }

  /// What the files say: read on a thread that may wait for the card.
  struct Reading: Sendable {
    let files: [ConfigurationFile]
    let value: Configuration
  }

  typealias Read = Result<Reading, Rejection>

  static func readAgain(_ file: String) -> Read {
    do throws(Rejection) {
      let (files, value) = try read(file)
      return .success(Reading(files: files, value: value))
    } catch { return .failure(error) }
  }

  /// Adopts what the file says now. Returns the event for the heart and sentences for the journal.
  mutating func adopt(
    _ read: Read
  ) -> (event: HostEvent, sentences: [String]) {
    do {
      let read = try read.get()
      let reloaded = value.reloaded(with: read.value)
      (files, value) = (read.files, reloaded.running)
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

  /// Returns what the files say, and whether it is valid; the defaults if it is not.
  static func facts(_ arguments: Arguments) -> (Configuration, ConfigurationFacts) {
    let file = file(arguments)
    do throws(Rejection) {
      let (files, value) = try read(file, mustExist: arguments.configurationFile != nil)
      return (value, files.isEmpty ? .absent(file: file) : .understood(file: file))
    } catch {
      return (
        Configuration(), .wrong(file: file, mistakes: error.mistakes.map(\.description))
      )
    }
  }

  /// `reeld --check-config`: prints what is wrong to standard error.
  static func check(_ arguments: Arguments) -> Int32 {
    do throws(Rejection) {
      let file = file(arguments)
      let (files, _) = try read(file, mustExist: arguments.configurationFile != nil)
      if files.first?.path != file { print("\(file): not there; everything has its default") }
      for file in files { print("\(file.path): understood") }
      return 0
    } catch {
      // Without the program's name in front, editors find the place.
      let lines = Array(error.mistakes.map { "\($0)\n" }.joined().utf8)
      _ = lines.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      return 78
    }
  }
}

extension RunningConfiguration.Rejection {
  fileprivate init(_ file: String, _ sentence: String) {
    mistakes = [ConfigurationError(file: file, place: nil, path: "", sentence: sentence)]
  }
}

extension Language {
  /// The language of this process's environment.
  static var environment: Language {
    ofEnvironment { name in getenv(name).map { String(cString: $0) } }
  }
}
