// What an export of folders or an import of directories did, in parts of one line.
// Entries of three lines each, as Catalogue.swift reads them. A placeholder with a star stands for
// a sentence; "one|many" are two forms. Constant text.

extension Catalogue {
  static let exchangeWords = """
    en Exported {1}
    de Exportiert: {1}
    zh 已导出 {1}

    en {1} was there already
    de {1} war schon da
    zh {1} 个已存在

    en {1} were there already
    de {1} waren schon da
    zh {1} 个已存在

    en {1} with a title that was there already
    de {1} mit einem Titel, den es schon gab
    zh {1} 个的标题已存在

    en {1} with titles that were there already
    de {1} mit Titeln, die es schon gab
    zh {1} 个的标题已存在

    en {1} skipped
    de {1} übersprungen
    zh 跳过 {1} 个

    en into {1}
    de nach {1}
    zh 到 {1}

    en {1}, {2}.
    de {1}, {2}.
    zh {1}，{2}。

    en skipped {1}
    de übersprungen: {1}
    zh 已跳过：{1}

    en skipped {1}: {2}
    de übersprungen: {1}: {2}
    zh 已跳过：{1}：{2}

    en export {1}/{2}
    de Export {1}/{2}
    zh 导出 {1}/{2}

    en import {1}/{2}
    de Import {1}/{2}
    zh 导入 {1}/{2}

    en Ended after {1} of {2} recordings; all files are whole.
    de Nach {1} von {2} Aufnahmen beendet; alle Dateien sind vollständig.
    zh 完成 {2} 条录音中的 {1} 条后结束；所有文件都完整。
    """
}
