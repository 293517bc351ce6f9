// What is wrong with a configuration.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let configurationSentences = """
    en there is no such file
    de diese Datei gibt es nicht
    zh 没有该文件

    en it cannot be read: {1*}
    de es ist nicht lesbar: {1}
    zh 无法读取：{1}

    en there are more than {1} files in it
    de es enthält mehr als {1} Dateien
    zh 其中的文件超过 {1} 个

    en it is over a megabyte, and cannot be a configuration
    de es ist größer als ein Megabyte und kann keine Konfiguration sein
    zh 超过一兆字节，不可能是配置

    en '{1}' is missing here
    de hier fehlt '{1}'
    zh 这里缺少 '{1}'

    en there is no such key here; it goes into {1*}
    de diesen Schlüssel gibt es hier nicht; er gehört in {1}
    zh 这里没有该键；它应放入 {1}

    en there is no such key
    de diesen Schlüssel gibt es nicht
    zh 没有该键

    en there is no such key; did you mean '{1}'?
    de diesen Schlüssel gibt es nicht; war '{1}' gemeint?
    zh 没有该键；是否指 '{1}'？

    en a light has a 'line' or a 'led', not both
    de eine Leuchte hat 'line' oder 'led', nicht beides
    zh 指示灯使用 'line' 或 'led'，不能两者都有

    en a light needs a 'line' or a 'led'
    de eine Leuchte braucht 'line' oder 'led'
    zh 指示灯需要 'line' 或 'led'

    en The hook {1} could not be run: {2*}
    de Der Hook {1} konnte nicht gestartet werden: {2}
    zh 无法运行钩子 {1}：{2}

    en The hook {1} ended with {2*}
    de Der Hook {1} endete mit {2}
    zh 钩子 {1} 以{2}结束

    en The hook {1} took longer than {2} and was ended
    de Der Hook {1} brauchte länger als {2} und wurde beendet
    zh 钩子 {1} 超过 {2}，已被终止

    en signal {1}
    de Signal {1}
    zh 信号 {1}

    en Too much waits for hooks; {1} is left out
    de Zu viel wartet auf Hooks; {1} wird ausgelassen
    zh 等待钩子的事件太多；忽略 {1}

    en The metrics cannot be written to {1}: {2*}
    de Die Messwerte lassen sich nicht nach {1} schreiben: {2}
    zh 无法将指标写入 {1}：{2}
    """
}
