// What reelctl, the serial console and the socket say by themselves.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let programSentences = """
    en “{1}” is not an option of reelctl; see reelctl --help
    de „{1}“ ist keine Option von reelctl; siehe reelctl --help
    zh “{1}”不是 reelctl 的选项；见 reelctl --help

    en say a command; reelctl --help lists them
    de einen Befehl angeben; reelctl --help zeigt alle
    zh 请输入命令；reelctl --help 列出全部命令

    en {1} needs a value; see reelctl --help
    de {1} braucht einen Wert; siehe reelctl --help
    zh {1} 需要一个值；见 reelctl --help

    en --last needs a number from 1, not “{1}”
    de --last braucht eine Zahl ab 1, nicht „{1}“
    zh --last 需要从 1 起的数，而不是“{1}”

    en no recorder listens at {1}; start it (systemctl start reeld, or reeld --virtual), or \
    name its socket with --socket
    de an {1} antwortet kein Rekorder; ihn starten (systemctl start reeld oder reeld \
    --virtual) oder seinen Socket mit --socket nennen
    zh {1} 处没有录音机；请启动它（systemctl start reeld 或 reeld --virtual），或用 --socket 指定其套接字

    en you may not talk to the recorder; join the group reel (usermod -aG reel NAME), or use \
    sudo
    de kein Zugriff auf den Rekorder; der Gruppe reel beitreten (usermod -aG reel NAME) oder \
    sudo verwenden
    zh 无权访问录音机；请加入 reel 组（usermod -aG reel NAME），或使用 sudo

    en what listens at {1} does not answer; see `systemctl status reeld`
    de das Programm an {1} antwortet nicht; siehe `systemctl status reeld`
    zh {1} 处的程序没有响应；见 `systemctl status reeld`

    en what listens at {1} is no recorder
    de das Programm an {1} ist kein Rekorder
    zh {1} 处的程序不是录音机

    en the recorder at {1} has gone away in the middle
    de der Rekorder an {1} ist mittendrin verschwunden
    zh {1} 处的录音机中途断开

    en that is too much for one command
    de das ist zu viel für einen Befehl
    zh 对一个命令来说内容太多

    en the recorder's answer makes no sense; are both of one version?
    de die Antwort des Rekorders ist unverständlich; haben beide dieselbe Version?
    zh 无法理解录音机的回答；两者版本是否相同？

    en cannot read {1}: {2*}
    de {1} ist nicht lesbar: {2}
    zh 无法读取 {1}：{2}

    en {1} is no file
    de {1} ist keine Datei
    zh {1} 不是文件

    en several recordings need a directory; there is none called {1}
    de mehrere Aufnahmen brauchen ein Verzeichnis; {1} gibt es nicht
    zh 多条录音需要一个目录；没有名为 {1} 的目录

    en {1} is there already; say --yes to write over it
    de {1} gibt es schon; mit --yes wird es überschrieben
    zh {1} 已存在；用 --yes 覆盖

    en Write over {1}?
    de {1} überschreiben?
    zh 覆盖 {1}？

    en cannot write {1}: {2*}
    de {1} ist nicht beschreibbar: {2}
    zh 无法写入 {1}：{2}

    en say which shell: reelctl completion bash, or zsh
    de die Shell angeben: reelctl completion bash oder zsh
    zh 请指定 shell：reelctl completion bash 或 zsh

    en {1*} Say --yes to do it without being asked.
    de {1} Mit --yes geschieht es ohne Rückfrage.
    zh {1} 用 --yes 可不询问直接执行。

    en nothing was done
    de es wurde nichts getan
    zh 未作任何更改

    en the answer cannot be written as JSON: {1}
    de die Antwort lässt sich nicht als JSON schreiben: {1}
    zh 无法将回答写成 JSON：{1}

    en the status cannot be written as JSON: {1}
    de der Zustand lässt sich nicht als JSON schreiben: {1}
    zh 无法将状态写成 JSON：{1}

    en Reel. `help` lists the commands.
    de Reel. `help` zeigt die Befehle.
    zh Reel。`help` 列出命令。

    en Too much came at once; it is left out until it stops.
    de Es kam zu viel auf einmal; bis es aufhört, wird es ausgelassen.
    zh 一次输入太多；在停止之前予以忽略。

    en Only root and members of the group {1} may do that.
    de Das dürfen nur root und Mitglieder der Gruppe {1}.
    zh 只有 root 和 {1} 组的成员可以这样做。

    en {1} programs are connected; there may be no more.
    de {1} Programme sind verbunden; mehr sind nicht möglich.
    zh 已有 {1} 个程序连接；不能再多。

    en That is no request: {1}.
    de Das ist keine Anfrage: {1}.
    zh 这不是请求：{1}。

    en The id {1} is in use already.
    de Die Kennung {1} wird schon benutzt.
    zh 标识 {1} 已在使用。

    en Nothing is watched under the id {1}.
    de Unter der Kennung {1} wird nichts beobachtet.
    zh 标识 {1} 下没有监视项。

    en What was passed is no file: pass one that is opened.
    de Übergeben wurde keine Datei: eine geöffnete übergeben.
    zh 传入的不是文件：请传入已打开的文件。

    en The file that was passed cannot be read: open it for reading.
    de Die übergebene Datei ist nicht lesbar: zum Lesen öffnen.
    zh 传入的文件不可读：请以读方式打开。

    en The file that was passed cannot be written: open it for reading and writing, and not \
    to append.
    de Die übergebene Datei ist nicht beschreibbar: zum Lesen und Schreiben öffnen, nicht zum \
    Anhängen.
    zh 传入的文件不可写：请以读写方式打开，而不是追加。

    en The file that was passed is not empty; nothing is written over.
    de Die übergebene Datei ist nicht leer; es wird nichts überschrieben.
    zh 传入的文件不为空；不会覆盖。

    en More than {1} were not read; this connection ends.
    de Mehr als {1} wurden nicht gelesen; diese Verbindung endet.
    zh 超过 {1} 未被读取；此连接结束。

    en {1} files were announced, and {2} passed.
    de Angekündigt waren {1} Dateien, übergeben {2}.
    zh 声明了 {1} 个文件，传入了 {2} 个。

    en {1} files may be passed before they are asked for.
    de {1} Dateien können vor ihrer Anfrage übergeben werden.
    zh 请求之前最多可传入 {1} 个文件。

    en A line may have {1} bytes; this one has more.
    de Eine Zeile hat höchstens {1} Byte; diese hat mehr.
    zh 一行最多 {1} 字节；这一行更长。

    en The microphone is off until something is recorded.
    de Das Mikrofon ist aus, bis etwas aufgenommen wird.
    zh 麦克风已关闭，开始录音时才会打开。

    en Too many lines made no sense; this connection ends.
    de Zu viele Zeilen waren unverständlich; diese Verbindung endet.
    zh 无法理解的行太多；此连接结束。

    en This appliance speaks version {1}, not {2}.
    de Dieses Gerät spricht Version {1}, nicht {2}.
    zh 此设备使用版本 {1}，而不是 {2}。

    en “files” is how many files are passed, from 0 to {1}.
    de „files“ ist die Zahl der übergebenen Dateien, von 0 bis {1}.
    zh “files”是传入文件的个数，从 0 到 {1}。

    en A request has “do”, “watch” or “unwatch”.
    de Eine Anfrage hat „do“, „watch“ oder „unwatch“.
    zh 请求含有“do”、“watch”或“unwatch”。

    en “{1}” cannot be watched; see docs/protocol.md.
    de „{1}“ lässt sich nicht beobachten; siehe docs/protocol.md.
    zh “{1}”不能监视；见 docs/protocol.md。

    en This appliance has no lines to listen to.
    de Dieses Gerät hat keine Leitungen zum Beobachten.
    zh 此设备没有可监视的线路。

    en This appliance cannot check itself.
    de Dieses Gerät kann sich nicht selbst prüfen.
    zh 此设备不能自检。

    en This appliance has no panel.
    de Dieses Gerät hat kein Bedienfeld.
    zh 此设备没有面板。

    en Nothing is configured.
    de Es ist nichts konfiguriert.
    zh 没有配置。

    en This appliance keeps no flight log.
    de Dieses Gerät führt kein Flugprotokoll.
    zh 此设备不保存运行日志。

    en A waveform can have 1 to 10,000 points.
    de Eine Wellenform hat 1 bis 10.000 Punkte.
    zh 波形可有 1 到 10,000 个点。

    en there is no such file or folder
    de es gibt keine solche Datei und keinen solchen Ordner
    zh 没有这样的文件或文件夹

    en That command takes no files; export, join and import do.
    de Dieser Befehl nimmt keine Dateien; export, join und import tun es.
    zh 该命令不接受文件；export、join 和 import 接受。

    en A screen is “panel” or the number of a console.
    de Ein Bildschirm ist „panel“ oder die Nummer einer Konsole.
    zh 屏幕为“panel”或控制台编号。

    en --console goes with --screen; see `help watch`.
    de --console gehört zu --screen; siehe `help watch`.
    zh --console 与 --screen 一起使用；见 `help watch`。

    en say a target; see reelctl help fetch
    de ein Ziel angeben; siehe reelctl help fetch
    zh 请给出目标；参见 reelctl help fetch

    en {1} cannot be written; use sudo, or say a directory with --to
    de {1} ist nicht beschreibbar; sudo verwenden, oder mit --to ein Verzeichnis angeben
    zh {1} 不可写；请使用 sudo，或用 --to 给出目录

    en {1} cannot be run; install the package reel-link
    de {1} lässt sich nicht starten; das Paket reel-link installieren
    zh {1} 无法运行；请安装软件包 reel-link
    """
}
