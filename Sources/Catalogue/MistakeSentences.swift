// What a value of the configuration should be, and what may have been meant.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let mistakeSentences = """
    en expected {1*}, not {2*}
    de erwartet wird {1}, nicht {2}
    zh 应为{1}，而不是 {2}

    en expected {1*}, not {2*}; {3*}
    de erwartet wird {1}, nicht {2}; {3}
    zh 应为{1}，而不是 {2}；{3}

    en take the line out to have the default
    de die Zeile weglassen, dann gilt der Standardwert
    zh 删去此行即用默认值

    en take off the quotes
    de die Anführungszeichen weglassen
    zh 去掉引号

    en write true
    de true schreiben
    zh 请写 true

    en write false
    de false schreiben
    zh 请写 false

    en a number without a unit is seconds
    de eine Zahl ohne Einheit sind Sekunden
    zh 没有单位的数表示秒

    en give it a unit: "{1} s" or "{2} min"
    de eine Einheit angeben: "{1} s" oder "{2} min"
    zh 请加上单位："{1} s" 或 "{2} min"

    en give it a unit: "{1} MB"
    de eine Einheit angeben: "{1} MB"
    zh 请加上单位："{1} MB"

    en give it a unit: "{1} kbit/s"
    de eine Einheit angeben: "{1} kbit/s"
    zh 请加上单位："{1} kbit/s"

    en did you mean "{1}"?
    de war "{1}" gemeint?
    zh 是否指 "{1}"？

    en did you mean "{1} kbit/s"?
    de waren "{1} kbit/s" gemeint?
    zh 是否指 "{1} kbit/s"？

    en the number {1}
    de die Zahl {1}
    zh 数 {1}

    en a list of {1#}
    de eine Liste mit {1}
    zh {1} 项的列表

    en a group of keys
    de eine Gruppe von Schlüsseln
    zh 一组键

    en true or false
    de true oder false
    zh true 或 false

    en a whole number from {1} to {2}
    de eine ganze Zahl von {1} bis {2}
    zh {1} 至 {2} 的整数

    en a list of at most {1} numbers from {2} to {3}, each once
    de eine Liste von höchstens {1} Zahlen von {2} bis {3}, jede einmal
    zh 最多 {1} 个 {2} 至 {3} 的数的列表，每个一次

    en "{1}" or "{2}"
    de "{1}" oder "{2}"
    zh "{1}" 或 "{2}"

    en {1*}, in quotes
    de {1}, in Anführungszeichen
    zh {1}，加引号

    en "auto", the id of a sound card, or a name ALSA knows
    de "auto", die Kennung einer Soundkarte oder ein Name, den ALSA kennt
    zh "auto"、声卡标识或 ALSA 认识的名称

    en the name of a group
    de der Name einer Gruppe
    zh 组的名称

    en the name of a directory in /sys/class/leds
    de der Name eines Verzeichnisses in /sys/class/leds
    zh /sys/class/leds 中目录的名称

    en a name in /dev/input/by-id, or the device's own name
    de ein Name in /dev/input/by-id oder der eigene Name des Geräts
    zh /dev/input/by-id 中的名称，或设备自己的名称

    en the name of a button, such as "record", or "hold-switch"
    de der Name einer Taste, wie "record", oder "hold-switch"
    zh 按钮的名称，如 "record"，或 "hold-switch"

    en the label of a chip, such as "pinctrl-bcm2711"
    de die Bezeichnung eines Chips, wie "pinctrl-bcm2711"
    zh 芯片的标签，如 "pinctrl-bcm2711"

    en the name of a control, such as "Mic"
    de der Name eines Reglers, wie "Mic"
    zh 控件的名称，如 "Mic"

    en "built-in", "off", or the path of a sound file, which begins with "/"
    de "built-in", "off" oder der Pfad einer Audiodatei, der mit "/" beginnt
    zh "built-in"、"off"，或以 "/" 开头的声音文件路径

    en percents from 0 to 100, or decibels such as "-6 dB", one or a list of two
    de Prozent von 0 bis 100 oder Dezibel wie "-6 dB", ein Wert oder eine Liste von zweien
    zh 0 至 100 的百分数，或分贝如 "-6 dB"，一个或两个的列表

    en a path that begins with "/", or "none"
    de ein Pfad, der mit "/" beginnt, oder "none"
    zh 以 "/" 开头的路径，或 "none"

    en a list of {1*}: {2}
    de eine Liste von {1}: {2}
    zh {1}的列表：{2}

    en mixer levels
    de Mischerpegeln
    zh 混音电平

    en buttons
    de Tasten
    zh 按钮

    en lights
    de Leuchten
    zh 指示灯

    en input devices
    de Eingabegeräten
    zh 输入设备

    en keys between braces: {1}
    de Schlüssel in geschweiften Klammern: {1}
    zh 花括号中的键：{1}

    en gestures with an action each: {1}
    de Gesten mit je einer Aktion: {1}
    zh 手势及其动作：{1}

    en keys with a button each: {1}
    de Tastencodes mit je einer Taste: {1}
    zh 按键及其按钮：{1}

    en the name of a pin, such as "GPIO17", or {1}
    de der Name eines Pins, wie "GPIO17", oder {1}
    zh 引脚的名称，如 "GPIO17"，或 {1}

    en an action, such as "mark"
    de eine Aktion, wie "mark"
    zh 动作，如 "mark"

    en expected a button and a gesture with a dot between them, such as "record.hold"
    de erwartet werden eine Taste und eine Geste mit einem Punkt dazwischen, wie "record.hold"
    zh 应为按钮和手势，中间用点分开，如 "record.hold"

    en '{1}' is no gesture; there are {2}
    de '{1}' ist keine Geste; es gibt {2}
    zh '{1}' 不是手势；有 {2}

    en '{1}' is no gesture; there are {2}; {3*}
    de '{1}' ist keine Geste; es gibt {2}; {3}
    zh '{1}' 不是手势；有 {2}；{3}

    en '{1}' is no action; there are {2}
    de '{1}' ist keine Aktion; es gibt {2}
    zh '{1}' 不是动作；有 {2}

    en '{1}' is no action; {2*}
    de '{1}' ist keine Aktion; {2}
    zh '{1}' 不是动作；{2}

    en the outermost braces
    de die äußersten Klammern
    zh 最外层花括号

    en a time from {1} to {2}, such as "{3}"
    de eine Zeit von {1} bis {2}, wie "{3}"
    zh {1} 至 {2} 的时间，如 "{3}"

    en a time from {1} to {2}, such as "{3}", or "never"
    de eine Zeit von {1} bis {2}, wie "{3}", oder "never"
    zh {1} 至 {2} 的时间，如 "{3}"，或 "never"

    en a size from {1} to {2}, such as "{3}"
    de eine Größe von {1} bis {2}, wie "{3}"
    zh {1} 至 {2} 的大小，如 "{3}"

    en a bit rate from {1} to {2}, such as "64 kbit/s"
    de eine Bitrate von {1} bis {2}, wie "64 kbit/s"
    zh {1} 至 {2} 的比特率，如 "64 kbit/s"
    """
}
