// What commands answer, and why one is not understood. The rest of them.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let commandSentencesMore = """
    en Now at
    de Jetzt bei
    zh 当前

    en At a mark of
    de An einer Marke von
    zh 位于标记，属于

    en All notices are marked as seen
    de Alle Meldungen sind als gesehen markiert
    zh 所有通知已标为已看

    en Cancelled
    de Abgebrochen
    zh 已取消

    en The panel is locked
    de Das Bedienfeld ist gesperrt
    zh 面板已锁定

    en The panel is unlocked
    de Das Bedienfeld ist entsperrt
    zh 面板已解锁

    en Done
    de Erledigt
    zh 完成

    en Recording on as
    de Die Aufnahme geht weiter als
    zh 继续录音为

    en Stopped; the card still writes the end of
    de Gestoppt; die Karte schreibt noch das Ende von
    zh 已停止；存储卡仍在写入结尾：

    en Saved
    de Gesichert
    zh 已保存

    en Moved {1*}
    de Verschoben {1}
    zh 已移动 {1}

    en Renamed to {1*}
    de Umbenannt in {1}
    zh 已重命名为 {1}

    en Restored {1*}
    de Wiederhergestellt {1}
    zh 已恢复 {1}

    en Sorted {1*}
    de Sortiert {1}
    zh 已排序 {1}

    en Marked as heard {1*}
    de Als gehört markiert {1}
    zh 已标为已听 {1}

    en Marked as not heard {1*}
    de Als ungehört markiert {1}
    zh 已标为未听 {1}

    en Made the folder {1*}
    de Ordner angelegt {1}
    zh 已新建文件夹 {1}

    en Named the mark in {1*}
    de Marke benannt in {1}
    zh 已命名标记，位于 {1}

    en Added a mark to {1*}
    de Marke gesetzt in {1}
    zh 已添加标记，位于 {1}

    en Removed the mark from {1*}
    de Marke entfernt aus {1}
    zh 已移除标记，位于 {1}

    en Moved the mark in {1*}
    de Marke verschoben in {1}
    zh 已移动标记，位于 {1}

    en Deleted {1*}
    de Gelöscht {1}
    zh 已删除 {1}

    en Imported {1*}
    de Importiert {1}
    zh 已导入 {1}

    en Marked {1*}
    de Markiert: {1}
    zh 已标记 {1}

    en Paused {1*}
    de Angehalten {1}
    zh 已暂停 {1}

    en Playing {1*}
    de Wiedergabe: {1}
    zh 正在播放 {1}

    en Moved within {1*}
    de Gespult in {1}
    zh 已跳转，位于 {1}

    en Now at {1*}
    de Jetzt bei {1}
    zh 当前 {1}

    en At a mark of {1*}
    de An einer Marke von {1}
    zh 位于标记，属于 {1}

    en Cancelled {1*}
    de Abgebrochen {1}
    zh 已取消 {1}

    en Done {1*}
    de Erledigt: {1}
    zh 完成 {1}

    en Recording on as {1*}
    de Die Aufnahme geht weiter als {1}
    zh 继续录音为 {1}

    en Stopped; the card still writes the end of {1*}
    de Gestoppt; die Karte schreibt noch das Ende von {1}
    zh 已停止；存储卡仍在写入结尾：{1}

    en Saved {1*}
    de Gesichert {1}
    zh 已保存 {1}

    en Recording {1*}
    de Aufnahme: {1}
    zh 正在录音 {1}

    en Set the notes of {1*}
    de Notizen geändert: {1}
    zh 已设置备注：{1}

    en Set the place of {1*}
    de Ort geändert: {1}
    zh 已设置地点：{1}

    en Set the speaker of {1*}
    de Sprecher geändert: {1}
    zh 已设置讲话人：{1}

    en Removed the notes of {1*}
    de Notizen entfernt: {1}
    zh 已移除备注：{1}

    en Removed the place of {1*}
    de Ort entfernt: {1}
    zh 已移除地点：{1}

    en Removed the speaker of {1*}
    de Sprecher entfernt: {1}
    zh 已移除讲话人：{1}

    en move “{1}”
    de „{1}“ verschieben
    zh 移动“{1}”

    en move {1} items
    de {1} Einträge verschieben
    zh 移动 {1} 项

    en rename “{1}”
    de „{1}“ umbenennen
    zh 重命名“{1}”

    en rename {1} items
    de {1} Einträge umbenennen
    zh 重命名 {1} 项

    en describe “{1}”
    de „{1}“ beschreiben
    zh 描述“{1}”

    en describe {1} items
    de {1} Einträge beschreiben
    zh 描述 {1} 项

    en delete “{1}”
    de „{1}“ löschen
    zh 删除“{1}”

    en delete {1} items
    de {1} Einträge löschen
    zh 删除 {1} 项

    en restore “{1}”
    de „{1}“ wiederherstellen
    zh 恢复“{1}”

    en restore {1} items
    de {1} Einträge wiederherstellen
    zh 恢复 {1} 项

    en mark “{1}”
    de „{1}“ markieren
    zh 标记“{1}”

    en mark {1} items
    de {1} Einträge markieren
    zh 标记 {1} 项

    en sort “{1}”
    de „{1}“ sortieren
    zh 排序“{1}”

    en sort {1} items
    de {1} Einträge sortieren
    zh 排序 {1} 项

    en {1#} “{2}”, {3}, in {4}.
    de {1} „{2}“, {3}, in {4}.
    zh {1}“{2}”，{3}，位于 {4}。

    en {1#} “{2}”, in {3}.
    de {1} „{2}“, in {3}.
    zh {1}“{2}”，位于 {3}。

    en “{1}” is still being recorded.
    de „{1}“ wird noch aufgenommen.
    zh “{1}”仍在录音。

    en The end of “{1}” is not on the card yet; try again in a moment.
    de Das Ende von „{1}“ ist noch nicht auf der Karte; gleich noch einmal versuchen.
    zh “{1}”的结尾尚未写入存储卡；请稍后再试。

    en “{1}” and “{2}”
    de „{1}“ und „{2}“
    zh “{1}”和“{2}”

    en “{1}” is named twice.
    de „{1}“ ist zweimal genannt.
    zh “{1}”重复指定。

    en A part is missing between {1*}: they are parts {2} and {3}.
    de Zwischen {1} fehlt ein Teil: Es sind die Teile {2} und {3}.
    zh {1}之间缺少一段：它们是第 {2} 段和第 {3} 段。

    en {1*} are not consecutive parts of one take.
    de {1} sind keine aufeinanderfolgenden Teile einer Aufnahme.
    zh {1}不是同一录音的相邻分段。

    en {1*} differ in rate or channels, and cannot be one file.
    de {1} haben verschiedene Raten oder Kanäle und können keine Datei werden.
    zh {1}的采样率或声道不同，不能合为一个文件。

    en Parts are joined into one file, which is passed.
    de Teile werden zu einer Datei verbunden, die übergeben wird.
    zh 各段合并为一个传入的文件。

    en “{1}” is a folder: name its recordings here, or let reelctl {2} it as a whole, in a \
    shell of the recorder's computer.
    de „{1}“ ist ein Ordner: hier seine Aufnahmen nennen, oder reelctl {2} in einer Shell auf \
    dem Rekorder mit dem ganzen Ordner aufrufen.
    zh “{1}”是文件夹：请在此列出其录音，或在录音机的 shell 中用 reelctl {2} 处理整个文件夹。
    """
}
