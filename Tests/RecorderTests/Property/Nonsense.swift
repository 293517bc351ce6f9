// Actions that no correct room would send: unknown ids, stale tickets, numbers at the ends of their
// range, listings that contradict each other, invalid settings. None of it may crash the heart or
// break an invariant of its state.

import Catalogue
import Loop

@testable import Recorder

enum Nonsense {
  static let titles = [
    "Kitchen", "kitchen", "Take 2", "Take 10", "take 02", "Äpfel", "é", "e\u{301}", "f", "", "  ",
    "\u{1B}[2J", "日本語のタイトル", "👩‍👩‍👧 family", "a\u{202E}b", String(repeating: "x", count: 300),
    "0041 2026-11-20 14.03.22", "line\nbreak",
  ]

  static func number(_ random: inout SplitMix64) -> Int64 {
    random.pick([
      0, 1, -1, 999, -5000, 60_000, 1 << 31, 1 << 53, .max, .min, Int64.max - 1,
      Int64(random.below(100_000)),
    ])
  }

  static func int(_ random: inout SplitMix64) -> Int { Int(number(&random)) }

  static func id(_ random: inout SplitMix64) -> ItemID {
    random.pick([
      .root, .trash, ItemID(high: 0xF0, low: UInt64(random.below(8))),
      ItemID(high: 0xFE, low: UInt64(random.below(14))),
      ItemID(high: 0xBAD, low: UInt64(random.below(5))),
    ])
  }

  static func action(in state: State, _ random: inout SplitMix64) -> Action {
    switch random.below(6) {
    case 0: .sound(sound(in: state, &random))
    case 1, 2: .card(card(in: state, &random))
    case 3: .host(host(in: state, &random))
    case 4: .alarm(alarm(in: state, &random))
    default: .panel(.gesture(.record, .press, at: instant(&random)))
    }
  }

  static func instant(_ random: inout SplitMix64) -> Instant {
    Instant(nanoseconds: number(&random))
  }

  private static func anyID(in state: State, _ random: inout SplitMix64) -> ItemID {
    let takes = state.library.takes
    switch random.below(3) {
    case 0 where !takes.isEmpty: return random.pick(takes)
    case 1: return People.item(in: state, &random)
    default: return id(&random)
    }
  }

  private static func sound(in state: State, _ random: inout SplitMix64) -> SoundEvent {
    let info = CaptureInfo(
      name: random.pick(titles), rate: int(&random), channels: int(&random))
    switch random.below(9) {
    case 8: return .encoding(permille: int(&random))
    case 7: return .greeted(anyID(in: state, &random), at: instant(&random))
    case 0: return .found(info)
    case 1: return .opened(info)
    case 2: return random.pick([.closed, .lost(nil), .delivers(false), .delivers(true)])
    case 3: return .denied(["priority"])
    case 4:
      let cue = state.transport.deck.cue?.id ?? id(&random)
      return .deck(cue: cue, deck(&random))
    default: return .take(anyID(in: state, &random), take(&random))
    }
  }

  private static func deck(_ random: inout SplitMix64) -> DeckEvent {
    switch random.below(4) {
    case 0: .playing(Anchor(frame: number(&random), instant: instant(&random)))
    case 1: .paused(frame: number(&random))
    case 2: .reachedEnd
    default: .failed("nonsense")
    }
  }

  private static func take(_ random: inout SplitMix64) -> TakeEvent {
    switch random.below(7) {
    case 0: .began(at: instant(&random), rate: int(&random))
    case 1: .progress(frames: number(&random), behindMilliseconds: number(&random))
    case 2: .gap(Gap(frame: number(&random), frames: number(&random), cause: .stalled))
    case 3: .clipped(frames: number(&random))
    case 4: .microphoneSeemsDead(random.chance(50))
    case 5: .marked(Mark(frame: number(&random), name: random.pick(titles)))
    default:
      .ended(
        TakeReport(
          sound: Sound(
            frames: number(&random), rate: int(&random), sizeBytes: number(&random),
            hash: hash(&random)),
          integrity: Integrity(stopReason: random.chance(50) ? .deviceLost : nil)))
    }
  }

  private static func card(in state: State, _ random: inout SplitMix64) -> CardEvent {
    let one = anyID(in: state, &random)
    switch random.below(12) {
    case 0: return .opened(CardReport(nextSequence: int(&random), root: tally(&random)))
    case 1: return random.chance(30) ? .failed("pulled out") : .unreadable(one, why: "torn")
    case 2, 3: return .listed(one, listing(in: state, &random))
    case 4: return .take(one, random.pick([.made(file: "x.opus"), .failed("no"), .kept]))
    case 5, 6: return .work(ticket: ticket(in: state, &random), work(in: state, &random))
    case 7: return .found(.adopted(recording(in: state, &random), path: [.root, one]))
    case 8: return .found(.vanished([whereabouts(one, &random)]))
    case 11:
      return .found(
        random.pick([
          .folder(folder(in: state, &random), path: [.root, one]), .rebuilt(folder: one),
          .left(folder: one, why: "another one"),
          .miscounted(whereabouts(one, &random), latest: latest(&random)),
          .tornLine(folder: one, bytes: number(&random)),
          .closed(recording(in: state, &random)),
          .arrived(recording(in: state, &random), path: [.root, one]),
        ]))
    case 9: return .space(freeBytes: number(&random), totalBytes: number(&random))
    case 10: return .condition(random.pick([.writable, .readOnly, .volatile(true)]))
    default: return .recycled([whereabouts(one, &random), whereabouts(id(&random), &random)])
    }
  }

  private static func ticket(in state: State, _ random: inout SplitMix64) -> Int {
    random.pick(state.library.pending.keys.sorted() + [int(&random)])
  }

  private static func tally(_ random: inout SplitMix64) -> Tally {
    Tally(recordings: int(&random), unheard: int(&random))
  }

  private static func latest(_ random: inout SplitMix64) -> WallTime? {
    random.chance(50) ? WallTime(milliseconds: number(&random)) : nil
  }

  private static func whereabouts(_ id: ItemID, _ random: inout SplitMix64) -> Whereabouts {
    Whereabouts(id: id, path: [.root, Nonsense.id(&random)], tally: tally(&random))
  }

  static func recording(in state: State, _ random: inout SplitMix64) -> Recording {
    Recording(
      id: anyID(in: state, &random), folder: anyID(in: state, &random), sequence: int(&random),
      title: random.pick(titles), titleIsDefault: random.chance(50),
      began: Moment(
        boot: state.clock.boot, instant: instant(&random),
        wall: WallTime(milliseconds: number(&random)),
        quality: random.pick([.unsynchronised, .synchronised])),
      stage: random.pick([.finished, .recovered, .recording, .closing]), file: "x.opus",
      sound: Sound(
        frames: number(&random), rate: int(&random), channels: int(&random), hash: hash(&random)),
      isHeard: random.chance(50), marks: [Mark(frame: number(&random))])
  }

  private static func hash(_ random: inout SplitMix64) -> SoundHash? {
    if random.chance(50) { return nil }
    return SoundHash(
      random.next(), random.next(), random.next(), random.next(),
      soundFrom: UInt32(random.below(10_000)))
  }

  private static func folder(in state: State, _ random: inout SplitMix64) -> Folder {
    Folder(
      id: anyID(in: state, &random), parent: anyID(in: state, &random),
      name: random.pick(titles), tally: tally(&random),
      latest: latest(&random), order: random.pick(Folder.SortOrder.allCases),
      reading: random.pick([.read, .unread, .failed("why")]))
  }

  static func listing(in state: State, _ random: inout SplitMix64) -> Listing {
    Listing(
      folders: (0..<random.below(4)).map { _ in folder(in: state, &random) },
      recordings: (0..<random.below(5)).map { _ in recording(in: state, &random) },
      order: random.pick(Folder.SortOrder.allCases))
  }

  private static func work(in state: State, _ random: inout SplitMix64) -> WorkEvent {
    let one = anyID(in: state, &random)
    let title = random.pick(titles)
    switch random.below(10) {
    case 0: return .progress(permille: int(&random))
    case 1: return .failed("no")
    case 2: return .done(.made(folder(in: state, &random)))
    case 3: return .done(.renamed(one, name: title, file: title))
    case 4, 5:
      let path = [ItemID.root, anyID(in: state, &random)]
      return .done(.moved(one, path: path, at: int(&random), name: title, file: title))
    case 6: return .done(.thrown(one, file: title))
    case 7: return .done(.purged([one, id(&random)], left: tally(&random)))
    case 8: return .done(.sorted(one, random.pick(Folder.SortOrder.allCases)))
    default: return .done(.imported(recording(in: state, &random)))
    }
  }

  private static func host(in state: State, _ random: inout SplitMix64) -> HostEvent {
    switch random.below(6) {
    case 0:
      return .booted(
        Boot(id: id(&random), version: "0", continuation: continuation(in: state, &random)))
    case 1: return .configured(settings(&random))
    case 2: return .configurationRefused("line 3")
    case 3:
      return .recalled(
        Remembered(
          path: [.root, People.item(in: state, &random)],
          selection: People.item(in: state, &random), volumePercent: int(&random),
          playing: id(&random), playingFrame: number(&random), hasUnseenFault: true))
    case 4 where random.chance(50): return .zone(ZoneOffsets(int(&random)))
    case 4: return .clock(isSynchronised: random.chance(50))
    default:
      return .health(
        isUnderVoltage: random.chance(50), isThrottled: true, temperatureCelsius: int(&random))
    }
  }

  static func continuation(
    in state: State, _ random: inout SplitMix64
  ) -> TakeContinuation {
    let path = (0..<random.below(4)).map { _ in People.item(in: state, &random) }
    return TakeContinuation(
      path: path, continues: id(&random), part: int(&random),
      title: random.chance(50) ? "Choir" : nil)
  }

  static func settings(_ random: inout SplitMix64) -> Settings {
    var settings = Settings()
    settings.isArmed = random.chance(50)
    settings.prerollMilliseconds = number(&random)
    settings.splitEveryMilliseconds = number(&random)
    settings.reconnectMilliseconds = number(&random)
    settings.bitsPerSecond = number(&random)
    settings.reserveBytes = number(&random)
    settings.whenFull = random.pick(Settings.WhenFull.allCases)
    settings.afterPlaying = random.pick(Settings.AfterPlaying.allCases)
    settings.seekMilliseconds = number(&random)
    settings.volumeStepPercent = int(&random)
    settings.itemsPerFolder = random.pick([10_000, 3, int(&random)])
    settings.marksPerRecording = random.pick([1000, 1, int(&random)])
    settings.noticesKept = random.pick([50, 3, int(&random)])
    settings.language = random.pick(Language.allCases)
    settings.bindings.append(Binding(.split, .press, .take(.split)))
    settings.bindings.append(Binding(.split, .press, .take(.split)))
    return settings
  }

  private static func alarm(in state: State, _ random: inout SplitMix64) -> Alarm {
    random.pick([
      .refusalShown, .splitDue(anyID(in: state, &random)), .deviceWaitOver, .rememberDue,
      .soundOverdue, .stopOverdue, .messageShown(console: random.below(4)),
    ])
  }
}
