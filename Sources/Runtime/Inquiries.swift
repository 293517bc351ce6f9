// What the state does not hold and commands ask for: the panel's lines, the configuration, a
// checkup. Asks the room that knows, and sends the heart its answer. Used by the loop's thread.

import Recorder

/// What rooms know, filled in by the program that has them.
public struct Inquiries {
  /// Sends a part of an answer, or its end.
  public typealias Reply = (Answer, _ isLast: Bool) -> Void

  /// Returns nil if there is no panel.
  public var panel: () -> PanelReport? = { nil }
  /// Reports lines that move, until it is called again with nil. Returns why it cannot.
  public var identify: (_ pullsDown: Bool, ((LineReport) -> Void)?) -> CommandError? = { _, _ in
    CommandError("notHere", "This appliance has no lines to listen to.")
  }
  /// Returns the configuration in force, as text; nil if there are only defaults.
  public var configuration: () -> String? = { nil }
  /// Returns the path of the flight log.
  public var flightLog: () -> String? = { nil }
  /// Runs a checkup; replies with its progress, then its result. Returns what stops it.
  public var doctor: (_ mayMeasure: Bool, @escaping Reply) -> () -> Void = { _, reply in
    reply(.failed(CommandError("notHere", "This appliance cannot check itself.")), true)
    return {}
  }

  public init() {}
}

final class RunningInquiries {
  private let inquiries: Inquiries
  private let send: (ConsoleEvent) -> Void
  /// What stops those that go on.
  private var stops: [Origin: () -> Void] = [:]

  init(_ inquiries: Inquiries, send: @escaping (ConsoleEvent) -> Void) {
    (self.inquiries, self.send) = (inquiries, send)
  }

  func perform(_ command: InquiryCommand) {
    switch command {
    case .begin(let inquiry, let origin): begin(inquiry, from: origin)
    case .stop(let origin): stops.removeValue(forKey: origin)?()
    }
  }

  private func begin(_ inquiry: Inquiry, from origin: Origin) {
    switch inquiry {
    case .panel:
      let none = CommandError("notHere", "This appliance has no panel.")
      end(origin, inquiries.panel().map { .panel($0) } ?? .failed(none))
    case .configuration:
      end(origin, .told(inquiries.configuration() ?? "Nothing is configured."))
    case .flightLog:
      let none = CommandError("notHere", "This appliance keeps no flight log.")
      end(origin, inquiries.flightLog().map { .told($0) } ?? .failed(none))
    case .lines(let pullsDown): listen(pullsDown, from: origin)
    case .checkup(let mayMeasure): check(mayMeasure, from: origin)
    }
  }

  private func end(_ origin: Origin, _ answer: Answer) {
    stops[origin] = nil
    send(.answered(answer, to: origin, isLast: true))
  }

  private func listen(_ pullsDown: Bool, from origin: Origin) {
    let failure = inquiries.identify(pullsDown) { [send] line in
      send(.answered(.line(line), to: origin, isLast: false))
    }
    if let failure { return end(origin, .failed(failure)) }
    stops[origin] = { [inquiries] in _ = inquiries.identify(false, nil) }
  }

  private func check(_ mayMeasure: Bool, from origin: Origin) {
    var isOver = false
    let stop = inquiries.doctor(mayMeasure) { [weak self] answer, isLast in
      isOver = isLast
      if isLast {
        self?.end(origin, answer)
      } else {
        self?.send(.answered(answer, to: origin, isLast: false))
      }
    }
    if !isOver { stops[origin] = stop }
  }
}
