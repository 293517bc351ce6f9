// The words of answers and of help, which lines of text put together.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let answerWords = """
    en Answers are JSON now.
    de Antworten kommen jetzt als JSON.
    zh 现在以 JSON 回答。

    en Answers are text now.
    de Antworten kommen jetzt als Text.
    zh 现在以文本回答。

    en take
    de Aufnahme
    zh 录制

    en {1}, {2} marked
    de {1}, {2} Marke|{1}, {2} Marken
    zh {1}，{2} 个标记

    en sound was lost: {1} frames
    de Ton ging verloren: {1} Frames
    zh 有声音丢失：{1} 帧

    en too loud: clipping
    de zu laut: übersteuert
    zh 声音过大：削波

    en too loud: clipping in {1}
    de zu laut: {1} übersteuert
    zh 声音过大：{1} 削波

    en no sound is coming in
    de es kommt kein Ton an
    zh 没有声音输入

    en channel {1} is silent
    de Kanal {1} ist still
    zh 声道 {1} 无声

    en playing
    de Wiedergabe
    zh 播放

    en paused
    de Pause
    zh 暂停

    en {1}, {2} / {3}
    de {1}, {2} / {3}
    zh {1}，{2} / {3}

    en folder
    de Ordner
    zh 文件夹

    en recordings
    de Aufnahmen
    zh 录音

    en card
    de Karte
    zh 存储卡

    en {1} behind; nothing is lost
    de {1} im Rückstand; nichts geht verloren
    zh 落后 {1}；没有丢失

    en microphone
    de Mikrofon
    zh 麦克风

    en encoding
    de Kodieren
    zh 编码

    en {1} % of a processor core
    de {1} % eines Prozessorkerns
    zh 一个处理器核心的 {1} %

    en {1}; record fewer tracks, or set a lower rate, level or complexity
    de {1}; weniger Spuren aufnehmen oder rate, level oder complexity senken
    zh {1}；请减少音轨，或降低 rate、level 或 complexity

    en device
    de Gerät
    zh 设备

    en tracks
    de Spuren
    zh 音轨

    en {1} %
    de {1} %
    zh {1}%

    en {1}, nothing to play on
    de {1}, kein Gerät zur Wiedergabe
    zh {1}，没有播放设备

    en clock
    de Uhr
    zh 时钟

    en not set yet
    de noch nicht gestellt
    zh 尚未校准

    en panel
    de Bedienfeld
    zh 面板

    en locked
    de gesperrt
    zh 已锁定

    en notices
    de Meldungen
    zh 通知

    en {1} not seen; see `notices`
    de {1} ungesehen; siehe `notices`
    zh {1} 条未看；见 `notices`

    en ready
    de bereit
    zh 就绪

    en being opened
    de wird geöffnet
    zh 正在打开

    en full
    de voll
    zh 已满

    en can only be read
    de nur lesbar
    zh 只读

    en given to a computer
    de an einen Computer übergeben
    zh 已交给电脑

    en failed
    de ausgefallen
    zh 故障

    en {1} free
    de {1} frei
    zh 可用 {1}

    en none
    de keines
    zh 无

    en mono
    de mono
    zh 单声道

    en {1} channels
    de {1} Kanal|{1} Kanäle
    zh {1} 声道

    en {1}: {2}, {3} Hz, {4}, {5}
    de {1}: {2}, {3} Hz, {4}, {5}
    zh {1}：{2}，{3} Hz，{4}，{5}

    en track {1}
    de Spur {1}
    zh 音轨 {1}

    en {1}, {2} Hz, {3}, {4}
    de {1}, {2} Hz, {3}, {4}
    zh {1}，{2} Hz，{3}，{4}

    en {1}, {2} Hz, {3}
    de {1}, {2} Hz, {3}
    zh {1}，{2} Hz，{3}

    en {1}, closed
    de {1}, geschlossen
    zh {1}，已关闭

    en Nothing here.
    de Nichts hier.
    zh 这里没有内容。

    en {1} of {2}; go on with --from {3}
    de {1} von {2}; weiter mit --from {3}
    zh {1}/{2}；用 --from {3} 继续

    en no clock
    de ohne Uhrzeit
    zh 无时间

    en Nothing happened that was not seen.
    de Es gibt keine neuen Meldungen.
    zh 没有未看的通知。

    en down
    de gedrückt
    zh 按下

    en touched
    de berührt
    zh 触动

    en {1} edges
    de {1} Flanke|{1} Flanken
    zh {1} 次边沿

    en {1}, {2} strays
    de {1}, {2} Störimpulse
    zh {1}，{2} 次干扰

    en on
    de an
    zh 亮

    en The panel has no buttons and no lights.
    de Das Bedienfeld hat weder Tasten noch Leuchten.
    zh 面板没有按钮，也没有指示灯。

    en pressed
    de gedrückt
    zh 按下

    en released
    de losgelassen
    zh 松开

    en path
    de Pfad
    zh 路径

    en number
    de Nummer
    zh 编号

    en id
    de Kennung
    zh 标识

    en order
    de Reihenfolge
    zh 排序

    en file
    de Datei
    zh 文件

    en newest
    de neueste
    zh 最新

    en began
    de Beginn
    zh 开始

    en length
    de Länge
    zh 长度

    en sound
    de Ton
    zh 声音

    en heard
    de gehört
    zh 已听

    en yes
    de ja
    zh 是

    en no
    de nein
    zh 否

    en part
    de Teil
    zh 分段

    en {1}, goes on from the one before
    de {1}, setzt den vorigen fort
    zh {1}，接续上一段

    en place
    de Ort
    zh 地点

    en speaker
    de Sprecher
    zh 讲话人

    en notes
    de Notizen
    zh 备注

    en mark {1}
    de Marke {1}
    zh 标记 {1}

    en by name
    de nach Namen
    zh 按名称

    en by date
    de nach Datum
    zh 按日期

    en by length
    de nach Länge
    zh 按长度

    en by hand
    de von Hand
    zh 手动

    en {1}, put right later
    de {1}, später berichtigt
    zh {1}，后来校正

    en {1} by a clock that was not set
    de {1} nach einer ungestellten Uhr
    zh {1}（时钟未校准）

    en peak {1} dB
    de Spitze {1} dB
    zh 峰值 {1} dB

    en {1}, {2} LUFS
    de {1}, {2} LUFS
    zh {1}，{2} LUFS

    en from {1}
    de von {1}
    zh 来自 {1}

    en {1} lost ({2})
    de {1} verloren ({2})
    zh 丢失 {1}（{2}）

    en at {1} {2}
    de bei {1}: {2}
    zh 在 {1}：{2}

    en overrun
    de Überlauf
    zh 溢出

    en suspended
    de Ruhezustand
    zh 挂起

    en stalled
    de Stocken
    zh 停顿

    en cut
    de Abbruch
    zh 中断

    en too loud: {1} frames
    de zu laut: {1} Frames
    zh 声音过大：{1} 帧
    """ + "\n\n" + answerWordsMore
}
