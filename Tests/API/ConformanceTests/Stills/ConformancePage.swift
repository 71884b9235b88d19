import Foundation

/// A self-contained page that shows all results.
struct ConformancePage {
    let files: [ConformanceRun.FileResults]
    /// The folder of pictures of mismatches.
    let folder: URL

    func write(to file: URL) throws {
        try Data(html.utf8).write(to: file)
    }

    private var html: String {
        let all = files.flatMap(\.results)
        let wrong = all.filter(\.isWrong).count
        let known = all.filter { if case .deviates = $0.verdict { true } else { false } }.count
        let mismatches = all.filter { $0.pictures != nil }
        return """
            <!doctype html><html lang="en"><meta charset="utf-8">
            <meta name="viewport" content="width=device-width,initial-scale=1">
            <title>Conformance of pictures</title><style>\(Self.style)</style>
            <h1>Conformance of pictures</h1>
            <p>\(files.count) files, \(all.count) requests: \(all.count - wrong - known) as the \
            reference, \(known) known deviations, \(wrong) wrong. Left ours, right the reference. Each \
            figure is the mean difference of 255, beside it the signal-to-noise ratio in decibels.</p>
            \(mismatches.isEmpty ? "" : mismatchTable(mismatches))
            <h2>All files</h2><table><tr><th>File</th><th>Judge</th><th>Ours</th><th>Reference</th>
            \(Variant.allCases.map { "<th>\($0.rawValue)</th>" }.joined())</tr>
            \(files.map(row).joined(separator: "\n"))</table></html>
            """
    }

    private func row(_ file: ConformanceRun.FileResults) -> String {
        let ours = file.thumbnails.map { Self.image($0.ours, "image/jpeg") } ?? ""
        let reference = file.thumbnails.map { Self.image($0.reference, "image/jpeg") } ?? ""
        let cells = Variant.allCases.map { variant in
            file.results.first { $0.variant == variant }.map(cell) ?? "<td></td>"
        }
        return """
            <tr><td>\(Self.escaped(file.sample.name))</td><td>\(file.sample.judge.rawValue)</td>\
            <td>\(ours)</td><td>\(reference)</td>\(cells.joined())</tr>
            """
    }

    private func cell(_ result: ConformanceResult) -> String {
        let (kind, reason) = Self.words(result.verdict)
        let size = result.size.map(\.description) ?? "–"
        let figures = result.difference.map {
            String(format: "%.2f · %.0f dB", $0.mean, $0.signalToNoise)
        }
        return """
            <td class="\(kind)" title="\(Self.escaped(reason))">\(size)<br>\(figures ?? "–")</td>
            """
    }

    private func mismatchTable(_ results: [ConformanceResult]) -> String {
        let rows = results.map { result in
            let pictures =
                [result.pictures?.ours, result.pictures?.reference]
                + [result.pictures?.difference]
            let images = pictures.map { name in
                let data = name.flatMap { try? Data(contentsOf: folder.appendingPathComponent($0)) }
                // A large picture, or one of a known deviation, remains a file next to the page.
                guard let data, data.count < (result.isWrong ? 150_000 : 40_000) else {
                    return "<td>\(Self.escaped(name ?? ""))</td>"
                }
                return "<td>\(Self.image(data, "image/png"))</td>"
            }
            let (kind, reason) = Self.words(result.verdict)
            return """
                <tr><td class="\(kind)">\(Self.escaped(result.name))<br>\(result.variant.rawValue)\
                <br>\(Self.escaped(reason))</td>\(images.joined())</tr>
                """
        }
        return """
            <h2>Mismatches</h2><table><tr><th>File</th><th>Ours</th><th>Reference</th>
            <th>Difference ×8</th></tr>\(rows.joined(separator: "\n"))</table>
            """
    }

    private static func words(_ verdict: ConformanceResult.Verdict) -> (String, String) {
        switch verdict {
        case .same: ("same", "as the reference")
        case .deviates(let reason): ("known", reason)
        case .fails(let reason): ("wrong", reason)
        case .passesAgain(let reason): ("wrong", "listed as deviating, and the same: \(reason)")
        }
    }

    private static func image(_ data: Data, _ type: String) -> String {
        "<img alt=\"\" loading=\"lazy\" src=\"data:\(type);base64,\(data.base64EncodedString())\">"
    }

    /// Escapes text, since file names may contain markup.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }

    private static let style = """
        body{font:14px/1.4 system-ui,sans-serif;margin:2rem;color:#222}
        table{border-collapse:collapse}th,td{padding:.25rem .5rem;text-align:left;
        border-bottom:1px solid #ddd;vertical-align:top}th{position:sticky;top:0;background:#fff}
        td.same{color:#276627}td.known{background:#fff3cd}td.wrong{background:#f8d0d0}
        img{max-width:240px;background:repeating-conic-gradient(#ddd 0 25%,#fff 0 50%) 0/16px 16px}
        """
}
