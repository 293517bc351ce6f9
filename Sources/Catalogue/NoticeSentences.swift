// Notices, and what stands behind their colon.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let noticeSentences = """
    en A recording was cut short
    de Eine Aufnahme wurde abgebrochen
    zh 一条录音提前结束

    en A recording could not be made
    de Eine Aufnahme ist misslungen
    zh 一条录音未能完成

    en A recording is at the top of the card, because its folder cannot be written into
    de Eine Aufnahme liegt ganz oben auf der Karte, weil ihr Ordner nicht beschreibbar ist
    zh 一条录音放在存储卡顶层，因为其文件夹不可写

    en A recording was edited here and elsewhere
    de Eine Aufnahme wurde hier und anderswo geändert
    zh 一条录音在此处和别处都被修改

    en A copy is gone from its target and is made again
    de Eine Kopie ist am Ziel verschwunden und wird erneut angelegt
    zh 目标处的一个副本已消失，将重新建立

    en Sound was lost and silence stands in for it
    de Ton ging verloren; an seiner Stelle ist Stille
    zh 有声音丢失，以静音代替

    en The sound is too loud for the microphone's level
    de Der Ton ist zu laut für den Pegel des Mikrofons
    zh 声音超过麦克风电平

    en The microphone is silent; check its plug and its switch
    de Das Mikrofon ist still; Stecker und Schalter prüfen
    zh 麦克风无声；请检查插头和开关

    en One channel is silent; check its plug
    de Ein Kanal ist still; den Stecker prüfen
    zh 一个声道无声；请检查插头

    en A recording that was cut short has been recovered
    de Eine abgebrochene Aufnahme wurde gerettet
    zh 一条中断的录音已恢复

    en The sound device went away
    de Das Audiogerät ist weg
    zh 音频设备已断开

    en The sound device is back
    de Das Audiogerät ist wieder da
    zh 音频设备已恢复

    en The sound device delivers no sound; it is opened anew
    de Das Audiogerät liefert keinen Ton; es wird neu geöffnet
    zh 音频设备没有声音；正在重新打开

    en The card is full
    de Die Karte ist voll
    zh 存储卡已满

    en The card is nearly full
    de Die Karte ist fast voll
    zh 存储卡将满

    en Encoding is nearly too much for the processor; record fewer tracks, or set a lower \
    rate, level or complexity
    de Das Kodieren ist fast zu viel für den Prozessor; weniger Spuren aufnehmen, oder rate, \
    level oder complexity senken
    zh 编码几乎超出处理器能力；请减少音轨，或降低 rate、level 或 complexity

    en {1} % of a core
    de {1} % eines Kerns
    zh 一个核心的 {1} %

    en The card stalled; nothing was lost
    de Die Karte stockte; nichts ging verloren
    zh 存储卡曾停顿；没有丢失

    en The card failed
    de Die Karte ist ausgefallen
    zh 存储卡故障

    en The card can only be read
    de Die Karte ist nur lesbar
    zh 存储卡只能读取

    en Recordings are kept in memory and will be gone after a restart
    de Aufnahmen liegen im Arbeitsspeicher und sind nach einem Neustart weg
    zh 录音保存在内存中，重启后会丢失

    en A recording that had been heard was deleted to make room
    de Eine gehörte Aufnahme wurde gelöscht, um Platz zu schaffen
    zh 为腾出空间，已删除一条听过的录音

    en A sound file found on the card was taken in
    de Eine Audiodatei auf der Karte wurde übernommen
    zh 已收入存储卡上发现的声音文件

    en A recording's file is gone from the card
    de Die Datei einer Aufnahme fehlt auf der Karte
    zh 一条录音的文件已从存储卡消失

    en A folder's index was damaged and has been rebuilt from its files
    de Der Index eines Ordners war beschädigt und wurde aus den Dateien neu erstellt
    zh 一个文件夹的索引损坏，已根据文件重建

    en The end of a folder's index was cut short; nothing confirmed was lost
    de Das Ende eines Ordner-Index war abgeschnitten; nichts Bestätigtes ging verloren
    zh 一个文件夹索引的末尾被截断；已确认的内容没有丢失

    en A folder is filling up
    de Ein Ordner wird voll
    zh 一个文件夹将满

    en A recording could not be played
    de Eine Aufnahme konnte nicht wiedergegeben werden
    zh 一条录音无法播放

    en The new configuration was not taken
    de Die neue Konfiguration wurde nicht übernommen
    zh 新配置未被采用

    en The power supply is too weak
    de Die Stromversorgung ist zu schwach
    zh 供电不足

    en A request could not be carried out
    de Eine Anfrage konnte nicht ausgeführt werden
    zh 一项请求无法执行

    en Something at the panel does not work
    de Am Bedienfeld funktioniert etwas nicht
    zh 面板有故障

    en A file in which the recorder keeps its state was damaged
    de Eine Datei mit dem Zustand des Rekorders war beschädigt
    zh 保存录音机状态的文件已损坏

    en the sound device did not come back
    de das Audiogerät kam nicht zurück
    zh 音频设备没有恢复

    en {1} does not answer
    de {1} antwortet nicht
    zh {1} 没有响应

    en “{1}” is full; takes go into “{2}”
    de „{1}“ ist voll; Aufnahmen kommen in „{2}“
    zh “{1}”已满；录音存入“{2}”

    en “{1}” holds {2} of {3}
    de „{1}“ enthält {2} von {3}
    zh “{1}”已有 {2}/{3} 项

    en before the last start
    de vor dem letzten Start
    zh 上次启动之前

    en channel {1} of {2}
    de Kanal {1} von {2}
    zh 声道 {1}/{2}

    en the sound device went away
    de das Audiogerät ging weg
    zh 音频设备断开

    en the card is full
    de die Karte ist voll
    zh 存储卡已满

    en the card failed
    de die Karte ist ausgefallen
    zh 存储卡故障

    en the power went
    de der Strom fiel aus
    zh 断电

    en the sound path failed
    de der Tonweg fiel aus
    zh 声音通路故障
    """
}
