internal import Foundation

/// The programs that a policy of the computer forbids photo libraries to.
///
/// A file of lines, each the identifier of a program or `*` for all; what begins with `#` is a remark.
struct RestrictedPrograms: Hashable, Sendable {
    private let identifiers: Set<String>

    /// Those of a file; none where there is no file.
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
