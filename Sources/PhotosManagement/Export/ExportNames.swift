/// Makes file names out of what files were called when they were imported.
enum ExportNames {
    /// What a file system takes at most, in bytes.
    private static let maximumLength = 255

    /// A name that is safe in a folder: no slash, no zero, not empty, not `.` or `..`, not too long.
    ///
    /// - Parameters:
    ///   - original: What the file was called.
    ///   - number: 0 for the name itself, else a number that goes before the suffix.
    /// - Returns: A name of at most 255 bytes.
    static func name(_ original: String, number: Int) -> String {
        var safe = String(original.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        if safe.allSatisfy({ $0 == "." }) { safe = "Untitled" }
        let (stem, suffix) = split(safe)
        let tail = (number == 0 ? "" : " (\(number))") + suffix
        return fitting(stem, length: max(1, maximumLength - tail.utf8.count)) + tail
    }

    /// The name of a partner: the leading file's stem with the partner's own suffix.
    static func partner(_ original: String, of leading: String) -> String {
        split(leading).stem + split(original).suffix
    }

    /// The part before the last dot, and the rest with the dot.
    static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 16
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// As many leading characters as fit.
    private static func fitting(_ text: String, length: Int) -> String {
        var result = text
        while result.utf8.count > length { result.removeLast() }
        return result
    }
}
