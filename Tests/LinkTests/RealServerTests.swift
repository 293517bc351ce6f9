// Real servers on loopback, each with its own keys and directory: OpenSSH, Apache with mod_dav,
// TLS, and where they are installed rclone and moto for S3. What they keep is read by other means
// than the link's.
import Glibc
import Realtime
import Scratch
import Testing

@testable import Link

/// Tools from PyPI, which `scripts/setup --link` installs; without them their tests are left out.
private let tools =
  String(#filePath.dropLast("Tests/LinkTests/RealServerTests.swift".count))
  + ".build/link-tools/bin/"
private func hasTool(_ name: String) -> Bool { access(tools + name, X_OK) == 0 }

extension LinkTests {
  @Suite struct RealServerTests {
    let bench: LinkBench
    private let bytes = LinkBench.bytes(400_000)
    private var folder: String { bench.scratch.path }

    init() throws { bench = try LinkBench() }

    /// Runs a program to its end.
    private func run(_ words: String...) throws {
      let program = try TestServer(words)
      var status: Int32 = 0
      try #require(waitpid(program.id, &status, 0) == program.id)
      try #require(status == 0, "\(words) failed")
    }

    private func contents(_ path: String) -> [UInt8]? {
      // A file that is not there has no bytes.
      try? SmallFile.bytes(of: path, atMost: 1 << 20)
    }

    /// The bytes are not printed: they are many.
    private func has(_ path: String, _ bytes: [UInt8]) -> Bool { contents(path) == bytes }

    private func write(_ text: String, _ name: String) throws {
      try bench.write(Array(text.utf8), name)
    }

    /// Writes texts, finds them, replaces them, is refused when others did, and lists them.
    private func exerciseTexts(_ target: any Target, ignoresVersions: Bool) throws {
      let name = try SidecarName(of: "62e2", number: 41, below: ["box 1"], recorder: "00")
      func replace(
        _ text: String, _ former: ReplaceSidecarJob.Former?
      ) throws -> SidecarReplacement {
        let bytes = Array(text.utf8)
        let job = ReplaceSidecarJob(
          Sidecar.content(of: bytes), to: name, former: former, traits: target.traits)
        return try bench.perform(job, at: target, file: try OpenedFile(unnamedWith: bytes))
      }
      func find() throws -> (SidecarFinding, ReplaceSidecarJob.Former?, String) {
        let file = try OpenedFile(unnamedWith: [])
        let job = FindSidecarJob(name, known: nil, looksForTaken: true, traits: target.traits)
        let finding = try bench.perform(job, at: target, file: file)
        guard case .found(let hashes, let version, let changed) = finding else {
          return (finding, nil, "")
        }
        #expect(changed != nil)
        let text = String(decoding: try file.bytes(Int(hashes.length)), as: UTF8.self)
        return (finding, ReplaceSidecarJob.Former(hashes, version: version), text)
      }
      let folder = try RemoteName(["box 1", "texts"])
      #expect(try bench.perform(ListJob(folder), at: target) == .names([]))
      #expect(try find().0 == .absent)
      #expect(try replace("one", nil) == .done)
      // when there are texts by now
      if !ignoresVersions { #expect(try replace("two", nil) == .changed) }
      let (_, first, text) = try find()
      #expect(text == "one")
      #expect(try replace("two", first) == .done)
      #expect(try find().2 == "two")
      // when they are not those that were read any more
      if !ignoresVersions {
        #expect(try replace("three", first) == .changed)
        #expect(try find().2 == "two")
      }
      #expect(try bench.perform(ListJob(folder), at: target) == .names(["0041-62e2.json"]))
    }

    /// Copies, copies again, copies another file of that name, renames it, and fetches it.
    /// - Parameter ignoresVersions: the server takes an upload whatever its `If-Match` or
    ///   `If-None-Match` says.
    private func exercise(
      _ target: any Target, at root: String, ignoresVersions: Bool = false
    ) throws {
      let request = try bench.request(bytes, "Küche & Bad", "0041 \"a\\b\" 100%.opus")
      let path = "\(root)/\(request.name)"
      #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
      #expect(has(path, bytes))
      #expect(try bench.copy(request, to: target).receipt?.wasThere == true)
      let others = LinkBench.bytes(400_000, seed: 5)
      var other = try bench.request(others, "x")
      other.name = request.name
      let receipt = try #require(try bench.copy(other, to: target).receipt)
      #expect(receipt.name == request.name.numbered(2))
      #expect(has(path, bytes))
      #expect(has("\(root)/\(receipt.name)", others))

      let new = try RemoteName(["Neu", "Kitchen.opus"])
      let content = LinkBench.content(of: others)
      let job = RenameJob(receipt.name, to: new, content, traits: target.traits)
      let renamed = try bench.perform(job, at: target)
      #expect(renamed == .renamed(new))
      #expect(has("\(root)/\(new)", others))
      #expect(access("\(root)/\(receipt.name)", F_OK) != 0)
      let sink = try bench.file([], "fetched")
      let fetch = FetchJob(new, atMost: 400_000, soundFrom: LinkBench.soundFrom)
      #expect(try bench.perform(fetch, at: target, file: sink) == .fetched(content.hashes))
      #expect(has(folder + "/fetched", others))
      try exerciseTexts(target, ignoresVersions: ignoresVersions)
      #expect(try bench.perform(RemoveJob(new), at: target) == nil)
      #expect(try bench.perform(RemoveJob(new), at: target) == nil)
      #expect(try bench.perform(fetch, at: target, file: sink) == .missing)
    }

    // MARK: Apache

    @Test("Apache's WebDAV")
    func apache() throws {
      let port = freePort()
      let root = folder + "/dav"
      mkdir(root, 0o777)
      chmod(root, 0o777)
      chmod(folder, 0o777)
      let modules = ["mpm_event", "authz_core", "dav", "dav_fs"].map {
        "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so\n"
      }
      let user = geteuid() == 0 ? "User www-data\nGroup www-data\n" : ""
      try write(
        modules.joined() + user + """
          ServerName localhost
          Listen 127.0.0.1:\(port)
          PidFile \(folder)/pid
          ErrorLog \(folder)/errors
          DefaultRuntimeDir \(folder)
          DavLockDB \(folder)/locks
          DocumentRoot \(root)
          <Directory \(root)>
          Dav On
          Require all granted
          </Directory>

          """, "apache.conf")
      let server = try TestServer(["/usr/sbin/apache2", "-X", "-f", folder + "/apache.conf"])
      try server.waitForPort(port)
      let settings = try settings("http://127.0.0.1:\(port)", limits: patientLimits())
      try exercise(WebDAVTarget(settings), at: root)
      var deeper = settings
      deeper.url = try #require(ServerURL("http://127.0.0.1:\(port)/not/there"))
      let request = try bench.request(bytes, "a", "b.opus")
      let error = try bench.copy(request, to: WebDAVTarget(deeper)).error
      #expect(error?.code == .configuration)
    }

    // MARK: OpenSSH

    private func startSSH(_ port: Int) throws -> TestServer {
      for name in ["host", "user"] {
        try run("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(name)")
      }
      try write(
        """
        ListenAddress 127.0.0.1:\(port)
        HostKey \(folder)/host
        AuthorizedKeysFile \(folder)/user.pub
        StrictModes no
        PidFile none
        UsePAM no
        PasswordAuthentication no
        PermitRootLogin yes
        Subsystem sftp internal-sftp
        """, "sshd.conf")
      // As root it separates its privileges there.
      if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
      let server = try TestServer(["/usr/sbin/sshd", "-D", "-f", folder + "/sshd.conf"])
      try server.waitForPort(port)
      return server
    }

    private func sshTarget(_ port: Int, key: String = "user") throws -> TargetConfiguration {
      var configuration = TargetConfiguration()
      configuration.name = "nas"
      configuration.kind = .sftp
      configuration.url = ServerURL("sftp://127.0.0.1:\(port)\(folder)/sftp")
      configuration.user = String(cString: try #require(getpwuid(geteuid())).pointee.pw_name)
      configuration.credential = "\(folder)/\(key)"
      return configuration
    }

    @Test("OpenSSH's SFTP: a host key is remembered at first sight, and no other is accepted")
    func openSSH() throws {
      let port = freePort()
      let server = try startSSH(port)
      let configuration = try sshTarget(port)
      var factory = TargetFactory(credentials: nil, state: folder)
      factory.limits = patientLimits()
      var keys: [HostKey] = []
      bench.driver.onNewHostKey = { keys.append($1) }
      try exercise(try factory.target(configuration), at: folder + "/sftp")
      let key = try #require(keys.first)
      #expect(key.kind == "ssh-ed25519")
      #expect(
        contents(folder + "/host.pub").map { String(decoding: $0, as: UTF8.self) }?
          .contains(key.key) == true)

      try factory.remember(key, of: configuration)
      keys = []
      let request = try bench.request(bytes, "b.opus")
      #expect(try bench.copy(request, to: try factory.target(configuration)).receipt != nil)
      #expect(keys == [])

      // Another server at the same place.
      withExtendedLifetime(server) {}
      let other = HostKey(kind: key.kind, bytes: LinkBench.bytes(51))
      try factory.remember(other, of: configuration)
      bench.driver.onNewHostKey = { _, _ in Issue.record("another key was accepted") }
      let fresh = try LinkBench()
      let error = try fresh.copy(request, to: try factory.target(configuration)).error
      #expect(error?.code == .identity)
      #expect(error?.sentence.contains(key.fingerprint) == true)

      var pinned = configuration
      pinned.hostKey = key.fingerprint
      #expect(try fresh.copy(request, to: try factory.target(pinned)).receipt != nil)
      pinned.hostKey = other.fingerprint
      let again = try LinkBench()
      #expect(try again.copy(request, to: try factory.target(pinned)).error?.code == .identity)
    }

    @Test("SFTP goes on with an upload that was cut, and refuses a key that is not the user's")
    func resumed() throws {
      let port = freePort()
      let server = try startSSH(port)
      var factory = TargetFactory(credentials: nil, state: folder)
      factory.limits = patientLimits()
      let target = try factory.target(try sshTarget(port))
      mkdir(folder + "/sftp", 0o755)
      for isDamaged in [false, true] {
        let request = try bench.request(bytes, "\(isDamaged).opus")
        let part = request.name.part(of: LinkBench.content(of: bytes).hashes)
        var cut = Array(bytes.prefix(150_000))
        if isDamaged { cut[5] ^= 1 }
        try bench.write(cut, "sftp/\(part)")
        #expect(try bench.copy(request, to: target).receipt?.wasThere == false)
        #expect(has("\(folder)/sftp/\(request.name)", bytes))
      }
      let long = try bench.request(bytes, "long.opus")
      let part = long.name.part(of: LinkBench.content(of: bytes).hashes)
      try bench.write(bytes + [1], "sftp/\(part)")
      #expect(try bench.copy(long, to: target).receipt != nil)

      try run("/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/wrong")
      let wrong = try factory.target(try sshTarget(port, key: "wrong"))
      let fresh = try LinkBench()
      #expect(try fresh.copy(long, to: wrong).error?.code == .credentials)
      withExtendedLifetime(server) {}
    }

    // MARK: TLS

    @Test("a certificate is verified by the authorities, the name and the pin")
    func certificates() throws {
      try run(
        "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out",
        folder + "/cert.pem")
      let server = try TestServer([
        "/usr/bin/python3", serversFolder + "/liar.py", folder + "/cert.pem", folder + "/key.pem",
      ])
      let port = try server.printedPort()
      let request = try bench.request(bytes, "a.opus")
      func copy(_ host: String, _ change: (inout ServerAccess) -> Void) throws -> CopyOutcome {
        var settings = try settings("https://\(host):\(port)/good", limits: patientLimits())
        change(&settings.access)
        return try LinkBench().copy(request, to: WebDAVTarget(settings))
      }
      #expect(try copy("127.0.0.1") { _ in }.error?.code == .identity)
      let authorities = folder + "/cert.pem"
      #expect(try copy("127.0.0.1") { $0.authorities = authorities }.receipt != nil)
      #expect(try copy("localhost") { $0.authorities = authorities }.error?.code == .identity)
      let pinned = try copy("127.0.0.1") {
        $0.authorities = authorities
        $0.pin = "sha256//" + String(repeating: "A", count: 43) + "="
      }
      #expect(pinned.error?.code == .identity)
      #expect(
        try copy("127.0.0.1") { $0.authorities = "/nonexistent" }.error?.code == .configuration)
    }

    // MARK: S3

    @Test("rclone's S3", .enabled(if: hasTool("rclone"), "scripts/setup --link installs rclone"))
    func rcloneS3() throws {
      let port = freePort()
      mkdir(folder + "/s3", 0o755)
      mkdir(folder + "/s3/bucket", 0o755)
      let server = try TestServer(
        [
          tools + "rclone", "serve", "s3", "--addr", "127.0.0.1:\(port)", "--auth-key",
          "reel,open sesame", "--vfs-cache-mode", "off", folder + "/s3",
        ], environment: ["HOME": folder])
      try server.waitForPort(port)
      let login = ServerAccess.Login.s3(region: "us-east-1", Secret("open sesame"))
      let settings = try settings(
        "http://127.0.0.1:\(port)", user: "reel", login, limits: patientLimits())
      let target = S3Target(settings, bucket: "bucket", style: .path)
      try exercise(target, at: folder + "/s3/bucket", ignoresVersions: true)
      var large = target
      large.pieceBytes = 100_000
      let inPieces = try bench.request(bytes, "Pieces", "c.opus")
      #expect(try bench.copy(inPieces, to: large).receipt?.wasThere == false)
      #expect(has(folder + "/s3/bucket/Pieces/c.opus", bytes))
      var wrong = settings
      wrong.access.login = .s3(region: "us-east-1", Secret("guessed"))
      let request = try bench.request(bytes, "b.opus")
      let refused = try bench.copy(request, to: S3Target(wrong, bucket: "bucket", style: .path))
      #expect(refused.error?.code == .credentials)
    }

    @Test("moto's S3", .enabled(if: hasTool("moto_server"), "scripts/setup --link installs moto"))
    func motoS3() throws {
      let port = freePort()
      let server = try TestServer([tools + "moto_server", "-H", "127.0.0.1", "-p", "\(port)"])
      try server.waitForPort(port)
      let login = ServerAccess.Login.s3(region: "us-east-1", Secret("open sesame"))
      let settings = try settings(
        "http://127.0.0.1:\(port)", user: "reel", login, limits: patientLimits())
      let engine = try TransferEngine(on: bench.loop)
      var made: TransferResult?
      var request = TransferRequest(.put(.bytes([])), "http://127.0.0.1:\(port)/bucket")
      request.access = settings.access
      request.sink = .collect(atMost: 10_000)
      try engine.start(request) { made = $0 }
      #expect(try bench.wait { made }.status == 200)
      let target = S3Target(settings, bucket: "bucket", style: .path)
      try exercisePieces(target, engine)
      let copy = try bench.request(bytes, "Küche", "a + b.opus")
      #expect(try bench.copy(copy, to: target).receipt?.wasThere == false)
      #expect(try bench.copy(copy, to: target).receipt?.wasThere == true)
      // If another box is faster, the server says so.
      let content = LinkBench.content(of: bytes)
      let send = RemoteOperation.send(copy.name, content, resumes: false)
      guard case .transfer(let put) = target.request(for: send) else {
        Issue.record("an upload is no transfer")
        return
      }
      var answer: TransferResult?
      try engine.start(put, file: copy.file) { answer = $0 }
      #expect(target.answer(to: send, try bench.wait { answer }) == .taken)
      let new = try RemoteName(["Garden.opus"])
      let job = RenameJob(copy.name, to: new, content, traits: target.traits)
      #expect(try bench.perform(job, at: target) == .renamed(new))
    }

    @Test(
      "rclone's SFTP, which cannot go on", .enabled(if: hasTool("rclone"), "scripts/setup --link"))
    func rcloneSFTP() throws {
      let port = freePort()
      mkdir(folder + "/s", 0o755)
      let server = try TestServer(
        [
          tools + "rclone", "serve", "sftp", "--addr", "127.0.0.1:\(port)", "--user", "reel",
          "--pass", "open sesame", folder + "/s",
        ], environment: ["HOME": folder])
      try server.waitForPort(port)
      let settings = try settings(
        "sftp://127.0.0.1:\(port)", user: "reel", .password(Secret("open sesame")),
        limits: patientLimits())
      let request = try bench.request(bytes, "a.opus")
      let part = request.name.part(of: LinkBench.content(of: bytes).hashes)
      try bench.write(Array(bytes.prefix(1000)), "s/\(part)")
      let outcome = try bench.copy(request, to: SFTPTarget(settings))
      #expect(outcome.receipt != nil, "\(outcome)")
      #expect(has(folder + "/s/a.opus", bytes))
    }
  }
}
