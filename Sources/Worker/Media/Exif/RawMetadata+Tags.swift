package import WorkerProtocol

extension RawMetadata {
    /// The maximum number of values per tag; tags with more values are manufacturers' tables and
    /// are omitted.
    private static let maximumNumbers = 16

    /// The tags that contain a text or a few numbers, ordered by directory and tag number; tags of
    /// Apple's MakerNote come last.
    package var tags: [WrittenTag] {
        let plain = values.compactMap { directory, number, value -> WrittenTag? in
            guard let directory = WrittenTag.Directory(rawValue: Int(directory.rawValue)),
                let value = Self.words(value)
            else { return nil }
            return WrittenTag(directory: directory, number: number, value: value)
        }
        return plain + appleTags
    }

    /// The tags of Apple's MakerNote that contain a text or a few numbers, ordered by tag number.
    private var appleTags: [WrittenTag] {
        let notes = self[.photo, 0x927c]?.withView { AppleMakerNote.directory(in: $0) }
        let all = (notes ?? nil)?.all ?? [:]
        return all.sorted { $0.key < $1.key }.compactMap { number, value in
            Self.words(value).map { WrittenTag(directory: .apple, number: number, value: $0) }
        }
    }

    private static func words(_ value: TagValue) -> WrittenTag.Value? {
        if value.type == 2 { return value.text.map { .text($0) } }
        guard (1...maximumNumbers).contains(value.count) else { return nil }
        var numbers: [Double] = []
        for index in 0..<value.count {
            guard let number = value.double(at: index) else { return nil }
            numbers.append(number)
        }
        return .numbers(numbers)
    }
}
