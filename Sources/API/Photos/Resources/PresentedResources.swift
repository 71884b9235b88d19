package import PhotoModel

/// The stored files of an asset as programs see them.
///
/// 1. There is one set of adjustments at a time: while an edit has its own, those that the camera
///    applied, which a revert goes back to, are left out.
/// 2. Names differ, also where a volume ignores letter case, so that all files can be written into one
///    folder. What was imported keeps its name; what an edit made is named after the original, such as
///    `IMG_1-edited.JPG` of `IMG_1.HEIC`. Nothing of this is stored.
extension [ResourceRecord] {
    /// The files that programs see, under the names that they see.
    package var presented: [ResourceRecord] {
        let hasOwnAdjustments = contains { $0.type == .adjustmentData && $0.isOfEdit }
        return named.filter {
            $0.type != .adjustmentData || $0.isOfEdit || !hasOwnAdjustments
        }
    }

    /// All files, under the names that programs see.
    package var named: [ResourceRecord] {
        let original = first { ResourceCombination.primaryTypes.contains($0.type) } ?? first
        guard let original else { return self }
        let stem = FileName(original.originalFilename).stem
        let marks = map { $0.mark(afterStem: stem) }
        var result = self
        var taken: Set<String> = []
        // Imported names come first: what is computed makes way for them.
        for isComputed in [false, true] {
            for (index, mark) in marks.enumerated() where (mark != nil) == isComputed {
                let name = FileName(self[index].originalFilename)
                var (text, number) = (
                    mark.map(name.text(marked:)) ?? self[index].originalFilename, 1
                )
                while !taken.insert(text.lowercased()).inserted {
                    // Under the original's whole name an import finds a sidecar's asset again.
                    let sidecar = FileName(original.originalFilename + name.suffix)
                    let isFirstTry = number == 1 && self[index].type == .sidecar
                    number += 1
                    text =
                        isFirstTry
                        ? sidecar.text() : name.text(marked: "\(mark ?? "") (\(number))")
                }
                result[index].originalFilename = text
            }
        }
        return result
    }
}

extension ResourceRecord {
    /// What its name gets behind the original's stem; nil for a file that keeps the name that it has.
    ///
    /// Edits that were imported have stems of their own: `IMG_E1`.
    fileprivate func mark(afterStem stem: String) -> String? {
        guard isOfEdit, FileName(originalFilename).stem == stem else { return nil }
        return switch type {
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: "-edited"
        case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: "-base"
        default: nil
        }
    }
}
