internal import Foundation

/// The programs that a policy of the computer's administrator excludes from photo libraries.
///
/// The policy file has one program identifier per line, or `*` for all programs. Lines that begin
/// with `#` are comments.
struct RestrictedPrograms: Hashable, Sendable {
    private let identifiers: Set<String>

    /// Reads program identifiers from a policy file; the set is empty if the file does not exist.
    init(file: String) {
        let data = FileManager.default.contents(atPath: file) ?? Data()
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        identifiers = Set(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") })
    }

    func contains(_ identifier: String) -> Bool {
        identifiers.contains("*") || identifiers.contains(identifier)
    }
}
