// What is said about manifests.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let manifestWords = """
    en public key
    de öffentlicher Schlüssel
    zh 公钥

    en key id
    de Schlüssel-ID
    zh 密钥编号

    en licence
    de Lizenz
    zh 许可证

    en lines
    de Zeilen
    zh 行数

    en head
    de Ende
    zh 末行

    en {1} of {2} recordings of the manifest are here
    de {1} von {2} Aufnahmen des Verzeichnisses sind hier
    zh 清单中的 {2} 个录音有 {1} 个在此

    en All is well: {1}.
    de Alles in Ordnung: {1}.
    zh 一切正常：{1}。

    en {1}; faults: {2}
    de {1}; Fehler: {2}
    zh {1}；问题：{2} 个

    en The key was read here; compare it with that of `reelctl about`: {1}
    de Der Schlüssel stammt von hier; mit dem von `reelctl about` vergleichen: {1}
    zh 密钥读自此处；请与 `reelctl about` 显示的密钥核对：{1}

    en The manifest of another key was not used: {1}
    de Das Verzeichnis eines anderen Schlüssels wurde nicht benutzt: {1}
    zh 未使用另一密钥的清单：{1}

    en There is no key to sign a manifest with.
    de Es gibt keinen Schlüssel, um ein Verzeichnis zu signieren.
    zh 没有用于签署清单的密钥。
    """

  static let manifestSentences = """
    en The manifest
    de Das Verzeichnis der Hashes
    zh 清单

    en {1} is not a directory
    de {1} ist kein Ordner
    zh {1} 不是目录

    en the key {1} cannot be read: {2}; the manifest is not continued
    de der Schlüssel {1} lässt sich nicht lesen: {2}; das Verzeichnis der Hashes wird nicht \
    fortgesetzt
    zh 无法读取密钥 {1}：{2}；清单不再继续

    en the key {1} is damaged, and cannot be set aside: {2}
    de der Schlüssel {1} ist beschädigt und lässt sich nicht beiseitelegen: {2}
    zh 密钥 {1} 已损坏，且无法移到一旁：{2}

    en the key {1} was damaged; it was set aside as {2}, and a new one was made
    de der Schlüssel {1} war beschädigt; er wurde als {2} beiseitegelegt und ein neuer gemacht
    zh 密钥 {1} 已损坏；已另存为 {2}，并生成了新密钥

    en there are no random bytes for a key: {1}
    de es gibt keine Zufallsbytes für einen Schlüssel: {1}
    zh 没有用于密钥的随机字节：{1}

    en the key {1} cannot be written: {2}
    de der Schlüssel {1} lässt sich nicht schreiben: {2}
    zh 无法写入密钥 {1}：{2}

    en The manifest of this card was changed by another program. It was set aside in the directory \
    {1}, and a new one begins.
    de Das Verzeichnis der Hashes auf dieser Karte wurde von einem anderen Programm geändert. Es \
    wurde im Ordner {1} beiseitegelegt, und ein neues beginnt.
    zh 此卡的清单被其他程序更改。已将其移到目录 {1} 中，并开始新的清单。

    en This recorder has no key to sign a manifest with.
    de Dieser Rekorder hat keinen Schlüssel, um ein Verzeichnis zu signieren.
    zh 此录音机没有用于签署清单的密钥。

    en There is no manifest yet: no recording is complete.
    de Es gibt noch kein Verzeichnis: Keine Aufnahme ist vollständig.
    zh 尚无清单：没有完整的录音。

    en show where the manifest of the card ends
    de zeigen, wo das Verzeichnis der Hashes auf der Karte endet
    zh 显示卡上清单的末行

    en The manifest lists each recording with the hash of its sound; each line has the hash of the \
    line before, and the recorder signs all of them. A copy of the line `head` that is kept \
    elsewhere shows later whether the manifest was cut short.
    de Das Verzeichnis nennt jede Aufnahme mit dem Hash ihres Tons; jede Zeile hat den Hash der \
    Zeile davor, und der Rekorder signiert alle. Eine anderswo aufbewahrte Kopie der Zeile `head` \
    zeigt später, ob das Verzeichnis gekürzt wurde.
    zh 清单列出每个录音及其声音的哈希；每行都有上一行的哈希，录音机对所有行签名。另存于别处的 `head` \
    行可在日后表明清单是否被截短。

    en pass the manifest, to read
    de das Verzeichnis der Hashes zum Lesen übergeben
    zh 传递清单以供读取

    en For `reel-link` and other programs that copy: the text comes beside the answer, which has \
    the signature of exactly that text.
    de Für `reel-link` und andere Programme, die kopieren: Der Text kommt neben der Antwort, die \
    die Signatur genau dieses Textes enthält.
    zh 供 `reel-link` 和其他复制程序使用：文本随应答一同传递，应答中有该文本的签名。

    en check the recordings of a directory against its manifest
    de die Aufnahmen eines Ordners mit seinem Verzeichnis der Hashes vergleichen
    zh 按清单检查目录中的录音

    en the recorder's public key, as `about` shows it: RW...
    de der öffentliche Schlüssel des Rekorders, wie `about` ihn zeigt: RW...
    zh 录音机的公钥，如 `about` 所示：RW...

    en a file with that key
    de eine Datei mit diesem Schlüssel
    zh 含有该密钥的文件

    en a file with a head from earlier, or a .minisig
    de eine Datei mit einem früheren Ende, oder eine .minisig
    zh 含有先前末行的文件，或 .minisig

    en this manifest, instead of those in DIR
    de dieses Verzeichnis statt derer in DIR
    zh 使用此清单，而非 DIR 中的清单

    en recordings that are not there are counted, and are no fault
    de fehlende Aufnahmen werden gezählt und sind kein Fehler
    zh 缺少的录音只计数，不算问题

    en reelctl does this by itself, without a recorder: of a card, or of a copy. The files may \
    have other names, and be in other folders. It names each recording that is missing, changed, \
    exchanged for another, or not in the manifest, and each line that was removed, changed or \
    moved. It exits with 1 if anything is not as it should be. Without --key or --public the key \
    is read from the directory itself, and may have been replaced together with the recordings.
    de reelctl tut dies selbst, ohne Rekorder: mit einer Karte oder einer Kopie. Die Dateien \
    dürfen andere Namen haben und in anderen Ordnern liegen. Genannt wird jede Aufnahme, die \
    fehlt, geändert, vertauscht oder nicht im Verzeichnis ist, und jede Zeile, die entfernt, \
    geändert oder verschoben wurde. Der Rückgabewert ist 1, wenn etwas nicht stimmt. Ohne --key \
    oder --public wird der Schlüssel aus dem Ordner selbst gelesen und kann zusammen mit den \
    Aufnahmen ersetzt worden sein.
    zh reelctl 自行完成，无需录音机：可用于卡或副本。文件可以有其他名称，也可在其他文件夹中。\
    缺少、更改、互换或不在清单中的录音，以及被删除、更改或移动的行都会列出。若有不符则以 1 退出。\
    没有 --key 或 --public 时，密钥读自目录本身，可能已与录音一同被替换。

    en --key or --public, not both; see `help manifest verify`.
    de --key oder --public, nicht beides; siehe `help manifest verify`.
    zh 只能用 --key 或 --public 之一；见 `help manifest verify`。

    en show the version, the licence and the key of this recorder
    de Version, Lizenz und Schlüssel dieses Rekorders zeigen
    zh 显示此录音机的版本、许可证和密钥

    en The public key is the one with which `reelctl manifest verify` and `minisign` check the \
    manifest of this recorder. Keep a copy of it away from the recorder.
    de Mit dem öffentlichen Schlüssel prüfen `reelctl manifest verify` und `minisign` das \
    Verzeichnis dieses Rekorders. Eine Kopie davon gehört an einen anderen Ort.
    zh `reelctl manifest verify` 和 `minisign` 用此公钥检查该录音机的清单。请在别处保留一份副本。

    en Recording {1} is missing.
    de Die Aufnahme {1} fehlt.
    zh 缺少录音 {1}。

    en The sound of recording {1} has changed: {2}
    de Der Ton der Aufnahme {1} hat sich geändert: {2}
    zh 录音 {1} 的声音已更改：{2}

    en This is not in the manifest: {1}
    de Dies ist nicht im Verzeichnis: {1}
    zh 不在清单中：{1}

    en This says it is recording {1}, and has the sound of {2}: {3}
    de Dies nennt sich Aufnahme {1} und hat den Ton von {2}: {3}
    zh 自称录音 {1}，声音却是 {2} 的：{3}

    en This is named as recording {1}, and is recording {2}: {3}
    de Dies heißt wie Aufnahme {1} und ist Aufnahme {2}: {3}
    zh 名称为录音 {1}，实为录音 {2}：{3}

    en What follows line {1} of the manifest is no line.
    de Was auf Zeile {1} des Verzeichnisses folgt, ist keine Zeile.
    zh 清单第 {1} 行之后的内容不是一行。

    en Line {1} of the manifest is missing.
    de Zeile {1} des Verzeichnisses fehlt.
    zh 清单缺少第 {1} 行。

    en Lines {1} to {2} of the manifest are missing.
    de Die Zeilen {1} bis {2} des Verzeichnisses fehlen.
    zh 清单缺少第 {1} 至 {2} 行。

    en Line {1} of the manifest is not in its place.
    de Zeile {1} des Verzeichnisses ist nicht an ihrem Platz.
    zh 清单第 {1} 行不在其位置。

    en Line {1} of the manifest was changed.
    de Zeile {1} des Verzeichnisses wurde geändert.
    zh 清单第 {1} 行被更改。

    en The manifest does not end with a whole line.
    de Das Verzeichnis endet nicht mit einer ganzen Zeile.
    zh 清单的末行不完整。

    en The manifest {1} has no signature.
    de Das Verzeichnis {1} hat keine Signatur.
    zh 清单 {1} 没有签名。

    en Lines {1} to {2} of the manifest are not signed.
    de Die Zeilen {1} bis {2} des Verzeichnisses sind nicht signiert.
    zh 清单第 {1} 至 {2} 行未签名。

    en The manifest {1} had {2} lines when it was signed, and has {3}.
    de Das Verzeichnis {1} hatte {2} Zeilen, als es signiert wurde, und hat {3}.
    zh 清单 {1} 签名时有 {2} 行，现有 {3} 行。

    en The manifest {1} was changed since it was signed.
    de Das Verzeichnis {1} wurde geändert, seit es signiert wurde.
    zh 清单 {1} 在签名后被更改。

    en The signature of the manifest is not one of the key {1}.
    de Die Signatur des Verzeichnisses ist keine des Schlüssels {1}.
    zh 清单的签名不是密钥 {1} 的。

    en The manifest {1} does not have line {2} as the head that was kept.
    de Das Verzeichnis {1} hat Zeile {2} nicht so wie das aufbewahrte Ende.
    zh 清单 {1} 的第 {2} 行与保存的末行不符。

    en The recorder set {1} aside: another program had changed it.
    de Der Rekorder hat {1} beiseitegelegt: Ein anderes Programm hatte es geändert.
    zh 录音机已将 {1} 移到一旁：它被其他程序更改过。

    en The manifest {1} begins with the head of a manifest that is not here.
    de Das Verzeichnis {1} beginnt mit dem Ende eines Verzeichnisses, das nicht hier ist.
    zh 清单 {1} 的开头是此处没有的清单的末行。

    en There is no manifest here of the key {1}.
    de Hier ist kein Verzeichnis des Schlüssels {1}.
    zh 此处没有密钥 {1} 的清单。

    en The key of {1} is not beside it; name one with --key.
    de Der Schlüssel von {1} liegt nicht daneben; mit --key nennen.
    zh {1} 旁边没有密钥；请用 --key 指定。

    en {1} has a name that is not UTF-8, and was not read.
    de {1} hat einen Namen, der kein UTF-8 ist, und wurde nicht gelesen.
    zh {1} 的名称不是 UTF-8，未读取。

    en there is no manifest in {1}; name one: --manifest
    de in {1} ist kein Verzeichnis der Hashes; eines nennen: --manifest
    zh {1} 中没有清单；请用 --manifest 指定

    en “{1}” is no public key: it begins with RW
    de „{1}“ ist kein öffentlicher Schlüssel: Er beginnt mit RW
    zh “{1}”不是公钥：公钥以 RW 开头

    en there is no public key in {1}
    de in {1} ist kein öffentlicher Schlüssel
    zh {1} 中没有公钥

    en there is no head of a manifest in {1}
    de in {1} ist kein Ende eines Verzeichnisses
    zh {1} 中没有清单的末行
    """
}
