// Runs the store's long work slice by slice: jobs that a user waits for come before counts, missing
// file ends, recovery and hashes. The card's thread calls `step` until it returns false.

import Recorder
import Tape

extension Store {
  /// Runs one slice of pending work; false if there is none.
  public func step() -> Bool {
    guard phase == .open else { return false }
    if snapshotSomething() || stepJob() || countSomething() || endSomething() { return true }
    if readManifest() || recover() || listSomething() || hashSomething() { return true }
    makeRoomInMemory()
    return false
  }

  private func stepJob() -> Bool {
    guard !jobs.isEmpty else { return false }
    var job = jobs.removeFirst()
    workingOn = job.ticket
    isCancelled = false
    defer { workingOn = nil }
    do {
      if try advance(&job) { jobs.append(job) }
    } catch {
      let why = notice(of: error)
      if let ticket = job.ticket {
        send(.work(ticket: ticket, .failed(why)))
      } else {
        send(.recycled([]))
      }
    }
    return true
  }

  /// False when the job is done.
  private func advance(_ job: inout Job) throws(TapeError) -> Bool {
    switch job {
    case .purge(let ticket, var purging):
      let isGoingOn = try step(&purging, ticket)
      job = .purge(ticket, purging)
      return isGoingOn
    case .search(let ticket, var search):
      let isGoingOn = step(&search, ticket)
      job = .search(ticket, search)
      return isGoingOn
    case .copies(let ticket, var search):
      let isGoingOn = step(&search, ticket)
      job = .copies(ticket, search)
      return isGoingOn
    case .verify(let ticket, var verification):
      let isGoingOn = try step(&verification, ticket)
      job = .verify(ticket, verification)
      return isGoingOn
    case .carry(let ticket, var carrying):
      let isGoingOn = try step(&carrying, ticket)
      job = .carry(ticket, carrying)
      return isGoingOn
    case .waveform(let ticket, let drawing): return try step(drawing, ticket)
    case .recycle(var recycling):
      let isGoingOn = try step(&recycling)
      job = .recycle(recycling)
      return isGoingOn
    case .export(let ticket, let exporting): try run(exporting, ticket)
    case .join(let ticket, let joining): try run(joining, ticket)
    case .importFile(let ticket, let importing): try run(importing, ticket)
    }
    return false
  }

  func cancel(_ ticket: Int) {
    if workingOn == ticket { isCancelled = true }
    guard let index = jobs.firstIndex(where: { $0.ticket == ticket }) else { return }
    if case .carry(_, let carrying) = jobs.remove(at: index) { abandon(carrying) }
    send(.work(ticket: ticket, .failed("Cancelled.")))
  }

  /// Cancels the running job; true if there is one.
  func stopWork() -> Bool {
    isCancelled = isCancelled || workingOn != nil
    return workingOn != nil
  }

  /// Reports a job's progress, at most about a hundred times.
  func reportProgress(_ ticket: Int, done: Int64, of total: Int64) {
    guard total > 0 else { return }
    let permille = Int(min(max(done, 0), total) * 1000 / total)
    if permille / 10 == toldPermille / 10, toldTicket == ticket { return }
    (toldTicket, toldPermille) = (ticket, permille)
    send(.work(ticket: ticket, .progress(permille: permille)))
  }

  /// Returns what the sound's readers and writers call: it reports their progress, and says whether
  /// to go on.
  /// - Parameter frames: how much is expected of sound that does not say its length.
  func reporting(_ ticket: Int, expecting frames: Int64 = 1) -> (Progress) -> Onward {
    { [unowned self] progress in
      goOn(ticket, done: progress.done, of: progress.total ?? max(1, frames))
    }
  }

  func job(for work: LongWork, _ ticket: Int) throws(TapeError) -> Job {
    switch work {
    case .verify(let id): return .verify(ticket, try verification(of: id))
    case .waveform(let id, let points): return .waveform(ticket, try drawing(of: id, points))
    case .export(let id, let format, let track, let repairs, let destination):
      return .export(
        ticket,
        Exporting(
          id: id, format: format, track: track, repairsClipping: repairs,
          destination: destination))
    case .join(let ids, let format, let track, let destination):
      return .join(
        ticket, Joining(ids: ids, format: format, track: track, destination: destination))
    }
  }

  // MARK: Searching

  /// Searches one folder. A folder that cannot be read is skipped.
  private func step(_ search: inout Search, _ ticket: Int) -> Bool {
    if let id = search.left.popLast(), search.hits.count < Search.limit {
      do {
        try visit(id) { folder in
          for entry in folder.index.entries.values {
            if entry.folder != nil { search.left.append(entry.id) }
            if entry.recording?.isSettled == false { continue }
            guard FileName.folded(entry.title).contains(search.text) else { continue }
            search.hits.append(Hit(id: entry.id, folder: id, title: entry.title))
          }
        }
      } catch { _ = notice(of: error) }
      return true
    }
    search.hits.sort {
      $0.title == $1.title ? $0.id < $1.id : Text.comesBefore($0.title, $1.title)
    }
    let hits = Array(search.hits.prefix(Search.limit))
    send(.work(ticket: ticket, .done(.searched(hits))))
    return false
  }
}
