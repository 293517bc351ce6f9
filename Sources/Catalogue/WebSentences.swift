// The sentences of `reelctl web`, and those with which the page's server answers people.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let webSentences = """
    en turn the page for browsers on or off, and pair browsers
    de die Seite für Browser ein- oder ausschalten, und Browser koppeln
    zh 打开或关闭浏览器页面，并配对浏览器

    en The page is served by `reel-web`, and off at first. `pair` prints where it is and a code, \
    which one browser types within five minutes; without --role it may do everything that the \
    page offers. `sessions` lists the paired browsers with when each was last seen, and `revoke` \
    ends the session of one, named as there, or of all. reel-web is asked at --admin PATH, or at \
    REEL_WEB_SOCKET, or else at /run/reel-web/admin.sock.
    de Die Seite kommt von `reel-web` und ist zuerst aus. `pair` zeigt, wo sie ist, und einen \
    Code, den ein Browser innerhalb von fünf Minuten eingibt; ohne --role darf er alles, was die \
    Seite bietet. `sessions` zeigt die gekoppelten Browser und wann jeder zuletzt da war, \
    `revoke` beendet die Sitzung eines davon, wie dort genannt, oder aller (all). reel-web wird \
    gefragt an --admin PATH, an REEL_WEB_SOCKET oder sonst an /run/reel-web/admin.sock.
    zh 页面由 `reel-web` 提供，起初是关闭的。`pair` 显示页面地址和一个代码，一个浏览器须在五分钟内输入；不加 --role \
    时它可以做页面提供的一切。`sessions` 列出已配对的浏览器及其最后出现的时间，`revoke` 结束其中一个（按那里的名称）或全部 (all) 的会话。按 \
    --admin PATH、REEL_WEB_SOCKET 或 /run/reel-web/admin.sock 询问 reel-web。

    en show a code that pairs a browser with the page
    de einen Code zeigen, der einen Browser mit der Seite koppelt
    zh 显示将浏览器与页面配对的代码

    en The code is winked by the status light, too, for two minutes: a long light, then as many \
    winks for each digit. It is valid for five minutes, for one browser, which may do everything \
    that the page offers. `reelctl web pair` does without the recorder, and knows roles.
    de Den Code blinkt zwei Minuten lang auch das Statuslicht: erst lang, dann für jede Ziffer so \
    oft. Er gilt fünf Minuten lang für einen Browser, der alles darf, was die Seite bietet. \
    `reelctl web pair` braucht den Rekorder nicht und kennt Rollen.
    zh 状态灯也会在两分钟内闪烁该代码：先长亮，然后每个数字闪相应次数。代码五分钟内有效，只供一个浏览器使用，它可以做页面提供的一切。`reelctl web \
    pair` 不需要录音机，并支持角色。

    en show this code, or none any more
    de diesen Code zeigen, oder keinen mehr
    zh 显示此代码，或不再显示

    en For `reel-web`, which makes the codes when the status has a `codeWish`.
    de Für `reel-web`, das die Codes macht, wenn der Status `codeWish` hat.
    zh 供 `reel-web` 使用：状态含 `codeWish` 时它生成代码。

    en where the page is
    de wo die Seite ist
    zh 页面地址

    en how long it is valid
    de wie lange er gilt
    zh 有效时间

    en the address as a QR code: rows of # and . with / between
    de die Adresse als QR-Code: Zeilen aus # und . mit / dazwischen
    zh 地址的二维码：由 # 和 . 组成的行，以 / 分隔

    en That is no code of digits from 1 to 9, address and square picture.
    de Das ist kein Code aus Ziffern von 1 bis 9, keine Adresse oder kein quadratisches Bild.
    zh 这不是由 1 到 9 的数字、地址和方形图案组成的代码。

    en what the paired browser may do
    de was der gekoppelte Browser darf
    zh 已配对的浏览器可以做什么

    en the socket of reel-web
    de der Socket von reel-web
    zh reel-web 的套接字

    en say web on, off, pair, sessions, or revoke and a session
    de web on, off, pair, sessions oder revoke und eine Sitzung angeben
    zh 请输入 web on、off、pair、sessions，或 revoke 加会话

    en no page is served at {1}; install reel-web and start it (systemctl start reel-web.socket)
    de an {1} ist keine Seite; reel-web installieren und starten (systemctl start reel-web.socket)
    zh {1} 处没有页面；请安装 reel-web 并启动它（systemctl start reel-web.socket）

    en what listens at {1} is not reel-web
    de was an {1} antwortet, ist nicht reel-web
    zh {1} 处应答的不是 reel-web

    en The session has ended.
    de Die Sitzung ist beendet.
    zh 会话已结束。

    en The page is on: {1}
    de Die Seite ist an: {1}
    zh 页面已打开：{1}

    en The page is off.
    de Die Seite ist aus.
    zh 页面已关闭。

    en Wrong codes were typed; pairing waits for {1#} s.
    de Es wurden falsche Codes eingegeben; das Koppeln wartet {1} s.
    zh 输入了错误的代码；配对等待 {1} 秒。

    en Open {1} and type {2} there.
    de {1} öffnen und dort {2} eingeben.
    zh 打开 {1} 并在那里输入 {2}。

    en The code pairs one browser within {1#} minutes, with the role {2}.
    de Der Code koppelt innerhalb von {1} Minuten einen Browser, mit der Rolle {2}.
    zh 该代码可在 {1} 分钟内配对一个浏览器，角色为 {2}。

    en No browser is paired.
    de Kein Browser ist gekoppelt.
    zh 没有已配对的浏览器。

    en There is no session “{1}”; see `reelctl web sessions`.
    de Es gibt keine Sitzung „{1}“; siehe `reelctl web sessions`.
    zh 没有会话“{1}”；请见 `reelctl web sessions`。

    en The page is off; turn it on with `reelctl web on`.
    de Die Seite ist aus; mit `reelctl web on` einschalten.
    zh 页面已关闭；用 `reelctl web on` 打开。

    en “{1}” is no role; say look, listen or control.
    de „{1}“ ist keine Rolle; look, listen oder control angeben.
    zh “{1}”不是角色；请输入 look、listen 或 control。

    en This code is not valid.
    de Dieser Code gilt nicht.
    zh 此代码无效。

    en Too many wrong codes: try again in {1#} s.
    de Zu viele falsche Codes: in {1} s erneut versuchen.
    zh 错误代码过多：请在 {1} 秒后重试。

    en Another folder is being downloaded; try again when it is done.
    de Ein anderer Ordner wird heruntergeladen; danach erneut versuchen.
    zh 正在下载另一个文件夹；完成后再试。

    en The recorder does not answer.
    de Der Rekorder antwortet nicht.
    zh 录音机没有响应。
    """
}
