/// A file name, split into a stem and a suffix that begins with the last dot.
///
/// A suffix has at most 16 characters and 64 bytes; a longer one belongs to the stem.
package struct FileName: Hashable, Sendable {
    /// The maximum number of bytes in a name on common file systems.
    package static let maximumLength = 255
    /// The marks between stem and suffix that suggest a rendered edit, in lowercase UTF-8.
    package static let editMarks = ["_edited", "-edited"].map { Array($0.utf8) }
    private static let maximumSuffixCount = 16
    private static let maximumSuffixLength = 64

    /// The part before the suffix.
    package var stem: String
    /// The dot and the characters after it; empty for a name without a suffix.
    package var suffix: String

    /// Creates a file name by splitting text into stem and suffix.
    package init(_ name: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= Self.maximumSuffixCount,
            name[dot...].utf8.count <= Self.maximumSuffixLength
        else {
            (stem, suffix) = (name, "")
            return
        }
        (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
    }

    /// Returns the name with a mark between stem and suffix, shortening the stem if the result
    /// would be too long.
    package func text(marked mark: String = "") -> String {
        let room = max(1, Self.maximumLength - mark.utf8.count - suffix.utf8.count)
        return Self.fitting(stem, length: room) + mark + suffix
    }

    /// Returns the longest prefix of a text that has at most `length` bytes in UTF-8.
    package static func fitting(_ text: String, length: Int) -> String {
        var result = text
        while result.utf8.count > length { result.removeLast() }
        return result
    }
}
