// What commands do, as `help` tells it. The rest of them.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let helpSentencesMore = """
    en import them into this folder
    de in diesen Ordner importieren
    zh 导入到此文件夹

    en which format to keep them in
    de in welchem Format sie bleiben
    zh 以何种格式保存

    en how many points
    de Zahl der Punkte
    zh 点数

    en write an SVG file
    de eine SVG-Datei schreiben
    zh 写入 SVG 文件

    en check files against the index
    de Dateien mit dem Index vergleichen
    zh 对照索引检查文件

    en cancel long work
    de eine lange Arbeit abbrechen
    zh 取消长时间任务

    en Long work shows its ticket with its progress.
    de Lange Arbeiten zeigen mit dem Fortschritt ihre Nummer (TICKET).
    zh 长时间任务在进度旁显示其编号（TICKET）。

    en lock the panel's buttons
    de die Tasten des Bedienfelds sperren
    zh 锁定面板按钮

    en unlock the panel's buttons
    de die Tasten des Bedienfelds entsperren
    zh 解锁面板按钮

    en show the panel's lines, buttons and lights
    de Leitungen, Tasten und Leuchten des Bedienfelds zeigen
    zh 显示面板的线路、按钮和指示灯

    en For debugging the wiring: each button with its line, whether it is pressed, how often \
    it bounced, and each light. On a terminal `reelctl` keeps the view up to date.
    de Zur Fehlersuche in der Verdrahtung: jede Taste mit ihrer Leitung, ob sie gedrückt ist, \
    wie oft sie prellte, und jede Leuchte. Im Terminal hält `reelctl` die Ansicht aktuell.
    zh 用于排查接线：每个按钮的线路、是否按下、抖动次数，以及每个指示灯。在终端上 `reelctl` 会持续刷新。

    en buttons are wired to the supply
    de Tasten liegen an der Versorgungsspannung
    zh 按钮接到电源

    en find out which line a button is on
    de herausfinden, an welcher Leitung eine Taste liegt
    zh 查明按钮所在的线路

    en Press the button: the line that changes is shown. Only unused lines are watched.
    de Die Taste drücken: Gezeigt wird die Leitung, die sich ändert. Beobachtet werden nur \
    freie Leitungen.
    zh 按下按钮：显示发生变化的线路。只监视未使用的线路。

    en let a computer use the card, or take it back
    de die Karte einem Computer überlassen oder zurückholen
    zh 让电脑使用存储卡，或收回

    en While a computer has the card, nothing is recorded or played, and the card may be \
    pulled. Without a state it shows who has the card.
    de Solange ein Computer die Karte hat, gibt es keine Aufnahme und keine Wiedergabe, und \
    die Karte kann gezogen werden. Ohne Angabe wird gezeigt, wer die Karte hat.
    zh 存储卡在电脑上时，不录音也不播放，可以拔出存储卡。不写状态则显示存储卡在哪一方。

    en print the configuration in use
    de die geltende Konfiguration ausgeben
    zh 输出正在使用的配置

    en read the configuration again
    de die Konfiguration neu lesen
    zh 重新读取配置

    en If it has an error nothing changes, and `notices` shows the error.
    de Enthält sie einen Fehler, ändert sich nichts, und `notices` zeigt den Fehler.
    zh 若有错误则不作更改，`notices` 会显示该错误。

    en check what the appliance needs
    de prüfen, was das Gerät braucht
    zh 检查设备所需的条件

    en One line for each check, with advice where something is wrong: the service, the \
    configuration, the card and its speed, the sound threads, microphone and level, pins, the \
    clock, the supply. It takes about ten seconds; during a recording the card is measured \
    less. reelctl exits with 1 if something is wrong. If no recorder answers, reelctl checks \
    by itself; as root with the rights of the service.
    de Eine Zeile je Prüfung, mit Rat, wo etwas nicht stimmt: Dienst, Konfiguration, Karte \
    und ihre Geschwindigkeit, Audio-Threads, Mikrofon und Pegel, Pins, Uhr, Stromversorgung. \
    Es dauert etwa zehn Sekunden; während einer Aufnahme wird die Karte weniger gemessen. \
    reelctl endet mit 1, wenn etwas nicht stimmt. Antwortet kein Rekorder, prüft reelctl \
    selbst; als root mit den Rechten des Dienstes.
    zh 每项检查一行，有问题时附建议：服务、配置、存储卡及其速度、声音线程、麦克风和电平、引脚、时钟、供电。约需十秒；录音期间较少测量存储卡。有问题时 reelctl 以 1 \
    退出。若没有录音机响应，reelctl 自行检查；以 root 运行时使用服务的权限。

    en read this log, without the appliance
    de dieses Protokoll lesen, ohne das Gerät
    zh 读取此日志，不经过设备

    en only the last N actions
    de nur die letzten N Aktionen
    zh 只显示最后 N 个动作

    en print the flight log: everything that happened, in order
    de das Flugprotokoll ausgeben: alles, was geschah, der Reihe nach
    zh 输出运行日志：按顺序列出发生的一切

    en choose how answers are written on this console
    de wählen, wie Antworten an dieser Konsole geschrieben werden
    zh 选择此控制台回答的格式

    en print the manual page
    de die Handbuchseite ausgeben
    zh 输出手册页

    en list the commands, or explain one
    de die Befehle auflisten, oder einen erklären
    zh 列出命令，或说明某个命令

    en print the version
    de die Version ausgeben
    zh 输出版本

    en print completion for a shell
    de die Vervollständigung für eine Shell ausgeben
    zh 输出用于 shell 的补全脚本

    en For bash: eval "$(reelctl completion bash)"
    de Für bash: eval "$(reelctl completion bash)"
    zh 用于 bash：eval "$(reelctl completion bash)"

    en complete the last word
    de das letzte Wort vervollständigen
    zh 补全最后一个词

    en For programs that complete; the words come after `--`.
    de Für Programme, die vervollständigen; die Wörter stehen hinter `--`.
    zh 供补全程序使用；词写在 `--` 之后。

    en do it without being asked
    de ohne Rückfrage ausführen
    zh 不询问直接执行

    en print JSON
    de JSON ausgeben
    zh 输出 JSON

    en print what the command does
    de ausgeben, was der Befehl tut
    zh 输出命令说明

    en A folder or recording is named by its path (/Interviews/Kitchen, or from the folder \
    one is in; .. is the folder above, /.trash the trash), by its number (41), or by the \
    first four or more digits of its id. `help COMMAND` tells more of each.
    de Ein Ordner oder eine Aufnahme wird mit dem Pfad genannt (/Interviews/Kitchen, oder vom \
    aktuellen Ordner aus; .. ist der Ordner darüber, /.trash der Papierkorb), mit der Nummer \
    (41) oder mit den ersten vier oder mehr Ziffern der Kennung. `help BEFEHL` sagt mehr zu \
    jedem Befehl.
    zh 文件夹或录音可用路径（/Interviews/Kitchen，或从当前文件夹开始；.. 是上级文件夹，/.trash \
    是回收站）、编号（41）或标识的前四位及以上数字来指定。`help 命令` 给出各命令的说明。

    en Recording
    de Aufnahme
    zh 录音

    en whether screens ask for a name when it ends
    de ob Bildschirme am Ende nach einem Namen fragen
    zh 结束时屏幕是否询问名称

    en It begins a moment before the command, as far as the pre-roll reaches. Without a title \
    it is named after the time, and screens ask for a name when it ends, unless `askForName` \
    in reel.json is false.
    de Sie beginnt kurz vor dem Befehl, so weit der Vorlauf reicht. Ohne Titel heißt sie nach \
    der Uhrzeit, und Bildschirme fragen am Ende nach einem Namen, wenn nicht `askForName` in \
    reel.json false ist.
    zh 录音从命令之前的预录开始。没有标题时以时间命名，结束时屏幕会询问名称，除非 reel.json 中 `askForName` 为 false。

    en write recordings, or whole folders, to files of another format
    de Aufnahmen oder ganze Ordner in Dateien eines anderen Formats schreiben
    zh 将录音或整个文件夹写成其他格式的文件

    en which track of a take, by its name
    de welche Spur einer Aufnahme, nach ihrem Namen
    zh 录音的哪条音轨，按名称

    en take what is clipped from the track called safety
    de was übersteuert ist, aus der Spur namens safety nehmen
    zh 削波之处取自名为 safety 的音轨

    en Without --format the file's ending decides; WAV and FLAC then keep 24 bits. Without \
    --track a WAV file has the channels of all tracks of a take, with their names (iXML), and \
    any other file has the first track; `info` names them. In a directory, written with a / at \
    its end, each file is named after its recording. reelctl opens the file for the appliance, so \
    it can be wherever you may write, and overwrites one only with --yes. On the serial \
    console the appliance opens the file, with the rights of its service. A folder, with \
    everything below it, is written as a directory of its name in the directory FILE, which \
    is made if it is not there, as WAV unless --format says otherwise; the root goes into \
    FILE itself. Files that exist already are counted, and never written over: the \
    same command again goes on where the last one ended. A file that cannot be written is \
    named, and the others are exported all the same; if there is no room left, the export \
    ends. Ctrl-C leaves whole files only. No files can be passed on the serial console: \
    there, recordings are exported one by one.
    de Ohne --format entscheidet die Endung der Datei; WAV und FLAC behalten dann 24 Bit. Ohne \
    --track hat eine WAV-Datei die Kanäle aller Spuren einer Aufnahme, mit ihren Namen (iXML), \
    und jede andere Datei die erste Spur; `info` nennt sie. In einem Verzeichnis, geschrieben \
    mit / am Ende, heißt jede Datei nach ihrer Aufnahme. reelctl öffnet die Datei für das Gerät; \
    sie kann also überall liegen, wo der Benutzer schreiben darf, und wird nur mit --yes \
    überschrieben. An der seriellen Konsole öffnet das Gerät die Datei, mit den Rechten \
    seines Dienstes. Ein Ordner wird mit allem darunter als Verzeichnis seines Namens in das \
    Verzeichnis FILE geschrieben, das bei Bedarf angelegt wird, als WAV, wenn --format nichts \
    anderes sagt; der oberste Ordner kommt in FILE selbst. Was schon da ist, bleibt, wie es \
    ist, und wird gezählt, nie überschrieben: Derselbe Befehl macht weiter, wo der letzte \
    endete. Eine Datei, die sich nicht schreiben lässt, wird genannt, und die anderen werden \
    trotzdem exportiert; ist kein Platz mehr, endet der Export. Strg-C hinterlässt nur \
    vollständige Dateien. An der seriellen Konsole können keine Dateien übergeben werden: \
    Dort werden Aufnahmen einzeln exportiert.
    zh 没有 --format 时由扩展名决定；此时 WAV 和 FLAC 保留 24 位。没有 --track 时，WAV \
    文件包含录音全部音轨的声道及其名称（iXML），其他文件只有第一条音轨；`info` 会列出音轨。 \
    对以 / 结尾的目录，每个文件以其录音命名。reelctl 为设备打开文件，因此可放在用户有写权限的任何位置，只有用 --yes \
    才覆盖。在串行控制台上由设备以其服务的权限打开文件。文件夹连同其下全部内容写入目录 FILE 中以其名称命名的目录，必要时新建，除非 --format 另有指定均为 \
    WAV；根文件夹直接写入 FILE。已存在的文件保持不变并计数，绝不覆盖：再次执行同一命令会从上次结束处继续。无法写入的文件会被列出，其余照常导出；空间不足时导出结束。Ctrl\
    -C 只留下完整的文件。串行控制台不能传入文件：在那里逐条导出录音。

    en the file to write
    de die Datei, die geschrieben wird
    zh 要写入的文件

    en join the parts of a take into one file
    de die Teile einer Aufnahme zu einer Datei verbinden
    zh 将录音的各段合并为一个文件

    en One item, whichever part it is, stands for all parts of its take; several are joined \
    in the order of their parts, and each must continue the one before. Without --format the \
    file's ending decides; WAV and FLAC then keep 24 bits. Without --track a WAV file has the \
    channels of all tracks, and any other file has the first track. The parts of a split are \
    joined into Opus without encoding them again, and the file holds the sound of the undivided \
    take, to the sample. After a lost device or a crash the parts follow each other directly, \
    without the time between; then Opus is encoded once more. Marks and gaps are counted from \
    the beginning of the whole. The recordings stay as they are.
    de Ein Eintrag, gleich welcher Teil, steht für alle Teile seiner Aufnahme; mehrere werden in \
    der Reihenfolge ihrer Teile verbunden, und jeder muss den vorigen fortsetzen. Ohne --format \
    entscheidet die Endung der Datei; WAV und FLAC behalten dann 24 Bit. Ohne --track hat eine \
    WAV-Datei die Kanäle aller Spuren, und jede andere Datei die erste Spur. Die Teile einer \
    Teilung werden ohne neues Kodieren zu Opus verbunden, und die Datei enthält den Ton der \
    ungeteilten Aufnahme, auf das Sample genau. Nach einem verlorenen Gerät oder einem Absturz \
    folgen die Teile direkt aufeinander, ohne die Zeit dazwischen; dann wird Opus noch einmal \
    kodiert. Marken und Lücken zählen vom Anfang des Ganzen. Die Aufnahmen bleiben, wie sie sind.
    zh 一个项目不论是哪一段都代表该录音的所有段；多个项目按段的顺序合并，每段必须接续前一段。没有 --format 时由扩展名决定；此时 WAV \
    和 FLAC 保留 24 位。没有 --track 时，WAV 文件含有所有音轨的声道，其他文件为第一条音轨。分段产生的各段合并为 Opus 时不重新编码，\
    文件中的声音与未分段的录音逐采样一致。设备断开或崩溃之后，各段直接相接，不含其间的时间；此时 Opus 会再编码一次。标记和缺口从整体开头算起。录音保持原样。

    en import sound files, or whole directories, as recordings
    de Audiodateien oder ganze Verzeichnisse als Aufnahmen importieren
    zh 将声音文件或整个目录导入为录音

    en WAV, FLAC, Ogg, Opus, MP3, AIFF. Without --format they become Opus, of two channels at \
    most; FLAC keeps up to eight channels, and 24 bits, as they are. Marks, date, place, \
    speaker and notes come along as far as the file tells them. reelctl opens the files for \
    the appliance; on the serial console the appliance opens them, with the rights of its \
    service. reelctl imports a directory as a folder of its name, with what is below it, in \
    natural order of names; `import DIR FOLDER` is short for --in FOLDER if nothing here is \
    called FOLDER. Files that are no sound, hidden ones and links are named and skipped, \
    and directories without sound left out. A file whose title a recording of the folder \
    has already is counted and not imported: the same command again goes on where the last \
    one ended.
    de WAV, FLAC, Ogg, Opus, MP3, AIFF. Ohne --format werden sie zu Opus, mit höchstens zwei \
    Kanälen; FLAC lässt bis zu acht Kanäle, und 24 Bit, wie sie sind. Marken, Datum, Ort, \
    Sprecher und Notizen kommen mit, soweit die Datei sie nennt. reelctl öffnet die Dateien \
    für das Gerät; an der seriellen Konsole öffnet sie das Gerät, mit den Rechten seines \
    Dienstes. reelctl importiert ein Verzeichnis als Ordner seines Namens, mit allem \
    darunter, in natürlicher Reihenfolge der Namen; `import DIR FOLDER` ist kurz für --in \
    FOLDER, wenn hier nichts FOLDER heißt. Dateien ohne Ton, versteckte und Verknüpfungen \
    werden genannt und übersprungen, Verzeichnisse ohne Ton ausgelassen. Eine Datei, deren \
    Titel eine Aufnahme des Ordners schon hat, wird gezählt und nicht importiert: Derselbe \
    Befehl macht weiter, wo der letzte endete.
    zh WAV、FLAC、Ogg、Opus、MP3、AIFF。没有 --format 时转为最多两个声道的 Opus；FLAC 原样保留最多八个声道和 24 位。\
    标记、日期、地点、讲话人和备注，只要文件中有，就一并导入。\
    reelctl 为设备打开文件；在串行控制台上由设备以其服务的权限打开。reelctl \
    将目录连同其下内容按名称的自然顺序导入为同名文件夹；若这里没有名为 FOLDER 的文件，`import DIR FOLDER` 是 --in FOLDER \
    的简写。非声音文件、隐藏文件和链接会被列出并跳过，没有声音的目录被略去。标题与文件夹中已有录音相同的文件只计数不导入：再次执行同一命令会从上次结束处继续。

    en draw a recording, or all of a folder
    de eine Aufnahme oder alle eines Ordners zeichnen
    zh 绘制一条录音或文件夹中全部录音的波形

    en reelctl draws a folder as a sheet: a line for each recording below it, a step in \
    height for each 6 dB; with --json a line of JSON for each.
    de reelctl zeichnet einen Ordner als Bogen: eine Zeile je Aufnahme darunter, eine \
    Höhenstufe je 6 dB; mit --json eine Zeile JSON für jede.
    zh reelctl 将文件夹绘成一张表：其下每条录音一行，每 6 dB 一级高度；用 --json 时每条一行 JSON。

    en A folder with everything below it; without an item, the whole card. One report names \
    each fault. A file whose sound has no hash yet gets one. reelctl exits with 1 if there is a \
    fault.
    de Ein Ordner mit allem darunter; ohne Angabe die ganze Karte. Ein Bericht nennt jeden \
    Fehler. Eine Datei, deren Ton noch keinen Hash hat, bekommt einen. reelctl endet mit 1, \
    wenn es einen Fehler gibt.
    zh 文件夹连同其下全部内容；不指定则检查整张存储卡。一份报告列出每个问题。声音尚无哈希值的文件会补上。\
    有问题时 reelctl 以 1 退出。

    en the panel's screen, in the size of this terminal
    de der Bildschirm des Bedienfelds, in der Größe dieses Terminals
    zh 面板的屏幕，按此终端的大小

    en that console's screen
    de der Bildschirm dieser Konsole
    zh 该控制台的屏幕

    en Redraws in place with a level meter; ends with Ctrl-C. Where the output is no terminal \
    it prints a line for each change. With --screen it shows a screen and changes nothing: q \
    ends it, and where the output is no terminal the screen is printed once. --console 1 is \
    the dashboard of the terminal that reeld runs in, --console 2 the serial console.
    de Zeichnet sich mit einer Pegelanzeige immer neu; endet mit Strg-C. Ist die Ausgabe kein \
    Terminal, kommt je Änderung eine Zeile. Mit --screen zeigt es einen Bildschirm und ändert \
    nichts: q beendet es, und ist die Ausgabe kein Terminal, wird der Bildschirm einmal \
    ausgegeben. --console 1 ist die Anzeige des Terminals, in dem reeld läuft, --console 2 \
    die serielle Konsole.
    zh 原地刷新并带电平表；用 Ctrl-C 结束。若输出不是终端，则每次变化输出一行。用 --screen 时显示屏幕而不作任何更改：q \
    结束；若输出不是终端，则只输出一次屏幕。--console 1 是运行 reeld 的终端的仪表板，--console 2 是串行控制台。

    en show one recording on the screen, to change it
    de eine Aufnahme auf dem Bildschirm zeigen und ändern
    zh 在屏幕上显示一条录音以便更改

    en Its title, place, speaker and notes, its waveform, its marks, and where it plays from: \
    arrows choose a line and the position, Enter changes the line, Escape closes it. A \
    console without a screen prints what `info` prints.
    de Titel, Ort, Sprecher und Notizen, Wellenform, Marken und die Stelle der Wiedergabe: \
    Pfeile wählen Zeile und Stelle, Enter ändert die Zeile, Escape schließt. Eine Konsole \
    ohne Bildschirm gibt aus, was `info` ausgibt.
    zh 标题、地点、讲话人和备注、波形、标记以及播放位置：方向键选择行和位置，Enter 更改该行，Escape 关闭。没有屏幕的控制台输出与 `info` 相同的内容。
    """
}
