import Foundation
import TestSupport

/// The tags of a camera file that exiftool reports: every value of a tag, whatever its group.
struct CameraTags: Sendable {
    let file: String
    let values: [(name: String, value: String)]

    /// The tags of all files, from one run of exiftool.
    static let all = Result<[CameraTags], any Error> {
        let output = try ProcessRunner.run(
            "exiftool",
            ["-j", "-n", "-a", "-G1", "-r", "-ee", "-q", "-q", SharedData.folder.path]
        )
        let decoded = try JSONSerialization.jsonObject(with: output.standardOutput)
        let prefix = SharedData.folder.path + "/"
        return (decoded as? [[String: Any]] ?? []).compactMap { object in
            guard let file = object["SourceFile"] as? String, file.hasPrefix(prefix) else {
                return nil
            }
            return CameraTags(
                file: String(file.dropFirst(prefix.count)),
                values: object.map { ($0.key, "\($0.value)") }
            )
        }
    }

    func all(_ tag: String) -> [String] {
        values.filter { $0.name.hasSuffix(":" + tag) }.map(\.value)
    }

    func has(_ tag: String, _ matches: (String) -> Bool) -> Bool {
        all(tag).contains(where: matches)
    }

    /// Returns whether there is a tag of a group.
    func has(group: String) -> Bool { values.contains { $0.name.hasPrefix(group + ":") } }

    /// Returns the values of a numeric tag.
    func numbers(_ tag: String) -> [Double] { all(tag).compactMap(Double.init) }

    var isApple: Bool { has("Make") { $0 == "Apple" } }
    var isMovie: Bool { has("MIMEType") { $0.hasPrefix("video/") } }

    /// Returns whether Apple's use of EXIF CustomRendered is in a range.
    private func isRendered(_ range: ClosedRange<Double>) -> Bool {
        isApple && numbers("CustomRendered").contains(where: range.contains)
    }

    // MARK: - Subtypes by camera metadata

    var isPanorama: Bool { isRendered(6...6) || has("ProjectionType") { !$0.isEmpty } }

    var hasDepth: Bool {
        isRendered(7...9) || has("AuxiliaryImageType") { $0.contains("depth") }
            || has(group: "XMP-GDepth") || has("SpecialTypeID") { $0.hasSuffix("PORTRAIT") }
    }

    var isScreenshot: Bool { has("UserComment") { $0.lowercased() == "screenshot" } }

    /// A gain map, a transfer function of HDR, or Apple's older marks.
    var isHDR: Bool {
        guard !isMovie else { return false }
        return has(group: "XMP-hdrgm") || has(group: "XMP-HDRGainMap")
            || has("AuxiliaryImageType") { $0.lowercased().contains("hdrgainmap") }
            || has("DirectoryItemSemantic") { $0.contains("GainMap") }
            || (isApple && numbers("HDRImageType").contains(3)) || isRendered(3...3)
            || isRendered(7...7) || isRendered(9...9)
            || numbers("TransferCharacteristics").contains { $0 == 16 || $0 == 18 }
    }

    var isSlowMotion: Bool {
        get throws {
            guard isMovie else { return false }
            let rate = try FFProbe.videoStream(of: SharedData.file(file))["avg_frame_rate"]
            let parts = (rate ?? "").split(separator: "/").compactMap { Double($0) }
            let isFast = parts.count == 2 && parts[1] > 0 && parts[0] / parts[1] >= 100
            return isFast || numbers("FullFrameRatePlaybackIntent").contains(0)
                || numbers("AndroidCaptureFPS").contains { $0 >= 100 }
        }
    }

    var isTimelapse: Bool { values.contains { $0.value.lowercased() == "time-lapse" } }

    var isScreenRecording: Bool { has("Author") { $0.hasPrefix("ReplayKit") } }
}
