// Reading a folder for somebody who looks for something in it: once, by anybody, and not while the
// card is away.

import Testing

@testable import Recorder

@Suite struct ReadWishTests {
  private let folder = ItemID.of("Interviews")

  private func given() -> Given {
    let inside = Folder(id: folder, parent: .root, name: "Interviews", directory: "Interviews")
    return Given().booted().when(.card(.listed(.root, Listing(folders: [inside]))))
      .withConsole(5, .socket, .status)
  }

  @Test("a folder nobody has read is asked for once")
  func once() {
    let asked = given().wish(.browse(.read(folder)), from: .console(5))
    #expect(asked.cards == [.read(folder)])
    #expect(asked.replies == [.done(folder)])
    let again = asked.wish(.browse(.read(folder)), from: .console(5))
    #expect(again.cards == [] && again.replies == [.done(folder)])
    let read = again.when(.card(.listed(folder, Listing())))
    #expect(read.wish(.browse(.read(folder)), from: .console(5)).cards == [])
  }

  @Test("one that could not be read is tried again")
  func again() {
    let failed = given().wish(.browse(.read(folder)), from: .appliance)
      .when(.card(.unreadable(folder, why: "a bad block")))
    #expect(failed.wish(.browse(.read(folder)), from: .appliance).cards == [.read(folder)])
  }

  @Test("what is not there, and a card that is away, are refused")
  func refused() {
    #expect(
      given().wish(.browse(.read(.of("Nowhere"))), from: .console(5)).refusal == .notFound)
    let away = given().wish(.system(.exportMode(true)), from: .appliance)
    #expect(away.wish(.browse(.read(folder)), from: .console(5)).refusal == .cardExported)
  }
}
