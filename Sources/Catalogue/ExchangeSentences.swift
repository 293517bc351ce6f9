// Why a file was not exported or imported, and what the joining of parts says.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let exchangeSentences = """
    en the report cannot be written as JSON: {1}
    de der Bericht lässt sich nicht als JSON schreiben: {1}
    zh 无法将报告写成 JSON：{1}

    en It holds 1 recording.
    de Er enthält 1 Aufnahme.
    zh 其中有 1 条录音。

    en It holds {1#} recordings.
    de Er enthält {1} Aufnahme.|Er enthält {1} Aufnahmen.
    zh 其中有 {1} 条录音。

    en It holds 1 sound file.
    de Es enthält 1 Audiodatei.
    zh 其中有 1 个声音文件。

    en It holds {1#} sound files.
    de Es enthält {1} Audiodatei.|Es enthält {1} Audiodateien.
    zh 其中有 {1} 个声音文件。

    en {1} is there already, and is no file with something in it
    de {1} gibt es schon, und es ist keine Datei mit Inhalt
    zh {1} 已存在，且不是有内容的文件

    en it is still being recorded
    de sie wird noch aufgenommen
    zh 仍在录音

    en there is no room left in {1}; the same command goes on when there is
    de in {1} ist kein Platz mehr; derselbe Befehl macht weiter, sobald wieder Platz ist
    zh {1} 中没有剩余空间；有空间后，用同一命令继续

    en cannot make the directory {1}: {2*}
    de das Verzeichnis {1} kann nicht angelegt werden: {2}
    zh 无法创建目录 {1}：{2}

    en “{1}” is a recording, not a folder
    de „{1}“ ist eine Aufnahme, kein Ordner
    zh “{1}”是录音，不是文件夹

    en the recorder does not say which folder it is in
    de der Rekorder sagt nicht, in welchem Ordner er ist
    zh 录音机没有说明它在哪个文件夹

    en the recorder made no folder “{1}”
    de der Rekorder hat keinen Ordner „{1}“ angelegt
    zh 录音机没有创建文件夹“{1}”

    en the recorder does not say what “{1}” is
    de der Rekorder sagt nicht, was „{1}“ ist
    zh 录音机没有说明“{1}”是什么

    en its name is not UTF-8
    de der Name ist kein UTF-8
    zh 名称不是 UTF-8

    en it is hidden
    de es ist versteckt
    zh 它是隐藏的

    en it is a link
    de es ist ein Link
    zh 它是链接

    en its ending is none of a sound file
    de die Endung ist nicht die einer Audiodatei
    zh 扩展名不属于声音文件

    en it is no file
    de es ist keine Datei
    zh 它不是文件

    en --svg draws one recording; “{1}” is a folder
    de --svg zeichnet eine Aufnahme; „{1}“ ist ein Ordner
    zh --svg 只绘制一条录音；“{1}”是文件夹

    en {1} cannot be drawn: {2*}
    de {1} kann nicht gezeichnet werden: {2}
    zh 无法绘制 {1}：{2}

    en Joined {1*} into {2}.
    de {1} zu {2} verbunden.
    zh 已将{1}合并为 {2}。

    en Joined {1*} into {2}, without encoding again.
    de {1} zu {2} verbunden, ohne neu zu kodieren.
    zh 已将{1}合并为 {2}，未重新编码。

    en Joined {1*} into {2}; the recorder began anew before part {3}.
    de {1} zu {2} verbunden; vor Teil {3} hat der Rekorder neu begonnen.
    zh 已将{1}合并为 {2}；录音机在第 {3} 段前重新开始。

    en Joined {1*} into {2}; the recorder began anew before part {3}; Opus was encoded again.
    de {1} zu {2} verbunden; vor Teil {3} hat der Rekorder neu begonnen; Opus wurde neu kodiert.
    zh 已将{1}合并为 {2}；录音机在第 {3} 段前重新开始；Opus 已重新编码。

    en the only part
    de Den einzigen Teil
    zh 唯一的分段

    en {1#} parts
    de {1} Teil|{1} Teile
    zh {1} 个分段

    en “{1}” is gone.
    de „{1}“ ist nicht mehr da.
    zh “{1}”已不存在。

    en The part before “{1}” was deleted: name the parts that are to be joined.
    de Der Teil vor „{1}“ wurde gelöscht: die Teile nennen, die verbunden werden sollen.
    zh “{1}”之前的分段已删除：请指定要合并的分段。

    en The part after “{1}” was deleted: name the parts that are to be joined.
    de Der Teil nach „{1}“ wurde gelöscht: die Teile nennen, die verbunden werden sollen.
    zh “{1}”之后的分段已删除：请指定要合并的分段。

    en {1} is neither Opus in mono or stereo nor a FLAC take.
    de {1} ist weder Opus in Mono oder Stereo noch eine FLAC-Aufnahme.
    zh {1} 既不是单声道或立体声 Opus，也不是 FLAC 录音。

    en Part {1#} has another format than the first: the parts cannot be one file.
    de Teil {1#} hat ein anderes Format als der erste: Die Teile können nicht eine Datei werden.
    zh 第 {1#} 部分的格式与第一部分不同：无法合并为一个文件。

    en {1} is not whole; `verify` says what is wrong.
    de {1} ist nicht vollständig; `verify` sagt, was nicht stimmt.
    zh {1} 不完整；`verify` 说明问题所在。

    en The track “{1}” is not whole; `verify` says what is wrong, and --track exports the others.
    de Die Spur „{1}“ ist nicht vollständig; `verify` sagt, was nicht stimmt, und --track \
    exportiert die anderen.
    zh 音轨“{1}”不完整；`verify` 说明问题所在，用 --track 可导出其他音轨。

    en Part {1#} has another number of channels than the first: the parts cannot be one file.
    de Teil {1} hat eine andere Zahl von Kanälen als der erste: Die Teile können nicht eine Datei \
    sein.
    zh 第 {1} 段的声道数与第一段不同：这些分段不能成为一个文件。
    """
}
