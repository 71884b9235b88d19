internal import Foundation
internal import PhotoModel

/// The names that Apple's programs give to the files of one photo.
extension SourceName {
    /// The `stemKey` of the original if the name is that of a rendered edit; nil for other names.
    ///
    /// It is the key of `IMG_1853` for `IMG_E1853`, and of `name` for `name_edited` and the
    /// library's own `name-edited`. A name only suggests an edit; see `BatchCommit`.
    package var originalStemKey: [UInt8]? {
        if let original = Self.stem(stem, withoutMark: "e") { return key(ofStem: original) }
        let mark = FileName.editMarks.first { Self.lowercased(stem.suffix($0.count)) == $0 }
        guard let mark, stem.count > mark.count else { return nil }
        return key(ofStem: Array(stem.dropLast(mark.count)))
    }

    /// The UUID in a file name of the form `UUID_5`, which Apple's libraries use; nil for other
    /// names.
    var itemStem: [UInt8]? {
        let stem = stem
        guard stem.count == 38, stem.suffix(2) == Array("_5".utf8)[...],
            UUID(uuidString: String(decoding: stem.dropLast(2), as: UTF8.self)) != nil
        else { return nil }
        return Array(stem.dropLast(2))
    }

    /// Returns a stem without a given mark, such as `IMG_1853` for `IMG_E1853`; nil for stems of
    /// another form.
    ///
    /// The form is three letters or digits, `_`, the mark in either case, and at least four digits.
    static func stem(_ stem: [UInt8], withoutMark mark: Character) -> [UInt8]? {
        guard stem.count >= 9, stem[3] == UInt8(ascii: "_"),
            lowercased(stem[4...4]) == Array(mark.utf8),
            stem[5...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Array(stem[..<4] + stem[5...])
    }
}
