// What a checkup finds, and its advice. The rest of them.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let doctorSentencesMore = """
    en speed
    de Tempo
    zh 速度

    en realtime
    de Echtzeit
    zh 实时

    en pins
    de Pins
    zh 引脚

    en checks
    de Prüfungen
    zh 检查

    en {1} cannot be written
    de {1} ist nicht beschreibbar
    zh {1} 无法写入

    en the card is nearly full
    de die Karte ist fast voll
    zh 存储卡将满

    en there was no time
    de es fehlte die Zeit
    zh 时间不够

    en it was stopped
    de es wurde abgebrochen
    zh 已被停止

    en {1} free.
    de {1} frei.
    zh 可用 {1}。

    en temperature
    de Temperatur
    zh 温度

    en root
    de Wurzel
    zh 根目录

    en power
    de Strom
    zh 电源

    en inputs
    de Eingaben
    zh 输入

    en page
    de Seite
    zh 页面

    en The page is on, by HTTPS; paired browsers: {1#}.
    de Die Seite ist an, mit HTTPS; gekoppelte Browser: {1}.
    zh 页面已打开，使用 HTTPS；已配对的浏览器：{1}。

    en The page is on, and the network can read it; paired browsers: {1#}.
    de Die Seite ist an, und das Netz kann sie lesen; gekoppelte Browser: {1}.
    zh 页面已打开，网络可以读取它；已配对的浏览器：{1}。

    en The page's certificate is not valid before {1}.
    de Das Zertifikat der Seite gilt erst ab {1}.
    zh 页面的证书在 {1} 之前无效。

    en The page's certificate ended on {1}; browsers refuse it.
    de Das Zertifikat der Seite ist am {1} abgelaufen; Browser weisen es ab.
    zh 页面的证书已于 {1} 过期；浏览器会拒绝它。

    en The page's certificate is valid only until {1}.
    de Das Zertifikat der Seite gilt nur noch bis {1}.
    zh 页面的证书仅在 {1} 之前有效。

    en Renew it, then restart the page: 'systemctl restart reel-web'.
    de Es erneuern, dann die Seite neu starten: 'systemctl restart reel-web'.
    zh 请更新证书，然后重新启动页面：'systemctl restart reel-web'。

    en Check the clock with 'timedatectl'.
    de Die Uhr mit 'timedatectl' prüfen.
    zh 请用 'timedatectl' 检查时钟。

    en If they were not yours, turn the page off with 'reelctl web off'.
    de Waren es nicht die eigenen, die Seite mit 'reelctl web off' ausschalten.
    zh 若不是您输入的，请用 'reelctl web off' 关闭页面。

    en recorder
    de Rekorder
    zh 录音机
    """
}
