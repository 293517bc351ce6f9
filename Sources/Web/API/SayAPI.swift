// The recorder's sentences in the reader's language. It tells them in English, and the catalogue
// knows them again; so the page asks here for what it is about to show. Pure, and bounded.
import Catalogue
import JSON

enum SayAPI {
  private static let sentencesMaximum = 50
  private static let bytesMaximum = 1000

  static func reply(to body: JSONValue) -> Reply {
    guard let language = body["language"]?.text.flatMap({ Language(rawValue: $0) }),
      let sentences = body["sentences"]?.items, sentences.count <= sentencesMaximum
    else { return .failure(400, "say a language and some sentences") }
    return .json(
      WebJSON.object { json in
        json.key("sentences")
        json.array { json in
          for sentence in sentences {
            let text = sentence.text ?? ""
            json.string(text.utf8.count <= bytesMaximum ? language.translate(text) : text)
          }
        }
      })
  }
}
