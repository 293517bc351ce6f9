// Holds the configuration in force, and passes it on after a reload: to the heart, the host's room
// and systemd. Used by the loop's thread.

import Host
import Loop
import Recorder

final class ConfigurationReloader {
  private var running: RunningConfiguration
  private let root: String
  private unowned let heart: Driver<Appliance>
  private let host: HostMonitor
  private let service: Service

  init(
    _ running: RunningConfiguration, root: String, _ heart: Driver<Appliance>, _ host: HostMonitor,
    _ service: Service
  ) {
    (self.running, self.root, self.heart) = (running, root, heart)
    (self.host, self.service) = (host, service)
  }

  var file: String { running.file }
  var value: Configuration { running.value }
  var settings: Settings { running.settings }
  var text: String { running.text }

  func adopt(_ read: RunningConfiguration.Read) {
    let (event, sentences) = running.adopt(read)
    heart.send(.host(event))
    configureHost()
    service.reloaded(event, sentences)
  }

  func configureHost() { host.configure(running.hooks(below: root), running.value.metrics) }
}
