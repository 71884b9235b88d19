/// Metadata for which a library has no fields, as read from a file.
///
/// It stays in the file, and exports write it again.
package struct KeptMetadata: Codable, Hashable, Sendable {
    /// The color label's name, such as `Red`.
    package var label: String?
    /// The names of the people in the image.
    package var people: [String] = []
    /// The marked areas of the image, mostly faces.
    package var regions: [ImageRegion] = []
    /// The size of the image that the coordinates of `regions` refer to.
    package var regionImageSize: PixelSize?
    /// The paths of hierarchical keywords, each from the top level down.
    package var keywordPaths: [[String]] = []
    package var place = PlaceFields()
    /// Place names of an unknown kind, the most precise one first.
    package var placeNames: [String] = []

    package init() {}

    package var isEmpty: Bool { self == KeptMetadata() }

    /// Fills absent values with the values from another file of the same asset.
    ///
    /// Lists are united. Of the regions, only those with names that are not in this value are
    /// added.
    package mutating func fill(from other: KeptMetadata) {
        label = label ?? other.label
        Self.unite(&people, other.people)
        Self.unite(&keywordPaths, other.keywordPaths)
        if regions.isEmpty {
            (regions, regionImageSize) = (other.regions, other.regionImageSize)
        } else {
            let names = Set(regions.compactMap(\.name))
            regions += other.regions.filter { $0.name.map { !names.contains($0) } ?? false }
        }
        if place.isEmpty { place = other.place }
        if placeNames.isEmpty { placeNames = other.placeNames }
    }

    private static func unite<Value: Hashable>(_ values: inout [Value], _ others: [Value]) {
        var seen = Set(values)
        values += others.filter { seen.insert($0).inserted }
    }
}

/// A marked area of an image, in fractions of its width and height.
package struct ImageRegion: Codable, Hashable, Sendable {
    /// The name of the person or thing.
    package var name: String?
    /// The kind as MWG defines it: `Face`, `Pet`, `Focus` or `BarCode`.
    package var type: String?
    package var description: String?
    /// The horizontal coordinate of the center; `y` is the vertical coordinate.
    package var x: Double
    package var y: Double
    /// The width of the area; nil, like `height`, for a point or a circle.
    package var width: Double?
    package var height: Double?
    /// The diameter of a circle; nil for other shapes.
    package var diameter: Double?

    package init(name: String?, type: String?, x: Double, y: Double) {
        (self.name, self.type, self.x, self.y) = (name, type, x, y)
    }
}

/// The names of a place, in the same fields as in IPTC metadata.
package struct PlaceFields: Codable, Hashable, Sendable {
    /// The part of a city, or the name of a place outside a city.
    package var sublocation: String?
    package var city: String?
    /// The state or province.
    package var state: String?
    package var country: String?
    /// The country's code in ISO 3166.
    package var countryCode: String?

    package init() {}

    package var isEmpty: Bool { self == PlaceFields() }
}
