package import PhotoModel

/// The stored files of an asset as programs see them.
///
/// 1. Only one set of adjustments is visible at a time. While an edit has its own, the adjustments
///    that the camera applied, which a revert restores, are left out.
/// 2. File names are unique, ignoring case, so all files can be written to one folder. Imported
///    files keep their names. Files created by an edit are named after the original, such as
///    `IMG_1-edited.JPG` for `IMG_1.HEIC`. These names are computed and not stored.
extension [ResourceRecord] {
    /// The files visible to programs, with their visible names.
    package var presented: [ResourceRecord] {
        let hasOwnAdjustments = contains { $0.type == .adjustmentData && $0.isOfEdit }
        return named.filter {
            $0.type != .adjustmentData || $0.isOfEdit || !hasOwnAdjustments
        }
    }

    /// All files, with the names visible to programs.
    package var named: [ResourceRecord] {
        let original = first { ResourceCombination.primaryTypes.contains($0.type) } ?? first
        guard let original else { return self }
        let stem = FileName(original.originalFilename).stem
        let marks = map { $0.mark(afterStem: stem) }
        var result = self
        var taken: Set<String> = []
        // Imported names take precedence over computed ones.
        for isComputed in [false, true] {
            for (index, mark) in marks.enumerated() where (mark != nil) == isComputed {
                let name = FileName(self[index].originalFilename)
                var (text, number) = (
                    mark.map(name.text(marked:)) ?? self[index].originalFilename, 1
                )
                while !taken.insert(text.lowercased()).inserted {
                    // A sidecar named after the original's full file name is matched to its asset
                    // on import.
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
    /// Returns the suffix, such as `-edited`, that follows `stem` in the visible name of a file
    /// made by an edit, or nil if there is none.
    ///
    /// Imported edits keep their own stems, such as `IMG_E1`.
    fileprivate func mark(afterStem stem: String) -> String? {
        guard isOfEdit, FileName(originalFilename).stem == stem else { return nil }
        return switch type {
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: "-edited"
        case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: "-base"
        default: nil
        }
    }
}
