internal import Glibc
package import PhotoModel

/// A gain map found in a file.
package struct FoundGainMap {
    /// The location of the gain map's pixels.
    package enum Place {
        case jpeg(ByteView)
        /// An item of the image's HEIF file.
        case item(Int)
        /// The auxiliary image that the HEIF file declares as the image's gain map.
        case auxiliary
    }

    package var map: GainMap
    package var place: Place
}

/// A reader for gain maps in three formats: Adobe's and Google's XMP, ISO 21496-1, and Apple's.
package enum GainMapReader {
    /// Returns the gain map of a JPEG file: an additional image after the main image.
    package static func jpeg(_ bytes: ByteView) -> FoundGainMap? {
        let container = JPEGContainer.read(bytes)
        for picture in container.gainMaps {
            let inner = JPEGContainer.read(picture)
            let found =
                inner.toneMap.flatMap { iso($0) } ?? xmp(inner.xmp)
                ?? apple(inner.xmp, exif: container.exif)
            if let found { return FoundGainMap(map: found, place: .jpeg(picture)) }
        }
        return nil
    }

    /// Returns the gain map of a HEIF or AVIF file, where the gain map's pixels are an item of the
    /// file.
    package static func heif(_ bytes: ByteView) -> FoundGainMap? {
        let container = HEIFContainer.read(bytes)
        if let item = container.gainMapItem, let numbers = container.toneMap {
            let found = numbers.withUnsafeBytes { iso(Array(ByteView($0).available(at: 1).bytes)) }
            if let found { return FoundGainMap(map: found, place: .item(item)) }
        }
        let found = container.unpackedXMP.lazy.compactMap { packet in
            packet.withUnsafeBytes { xmp([ByteView($0)]) }
        }.first
        if let found { return FoundGainMap(map: found, place: .auxiliary) }
        guard container.hdr.contains("aux-gainmap") else { return nil }
        let ofMap = container.unpackedXMP.lazy.compactMap { packet in
            packet.withUnsafeBytes { apple([ByteView($0)], exif: nil) }
        }.first
        let ofPicture = container.unpackedExif.flatMap { block in
            block.withUnsafeBytes { apple([], exif: ByteView($0)) }
        }
        return (ofMap ?? ofPicture).map { FoundGainMap(map: $0, place: .auxiliary) }
    }

    // MARK: - XMP

    private static func xmp(_ packets: [ByteView]) -> GainMap? {
        for packet in packets {
            guard GainMaps.named(in: packet).contains("hdrgm-xmp") else { continue }
            var metadata = RawMetadata()
            metadata.readXMP(packet)
            // For an HDR base image the map produces the SDR version, so it is not used.
            if metadata.xmp("hdrgm.BaseRenditionIsHDR")?.lowercased() == "true" { return nil }
            guard let maximum = numbers("GainMapMax", metadata) else { continue }
            let minimum = numbers("GainMapMin", metadata) ?? [0]
            let gamma = numbers("Gamma", metadata) ?? [1]
            let base = numbers("OffsetSDR", metadata) ?? [1.0 / 64]
            let alternate = numbers("OffsetHDR", metadata) ?? [1.0 / 64]
            func at(_ index: Int, _ list: [Double]) -> Double { list[min(index, list.count - 1)] }
            let channels = (0..<3).map { index in
                var channel = GainMap.Channel()
                channel.minimum = at(index, minimum)
                channel.maximum = at(index, maximum)
                channel.gamma = at(index, gamma)
                channel.baseOffset = at(index, base)
                channel.alternateOffset = at(index, alternate)
                return channel
            }
            let least = numbers("HDRCapacityMin", metadata)?.first ?? 0
            let most = numbers("HDRCapacityMax", metadata)?.first ?? at(0, maximum)
            return GainMap(.stops(channels), capacity: least...max(least, most))
        }
        return nil
    }

    /// Returns the numeric values of an XMP property; nil if the property is missing or has an
    /// invalid value.
    private static func numbers(_ name: String, _ metadata: RawMetadata) -> [Double]? {
        guard let texts = metadata.xmp["hdrgm.\(name)"] else { return nil }
        // A list is stored as separate items or as one comma-separated text.
        let words = texts.flatMap { $0.split(separator: ",") }
        let values = words.map { Double($0.filter { $0 != " " }) }
        let list = values.compactMap { $0 }.filter { $0.isFinite && abs($0) < 64 }
        return list.count == values.count && !list.isEmpty ? list : nil
    }

    // MARK: - ISO 21496-1

    /// Parses the gain map parameters of ISO 21496-1: two version numbers, flags, and fractions.
    private static func iso(_ bytes: [UInt8]) -> GainMap? {
        bytes.withUnsafeBytes { iso(ByteView($0)) }
    }

    private static func iso(_ bytes: ByteView) -> GainMap? {
        guard bytes.integer16(at: 0) == 0, let flags = bytes.byte(at: 4) else { return nil }
        let hasCommon = flags & 0x08 != 0
        var position = 5
        func integer() -> Double? {
            defer { position += 4 }
            return bytes.integer32(at: position).map { Double(Int32(truncatingIfNeeded: $0)) }
        }
        func natural() -> Double? {
            defer { position += 4 }
            return bytes.integer32(at: position).map(Double.init)
        }
        var common = 0.0
        if hasCommon {
            guard let number = natural(), number > 0 else { return nil }
            common = number
        }
        func fraction(isSigned: Bool) -> Double? {
            guard let above = isSigned ? integer() : natural(),
                let below = hasCommon ? common : natural(), below > 0
            else { return nil }
            let value = above / below
            return abs(value) < 64 ? value : nil
        }
        guard let least = fraction(isSigned: false), let most = fraction(isSigned: false),
            most > least
        else { return nil }
        var channels: [GainMap.Channel] = []
        for _ in 0..<(flags & 0x80 != 0 ? 3 : 1) {
            var channel = GainMap.Channel()
            guard let minimum = fraction(isSigned: true), let maximum = fraction(isSigned: true),
                let gamma = fraction(isSigned: false), gamma > 0,
                let base = fraction(isSigned: true), let alternate = fraction(isSigned: true)
            else { return nil }
            channel.minimum = minimum
            channel.maximum = maximum
            channel.gamma = gamma
            channel.baseOffset = base
            channel.alternateOffset = alternate
            channels.append(channel)
        }
        return GainMap(.stops(channels), capacity: least...most)
    }

    // MARK: - Apple

    /// Returns Apple's gain map, whose headroom is in the gain map's XMP or in the photo's
    /// MakerNote.
    private static func apple(_ packets: [ByteView], exif: ByteView?) -> GainMap? {
        for packet in packets {
            guard GainMaps.named(in: packet).contains("apple-gainmap-xmp") else { continue }
            var metadata = RawMetadata()
            metadata.readXMP(packet)
            let text = metadata.xmp("HDRGainMap.HDRGainMapHeadroom")
            if let headroom = text.flatMap({ Double($0) }), headroom > 1, headroom < 64 {
                return share(headroom)
            }
            if let exif, let found = apple(notesIn: exif) { return found }
        }
        guard packets.isEmpty, let exif else { return nil }
        return apple(notesIn: exif)
    }

    private static func apple(notesIn exif: ByteView) -> GainMap? {
        var metadata = RawMetadata()
        metadata.readExif(exif)
        let note = metadata[.photo, 0x927c]?.withView { AppleMakerNote($0) }
        guard let note, let headroom = note.headroom else { return nil }
        return share(headroom)
    }

    private static func share(_ headroom: Double) -> GainMap {
        GainMap(.share(ofHeadroom: headroom), capacity: 0...max(0, log2(headroom)))
    }
}
