// A microphone without hardware: a tone, a sweep, silence or a sound file, paced by a clock, with
// faults on demand. It has the capture thread's interface; tests, the simulator and the virtual
// appliance record from it. Unlike a real device it may read a file on that thread.

import Glibc
import Realtime
import Synchronization
import Tape

/// What a virtual microphone hears.
public enum VirtualSound: Equatable, Sendable {
  case silence
  case tone(hertz: Double)
  /// From 50 Hz to 15 kHz in ten seconds, again and again, with a click at every whole second.
  case sweep
  /// Each sample is its frame's number, and 4096 more for each channel before it, modulo 2^15: so
  /// that every frame and channel can be accounted for.
  case counter
  case file(String)
}

/// The clock of a virtual device.
public protocol VirtualTime: Sendable {
  func nowNanoseconds() -> Int64
  /// Returns at that time or later; earlier if time stands still.
  func sleep(untilNanoseconds: Int64)
}

/// The computer's own clock.
public struct RealTime: VirtualTime {
  public init() {}

  public func nowNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
  }

  public func sleep(untilNanoseconds deadline: Int64) {
    var until = timespec(
      tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nil) == EINTR {}
  }
}

/// A clock that is as fast as possible: a sleep only advances it.
public final class FastTime: VirtualTime {
  // Stored by the thread that sleeps; one clock per device.
  private let nanoseconds: Atomic<Int64>

  public init(startNanoseconds: Int64 = 0) { nanoseconds = Atomic(startNanoseconds) }

  public func nowNanoseconds() -> Int64 { nanoseconds.load(ordering: .acquiring) }

  public func sleep(untilNanoseconds deadline: Int64) {
    nanoseconds.store(max(deadline, nowNanoseconds()), ordering: .releasing)
  }
}

/// A clock that stands still until its gate is opened, and then is as fast as possible. Sound
/// before a take belongs to none, and a file should be heard from its first frame.
public final class GatedTime: VirtualTime {
  private let nanoseconds: Atomic<Int64>
  // Stored by the loop's thread and by the device's thread.
  private let isOpen = Atomic<Bool>(false)
  private let bell: WakeUp

  public init(startNanoseconds: Int64) throws(RealtimeError) {
    nanoseconds = Atomic(startNanoseconds)
    bell = try WakeUp()
  }

  public func open() {
    isOpen.store(true, ordering: .releasing)
    bell.makeWaker().wake()
  }

  public func close() { isOpen.store(false, ordering: .releasing) }

  public func nowNanoseconds() -> Int64 { nanoseconds.load(ordering: .acquiring) }

  /// Returns earlier, with the time unchanged, if the gate stays closed for a tenth of a second.
  public func sleep(untilNanoseconds deadline: Int64) {
    if !isOpen.load(ordering: .acquiring) { _ = bell.wait(milliseconds: 100) }
    guard isOpen.load(ordering: .acquiring) else { return }
    nanoseconds.store(max(deadline, nowNanoseconds()), ordering: .releasing)
  }
}

/// Faults of a virtual device, ordered by any thread, applied by the device's thread.
public final class VirtualFaults: Sendable {
  public enum Fault: Equatable, Sendable {
    /// This many frames are lost, and the device reports an overrun.
    case overrun(frames: Int)
    /// This many frames are lost, and the device reports nothing.
    case stall(frames: Int)
    case unplug
    /// One channel, counted from 0, becomes silent; nil: all channels work again.
    case dead(channel: Int?)
    /// Delivers nothing from now on, without an error; and delivers again.
    case silence, speak
    /// Runs faster by this many millionths from now on.
    case drift(partsPerMillion: Double)
  }

  private let orders = Locked<[Fault]>([])
  /// Whether the device is plugged in. Stored by any thread; read when it is opened.
  private let plugged = Atomic<Bool>(true)

  public init() {}

  /// Orders a fault. The device applies one at each read.
  public func order(_ fault: Fault) {
    if fault == .unplug { plugged.store(false, ordering: .releasing) }
    orders.withLock { $0.append(fault) }
  }

  public func plugIn() { plugged.store(true, ordering: .releasing) }

  public var isPluggedIn: Bool { plugged.load(ordering: .acquiring) }

  func next() -> Fault? {
    orders.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

/// A microphone that delivers a tone, a sweep, silence or a file.
public struct VirtualMicrophone: CaptureStream, ~Copyable {
  public let format: StreamFormat
  private let sound: VirtualSound
  private let time: any VirtualTime
  private let faults: VirtualFaults
  private var reader: SoundReader?
  private let fileFrames: Int64
  /// Picks the channels of a file; it is made for as many as the file has.
  private var filter: TrackFilter
  /// Frames of the file, before channels are picked.
  private let unpicked: Buffer<UInt8>
  private let fileFrameBytes: Int
  /// The next frame of the sound, and when it is heard.
  private var frame: Int64 = 0
  private var dueNanoseconds: Double
  private var nanosecondsPerFrame: Double
  /// Called once, when a file has been heard to its end, with the time. If it is nil, the file
  /// begins again.
  private let ended: (@Sendable (_ nanoseconds: Int64) -> Void)?
  private var isSilent = false
  private var deadChannel: Int?
  private var hasEnded = false

  /// Opens a virtual microphone. Throws if a sound file cannot be read, has another rate, or lacks
  /// a channel.
  /// - Parameter picks: the channels of a file that are heard, counted from 0; nil: the first ones.
  ///   Any other sound is the same in every channel.
  public static func open(
    _ sound: VirtualSound, format: StreamFormat, picks: [Int]? = nil,
    time: any VirtualTime = RealTime(), faults: VirtualFaults = VirtualFaults(),
    ended: (@Sendable (Int64) -> Void)? = nil
  ) throws(TapeError) -> VirtualMicrophone {
    let first = Array(0..<format.channels)
    guard case .file(let path) = sound else {
      return VirtualMicrophone(sound, format, first, time, faults, nil, ended)
    }
    let picks = picks ?? first
    let reader = try SoundReader.open(path)
    guard reader.sampleRate == format.rate, picks.allSatisfy({ $0 < reader.channels }) else {
      throw TapeError(
        .badSettings,
        "\(path) has \(reader.channels) channels at \(reader.sampleRate) Hz, and the virtual "
          + "microphone is asked for \((picks.max() ?? 0) + 1) at \(format.rate).")
    }
    return VirtualMicrophone(sound, format, picks, time, faults, reader, ended)
  }

  private init(
    _ sound: VirtualSound, _ format: StreamFormat, _ picks: [Int], _ time: any VirtualTime,
    _ faults: VirtualFaults, _ reader: consuming SoundReader?,
    _ ended: (@Sendable (Int64) -> Void)?
  ) {
    let fileChannels = reader?.channels ?? format.channels
    fileFrames = reader?.frames ?? 0
    filter = TrackFilter(
      channels: picks, of: fileChannels, float: format.samples == .float, sampleRate: format.rate)
    fileFrameBytes = fileChannels * (format.samples == .float ? 4 : 2)
    unpicked = Buffer(count: max(1, format.periodFrames * fileFrameBytes))
    self.ended = ended
    self.sound = sound
    self.format = format
    self.time = time
    self.faults = faults
    self.reader = reader
    nanosecondsPerFrame = 1e9 / Double(format.rate)
    dueNanoseconds = Double(time.nowNanoseconds())
  }

  public mutating func read(into target: UnsafeMutableRawBufferPointer) -> Arrival {
    if let arrival = suffer() { return arrival }
    if isSilent {
      time.sleep(untilNanoseconds: time.nowNanoseconds() + 20_000_000)
      return .nothing
    }
    let frames = min(target.count / format.frameBytes, format.periodFrames, framesLeft)
    if frames == 0 { return afterEnd() }
    let heard = dueNanoseconds
    let end = heard + Double(frames) * nanosecondsPerFrame
    let due = Int64(end.rounded(.up))
    time.sleep(untilNanoseconds: due)
    if time.nowNanoseconds() < due { return .nothing }
    fill(target, frames)
    frame &+= Int64(frames)
    dueNanoseconds = end
    let isBehind = Double(time.nowNanoseconds()) > end + 1.5 * (end - heard)
    return .frames(frames, firstAtNanoseconds: Int64(heard.rounded()), isBehind: isBehind)
  }

  /// The frames left of a file that is heard once.
  private var framesLeft: Int {
    guard ended != nil, case .file = sound else { return .max }
    return Int(max(0, fileFrames - frame))
  }

  private mutating func afterEnd() -> Arrival {
    if !hasEnded { ended?(Int64(dueNanoseconds.rounded())) }
    hasEnded = true
    usleep(100_000)
    return .nothing
  }

  private mutating func suffer() -> Arrival? {
    switch faults.next() {
    case .overrun(let frames):
      lose(frames)
      return .restarted(.overrun)
    case .stall(let frames): lose(frames)
    case .unplug: return .gone(errno: ENODEV)
    case .dead(let channel): deadChannel = channel
    case .silence: isSilent = true
    case .speak:
      isSilent = false
      let missed = Double(time.nowNanoseconds()) - dueNanoseconds
      lose(max(0, Int(missed / nanosecondsPerFrame)))
    case .drift(let millionths):
      nanosecondsPerFrame = 1e9 / Double(format.rate) / (1 + millionths / 1e6)
    case nil: break
    }
    return nil
  }

  /// Skips frames and their time.
  private mutating func lose(_ frames: Int) {
    frame &+= Int64(frames)
    dueNanoseconds += Double(frames) * nanosecondsPerFrame
  }

  // MARK: What is heard

  private mutating func fill(_ target: UnsafeMutableRawBufferPointer, _ frames: Int) {
    if case .file = sound { return fillFromFile(target, frames) }
    for index in 0..<frames {
      let frame = frame &+ Int64(index)
      var value = Self.value(of: sound, at: frame, rate: format.rate)
      for channel in 0..<format.channels {
        if sound == .counter {
          value = Self.value(of: sound, at: frame, rate: format.rate, channel: channel)
        }
        store(channel == deadChannel ? 0 : value, target, index * format.channels + channel)
      }
    }
  }

  private func store(_ value: Double, _ target: UnsafeMutableRawBufferPointer, _ index: Int) {
    switch format.samples {
    case .int16:
      let sample = Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
      target.storeBytes(of: sample, toByteOffset: index * 2, as: Int16.self)
    case .float:
      target.storeBytes(of: Float(value), toByteOffset: index * 4, as: Float.self)
    }
  }

  /// Returns the sample at a frame. A pure function, so that a test can predict the sound.
  public static func value(
    of sound: VirtualSound, at frame: Int64, rate: Int, channel: Int = 0
  ) -> Double {
    let seconds = Double(frame) / Double(rate)
    switch sound {
    case .silence, .file: return 0
    case .tone(let hertz):
      // The level comes and goes every four seconds, so that a meter visibly moves.
      let loudness = 0.05 + 0.2 * (0.5 - 0.5 * cos(seconds * .pi / 2))
      return loudness * sin(2 * .pi * (hertz * seconds).truncatingRemainder(dividingBy: 1))
    case .sweep:
      if frame % Int64(rate) < 8 { return 0.9 }
      let within = seconds.truncatingRemainder(dividingBy: 10)
      let phase = 50 * within + (15_000 - 50) * within * within / 20
      return 0.25 * sin(2 * .pi * phase)
    case .counter: return Double((frame + Int64(channel) * 4096) % 32_768) / 32_768
    }
  }

  /// Plays the file again and again.
  private mutating func fillFromFile(_ target: UnsafeMutableRawBufferPointer, _ frames: Int) {
    target.initializeMemory(as: UInt8.self, repeating: 0)
    let length = max(1, fileFrames)
    var filled = 0
    while filled < frames {
      let rest = UnsafeMutableRawBufferPointer(
        rebasing: target[(filled * format.frameBytes)..<(frames * format.frameBytes)])
      let count = read(at: (frame &+ Int64(filled)) % length, into: rest)
      if count == 0 { return }
      filled += count
    }
  }

  private mutating func read(at place: Int64, into target: UnsafeMutableRawBufferPointer) -> Int {
    let frames = target.count / format.frameBytes
    let source = UnsafeMutableRawBufferPointer(
      rebasing: unpicked.raw[..<(frames * fileFrameBytes)])
    let count = readFile(at: place, into: source)
    let read = UnsafeRawBufferPointer(rebasing: source[..<(count * fileFrameBytes)])
    var offset = 0
    filter.apply(to: read) { piece in
      UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: piece)
      offset += piece.count
    }
    return count
  }

  private mutating func readFile(
    at place: Int64, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    // A file that can no longer be read is heard as silence: a microphone cannot report it.
    do {
      try reader?.seek(to: place)
      switch format.samples {
      case .int16: return try reader?.read(into: target.assumingMemoryBound(to: Int16.self)) ?? 0
      case .float: return try reader?.read(into: target.assumingMemoryBound(to: Float.self)) ?? 0
      }
    } catch { return 0 }
  }
}
