internal import Foundation
internal import PhotoModel

/// The metadata of an asset as an XMP sidecar.
///
/// 1. Text is escaped, and characters that XML does not permit are replaced, so any text gives
///    well-formed XML.
/// 2. Keywords are written in three forms, since each program reads another one: `dc:subject`,
///    `lr:hierarchicalSubject` and `digiKam:TagsList`. The latter two are paths, so a keyword with
///    their separator is only in the first.
/// 3. What other programs have no property for is in the namespace ``namespace``. A favorite is not
///    written as five stars, which other programs would keep as a rating.
struct XMPPacket {
    /// The namespace of this project's properties.
    static let namespace = "https://swift-photos.org/xmp/1.0/"

    /// The text of the sidecar.
    let text: String

    init(_ asset: AssetRecord) {
        var body = ""
        Self.alternative("dc:title", asset.title, to: &body)
        Self.alternative("dc:description", asset.caption, to: &body)
        Self.keywords(asset.keywords, to: &body)
        if asset.rating != 0 { Self.add("xmp:Rating", String(asset.rating), to: &body) }
        if let date = Self.date(of: asset) {
            Self.add("exif:DateTimeOriginal", date, to: &body)
            Self.add("photoshop:DateCreated", date, to: &body)
        }
        Self.add("xmp:MetadataDate", ExportDate.text(asset.modificationDate), to: &body)
        if let location = asset.location { Self.place(location, to: &body) }
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
        body += "   <\(name)>\(escaped(value))</\(name)>\n"
    }

    /// Adds a text in the default language.
    private static func alternative(_ name: String, _ value: String?, to body: inout String) {
        guard let value, !value.isEmpty else { return }
        body += "   <\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(value))"
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
        for value in values { body += "    <rdf:li>\(escaped(value))</rdf:li>\n" }
        body += "   </rdf:\(kind)></\(name)>\n"
    }

    private static func keywords(_ keywords: [String], to body: inout String) {
        list("dc:subject", "Bag", keywords, to: &body)
        let paths = keywords.filter { !$0.unicodeScalars.contains("|") }
        list("lr:hierarchicalSubject", "Bag", paths, to: &body)
        let tags = keywords.filter { !$0.unicodeScalars.contains("/") }
        list("digiKam:TagsList", "Seq", tags, to: &body)
    }

    /// Returns the local capture time, with its offset if that is known.
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

    /// Returns degrees and minutes in XMP's form, `48,8.25136000N`.
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

    private static func own(_ asset: AssetRecord, to body: inout String) {
        add("photos:uuid", asset.uuid, to: &body)
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

    // MARK: - Escaping

    /// Returns a text for the content of an XML element.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            // A parser would read a plain one as a line feed.
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n": result.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

/// Dates in exported files: ISO 8601 in UTC, with the digits that restore the stored value.
enum ExportDate {
    private static let fractionDigits = 7

    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let unit = 10_000_000.0
        var whole = seconds.rounded(.down)
        var fraction = ((seconds - whole) * unit).rounded()
        if fraction >= unit { (whole, fraction) = (whole + 1, 0) }
        let text = Date(timeIntervalSinceReferenceDate: whole)
            .formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon))
        guard fraction > 0, fraction < unit, text.hasSuffix("Z") else { return text }
        let digits = String(Int(fraction))
        var all = String(repeating: "0", count: fractionDigits - digits.count) + digits
        while all.hasSuffix("0") { all.removeLast() }
        return text.dropLast() + "." + all + "Z"
    }
}
