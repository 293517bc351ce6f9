// What a checkup finds, and its advice.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let doctorSentences = """
    en A computer has it.
    de Ein Computer hat sie.
    zh 电脑正在使用。

    en Take it back with `reelctl hand-over off`.
    de Mit `reelctl hand-over off` zurückholen.
    zh 用 `reelctl hand-over off` 收回。

    en {1} can only be read.
    de {1} ist nur lesbar.
    zh {1} 只能读取。

    en The card may be locked, worn out, or mounted so after an error: see `dmesg`, and try \
    another card.
    de Die Karte kann gesperrt oder abgenutzt sein, oder nach einem Fehler so eingehängt: \
    siehe `dmesg`, und eine andere Karte versuchen.
    zh 存储卡可能被锁定、磨损，或因错误以只读方式挂载：见 `dmesg`，并换一张卡试试。

    en {1} takes recordings.
    de {1} nimmt Aufnahmen an.
    zh {1} 可以存放录音。

    en {1} is kept in memory: recordings are gone after a restart.
    de {1} liegt im Arbeitsspeicher: Aufnahmen sind nach einem Neustart weg.
    zh {1} 在内存中：重启后录音会丢失。

    en Mount a card or a disk there, or turn the overlay off (raspi-config).
    de Dort eine Karte oder Platte einhängen, oder das Overlay abschalten (raspi-config).
    zh 请在那里挂载存储卡或磁盘，或关闭 overlay（raspi-config）。

    en {1} of {2} free: {3} of sound.
    de {1} von {2} frei: {3} Ton.
    zh {2} 中可用 {1}：可录 {3}。

    en {1} of {2} free.
    de {1} von {2} frei.
    zh {2} 中可用 {1}。

    en {1} free: {2} of sound.
    de {1} frei: {2} Ton.
    zh 可用 {1}：可录 {2}。

    en Delete recordings and `reelctl trash empty`, or put in a larger card.
    de Aufnahmen löschen und `reelctl trash empty`, oder eine größere Karte einlegen.
    zh 删除录音并执行 `reelctl trash empty`，或换更大的存储卡。

    en Measured but a little: {1*}.
    de Nur wenig gemessen: {1}.
    zh 仅少量测量：{1}。

    en Not measured: {1*}.
    de Nicht gemessen: {1}.
    zh 未测量：{1}。

    en Try another card; see `dmesg` for what the kernel says of it.
    de Eine andere Karte versuchen; `dmesg` zeigt, was der Kernel meldet.
    zh 换一张卡试试；`dmesg` 会显示内核的信息。

    en {1} a second; a sync takes {2}, the longest wait was {3} in {4} s.
    de {1} je Sekunde; ein Sync dauert {2}, die längste Wartezeit war {3} in {4} s.
    zh 每秒 {1}；一次同步 {2}，{4} 秒内最长等待 {3}。

    en A sync takes {1}, the longest wait was {2} in {3} s.
    de Ein Sync dauert {1}, die längste Wartezeit war {2} in {3} s.
    zh 一次同步 {1}，{3} 秒内最长等待 {2}。

    en A recording waits for that and loses nothing, but a power cut then costs more than a \
    second: try a card that is made for cameras or boards.
    de Eine Aufnahme wartet darauf und verliert nichts, aber ein Stromausfall kostet dann \
    mehr als eine Sekunde: eine Karte für Kameras oder Platinen versuchen.
    zh 录音会等待且不丢失，但断电会损失超过一秒：请试用相机或开发板专用的存储卡。

    en That is slow: try another card.
    de Das ist langsam: eine andere Karte versuchen.
    zh 速度慢：请换一张卡。

    en It was not checked.
    de Nicht geprüft.
    zh 未检查。

    en {1} is there; it is opened when a recording begins (armed).
    de {1} ist da und wird zu Beginn einer Aufnahme geöffnet (armed).
    zh {1} 已接入；开始录音时才打开（armed）。

    en {1}: nothing arrives.
    de {1}: Es kommt nichts an.
    zh {1}：没有数据。

    en Pull it out and plug it in again; another port or hub may help.
    de Abziehen und wieder anstecken; ein anderer Anschluss oder Hub kann helfen.
    zh 拔下重新插上；换端口或集线器或有帮助。

    en {1}: only silence arrives.
    de {1}: Es kommt nur Stille an.
    zh {1}：只有静音。

    en See whether it is muted (`alsamixer`), switched on, and in the right socket.
    de Prüfen, ob es stumm geschaltet (`alsamixer`), eingeschaltet und in der richtigen \
    Buchse ist.
    zh 检查是否静音（`alsamixer`）、是否打开、插孔是否正确。

    en the loudest of a second was {1} dB
    de das Lauteste einer Sekunde war {1} dB
    zh 一秒内最大 {1} dB

    en {1}: {2*}, and that is too loud.
    de {1}: {2}, und das ist zu laut.
    zh {1}：{2}，声音过大。

    en Step its level down (`alsamixer`), or set capture in reel.json.
    de Den Pegel senken (`alsamixer`), oder levels in reel.json setzen.
    zh 调低电平（`alsamixer`），或在 reel.json 中设置。

    en There is nothing to play on; recording needs none.
    de Es gibt kein Gerät zur Wiedergabe; die Aufnahme braucht keines.
    zh 没有播放设备；录音不需要。

    en No buttons and lights are configured.
    de Es sind keine Tasten und Leuchten konfiguriert.
    zh 没有配置按钮和指示灯。

    en {1} is being opened; ask again in a moment.
    de {1} wird geöffnet; gleich noch einmal fragen.
    zh 正在打开 {1}；请稍后再查。

    en The microphone is being looked for; ask again in a moment.
    de Das Mikrofon wird gesucht; gleich noch einmal fragen.
    zh 正在查找麦克风；请稍后再查。

    en No microphone has been found.
    de Es wurde kein Mikrofon gefunden.
    zh 未找到麦克风。

    en reeld was started by hand; nothing starts it again.
    de reeld wurde von Hand gestartet; nichts startet es neu.
    zh reeld 是手动启动的；不会自动重启。

    en reeld runs, but has had to be started again {1*}.
    de reeld läuft, musste aber {1} neu gestartet werden.
    zh reeld 正在运行，但曾重启 {1}。

    en once
    de einmal
    zh 一次

    en {1} times
    de {1}-mal
    zh {1} 次

    en See why with `journalctl -u reeld -x`; what it recorded is repaired and kept.
    de Den Grund zeigt `journalctl -u reeld -x`; das Aufgenommene ist repariert und bleibt \
    erhalten.
    zh 原因见 `journalctl -u reeld -x`；已录内容已修复并保留。

    en reeld runs, but is not started when the board is.
    de reeld läuft, startet aber nicht mit dem Gerät.
    zh reeld 正在运行，但不会随开机启动。

    en Run `systemctl enable reeld`.
    de `systemctl enable reeld` ausführen.
    zh 请执行 `systemctl enable reeld`。

    en reeld runs, and is started when the board is.
    de reeld läuft und startet mit dem Gerät.
    zh reeld 正在运行，并随开机启动。

    en reeld is stopped.
    de reeld ist angehalten.
    zh reeld 已停止。

    en Run `systemctl {1} reeld`.
    de `systemctl {1} reeld` ausführen.
    zh 请执行 `systemctl {1} reeld`。

    en reeld could not go on ({1*}).
    de reeld konnte nicht weiterlaufen ({1}).
    zh reeld 无法继续运行（{1}）。

    en See why with `journalctl -u reeld -x`, then `systemctl restart reeld`.
    de Den Grund zeigt `journalctl -u reeld -x`, danach `systemctl restart reeld`.
    zh 原因见 `journalctl -u reeld -x`，然后执行 `systemctl restart reeld`。

    en its configuration has a mistake
    de die Konfiguration enthält einen Fehler
    zh 配置有错误

    en exit status {1}
    de Endestatus {1}
    zh 退出状态 {1}

    en There is no service reeld on this system.
    de Auf diesem System gibt es keinen Dienst reeld.
    zh 此系统没有 reeld 服务。

    en Install the package reel.
    de Das Paket reel installieren.
    zh 请安装软件包 reel。

    en There is no systemd here to ask.
    de Hier gibt es kein systemd, das gefragt werden kann.
    zh 这里没有 systemd 可查询。

    en There is no {1}: everything has its default.
    de {1} gibt es nicht: Alles hat seinen Standardwert.
    zh 没有 {1}：全部使用默认值。

    en {1} is understood.
    de {1} ist in Ordnung.
    zh {1} 可以理解。

    en Correct it: reeld does not start with it. `reeld --check-config` lists all.
    de Berichtigen: Damit startet reeld nicht. `reeld --check-config` zeigt alle Fehler.
    zh 请更正：reeld 无法以此启动。`reeld --check-config` 列出全部错误。

    en Virtual sound needs no priority and no locked memory.
    de Virtueller Ton braucht keine Priorität und keinen gesperrten Speicher.
    zh 虚拟声音不需要优先级和锁定内存。

    en The sound threads have their priority, and their memory.
    de Die Audio-Threads haben ihre Priorität und ihren Speicher.
    zh 声音线程已获得优先级和内存。

    en {1} may have a realtime priority of {2} at most; {3} is needed.
    de {1} darf höchstens die Echtzeitpriorität {2} haben; nötig ist {3}.
    zh {1} 的实时优先级最多为 {2}；需要 {3}。

    en Set LimitRTPRIO=60 in the unit, or rtprio in /etc/security/limits.d for a login.
    de In der Unit LimitRTPRIO=60 setzen, oder für eine Anmeldung rtprio in \
    /etc/security/limits.d.
    zh 在单元中设置 LimitRTPRIO=60，或在 /etc/security/limits.d 中为登录设置 rtprio。

    en {1} may lock {2} of memory; {3} are needed.
    de {1} darf {2} Speicher sperren; nötig sind {3}.
    zh {1} 可锁定 {2} 内存；需要 {3}。

    en Set LimitMEMLOCK=256M in the unit, or memlock in /etc/security/limits.d for a login.
    de In der Unit LimitMEMLOCK=256M setzen, oder für eine Anmeldung memlock in \
    /etc/security/limits.d.
    zh 在单元中设置 LimitMEMLOCK=256M，或在 /etc/security/limits.d 中为登录设置 memlock。

    en {1} may have priority {2}, and lock memory.
    de {1} darf Priorität {2} haben und Speicher sperren.
    zh {1} 可使用优先级 {2} 并锁定内存。

    en Set, and right to {1}.
    de Gestellt, auf {1} genau.
    zh 已校准，精确到 {1}。

    en Set.
    de Gestellt.
    zh 已校准。

    en It is not set: recordings are numbered, but their times may be wrong.
    de Nicht gestellt: Aufnahmen sind nummeriert, aber ihren Zeiten ist nicht zu trauen.
    zh 未校准：录音有编号，但时间不可信。

    en Connect the board to a network with a time service (systemd-timesyncd or chrony), or \
    fit a clock with a battery.
    de Das Gerät mit einem Netz mit Zeitdienst verbinden (systemd-timesyncd oder chrony) oder \
    eine Uhr mit Batterie einbauen.
    zh 将设备连接到有时间服务的网络（systemd-timesyncd 或 chrony），或安装带电池的时钟。

    en It cannot be asked here whether it is set.
    de Hier lässt sich nicht feststellen, ob sie gestellt ist.
    zh 这里无法查询是否已校准。

    en {1} °C: the board slows itself down.
    de {1} °C: Das Gerät drosselt sich.
    zh {1} °C：设备正在降频。

    en Give it air, or a heat sink.
    de Für Luft oder einen Kühlkörper sorgen.
    zh 请加强通风或加装散热片。

    en The root directory is kept in memory: only what is mounted elsewhere outlasts a restart.
    de Das Wurzelverzeichnis liegt im Arbeitsspeicher: Nur anderswo Eingehängtes übersteht \
    einen Neustart.
    zh 根目录在内存中：只有挂载在别处的内容能在重启后保留。

    en Use a supply made for this board, and a short, thick cable.
    de Ein passendes Netzteil und ein kurzes, dickes Kabel verwenden.
    zh 请使用此板专用电源和短而粗的线。

    en The supply has been well since the board started.
    de Die Stromversorgung war seit dem Start in Ordnung.
    zh 开机以来供电正常。

    en The supply is too weak at this moment.
    de Die Stromversorgung ist gerade zu schwach.
    zh 此刻供电不足。

    en The supply has been too weak since the board started.
    de Die Stromversorgung war seit dem Start schon zu schwach.
    zh 开机以来曾供电不足。

    en The board slows itself down at this moment.
    de Das Gerät drosselt sich gerade.
    zh 设备此刻正在降频。

    en Give it air.
    de Für Luft sorgen.
    zh 请加强通风。

    en The board has slowed itself down since it started.
    de Das Gerät hat sich seit dem Start gedrosselt.
    zh 开机以来设备曾降频。

    en This board does not tell how its supply is.
    de Dieses Gerät meldet nicht, wie seine Stromversorgung ist.
    zh 此板不报告供电情况。

    en {1} did not look to the end.
    de {1} hat nicht bis zum Ende geprüft.
    zh {1} 没有检查完。

    en Nothing else was looked at: {1} cannot be run. Install the package reel.
    de Sonst wurde nichts geprüft: {1} lässt sich nicht starten. Das Paket reel installieren.
    zh 其余未检查：无法运行 {1}。请安装软件包 reel。

    en service
    de Dienst
    zh 服务

    en configuration
    de Konfiguration
    zh 配置

    en space
    de Platz
    zh 空间
    """ + "\n\n" + doctorSentencesMore
}
