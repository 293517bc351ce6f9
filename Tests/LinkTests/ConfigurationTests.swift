// `link.json`: what it may say, and that each mistake has its place and a sentence.
import Glibc
import JSON
import Scratch
import Testing

@testable import Link

extension LinkTests {
  @Suite struct ConfigurationTests {
    private func read(_ text: String) -> LinkConfigurationReader.Result {
      LinkConfigurationReader.read(Array(text.utf8), file: "link.json")
    }

    private func mistakes(_ text: String) -> [String] {
      guard case .wrong(let mistakes) = read(text) else { return [] }
      return mistakes.map(\.description)
    }

    @Test("a file with every key is read")
    func whole() throws {
      guard
        case .good(let configuration) = read(
          """
          {
            // Where copies go.
            targets: [
              { name: "cloud", kind: "s3", url: "https://s3.example", bucket: "reel-box",
                region: "eu-central-1", style: "host", prefix: "a/b c", user: "AKIA",
                credential: "cloud-secret", folders: ["/Interviews/"], hours: ["22:00-06:00"],
                metered: "send", bandwidth: "8 Mbit/s", ca: "/etc/ssl/own.pem",
                pin: "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" },
              { name: "nas", kind: "sftp", url: "sftp://nas/~/reel", user: "reel",
                credential: "/etc/reel/key",
                hostKey: "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
              { name: "stick", kind: "directory", label: "REEL", path: "/copies",
                mirrorDeletions: true },
              { name: "dav", kind: "webdav", url: "http://127.0.0.1:8080/dav" },
            ],
            heartbeat: { url: "https://ping.example/secret?x=1", every: 60 },
          }
          """)
      else {
        Issue.record("the file has a mistake")
        return
      }
      let cloud = configuration.targets[0]
      #expect(try cloud.remoteName(["d.opus"]).description == "a/b c/d.opus")
      #expect(cloud.folders == ["/Interviews"])
      #expect(cloud.bytesPerSecond == 1_000_000)
      #expect(cloud.includes(folder: "/Interviews/May"))
      #expect(!cloud.includes(folder: "/Interviews 2"))
      #expect(cloud.hold(atMinute: 23 * 60, isMetered: false) == nil)
      #expect(cloud.hold(atMinute: 6 * 60, isMetered: false) == .hours)
      #expect(cloud.hold(atMinute: 23 * 60, isMetered: true) == nil)
      #expect(configuration.targets[1].hold(atMinute: 0, isMetered: true) == .metered)
      #expect(configuration.targets[2].hold(atMinute: 0, isMetered: true) == nil)
      #expect(configuration.targets.map(\.mirrorsDeletions) == [false, false, true, false])
      #expect(configuration.targets.map(\.kind) == [.s3, .sftp, .directory, .webdav])
      #expect(configuration.heartbeat?.everySeconds == 60)
      #expect("\(configuration)".contains("ping.example") == false)
    }

    @Test("all mistakes are told, each with its place and what to do")
    func wrong() {
      let found = mistakes(
        """
        { target: [], targets: [
          { name: "a b", kind: "webdav", url: "http://nas.example/x" },
          { name: "x", kind: "s3", url: "https://s3.example", hostKey: "SHA256:x" },
          { kind: "sftp", url: "https://nas", user: "u", credential: 5, bandwith: "1 MB/s" },
          { name: "x", kind: "usb", bandwidth: "1 B/s", hours: ["25:00-26:00"] },
        ] }
        """)
      #expect(
        found == [
          "link.json:1:3: target: there is no such key; did you mean 'targets'?",
          "link.json:2:11: targets[0].name: expected a name of letters, digits, \"-\" and \"_\","
            + " such as \"cloud\", not \"a b\"",
          "link.json:2:34: targets[0].url: \"http:\" sends the secret and the sound in the clear;"
            + " write \"https:\"",
          "link.json:3:3: targets[1]: 'bucket' is missing here: kind \"s3\" needs it",
          "link.json:3:3: targets[1]: 'user' is missing here: kind \"s3\" needs it",
          "link.json:3:3: targets[1]: 'credential' is missing here: kind \"s3\" needs it",
          "link.json:3:55: targets[1].hostKey: kind \"s3\" has no such key; take the line out",
          "link.json:3:64: targets[1].hostKey: expected a fingerprint as of \"ssh-keygen -l\", such"
            + " as \"SHA256:…\", not \"SHA256:x\"",
          "link.json:4:3: targets[2]: 'name' is missing here",
          "link.json:4:19: targets[2].url: the address of kind \"sftp\" begins with \"sftp:\"",
          "link.json:4:62: targets[2].credential: expected the name of a credential, or the path of"
            + " a file with the secret, not what is there",
          "link.json:4:65: targets[2].bandwith: there is no such key; did you mean 'bandwidth'?",
          "link.json:5:5: targets[3].name: another target has this name",
          "link.json:5:22: targets[3].kind: expected \"s3\", \"webdav\", \"sftp\" or \"directory\","
            + " not \"usb\"",
          "link.json:5:40: targets[3].bandwidth: expected a rate of at least 1 kB/s, such as"
            + " \"1 MB/s\" or \"8 Mbit/s\", not \"1 B/s\"",
          "link.json:5:56: targets[3].hours: expected a list of parts of the day, such as"
            + " [\"22:00-06:00\"], not [\"25:00-26:00\"]",
        ])
    }

    @Test("a text that is no configuration is one mistake, and no file is no target")
    func noConfiguration() {
      #expect(mistakes("{ targets: [ }").count == 1)
      #expect(mistakes("[]") == ["link.json:1:1: expected keys between braces: { … }, not []"])
      #expect(mistakes("{ targets: 5, heartbeat: [] }").count == 2)
      #expect(
        mistakes("{ heartbeat: { url: \"http://ping.example/geheim\" } }").allSatisfy {
          !$0.contains("geheim")
        })
      let none = LinkConfigurationReader.read(file: "/nonexistent/link.json")
      #expect(none == .good(LinkConfiguration()))
      let many = "{ targets: [" + String(repeating: "{ x: 1 },", count: 16) + "] }"
      #expect(mistakes(many).count <= LinkReading.mistakesMaximum)
    }

    @Test("a secret comes from its file; one that cannot be used is told by its name only")
    func secrets() throws {
      let bench = try LinkBench()
      let factory = TargetFactory(credentials: bench.scratch.path, state: bench.scratch.path)
      try bench.write(Array("open sesame\n".utf8), "good")
      try bench.write([], "empty")
      try bench.write(Array("geheim\nx".utf8), "lines")
      var configuration = TargetConfiguration()
      configuration.name = "cloud"
      configuration.url = ServerURL("https://cloud.example")
      configuration.user = "reel"
      configuration.credential = "good"
      let target = try #require(try factory.target(configuration) as? WebDAVTarget)
      #expect(target.server.access.login == .password(Secret("open sesame")))
      for bad in ["none", "empty", "lines"] {
        configuration.credential = bad
        do throws(LinkError) {
          _ = try factory.target(configuration)
          Issue.record("\(bad) was accepted")
        } catch {
          #expect(error.code == .configuration)
          #expect(!error.sentence.contains("geheim"))
        }
      }
    }
  }
}
