/// The rules that determine which resource types can form an asset together (behaviors 135,
/// 139–142).
///
/// An asset has one primary file. Every other type occurs at most once and only together with the
/// files that it requires.
package enum ResourceCombination {
    /// The primary types.
    ///
    /// An asset has exactly one file whose type is a primary type.
    package static let primaryTypes: [ResourceType] = [.photo, .video, .audio, .photoProxy]

    /// Returns whether files of the given types can form an asset.
    package static func supports(_ types: [ResourceType]) -> Bool { problem(with: types) == nil }

    /// Returns the reason why files of the given types cannot form an asset; nil if they can.
    ///
    /// The reason is one sentence.
    package static func problem(with types: [ResourceType]) -> String? {
        for type in ResourceType.allCases where types.count(where: { $0 == type }) > 1 {
            return "There are \(types.count { $0 == type }) files of the type \(type), but an asset"
                + " has at most one of each type."
        }
        let primaries = primaryTypes.filter(types.contains)
        guard !primaries.isEmpty else {
            return "None of the files is a photo, a video or an audio file: \(list(types))."
        }
        guard primaries.count == 1 else {
            return "An asset is one of \(list(primaryTypes)), but these are \(list(primaries))."
        }
        for type in types where !primaryTypes.contains(type) {
            guard let companions = companions[type] else {
                return "Files of the type \(type) cannot be added by programs."
            }
            let missing = companions.filter { !types.contains($0) }
            if !missing.isEmpty {
                return "A file of the type \(type) requires \(list(missing))."
            }
        }
        if types.contains(.adjustmentData), primaries != [.photo], primaries != [.video] {
            return "Adjustments belong to a photo or a video, not to \(list(primaries))."
        }
        return nil
    }

    /// The types of files that an asset must also contain, keyed by the type that requires them.
    ///
    /// The keys are all non-primary types that programs can add.
    private static let companions: [ResourceType: [ResourceType]] = [
        .alternatePhoto: [.photo],
        .pairedVideo: [.photo],
        .adjustmentData: [],
        .fullSizePhoto: [.photo, .adjustmentData],
        .fullSizeVideo: [.video, .adjustmentData],
        .fullSizePairedVideo: [.pairedVideo, .fullSizePhoto, .adjustmentData],
        .adjustmentBasePhoto: [.photo, .adjustmentData],
        .adjustmentBaseVideo: [.video, .adjustmentData],
        .adjustmentBasePairedVideo: [.pairedVideo, .adjustmentBasePhoto, .adjustmentData],
    ]

    private static func list(_ types: [ResourceType]) -> String {
        types.isEmpty ? "no files" : types.map { "\($0)" }.joined(separator: ", ")
    }
}
