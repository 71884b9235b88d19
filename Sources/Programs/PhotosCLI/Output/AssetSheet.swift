import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Formats the details of an asset as text.
struct AssetSheet {
    private let details: AssetDetails
    private var rows = Columns()

    init(_ details: AssetDetails) {
        self.details = details
        addAsset()
        addCapture()
        addCamera()
        addTexts()
    }

    /// The complete text, with line breaks.
    var text: String {
        var lines = [TerminalStyle.bold(TerminalStyle.safe(details.facts.originalFilename))]
        lines += rows.lines(indent: "  ")
        lines.append("")
        lines.append(TerminalStyle.bold("Files"))
        var files = Columns()
        for resource in details.resources {
            files.add([
                resource.role.rawValue, SizeText.bytes(resource.fileSize),
                resource.uniformTypeIdentifier, TerminalStyle.safe(resource.originalFilename),
                resource.sha256,
            ])
        }
        lines += files.lines(indent: "  ", rightAligned: [1])
        if !details.albums.isEmpty {
            lines.append("")
            lines.append(TerminalStyle.bold("Albums"))
            var albums = Columns()
            for album in details.albums {
                albums.add([
                    TerminalStyle.safe(album.localizedTitle ?? ""), album.localIdentifier,
                ])
            }
            lines += albums.lines(indent: "  ")
        }
        lines.append("")
        lines.append(TerminalStyle.bold("Versions"))
        for version in details.versions {
            let roles = version.resources.map(\.role.rawValue).joined(separator: ", ")
            lines.append("  \(version.name)\(version.isCurrent ? " (shown)" : "")  \(roles)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Rows

    private mutating func add(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        rows.add([name, TerminalStyle.safe(value)])
    }

    private static func text(_ place: CloudPlace) -> String {
        switch place {
        case .here: "all files are on this computer"
        case .partial: "some files are only in the cloud"
        case .away: "the original is only in the cloud"
        }
    }

    private mutating func addAsset() {
        let asset = details.asset
        add("identifier", asset.localIdentifier)
        let kinds = [asset.mediaType.name] + asset.mediaSubtypes.names
        add("kind", kinds.joined(separator: ", "))
        if asset.pixelWidth > 0 { add("size", "\(asset.pixelWidth) x \(asset.pixelHeight)") }
        add("cloud", details.place.map(Self.text))
        if asset.duration > 0 { add("duration", LocalTime.duration(asset.duration)) }
        if let rate = details.facts.frameRate { add("frame rate", "\(SizeText.tenths(rate))/s") }
        if let place = asset.location {
            var text = [place.coordinate.latitude, place.coordinate.longitude].map(Self.degrees)
            if place.verticalAccuracy > 0 { text.append("\(SizeText.tenths(place.altitude)) m") }
            add("place", text.joined(separator: ", "))
        }
        add("added", asset.addedDate.map(LocalTime.zoned))
        add("modified", asset.modificationDate.map(LocalTime.zoned))
        let marks = [(asset.isFavorite, "favorite"), (asset.isHidden, "hidden")]
        add("flags", marks.filter(\.0).map(\.1).joined(separator: ", "))
        add(
            "burst",
            asset.burstIdentifier.map { $0 + (asset.representsBurst ? " (key frame)" : "") }
        )
        add("Live Photo", details.facts.contentIdentifier)
        if asset.hasAdjustments {
            add("edited with", asset.adjustmentFormatIdentifier ?? "an unknown program")
        }
    }

    private mutating func addCapture() {
        guard let capture = details.facts.capture else { return }
        let wall = capture.wallTime.replacing("T", with: " ")
        let offset = capture.utcOffset.map { " " + LocalTime.offset($0) } ?? ""
        add("captured", "\(wall)\(offset) (\(capture.wallTimeSource.rawValue))")
        add("in UTC", "\(ISODate.text(capture.date)) (\(capture.dateSource.rawValue))")
    }

    private mutating func addCamera() {
        let camera = details.facts.camera
        add("camera", Self.name(of: camera))
        add("lens", camera.lens)
        add("software", camera.software)
        var settings: [String] = []
        if let time = camera.exposureTime, time > 0 {
            settings.append(
                time < 0.3 ? "1/\(SizeText.tenths(1 / time)) s" : "\(SizeText.tenths(time)) s"
            )
        }
        if let aperture = camera.aperture { settings.append("f/\(SizeText.tenths(aperture))") }
        if let speed = camera.isoSpeed { settings.append("ISO \(speed)") }
        let lengths = [
            camera.focalLength.map { "\(SizeText.tenths($0)) mm" },
            camera.focalLengthIn35mmFilm.map { "(\(SizeText.tenths($0)) mm equivalent)" },
        ].compactMap(\.self)
        if !lengths.isEmpty { settings.append(lengths.joined(separator: " ")) }
        add("settings", settings.joined(separator: ", "))
    }

    /// Returns the make and model of a camera.
    ///
    /// The make is omitted if the model begins with the same word, as in `NIKON D70` by `NIKON
    /// CORPORATION`.
    private static func name(of camera: CameraFacts) -> String {
        guard let make = camera.make, let model = camera.model else {
            return camera.make ?? camera.model ?? ""
        }
        let first = { (text: String) in text.split(separator: " ").first?.lowercased() }
        return first(make) == first(model) ? model : make + " " + model
    }

    /// Formats a latitude or longitude in degrees with six decimal places.
    private static func degrees(_ value: Double) -> String {
        let rounded = (value * 1e6).rounded() / 1e6
        return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
    }

    private mutating func addTexts() {
        add("title", details.facts.title)
        add("caption", details.facts.caption)
        add("keywords", details.facts.keywords.joined(separator: ", "))
        if details.facts.rating > 0 { add("rating", "\(details.facts.rating) of 5") }
        if details.asset.isRejected { add("rating", "rejected") }
    }
}
