// A key of the configuration: its name, what it accepts, its default, one line of documentation,
// and where its value goes. Reading, checking, writing, the manual page and the default file all
// come from the one table of these. Pure.
import JSON
import Recorder

/// A kind of value: what it accepts, how it is read and how it is written.
struct Kind<Value: Equatable> {
  /// As in "expected …".
  let expected: String
  /// Returns nil after it has reported an error.
  let read: (JSONValue, inout Reading) -> Value?
  let write: (Value) -> String
  /// For a list or a group, the keys of each item.
  var inner: [KeyDescription] = []
  /// An example, if the default does not show how a value is written.
  var example: String?

  func like(_ example: String) -> Kind {
    var kind = self
    kind.example = example
    return kind
  }
}

/// When a change of the file takes effect.
public enum KeyChange: String, Sendable { case live, restart }

/// The description of a key, without its types.
public struct KeyDescription: Equatable, Sendable {
  public let path: String
  public let expected: String
  /// The default as it would be written; nil if the key is required.
  public let standard: String?
  public let change: KeyChange
  public let help: String
  /// An example in lines, if the default does not show how a value is written.
  public let example: String?
  /// Keys of the items below it.
  public let inner: [KeyDescription]
}

/// A key whose value is somewhere in a `Target`.
struct Key<Target> {
  let name: String
  let isRequired: Bool
  let description: (Target) -> KeyDescription
  let read: (JSONValue, inout Target, inout Reading) -> Void
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
  /// Checks what must hold of several keys together, and reports errors.
  var check: (Target, JSONValue, inout Reading) -> Void = { _, _, _ in }
  /// Returns where a key belongs if it is not of this group.
  var elsewhere: (String) -> String? = { _ in nil }
  /// Other names that may have been meant.
  var others: [String] = []

  func read(_ item: JSONValue, into target: inout Target, _ reading: inout Reading) {
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
    return nearest.map { "there is no such key; did you mean '\($0)'?" } ?? "there is no such key"
  }

  func descriptions(of standard: Target) -> [KeyDescription] {
    keys.map { $0.description(standard) }
  }

  /// Writes the keys that are required or differ from `standard`.
  func write(_ target: Target, beside standard: Target) -> String {
    let written = keys.filter { $0.isRequired || !$0.isSame(target, standard) }
    return "{ " + written.map { "\($0.name): \($0.write(target))" }.joined(separator: ", ") + " }"
  }
}
