// What the repair of a clipped recording from its safety track says.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let clippingSentences = """
    en Nothing is clipped, so nothing was repaired.
    de Nichts ist übersteuert; repariert wurde nichts.
    zh 没有削波，因此未作修复。

    en Clipped stretches repaired from the safety track: {1#}, {2} s in all.
    de Aus der Sicherheitsspur reparierte Übersteuerungen: {1}, zusammen {2} s.
    zh 用安全音轨修复的削波段：{1}，共 {2} 秒。

    en The safety track is {1} dB below the main track.
    de Die Sicherheitsspur liegt {1} dB unter der Hauptspur.
    zh 安全音轨比主音轨低 {1} dB。

    en The export is {1}.{2} dB softer than the recording.
    de Der Export ist {1},{2} dB leiser als die Aufnahme.
    zh 导出的声音比录音低 {1}.{2} dB。

    en Stretches in which the safety track clips as well: {1#}.
    de Stellen, an denen auch die Sicherheitsspur übersteuert ist: {1}.
    zh 安全音轨也削波的段：{1}。

    en Clipped stretches after the end of the safety track: {1#}.
    de Übersteuerungen nach dem Ende der Sicherheitsspur: {1}.
    zh 安全音轨结束之后的削波段：{1}。

    en The safety track has {1} Hz and the main track {2} Hz; give both the same format in \
    reel.json.
    de Die Sicherheitsspur hat {1} Hz und die Hauptspur {2} Hz; beiden in reel.json dasselbe \
    Format geben.
    zh 安全音轨为 {1} Hz，主音轨为 {2} Hz；请在 reel.json 中给两者相同的格式。

    en Channels of the safety track: {1}, of the main track: {2}; give both the same number, 8 at \
    most, in reel.json.
    de Kanäle der Sicherheitsspur: {1}, der Hauptspur: {2}; beiden in reel.json gleich viele \
    geben, höchstens 8.
    zh 安全音轨的声道数：{1}，主音轨：{2}；请在 reel.json 中给两者相同的数目，最多 8 个。

    en The safety track is silent; check its cable and its level, or export without repair.
    de Die Sicherheitsspur ist stumm; Kabel und Pegel prüfen, oder ohne Reparatur exportieren.
    zh 安全音轨没有声音；请检查连线和电平，或不加修复地导出。

    en The safety track clips wherever the main track does; record it at a lower level.
    de Die Sicherheitsspur ist überall mit der Hauptspur übersteuert; mit kleinerem Pegel aufnehmen.
    zh 主音轨削波之处安全音轨也都削波；请以更低的电平录制。

    en The safety track is not the sound of the main track; record the same microphone in both.
    de Die Sicherheitsspur ist nicht der Ton der Hauptspur; dasselbe Mikrofon in beiden aufnehmen.
    zh 安全音轨与主音轨的声音不同；请在两者中录制同一个麦克风。

    en Too little of the sound is not clipped to match the safety track's level; export without \
    repair.
    de Zu wenig Ton ist nicht übersteuert, um die Pegel anzugleichen; ohne Reparatur exportieren.
    zh 未削波的声音太少，无法匹配安全音轨的电平；请不加修复地导出。

    en The recording was changed while it was examined; try again.
    de Die Aufnahme wurde während der Prüfung geändert; noch einmal versuchen.
    zh 检查时录音被更改；请重试。

    en “{1}” has no track “{2}”, from which it could be repaired; export it without \
    --repair-clipping.
    de „{1}“ hat keine Spur „{2}“, aus der repariert werden könnte; ohne --repair-clipping \
    exportieren.
    zh “{1}”没有可用来修复的音轨“{2}”；请不加 --repair-clipping 导出。

    en The track “{1}” repairs the others; name another with --track.
    de Die Spur „{1}“ repariert die anderen; mit --track eine andere nennen.
    zh 音轨“{1}”用来修复其他音轨；请用 --track 指定另一条。
    """
}
