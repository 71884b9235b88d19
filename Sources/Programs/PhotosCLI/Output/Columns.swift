/// A table of text with aligned columns.
struct Columns {
    private var rows: [[String]] = []

    mutating func add(_ row: [String]) { rows.append(row) }

    /// Formats the rows as lines.
    ///
    /// Each column is as wide as its widest cell. The last one is not padded unless it is
    /// right-aligned.
    func lines(indent: String = "", rightAligned: Set<Int> = []) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { index, cell in
                if index == row.count - 1, !rightAligned.contains(index) { return cell }
                return Self.pad(cell, to: widths[index], right: rightAligned.contains(index))
            }
            return indent + cells.joined(separator: "  ")
        }
    }

    static func pad(_ text: String, to width: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return right ? space + text : text + space
    }
}
