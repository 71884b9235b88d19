package import WorkerProtocol

/// The detection of a file's format from its content.
///
/// The name of the file is never used.
package struct Sniffer {
    /// The detected kind of a file.
    package enum Kind: Hashable, Sendable {
        /// A supported medium; `type` is Apple's uniform type identifier.
        case medium(MediaFormat, type: String)
        /// The reason why the library does not support the file, as text for users.
        case unsupported(String)
    }

    private let bytes: ByteView

    package static func kind(of bytes: ByteView) -> Kind {
        Sniffer(bytes: bytes).kind()
    }

    /// Returns whether the file is an audio-only MPEG-4 file.
    package static func isSound(_ bytes: ByteView) -> Bool {
        bytes.starts(with: "ftypM4A ", at: 4) || bytes.starts(with: "ftypM4B ", at: 4)
    }

    private func kind() -> Kind {
        guard !bytes.isEmpty else { return .unsupported("The file is empty.") }
        if bytes.starts(with: "\u{0}\u{0}\u{0}\u{C}JXL \r\n") {
            return .medium(.jpegXL, type: "public.jpeg-xl")
        }
        if bytes.starts(with: "\u{0}\u{0}\u{0}\u{C}jP  \r\n") {
            return .medium(.jpeg2000, type: "public.jpeg-2000")
        }
        if let kind = byFileTypeBox() ?? byMagic() ?? byTIFF() ?? byMovieBox() { return kind }
        return other()
    }

    // MARK: - ISO base media

    private func byFileTypeBox() -> Kind? {
        guard bytes.starts(with: "ftyp", at: 4), let major = bytes.code(at: 8) else { return nil }
        let size = min(bytes.integer32(at: 0) ?? 0, 512)
        let brands = stride(from: 16, to: max(size, 16), by: 4).compactMap { bytes.code(at: $0) }
        switch major {
        case "avif": return .medium(.avif, type: "public.avif")
        case "avis": return .medium(.avif, type: "public.avis")
        case "heic", "heix", "heim", "heis": return .medium(.heic, type: "public.heic")
        case "hevc", "hevx": return .medium(.heic, type: "public.heics")
        case "mif1", "mif2", "mif3", "miaf", "1pic":
            if brands.contains("avif") { return .medium(.avif, type: "public.avif") }
            let isHEVC = brands.contains { ["heic", "heix", "heim", "heis"].contains($0) }
            return .medium(
                isHEVC ? .heic : .heif,
                type: isHEVC ? "public.heic" : "public.heif"
            )
        case "msf1": return .medium(.heif, type: "public.heif")
        case "crx ": return .medium(.raw, type: "com.canon.cr3-raw-image")
        case "qt  ": return .medium(.mov, type: "com.apple.quicktime-movie")
        case "M4V ", "M4VH", "M4VP": return .medium(.m4v, type: "com.apple.m4v-video")
        case "M4A ", "M4B ", "M4P ":
            return .unsupported("It is an audio recording, not a photo or movie.")
        case _ where major.hasPrefix("3gp") || major.hasPrefix("3ge") || major.hasPrefix("3gg"):
            return .medium(.threeGP, type: "public.3gpp")
        case _ where major.hasPrefix("3g2"):
            return .medium(.threeGP, type: "public.3gpp2")
        case "jp2 ", "jpx ", "jpm ": return .medium(.jpeg2000, type: "public.jpeg-2000")
        default:
            if brands.contains("heic") || brands.contains("mif1") {
                return .medium(.heic, type: "public.heic")
            }
            return .medium(.mp4, type: "public.mpeg-4")
        }
    }

    /// Detects QuickTime files that lack a file type box, as old files do.
    private func byMovieBox() -> Kind? {
        guard let code = bytes.code(at: 4), let size = bytes.integer32(at: 0) else { return nil }
        switch code {
        case "moov", "mdat", "wide", "skip", "pnot":
            return .medium(.mov, type: "com.apple.quicktime-movie")
        case "free" where size >= 8: return .medium(.mov, type: "com.apple.quicktime-movie")
        default: return nil
        }
    }

    // MARK: - Formats with a magic number

    private func byMagic() -> Kind? {
        switch (bytes.byte(at: 0), bytes.byte(at: 1), bytes.byte(at: 2), bytes.byte(at: 3)) {
        case (0xff, 0xd8, 0xff?, _): return .medium(.jpeg, type: "public.jpeg")
        case (0xff, 0x0a, _, _): return .medium(.jpegXL, type: "public.jpeg-xl")
        case (0xff, 0x4f, 0xff, 0x51): return .medium(.jpeg2000, type: "public.jpeg-2000")
        case (0x1a, 0x45, 0xdf, 0xa3): return matroska()
        case (0x00, 0x00, 0x01, 0xba): return .medium(.mpegPS, type: "public.mpeg")
        default: break
        }
        if bytes.starts(with: "PNG\r\n", at: 1), bytes.byte(at: 0) == 0x89 {
            return .medium(.png, type: "public.png")
        }
        if bytes.starts(with: "GIF87a") || bytes.starts(with: "GIF89a") {
            return .medium(.gif, type: "com.compuserve.gif")
        }
        if bytes.starts(with: "RIFF") {
            if bytes.starts(with: "WEBP", at: 8) {
                return .medium(.webp, type: "org.webmproject.webp")
            }
            if bytes.starts(with: "AVI ", at: 8) { return .medium(.avi, type: "public.avi") }
            return .unsupported("It is a RIFF file, but neither WebP nor AVI.")
        }
        if bytes.starts(with: "BM"), let header = bytes.integer32(at: 14, isBigEndian: false),
            (12...256).contains(header)
        {
            return .medium(.bmp, type: "com.microsoft.bmp")
        }
        if bytes.starts(with: "8BPS") {
            guard bytes.integer16(at: 4) == 1 else {
                return .unsupported(
                    "It is a large Photoshop document (PSB), which is not supported. Save it as TIFF."
                )
            }
            return .medium(.psd, type: "com.adobe.photoshop-image")
        }
        if ASFHeader.isASF(bytes) {
            return .medium(.asf, type: "com.microsoft.windows-media-wmv")
        }
        if let stream = TransportStream(bytes) {
            return .medium(
                .mpegTS,
                type: stream.hasTimes
                    ? "public.avchd-mpeg-2-transport-stream" : "public.mpeg-2-transport-stream"
            )
        }
        if bytes.starts(with: "FUJIFILMCCD-RAW") {
            return .medium(.raw, type: "com.fuji.raw-image")
        }
        if bytes.starts(with: "\u{0}MRM") { return .medium(.raw, type: "com.minolta.raw-image") }
        if bytes.starts(with: "FOVb") { return .medium(.raw, type: "com.sigma.raw-image") }
        return nil
    }

    private func matroska() -> Kind {
        bytes.available(at: 0, length: 4096).contains("webm")
            ? .medium(.mkv, type: "org.webmproject.webm")
            : .medium(.mkv, type: "org.matroska.mkv")
    }

    // MARK: - TIFF and the RAW formats based on it

    private func byTIFF() -> Kind? {
        let isLittle = bytes.starts(with: "II")
        guard isLittle || bytes.starts(with: "MM") else { return nil }
        if isLittle, bytes.starts(with: "HEAPCCDR", at: 6) {
            return .medium(.raw, type: "com.canon.crw-raw-image")
        }
        switch bytes.integer16(at: 2, isBigEndian: !isLittle) {
        case 0x2a: break
        case 0x2b: return .medium(.tiff, type: "public.tiff")
        case 0x55 where isLittle: return .medium(.raw, type: "com.panasonic.rw2-raw-image")
        case 0x4f52, 0x5352: return .medium(.raw, type: "com.olympus.raw-image")
        default: return nil
        }
        if isLittle, bytes.starts(with: "CR", at: 8) {
            return .medium(.raw, type: "com.canon.cr2-raw-image")
        }
        guard let type = rawType() else { return .medium(.tiff, type: "public.tiff") }
        return .medium(.raw, type: type)
    }

    /// Detects RAW formats that are based on TIFF; returns the uniform type identifier, or nil for
    /// plain TIFF.
    ///
    /// The criteria are a DNG version, or the camera's make together with tags that only the make's
    /// RAW files have. Subdirectories count unless they are smaller versions of the picture.
    private func rawType() -> String? {
        guard let directory = TagDirectory.first(ofTIFF: bytes) else { return nil }
        if directory[0xc612] != nil { return "com.adobe.raw-image" }
        let make = directory[0x010f]?.text?.uppercased() ?? ""
        let hasSubdirectories =
            TIFFSubdirectories(of: directory, in: bytes).mayContainSensorData
        let compression = directory[0x0103]?.integer
        // Kodak's cameras write private tags in RAW files.
        if make.hasPrefix("EASTMAN KODAK") || make.hasPrefix("KODAK"),
            hasSubdirectories || directory[0xfe00] != nil || isSmallFirstPicture(directory)
        {
            return "com.kodak.raw-image"
        }
        if make.hasPrefix("NIKON"), hasSubdirectories || compression == 34713 {
            return "com.nikon.raw-image"
        }
        if make.hasPrefix("SONY"), hasSubdirectories || compression == 32767 {
            return "com.sony.arw-raw-image"
        }
        if make.hasPrefix("PENTAX") || make.hasPrefix("RICOH"),
            compression == 65535 || hasMakersPicture(directory)
        {
            return "com.pentax.raw-image"
        }
        if make.hasPrefix("SAMSUNG"), hasSubdirectories { return "com.samsung.raw-image" }
        if make.hasPrefix("HASSELBLAD"), hasSubdirectories {
            return "com.hasselblad.3fr-raw-image"
        }
        return nil
    }

    private func isSmallFirstPicture(_ directory: TagDirectory) -> Bool {
        (directory[0x0100]?.integer ?? .max) <= 320 && bytes.count > 65536
    }

    /// Returns whether a directory describes unprocessed sensor data and another directory follows.
    private func hasMakersPicture(_ directory: TagDirectory) -> Bool {
        directory[0x8769] != nil && directory.next != nil && directory[0x0102]?.integer != nil
            && directory[0x0106]?.integer == 32803
    }

    // MARK: - Text

    private func other() -> Kind {
        let head = bytes.available(at: 0, length: 4096)
        if head.starts(with: "bplist") { return propertyList() }
        if let prolog = XMLProlog(bytes) { return document(prolog) }
        if head.starts(with: "PK\u{3}\u{4}") || head.starts(with: "PK\u{5}\u{6}") {
            return .unsupported("It is a ZIP archive. Extract it first.")
        }
        if head.starts(with: "%PDF") { return .unsupported("It is a PDF document.") }
        if head.starts(with: "SQLite format 3") { return .unsupported("It is a database.") }
        if isText(head) {
            return .unsupported(
                head.contains("<html") || head.contains("<HTML") || head.contains("<!DOCTYPE html")
                    ? "It is a web page, not a photo or movie."
                    : "It is text, not a photo or movie."
            )
        }
        return .unsupported("Its content is not in a known photo or movie format.")
    }

    /// Detects the kind of an XML document from its root element.
    ///
    /// The rest of the content is not searched, because drawings can also contain XMP.
    private func document(_ prolog: XMLProlog) -> Kind {
        switch (prolog.localName, prolog.rootNamespace) {
        case ("xmpmeta", "adobe:ns:meta/"), ("xapmeta", "adobe:ns:meta/"),
            ("RDF", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"):
            // XMP has no document type, and a document type could declare unlimited entities.
            guard !prolog.hasDocumentType else {
                return .unsupported(
                    "It is an XML document with a document type declaration, so it is not an XMP sidecar."
                )
            }
            return .medium(.xmp, type: "com.adobe.xmp")
        case ("plist", _): return propertyList()
        case ("svg", _):
            return .unsupported(
                "It is a drawing (SVG), not a photo or movie. Export it as PNG to import it."
            )
        case ("html", _), ("HTML", _):
            return .unsupported("It is a web page, not a photo or movie.")
        default:
            return .unsupported(
                "It is an XML document (\(prolog.rootName.prefix(64))), not a photo, movie or "
                    + "sidecar."
            )
        }
    }

    private func propertyList() -> Kind {
        let whole = bytes.available(at: 0, length: 1 << 20)
        if whole.contains("adjustmentFormatIdentifier") {
            return .medium(.aae, type: "com.apple.photos.apple-adjustment-envelope")
        }
        return .unsupported("It is a property list, but not adjustment data of a photo.")
    }

    private func isText(_ head: ByteView) -> Bool {
        head.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }
}
