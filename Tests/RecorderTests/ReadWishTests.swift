// Reading a folder for a client that resolves a path: once for all clients, and not while the card
// is away.

import Testing

@testable import Recorder

@Suite struct ReadWishTests {
  private let folder = ItemID.of("Interviews")

  private func given() -> Given {
    let inside = Folder(id: folder, parent: .root, name: "Interviews", directory: "Interviews")
    return Given().booted().when(.card(.listed(.root, Listing(folders: [inside]))))
      .withConsole(5, .socket, .status)
  }

  @Test("an unread folder is requested once")
  func once() {
    let asked = given().request(.browse(.read(folder)), from: .console(5))
    #expect(asked.cards == [.read(folder)])
    #expect(asked.replies == [.done(folder)])
    let again = asked.request(.browse(.read(folder)), from: .console(5))
    #expect(again.cards == [] && again.replies == [.done(folder)])
    let read = again.when(.card(.listed(folder, Listing())))
    #expect(read.request(.browse(.read(folder)), from: .console(5)).cards == [])
  }

  @Test("a folder that could not be read is requested again")
  func again() {
    let failed = given().request(.browse(.read(folder)), from: .appliance)
      .when(.card(.unreadable(folder, why: "a bad block")))
    #expect(failed.request(.browse(.read(folder)), from: .appliance).cards == [.read(folder)])
  }

  @Test("an unknown folder, and a card that is away, are refused")
  func refused() {
    #expect(
      given().request(.browse(.read(.of("Nowhere"))), from: .console(5)).refusal == .notFound)
    let away = given().request(.system(.exportMode(true)), from: .appliance)
    #expect(away.request(.browse(.read(folder)), from: .console(5)).refusal == .cardExported)
  }
}
