internal import Foundation
internal import PhotoModel

/// A writer of XMP packets for an image's descriptive metadata and for a gain map's parameters.
enum XMPWriter {
    private static let adobe = "http://ns.adobe.com/xap/1.0/"

    /// Returns a packet with an image's descriptive metadata; nil if there is none.
    static func packet(_ properties: [String: Any]) -> Data? {
        let words = PropertyValue.dictionary(properties["{IPTC}"]) ?? [:]
        var attributes = ""
        var elements = ""
        if let rating = PropertyValue.integer(words["StarRating"]) {
            attributes += " xmlns:xmp=\"\(adobe)\" xmp:Rating=\"\(rating)\""
        }
        if let title = words["ObjectName"].flatMap(PropertyValue.text) {
            elements += alternative("dc:title", title)
        }
        if let caption = words["Caption/Abstract"].flatMap(PropertyValue.text) {
            elements += alternative("dc:description", caption)
        }
        let keywords = (words["Keywords"].flatMap(PropertyValue.array) ?? [])
            .compactMap(PropertyValue.text)
        if !keywords.isEmpty {
            let items = keywords.map { "<rdf:li>\(XMLText.escaped($0))</rdf:li>" }.joined()
            elements += "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>"
        }
        guard !attributes.isEmpty || !elements.isEmpty else { return nil }
        return packet(
            attributes + " xmlns:dc=\"http://purl.org/dc/elements/1.1/\"",
            elements
        )
    }

    /// Returns an XMP packet with a gain map's parameters; if `map` is nil, the packet only
    /// identifies the gain map as Apple's.
    static func packet(_ map: GainMap?) -> Data {
        guard let map else { return apple(headroom: nil) }
        switch map.meaning {
        case .share(let headroom): return apple(headroom: headroom)
        case .stops(let channels):
            func numbers(_ name: String, _ value: (GainMap.Channel) -> Double) -> String {
                let values = channels.map(value)
                guard Set(values).count > 1 else {
                    return ""
                }
                let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                return "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
            }
            func number(_ name: String, _ value: (GainMap.Channel) -> Double) -> String {
                let values = channels.map(value)
                guard let first = values.first, Set(values).count == 1 else { return "" }
                return " hdrgm:\(name)=\"\(first)\""
            }
            let kinds: [(String, (GainMap.Channel) -> Double)] = [
                ("GainMapMin", { $0.minimum }), ("GainMapMax", { $0.maximum }),
                ("Gamma", { $0.gamma }), ("OffsetSDR", { $0.baseOffset }),
                ("OffsetHDR", { $0.alternateOffset }),
            ]
            var attributes =
                " xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\""
                + " hdrgm:HDRCapacityMin=\"\(map.capacity.lowerBound)\""
                + " hdrgm:HDRCapacityMax=\"\(map.capacity.upperBound)\""
                + " hdrgm:BaseRenditionIsHDR=\"False\""
            var elements = ""
            for (name, value) in kinds {
                attributes += number(name, value)
                elements += numbers(name, value)
            }
            return packet(attributes, elements)
        }
    }

    private static func apple(headroom: Double?) -> Data {
        let number = headroom.map { " HDRGainMap:HDRGainMapHeadroom=\"\($0)\"" } ?? ""
        return packet(
            " xmlns:HDRGainMap=\"http://ns.apple.com/HDRGainMap/1.0/\""
                + " xmlns:apdi=\"http://ns.apple.com/pixeldatainfo/1.0/\""
                + " apdi:AuxiliaryImageType=\"urn:com:apple:photo:2020:aux:hdrgainmap\""
                + " HDRGainMap:HDRGainMapVersion=\"65536\"" + number,
            ""
        )
    }

    private static func packet(_ attributes: String, _ elements: String) -> Data {
        let text =
            "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
            + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
            + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description rdf:about=\"\"\(attributes)>\(elements)</rdf:Description>"
            + "</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>"
        return Data(text.utf8)
    }

    private static func alternative(_ name: String, _ text: String) -> String {
        "<\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(XMLText.escaped(text))</rdf:li></rdf:Alt></\(name)>"
    }
}

/// A writer of IPTC data sets with an image's descriptive metadata, for readers that don't support
/// XMP.
enum IPTCWriter {
    /// Returns the IPTC data sets for image properties; nil if there are none.
    static func block(_ properties: [String: Any]) -> Data? {
        let words = PropertyValue.dictionary(properties["{IPTC}"]) ?? [:]
        var sets: [UInt8] = []
        if let title = words["ObjectName"].flatMap(PropertyValue.text) {
            sets += dataSet(5, title, limit: 64)
        }
        for keyword in words["Keywords"].flatMap(PropertyValue.array) ?? [] {
            if let keyword = PropertyValue.text(keyword) { sets += dataSet(25, keyword, limit: 64) }
        }
        if let caption = words["Caption/Abstract"].flatMap(PropertyValue.text) {
            sets += dataSet(120, caption, limit: 2000)
        }
        guard !sets.isEmpty else { return nil }
        // The header declares UTF-8 as the character set, and record version 4.
        return Data([0x1c, 1, 90, 0, 3, 0x1b, 0x25, 0x47, 0x1c, 2, 0, 0, 2, 0, 4] + sets)
    }

    /// Returns the encoded IPTC data set with a number and a text, truncated to at most `limit`
    /// bytes.
    ///
    /// The XMP packet contains the whole text.
    private static func dataSet(_ number: UInt8, _ text: String, limit: Int) -> [UInt8] {
        var text = text
        while text.utf8.count > limit { text.removeLast() }
        let bytes = Array(text.utf8)
        return [0x1c, 2, number, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }
}
