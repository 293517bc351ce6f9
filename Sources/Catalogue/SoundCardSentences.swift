// Which sound card was chosen, why, and which others there are.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let soundCardSentences = """
    en The sound card {1} cannot record.
    de Die Soundkarte {1} kann nicht aufnehmen.
    zh 声卡 {1} 不能录音。

    en The sound card {1} cannot play.
    de Die Soundkarte {1} kann nicht wiedergeben.
    zh 声卡 {1} 不能播放。

    en Using the sound card {1}.
    de Verwendet wird die Soundkarte {1}.
    zh 使用声卡 {1}。

    en Using the sound card {1}: {2*}.
    de Verwendet wird die Soundkarte {1}: {2}.
    zh 使用声卡 {1}：{2}。

    en Using the ALSA device {1}.
    de Verwendet wird das ALSA-Gerät {1}.
    zh 使用 ALSA 设备 {1}。

    en Using {1}, a device of the sound card {2}.
    de Verwendet wird {1}, ein Gerät der Soundkarte {2}.
    zh 使用 {1}，声卡 {2} 的设备。

    en Numbers of cards change; CARD={1} names it for good.
    de Nummern von Karten ändern sich; CARD={1} benennt sie dauerhaft.
    zh 声卡的编号会变；CARD={1} 是固定的名称。

    en No sound card can record.
    de Keine Soundkarte kann aufnehmen.
    zh 没有声卡可以录音。

    en No sound card can play.
    de Keine Soundkarte kann wiedergeben.
    zh 没有声卡可以播放。

    en No sound card that is free can record.
    de Keine freie Soundkarte kann aufnehmen.
    zh 没有空闲的声卡可以录音。

    en No sound card that is free can play.
    de Keine freie Soundkarte kann wiedergeben.
    zh 没有空闲的声卡可以播放。

    en it is the only one that can record
    de nur sie kann aufnehmen
    zh 只有它可以录音

    en it is the only one that can play
    de nur sie kann wiedergeben
    zh 只有它可以播放

    en it is the only one left that can record
    de nur sie ist übrig und kann aufnehmen
    zh 剩下的只有它可以录音

    en it is the only one left that can play
    de nur sie ist übrig und kann wiedergeben
    zh 剩下的只有它可以播放

    en USB cards come first
    de USB-Karten haben Vorrang
    zh USB 声卡优先

    en there is no USB card, and built-in ones come next
    de es gibt keine USB-Karte, und eingebaute kommen als nächste
    zh 没有 USB 声卡，其次是内置声卡

    en there are only loopbacks
    de es gibt nur Loopbacks
    zh 只有回环声卡

    en {1*}, this one by its name
    de {1}, diese nach ihrem Namen
    zh {1}，按名称选了这一个

    en Others that can record: {1}.
    de Andere, die aufnehmen können: {1}.
    zh 其他可以录音的：{1}。

    en Others that can play: {1}.
    de Andere, die wiedergeben können: {1}.
    zh 其他可以播放的：{1}。

    en Of no use to record: {1}.
    de Zum Aufnehmen nicht geeignet: {1}.
    zh 不能用于录音：{1}。

    en Of no use to play: {1}.
    de Zur Wiedergabe nicht geeignet: {1}.
    zh 不能用于播放：{1}。

    en {1*}, records and plays
    de {1}, nimmt auf und gibt wieder
    zh {1}，可录音和播放

    en {1*}, records
    de {1}, nimmt auf
    zh {1}，可录音

    en {1*}, plays
    de {1}, gibt wieder
    zh {1}，可播放

    en {1*}, of no use here
    de {1}, hier nicht zu gebrauchen
    zh {1}，此处不可用

    en {1*}, records and plays; {2*}
    de {1}, nimmt auf und gibt wieder; {2}
    zh {1}，可录音和播放；{2}

    en {1*}, records; {2*}
    de {1}, nimmt auf; {2}
    zh {1}，可录音；{2}

    en {1*}, plays; {2*}
    de {1}, gibt wieder; {2}
    zh {1}，可播放；{2}

    en {1*}, of no use here; {2*}
    de {1}, hier nicht zu gebrauchen; {2}
    zh {1}，此处不可用；{2}
    """
}
