import Foundation
import Photos
import PhotosManagement

/// Everything about an asset, for people.
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

    /// The whole sheet, with line breaks.
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

    private mutating func addAsset() {
        let asset = details.asset
        add("identifier", asset.localIdentifier)
        let kinds = [asset.mediaType.name] + asset.mediaSubtypes.names
        add("kind", kinds.joined(separator: ", "))
        if asset.pixelWidth > 0 { add("size", "\(asset.pixelWidth) x \(asset.pixelHeight)") }
        if asset.duration > 0 { add("duration", LocalTime.duration(asset.duration)) }
        if let rate = details.facts.frameRate { add("frame rate", "\(SizeText.tenths(rate))/s") }
        if let place = asset.location {
            var text = "\(place.coordinate.latitude), \(place.coordinate.longitude)"
            if place.verticalAccuracy >= 0 { text += ", \(SizeText.tenths(place.altitude)) m" }
            add("place", text)
        }
        add("added", asset.addedDate.map(LocalTime.text))
        add("modified", asset.modificationDate.map(LocalTime.text))
        let marks = [(asset.isFavorite, "favourite"), (asset.isHidden, "hidden")]
        add("marks", marks.filter(\.0).map(\.1).joined(separator: ", "))
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
        add("camera", [camera.make, camera.model].compactMap(\.self).joined(separator: " "))
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
        if let length = camera.focalLength { settings.append("\(SizeText.tenths(length)) mm") }
        if let length = camera.focalLengthIn35mmFilm {
            settings.append("(\(SizeText.tenths(length)) mm on film)")
        }
        add("settings", settings.joined(separator: ", "))
    }

    private mutating func addTexts() {
        add("title", details.facts.title)
        add("caption", details.facts.caption)
        add("keywords", details.facts.keywords.joined(separator: ", "))
        if details.facts.rating > 0 { add("rating", "\(details.facts.rating) of 5") }
    }
}
