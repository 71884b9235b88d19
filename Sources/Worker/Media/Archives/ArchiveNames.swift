internal import WorkerProtocol

/// The check of the names in an archive.
enum ArchiveNames {
    /// Returns a name as text, without a leading `./`; UTF-8 if it is valid, else Latin-1.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        return text.hasPrefix("./") ? String(text.dropFirst(2)) : text
    }

    /// Returns the reason why a name is refused; nil for a usable one.
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

    /// Returns a name for a message.
    static func shown(_ name: String) -> String { Text.clean(String(name.prefix(300))) ?? "" }

    /// Returns whether a file may be a description by Google, which is read with the listing.
    static func isJSON(_ name: String) -> Bool { name.lowercased().hasSuffix(".json") }
}
