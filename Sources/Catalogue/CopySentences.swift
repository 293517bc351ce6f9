// What is said about copies elsewhere.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let copyWords = """
    en every recording has a copy elsewhere
    de jede Aufnahme hat anderswo eine Kopie
    zh 每个录音在别处都有副本

    en {1} only here
    de {1} nur hier
    zh {1} 个仅在此处

    en {1}: reel-link is not running
    de {1}: reel-link läuft nicht
    zh {1}：reel-link 未运行

    en {1}: sending, {2} to go
    de {1}: sendet, {2} stehen aus
    zh {1}：正在发送，还有 {2} 个

    en {1}: failed, {2} to go
    de {1}: fehlgeschlagen, {2} stehen aus
    zh {1}：失败，还有 {2} 个

    en {1}: well
    de {1}: in Ordnung
    zh {1}：正常

    en {1}: {2} to go
    de {1}: {2} stehen aus
    zh {1}：还有 {2} 个

    en {1}: compared {2}, {3}
    de {1}: verglichen {2}, {3}
    zh {1}：已核对 {2}，{3}

    en {1}: compared {2}, {3}. {4}
    de {1}: verglichen {2}, {3}. {4}
    zh {1}：已核对 {2}，{3}。{4}

    en {1}: not yet
    de {1}: noch nicht
    zh {1}：尚未

    en {1}: being sent
    de {1}: wird gesendet
    zh {1}：正在发送

    en {1}: sent, not compared yet
    de {1}: gesendet, noch nicht verglichen
    zh {1}：已发送，尚未核对

    en {1}: failed. {2} Next try {3}
    de {1}: fehlgeschlagen. {2} Nächster Versuch {3}
    zh {1}：失败。{2} 下次尝试 {3}

    en {1}: failed. {2}
    de {1}: fehlgeschlagen. {2}
    zh {1}：失败。{2}

    en There are more; go on with --after {1}
    de Es gibt weitere; weiter mit --after {1}
    zh 还有更多；用 --after {1} 继续

    en copies
    de Kopien
    zh 副本

    en copy
    de Kopie
    zh 副本
    """

  static let copySentences = """
    en The file was closed before it was passed.
    de Die Datei wurde geschlossen, bevor sie übergeben war.
    zh 文件在传递之前已关闭。

    en {1} cannot be passed
    de {1} kann nicht übergeben werden
    zh {1} 无法传递

    en A copy's target and its names must be short texts.
    de Das Ziel einer Kopie und ihre Namen müssen kurze Texte sein.
    zh 副本的目标及其名称必须是短文本。

    en What was read back of “{1}” is not its sound; it does not count as a copy.
    de Was von „{1}“ zurückgelesen wurde, ist nicht ihr Klang; es gilt nicht als Kopie.
    zh 读回的“{1}”不是它的声音；它不算副本。

    en It waits for its hours.
    de Es wartet auf seine Stunden.
    zh 正在等待其时段。

    en It waits for a connection that is not metered.
    de Es wartet auf eine Verbindung ohne Volumenkosten.
    zh 正在等待不按流量计费的连接。

    en There is no copy at “{1}” to be renamed.
    de Bei „{1}“ ist keine Kopie, die umbenannt werden könnte.
    zh “{1}”处没有可重命名的副本。

    en --after takes what `next` of an answer said.
    de --after nimmt, was `next` einer Antwort gesagt hat.
    zh --after 接受某个回答中 `next` 的值。

    en A target's name is one line of at most 60 bytes.
    de Der Name eines Ziels ist eine Zeile von höchstens 60 Bytes.
    zh 目标的名称为一行，最多 60 字节。

    en “{1}” is no id of an item, as `info --json` shows it.
    de „{1}“ ist keine Kennung, wie `info --json` sie zeigt.
    zh “{1}”不是 `info --json` 所显示的标识。

    en Copies elsewhere
    de Kopien anderswo
    zh 别处的副本

    en list the recordings that have no copy elsewhere, and why
    de die Aufnahmen auflisten, die anderswo keine Kopie haben, und warum
    zh 列出在别处没有副本的录音及原因

    en what this target lacks, or has under an old name
    de was diesem Ziel fehlt oder dort einen alten Namen hat
    zh 该目标缺少的或仍用旧名的录音

    en go on behind the answer before
    de hinter der vorigen Antwort weitermachen
    zh 接着上一个回答继续

    en at most this many
    de höchstens so viele
    zh 最多这么多

    en A recording is safe when a copy of it was read back from a target and its hash compared; \
    `reel-link` makes such copies. Without --target those are listed that exist only here, the \
    oldest first. What is in the trash is not copied.
    de Eine Aufnahme ist sicher, wenn eine Kopie von ihr aus einem Ziel zurückgelesen und ihr \
    Hash verglichen wurde; `reel-link` macht solche Kopien. Ohne --target werden die aufgelistet, \
    die es nur hier gibt, die älteste zuerst. Was im Papierkorb liegt, wird nicht kopiert.
    zh 从目标读回副本并核对散列值之后，录音才算安全；`reel-link` 制作这样的副本。不带 \
    --target 时列出仅在此处的录音，最早的在前。回收站中的内容不会被复制。

    en pass a recording's file, to read
    de die Datei einer Aufnahme zum Lesen übergeben
    zh 传递录音的文件以供读取

    en For `reel-link` and other programs that copy: the open file comes beside the answer.
    de Für `reel-link` und andere Programme, die kopieren: Die offene Datei kommt neben der Antwort.
    zh 供 `reel-link` 和其他复制程序使用：打开的文件随回答一起传来。

    en the id of its folder
    de die Kennung ihres Ordners
    zh 其文件夹的标识

    en the target's name
    de der Name des Ziels
    zh 目标的名称

    en what the target calls its first file
    de wie das Ziel ihre erste Datei nennt
    zh 目标对其第一个文件的命名

    en the path of that file on the card when it was sent
    de der Pfad dieser Datei auf der Karte, als sie gesendet wurde
    zh 发送时该文件在存储卡上的路径

    en the hash of each file's sound as it was read back, with commas between
    de der Hash des Klangs jeder Datei, wie er zurückgelesen wurde, durch Kommas getrennt
    zh 读回时每个文件声音的散列值，以逗号分隔

    en the copy has another name now
    de die Kopie heißt jetzt anders
    zh 副本现在另有名称

    en the target has no such copy any more
    de das Ziel hat diese Kopie nicht mehr
    zh 目标已没有这个副本

    en note that a copy was read back and compared
    de vermerken, dass eine Kopie zurückgelesen und verglichen wurde
    zh 记录副本已读回并核对

    en For `reel-link` and other programs that copy. It is refused if a hash is not that of the \
    recording.
    de Für `reel-link` und andere Programme, die kopieren. Es wird abgelehnt, wenn ein Hash nicht \
    der der Aufnahme ist.
    zh 供 `reel-link` 和其他复制程序使用。若散列值与录音不符，则被拒绝。

    en what it is doing
    de was es gerade tut
    zh 它正在做什么

    en what is said is about this recording
    de was gesagt wird, betrifft diese Aufnahme
    zh 所说的是这个录音

    en how many it lacks
    de wie viele ihm fehlen
    zh 它缺少多少

    en why it failed or waits
    de warum es fehlschlug oder wartet
    zh 失败或等待的原因

    en when it will be tried again
    de wann es wieder versucht wird
    zh 何时再试

    en tell how a target of copies is
    de sagen, wie es um ein Ziel von Kopien steht
    zh 报告副本目标的状况

    en For `reel-link` and other programs that copy. What was told is forgotten when the \
    connection ends.
    de Für `reel-link` und andere Programme, die kopieren. Was gesagt wurde, wird vergessen, wenn \
    die Verbindung endet.
    zh 供 `reel-link` 和其他复制程序使用。连接结束后，所报告的内容即被遗忘。

    en There is no copy at “{1}” to be described.
    de Bei „{1}“ gibt es keine Kopie, die Texte haben könnte.
    zh “{1}”处没有可附文字的副本。

    en with older texts there too, or what the target has
    de auch mit älteren Texten dort, oder was das Ziel hat
    zh 也列出那里文字较旧的，或目标已有的

    en the target has the texts of this checksum
    de das Ziel hat die Texte mit dieser Prüfsumme
    zh 目标具有此校验和的文字

    en how edits here and there at the same time were settled
    de wie gleichzeitige Änderungen hier und dort gelöst wurden
    zh 此处与彼处同时修改是如何处理的

    en --texts takes 16 digits.
    de --texts nimmt 16 Ziffern.
    zh --texts 需要 16 位数字。

    en into this directory
    de in dieses Verzeichnis
    zh 到这个目录

    en another configuration of reel-link
    de eine andere Konfiguration von reel-link
    zh reel-link 的另一个配置

    en bring the recordings of a target back
    de die Aufnahmen eines Ziels zurückholen
    zh 取回某个目标的录音

    en For a new card: reelctl has `reel-link` fetch every recording of the target and compare its \
    sound. Meanwhile the recorder hands the card over, so nothing can be recorded; then it adds \
    the recordings, and their texts follow when reel-link runs. Files on the card stay. The \
    caller needs the right to write to the card. With --to the files only go into that directory.
    de Für eine neue Karte: reelctl lässt `reel-link` jede Aufnahme des Ziels holen und ihren Ton \
    vergleichen. Solange gibt der Rekorder die Karte ab, es kann also nichts aufgenommen werden; \
    dann nimmt er alles auf, und was getippt wurde, folgt, wenn reel-link läuft. Was schon da ist, \
    bleibt. Es braucht das Recht, auf die Karte zu schreiben. Mit --to kommen die Dateien nur in \
    dieses Verzeichnis.
    zh 用于新存储卡：reelctl 让 `reel-link` 取回目标处的每个录音并核对其声音。期间录音机交出存储卡，因此无法录音；之后它会全部收入，reel-link \
    运行时随后恢复键入的文字。已有的内容保持不变。需要对存储卡的写权限。使用 --to 时文件只放入该目录。

    en {1}: reel-link is not running.
    de {1}: reel-link läuft nicht.
    zh {1}：reel-link 未运行。

    en Start it with 'systemctl start reel-link'; its journal says why it ended.
    de Mit 'systemctl start reel-link' starten; sein Journal sagt, warum es endete.
    zh 请用 'systemctl start reel-link' 启动；其日志说明结束的原因。

    en {1}: everything is copied.
    de {1}: alles ist kopiert.
    zh {1}：全部已复制。

    en {1}: {2} to go.
    de {1}: {2} stehen aus.
    zh {1}：还有 {2} 个。

    en the last copy failed.
    de die letzte Kopie ist gescheitert.
    zh 上次复制失败。

    en 'reel-link try' sends a small file to each target and says how that went.
    de 'reel-link try' sendet eine kleine Datei an jedes Ziel und sagt, wie das ging.
    zh 'reel-link try' 向每个目标发送一个小文件，并说明结果。
    """
}
