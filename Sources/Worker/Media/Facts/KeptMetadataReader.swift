internal import PhotoModel

/// A reader for the metadata in XMP that the library does not store in its database, such as
/// labels, people, image regions and places.
struct KeptMetadataReader {
    /// The maximum number of image regions to read from one file.
    private static let maximumRegions = 256

    /// The XMP values by key, in Exiv2's form.
    let xmp: [String: [String]]
    /// The paths of hierarchical keywords, each starting at the top-level keyword.
    let keywordPaths: [[String]]

    /// The metadata; nil if the file contains no such metadata.
    var metadata: KeptMetadata? {
        var kept = KeptMetadata()
        kept.label = label
        // Exiv2 has its own prefixes of IPTC's namespaces.
        kept.people = texts("iptcExt.PersonInImage") + texts("Iptc4xmpExt.PersonInImage")
        // Most files have none, and each area is looked up by a key of its own.
        if hasKeys("mwg-rs.Regions/") {
            kept.regionImageSize = regionImageSize
            kept.regions = regions
        }
        if hasKeys("MP.RegionInfo/") { addMicrosoftRegions(to: &kept) }
        if kept.regions.isEmpty { kept.regionImageSize = nil }
        kept.keywordPaths = keywordPaths.filter { $0.count > 1 }
        kept.place = place
        kept.placeNames = texts("migration.PlaceNames")
        limit(&kept)
        return kept.isEmpty ? nil : kept
    }

    /// The maximum length of each list in bytes, so that a file's facts fit into a message.
    private static let listLimitInBytes = 128 << 10

    /// Truncates each list that is longer than `listLimitInBytes`.
    private func limit(_ kept: inout KeptMetadata) {
        func truncate<Value>(_ values: inout [Value], _ texts: (Value) -> [String?]) {
            var length = 0
            let end = values.firstIndex { value in
                length += texts(value).reduce(0) { $0 + ($1?.utf8.count ?? 0) + 16 }
                return length > Self.listLimitInBytes
            }
            if let end { values.removeSubrange(end...) }
        }
        truncate(&kept.people) { [$0] }
        truncate(&kept.regions) { [$0.name, $0.type, $0.description] }
        truncate(&kept.keywordPaths) { $0 }
        truncate(&kept.placeNames) { [$0] }
    }

    private func hasKeys(_ prefix: String) -> Bool { xmp.keys.contains { $0.hasPrefix(prefix) } }

    private func texts(_ key: String) -> [String] {
        (xmp[key] ?? []).compactMap { Text.clean($0) }
    }

    private func text(_ keys: String...) -> String? {
        keys.lazy.compactMap { texts($0).first }.first
    }

    // MARK: - Labels

    private static let darktableColors = ["Red", "Yellow", "Green", "Blue", "Purple"]
    private static let digiKamColors = [
        "Red", "Orange", "Yellow", "Green", "Blue", "Magenta", "Gray", "Black", "White",
    ]

    /// The name of the color label; the numbers of darktable and digiKam are converted to names.
    private var label: String? {
        if let label = text("xmp.Label") { return label }
        for text in texts("darktable.colorlabels") {
            if let number = Int(text), Self.darktableColors.indices.contains(number) {
                return Self.darktableColors[number]
            }
        }
        guard let number = text("digiKam.ColorLabel").flatMap({ Int($0) }),
            (1...Self.digiKamColors.count).contains(number)
        else { return nil }
        return Self.digiKamColors[number - 1]
    }

    // MARK: - Areas

    private var regionImageSize: PixelSize? {
        let key = "mwg-rs.Regions/mwg-rs:AppliedToDimensions/stDim:"
        guard let width = number(key + "w"), let height = number(key + "h"),
            (1...1e9).contains(width), (1...1e9).contains(height),
            text(key + "unit") ?? "pixel" == "pixel"
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private var regions: [ImageRegion] {
        (1...Self.maximumRegions).compactMap { index in
            let key = "mwg-rs.Regions/mwg-rs:RegionList[\(index)]/mwg-rs:"
            let area = key + "Area/stArea:"
            guard var x = number(area + "x"), var y = number(area + "y") else { return nil }
            var (width, height) = (number(area + "w"), number(area + "h"))
            var diameter = number(area + "d")
            if text(area + "unit") == "pixel" {
                guard let size = regionImageSize else { return nil }
                let (across, down) = (Double(size.width), Double(size.height))
                (x, y) = (x / across, y / down)
                (width, height) = (width.map { $0 / across }, height.map { $0 / down })
                diameter = diameter.map { $0 / min(across, down) }
            }
            guard Self.isInside(x), Self.isInside(y) else { return nil }
            var region = ImageRegion(name: text(key + "Name"), type: text(key + "Type"), x: x, y: y)
            region.description = text(key + "Description")
            if let width, let height, Self.isInside(width), Self.isInside(height) {
                (region.width, region.height) = (width, height)
            } else {
                region.diameter = diameter.flatMap { Self.isInside($0) ? $0 : nil }
            }
            return region
        }
    }

    /// Adds image regions in Microsoft's format, except for people who have a region already.
    ///
    /// Microsoft states a region's top left corner; `ImageRegion` has its center.
    private func addMicrosoftRegions(to kept: inout KeptMetadata) {
        let names = Set(kept.regions.compactMap(\.name))
        for index in 1...Self.maximumRegions {
            let key = "MP.RegionInfo/MPRI:Regions[\(index)]/MPReg:"
            guard let name = text(key + "PersonDisplayName"), !names.contains(name) else {
                continue
            }
            let numbers = (text(key + "Rectangle") ?? "").split(separator: ",").map {
                Double(Self.trimmed($0)) ?? .nan
            }
            guard numbers.count == 4, numbers.allSatisfy(Self.isInside) else {
                // Without an area, the name is that of a person somewhere in the image.
                if !kept.people.contains(name) { kept.people.append(name) }
                continue
            }
            let (x, y) = (numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2)
            var region = ImageRegion(name: name, type: "Face", x: min(x, 1), y: min(y, 1))
            (region.width, region.height) = (numbers[2], numbers[3])
            kept.regions.append(region)
        }
    }

    private func number(_ key: String) -> Double? {
        text(key).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func isInside(_ fraction: Double) -> Bool { (0...1).contains(fraction) }

    // MARK: - Places

    private var place: PlaceFields {
        var place = PlaceFields()
        place.sublocation = text("iptc.Location", "Iptc4xmpCore.Location")
        place.city = text("photoshop.City")
        place.state = text("photoshop.State")
        place.country = text("photoshop.Country")
        place.countryCode = text("iptc.CountryCode", "Iptc4xmpCore.CountryCode")
        guard place.isEmpty else { return place }
        // The structure of newer versions of IPTC.
        for key in [
            "iptcExt.LocationShown[1]/iptcExt:", "Iptc4xmpExt.LocationShown[1]/Iptc4xmpExt:",
        ]
        where place.isEmpty {
            place.sublocation = text(key + "Sublocation")
            place.city = text(key + "City")
            place.state = text(key + "ProvinceState")
            place.country = text(key + "CountryName")
            place.countryCode = text(key + "CountryCode")
        }
        return place
    }
}
