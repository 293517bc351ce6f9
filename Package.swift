// swift-tools-version:6.0
import PackageDescription

// What scripts/fuzz builds is a program of its own; for everybody else it is a folder of tests.
let fuzzes = Context.environment["REEL_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
  "Digest", "Recorder", "JSON", "Loop", "Realtime", "Systemd", "Tape", "Library", "Panel", "Host",
  "Console", "Emulator", "Link", "Scratch", "Web",
]
let fuzz: [Target] =
  fuzzes
  ? [
    .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
    .executableTarget(
      name: "reel-fuzz", dependencies: fuzzed + ["CFuzzer"], path: "Fuzz",
      exclude: ["CFuzzer", "FuzzTests.swift", "corpus", "findings", "dictionaries"]),
  ]
  : [
    .testTarget(
      name: "FuzzTests", dependencies: fuzzed, path: "Fuzz",
      exclude: ["CFuzzer", "Fuzzer.swift", "corpus", "findings", "dictionaries"])
  ]

// A debug build spends most of a test's time in these: they are optimised there, too, and go on
// asserting.
let quick: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

// The house, from the ground up. Dependencies point up this list only: see README, "The house".
let package = Package(
  name: "reel",
  products: [
    // Preloaded by a test into the daemon.
    .library(name: "CallRecorder", type: .dynamic, targets: ["CCallRecorder"])
  ],
  targets: [
    // The ground: C libraries, a module map and a thin shim each.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    // pkg-config names a folder of Kerberos, which SwiftPM refuses with a warning.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
    .systemLibrary(
      name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CKernel"),
    .systemLibrary(name: "CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "COgg", pkgConfig: "ogg", providers: [.apt(["libogg-dev"])]),
    .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
    .systemLibrary(
      name: "COpusfile", pkgConfig: "opusfile", providers: [.apt(["libopusfile-dev"])]),
    .systemLibrary(
      name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .systemLibrary(name: "CInput"),
    .target(name: "CRealtime"),
    .target(name: "CChecksum"),
    .target(
      name: "CWeighting", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),

    // The workshop: tools that know nothing of an appliance.
    .target(name: "JSON", swiftSettings: quick),
    .target(name: "Catalogue"),
    .target(name: "Digest", dependencies: ["CNettle", "CSodium"], swiftSettings: quick),
    .target(name: "Loop", dependencies: ["JSON"], swiftSettings: quick),
    .target(name: "Realtime", dependencies: ["CRealtime"]),
    .target(name: "Systemd", dependencies: ["CSystemd", "Realtime"]),
    .target(
      name: "Tape",
      dependencies: [
        "CFLAC", "COgg", "COpus", "COpusfile", "CSndfile", "CSpeexDSP", "CWeighting", "Digest",
        "Realtime",
      ],
      swiftSettings: quick),
    .target(
      name: "Link", dependencies: ["CCurl", "Digest", "JSON", "Realtime", "Systemd"],
      swiftSettings: quick),

    // The heart.
    .target(name: "Recorder", dependencies: ["Catalogue", "Loop"], swiftSettings: quick),

    // The rooms: the world turned into actions, and commands carried out.
    .target(
      name: "Audio", dependencies: ["CALSA", "Recorder", "Realtime", "Tape", "Systemd"],
      swiftSettings: quick),
    .target(
      name: "Library",
      dependencies: ["CChecksum", "CKernel", "Digest", "JSON", "Recorder", "Realtime", "Tape"],
      swiftSettings: quick),
    .target(name: "Panel", dependencies: ["CGPIO", "CInput", "Recorder", "Realtime", "Systemd"]),
    .target(
      name: "Console",
      dependencies: ["Catalogue", "JSON", "Recorder", "Loop", "Realtime", "Systemd"]),
    .target(
      name: "Host",
      dependencies: ["Catalogue", "Digest", "JSON", "Recorder", "Realtime", "Tape"]),

    // What joins heart and rooms, for reeld and for the simulation.
    .target(name: "Runtime", dependencies: ["Console", "Loop", "Recorder"]),

    // The doors: small mains that put rooms together, and what a browser comes through.
    .target(
      name: "Web",
      dependencies: [
        "CGnuTLS", "CMicrohttpd", "CQRencode", "CZlib", "Catalogue", "Console", "Digest", "JSON",
        "Realtime", "Systemd",
      ],
      exclude: ["page"], swiftSettings: quick),
    .executableTarget(
      name: "reeld",
      dependencies: [
        "Catalogue", "Digest", "Recorder", "JSON", "Loop", "Systemd", "Realtime", "Tape", "Audio",
        "Library", "Console", "Panel", "Host", "Runtime",
      ]),
    .executableTarget(
      name: "reelctl",
      dependencies: [
        "Catalogue", "Console", "Digest", "JSON", "Loop", "Realtime", "Recorder", "Systemd", "Tape",
      ]),
    .executableTarget(
      name: "reel-link",
      dependencies: ["Console", "Digest", "JSON", "Link", "Realtime", "Recorder", "Systemd"]),
    .executableTarget(name: "reel-web", dependencies: ["Systemd", "Web"]),
    .executableTarget(
      name: "reel-bench",
      dependencies: [
        "Audio", "JSON", "Library", "Loop", "Realtime", "Recorder", "Tape", "CAllocations",
      ]),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),

    // Tests, one folder a target.
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "CatalogueTests", dependencies: ["Catalogue", "Recorder"]),
    .testTarget(name: "DigestTests", dependencies: ["Digest"]),
    .testTarget(name: "LoopTests", dependencies: ["Loop"]),
    .testTarget(
      name: "LinkTests",
      dependencies: ["Digest", "JSON", "Link", "Systemd", "Scratch", "Seeds"],
      exclude: ["servers"]),
    .testTarget(
      name: "WebTests",
      dependencies: ["Console", "JSON", "Realtime", "Systemd", "Web", "Scratch"]),
    .testTarget(name: "RealtimeTests", dependencies: ["CRealtime", "Realtime"]),
    .testTarget(name: "SystemdTests", dependencies: ["CSystemd", "Systemd", "Scratch"]),
    .systemLibrary(
      name: "CEbur128", path: "Tests/CEbur128", pkgConfig: "libebur128",
      providers: [.apt(["libebur128-dev"])]),
    .testTarget(
      name: "TapeTests",
      dependencies: ["Digest", "Realtime", "Tape", "CEbur128", "Scratch", "Sounds"]),
    .testTarget(
      name: "RecorderTests",
      dependencies: ["Catalogue", "JSON", "Recorder", "Loop", "CAllocations", "Seeds"]),
    .target(name: "Seeds", path: "Tests/support/Seeds"),
    .target(name: "Sounds", path: "Tests/support/Sounds", swiftSettings: quick),
    .target(name: "Scratch", path: "Tests/support/Scratch"),
    .testTarget(
      name: "AudioTests",
      dependencies: ["Audio", "Recorder", "Realtime", "Tape", "CAlsaFaults", "Scratch"]),
    .target(
      name: "CAlsaFaults", dependencies: ["CALSA"], path: "Tests/support/CAlsaFaults"),
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "Digest", "JSON", "Library", "Recorder", "Realtime", "Tape", "Seeds", "Scratch",
      ]),
    .testTarget(
      name: "HostTests", dependencies: ["Digest", "Host", "JSON", "Recorder", "Tape", "Scratch"]),
    .testTarget(
      name: "PanelTests",
      dependencies: [
        "Panel", "Realtime", "Recorder", "Systemd", "CInput", "CGpioFake", "Seeds", "Scratch",
      ]),
    .target(name: "CGpioFake", path: "Tests/support/CGpioFake"),
    .testTarget(name: "TidyTests"),
    .target(name: "Emulator", path: "Tests/Emulator"),
    .testTarget(
      name: "ConsoleTests",
      dependencies: [
        "Console", "JSON", "Recorder", "Loop", "Realtime", "Systemd", "Emulator", "Scratch",
      ]),
    .testTarget(
      name: "ApplianceTests",
      dependencies: [
        "reeld", "reelctl", "reel-link", "reel-web", "Console", "Library", "Recorder", "Tape",
        "Emulator",
        "Scratch",
      ]),
    .target(
      name: "CCallRecorder", path: "Tests/support/CCallRecorder",
      linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CCountingOpus", path: "Tests/support/CCountingOpus"),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Digest", "Recorder", "Loop", "Realtime", "Tape", "Audio", "Library", "Panel", "Console",
        "Runtime", "CCountingOpus", "Seeds",
      ],
      swiftSettings: quick),
    .testTarget(
      name: "RuntimeTests", dependencies: ["Console", "Loop", "Recorder", "Runtime"]),
    .testTarget(
      name: "ReeldTests", dependencies: ["reeld", "Audio", "Host", "Panel", "Recorder", "Scratch"]),
  ] + fuzz,
  swiftLanguageModes: [.v6]
)

// A check that runs some tests needs the others not built: REEL_TESTS="LibraryTests TapeTests".
if let named = Context.environment["REEL_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !named.contains($0.name) }
}

// A target named in REEL_PLAIN is not optimised: a sanitizer's tests need the heart, but not fast.
// Nor are tests of a release, except those that are `quick`: their expectations would take more
// time to optimise than what is shipped.
let plain = (Context.environment["REEL_PLAIN"] ?? "").split(separator: " ").map(String.init)
for target in package.targets {
  let isSlowTest = target.type == .test && target.swiftSettings == nil
  guard isSlowTest || plain.contains(target.name) else { continue }
  target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}

// A machine that builds everything once builds whole modules: less than half the work, because the
// files of a module are not parsed again for each other.
if Context.environment["REEL_WHOLE_MODULES"] != nil {
  for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings =
      (target.swiftSettings ?? [])
      + [.unsafeFlags(["-wmo", "-num-threads", "2"], .when(configuration: .debug))]
  }
}
