// Pins the status as programs read it: its keys are part of the protocol; keys may be added, not
// changed.

import FoundationEssentials
import Testing

@testable import Recorder

@Suite struct StatusViewTests {
  private func json(_ given: Given) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(StatusView(given.state)), as: UTF8.self)
  }

  @Test("At the start the status has few keys")
  func starting() throws {
    let shown = try json(Given())
    #expect(
      shown == """
        {
          "cardState" : "opening",
          "clockIsSynchronised" : false,
          "device" : {
            "canPlay" : false,
            "denied" : [

            ],
            "isOpen" : false,
            "isSilent" : false
          },
          "folder" : "",
          "isLocked" : false,
          "panelFaults" : [

          ],
          "recordings" : 0,
          "sentence" : "Starting",
          "state" : "starting",
          "unheard" : 0,
          "unseenNotices" : 0,
          "version" : "",
          "volumePercent" : 80,
          "waiting" : [

          ]
        }
        """)
  }

  @Test("In a take the status has all keys")
  func recording() throws {
    let given = Given().booted().withDevice().withFolder("Interviews").withRecording("A")
      .withSpace(1 << 33).playing(.of("A")).recording().when(.tick, after: 3500)
    let shown = try json(given)
    #expect(
      shown == """
        {
          "cardState" : "ready",
          "clockIsSynchronised" : true,
          "deck" : {
            "id" : "00000000-0000-7e57-af63-fc4c860222ec",
            "isPlaying" : true,
            "lengthMilliseconds" : 10000,
            "positionMilliseconds" : 3500,
            "title" : "A"
          },
          "device" : {
            "canPlay" : true,
            "channels" : 1,
            "denied" : [

            ],
            "isOpen" : true,
            "isSilent" : false,
            "name" : "USB Mic",
            "rate" : 48000
          },
          "folder" : "Recordings",
          "freeBytes" : 8589934592,
          "isLocked" : false,
          "leftSeconds" : 1069547,
          "panelFaults" : [

          ],
          "recordings" : 2,
          "sentence" : "Recording 0:05, 12 days left, 1 unheard",
          "state" : "recording",
          "take" : {
            "clippedFrames" : 0,
            "clippedTracks" : [

            ],
            "id" : "00000000-0000-4000-8000-000000000e00",
            "lostFrames" : 0,
            "marks" : 0,
            "microphoneSeemsDead" : false,
            "seconds" : 5,
            "title" : "2026-11-20 14.03.20"
          },
          "unheard" : 1,
          "unseenNotices" : 0,
          "version" : "1.0",
          "volumePercent" : 80,
          "waiting" : [

          ]
        }
        """)
  }

  @Test("One sentence gives the state in words")
  func sentences() {
    let idle = Given().booted().withDevice()
    func sentence(_ given: Given) -> String { StatusView(given.state).sentence }
    #expect(sentence(Given()) == "Starting")
    #expect(sentence(idle) == "Ready")
    #expect(sentence(idle.withRecording("A").playing(.of("A"))) == "Playing A, 1 unheard")
    #expect(sentence(idle.withSpace(1 << 33)) == "Ready, 12 days left")
    #expect(sentence(idle.recording().when(.tick, after: 90_000)) == "Recording 1:32")
    #expect(sentence(idle.recording().when(.sound(.lost(nil)))) == "Waiting for the sound device")
    #expect(sentence(idle.recording().withConsole().request(.system(.shutDown))) == "Finishing")
  }

  @Test(
    "The card's state is one word",
    arguments: [
      (Action.card(.failed("x")), StatusView.CardWord.failed),
      (.card(.condition(.readOnly)), .readOnly),
      (.card(.space(freeBytes: 0, totalBytes: 1)), .full),
      (.card(.space(freeBytes: 1 << 33, totalBytes: 1)), .ready),
      (.request(.system(.exportMode(true)), from: .appliance), .exported),
    ])
  func cardWords(action: Action, word: StatusView.CardWord) {
    #expect(StatusView(Given().booted().when(action).state).cardState == word)
  }
}
