// Why a request is refused, decided before anything starts. Each has a code for programs and a
// sentence that tells a person what to do.

/// Why a request is refused.
public enum Refusal: String, Equatable, Codable, CaseIterable, Sendable {
  case alreadyRecording
  case busy
  case cardExported
  case cardFailed
  case cardFull
  case cardReadOnly
  case deviceSilent
  case folderFull
  case intoItself
  case locked
  case mayNotChange
  case nameTaken
  case noDevice
  case noMark
  case noName
  case noPage
  case noSpeaker
  case notFound
  case nothingPlaying
  case nothingToPlay
  case nothingToUndo
  case notInTrash
  case notReady
  case notRecording
  case rootStays
  case shuttingDown
  case stillInUse
  case tooDeep
  case tooLong
  case tooManyMarks

  public var sentence: String {
    switch self {
    case .alreadyRecording: "A recording is running already."
    case .busy: "Too many requests are under way; try again in a moment."
    case .cardExported: "A computer has the card; `hand-over off` takes it back."
    case .cardFailed: "The card cannot be used; `reelctl doctor` says what is wrong with it."
    case .cardFull: "The card is full; delete recordings, empty the trash, or put in another card."
    case .cardReadOnly: "The card can be read but not written; check its lock, or replace it."
    case .folderFull: "This folder is full; make another one."
    case .intoItself: "A folder cannot be moved into itself."
    case .locked: "The panel is locked; move the hold switch."
    case .mayNotChange: "This console may look but not change anything; see `access` in reel.json."
    case .nameTaken: "There is a folder of that name here already."
    case .noDevice: "There is no sound device to record from; plug one in."
    case .deviceSilent:
      "The sound device delivers no sound; plug it in again, or start the sound server anew."
    case .noMark: "There is no such mark."
    case .noName: "A name needs at least one visible character, and at most 1,000 bytes."
    case .noPage:
      "The page for browsers does not answer; `reelctl web on` turns it on, if reel-web is"
        + " installed."
    case .noSpeaker: "There is no sound device to play on, or it cannot play while recording."
    case .notFound: "There is no such folder or recording any more."
    case .nothingPlaying: "Nothing is playing."
    case .nothingToPlay: "There is no recording here to play."
    case .nothingToUndo: "There is nothing to undo."
    case .notInTrash: "That is not in the trash."
    case .notReady: "The card is still being opened; try again in a moment."
    case .notRecording: "No recording is running."
    case .rootStays: "The root folder and the trash stay as they are."
    case .shuttingDown: "Reel is shutting down."
    case .stillInUse: "It is still being recorded; stop the recording first."
    case .tooDeep: "Folders are nested too deeply here."
    case .tooLong: "Notes have at most 4,000 bytes; a place or a speaker has at most 200."
    case .tooManyMarks: "This recording has as many marks as one may have."
    }
  }
}
