// The formats that a take can be recorded in. Plain values.

/// How a take is encoded.
public enum TapeFormat: Equatable, Sendable {
  case opus(OpusSettings)
  case flac(FlacSettings)

  /// The same for a device that runs like that.
  public func adapted(rate: Int, channels: Int) -> TapeFormat {
    switch self {
    case .opus(var settings):
      (settings.sampleRate, settings.channels) = (rate, channels)
      return .opus(settings)
    case .flac(var settings):
      (settings.sampleRate, settings.channels) = (rate, channels)
      return .flac(settings)
    }
  }

  /// The most channels of a file.
  public var mostChannels: Int {
    switch self {
    case .opus: OpusSettings.mostChannels
    case .flac: FlacSettings.mostChannels
    }
  }

  public var channels: Int {
    switch self {
    case .opus(let settings): settings.channels
    case .flac(let settings): settings.channels
    }
  }

  /// The rate at which its files play.
  public var fileRate: Int {
    switch self {
    case .opus: 48_000
    case .flac(let settings): settings.sampleRate
    }
  }

  /// The bits of a sample in its files; nil if they hold none.
  public var bits: Int? {
    switch self {
    case .opus: nil
    case .flac(let settings): settings.bits
    }
  }

  /// Throws if a setting is out of range; the sentence says what is allowed.
  public func validate() throws(TapeError) {
    switch self {
    case .opus(let settings): try settings.validate()
    case .flac(let settings): try settings.validate()
    }
  }

  /// About how many bits a second of sound takes. Of FLAC it depends on the sound: noise takes
  /// about four fifths of what it would take without an encoder.
  public var bitsPerSecond: Int {
    switch self {
    case .opus(let settings): settings.bitsPerSecond
    case .flac(let settings): settings.rawBitsPerSecond * 4 / 5
    }
  }

  /// The most that a second takes: of Opus, a variable bit rate may exceed its setting by half.
  public var mostBytesPerSecond: Int {
    switch self {
    case .opus(let settings): settings.bitsPerSecond / 8 * 3 / 2
    case .flac(let settings): settings.rawBitsPerSecond / 8
    }
  }

  /// The ending of its files' names.
  public var ending: String {
    switch self {
    case .opus: ".opus"
    case .flac: ".flac"
    }
  }

  /// The most bytes of the pages that a tenth of a second makes, with those of a split.
  public var mostBytesAtOnce: Int {
    switch self {
    case .opus: 4 * OggPage.largestByteCount
    case .flac(let settings):
      // A FLAC frame that waits to be full, those of a tenth of a second, and two headers.
      settings.rawBitsPerSecond / 8 * 3 / 10 + 2 * 65_536
    }
  }

  /// Begins a take and passes its first pages on.
  /// - Parameter roomForAll: whether a header may be larger than that of a take, to hold all tags.
  public func begin(
    float: Bool, tags: Tags, serial: UInt32, roomForAll: Bool = false, to sink: PageSink
  ) throws(TapeError) -> any TakeWriter {
    switch self {
    case .opus(let settings):
      return TapeBox(
        try OggOpusWriter.begin(settings, float: float, tags: tags, serial: serial, to: sink))
    case .flac(let settings):
      let room = roomForAll ? try FlacHeader.roomBytes(for: tags) : FlacHeader.roomBytes
      return TapeBox(
        try FlacWriter.begin(
          settings, float: float, tags: tags, serial: serial, roomBytes: room, to: sink))
    }
  }
}

extension FlacSettings {
  var rawBitsPerSecond: Int { sampleRate * channels * bits }
}
