// What a key of the configuration is: its name, what may stand there, its default, one line of
// documentation, and where its value goes. From the one table of these come reading, checking,
// writing, the manual page and the default file. Pure.
import Recorder

/// What may stand for a value, how it is understood and how it is written.
struct Kind<Value: Equatable> {
  /// As in "expected …".
  let expected: String
  /// Nil after it has said what is wrong.
  let read: (JSON5, inout Reading) -> Value?
  let write: (Value) -> String
  /// The keys of each item, of a list or a group.
  var inner: [KeyDescription] = []
  /// How it may be written, where the default shows nothing of that.
  var example: String?

  func like(_ example: String) -> Kind {
    var kind = self
    kind.example = example
    return kind
  }
}

/// When a change of the file takes effect.
public enum KeyChange: String, Sendable { case live, restart }

/// What there is to say of a key, without its types.
public struct KeyDescription: Equatable, Sendable {
  public let path: String
  public let expected: String
  /// As it would be written; nil when it has to be given.
  public let standard: String?
  public let change: KeyChange
  public let help: String
  /// How it may be written, in lines, where the default shows nothing of that.
  public let example: String?
  /// Keys of the items below it.
  public let inner: [KeyDescription]
}

/// A key whose value is somewhere in a `Target`.
struct Key<Target> {
  let name: String
  let isRequired: Bool
  let description: (Target) -> KeyDescription
  let read: (JSON5, inout Target, inout Reading) -> Void
  let write: (Target) -> String
  let isSame: (Target, Target) -> Bool
  let copy: (Target, inout Target) -> Void

  init<Value>(
    _ name: String, _ place: WritableKeyPath<Target, Value>, _ kind: Kind<Value>,
    isRequired: Bool = false, _ help: String
  ) {
    self.init(name, place, kind, isRequired: isRequired, .live, help)
  }

  init<Value>(
    _ name: String, _ place: WritableKeyPath<Target, Value>, _ kind: Kind<Value>,
    isRequired: Bool = false, _ change: KeyChange, _ help: String
  ) {
    self.name = name
    self.isRequired = isRequired
    description = { standard in
      KeyDescription(
        path: name, expected: kind.expected,
        standard: isRequired ? nil : kind.write(standard[keyPath: place]), change: change,
        help: help, example: kind.example, inner: kind.inner)
    }
    read = { item, target, reading in
      if let value = kind.read(item, &reading) { target[keyPath: place] = value }
    }
    write = { kind.write($0[keyPath: place]) }
    isSame = { $0[keyPath: place] == $1[keyPath: place] }
    copy = { $1[keyPath: place] = $0[keyPath: place] }
  }
}

/// The keys between two braces.
struct Group<Target> {
  let keys: [Key<Target>]
  /// What must hold of several together; says what does not.
  var check: (Target, JSON5, inout Reading) -> Void = { _, _, _ in }
  /// Where a key belongs that is not of this group.
  var elsewhere: (String) -> String? = { _ in nil }
  /// Names beside those of the keys that may have been meant.
  var others: [String] = []

  func read(_ item: JSON5, into target: inout Target, _ reading: inout Reading) {
    guard case .table(let members) = item.value else {
      return reading.wrong(item, expected: "keys between braces: { … }")
    }
    let before = reading.mistakes.count
    for member in members where !reading.isFull {
      reading.below(member.key) { reading in
        guard let key = keys.first(where: { $0.name == member.key }) else {
          return reading.wrong(at: member.keyOffset, unknown(member.key))
        }
        key.read(member.item, &target, &reading)
      }
    }
    for key in keys where key.isRequired && !members.contains(where: { $0.key == key.name }) {
      reading.wrong(at: item.offset, "'\(key.name)' is missing here")
    }
    if reading.mistakes.count == before { check(target, item, &reading) }
  }

  private func unknown(_ name: String) -> String {
    if let place = elsewhere(name) { return "there is no such key here; it goes into \(place)" }
    let nearest = Reading.meant(by: name, among: keys.map(\.name) + others)
    return "there is no such key" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }

  func descriptions(of standard: Target) -> [KeyDescription] {
    keys.map { $0.description(standard) }
  }

  /// What is not as it would be without being written.
  func write(_ target: Target, beside standard: Target) -> String {
    let written = keys.filter { $0.isRequired || !$0.isSame(target, standard) }
    return "{ " + written.map { "\($0.name): \($0.write(target))" }.joined(separator: ", ") + " }"
  }
}
