// swift-tools-version:6.0
import PackageDescription

// What scripts/fuzz builds is a program of its own; for everybody else it is a folder of tests.
let fuzzes = Context.environment["REEL_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
  "Recorder", "Loop", "Systemd", "Tape", "Library", "Panel", "Host", "Console", "Emulator",
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

// The house, from the ground up. Dependencies point up this list only: see README, "The house".
let package = Package(
  name: "reel",
  targets: [
    // The ground: C libraries, a module map and a thin shim each.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CKernel"),
    .systemLibrary(name: "COgg", pkgConfig: "ogg", providers: [.apt(["libogg-dev"])]),
    .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
    .systemLibrary(
      name: "COpusfile", pkgConfig: "opusfile", providers: [.apt(["libopusfile-dev"])]),
    .systemLibrary(
      name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .systemLibrary(name: "CInput"),
    .target(name: "CRealtime"),

    // The workshop: tools that know nothing of an appliance.
    .target(name: "Loop"),
    .target(name: "Realtime", dependencies: ["CRealtime"]),
    .target(name: "Systemd", dependencies: ["CSystemd", "Realtime"]),
    .target(
      name: "Tape",
      dependencies: ["COgg", "COpus", "COpusfile", "CSndfile", "CSpeexDSP", "Realtime"]),

    // The heart.
    .target(name: "Recorder", dependencies: ["Loop"]),

    // The rooms: the world turned into actions, and commands carried out.
    .target(name: "Audio", dependencies: ["CALSA", "Recorder", "Realtime", "Tape", "Systemd"]),
    .target(name: "Library", dependencies: ["CKernel", "Recorder", "Realtime", "Tape"]),
    .target(name: "Panel", dependencies: ["CGPIO", "CInput", "Recorder", "Realtime", "Systemd"]),
    .target(name: "Console", dependencies: ["Recorder", "Loop", "Realtime", "Systemd"]),
    .target(name: "Host", dependencies: ["Recorder", "Realtime", "Tape"]),

    // The doors: small mains that put rooms together.
    .executableTarget(
      name: "reeld",
      dependencies: [
        "Recorder", "Loop", "Systemd", "Realtime", "Tape", "Audio", "Library", "Console", "Panel",
        "Host",
      ]),
    .executableTarget(
      name: "reelctl", dependencies: ["Console", "Loop", "Realtime", "Recorder"]),
    .executableTarget(
      name: "reel-bench",
      dependencies: ["Audio", "Library", "Loop", "Realtime", "Recorder", "Tape", "CAllocations"]),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),

    // Tests, one folder a target.
    .testTarget(name: "LoopTests", dependencies: ["Loop"]),
    .testTarget(name: "RealtimeTests", dependencies: ["CRealtime", "Realtime"]),
    .testTarget(name: "SystemdTests", dependencies: ["Systemd"]),
    .systemLibrary(
      name: "CEbur128", path: "Tests/CEbur128", pkgConfig: "libebur128",
      providers: [.apt(["libebur128-dev"])]),
    .testTarget(name: "TapeTests", dependencies: ["Tape", "CEbur128"]),
    .testTarget(name: "RecorderTests", dependencies: ["Recorder", "Loop", "CAllocations"]),
    .testTarget(
      name: "AudioTests", dependencies: ["Audio", "Recorder", "Realtime", "Tape", "CAlsaFaults"]),
    .target(
      name: "CAlsaFaults", dependencies: ["CALSA"], path: "Tests/support/CAlsaFaults"),
    .testTarget(name: "LibraryTests", dependencies: ["Library", "Recorder", "Realtime", "Tape"]),
    .testTarget(name: "HostTests", dependencies: ["Host", "Recorder", "Tape"]),
    .testTarget(
      name: "PanelTests", dependencies: ["Panel", "Recorder", "Systemd", "CInput", "CGpioFake"]),
    .target(name: "CGpioFake", path: "Tests/support/CGpioFake"),
    .testTarget(name: "TidyTests"),
    .target(name: "Emulator", path: "Tests/Emulator"),
    .testTarget(
      name: "ConsoleTests", dependencies: ["Console", "Recorder", "Loop", "Systemd", "Emulator"]),
    .testTarget(
      name: "ApplianceTests",
      dependencies: ["reeld", "reelctl", "Console", "Recorder", "Tape", "Emulator"]),
    .target(name: "CCountingOpus", path: "Tests/support/CCountingOpus"),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Recorder", "Loop", "Realtime", "Tape", "Audio", "Library", "Panel", "Console",
        "CCountingOpus",
      ]),
    .testTarget(name: "ReeldTests", dependencies: ["reeld", "Audio", "Host", "Panel", "Recorder"]),
  ] + fuzz,
  swiftLanguageModes: [.v6]
)

// A check that runs some tests needs the others not built: REEL_TESTS="LibraryTests TapeTests".
if let named = Context.environment["REEL_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !named.contains($0.name) }
}
