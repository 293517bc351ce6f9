// The words of answers and of help, which lines of text put together. The rest of them.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let answerWordsMore = """
    en the microphone was silent
    de das Mikrofon war still
    zh 麦克风无声

    en channel {1} was silent
    de Kanal {1} war still
    zh 声道 {1} 无声

    en cut short: {1}
    de abgebrochen: {1}
    zh 提前结束：{1}

    en recovered, {1} bytes had to go
    de gerettet, {1} Byte entfernt
    zh 已恢复，舍弃 {1} 字节

    en recovered
    de gerettet
    zh 已恢复

    en whole
    de vollständig
    zh 完整

    en shutdown
    de Herunterfahren
    zh 关机

    en the card was full
    de die Karte war voll
    zh 存储卡已满

    en the power went, or the daemon died
    de der Strom fiel aus, oder der Dienst brach ab
    zh 断电，或服务中止

    en usage: {1}
    de Aufruf: {1}
    zh 用法：{1}

    en Not now: {1}
    de Jetzt nicht: {1}
    zh 目前不可：{1}

    en talk to the recorder
    de mit dem Rekorder sprechen
    zh 与录音机通信

    en The recorder is asked at --socket PATH, or at REEL_SOCKET, or else at
    de Gefragt wird der Rekorder an --socket PATH, sonst an REEL_SOCKET, sonst an
    zh 依次使用 --socket PATH、REEL_SOCKET，否则使用
    """
}
