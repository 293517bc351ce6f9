// Whose screen is looked at, why there is none, and how a light blinks.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let spectatorSentences = """
    en the panel
    de das Bedienfeld
    zh 面板

    en console {1#}
    de Konsole {1}
    zh 控制台 {1}

    en the panel, {1*}
    de das Bedienfeld, {1}
    zh 面板、{1}

    en console {1#}, {2*}
    de Konsole {1}, {2}
    zh 控制台 {1}、{2}

    en There is no {1*}; a screen is there of {2*}.
    de {1} gibt es nicht; einen Bildschirm haben: {2}.
    zh 没有{1}；有屏幕的是：{2}。

    en {1*} shows no screen; a screen is there of {2*}.
    de {1} zeigt keinen Bildschirm; einen Bildschirm haben: {2}.
    zh {1}不显示屏幕；有屏幕的是：{2}。

    en {1*} is gone
    de {1} ist weg
    zh {1}已断开

    en the log holds no action
    de das Protokoll enthält keine Aktion
    zh 日志中没有动作

    en the log ends before action {1}
    de das Protokoll endet vor Aktion {1}
    zh 日志在动作 {1} 之前结束

    en the screen cannot be written as JSON: {1}
    de der Bildschirm lässt sich nicht als JSON schreiben: {1}
    zh 无法将屏幕写成 JSON：{1}

    en A connection watches one screen at a time: unwatch the other first.
    de Eine Verbindung beobachtet immer nur einen Bildschirm: zuerst den anderen mit unwatch \
    beenden.
    zh 一个连接同时只能查看一个屏幕：请先用 unwatch 结束另一个。

    en off
    de aus
    zh 灭

    en steady
    de leuchtet
    zh 常亮

    en blinking slowly
    de blinkt langsam
    zh 慢闪

    en winking a code
    de blinkt einen Code
    zh 闪烁代码

    en blinking fast
    de blinkt schnell
    zh 快闪

    en {1#} wink every {2#} ms
    de {1} Blitz alle {2} ms|{1} Blitze alle {2} ms
    zh 每 {2} 毫秒闪 {1} 次

    en {1#} winks every {2#} ms
    de {1} Blitz alle {2} ms|{1} Blitze alle {2} ms
    zh 每 {2} 毫秒闪 {1} 次

    en steady with {1#} gaps every {2#} ms
    de leuchtet mit {1} Unterbrechungen alle {2} ms
    zh 常亮，每 {2} 毫秒灭 {1} 次
    """
}
