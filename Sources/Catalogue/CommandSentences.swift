// What commands answer, and why one is not understood.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let commandSentences = """
    en “{1}” is not an option of `{2}`{3*}
    de „{1}“ ist keine Option von `{2}`{3}
    zh “{1}”不是 `{2}` 的选项{3}

    en {1} stands for itself, without a value.
    de {1} steht für sich, ohne Wert.
    zh {1} 不带值。

    en {1} needs {2}; see `help {3}`.
    de {1} braucht {2}; siehe `help {3}`.
    zh {1} 需要 {2}；见 `help {3}`。

    en “{1}” is one word too many; names with blanks need quotes. Usage: {2}
    de „{1}“ ist ein Wort zu viel; Namen mit Leerzeichen brauchen Anführungszeichen. Aufruf: {2}
    zh “{1}”是多余的词；带空格的名称要加引号。用法：{2}

    en {1} is missing. Usage: {2}
    de {1} fehlt. Aufruf: {2}
    zh 缺少 {1}。用法：{2}

    en {1} is one of {2}, not “{3}”.
    de {1} ist eines von {2}, nicht „{3}“.
    zh {1} 应为 {2} 之一，而不是“{3}”。

    en {1} is a number {2*}, not “{3}”.
    de {1} ist eine Zahl {2}, nicht „{3}“.
    zh {1} 应为 {2} 的数，而不是“{3}”。

    en Say a command; `help` lists them.
    de Einen Befehl angeben; `help` zeigt alle.
    zh 请输入命令；`help` 列出全部命令。

    en “{1}” is no command: it is `trash list` or `trash empty`.
    de „{1}“ ist kein Befehl: Es heißt `trash list` oder `trash empty`.
    zh “{1}”不是命令：应为 `trash list` 或 `trash empty`。

    en “{1}” is no command{2*}
    de „{1}“ ist kein Befehl{2}
    zh “{1}”不是命令{2}

    en ; did you mean {1}?
    de ; war {1} gemeint?
    zh ；是否指 {1}？

    en ; see `help`.
    de ; siehe `help`.
    zh ；见 `help`。

    en The volume is {1} %.
    de Die Lautstärke ist {1} %.
    zh 音量为 {1}%。

    en The recording is about to begin.
    de Die Aufnahme beginnt gleich.
    zh 录音即将开始。

    en The configuration was not read in time; the one before stays in use.
    de Die Konfiguration wurde nicht rechtzeitig gelesen; die vorige gilt weiter.
    zh 未能及时读取配置；继续使用之前的配置。

    en The greeting is playing; the recording follows it.
    de Die Ansage läuft; danach folgt die Aufnahme.
    zh 正在播放问候语；随后开始录音。

    en The recording waits for the sound device.
    de Die Aufnahme wartet auf das Audiogerät.
    zh 录音正在等待音频设备。

    en The recording did not begin.
    de Die Aufnahme hat nicht begonnen.
    zh 录音没有开始。

    en Nothing was recorded.
    de Es wurde nichts aufgenommen.
    zh 没有录下任何内容。

    en The recording could not be saved.
    de Die Aufnahme konnte nicht gesichert werden.
    zh 录音无法保存。

    en The new configuration is in use.
    de Die neue Konfiguration gilt.
    zh 新配置已生效。

    en “{1}” does not work here.
    de „{1}“ geht hier nicht.
    zh “{1}”在此不可用。

    en An item or --older-than, not both; see `help trash empty`.
    de Ein Eintrag oder --older-than, nicht beides; siehe `help trash empty`.
    zh 指定项目或 --older-than，不能同时使用；见 `help trash empty`。

    en “{1}” is for reelctl itself.
    de „{1}“ ist für reelctl selbst.
    zh “{1}”只用于 reelctl。

    en There is a folder “{1}” in {2} already.
    de Den Ordner „{1}“ gibt es in {2} schon.
    zh {2} 中已有文件夹“{1}”。

    en Move {1*} to the trash?
    de {1} in den Papierkorb legen?
    zh 将{1}移到回收站？

    en Move {1*} with {2} recordings to the trash?
    de {1} mit {2} Aufnahmen in den Papierkorb legen?
    zh 将{1}（含 {2} 条录音）移到回收站？

    en these {1} items
    de Diese {1} Einträge
    zh 这 {1} 项

    en “{1}”
    de „{1}“
    zh “{1}”

    en Delete {1*} for good? This cannot be undone.
    de {1} endgültig löschen? Das lässt sich nicht rückgängig machen.
    zh 永久删除{1}？此操作无法撤销。

    en what has been in the trash for {1} days
    de Alles, was seit {1} Tagen im Papierkorb liegt,
    zh 在回收站中已满 {1} 天的内容

    en everything in the trash ({1})
    de Alles im Papierkorb ({1})
    zh 回收站中的全部内容（{1}）

    en The trash is empty.
    de Der Papierkorb ist leer.
    zh 回收站已清空。

    en Deleted for good.
    de Endgültig gelöscht.
    zh 已永久删除。

    en Say the file from the root of the recorder's own computer on: /media/usb/kitchen.wav
    de Die Datei mit vollem Pfad auf dem Rekorder angeben: /media/usb/kitchen.wav
    zh 请给出录音机上文件的完整路径：/media/usb/kitchen.wav

    en Several recordings need a directory, with a / at its end.
    de Mehrere Aufnahmen brauchen ein Verzeichnis, mit / am Ende.
    zh 多条录音需要一个以 / 结尾的目录。

    en (The recorder opens it itself here: it reaches what its service and its user may, and \
    no home. reelctl opens files for it.)
    de (Der Rekorder öffnet sie hier selbst: Er erreicht, was sein Dienst und sein Benutzer \
    dürfen, und kein Home-Verzeichnis. reelctl öffnet Dateien für ihn.)
    zh （此处由录音机自己打开文件：只能访问其服务和用户有权访问的位置，不含主目录。reelctl 会代为打开文件。）

    en One recording goes into one file that is passed.
    de Eine Aufnahme kommt in genau eine übergebene Datei.
    zh 一条录音只能写入一个传入的文件。

    en The file's ending does not say what to write; give --format, or end it in .wav, .flac, \
    .mp3 or .opus.
    de Die Endung der Datei bestimmt kein Format; --format angeben oder .wav, .flac, .mp3 \
    oder .opus verwenden.
    zh 无法从扩展名判断格式；请给出 --format，或使用 .wav、.flac、.mp3、.opus。

    en For each file that is named, one is passed.
    de Zu jeder genannten Datei gehört eine übergebene.
    zh 每个列出的文件都要传入一个。

    en Say the file from the root of the recorder's own computer on, for example /media/usb/{1}.
    de Die Datei mit vollem Pfad auf dem Rekorder angeben, zum Beispiel /media/usb/{1}.
    zh 请给出录音机上文件的完整路径，例如 /media/usb/{1}。

    en A computer has the card.
    de Ein Computer hat die Karte.
    zh 存储卡在电脑上。

    en The recorder has the card.
    de Der Rekorder hat die Karte.
    zh 存储卡在录音机上。

    en The card may be used by a computer now.
    de Ein Computer kann die Karte jetzt benutzen.
    zh 现在电脑可以使用存储卡。

    en The card is taken back.
    de Die Karte wird zurückgeholt.
    zh 正在收回存储卡。

    en This appliance cannot do that.
    de Dieses Gerät kann das nicht.
    zh 此设备不支持该操作。

    en This folder cannot be read: {1*}
    de Dieser Ordner ist nicht lesbar: {1}
    zh 无法读取此文件夹：{1}

    en The card failed: {1*}
    de Die Karte ist ausgefallen: {1}
    zh 存储卡故障：{1}

    en No microphone
    de Kein Mikrofon
    zh 没有麦克风

    en “{1}” is no time; say 1:02:03, or 90 for seconds, or +10 or -10.
    de „{1}“ ist keine Zeit; möglich sind 1:02:03, 90 für Sekunden, +10 oder -10.
    zh “{1}”不是时间；可写 1:02:03、90（秒）、+10 或 -10。

    en Say from the beginning, for example 1:02:03.
    de Die Zeit vom Anfang an angeben, zum Beispiel 1:02:03.
    zh 请给出从开头算起的时间，例如 1:02:03。

    en “{1}” is no volume; say 0 to 100, or +5 or -5.
    de „{1}“ ist keine Lautstärke; möglich sind 0 bis 100, +5 oder -5.
    zh “{1}”不是音量；可写 0 到 100、+5 或 -5。

    en “{1}” is a folder, not a recording.
    de „{1}“ ist ein Ordner, keine Aufnahme.
    zh “{1}”是文件夹，不是录音。

    en “{1}” is a recording, not a folder.
    de „{1}“ ist eine Aufnahme, kein Ordner.
    zh “{1}”是录音，不是文件夹。

    en The folder “{1}” cannot be read: {2*}
    de Der Ordner „{1}“ ist nicht lesbar: {2}
    zh 无法读取文件夹“{1}”：{2}

    en There is no “{1}” in {2}.
    de In {2} gibt es kein „{1}“.
    zh {2} 中没有“{1}”。

    en There is no “{1}” in {2}; did you mean {3}?
    de In {2} gibt es kein „{1}“; war {3} gemeint?
    zh {2} 中没有“{1}”；是否指 {3}？

    en “{1}” may be {2}; say its number.
    de „{1}“ kann {2} sein; die Nummer angeben.
    zh “{1}”可能是 {2}；请给出编号。

    en A quote was opened and not closed.
    de Ein Anführungszeichen wurde geöffnet und nicht geschlossen.
    zh 引号没有闭合。

    en The card did not read that folder in time; try again in a moment.
    de Die Karte hat den Ordner nicht rechtzeitig gelesen; gleich noch einmal versuchen.
    zh 存储卡未能及时读取该文件夹；请稍后再试。

    en {1} done, then: {2*}
    de {1} erledigt, dann: {2}
    zh 已完成 {1} 项，然后：{2}

    en Undone: {1*}.
    de Rückgängig gemacht: {1}.
    zh 已撤销：{1}。

    en Nothing found.
    de Nichts gefunden.
    zh 没有找到。

    en {1} found.
    de {1} gefunden.
    zh 找到 {1} 项。

    en Stopped.
    de Abgebrochen.
    zh 已中止。

    en “{1}”, in {2}.
    de „{1}“, in {2}.
    zh “{1}”，位于 {2}。

    en Moved
    de Verschoben
    zh 已移动

    en Renamed to
    de Umbenannt in
    zh 已重命名为

    en Restored
    de Wiederhergestellt
    zh 已恢复

    en Sorted
    de Sortiert
    zh 已排序

    en Marked as heard
    de Als gehört markiert
    zh 已标为已听

    en Marked as not heard
    de Als ungehört markiert
    zh 已标为未听

    en Made the folder
    de Ordner angelegt
    zh 已新建文件夹

    en Named the mark in
    de Marke benannt in
    zh 已命名标记，位于

    en Added a mark to
    de Marke gesetzt in
    zh 已添加标记，位于

    en Removed the mark from
    de Marke entfernt aus
    zh 已移除标记，位于

    en Moved the mark in
    de Marke verschoben in
    zh 已移动标记，位于

    en Deleted
    de Gelöscht
    zh 已删除

    en Imported
    de Importiert
    zh 已导入

    en Marked
    de Markiert
    zh 已标记

    en Paused
    de Angehalten
    zh 已暂停

    en Moved within
    de Gespult in
    zh 已跳转，位于
    """ + "\n\n" + commandSentencesMore
}
