// Many recordings to a server that lies now and then in all its ways, by a link that is stopped at
// random moments: in the end each recording has one copy, and no copy that was called verified was
// wrong. The long run, with the programs themselves and ten thousand recordings, is
// scripts/test-copies.
import Digest
import Systemd
import Testing

@testable import Link

extension LinkTests {
  @Suite struct LiarHistoryTests {
    private let bench: LinkBench
    private let liar: Liar

    init() throws {
      bench = try LinkBench()
      liar = try Liar()
    }

    private static let recordings = 40

    private func sum(_ bytes: [UInt8]) -> String {
      var hash = SHA256()
      hash.update(bytes)
      return "\(hash.sum)"
    }

    /// Copies once; nil if the job was stopped.
    private func copy(
      _ request: CopyRequest, to target: any Target, stoppedAfter turns: Int?
    ) throws -> CopyOutcome? {
      var outcome: CopyOutcome?
      let job = try bench.driver.copy(request, to: target) { outcome = $0 }
      defer { job.stop() }
      guard let turns else { return try bench.wait { outcome } }
      for _ in 0..<turns where outcome == nil {
        _ = try bench.loop.runOneTurn(waitingAtMostMilliseconds: 5)
      }
      return outcome
    }

    @Test(
      "lies and stops at random moments: none lost, none doubled, none wrongly verified",
      arguments: ["mixed", "s3-mixed"])
    func history(root: String) throws {
      let isS3 = root == "s3-mixed"
      let target: any Target = isS3 ? try liar.s3("mixed") : try liar.webDAV(root)
      let place = isS3 ? "/s3-mixed/bucket/" : "/mixed/"
      var random = SplitMix(state: 7)
      var left = Array(0..<Self.recordings)
      var (rounds, stops, wrong) = (0, 0, 0)
      while !left.isEmpty {
        rounds += 1
        try liar.lie(perThousand: rounds <= 6 ? 120 : 0, bench)
        try #require(rounds < 20, "\(left) are not copied by a server that lies no more")
        var failed: [Int] = []
        for number in left {
          let bytes = LinkBench.bytes(2000, seed: UInt8(number))
          let request = try bench.request(bytes, "\(number).opus")
          let mayStop = rounds <= 6 && random.below(4) == 0
          let outcome = try copy(
            request, to: target, stoppedAfter: mayStop ? random.below(30) : nil)
          if outcome == nil { stops += 1 }
          if let error = outcome?.error { expectRetried(error) }
          guard let receipt = outcome?.receipt else {
            failed.append(number)
            continue
          }
          if try liar.kept(bench).sums[place + "\(receipt.name)"] != sum(bytes) { wrong += 1 }
        }
        left = failed
      }
      let (sums, lies) = try liar.kept(bench)
      let wanted = Set((0..<Self.recordings).map { sum(LinkBench.bytes(2000, seed: UInt8($0))) })
      let finals = sums.filter { !$0.key.hasSuffix(".part") }.map(\.value)
      let lost = wanted.subtracting(finals).count
      let doubled = finals.filter { wanted.contains($0) }.count - (wanted.count - lost)
      print(
        "\(root): \(lies) lies, \(stops) stops: \(lost) lost, \(doubled) doubled, \(wrong) wrong")
      #expect(lost == 0 && doubled == 0 && wrong == 0)
      #expect(lies > 0 && stops > 0)
    }
  }
}
