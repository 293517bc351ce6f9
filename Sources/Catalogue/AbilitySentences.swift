// What a checkup finds of the microphone's abilities and of the cost of encoding, and its advice.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let abilitySentences = """
    en A plugin or a sound server converts for it, so what the device itself can do is not \
    known; {1*}.
    de Ein Plugin oder Soundserver wandelt dafür um; was das Gerät selbst kann, ist daher \
    nicht bekannt; {1}.
    zh 由插件或声音服务器转换，设备本身的能力未知；{1}。

    en By itself it delivers {1*} at {2} kHz, {3*}; {4*}.
    de Von sich aus liefert es {1} mit {2} kHz, {3}; {4}.
    zh 设备本身提供 {1}，{2} kHz，{3}；{4}。

    en {1} bits
    de {1} Bit
    zh {1} 位

    en {1} bits or float
    de {1} Bit oder Gleitkomma
    zh {1} 位或浮点

    en float
    de Gleitkomma
    zh 浮点

    en no known format
    de kein bekanntes Format
    zh 无已知格式

    en {1} to {2} channels
    de {1} bis {2} Kanäle
    zh {1} 到 {2} 声道

    en it has no volume to set
    de es hat keinen einstellbaren Pegel
    zh 没有可调的电平

    en its volume is {1*}
    de sein Pegel ist {1}
    zh 电平控件为 {1}

    en its volume is {1*}, and there is {2}
    de sein Pegel ist {1}, und es gibt {2}
    zh 电平控件为 {1}，另有 {2}

    en {1} (each channel by itself, in dB)
    de {1} (jeder Kanal für sich, in dB)
    zh {1}（各声道独立，以 dB 计）

    en {1} (each channel by itself)
    de {1} (jeder Kanal für sich)
    zh {1}（各声道独立）

    en {1} (in dB)
    de {1} (in dB)
    zh {1}（以 dB 计）

    en The device has {1} channels; for a file of each, put into reel.json: {2}
    de Das Gerät hat {1} Kanäle; für je eine Datei in reel.json eintragen: {2}
    zh 设备有 {1} 个声道；若要各录成一个文件，在 reel.json 中写入：{2}

    en The device delivers {1} bits; to keep 24, put into reel.json: {2}
    de Das Gerät liefert {1} Bit; um 24 zu behalten, in reel.json eintragen: {2}
    zh 设备提供 {1} 位；若要保留 24 位，在 reel.json 中写入：{2}

    en If one microphone feeds both channels, the second can be a safety track, 12 dB lower; \
    put into reel.json: {1}
    de Wenn ein Mikrofon beide Kanäle speist, kann der zweite eine Sicherheitsspur sein, \
    12 dB leiser; in reel.json eintragen: {1}
    zh 如果一个麦克风接入两个声道，第二个可作安全音轨，低 12 dB；在 reel.json 中写入：{1}

    en Encoding a take needs {1} % of a processor core.
    de Das Kodieren einer Aufnahme braucht {1} % eines Prozessorkerns.
    zh 编码一次录音需要一个处理器核心的 {1} %。

    en Record fewer tracks, or set a lower rate, level or complexity in reel.json.
    de Weniger Spuren aufnehmen, oder in reel.json rate, level oder complexity senken.
    zh 减少音轨，或在 reel.json 中降低 rate、level 或 complexity。
    """
}
