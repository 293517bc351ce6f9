// Why a request is refused.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let refusalSentences = """
    en A recording is running already.
    de Es läuft schon eine Aufnahme.
    zh 已经在录音。

    en Too many requests are under way; try again in a moment.
    de Zu viele Anfragen auf einmal; gleich noch einmal versuchen.
    zh 请求太多；请稍后再试。

    en A computer has the card; `hand-over off` takes it back.
    de Ein Computer hat die Karte; `hand-over off` holt sie zurück.
    zh 存储卡在电脑上；用 `hand-over off` 收回。

    en The card cannot be used; `reelctl doctor` says what is wrong with it.
    de Die Karte ist nicht benutzbar; `reelctl doctor` sagt, was ihr fehlt.
    zh 存储卡无法使用；`reelctl doctor` 会说明原因。

    en The card is full; delete recordings, empty the trash, or put in another card.
    de Die Karte ist voll; Aufnahmen löschen, den Papierkorb leeren oder eine andere Karte \
    einlegen.
    zh 存储卡已满；请删除录音、清空回收站或更换存储卡。

    en The card can be read but not written; check its lock, or replace it.
    de Die Karte ist lesbar, aber nicht beschreibbar; Schreibschutz prüfen oder Karte tauschen.
    zh 存储卡可读但不可写；请检查写保护开关或更换存储卡。

    en This folder is full; make another one.
    de Dieser Ordner ist voll; einen weiteren anlegen.
    zh 此文件夹已满；请另建一个。

    en A folder cannot be moved into itself.
    de Ein Ordner kann nicht in sich selbst verschoben werden.
    zh 文件夹不能移入自身。

    en The panel is locked; move the hold switch.
    de Das Bedienfeld ist gesperrt; den Sperrschalter umlegen.
    zh 面板已锁定；请拨动锁定开关。

    en This console may look but not change anything; see `access` in reel.json.
    de Diese Konsole darf nur lesen, nichts ändern; siehe `access` in reel.json.
    zh 此控制台只能查看，不能更改；见 reel.json 的 `access`。

    en There is a folder of that name here already.
    de Hier gibt es schon einen Ordner dieses Namens.
    zh 这里已有同名文件夹。

    en There is no sound device to record from; plug one in.
    de Kein Audiogerät für die Aufnahme vorhanden; eines anschließen.
    zh 没有可录音的音频设备；请接上一个。

    en There is no sound device to record from: {1}
    de Kein Audiogerät für die Aufnahme vorhanden: {1}
    zh 没有可录音的音频设备：{1}

    en The sound device delivers no sound; plug it in again, or start the sound server anew.
    de Das Audiogerät liefert keinen Ton; neu anstecken oder den Audioserver neu starten.
    zh 音频设备没有声音；请重新插接，或重启声音服务。

    en There is no such mark.
    de Diese Marke gibt es nicht.
    zh 没有这个标记。

    en A name needs at least one visible character, and at most 1,000 bytes.
    de Ein Name braucht mindestens ein sichtbares Zeichen und hat höchstens 1.000 Byte.
    zh 名称至少要有一个可见字符，最多 1,000 字节。

    en The page for browsers does not answer; `reelctl web on` turns it on, if reel-web is \
    installed.
    de Die Seite für Browser antwortet nicht; `reelctl web on` schaltet sie ein, falls reel-web \
    installiert ist.
    zh 浏览器页面没有响应；若已安装 reel-web，用 `reelctl web on` 打开。

    en There is no sound device to play on, or it cannot play while recording.
    de Kein Audiogerät zur Wiedergabe vorhanden, oder es kann während der Aufnahme nicht \
    wiedergeben.
    zh 没有播放设备，或录音时无法播放。

    en There is no such folder or recording any more.
    de Diesen Ordner oder diese Aufnahme gibt es nicht mehr.
    zh 该文件夹或录音已不存在。

    en Nothing is playing.
    de Es läuft keine Wiedergabe.
    zh 没有正在播放的内容。

    en There is no recording here to play.
    de Hier gibt es keine Aufnahme zur Wiedergabe.
    zh 这里没有可播放的录音。

    en There is nothing to undo.
    de Es gibt nichts rückgängig zu machen.
    zh 没有可撤销的操作。

    en That is not in the trash.
    de Das liegt nicht im Papierkorb.
    zh 它不在回收站中。

    en The card is still being opened; try again in a moment.
    de Die Karte wird noch geöffnet; gleich noch einmal versuchen.
    zh 存储卡仍在打开；请稍后再试。

    en No recording is running.
    de Es läuft keine Aufnahme.
    zh 没有正在进行的录音。

    en The root folder and the trash stay as they are.
    de Der oberste Ordner und der Papierkorb bleiben, wie sie sind.
    zh 根文件夹和回收站不能更改。

    en Reel is shutting down.
    de Reel wird beendet.
    zh Reel 正在关闭。

    en It is still being recorded; stop the recording first.
    de Die Aufnahme läuft noch; zuerst stoppen.
    zh 它仍在录音；请先停止录音。

    en Folders are nested too deeply here.
    de Die Ordner sind hier zu tief verschachtelt.
    zh 此处文件夹嵌套过深。

    en Notes have at most 4,000 bytes; a place or a speaker has at most 200.
    de Notizen haben höchstens 4.000 Byte, Ort und Sprecher höchstens 200.
    zh 备注最多 4,000 字节；地点和讲话人最多 200 字节。

    en This recording has as many marks as one may have.
    de Diese Aufnahme hat schon so viele Marken wie möglich.
    zh 此录音的标记数已达上限。
    """
}
