// What reelctl answers by itself, without a recorder: help, the manual page and completion scripts.

import Catalogue
import Console
import Recorder

enum Local {
  /// Returns nil if the appliance must be asked.
  static func perform(_ call: CommandLineCall) -> Int32? {
    if call.wantsHelp {
      Output.write(HelpText.help(for: call.spec, in: Output.language) + "\n")
      return 0
    }
    switch call.spec.verb {
    case .help: return help(call)
    case .completion: return completion(call)
    default: return nil
    }
  }

  private static func help(_ call: CommandLineCall) -> Int32 {
    if call.wantsManual {
      Output.write(ManPage.text(version: Reelctl.version))
      return 0
    }
    let words = Array(call.words.dropFirst())
    if words.isEmpty {
      Output.write(overview)
      return 0
    }
    do throws(ParseError) {
      Output.write(HelpText.help(for: try CommandTable.find(words), in: Output.language) + "\n")
      return 0
    } catch {
      Output.logError(error.sentence)
      return ExitCode.usage
    }
  }

  private static var overview: String {
    let say = Output.language.say
    let place = CommandLineCall.standardSocket
    return """
      reelctl - \(say("talk to the recorder"))

      \(say("usage: \("reelctl [--socket PATH] [--json] COMMAND [ARGUMENT...]")"))

      \(HelpText.overview(on: .socket, in: Output.language))

      \(say("The recorder is asked at --socket PATH, or at REEL_SOCKET, or else at"))
      \(place).

      """
  }

  private static func completion(_ call: CommandLineCall) -> Int32 {
    switch call.words.dropFirst().first {
    case "bash": Output.write(ShellCompletion.bash)
    case "zsh": Output.write(ShellCompletion.zsh)
    default:
      Output.logError("say which shell: reelctl completion bash, or zsh")
      return ExitCode.usage
    }
    return 0
  }
}
