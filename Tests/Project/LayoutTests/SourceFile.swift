import Foundation
import Synchronization

/// A Swift source file without comments and text, for the layout's rules.
struct SourceFile {
    let url: URL
    /// The lines without comments and string literals.
    let lines: [String]

    /// Returns a file of the package, which is read once for all tests.
    static func at(_ url: URL) throws -> SourceFile {
        try known.withLock { known in
            if let file = known[url] { return file }
            let file = SourceFile(url: url, text: try String(contentsOf: url, encoding: .utf8))
            known[url] = file
            return file
        }
    }

    private static let known = Mutex<[URL: SourceFile]>([:])

    init(url: URL, text: String) {
        self.url = url
        lines = Self.stripped(text).split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The imported modules, regardless of access level and kind.
    var imports: Set<String> {
        let kinds: Set<String> = [
            "struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor",
        ]
        return Set(
            lines.compactMap { line in
                var words = line.split(separator: " ").map(String.init)
                guard let place = words.firstIndex(of: "import"),
                    words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.reaches.contains($0) })
                else { return nil }
                words.removeFirst(place + 1)
                if let first = words.first, kinds.contains(first) { words.removeFirst() }
                return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
            }
        )
    }

    /// The line numbers, from 1, of `public` or `open` declarations.
    var publicLines: [Int] {
        lines.indices.filter { index in
            // `open` is a modifier only before other words; `open(` calls the C function.
            lines[index].split(separator: " ").contains { word in
                word == "public" || word == "open" || word.hasPrefix("public(")
            }
        }.map { $0 + 1 }
    }

    private static let reaches: Set<String> = [
        "public", "package", "internal", "fileprivate", "private",
    ]

    private static func stripped(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        var depth = 0
        while let character = rest.first {
            if rest.hasPrefix("/*") {
                depth += 1
                rest.removeFirst(2)
            } else if depth > 0 {
                if rest.hasPrefix("*/") {
                    depth -= 1
                    rest.removeFirst(2)
                } else {
                    if character == "\n" { result.append(character) }
                    rest.removeFirst()
                }
            } else if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("\"\"\"") {
                let end = rest.dropFirst(3).firstRange(of: "\"\"\"")?.upperBound ?? rest.endIndex
                result += String(repeating: "\n", count: rest[..<end].count { $0 == "\n" })
                rest = rest[end...]
            } else if character == "\"" {
                rest.removeFirst()
                while let inside = rest.first, inside != "\"", inside != "\n" {
                    rest.removeFirst(inside == "\\" ? min(2, rest.count) : 1)
                }
                if rest.first == "\"" { rest.removeFirst() }
            } else {
                result.append(character)
                rest.removeFirst()
            }
        }
        return result
    }
}
