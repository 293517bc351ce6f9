// What the panel reports about its wiring.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let panelSentences = """
    en There is no line {1} for {2*}: {3*}
    de Es gibt keine Leitung {1} für {2}: {3}
    zh 没有用于{2}的线路 {1}：{3}

    en this board has no GPIO chip.
    de dieses Gerät hat keinen GPIO-Chip.
    zh 此板没有 GPIO 芯片。

    en did you mean {1}?
    de war {1} gemeint?
    zh 是否指 {1}？

    en {1} has the lines 0 to {2}
    de {1} hat die Leitungen 0 bis {2}
    zh {1} 有线路 0 到 {2}

    en {1*}. Name one by its name, or by chip and offset.
    de {1}. Eine mit Namen nennen, oder mit Chip und Nummer.
    zh {1}。请用名称，或芯片和编号指定。

    en {1} may not be opened; add the user to the group gpio.
    de {1} darf nicht geöffnet werden; den Benutzer in die Gruppe gpio aufnehmen.
    zh 无权打开 {1}；请将用户加入 gpio 组。

    en {1} cannot be opened ({2}).
    de {1} kann nicht geöffnet werden ({2}).
    zh 无法打开 {1}（{2}）。

    en The line {1} for {2*} is there more than once: {3}. Name it by chip and offset, or \
    unplug one.
    de Die Leitung {1} für {2} gibt es mehrmals: {3}. Mit Chip und Nummer nennen, oder einen \
    abziehen.
    zh 用于{2}的线路 {1} 有多条：{3}。请用芯片和编号指定，或拔下一个。

    en {1*} cannot have line {2} of {3}: {4*}
    de {1} kann Leitung {2} von {3} nicht bekommen: {4}
    zh {1}无法使用 {3} 的线路 {2}：{4}

    en something else
    de etwas anderes
    zh 其他程序

    en {1*} has it. Stop that, take out its overlay, or use another line.
    de {1} hat sie. Das beenden, das Overlay entfernen oder eine andere Leitung verwenden.
    zh 被{1}占用。请停止它、移除其 overlay，或改用其他线路。

    en the chip is gone; is it plugged in?
    de der Chip ist weg; ist er angesteckt?
    zh 芯片已断开；是否已插好？

    en it cannot be used so; try another line, or the bias as-is.
    de so ist sie nicht benutzbar; eine andere Leitung oder bias as-is versuchen.
    zh 无法这样使用；请换线路，或将 bias 设为 as-is。

    en The light {1} cannot use the led {2}: {3*}
    de Die Leuchte {1} kann die LED {2} nicht benutzen: {3}
    zh 指示灯 {1} 无法使用 LED {2}：{3}

    en {1}/{2}/brightness may not be written; let the group gpio write it.
    de {1}/{2}/brightness ist nicht beschreibbar; der Gruppe gpio das Schreiben erlauben.
    zh 无权写入 {1}/{2}/brightness；请允许 gpio 组写入。

    en {1} has been down for {2} s; is it stuck, its wire short, or activeLow the wrong way \
    round? If it may stay down, give it stuck: "never" in reel.json.
    de {1} ist seit {2} s gedrückt; klemmt die Taste, hat der Draht einen Kurzschluss, oder \
    ist activeLow verkehrt? Darf sie gedrückt bleiben, in reel.json stuck: "never" setzen.
    zh {1} 已按下 {2} 秒；是卡住、导线短路，还是 activeLow 设反了？若允许保持按下，请在 reel.json 中设 stuck: "never"。

    en Input devices that are plugged in later are not found: {1}.
    de Später angesteckte Eingabegeräte werden nicht gefunden: {1}.
    zh 之后插入的输入设备无法发现：{1}。

    en the key {1} of {2}
    de die Taste {1} von {2}
    zh {2} 的按键 {1}

    en The input device {1} ({2}) cannot be used: {3*}
    de Das Eingabegerät {1} ({2}) ist nicht benutzbar: {3}
    zh 输入设备 {1}（{2}）无法使用：{3}

    en it may not be read; add the user to the group input.
    de es ist nicht lesbar; den Benutzer in die Gruppe input aufnehmen.
    zh 不可读；请将用户加入 input 组。

    en another program has it for itself. Stop that, or set grab to false.
    de ein anderes Programm hat es für sich. Das beenden, oder grab auf false setzen.
    zh 被其他程序独占。请停止它，或将 grab 设为 false。

    en it is not an input device.
    de es ist kein Eingabegerät.
    zh 它不是输入设备。

    en the light {1}
    de die Leuchte {1}
    zh 指示灯 {1}

    en the button {1}
    de die Taste {1}
    zh 按钮 {1}

    en The light {1}
    de Die Leuchte {1}
    zh 指示灯 {1}

    en The button {1}
    de Die Taste {1}
    zh 按钮 {1}

    en The key {1}
    de Die Taste {1}
    zh 按键 {1}

    en The light {1} can no longer be set; is it plugged in?
    de Die Leuchte {1} lässt sich nicht mehr schalten; ist sie angesteckt?
    zh 指示灯 {1} 已无法控制；是否已插好？

    en The lights do not blink: {1}.
    de Die Leuchten blinken nicht: {1}.
    zh 指示灯不闪烁：{1}。

    en Lights that come later are not found: {1}.
    de Später kommende Leuchten werden nicht gefunden: {1}.
    zh 之后接入的指示灯无法发现：{1}。

    en The button {1} is not heard: {2}.
    de Die Taste {1} wird nicht gelesen: {2}.
    zh 无法读取按钮 {1}：{2}。

    en GPIO chips that are plugged in later are not found: {1}.
    de Später angesteckte GPIO-Chips werden nicht gefunden: {1}.
    zh 之后插入的 GPIO 芯片无法发现：{1}。

    en The panel does not know the time: {1}.
    de Das Bedienfeld kennt die Zeit nicht: {1}.
    zh 面板不知道时间：{1}。

    en {1*} is on the line {2}, where {3*} is; give each its own.
    de {1} liegt an der Leitung {2}, wo schon {3} liegt; jeder eine eigene geben.
    zh {1}使用的线路 {2} 已被{3}占用；请各用一条。

    en The lights {1} and {2} both use the led {3}; give each its own.
    de Die Leuchten {1} und {2} benutzen beide die LED {3}; jeder eine eigene geben.
    zh 指示灯 {1} 和 {2} 都使用 LED {3}；请各用一个。

    en The input device {1} is there twice; put its keys into one.
    de Das Eingabegerät {1} steht zweimal da; die Tasten zusammenfassen.
    zh 输入设备 {1} 出现两次；请合并其按键。

    en {1*} is on {2}, a number that changes with the kernel; use the chip's label, such as \
    pinctrl-bcm2711.
    de {1} liegt an {2}, einer Nummer, die sich mit dem Kernel ändert; die Bezeichnung des \
    Chips verwenden, etwa pinctrl-bcm2711.
    zh {1}使用 {2}，该编号会随内核变化；请用芯片标签，如 pinctrl-bcm2711。

    en {1*} is on line {2} of {3}; lines begin at 0.
    de {1} liegt an Leitung {2} von {3}; Leitungen beginnen bei 0.
    zh {1}使用 {3} 的线路 {2}；线路从 0 开始。

    en The input device {1} is a number that changes when it is plugged in again; use its \
    name in /dev/input/by-id.
    de Das Eingabegerät {1} ist eine Nummer, die sich beim Anstecken ändert; den Namen in \
    /dev/input/by-id verwenden.
    zh 输入设备 {1} 是重新插入后会变的编号；请用 /dev/input/by-id 中的名称。

    en bind an action to it, or take it out.
    de eine Aktion daran binden oder den Eintrag entfernen.
    zh 请绑定动作，或移除它。

    en {1*} is for {2}, which does nothing; {3*}
    de {1} ist für {2}, das nichts tut; {3}
    zh {1}用于 {2}，而它不起作用；{3}

    en use its number.
    de die Nummer verwenden.
    zh 请用编号。

    en The input device {1} has no key {2}; {3*}
    de Das Eingabegerät {1} hat keine Taste {2}; {3}
    zh 输入设备 {1} 没有按键 {2}；{3}

    en The input device {1} has one key twice, as {2} and {3}; take one out.
    de Das Eingabegerät {1} hat eine Taste zweimal, als {2} und {3}; eine entfernen.
    zh 输入设备 {1} 的一个按键重复：{2} 和 {3}；请去掉一个。

    en {1*} has no line.
    de {1} hat keine Leitung.
    zh {1}没有线路。

    en The light {1} needs the name of a led in /sys/class/leds.
    de Die Leuchte {1} braucht den Namen einer LED in /sys/class/leds.
    zh 指示灯 {1} 需要 /sys/class/leds 中 LED 的名称。

    en An input device has no name.
    de Ein Eingabegerät hat keinen Namen.
    zh 有一个输入设备没有名称。

    en {1} is {2} ms; it can be {3} to {4} ms.
    de {1} ist {2} ms; möglich sind {3} bis {4} ms.
    zh {1} 为 {2} 毫秒；可为 {3} 到 {4} 毫秒。

    en it is not there; {1*}.
    de es gibt sie nicht; {1}.
    zh 它不存在；{1}。

    en there are none
    de es gibt keine
    zh 没有任何 LED

    en there are {1}
    de vorhanden sind {1}
    zh 现有 {1}

    en The input device {1} is not there; {2*}
    de Das Eingabegerät {1} ist nicht da; {2}
    zh 输入设备 {1} 不存在；{2}

    en some may not be read: add the user to the group input.
    de manche sind nicht lesbar: den Benutzer in die Gruppe input aufnehmen.
    zh 有些不可读：请将用户加入 input 组。

    en plug it in, or see /dev/input/by-id for its name.
    de anstecken, oder in /dev/input/by-id den Namen nachsehen.
    zh 请插上，或在 /dev/input/by-id 查看名称。
    """
}
