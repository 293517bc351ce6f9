// The words of screens that are only looked at: a flight log's, and those of another console.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let spectatorWords = """
    en does
    de tut
    zh 动作

    en leads to
    de bewirkt
    zh 结果

    en action {1}
    de Aktion {1}
    zh 动作 {1}

    en of 0 to {1}
    de von 0 bis {1}
    zh （0 至 {1}）

    en with {1} rows
    de mit {1} Zeile|mit {1} Zeilen
    zh 含 {1} 行

    en nothing to do
    de nichts zu tun
    zh 无操作

    en not kept: {1}; states from here on may differ
    de nicht behalten: {1}; Zustände ab hier können abweichen
    zh 未保留：{1}；此后的状态可能有出入

    en Find in the actions:
    de In den Aktionen suchen:
    zh 在动作中查找：

    en Go to action:
    de Gehe zu Aktion:
    zh 转到动作：

    en any key closes this
    de jede Taste schließt dies
    zh 按任意键关闭

    en action
    de Aktion
    zh 动作

    en screen
    de Bildschirm
    zh 屏幕

    en notice
    de Meldung
    zh 通知

    en find
    de suchen
    zh 查找

    en console
    de Konsole
    zh 控制台

    en page up, down
    de Bild auf, ab
    zh 上、下翻页

    en home, end
    de Pos1, Ende
    zh Home、End

    en the action before, the next one
    de die Aktion davor, die nächste
    zh 上一个动作，下一个动作

    en ten actions back, forward
    de zehn Aktionen zurück, vor
    zh 后退、前进十个动作

    en a hundred back, forward
    de hundert zurück, vor
    zh 后退、前进一百个动作

    en the first action, the last one
    de die erste Aktion, die letzte
    zh 第一个动作，最后一个动作

    en go to an action by its number
    de zu einer Aktion mit ihrer Nummer
    zh 按编号转到动作

    en the next change of this screen, the one before
    de die nächste Änderung dieses Bildschirms, die davor
    zh 此屏幕的下一次变化，上一次变化

    en the next notice or change of the status light, the one before
    de die nächste Meldung oder Änderung der Statusleuchte, die davor
    zh 下一条通知或状态灯的下一次变化，上一个

    en find a text in the actions, the next one, the one before
    de einen Text in den Aktionen suchen, den nächsten, den davor
    zh 在动作中查找文字，下一处，上一处

    en show the panel or another console
    de das Bedienfeld oder eine andere Konsole zeigen
    zh 显示面板或另一个控制台

    en This is the first action.
    de Dies ist die erste Aktion.
    zh 这是第一个动作。

    en This is the last action.
    de Dies ist die letzte Aktion.
    zh 这是最后一个动作。

    en The log has the actions 0 to {1}.
    de Das Protokoll enthält die Aktionen 0 bis {1}.
    zh 日志包含动作 0 至 {1}。

    en The screen stays as it is.
    de Der Bildschirm bleibt, wie er ist.
    zh 屏幕保持不变。

    en No later notice.
    de Keine spätere Meldung.
    zh 之后没有通知。

    en No earlier notice.
    de Keine frühere Meldung.
    zh 之前没有通知。

    en No later action contains “{1}”.
    de Keine spätere Aktion enthält „{1}“.
    zh 之后没有包含“{1}”的动作。

    en No earlier action contains “{1}”.
    de Keine frühere Aktion enthält „{1}“.
    zh 之前没有包含“{1}”的动作。

    en No console has a screen at this moment; this is the panel.
    de Zu diesem Zeitpunkt hat keine Konsole einen Bildschirm; dies ist das Bedienfeld.
    zh 此刻没有控制台显示屏幕；这是面板。

    en Too small: {1} x {2} needed
    de Zu klein: {1} x {2} nötig
    zh 太小：需要 {1} x {2}

    en watching {1}
    de zu sehen: {1}
    zh 正在查看：{1}

    en ends
    de beendet
    zh 结束
    """
}
