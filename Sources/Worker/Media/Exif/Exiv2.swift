internal import CExiv2Shim

/// The metadata values of a file, as Exiv2 and other parsers found them, without interpretation.
package struct RawMetadata {
    package enum Directory: Int32, Sendable {
        case image = 1
        case photo = 2
        case gps = 3
    }

    /// The maximum number of values to keep from one file.
    private static let maximumValues = 4096
    private static let maximumWarnings = 8

    private var exif: [UInt64: TagValue] = [:]
    /// The values of XMP properties by key; a value may contain line breaks.
    package var xmp: [String: [String]] = [:]
    package var iptc: [Int: [[UInt8]]] = [:]
    /// The lens name that Exiv2 derives from the manufacturer's own tags.
    package var makersLens: String?
    package var warnings: [String] = []
    /// Indicates whether a title or caption in XMP was too long and therefore truncated.
    package private(set) var isTextCut = false
    private var valueCount = 0

    package init() {}

    package subscript(directory: Directory, tag: Int) -> TagValue? {
        exif[UInt64(directory.rawValue) << 32 | UInt64(UInt32(truncatingIfNeeded: tag))]
    }

    package var hasExif: Bool { !exif.isEmpty }

    /// All kept tags, sorted by directory and number.
    package var values: [(Directory, Int, TagValue)] {
        exif.sorted { $0.key < $1.key }.compactMap { key, value in
            Directory(rawValue: Int32(truncatingIfNeeded: key >> 32)).map {
                ($0, Int(key & 0xffff_ffff), value)
            }
        }
    }

    /// Returns the first value of an XMP property, with its line breaks removed.
    ///
    /// `key` is Exiv2's key of the property without the prefix `Xmp.`.
    package func xmp(_ key: String) -> String? {
        xmp[key]?.first.map { Text.clean($0) ?? "" }
    }

    // MARK: - Reading

    /// Initializes Exiv2.
    ///
    /// Must be called once, before any other use and before the sandbox is entered.
    package static func start() -> Bool { cphotos_exiv2_start() == 0 }

    package mutating func readExif(_ block: ByteView) {
        read(block, cphotos_exiv2_exif)
    }

    /// Parses an XMP packet; returns false and records a warning if the packet is invalid.
    @discardableResult
    package mutating func readXMP(_ packet: ByteView) -> Bool {
        read(packet, cphotos_exiv2_xmp)
    }

    /// Reads the data sets of an IPTC block.
    package mutating func readIPTC(_ block: ByteView) {
        IPTCDataSet.read(block) { add(iptc: $0.key, bytes: Array($0.bytes.bytes)) }
    }

    /// Reads a whole file in a format that only Exiv2 parses (TIFF and RAW).
    package mutating func readFile(_ file: ByteView) {
        read(file, cphotos_exiv2_file)
    }

    /// Adds the tags of a TIFF directory that was parsed separately.
    package mutating func add(_ found: TagDirectory, as directory: Directory) {
        for (tag, value) in found.all.sorted(by: { $0.key < $1.key }) {
            add(value, tag: UInt16(truncatingIfNeeded: tag), directory: directory.rawValue)
        }
    }

    private typealias Reader = (
        UnsafePointer<UInt8>, Int, UnsafePointer<cphotos_metadata_visitor>
    ) -> Int32

    @discardableResult
    private mutating func read(_ bytes: ByteView, _ reader: Reader) -> Bool {
        guard let start = bytes.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return false
        }
        return withUnsafeMutablePointer(to: &self) { metadata in
            var visitor = cphotos_metadata_visitor()
            visitor.context = UnsafeMutableRawPointer(metadata)
            visitor.exif = { context, directory, tag, type, count, bytes, length in
                let value = TagValue(
                    type: Int(type),
                    count: count,
                    bytes: Array(UnsafeBufferPointer(start: bytes, count: length)),
                    isBigEndian: false
                )
                RawMetadata.at(context)?.pointee.add(value, tag: tag, directory: directory)
            }
            visitor.lens = { context, text in
                RawMetadata.at(context)?.pointee.makersLens = Text.clean(String(cString: text))
            }
            visitor.xmp = { context, key, text in
                RawMetadata.at(context)?.pointee.add(
                    xmp: String(cString: key),
                    text: UnsafeBufferPointer(start: text, count: RawMetadata.length(text))
                )
            }
            visitor.iptc = { context, isPhotoshop, bytes, length in
                let view = ByteView(UnsafeRawBufferPointer(start: bytes, count: length))
                RawMetadata.at(context)?.pointee.add(iptc: view, isPhotoshop: isPhotoshop)
            }
            visitor.warning = { context, text in
                RawMetadata.at(context)?.pointee.add(warning: String(cString: text))
            }
            return reader(start, bytes.count, &visitor) == 0
        }
    }

    /// Returns the metadata object to which a callback's context points.
    ///
    /// Exiv2 calls back on the same thread while `read` borrows `self`.
    private static func at(_ context: UnsafeMutableRawPointer?)
        -> UnsafeMutablePointer<RawMetadata>?
    {
        context?.assumingMemoryBound(to: RawMetadata.self)
    }

    /// Returns the length of a C string, or a maximum length for a longer one.
    ///
    /// The maximum exceeds the length of any value that is kept.
    private static func length(_ text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while length < 1 << 20, text[length] != 0 { length += 1 }
        return length
    }

    // MARK: - Storage

    private mutating func add(_ value: TagValue, tag: UInt16, directory: Int32) {
        guard valueCount < Self.maximumValues else { return }
        let key = UInt64(UInt32(bitPattern: directory)) << 32 | UInt64(tag)
        // The first value of a tag takes precedence, as in exiftool.
        guard exif[key] == nil else { return }
        valueCount += 1
        exif[key] = value
    }

    private mutating func add(xmp key: String, text: UnsafeBufferPointer<CChar>) {
        guard valueCount < Self.maximumValues, key.hasPrefix("Xmp.") else { return }
        valueCount += 1
        let isCaption = key == "Xmp.dc.description"
        let limit = isCaption ? Text.captionLimitInBytes : Text.limitInBytes
        let value = text.withMemoryRebound(to: UInt8.self) {
            Text.clean($0, keepsLines: true, limit: limit)
        }
        if text.count > limit, isCaption || key == "Xmp.dc.title" { isTextCut = true }
        xmp[String(key.dropFirst(4)), default: []].append(value ?? "")
    }

    /// Adds the IPTC data of a TIFF directory.
    ///
    /// The block in the IPTC tag takes precedence over the one in Photoshop's image resources.
    private mutating func add(iptc view: ByteView, isPhotoshop: Bool) {
        if !isPhotoshop {
            // Directories are sorted by tag, so this block comes first.
            readIPTC(view)
        } else if iptc.isEmpty, let block = Photoshop.iptc(in: view) {
            readIPTC(block)
        }
    }

    private mutating func add(iptc key: Int, bytes: [UInt8]) {
        guard valueCount < Self.maximumValues else { return }
        valueCount += 1
        iptc[key, default: []].append(bytes)
    }

    private mutating func add(warning: String) {
        guard warnings.count < Self.maximumWarnings, let text = Text.clean(warning),
            !warnings.contains(text)
        else { return }
        warnings.append(text)
    }
}
