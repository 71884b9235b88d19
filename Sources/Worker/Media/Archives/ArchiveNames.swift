internal import WorkerProtocol

/// The decoding and validation of entry names in an archive.
enum ArchiveNames {
    /// Decodes a name as UTF-8, or as Latin-1 if it is not valid UTF-8; removes a leading `./`.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        return text.hasPrefix("./") ? String(text.dropFirst(2)) : text
    }

    /// Returns the reason why a name is refused, as text for users; nil for an acceptable name.
    static func problem(_ name: String) -> String? {
        if name.utf8.count > ArchiveEntry.maximumNameLength {
            return "Its name is longer than \(ArchiveEntry.maximumNameLength) bytes."
        }
        if name.isEmpty || name.unicodeScalars.contains("\0") { return "Its name is invalid." }
        if name.utf8.first == UInt8(ascii: "/") { return "Its name is an absolute path." }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("..") { return "Its name leaves the archive's folder (“..”)." }
        return nil
    }

    /// Returns a name in a form that is safe to show in a message.
    static func shown(_ name: String) -> String { Text.clean(String(name.prefix(300))) ?? "" }

    /// Indicates whether a file name ends with `.json`.
    ///
    /// Google Takeout describes media files in JSON files.
    static func isJSON(_ name: String) -> Bool { name.lowercased().hasSuffix(".json") }
}
