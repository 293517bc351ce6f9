// An item of a folder as a row of the page's list: a sixth of what the recorder tells of it, so
// that ten thousand fit into this program's memory and go quickly to a phone. Details are asked for
// one recording at a time. Pure.
import JSON

/// One row, as JSON.
struct ItemRow {
  let id: String
  let bytes: [UInt8]

  /// Nil if the recorder's item has no id.
  init?(_ item: JSONValue) {
    guard let id = item["id"]?.text else { return nil }
    self.id = id
    bytes = WebJSON.object { json in
      json.member("kind", item["kind"])
      json.member("id", id)
      json.member("title", item["title"])
      if item["kind"]?.text == "folder" {
        Self.writeFolder(item, &json)
      } else {
        Self.writeRecording(item, &json)
      }
    }
  }

  private static func writeFolder(_ item: JSONValue, _ json: inout JSONWriter) {
    json.member("recordings", item["recordings"])
    json.member("unheard", item["unheard"])
    json.member("copied", item["copied"])
    json.member("latest", item["latest"]?["wall"])
  }

  private static func writeRecording(_ item: JSONValue, _ json: inout JSONWriter) {
    json.member("number", item["sequence"])
    json.member("began", item["began"]?["local"])
    if item["began"]?["synchronised"]?.flag == false { json.flag("isUnsure", true) }
    json.member("milliseconds", item["lengthMilliseconds"])
    json.member("heard", item["heard"])
    json.member("stage", item["stage"])
    json.member("part", item["part"])
    let marks = item["marks"]?.items?.count ?? 0
    if marks > 0 { json.member("marks", marks) }
    let gaps = item["integrity"]?["gaps"]?.items?.count ?? 0
    if gaps > 0 { json.member("gaps", gaps) }
    json.flag("recovered", item["integrity"]?["recovered"]?.flag ?? false)
    let copies = item["copies"]?.items ?? []
    json.flag("copied", copies.contains { $0["state"]?.text == "verified" })
  }
}

/// The folder that a list is of.
enum FolderHead {
  static func bytes(_ folder: JSONValue, order: JSONValue?) -> [UInt8] {
    WebJSON.object { json in
      for key in ["id", "title", "path", "folderID", "recordings", "unheard", "copied"] {
        json.member(key, folder[key])
      }
      json.member("order", order ?? folder["order"])
    }
  }
}
