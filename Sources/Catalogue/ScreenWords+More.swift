// The words of the dashboard. The rest of them.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let screenWordsMore = """
    en {1} min
    de {1} min
    zh {1} 分钟

    en {1} h {2} min
    de {1} h {2} min
    zh {1} 小时 {2} 分钟

    en {1} days
    de {1} Tag|{1} Tage
    zh {1} 天

    en {1} ms
    de {1} ms
    zh {1} 毫秒

    en Paused in {1}
    de Pause in {1}
    zh 已暂停于 {1}

    en Starting
    de Wird gestartet
    zh 正在启动

    en Finishing
    de Wird beendet
    zh 正在结束

    en Stopped
    de Angehalten
    zh 已停止

    en {1}: {2}.
    de {1}: {2}.
    zh {1}：{2}。

    en Name of the recording:
    de Name der Aufnahme:
    zh 录音的名称：

    en Enter keeps it
    de Enter behält ihn
    zh 按 Enter 保留

    en Recordings
    de Aufnahmen
    zh 录音

    en Trash
    de Papierkorb
    zh 回收站

    en show one recording
    de eine Aufnahme zeigen
    zh 显示一条录音

    en title
    de Titel
    zh 标题

    en position
    de Stelle
    zh 位置

    en drawing the waveform…
    de Wellenform wird gezeichnet …
    zh 正在绘制波形…

    en Title:
    de Titel:
    zh 标题：

    en Notes (Ctrl-N begins a line):
    de Notizen (Strg-N beginnt eine Zeile):
    zh 备注（Ctrl-N 换行）：

    en Place:
    de Ort:
    zh 地点：

    en Speaker:
    de Sprecher:
    zh 讲话人：

    en Name of mark {1}:
    de Name der Marke {1}:
    zh 标记 {1} 的名称：

    en edit
    de bearbeiten
    zh 编辑

    en name
    de benennen
    zh 命名

    en move to the position
    de an die Stelle verschieben
    zh 移到当前位置

    en remove
    de entfernen
    zh 移除

    en back
    de zurück
    zh 返回

    en marks
    de Marken
    zh 标记
    """
}
