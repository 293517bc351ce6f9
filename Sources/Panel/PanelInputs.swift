// The buttons of a panel that are keys of input devices, which may come and go at any time. Loop
// thread only; nothing here waits. A missing device is a fault until it appears.
import Glibc
import Realtime
import Recorder
import Systemd

final class PanelInputs {
  private let loop: EventLoop
  private let dependencies: PanelRoom.Dependencies
  private let folder: InputFolder
  private let plan: PanelPlan
  private var devices: [Device] = []
  private var folderWatch: FolderWatch?
  private var ready: () -> Void = {}
  private var watchFault: PanelFault?
  private(set) var deviceFaults: [String: PanelFault] = [:]

  private final class Device {
    let name: String
    let device: InputDevice
    let keys: [UInt16: PanelButton]
    var watch: FileWatch?

    init(_ name: String, _ device: InputDevice, _ keys: [UInt16: PanelButton]) {
      self.name = name
      self.device = device
      self.keys = keys
    }

    // Stopped before the descriptor is closed.
    deinit { watch?.stop() }
  }

  init(on loop: EventLoop, _ dependencies: PanelRoom.Dependencies, _ plan: PanelPlan) {
    self.loop = loop
    self.dependencies = dependencies
    self.plan = plan
    folder = InputFolder(dependencies.inputs, dependencies.inputKernel)
  }

  var buttons: [PanelButton] {
    devices.flatMap { device in device.keys.sorted { $0.key < $1.key }.map(\.value) }
  }

  var faults: [PanelFault] {
    let inOrder = plan.inputs.compactMap { deviceFaults[$0.device] }
    return inOrder + (watchFault.map { [$0] } ?? [])
  }

  /// - Parameter ready: called when edges may wait to be read, or devices changed.
  func open(ready: @escaping () -> Void) {
    if plan.inputs.isEmpty { return }
    self.ready = ready
    do {
      folderWatch = try FolderWatch(folder.folders, on: loop) { [unowned self] in
        scan()
        ready()
      }
    } catch {
      watchFault = PanelFault(
        .failed, "Input devices that are plugged in later are not found: \(error).")
    }
    scan()
  }

  // MARK: Coming

  private func scan() {
    for input in plan.inputs { scan(for: input) }
  }

  private func scan(for input: InputPlan) {
    let paths = folder.paths(of: input.device)
    var fault: PanelFault?
    for path in paths where !devices.contains(where: { $0.device.path == path }) {
      do throws(InputDevice.OpenError) {
        try open(input, path)
      } catch {
        fault = refused(input, path, errno: error.errno)
      }
    }
    let isThere = devices.contains { $0.name == input.device }
    deviceFaults[input.device] = fault ?? (isThere ? nil : missing(input))
  }

  private func open(_ input: InputPlan, _ path: String) throws(InputDevice.OpenError) {
    let device = try InputDevice.open(path, dependencies.inputKernel)
    try device.prepare(isGrabbed: input.isGrabbed)
    let down = device.keysDown
    var keys: [UInt16: PanelButton] = [:]
    for (name, use) in input.keys {
      guard let code = KeyCode.number(name) else { continue }
      keys[code] = PanelButton(
        use, owner: "the key \(name) of \(input.device)",
        source: .key(device: input.device, key: name), plan.timingOfKey(use),
        isActive: down.contains(code), at: dependencies.now())
    }
    let made = Device(input.device, device, keys)
    do {
      made.watch = try loop.watch(
        fileDescriptor: device.descriptor, for: .readable, priority: .urgent
      ) { [unowned self] _ in ready() }
    } catch {
      throw InputDevice.OpenError(errno: error.errorNumber)
    }
    devices.append(made)
  }

  private func missing(_ input: InputPlan) -> PanelFault {
    let start = "The input device \(input.device) is not there; "
    if folder.hasClosedDevices {
      return PanelFault(
        .forbidden, start + "some may not be read: add the user to the group input.")
    }
    return PanelFault(.missing, start + "plug it in, or see /dev/input/by-id for its name.")
  }

  private func refused(_ input: InputPlan, _ path: String, errno: Int32) -> PanelFault {
    let start = "The input device \(input.device) (\(path)) cannot be used: "
    switch errno {
    case EACCES, EPERM:
      return PanelFault(
        .forbidden, start + "it may not be read; add the user to the group input.", errno: errno)
    case EBUSY:
      return PanelFault(
        .taken, start + "another program has it for itself. Stop that, or set grab to false.",
        errno: errno)
    case ENOTTY, EINVAL:
      return PanelFault(.failed, start + "it is not an input device.", errno: errno)
    default:
      return PanelFault(
        .failed, start + systemWords(for: errno) + ".", errno: errno)
    }
  }

  // MARK: Reading

  /// Returns all edges that wait, in order for each key. A device that is gone releases its keys.
  func read() -> [(button: PanelButton, edge: Edge)] {
    var news: [(button: PanelButton, edge: Edge)] = []
    for device in devices {
      let (edges, isGone) = device.device.read(watched: Set(device.keys.keys))
      for key in edges {
        if let button = device.keys[key.code] { news.append((button, key.edge)) }
      }
      if isGone { news += release(device) }
    }
    return news
  }

  /// Removes a device that is gone, and releases its keys: no event will.
  private func release(_ device: Device) -> [(button: PanelButton, edge: Edge)] {
    devices.removeAll { $0 === device }
    if let input = plan.inputs.first(where: { $0.device == device.name }) {
      deviceFaults[device.name] = missing(input)
    }
    let now = dependencies.now()
    return device.keys.values.filter(\.gestures.isDown).map { ($0, Edge(isActive: false, at: now)) }
  }

  func end() {
    devices = []
    folderWatch = nil
  }
}
