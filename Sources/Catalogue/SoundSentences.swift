// What the sound devices and sound files report.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let soundSentences = """
    en be opened
    de geöffnet werden
    zh 打开

    en be set up
    de eingerichtet werden
    zh 设置

    en be started
    de gestartet werden
    zh 启动

    en keep its own rate
    de die eigene Rate behalten
    zh 保持自身采样率

    en be used frame by frame
    de Frame für Frame benutzt werden
    zh 逐帧使用

    en take its format
    de das Format annehmen
    zh 接受该格式

    en take a rate
    de eine Rate annehmen
    zh 接受采样率

    en take that many channels
    de so viele Kanäle annehmen
    zh 接受这么多声道

    en take its channels
    de die Kanäle annehmen
    zh 接受声道

    en take a buffer
    de einen Puffer annehmen
    zh 接受缓冲区

    en take a period
    de eine Periode annehmen
    zh 接受周期

    en wake us by the period
    de je Periode wecken
    zh 按周期唤醒

    en start when told
    de auf Befehl starten
    zh 按命令启动

    en stop when full
    de anhalten, wenn voll
    zh 满时停止

    en Ask {1} for 1 to {2} of its channels, counted from 0, and for a rate.
    de {1} um 1 bis {2} Kanäle, gezählt ab 0, und um eine Rate bitten.
    zh 请向 {1} 要求 1 至 {2} 个声道（从 0 数起）和采样率。

    en A take has one to {1} tracks; {2} are asked for.
    de Eine Aufnahme hat eine bis {1} Spuren; verlangt sind {2}.
    zh 一次录音有一至 {1} 条音轨；要求的是 {2} 条。

    en The track {1} needs channel {2}, and the device has {3}.
    de Die Spur {1} braucht Kanal {2}; das Gerät hat {3}.
    zh 音轨 {1} 需要第 {2} 声道；设备有 {3} 个声道。

    en The low cut of the track {1} must be below half of {2} Hz.
    de Der Tiefenfilter der Spur {1} muss unter der Hälfte von {2} Hz liegen.
    zh 音轨 {1} 的低切频率必须低于 {2} Hz 的一半。

    en {1} has none of the sample formats that are wanted.
    de {1} hat keines der gewünschten Abtastformate.
    zh {1} 没有所需的采样格式。

    en {1} has {2} channels, and the configuration needs {3}.
    de {1} hat {2} Kanäle; die Konfiguration braucht {3}.
    zh {1} 有 {2} 个声道；配置需要 {3} 个。

    en There is no sound card or device called {1}.
    de Es gibt keine Soundkarte und kein Gerät namens {1}.
    zh 没有名为 {1} 的声卡或设备。

    en There is no sound card at all; is it plugged in?
    de Es gibt gar keine Soundkarte; ist sie angesteckt?
    zh 没有任何声卡；是否已插好？

    en There is: {1*}
    de Vorhanden: {1}
    zh 现有：{1}

    en The sound card {1} was pulled out; plug it in again.
    de Die Soundkarte {1} wurde abgezogen; wieder anstecken.
    zh 声卡 {1} 被拔出；请重新插上。

    en {1} has no mixer, so its levels stay as they are.
    de {1} hat keinen Mixer; die Pegel bleiben, wie sie sind.
    zh {1} 没有混音器，电平保持不变。

    en {1} has no control called {2}; it has {3}.
    de {1} hat keinen Regler {2}, aber {3}.
    zh {1} 没有控件 {2}；有 {3}。

    en {1} cannot set {2} for {3} at its control {4}.
    de {1} kann {2} für {3} am Regler {4} nicht setzen.
    zh {1} 无法在控件 {4} 上为 {3} 设置 {2}。

    en Sound at {1} Hz in {2} channels cannot be played.
    de Ton mit {1} Hz in {2} Kanälen kann nicht wiedergegeben werden.
    zh 无法播放 {1} Hz、{2} 声道的声音。

    en {1} ends {2} s before its end: the rest of the file is missing.
    de {1} endet {2} s vor dem Ende: Der Rest der Datei fehlt.
    zh {1} 提前 {2} 秒结束：文件其余部分缺失。

    en The greeting cannot be played: {1*}
    de Die Ansage kann nicht wiedergegeben werden: {1}
    zh 无法播放问候语：{1}

    en The speaker is gone ({1}).
    de Der Lautsprecher ist weg ({1}).
    zh 扬声器已断开（{1}）。

    en The speaker does not answer.
    de Der Lautsprecher antwortet nicht.
    zh 扬声器没有响应。

    en {1} delivers no sound.
    de {1} liefert keinen Ton.
    zh {1} 没有声音。

    en delivers no sound
    de liefert keinen Ton
    zh 没有声音

    en was unplugged or failed
    de wurde abgezogen oder fiel aus
    zh 被拔出或发生故障

    en The sound device does not answer.
    de Das Audiogerät antwortet nicht.
    zh 音频设备没有响应。

    en The tone for {1} is the built-in one: {2*}
    de Der Ton für {1} ist der eingebaute: {2}
    zh {1} 的提示音使用内置音：{2}

    en {1} has {2} channels at {3} Hz, and the virtual microphone is asked for {4} at {5}.
    de {1} hat {2} Kanäle mit {3} Hz, und vom virtuellen Mikrofon werden {4} mit {5} verlangt.
    zh {1} 有 {2} 声道，{3} Hz，而虚拟麦克风被要求 {4} 声道，{5} Hz。

    en The virtual speaker is pulled out.
    de Der virtuelle Lautsprecher ist abgezogen.
    zh 虚拟扬声器已拔出。

    en The loudness of {1} channels at {2} Hz cannot be measured.
    de Die Lautheit von {1} Kanälen mit {2} Hz lässt sich nicht messen.
    zh 无法测量 {1} 声道、{2} Hz 的响度。

    en The last split is not finished yet.
    de Die letzte Teilung ist noch nicht fertig.
    zh 上一次分段尚未完成。

    en There is no memory for another recording.
    de Für eine weitere Aufnahme fehlt Speicher.
    zh 内存不足以再录一条。

    en There is no memory for the next page.
    de Für die nächste Seite fehlt Speicher.
    zh 内存不足以写下一页。

    en This is not an Ogg Opus file in mono or stereo.
    de Dies ist keine Ogg-Opus-Datei in Mono oder Stereo.
    zh 这不是单声道或立体声的 Ogg Opus 文件。

    en The Opus encoder refused: {1}.
    de Der Opus-Kodierer lehnte ab: {1}.
    zh Opus 编码器拒绝：{1}。

    en The FLAC encoder refused {1}.
    de Der FLAC-Kodierer lehnte ab: {1}.
    zh FLAC 编码器拒绝：{1}。

    en The FLAC encoder failed: {1}.
    de Der FLAC-Kodierer versagte: {1}.
    zh FLAC 编码器出错：{1}。

    en There is no memory for a FLAC encoder.
    de Für einen FLAC-Kodierer reicht der Speicher nicht.
    zh 内存不足，无法使用 FLAC 编码器。

    en There is no memory for a FLAC decoder.
    de Für einen FLAC-Dekodierer reicht der Speicher nicht.
    zh 内存不足，无法使用 FLAC 解码器。

    en This FLAC stream cannot be decoded.
    de Dieser FLAC-Strom lässt sich nicht dekodieren.
    zh 无法解码此 FLAC 流。

    en This is not an Opus or FLAC file whose tags can be changed.
    de Dies ist keine Opus- oder FLAC-Datei mit änderbaren Tags.
    zh 这不是可更改标签的 Opus 或 FLAC 文件。

    en This is not a FLAC file whose tags can be changed.
    de Dies ist keine FLAC-Datei mit änderbaren Tags.
    zh 这不是可更改标签的 FLAC 文件。

    en This is not a FLAC file whose header can be changed.
    de Dies ist keine FLAC-Datei mit änderbarem Kopf.
    zh 这不是可更改文件头的 FLAC 文件。

    en There is no room in this file for more tags.
    de In dieser Datei ist kein Platz für weitere Tags.
    zh 此文件没有空间容纳更多标签。

    en There is no memory to open {1}.
    de Zum Öffnen von {1} fehlt Speicher.
    zh 内存不足，无法打开 {1}。

    en {1} is not an Ogg Opus file.
    de {1} ist keine Ogg-Opus-Datei.
    zh {1} 不是 Ogg Opus 文件。

    en {1} is a kind of Opus file that cannot be played.
    de {1} ist eine Art von Opus-Datei, die nicht wiedergegeben werden kann.
    zh {1} 是无法播放的 Opus 文件。

    en {1} is damaged and cannot be played (libopusfile {2}).
    de {1} ist beschädigt und kann nicht wiedergegeben werden (libopusfile {2}).
    zh {1} 已损坏，无法播放（libopusfile {2}）。

    en {1} exists already.
    de {1} gibt es schon.
    zh {1} 已存在。

    en {1} is not sound that can be read ({2})
    de {1} ist kein lesbarer Ton ({2})
    zh {1} 不是可读取的声音（{2}）

    en {1} cannot be played from another place.
    de {1} kann nicht von einer anderen Stelle wiedergegeben werden.
    zh {1} 无法从其他位置播放。

    en Sound at {1} Hz cannot be converted to {2} Hz.
    de Ton mit {1} Hz kann nicht in {2} Hz umgewandelt werden.
    zh 无法将 {1} Hz 的声音转换为 {2} Hz。

    en This system cannot write {1} at {2} Hz in {3} channels.
    de Dieses System kann {1} mit {2} Hz in {3} Kanälen nicht schreiben.
    zh 此系统无法写入 {2} Hz、{3} 声道的 {1}。

    en The recording's title, marks and other tags are too long to keep.
    de Titel, Marken und andere Tags der Aufnahme sind zu lang.
    zh 录音的标题、标记和其他标签过长，无法保存。

    en {1} cannot {2*}: {3*}
    de {1} kann nicht {2}: {3}
    zh {1} 无法{2}：{3}

    en another program is using it.
    de ein anderes Programm benutzt es.
    zh 正被其他程序使用。

    en permission is missing; add the user to the group audio.
    de die Berechtigung fehlt; den Benutzer in die Gruppe audio aufnehmen.
    zh 没有权限；请将用户加入 audio 组。

    en it is not there.
    de es ist nicht da.
    zh 它不存在。

    en its driver does not support that.
    de der Treiber unterstützt das nicht.
    zh 驱动程序不支持。

    en error {1}
    de Fehler {1}
    zh 错误 {1}
    """
}
