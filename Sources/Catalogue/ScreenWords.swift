// The words of the dashboard.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let screenWords = """
    en record
    de Aufnahme
    zh 录音

    en status
    de Status
    zh 状态

    en play
    de Wiedergabe
    zh 播放

    en opening the card…
    de Karte wird geöffnet …
    zh 正在打开存储卡…

    en finishing
    de wird beendet
    zh 正在结束

    en in {1}
    de in {1}
    zh 位于 {1}

    en {1} of {2} items
    de {1} von {2} Einträgen
    zh {1}/{2} 项

    en {1} of {2} deep
    de Ebene {1} von {2}
    zh 第 {1}/{2} 层

    en {1} of {2} marked
    de {1} von {2} Marken
    zh {1}/{2} 个标记

    en {1} marked
    de {1} Marke|{1} Marken
    zh {1} 个标记

    en {1}, {2} unheard
    de {1}, {2} ungehört
    zh {1}，{2} 条未听

    en {1} unheard
    de {1} ungehört
    zh {1} 条未听

    en No sound is coming in
    de Es kommt kein Ton an
    zh 没有声音输入

    en Too loud: clipping
    de Zu laut: übersteuert
    zh 声音过大：削波

    en The card is read-only
    de Die Karte ist schreibgeschützt
    zh 存储卡为只读

    en The card is slow; nothing is lost
    de Die Karte ist langsam; nichts geht verloren
    zh 存储卡较慢；没有丢失

    en The sound device delivers no sound
    de Das Audiogerät liefert keinen Ton
    zh 音频设备没有声音

    en Locked
    de Gesperrt
    zh 已锁定

    en all is well
    de alles in Ordnung
    zh 一切正常

    en see the notices
    de siehe Meldungen
    zh 请看通知

    en Ready
    de Bereit
    zh 就绪

    en Writing the last pages
    de Die letzten Daten werden geschrieben
    zh 正在写入最后的数据

    en armed
    de aufnahmebereit
    zh 已预备

    en Playing the greeting
    de Die Ansage läuft
    zh 正在播放问候语

    en About to record
    de Die Aufnahme beginnt gleich
    zh 即将录音

    en Waiting for the sound device
    de Warten auf das Audiogerät
    zh 正在等待音频设备

    en NO SOUND {1}
    de KEIN TON {1}
    zh 没有声音 {1}

    en RECORDING {1}
    de AUFNAHME {1}
    zh 正在录音 {1}

    en sound was lost
    de Ton ging verloren
    zh 有声音丢失

    en {1} left
    de noch {1}
    zh 剩余 {1}

    en volume {1} %
    de Lautstärke {1} %
    zh 音量 {1}%

    en nothing playing
    de keine Wiedergabe
    zh 未在播放

    en {1} more below: page down
    de {1} weitere darunter: Bild ab
    zh 下面还有 {1} 行：按 Page Down

    en Nothing here yet.
    de Noch nichts hier.
    zh 这里还没有内容。

    en reading…
    de wird gelesen …
    zh 正在读取…

    en New in {1}: “{2}”
    de Neu in {1}: „{2}“
    zh {1} 中新增：“{2}”

    en goes there
    de geht dorthin
    zh 前往

    en Name of the new folder:
    de Name des neuen Ordners:
    zh 新文件夹的名称：

    en New name:
    de Neuer Name:
    zh 新名称：

    en Move “{1}” to the trash? y/n
    de „{1}“ in den Papierkorb legen? y/n
    zh 将“{1}”移到回收站？y/n

    en In the trash: r restores the one selected, y deletes all for good, n neither
    de Papierkorb: r stellt den gewählten Eintrag wieder her, y löscht alles endgültig, n \
    nichts davon
    zh 回收站：r 恢复所选项，y 永久删除全部，n 都不做

    en A recording is running. End it and quit? y/n
    de Eine Aufnahme läuft. Aufnahme und Programm beenden? y/n
    zh 正在录音。结束录音并退出？y/n

    en {1} y/n
    de {1} y/n
    zh {1} y/n

    en {1}: {2}
    de {1}: {2}
    zh {1}：{2}

    en {1}:
    de {1}:
    zh {1}：

    en {1}, {2}
    de {1}, {2}
    zh {1}，{2}

    en help
    de Hilfe
    zh 帮助

    en quit
    de beenden
    zh 退出

    en select
    de wählen
    zh 选择

    en open
    de öffnen
    zh 打开

    en mark
    de Marke
    zh 标记

    en split
    de teilen
    zh 分段

    en stop
    de Stopp
    zh 停止

    en seek
    de spulen
    zh 快进快退

    en mark before
    de Marke davor
    zh 上一标记

    en next mark
    de nächste Marke
    zh 下一标记

    en previous
    de zurück
    zh 上一条

    en next
    de weiter
    zh 下一条

    en volume
    de Lautstärke
    zh 音量

    en up
    de nach oben
    zh 上一级

    en next folder
    de nächster Ordner
    zh 下一文件夹

    en trash
    de Papierkorb
    zh 回收站

    en go to what is new elsewhere
    de zu Neuem anderswo
    zh 前往别处的新内容

    en lock
    de sperren
    zh 锁定

    en pair a browser
    de Browser koppeln
    zh 配对浏览器

    en Esc hides this
    de Esc blendet dies aus
    zh 按 Esc 隐藏

    en acknowledge notices
    de Meldungen bestätigen
    zh 确认通知

    en new folder
    de neuer Ordner
    zh 新建文件夹

    en rename
    de umbenennen
    zh 重命名

    en pause
    de Pause
    zh 暂停

    en delete
    de löschen
    zh 删除

    en undo
    de rückgängig
    zh 撤销

    en undo {1}
    de rückgängig: {1}
    zh 撤销{1}

    en move
    de verschieben
    zh 移动

    en describe
    de beschreiben
    zh 描述

    en restore
    de wiederherstellen
    zh 恢复

    en sort
    de sortieren
    zh 排序

    en {1} “{2}”
    de „{2}“ {1}
    zh {1}“{2}”

    en {1} {2} items
    de {2} Einträge {1}
    zh {1} {2} 项

    en capitals R M P F D hold a button down; any key closes this
    de Großbuchstaben R M P F D halten eine Taste gedrückt; jede Taste schließt dies
    zh 大写 R M P F D 表示按住按钮；按任意键关闭

    en search “{1}”:
    de Suche „{1}“:
    zh 搜索“{1}”：

    en silent
    de still
    zh 静音

    en CLIP
    de CLIP
    zh 削波

    en {1} s
    de {1} s
    zh {1} 秒
    """ + "\n\n" + screenWordsMore
}
