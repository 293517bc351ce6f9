// The GPIO chips of a board, scanned once: lines are found by name, or by chip label and offset,
// and never by a chip's number. A line that cannot be used is explained. Ordinary threads; opens
// each chip once and keeps nothing open.
import CGPIO
import Glibc
import Realtime
import Recorder

/// Where a line was found.
struct LinePlace: Equatable {
  let path: String
  let chip: String
  let offset: Int
  let name: String
}

struct GpioChips {
  struct Line: Equatable {
    let name: String
    let consumer: String
    let isUsed: Bool
    let isOutput: Bool
  }

  struct Chip: Equatable {
    let path: String
    let label: String
    let lines: [Line]
  }

  private(set) var chips: [Chip] = []
  /// Chips that exist and cannot be opened.
  private(set) var closed: [(path: String, errno: Int32)] = []

  /// - Parameter directory: `/dev` on a board.
  static func present(in directory: String) -> GpioChips {
    var found = GpioChips()
    for path in paths(in: directory) {
      var handle: OpaquePointer?
      let result = cgpio_open_chip(path, &handle)
      if let handle, result == 0 {
        defer { cgpio_close_chip(handle) }
        if let chip = describe(handle, path) { found.chips.append(chip) }
      } else {
        found.closed.append((path, -result))
      }
    }
    return found
  }

  /// Leaves out links: each is another name of a chip that is found anyway.
  private static func paths(in directory: String) -> [String] {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var paths: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix("gpiochip"), entry.pointee.d_type != UInt8(DT_LNK) else { continue }
      paths.append(directory + "/" + name)
    }
    return paths.sorted()
  }

  private static func describe(_ handle: OpaquePointer, _ path: String) -> Chip? {
    var info = cgpio_chip_info()
    guard cgpio_describe_chip(handle, &info) == 0 else { return nil }
    let lines = (0..<info.line_count).map { offset in
      var line = cgpio_line_info()
      guard cgpio_describe_line(handle, offset, &line) == 0 else {
        return Line(name: "", consumer: "", isUsed: true, isOutput: false)
      }
      return Line(
        name: text(line.name), consumer: text(line.consumer), isUsed: line.is_used,
        isOutput: line.is_output)
    }
    return Chip(path: path, label: text(info.label), lines: lines)
  }

  private static func text<Bytes>(_ bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  // MARK: Finding

  /// - Parameter owner: the button or light that needs it, as in "the button record".
  func find(_ address: LineAddress, for owner: String) throws(PanelFault) -> LinePlace {
    let places: [LinePlace]
    switch address {
    case .name(let name):
      places = chips.flatMap { chip in
        chip.lines.indices.filter { chip.lines[$0].name == name }.map { place(chip, $0) }
      }
    case .chip(let label, let offset):
      places = chips.filter { $0.label == label && $0.lines.indices.contains(offset) }
        .map { place($0, offset) }
    }
    guard let place = places.first else { throw missing(address, owner) }
    if places.count > 1 { throw ambiguous(address, owner, places) }
    return place
  }

  func place(_ chip: Chip, _ offset: Int) -> LinePlace {
    LinePlace(
      path: chip.path, chip: chip.label, offset: offset, name: chip.lines[offset].name)
  }

  private func missing(_ address: LineAddress, _ owner: String) -> PanelFault {
    let start = "There is no line \(address) for \(owner): "
    if let (path, errno) = closed.first {
      return PanelFault(
        errno == EACCES || errno == EPERM ? .forbidden : .missing,
        start + Self.unopened(path, errno), errno: errno)
    }
    if chips.isEmpty {
      return PanelFault(.missing, start + "this board has no GPIO chip.", errno: ENOENT)
    }
    let names = chips.flatMap { $0.lines.map(\.name) }.filter { !$0.isEmpty }
    if case .name(let name) = address, let nearest = Spelling.nearest(to: name, among: names) {
      return PanelFault(.missing, start + "did you mean \(nearest)?", errno: ENOENT)
    }
    let there = chips.map { "\($0.label) has the lines 0 to \($0.lines.count - 1)" }
    let hint = "\(there.joined(separator: ", ")). Name one by its name, or by chip and offset."
    return PanelFault(.missing, start + hint, errno: ENOENT)
  }

  private static func unopened(_ path: String, _ errno: Int32) -> String {
    errno == EACCES || errno == EPERM
      ? "\(path) may not be opened; add the user to the group gpio."
      : "\(path) cannot be opened (\(systemWords(for: errno)))."
  }

  private func ambiguous(
    _ address: LineAddress, _ owner: String, _ places: [LinePlace]
  ) -> PanelFault {
    let there = places.map { "\($0.chip) \($0.offset) (\($0.path))" }.joined(separator: " and ")
    return PanelFault(
      .ambiguous,
      "The line \(address) for \(owner) is there more than once: \(there). Name it by chip and"
        + " offset, or unplug one.")
  }

  // MARK: Asking

  /// Returns why an existing line was refused; `result` is a negative errno.
  static func refused(_ place: LinePlace, for owner: String, result: Int32) -> PanelFault {
    let line = "\(place.offset)" + (place.name.isEmpty ? "" : " (\(place.name))")
    let start = "\(capitalised(owner)) cannot have line \(line) of \(place.chip): "
    switch -result {
    case EBUSY:
      let consumer = consumer(of: place) ?? "something else"
      return PanelFault(
        .taken,
        start + "\(consumer) has it. Stop that, take out its overlay, or use another line.",
        errno: EBUSY)
    case EACCES, EPERM:
      return PanelFault(.forbidden, start + unopened(place.path, -result), errno: -result)
    case ENOENT, ENODEV, ENXIO:
      return PanelFault(.missing, start + "the chip is gone; is it plugged in?", errno: -result)
    case EINVAL, ENOTSUP:
      let advice = "it cannot be used so; try another line, or the bias as-is."
      return PanelFault(.failed, start + advice, errno: -result)
    default:
      return PanelFault(.failed, start + systemWords(for: -result) + ".", errno: -result)
    }
  }

  /// Reads the chip again: the line may have been taken since the scan.
  private static func consumer(of place: LinePlace) -> String? {
    var handle: OpaquePointer?
    guard cgpio_open_chip(place.path, &handle) == 0, let handle else { return nil }
    defer { cgpio_close_chip(handle) }
    let chip = describe(handle, place.path)
    guard let line = chip?.lines[safely: place.offset], !line.consumer.isEmpty else { return nil }
    return line.consumer
  }

  private static func capitalised(_ owner: String) -> String {
    owner.prefix(1).uppercased() + owner.dropFirst()
  }
}

extension Array {
  fileprivate subscript(safely index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
