package import WorkerProtocol

/// Determines the extension of a resource's stored file from the file's content.
package enum FileExtension {
    /// Returns the extension for the format in the given facts.
    ///
    /// `original` is the extension at import in lowercase. It is used only if the format has
    /// several extensions and this is one of them.
    package static func of(_ facts: MediaFacts, original: String) -> String {
        switch facts.format {
        case .jpeg: "jpg"
        case .heic: "heic"
        case .heif: "heif"
        case .avif: "avif"
        case .png: "png"
        case .gif: "gif"
        case .webp: "webp"
        case .tiff: "tif"
        case .jpegXL: "jxl"
        case .jpeg2000: "jp2"
        case .bmp: "bmp"
        case .psd: "psd"
        case .raw: rawExtension(facts.contentType, original: original)
        case .mov: "mov"
        case .mp4: "mp4"
        case .m4v: "m4v"
        case .threeGP: "3gp"
        case .avi: "avi"
        case .mkv: "mkv"
        case .mpegTS: transportExtension(facts.contentType, original: original)
        case .mpegPS: ["mpeg", "vob", "mod"].contains(original) ? original : "mpg"
        case .asf: original == "asf" ? "asf" : "wmv"
        case .aae: "aae"
        case .xmp: "xmp"
        }
    }

    private static func transportExtension(_ contentType: String, original: String) -> String {
        if ["mts", "m2ts", "m2t", "ts"].contains(original) { return original }
        return contentType == "public.avchd-mpeg-2-transport-stream" ? "mts" : "ts"
    }

    private static func rawExtension(_ contentType: String, original: String) -> String {
        if let known = rawExtensions[contentType] { return known }
        return makers.contains(original) ? original : "raw"
    }

    private static let rawExtensions = [
        "com.adobe.raw-image": "dng",
        "com.canon.crw-raw-image": "crw",
        "com.canon.cr2-raw-image": "cr2",
        "com.canon.cr3-raw-image": "cr3",
        "com.nikon.raw-image": "nef",
        "com.nikon.nrw-raw-image": "nrw",
        "com.sony.arw-raw-image": "arw",
        "com.sony.sr2-raw-image": "sr2",
        "com.sony.raw-image": "srf",
        "com.fuji.raw-image": "raf",
        "com.olympus.raw-image": "orf",
        "com.olympus.or-raw-image": "orf",
        "com.panasonic.raw-image": "raw",
        "com.panasonic.rw2-raw-image": "rw2",
        "com.leica.raw-image": "raw",
        "com.leica.rwl-raw-image": "rwl",
        "com.pentax.raw-image": "pef",
        "com.samsung.raw-image": "srw",
        "com.kodak.raw-image": "dcr",
        "com.epson.raw-image": "erf",
        "com.hasselblad.3fr-raw-image": "3fr",
        "com.hasselblad.fff-raw-image": "fff",
        "com.leafamerica.raw-image": "mos",
        "com.konicaminolta.raw-image": "mrw",
        "com.phaseone.raw-image": "iiq",
    ]

    private static let makers: Set<String> = [
        "3fr", "arw", "bay", "cap", "cr2", "cr3", "crw", "dcr", "dcs", "dng", "drf", "eip", "erf",
        "fff", "gpr", "iiq", "k25", "kdc", "mdc", "mef", "mos", "mrw", "nef", "nrw", "orf", "pef",
        "ptx", "raf", "raw", "rw2", "rwl", "rwz", "sr2", "srf", "srw", "x3f",
    ]
}
