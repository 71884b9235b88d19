internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The changes to make when one asset is refreshed, computed from its rows and a reading of its
/// files.
///
/// Has no side effects, so a dry run reports what a run does.
struct RefreshPlan {
    /// The new role of a file that the library wrongly recorded as a sidecar.
    enum Fate {
        /// The file becomes a separate asset.
        case asset(AssetReading.Part)
        /// The file becomes the asset's alternate photo, because it is the RAW of the same shot.
        case alternate(AssetReading.Part)
        /// The file stays attached as data of an unknown type.
        case attachment
    }

    let present: AssetRecord
    let new: AssetRecord
    /// The asset's resources whose types or sizes change.
    let resources: [ResourceRecord]
    let strays: [(resource: ResourceRecord, fate: Fate)]

    /// The content type of files that no reader supports.
    static let unknownContentType = "public.data"

    /// Creates the plan by comparing an asset's rows with a reading.
    ///
    /// - Parameters:
    ///   - present: The asset's row.
    ///   - reading: The facts found in its files.
    ///   - isKnown: Returns whether the library has another medium with the content of a resource.
    init(
        _ present: AssetRecord,
        _ reading: AssetReading,
        isKnown: (ResourceRecord) throws -> Bool
    ) rethrows {
        self.present = present
        new = RefreshPolicy().refreshed(present, by: reading)
        resources = ([reading.primary] + reading.partners).compactMap { part in
            var resource = part.resource
            resource.contentType = part.facts.contentType
            if part.record.pixelSize.width > 0 { resource.pixelSize = part.record.pixelSize }
            return resource == part.resource ? nil : resource
        }
        var hasAlternate = reading.resources.contains { $0.type == .alternatePhoto }
        strays = try reading.strays.compactMap { stray in
            guard let medium = stray.medium, try !isKnown(stray.resource) else {
                return stray.resource.contentType == Self.unknownContentType
                    ? nil : (stray.resource, .attachment)
            }
            if medium.facts.format == .raw, !hasAlternate, reading.primary.facts.format != .raw,
                present.mediaType == .image,
                Self.stem(stray.resource) == Self.stem(reading.primary.resource),
                PairingPolicy.areOneShot(reading.primary.record, medium.record)
            {
                hasAlternate = true
                return (stray.resource, .alternate(medium))
            }
            return (stray.resource, .asset(medium))
        }
    }

    /// Indicates whether the plan makes a difference that clients can see.
    var changesAnything: Bool { changesRecord || !resources.isEmpty || !strays.isEmpty }

    /// Indicates whether there is anything to write.
    var writesAnything: Bool { changesAnything || new.readerVersion != present.readerVersion }

    private var changesRecord: Bool {
        var noted = present
        noted.readerVersion = new.readerVersion
        return noted != new
    }

    private static func stem(_ resource: ResourceRecord) -> [UInt8] {
        SourceName(path: Array("/".utf8) + Array(resource.originalFilename.utf8)).stemKey
    }

    // MARK: - Telling

    /// The outcome after the changes are committed.
    var outcome: RefreshOutcome {
        RefreshOutcome(
            changesAnything ? .refreshed : .unchanged,
            localIdentifier: present.localIdentifier,
            filename: present.originalFilename,
            reason: remarks.isEmpty ? nil : remarks.joined(separator: " "),
            changes: changes
        )
    }

    private var remarks: [String] {
        strays.map { stray in
            let name = stray.resource.originalFilename
            return switch stray.fate {
            case .asset: "\(name) was attached as a sidecar, but is an asset of its own."
            case .alternate: "\(name) was attached as a sidecar, but is the RAW file of this shot."
            case .attachment:
                "\(name) is not a sidecar. It stays attached, but its metadata is ignored."
            }
        }
    }

    private var changes: [RefreshChange] {
        var changes: [RefreshChange] = []
        func add(_ name: String, _ value: (AssetRecord) -> RefreshValue?) {
            let (old, new) = (value(present), value(new))
            if old != new { changes.append(RefreshChange(name, old, new)) }
        }
        func number(_ name: String, _ value: (AssetRecord) -> Double?) {
            add(name) { value($0).map(RefreshValue.number) }
        }
        func text(_ name: String, _ value: (AssetRecord) -> String?) {
            add(name) { value($0).map(RefreshValue.text) }
        }
        number("aperture") { $0.camera.aperture }
        text("burstIdentifier") { $0.burstIdentifier }
        text("cameraMake") { $0.camera.make }
        text("cameraModel") { $0.camera.model }
        text("caption") { $0.caption }
        text("captureTime") { $0.captureTime.map(Self.text) }
        text("contentIdentifier") { $0.contentIdentifier }
        text("contentType") { $0.contentType }
        add("creationDate") { $0.creationDate.map(RefreshValue.date) }
        number("duration") { $0.duration }
        number("exposureTime") { $0.camera.exposureTime }
        if let files { changes.append(files) }
        number("focalLength") { $0.camera.focalLength }
        number("focalLengthIn35mmFilm") { $0.camera.focalLengthIn35mmFilm }
        number("frameRate") { $0.frameRate }
        number("isoSpeed") { $0.camera.isoSpeed.map(Double.init) }
        add("keywords") { .texts($0.keywords) }
        text("lensModel") { $0.camera.lens }
        add("location") { $0.location.map(RefreshValue.location) }
        number("mediaSubtypes") { Double($0.mediaSubtypes.rawValue) }
        number("pixelHeight") { Double($0.pixelSize.height) }
        number("pixelWidth") { Double($0.pixelSize.width) }
        number("playbackStyle") { Double($0.playbackStyle.rawValue) }
        number("rating") { Double($0.rating) }
        text("software") { $0.camera.software }
        text("title") { $0.title }
        return changes
    }

    /// Formats a capture time, such as `2024-05-01T12:00:00 +02:00 (exifOriginal, offsetTag)`.
    private static func text(_ time: CaptureTime) -> String {
        let offset = time.offset.map { seconds in
            let minutes = abs(seconds) / 60
            let (hours, rest) = (minutes / 60, minutes % 60)
            return (seconds < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):"
                + (rest < 10 ? "0" : "") + "\(rest)"
        }
        return [time.wallTime, offset].compactMap(\.self).joined(separator: " ")
            + " (\(time.wallTimeSource.rawValue), \(time.instantSource.rawValue))"
    }

    private var files: RefreshChange? {
        func name(_ resource: ResourceRecord, _ type: ResourceType, _ contentType: String) -> String
        {
            "\(type) \(resource.originalFilename) (\(contentType))"
        }
        var old: [String] = []
        var new: [String] = []
        for (resource, fate) in strays {
            old.append(name(resource, resource.type, resource.contentType))
            switch fate {
            case .asset: break
            case .alternate(let part):
                new.append(name(resource, .alternatePhoto, part.facts.contentType))
            case .attachment: new.append(name(resource, .sidecar, Self.unknownContentType))
            }
        }
        return old.isEmpty ? nil : RefreshChange("files", .texts(old), .texts(new))
    }
}
