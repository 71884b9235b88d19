/// A reader for the name in an ICC color profile.
enum ProfileName {
    /// Returns the profile's description; nil if the profile is invalid or has no description.
    static func read(_ profile: [UInt8]) -> String? {
        profile.withUnsafeBytes { read(ByteView($0)) }
    }

    private static func read(_ profile: ByteView) -> String? {
        guard profile.starts(with: "acsp", at: 36), let count = profile.integer32(at: 128) else {
            return nil
        }
        for index in 0..<min(count, 100) {
            let entry = 132 + index * 12
            guard let name = profile.code(at: entry) else { return nil }
            guard name == "desc", let offset = profile.integer32(at: entry + 4),
                let length = profile.integer32(at: entry + 8),
                let body = profile.part(at: offset, length: length)
            else { continue }
            return text(body)
        }
        return nil
    }

    private static func text(_ body: ByteView) -> String? {
        switch body.code(at: 0) {
        case "desc":
            guard let length = body.integer32(at: 8), length <= 1_000 else { return nil }
            return Text.clean(body.available(at: 12, length: length).bytes)
        case "mluc":
            // The first language, in UTF-16.
            guard let length = body.integer32(at: 20), let offset = body.integer32(at: 24),
                length <= 1_000, let words = body.part(at: offset, length: length)
            else { return nil }
            let units = stride(from: 0, to: words.count - 1, by: 2).compactMap {
                words.integer16(at: $0).map { UInt16(truncatingIfNeeded: $0) }
            }
            return Text.clean(Array(String(decoding: units, as: UTF16.self).utf8))
        default: return nil
        }
    }
}
