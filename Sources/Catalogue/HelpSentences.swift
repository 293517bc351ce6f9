// What commands do, as `help` tells it.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let helpSentences = """
    en What is going on
    de Was gerade geschieht
    zh 当前情况

    en Folders and recordings
    de Ordner und Aufnahmen
    zh 文件夹和录音

    en Files and long work
    de Dateien und lange Arbeiten
    zh 文件和长时间任务

    en The appliance
    de Das Gerät
    zh 设备

    en Playing
    de Wiedergabe
    zh 播放

    en Folders
    de Ordner
    zh 文件夹

    en About
    de Über Reel
    zh 关于

    en show what the appliance is doing
    de zeigen, was das Gerät tut
    zh 显示设备正在做什么

    en One line first; then the take, the player, the card, the microphone and the notices.
    de Zuerst eine Zeile; dann die laufende Aufnahme, die Wiedergabe, die Karte, das Mikrofon \
    und die Meldungen.
    zh 先是一行概要；然后是当前录音、播放器、存储卡、麦克风和通知。

    en show what happens, as it happens
    de fortlaufend zeigen, was geschieht
    zh 实时显示发生的事情

    en also those that were seen
    de auch die schon gesehenen
    zh 也包括已看过的

    en list what happened meanwhile
    de auflisten, was inzwischen geschehen ist
    zh 列出期间发生的事情

    en `acknowledge` marks them as seen and turns the light off.
    de `acknowledge` markiert sie als gesehen und schaltet die Leuchte aus.
    zh `acknowledge` 将其标为已看并关闭指示灯。

    en mark all notices as seen
    de alle Meldungen als gesehen markieren
    zh 将所有通知标为已看

    en record into this folder
    de in diesen Ordner aufnehmen
    zh 录入此文件夹

    en begin a recording
    de eine Aufnahme beginnen
    zh 开始录音

    en end the recording
    de die Aufnahme beenden
    zh 结束录音

    en Waits until the last page is on the card and the recording can be played.
    de Wartet, bis alles auf der Karte ist und die Aufnahme wiedergegeben werden kann.
    zh 等到最后的数据写入存储卡、录音可以播放为止。

    en mark this moment of the recording, or of what is playing
    de diese Stelle der Aufnahme oder der Wiedergabe markieren
    zh 在录音或播放的当前位置加标记

    en name a mark
    de eine Marke benennen
    zh 命名标记

    en `info` numbers the marks. Without a name the mark loses its own.
    de `info` nummeriert die Marken. Ohne Namen verliert die Marke ihren.
    zh `info` 给出标记的编号。不写名称则去掉标记的名称。

    en add a mark at a position
    de eine Marke an eine Stelle setzen
    zh 在某个位置添加标记

    en at this frame, exactly
    de genau bei diesem Frame
    zh 精确到这一帧

    en 1:02:03 or 90 (seconds).
    de 1:02:03 oder 90 (Sekunden).
    zh 1:02:03 或 90（秒）。

    en move a mark to another position
    de eine Marke an eine andere Stelle verschieben
    zh 将标记移到另一位置

    en 1:02:03 or 90 (seconds); +10 and -10 move it by seconds.
    de 1:02:03 oder 90 (Sekunden); +10 und -10 verschieben sie um Sekunden.
    zh 1:02:03 或 90（秒）；+10 和 -10 按秒移动。

    en remove a mark
    de eine Marke entfernen
    zh 移除标记

    en continue in a new recording
    de in einer neuen Aufnahme fortfahren
    zh 在新的录音中继续

    en No frame between the two is lost or repeated.
    de Zwischen beiden geht kein Frame verloren, und keiner kommt doppelt.
    zh 两段之间不丢失也不重复任何一帧。

    en begin there
    de dort beginnen
    zh 从该处开始

    en play a recording
    de eine Aufnahme wiedergeben
    zh 播放录音

    en Without an item: the selected one, else the oldest unheard one here and those after \
    it, else the newest.
    de Ohne Angabe: die gewählte, sonst die älteste ungehörte hier und die folgenden, sonst \
    die neueste.
    zh 不指定时：播放选中的；否则播放这里最早的未听录音及其后的；再否则播放最新的。

    en pause the player
    de die Wiedergabe anhalten
    zh 暂停播放

    en continue after a pause
    de nach einer Pause fortfahren
    zh 暂停后继续

    en go to another position
    de an eine andere Stelle gehen
    zh 跳到另一位置

    en 1:02:03 or 90 (seconds) is a position; +10 and -10 skip seconds forward and back.
    de 1:02:03 oder 90 (Sekunden) ist eine Stelle; +10 und -10 springen um Sekunden vor und \
    zurück.
    zh 1:02:03 或 90（秒）是位置；+10 和 -10 表示向前、向后跳过的秒数。

    en play the next recording of the folder
    de die nächste Aufnahme des Ordners wiedergeben
    zh 播放文件夹中的下一条录音

    en play from the beginning, or the previous recording
    de von vorn wiedergeben, oder die vorige Aufnahme
    zh 从头播放，或播放上一条录音

    en go to the next mark of what is playing
    de zur nächsten Marke der Wiedergabe gehen
    zh 转到播放内容的下一标记

    en go to the mark before, or to the beginning
    de zur Marke davor gehen, oder zum Anfang
    zh 转到上一标记或开头

    en Up to a second after a mark, the one before it is meant.
    de Bis eine Sekunde nach einer Marke ist die davor gemeint.
    zh 在标记之后一秒内，指的是它前面的标记。

    en set the volume
    de die Lautstärke einstellen
    zh 设置音量

    en 80 sets it; +5 and -5 make it louder and softer. Without a number it is shown.
    de 80 stellt sie ein; +5 und -5 machen lauter und leiser. Ohne Zahl wird sie gezeigt.
    zh 80 为设定值；+5 和 -5 增大或减小音量。不写数值则显示音量。

    en sort by title
    de nach Titel sortieren
    zh 按标题排序

    en sort by date
    de nach Datum sortieren
    zh 按日期排序

    en sort by length, the shortest first
    de nach Länge sortieren, die kürzeste zuerst
    zh 按长度排序，最短的在前

    en only unheard recordings
    de nur ungehörte Aufnahmen
    zh 只显示未听的录音

    en skip the first N
    de die ersten N überspringen
    zh 跳过前 N 项

    en show at most N
    de höchstens N zeigen
    zh 最多显示 N 项

    en list a folder
    de einen Ordner auflisten
    zh 列出文件夹

    en also move the panel there
    de auch das Bedienfeld dorthin setzen
    zh 面板也转到那里

    en go to a folder
    de in einen Ordner gehen
    zh 进入文件夹

    en Without one, to the root. The buttons of the panel record and play in the panel's \
    folder; `reelctl` always moves the panel, because its own place ends with the command.
    de Ohne Angabe in den obersten. Die Tasten des Bedienfelds nehmen im Ordner des \
    Bedienfelds auf und geben dort wieder; `reelctl` versetzt immer das Bedienfeld, weil sein \
    eigener Ort mit dem Befehl endet.
    zh 不指定则进入根文件夹。面板按钮在面板所在文件夹录音和播放；`reelctl` 总是移动面板，因为它自己的位置随命令结束。

    en show which folder this is
    de zeigen, welcher Ordner dies ist
    zh 显示当前文件夹

    en make a folder
    de einen Ordner anlegen
    zh 新建文件夹

    en sort a folder
    de einen Ordner sortieren
    zh 给文件夹排序

    en By hand is the order that `mv --at` makes.
    de Von Hand (hand) ist die Reihenfolge, die `mv --at` herstellt.
    zh 手动（hand）指由 `mv --at` 形成的顺序。

    en show everything about a folder or a recording
    de alles über einen Ordner oder eine Aufnahme zeigen
    zh 显示文件夹或录音的全部信息

    en For a recording also its notes, place and speaker, its gaps, clipping and loudness, \
    and how it ended.
    de Zu einer Aufnahme auch Notizen, Ort und Sprecher, Lücken, Übersteuerung und Lautheit, \
    und wie sie endete.
    zh 对录音还显示备注、地点、讲话人、缺口、削波、响度以及结束方式。

    en to this position
    de an diese Stelle
    zh 移到此位置

    en move items into another folder
    de Einträge in einen anderen Ordner verschieben
    zh 将项目移到另一文件夹

    en rename a folder or a recording
    de einen Ordner oder eine Aufnahme umbenennen
    zh 重命名文件夹或录音

    en The file on the card is renamed with it.
    de Die Datei auf der Karte wird mit umbenannt.
    zh 存储卡上的文件随之改名。

    en write notes about a recording
    de Notizen zu einer Aufnahme schreiben
    zh 为录音写备注

    en They replace those it had, and may have several lines, up to 4,000 bytes. An empty \
    text, "", removes them.
    de Sie ersetzen die vorigen und können mehrere Zeilen haben, bis 4.000 Byte. Ein leerer \
    Text, "", entfernt sie.
    zh 它替换原有备注，可有多行，最多 4,000 字节。空文本 "" 表示删除。

    en say where a recording was made
    de angeben, wo eine Aufnahme entstand
    zh 注明录音地点

    en At most 200 bytes; an empty name removes it.
    de Höchstens 200 Byte; ein leerer Name entfernt ihn.
    zh 最多 200 字节；空名称表示删除。

    en say who speaks in a recording
    de angeben, wer in einer Aufnahme spricht
    zh 注明录音中的讲话人

    en move items to the trash
    de Einträge in den Papierkorb legen
    zh 将项目移到回收站

    en `restore` moves them back.
    de `restore` holt sie zurück.
    zh `restore` 将其恢复。

    en move items back from the trash
    de Einträge aus dem Papierkorb zurückholen
    zh 从回收站恢复项目

    en list the trash
    de den Papierkorb auflisten
    zh 列出回收站

    en only if deleted so long ago
    de nur, wenn vor so langer Zeit gelöscht
    zh 仅删除时间已满这么久的

    en delete everything in the trash for good
    de alles im Papierkorb endgültig löschen
    zh 永久删除回收站中的全部内容

    en With an item, only that. It cannot be undone.
    de Mit einem Eintrag nur diesen. Das lässt sich nicht rückgängig machen.
    zh 指定项目则只删除该项。此操作无法撤销。

    en find folders and recordings by name
    de Ordner und Aufnahmen nach Namen suchen
    zh 按名称查找文件夹和录音

    en mark as not heard
    de als ungehört markieren
    zh 标为未听

    en mark recordings as heard
    de Aufnahmen als gehört markieren
    zh 将录音标为已听

    en list what can be undone, the newest first
    de auflisten, was rückgängig zu machen ist, das Neueste zuerst
    zh 列出可撤销的操作，最新的在前

    en undo the newest change
    de die neueste Änderung rückgängig machen
    zh 撤销最近的更改

    en The last ten changes can be undone: moved, renamed, deleted, restored, sorted, marks, \
    and texts about recordings. A restart forgets them.
    de Die letzten zehn Änderungen lassen sich rückgängig machen: Verschieben, Umbenennen, \
    Löschen, Wiederherstellen, Sortieren, Marken und Texte zu Aufnahmen. Ein Neustart \
    vergisst sie.
    zh 可撤销最近十次更改：移动、重命名、删除、恢复、排序、标记和录音的文字。重启后即忘记。

    en which format to write
    de das Format der Ausgabe
    zh 输出的格式
    """ + "\n\n" + helpSentencesMore
}
