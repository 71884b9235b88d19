internal import Foundation
internal import PhotoModel

/// The metadata of an asset as an XMP sidecar.
///
/// 1. Text is escaped, and characters that XML does not permit are replaced, so any text gives
///    well-formed XML.
/// 2. Keywords are written in three properties, since programs read different ones: `dc:subject`,
///    `lr:hierarchicalSubject` and `digiKam:TagsList`. The latter two contain paths, so a keyword
///    that contains the separator of paths is only in the first.
/// 3. Metadata for which there is no common property is in the namespace ``namespace``. A favorite
///    is not written as five stars, which other programs would keep as a rating.
/// 4. Metadata in the imported files for which the library has no fields is written again: labels,
///    people, regions, place names and the paths of keywords. Paths of keywords that were removed
///    from the asset are omitted.
/// 5. The packet contains all metadata of the asset, and an import treats absent metadata as
///    removed. Its date is not before those of the files, which would otherwise take precedence.
struct XMPPacket {
    /// The namespace of this project's properties.
    static let namespace = "https://swift-photos.org/xmp/1.0/"

    /// The text of the sidecar.
    let text: String

    /// Creates the sidecar for an asset.
    ///
    /// - Parameters:
    ///   - asset: The asset.
    ///   - kept: The metadata of its files that the library has no fields for.
    ///   - writtenDate: The time when other programs last wrote metadata of its files.
    init(_ asset: AssetRecord, kept: KeptMetadata, writtenDate: Date?) {
        var body = ""
        Self.alternative("dc:title", asset.title, to: &body)
        Self.alternative("dc:description", asset.caption, to: &body)
        Self.keywords(asset.keywords, kept, to: &body)
        Self.add("xmp:Rating", String(asset.rating), to: &body)
        if let label = kept.label { Self.add("xmp:Label", label, to: &body) }
        if let date = Self.date(of: asset) {
            Self.add("exif:DateTimeOriginal", date, to: &body)
            Self.add("photoshop:DateCreated", date, to: &body)
        }
        let date = max(asset.modificationDate, writtenDate ?? asset.modificationDate)
        Self.add("xmp:MetadataDate", ExportDate.text(date), to: &body)
        if let location = asset.location { Self.place(location, to: &body) }
        Self.placeNames(kept, to: &body)
        Self.list("Iptc4xmpExt:PersonInImage", "Bag", kept.people, to: &body)
        Self.regions(of: kept, asset, to: &body)
        Self.own(asset, to: &body)
        text = Self.head + body + Self.tail
    }

    private static let head = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="swift-photos">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
            xmlns:digiKam="http://www.digikam.org/ns/1.0/"
            xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
            xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
            xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
            xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
            xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
            xmlns:migration="https://swift-photos.org/ns/migration/1.0/"
            xmlns:photos="\(namespace)">

        """

    private static let tail = """
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>

        """

    // MARK: - Properties

    private static func add(_ name: String, _ value: String, to body: inout String) {
        body += "   <\(name)>\(XMLText.escaped(value))</\(name)>\n"
    }

    /// Adds a language-alternative property whose only text is in the default language,
    /// `x-default`.
    private static func alternative(_ name: String, _ value: String?, to body: inout String) {
        guard let value, !value.isEmpty else { return }
        body += "   <\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(XMLText.escaped(value))"
        body += "</rdf:li></rdf:Alt></\(name)>\n"
    }

    private static func list(
        _ name: String,
        _ kind: String,
        _ values: [String],
        to body: inout String
    ) {
        guard !values.isEmpty else { return }
        body += "   <\(name)><rdf:\(kind)>\n"
        for value in values { body += "    <rdf:li>\(XMLText.escaped(value))</rdf:li>\n" }
        body += "   </rdf:\(kind)></\(name)>\n"
    }

    private static func keywords(
        _ keywords: [String],
        _ kept: KeptMetadata,
        to body: inout String
    ) {
        list("dc:subject", "Bag", keywords, to: &body)
        let people = Set(kept.regions.compactMap(\.name) + kept.people)
        let own = Set(keywords)
        var paths = keywords.flatMap { keyword in
            // An import takes a path of a person for no keyword.
            let known = kept.keywordPaths.filter { path in
                path.last == keyword
                    && !(path.count > 1 && path[0].lowercased() == "people"
                        && people.contains(keyword))
            }
            return known.isEmpty ? [[keyword]] : known
        }
        // A path that names a person has no keyword.
        paths += kept.keywordPaths.filter { path in
            guard let name = path.last, path.count > 1, !own.contains(name) else { return false }
            return path[0].lowercased() == "people" && people.contains(name)
        }
        func written(_ separator: Unicode.Scalar) -> [String] {
            paths.filter { path in
                !path.contains { $0.unicodeScalars.contains(separator) }
            }.map { $0.joined(separator: String(separator)) }
        }
        list("lr:hierarchicalSubject", "Bag", written("|"), to: &body)
        list("digiKam:TagsList", "Seq", written("/"), to: &body)
    }

    /// Returns the local capture time, with its offset from UTC if that is known.
    ///
    /// Without a capture time, it returns the creation date in UTC, or nil if the asset has none.
    private static func date(of asset: AssetRecord) -> String? {
        guard let time = asset.captureTime else {
            return asset.creationDate.map(ExportDate.text)
        }
        guard let offset = time.offset else { return time.wallTime }
        let minutes = abs(offset) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let sign = offset < 0 ? "-" : "+"
        return time.wallTime + sign + two(minutes / 60) + ":" + two(minutes % 60)
    }

    private static func place(_ location: Location, to body: inout String) {
        add("exif:GPSLatitude", coordinate(location.latitude, "N", "S"), to: &body)
        add("exif:GPSLongitude", coordinate(location.longitude, "E", "W"), to: &body)
        guard let altitude = location.altitude, altitude.isFinite, abs(altitude) < 1e9 else {
            return
        }
        let centimeters = Int64((abs(altitude) * 100).rounded())
        add("exif:GPSAltitude", "\(centimeters)/100", to: &body)
        add("exif:GPSAltitudeRef", altitude < 0 ? "1" : "0", to: &body)
    }

    /// Returns an angle as degrees and minutes in XMP's format, such as `48,8.25136000N`.
    private static func coordinate(_ degrees: Double, _ plus: String, _ minus: String) -> String {
        let units = 60.0 * 100_000_000
        let total = Int64((min(abs(degrees), 360) * units).rounded())
        let perDegree = Int64(units)
        let (whole, rest) = total.quotientAndRemainder(dividingBy: perDegree)
        let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 100_000_000)
        let digits = String(fraction)
        let padding = String(repeating: "0", count: 8 - digits.count)
        return "\(whole),\(minutes).\(padding)\(digits)\(degrees < 0 ? minus : plus)"
    }

    private static func placeNames(_ kept: KeptMetadata, to body: inout String) {
        let fields = [
            ("Iptc4xmpCore:Location", kept.place.sublocation), ("photoshop:City", kept.place.city),
            ("photoshop:State", kept.place.state), ("photoshop:Country", kept.place.country),
            ("Iptc4xmpCore:CountryCode", kept.place.countryCode),
        ]
        for (name, value) in fields {
            if let value { add(name, value, to: &body) }
        }
        list("migration:PlaceNames", "Seq", kept.placeNames, to: &body)
    }

    // MARK: - Areas

    /// Adds the marked regions of the image, such as faces, in the format of the Metadata Working
    /// Group.
    private static func regions(
        of kept: KeptMetadata,
        _ asset: AssetRecord,
        to body: inout String
    ) {
        guard !kept.regions.isEmpty else { return }
        body += "   <mwg-rs:Regions rdf:parseType=\"Resource\">\n"
        let size = kept.regionImageSize ?? asset.pixelSize
        if size.width > 0, size.height > 0 {
            body += "    <mwg-rs:AppliedToDimensions stDim:w=\"\(size.width)\""
            body += " stDim:h=\"\(size.height)\" stDim:unit=\"pixel\"/>\n"
        }
        body += "    <mwg-rs:RegionList><rdf:Bag>\n"
        for region in kept.regions {
            body += "     <rdf:li rdf:parseType=\"Resource\">\n"
            if let name = region.name { add("mwg-rs:Name", name, to: &body) }
            add("mwg-rs:Type", region.type ?? "Face", to: &body)
            if let text = region.description { add("mwg-rs:Description", text, to: &body) }
            body += "      <mwg-rs:Area"
            let numbers = [
                ("x", region.x), ("y", region.y), ("w", region.width), ("h", region.height),
                ("d", region.diameter),
            ]
            for (name, number) in numbers {
                if let number { body += " stArea:\(name)=\"\(fraction(number))\"" }
            }
            body += " stArea:unit=\"normalized\"/>\n     </rdf:li>\n"
        }
        body += "    </rdf:Bag></mwg-rs:RegionList>\n   </mwg-rs:Regions>\n"
    }

    /// Returns a number from 0 to 1 with up to nine decimals and without an exponent.
    private static func fraction(_ number: Double) -> String {
        guard number.isFinite, number > 0 else { return "0" }
        guard number < 1 else { return "1" }
        let digits = String(Int((number * 1e9).rounded()))
        guard digits.count < 10 else { return "1" }
        var decimals = String(repeating: "0", count: 9 - digits.count) + digits
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return decimals.isEmpty ? "0" : "0." + decimals
    }

    // MARK: - Own properties

    /// Returns whether a text is a sidecar that was written for the asset with a UUID.
    static func isSidecar(_ text: String, of uuid: String) -> Bool {
        text.contains("<photos:uuid>\(XMLText.escaped(uuid))</photos:uuid>")
    }

    private static func own(_ asset: AssetRecord, to body: inout String) {
        add("photos:uuid", asset.uuid, to: &body)
        add("photos:isComplete", "True", to: &body)
        add("photos:favorite", asset.isFavorite ? "True" : "False", to: &body)
        add("photos:hidden", asset.isHidden ? "True" : "False", to: &body)
        guard let burst = asset.burstIdentifier else { return }
        add("photos:burstIdentifier", burst, to: &body)
        add("photos:representsBurst", asset.representsBurst ? "True" : "False", to: &body)
        var picks: [String] = []
        if asset.burstSelectionTypes.contains(.autoPick) { picks.append("auto") }
        if asset.burstSelectionTypes.contains(.userPick) { picks.append("user") }
        list("photos:burstPicks", "Bag", picks, to: &body)
    }
}

/// The format of dates in exported files: ISO 8601 in UTC, with enough digits to restore the stored
/// value.
enum ExportDate {
    /// The numbers of fraction digits to try, in ascending order, until the text restores the
    /// stored value.
    private static let fractionDigits = 1...20

    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let text = Date(timeIntervalSinceReferenceDate: whole)
            .formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon))
        // The difference of a number and its integral part is exact.
        let fraction = seconds - whole
        guard fraction > 0, text.hasSuffix("Z") else { return text }
        for digits in fractionDigits {
            let candidate = String(format: "%.\(digits)f", fraction)
            guard candidate.hasPrefix("0."), let value = Double(candidate) else { continue }
            if whole + value == seconds { return text.dropLast() + candidate.dropFirst() + "Z" }
        }
        return text
    }
}
