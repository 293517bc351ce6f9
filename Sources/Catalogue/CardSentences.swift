// What the card and its files report.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let cardSentences = """
    en {1} cannot be opened
    de {1} kann nicht geöffnet werden
    zh 无法打开 {1}

    en {1} cannot be read
    de {1} ist nicht lesbar
    zh 无法读取 {1}

    en {1} cannot be made
    de {1} kann nicht angelegt werden
    zh 无法创建 {1}

    en {1} cannot be examined
    de {1} kann nicht untersucht werden
    zh 无法检查 {1}

    en {1} cannot be removed
    de {1} kann nicht entfernt werden
    zh 无法删除 {1}

    en {1} cannot be reached
    de {1} ist nicht erreichbar
    zh 无法到达 {1}

    en {1} cannot be renamed to {2}
    de {1} kann nicht in {2} umbenannt werden
    zh 无法将 {1} 重命名为 {2}

    en {1} cannot be written: {2*}
    de {1} ist nicht beschreibbar: {2}
    zh 无法写入 {1}：{2}

    en {1} cannot be read: {2*}
    de {1} ist nicht lesbar: {2}
    zh 无法读取 {1}：{2}

    en The folder {1} cannot be made
    de Der Ordner {1} kann nicht angelegt werden
    zh 无法创建文件夹 {1}

    en The folder {1} cannot be removed
    de Der Ordner {1} kann nicht entfernt werden
    zh 无法删除文件夹 {1}

    en The folder {1} cannot be written
    de Der Ordner {1} ist nicht beschreibbar
    zh 无法写入文件夹 {1}

    en The folder {1} cannot be read
    de Der Ordner {1} ist nicht lesbar
    zh 无法读取文件夹 {1}

    en The folder {1} cannot be opened
    de Der Ordner {1} kann nicht geöffnet werden
    zh 无法打开文件夹 {1}

    en The card's free space cannot be told
    de Der freie Platz der Karte lässt sich nicht ermitteln
    zh 无法得知存储卡的可用空间

    en This cannot be renamed to “{1}”
    de Dies kann nicht in „{1}“ umbenannt werden
    zh 无法重命名为“{1}”

    en the system gave no reason
    de das System nannte keinen Grund
    zh 系统没有给出原因

    en the disk is full
    de der Datenträger ist voll
    zh 磁盘已满

    en the quota on this disk is used up
    de das Kontingent auf diesem Datenträger ist erschöpft
    zh 此磁盘的配额已用完

    en the file is larger than this disk can hold
    de die Datei ist größer, als dieser Datenträger fassen kann
    zh 文件超过此磁盘的容量限制

    en permission is missing
    de die Berechtigung fehlt
    zh 没有权限

    en the disk is read-only
    de der Datenträger ist schreibgeschützt
    zh 磁盘为只读

    en it is a folder
    de es ist ein Ordner
    zh 它是文件夹

    en the disk failed to read or write (I/O error)
    de der Datenträger versagte beim Lesen oder Schreiben (E/A-Fehler)
    zh 磁盘读写失败（I/O 错误）

    en “{1}” is no path on a card
    de „{1}“ ist kein Pfad auf einer Karte
    zh “{1}”不是存储卡上的路径

    en {1} is much too long for an index; move it elsewhere.
    de {1} ist viel zu lang für einen Index; anderswohin verschieben.
    zh {1} 作为索引过长；请移到别处。

    en {1} was written by a newer version of Reel; update this one to use it.
    de {1} wurde von einer neueren Version von Reel geschrieben; zur Benutzung diese \
    aktualisieren.
    zh {1} 由更新版本的 Reel 写入；请更新此版本后使用。

    en This card
    de Diese Karte
    zh 此存储卡

    en The folder {1}
    de Der Ordner {1}
    zh 文件夹 {1}

    en 1 recording checked
    de 1 Aufnahme geprüft
    zh 已检查 1 条录音

    en {1} recordings checked
    de {1} Aufnahmen geprüft
    zh 已检查 {1} 条录音

    en {1*}: everything is as it should be.
    de {1}: Alles ist, wie es sein soll.
    zh {1}：一切正常。

    en There is no room for a copy of {1}
    de Für eine Kopie von {1} ist kein Platz
    zh 没有空间复制 {1}

    en “{1}” can only be moved as a copy, and the card has no room for one: throw away \
    recordings one by one and empty the trash, then try again.
    de „{1}“ lässt sich nur als Kopie verschieben, und dafür hat die Karte keinen Platz: \
    Aufnahmen einzeln löschen, den Papierkorb leeren, dann noch einmal versuchen.
    zh “{1}”只能以复制方式移动，而存储卡空间不足：请逐条删除录音并清空回收站，然后重试。

    en “{1}” is being moved; wait for the end of that.
    de „{1}“ wird gerade verschoben; das Ende abwarten.
    zh 正在移动“{1}”；请等待完成。

    en A recording is being made in “{1}”; move it when that is over.
    de In „{1}“ läuft eine Aufnahme; erst danach verschieben.
    zh “{1}”中正在录音；请在结束后移动。

    en Exported to {1}.
    de Exportiert nach {1}.
    zh 已导出到 {1}。

    en Exported {1#} tracks to {2}.
    de {1} Spur nach {2} exportiert.|{1} Spuren nach {2} exportiert.
    zh 已将 {1} 条音轨导出到 {2}。

    en {1} is not open any more: the program that passed it has ended.
    de {1} ist nicht mehr offen: Das übergebende Programm ist weg.
    zh {1} 已不再打开：传入它的程序已退出。

    en “{1}” is no format to export to; there are wav, wav24, wavfloat, flac, flac24, mp3 and \
    opus.
    de „{1}“ ist kein Exportformat; es gibt wav, wav24, wavfloat, flac, flac24, mp3 und opus.
    zh “{1}”不是导出格式；可用 wav、wav24、wavfloat、flac、flac24、mp3 和 opus。

    en “{1}” is no format to import to; there are opus and flac.
    de „{1}“ ist kein Importformat; es gibt opus und flac.
    zh “{1}”不是导入格式；可用 opus 和 flac。

    en This card can only be recorded on and played from.
    de Diese Karte kann nur aufnehmen und wiedergeben.
    zh 此存储卡只能录音和播放。

    en The folder {1} is gone from the card.
    de Der Ordner {1} ist von der Karte verschwunden.
    zh 文件夹 {1} 已从存储卡消失。

    en There are too many items of that name here; choose another.
    de Hier gibt es zu viele Einträge dieses Namens; einen anderen wählen.
    zh 这里同名的项目太多；请换一个名称。

    en “{1}” was not deleted: {2} is not what the folder's index says. It was left where it is.
    de „{1}“ wurde nicht gelöscht: {2} ist nicht, was der Index des Ordners sagt. Es bleibt, \
    wo es ist.
    zh “{1}”未删除：{2} 与文件夹索引不符。已保留原处。

    en The index of “{1}” is damaged.
    de Der Index von „{1}“ ist beschädigt.
    zh “{1}”的索引已损坏。

    en “{1}” has no file.
    de „{1}“ hat keine Datei.
    zh “{1}”没有文件。

    en “{1}” is {2} bytes long instead of {3}.
    de „{1}“ ist {2} Byte lang statt {3}.
    zh “{1}”长 {2} 字节，应为 {3}。

    en The sound of “{1}” is not what was recorded.
    de Der Ton von „{1}“ ist nicht der aufgenommene.
    zh “{1}”的声音与录制的不一致。

    en The sound of “{1}” has changed since it was recorded: replace its file by a copy, if \
    there is one, and check the card.
    de Der Ton von „{1}“ hat sich seit der Aufnahme verändert: die Datei durch eine Kopie \
    ersetzen, falls es eine gibt, und die Karte prüfen.
    zh “{1}”的声音自录制以来已改变：如有副本，请用其替换该文件，并检查存储卡。

    en The sound of “{1}” is as it was recorded, but its header has another sum.
    de Der Ton von „{1}“ ist der aufgenommene, aber ihr Kopf enthält eine andere Summe.
    zh “{1}”的声音与录制时一致，但文件头中的校验和不符。

    en files that had no hash of their sound, and have one now: {1}
    de Dateien, die keinen Hash ihres Tons hatten und jetzt einen haben: {1}
    zh 原先没有声音哈希值、现已补上的文件数：{1}

    en “{1}” has no track “{2}”; there is: {3}.
    de „{1}“ hat keine Spur „{2}“; es gibt: {3}.
    zh “{1}”没有音轨“{2}”；有：{3}。

    en The file of the track “{1}” of “{2}” is gone.
    de Die Datei der Spur „{1}“ von „{2}“ fehlt.
    zh “{2}”的音轨“{1}”的文件已丢失。

    en “{1}” is not whole.
    de „{1}“ ist nicht vollständig.
    zh “{1}”不完整。

    en “{1}” cannot be checked: {2*}
    de „{1}“ kann nicht geprüft werden: {2}
    zh 无法检查“{1}”：{2}

    en “{1}” has another length than it had.
    de „{1}“ hat eine andere Länge als zuvor.
    zh “{1}”的长度与之前不同。

    en “{1}” lacks {2} of sound.
    de „{1}“ fehlen {2} Ton.
    zh “{1}”缺少 {2} 的声音。

    en “{1}” has {2} bytes in it that are no sound.
    de „{1}“ enthält {2} Byte, die kein Ton sind.
    zh “{1}”含有 {2} 字节非声音数据。

    en {1} is neither a file nor a folder.
    de {1} ist weder Datei noch Ordner.
    zh {1} 既不是文件也不是文件夹。

    en {1} has a name that is no text; give it another.
    de {1} hat einen Namen, der kein Text ist; umbenennen.
    zh {1} 的名称不是文本；请改名。

    en {1*}, {2*}; the first {3} are listed.
    de {1}, {2}; die ersten {3} sind aufgeführt.
    zh {1}，{2}；列出前 {3} 个。

    en 1 fault found
    de 1 Fehler gefunden
    zh 发现 1 个问题

    en {1} faults found
    de {1} Fehler gefunden
    zh 发现 {1} 个问题
    """
}
