// The sentences of copies on other machines: why one failed, and what to do.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let linkSentences = """
    en This machine has no memory or descriptors left for a transfer; it is tried again.
    de Diese Maschine hat keinen Speicher oder keine Deskriptoren für eine Übertragung frei; sie \
    wird erneut versucht.
    zh 本机没有内存或描述符可用于传输；稍后重试。

    en {1} shows another host key than before, {2}: if the server was set up anew, write this as \
    'hostKey'; otherwise another machine answers.
    de {1} zeigt einen anderen Host-Schlüssel als bisher, {2}: Wurde der Server neu eingerichtet, \
    diesen als 'hostKey' eintragen; sonst antwortet eine andere Maschine.
    zh {1} 出示的主机密钥与以前不同：{2}。如果服务器已重新安装，请将其写入 'hostKey'；否则应答的是另一台机器。

    en {1} sends its clients to another server ({2}); write that as 'url' if it is the right one, \
    or check 'region'.
    de {1} schickt seine Clients zu einem anderen Server ({2}); diesen als 'url' eintragen, wenn \
    er der richtige ist, oder 'region' prüfen.
    zh {1} 将客户端转到另一台服务器（{2}）；如果它是正确的，请将其写入 'url'，或检查 'region'。

    en {1} says that the clock of this machine is wrong; set it, or start a time service.
    de {1} meldet, dass die Uhr dieser Maschine falsch geht; stellen oder einen Zeitdienst starten.
    zh {1} 报告本机时钟不正确；请校准，或启动时间服务。

    en {1} refuses the user or the secret; check 'user' and 'credential'.
    de {1} lehnt den Benutzer oder das Geheimnis ab; 'user' und 'credential' prüfen.
    zh {1} 拒绝该用户或密钥；请检查 'user' 和 'credential'。

    en {1} has no space left, or the quota is used up; make room there.
    de {1} hat keinen Platz mehr, oder das Kontingent ist aufgebraucht; dort Platz schaffen.
    zh {1} 没有剩余空间，或配额已用完；请在那里腾出空间。

    en {1} has no bucket “{2}”; make it there, or correct 'bucket'.
    de {1} hat keinen Bucket „{2}“; dort anlegen oder 'bucket' berichtigen.
    zh {1} 没有存储桶“{2}”；请在那里创建，或更正 'bucket'。

    en {1} failed ({2}); it is tried again.
    de {1} ist gescheitert ({2}); es wird erneut versucht.
    zh {1} 失败（{2}）；稍后重试。

    en {1} failed (status {2}); it is tried again.
    de {1} ist gescheitert (Status {2}); es wird erneut versucht.
    zh {1} 失败（状态 {2}）；稍后重试。

    en {1} failed: {2}; it is tried again.
    de {1} ist gescheitert: {2}; es wird erneut versucht.
    zh {1} 失败：{2}；稍后重试。

    en {1} does not let this user write there; check the rights, or 'url'.
    de {1} lässt diesen Benutzer dort nicht schreiben; die Rechte oder 'url' prüfen.
    zh {1} 不允许该用户在那里写入；请检查权限或 'url'。

    en {1} cannot put the pieces of the file together; it is sent again later.
    de {1} kann die Teile der Datei nicht zusammensetzen; sie wird später erneut gesendet.
    zh {1} 无法把文件的各个分块合并；稍后重新发送。

    en {1} cannot be reached, or the connection broke ({2}); it is tried again.
    de {1} ist nicht erreichbar, oder die Verbindung brach ab ({2}); es wird erneut versucht.
    zh 无法连接 {1}，或连接中断（{2}）；稍后重试。

    en {1} answers with more than a server does; check the address, or a proxy.
    de {1} antwortet mit mehr, als ein Server es tut; die Adresse oder einen Proxy prüfen.
    zh {1} 的应答超出服务器应有的长度；请检查地址或代理。

    en The target {1} cannot work as it is configured ({2}); check its keys.
    de Das Ziel {1} kann so nicht arbeiten ({2}); seine Schlüssel in der Konfiguration prüfen.
    zh 目标 {1} 按当前配置无法工作（{2}）；请检查其配置项。

    en The name {1} is not found; check the address and the network.
    de Der Name {1} wird nicht gefunden; die Adresse und das Netz prüfen.
    zh 找不到名称 {1}；请检查地址和网络。

    en The certificate of {1} is not trusted or not the pinned one; check the clock, 'ca' and 'pin'.
    de Das Zertifikat von {1} ist nicht vertrauenswürdig oder nicht das festgelegte; die Uhr, \
    'ca' und 'pin' prüfen.
    zh {1} 的证书不受信任，或不是指定的证书；请检查时钟、'ca' 和 'pin'。

    en The card cannot be read or written: {1}.
    de Die Karte lässt sich nicht lesen oder beschreiben: {1}.
    zh 无法读写存储卡：{1}。

    en {1} does not know this address, or cannot do what is needed (status {2}); check 'kind' and \
    'url'.
    de {1} kennt diese Adresse nicht oder kann nicht, was nötig ist (Status {2}); 'kind' und \
    'url' prüfen.
    zh {1} 不认识该地址，或不支持所需功能（状态 {2}）；请检查 'kind' 和 'url'。

    en {1} does not accept the name or the file (status {2}); rename the recording.
    de {1} nimmt den Namen oder die Datei nicht an (Status {2}); die Aufnahme umbenennen.
    zh {1} 不接受该名称或文件（状态 {2}）；请重命名录音。

    en {1} asks to wait; it is tried again.
    de {1} bittet zu warten; es wird erneut versucht.
    zh {1} 要求等待；稍后重试。

    en {1} accepts no file that large; raise its limit.
    de {1} nimmt keine so große Datei an; die Grenze dort anheben.
    zh {1} 不接受这么大的文件；请提高其限制。

    en The sound on the card is not what was recorded, so it is not sent; check it with 'reelctl \
    verify'.
    de Der Ton auf der Karte ist nicht, was aufgenommen wurde; er wird nicht gesendet. Mit \
    'reelctl verify' prüfen.
    zh 存储卡上的声音与录制时不同，因此不发送；请用 'reelctl verify' 检查。

    en The name “{1}” cannot be used at a server; rename the folder or the recording.
    de Der Name „{1}“ ist auf einem Server nicht möglich; den Ordner oder die Aufnahme umbenennen.
    zh 名称“{1}”不能用于服务器；请重命名文件夹或录音。

    en A copy lies in at most {1} folders; move the recording further up.
    de Eine Kopie liegt in höchstens {1} Ordnern; die Aufnahme weiter nach oben verschieben.
    zh 副本最多位于 {1} 层文件夹中；请将录音移到上层。

    en The host key of {1} cannot be remembered: {2}.
    de Der Host-Schlüssel von {1} lässt sich nicht merken: {2}.
    zh 无法记住 {1} 的主机密钥：{2}。

    en The credential “{1}” of {2} cannot be used: {3}; see 'credential'.
    de Das Geheimnis „{1}“ von {2} ist nicht brauchbar: {3}; siehe 'credential'.
    zh 无法使用 {2} 的凭据“{1}”：{3}；请见 'credential'。

    en systemd gave no credentials
    de systemd hat keine Geheimnisse übergeben
    zh systemd 未提供凭据

    en it is more than a line
    de es ist mehr als eine Zeile
    zh 超过一行

    en it is empty
    de es ist leer
    zh 内容为空

    en The card cannot keep what is fetched: {1}.
    de Die Karte kann das Geholte nicht aufnehmen: {1}.
    zh 存储卡无法保存取回的内容：{1}。

    en {1} does not accept the name; rename the recording.
    de {1} nimmt den Namen nicht an; die Aufnahme umbenennen.
    zh {1} 不接受该名称；请重命名录音。

    en {1} cannot be written: {2}; check its rights.
    de {1} ist nicht beschreibbar: {2}; die Rechte prüfen.
    zh 无法写入 {1}：{2}；请检查权限。

    en The disk “{1}” of {2} is not there; plug it in.
    de Der Datenträger „{1}“ von {2} ist nicht da; einstecken.
    zh {2} 的磁盘“{1}”不在；请插入。

    en The directory {1} of {2} is not there; mount it.
    de Das Verzeichnis {1} von {2} ist nicht da; einhängen.
    zh {2} 的目录 {1} 不存在；请挂载。

    en No disk is mounted for {1}; mount it, or set 'mounted' to false if the directory is none.
    de Für {1} ist kein Datenträger eingehängt; einhängen, oder 'mounted' auf false setzen, wenn \
    das Verzeichnis keiner ist.
    zh {1} 没有挂载磁盘；请挂载，若该目录不是磁盘，请将 'mounted' 设为 false。

    en What was read back is not what was sent; the recording is sent again later.
    de Was zurückgelesen wurde, ist nicht, was gesendet wurde; die Aufnahme wird später erneut \
    gesendet.
    zh 读回的内容与发送的不同；该录音稍后重新发送。

    en There are too many files named “{1}” at the target; rename the recording.
    de Am Ziel gibt es zu viele Dateien namens „{1}“; die Aufnahme umbenennen.
    zh 目标处名为“{1}”的文件过多；请重命名录音。

    en The server's answers to “{1}” contradict each other; check what else writes there.
    de Die Antworten des Servers auf „{1}“ widersprechen sich; prüfen, was dort sonst schreibt.
    zh 服务器对“{1}”的应答相互矛盾；请检查还有什么程序在那里写入。

    en The recording changed while it was sent; it is sent again later.
    de Die Aufnahme änderte sich beim Senden; sie wird später erneut gesendet.
    zh 录音在发送过程中发生变化；稍后重新发送。

    en The folder of the target is not there and cannot be made; check its 'url' or 'path'.
    de Der Ordner des Ziels ist nicht da und lässt sich nicht anlegen; 'url' oder 'path' prüfen.
    zh 目标的文件夹不存在，也无法创建；请检查 'url' 或 'path'。

    en “{1}” cannot be read, line {2}: {3*}; mend it, or delete it, and it is written anew.
    de „{1}“ ist nicht lesbar, Zeile {2}: {3}; berichtigen, oder löschen, dann wird sie neu \
    geschrieben.
    zh “{1}”无法读取，第 {2} 行：{3}；请修正，或将其删除，它会重新写入。

    en it is no object of JSON
    de sie ist kein Objekt von JSON
    zh 它不是 JSON 对象

    en "{1}" takes a text in quotes
    de "{1}" nimmt einen Text in Anführungszeichen
    zh "{1}" 需要引号中的文本

    en "{1}" is too long
    de "{1}" ist zu lang
    zh "{1}" 过长

    en "{1}" takes true or false
    de "{1}" nimmt true oder false
    zh "{1}" 只接受 true 或 false

    en "marks" takes a list of marks
    de "marks" nimmt eine Liste von Marken
    zh "marks" 需要标记的列表

    en a mark is an object with "at", its second, and "name"
    de eine Marke ist ein Objekt mit "at", ihrer Sekunde, und "name"
    zh 标记是带有 "at"（秒）和 "name" 的对象

    en this mark lacks "at", its second
    de dieser Marke fehlt "at", ihre Sekunde
    zh 此标记缺少 "at"（秒）

    en a mark's place is a number
    de die Stelle einer Marke ist eine Zahl
    zh 标记的位置是数字

    en a mark's place is no such number
    de die Stelle einer Marke ist keine solche Zahl
    zh 标记的位置不能是这个数字

    en “{1}” keeps changing; it is looked at again later.
    de „{1}“ ändert sich immer wieder; sie wird später erneut angesehen.
    zh “{1}”不断变化；稍后再次查看。

    en Another program is writing “{1}”; it is looked at again later.
    de Ein anderes Programm schreibt „{1}“; sie wird später erneut angesehen.
    zh 另一个程序正在写“{1}”；稍后再次查看。

    en “{1}” is about another recording; move it away, or correct its "id".
    de „{1}“ handelt von einer anderen Aufnahme; wegräumen, oder "id" berichtigen.
    zh “{1}”属于另一条录音；请移开它，或更正其 "id"。

    en “{1}” cannot be written as JSON.
    de „{1}“ lässt sich nicht als JSON schreiben.
    zh “{1}”无法写成 JSON。

    en What was edited at {1} waits: {2*}
    de Was bei {1} geändert wurde, wartet: {2}
    zh 在 {1} 的修改正在等待：{2}

    en “{1}” is longer than 256 KiB and is not read; shorten it, or delete it.
    de „{1}“ ist länger als 256 KiB und wird nicht gelesen; kürzen oder löschen.
    zh “{1}”超过 256 KiB，不予读取；请缩短或删除。

    en What was last merged cannot be kept in the state directory: {1}.
    de Was zuletzt zusammengeführt wurde, lässt sich im Zustandsverzeichnis nicht merken: {1}.
    zh 上次合并的内容无法保存在状态目录中：{1}。
    """
}
