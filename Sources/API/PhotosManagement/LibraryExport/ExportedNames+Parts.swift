internal import Foundation
internal import PhotoModel

/// The parts of which the names of exported files consist.
extension ExportedNames {
    /// Returns the stem followed by the mark, with the stem shortened if necessary so that `tail`
    /// more bytes can be appended to the file name.
    static func base(_ stem: String, _ mark: String, before tail: Int) -> String {
        let room = max(1, FileName.maximumLength - mark.utf8.count - tail)
        // A stem that was shortened may be empty, or consist of dots.
        return safe(FileName.fitting(stem, length: room)) + mark
    }

    /// Returns the part of each name after the common stem; no two parts are equal.
    static func tails(_ resources: [ResourceRecord]) -> [String] {
        var used: Swift.Set<String> = []
        return resources.map { resource in
            let mark = mark(of: resource.type)
            let suffix = suffix(of: resource)
            var number = 1
            while true {
                let tail = mark + (number == 1 ? "" : "-\(number)") + suffix
                if used.insert(tail.lowercased()).inserted { return tail }
                number += 1
            }
        }
    }

    private static func mark(of type: ResourceType) -> String {
        switch type {
        case .photo, .video, .audio, .photoProxy, .alternatePhoto, .pairedVideo, .adjustmentData:
            ""
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: "-edited"
        case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo: "-base"
        // The exported metadata has the usual name of a sidecar.
        case .sidecar: "-sidecar"
        }
    }

    private static func suffix(of resource: ResourceRecord) -> String {
        let own = FileName(safe(resource.originalFilename)).suffix
        if !own.isEmpty { return own }
        return FileName((resource.path as NSString).lastPathComponent).suffix
    }

    /// Returns a file name in Unicode's composed form that is also valid on FAT, exFAT and NTFS.
    static func safe(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.precomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "/": scalars.append("\u{2215}")
            case "\u{0}"..."\u{1F}", "\u{7F}", "\\", ":", "*", "?", "\"", "<", ">", "|":
                scalars.append("_")
            default: scalars.append(scalar)
            }
        }
        let safe = String(scalars)
        let isPlain = safe.unicodeScalars.contains { $0 != "." && $0 != " " }
        return isPlain ? safe : "Untitled"
    }
}
