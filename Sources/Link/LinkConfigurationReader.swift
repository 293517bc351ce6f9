// Reads `link.json`: a text in, a checked configuration out, or every mistake in the order of the
// file. Secrets are read from their own files, when targets are made. Waits for the disk; it is
// done at the start and on a reload.
import Glibc
import JSON
import Realtime

/// Reads the link's configuration.
public enum LinkConfigurationReader {
  private static let bytesMaximum = 1 << 20
  private static let limits = JSON.Limits(bytes: bytesMaximum, depth: 16)
  static let targetsMaximum = 16

  public enum Result: Equatable, Sendable {
    case good(LinkConfiguration)
    case wrong([LinkConfigurationError])
  }

  /// Reads a file. Without one there are no targets.
  public static func read(file: String) -> Result {
    func refuse(_ sentence: String) -> Result {
      .wrong([LinkConfigurationError(file: file, place: nil, path: "", sentence: sentence)])
    }
    do throws(SmallFile.ReadError) {
      let text = try SmallFile.bytes(of: file, atMost: bytesMaximum + 1)
      if text.count > bytesMaximum {
        return refuse("it is over a megabyte, and cannot be a configuration")
      }
      return read(text, file: file)
    } catch {
      switch error {
      case .missing: return .good(LinkConfiguration())
      case .notAFile: return refuse(error.words)
      case .failed: return refuse("it cannot be read: \(error.words)")
      }
    }
  }

  public static func read(_ text: [UInt8], file: String) -> Result {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSON.parse(text, dialect: .json5, limits: limits)
    } catch {
      let place = TextPlace(of: error.offset, in: text)
      return .wrong([
        LinkConfigurationError(file: file, place: place, path: "", sentence: error.sentence)
      ])
    }
    var reading = LinkReading()
    let configuration = read(root, &reading)
    if reading.mistakes.isEmpty { return .good(configuration) }
    return .wrong(
      reading.mistakes.sorted { $0.offset < $1.offset }.map { mistake in
        LinkConfigurationError(
          file: file, place: TextPlace(of: mistake.offset, in: text), path: mistake.path,
          sentence: mistake.sentence)
      })
  }

  private static func read(_ root: JSONValue, _ reading: inout LinkReading) -> LinkConfiguration {
    var configuration = LinkConfiguration()
    let none: [LinkKey<LinkConfiguration>] = []
    _ = reading.read(root, none, others: ["targets", "heartbeat"], into: &configuration)
    guard case .table(let members) = root.value else { return configuration }
    for member in members {
      reading.below(member.key) { reading in
        switch member.key {
        case "targets": configuration.targets = targets(member.item, &reading)
        case "heartbeat": configuration.heartbeat = heartbeat(member.item, &reading)
        default: break
        }
      }
    }
    return configuration
  }

  private static func targets(
    _ item: JSONValue, _ reading: inout LinkReading
  ) -> [TargetConfiguration] {
    guard case .list(let items) = item.value, items.count <= targetsMaximum else {
      reading.wrong(item, expected: "a list of targets, at most \(targetsMaximum): [ { … }, … ]")
      return []
    }
    var names: Set<String> = []
    return items.enumerated().map { index, item in
      reading.below("[\(index)]") { reading in
        var target = TargetConfiguration()
        let found = reading.read(item, LinkConfigurationTable.target, into: &target)
        if case .table(let members) = item.value {
          let isKindKnown = members.contains {
            $0.key == "kind" && $0.item.value == .string(target.kind.rawValue)
          }
          LinkConfigurationTable.check(
            target, at: item.offset, found, isKindKnown: isKindKnown, &reading)
        }
        if !target.name.isEmpty, !names.insert(target.name).inserted, let place = found["name"] {
          reading.below("name") { $0.wrong(at: place, "another target has this name") }
        }
        return target
      }
    }
  }

  private static func heartbeat(
    _ item: JSONValue, _ reading: inout LinkReading
  ) -> HeartbeatConfiguration? {
    var heartbeat = HeartbeatConfiguration()
    let found = reading.read(item, LinkConfigurationTable.heartbeat, into: &heartbeat)
    if found["url"] == nil, case .table = item.value {
      reading.wrong(at: item.offset, "'url' is missing here")
    }
    return heartbeat
  }
}
