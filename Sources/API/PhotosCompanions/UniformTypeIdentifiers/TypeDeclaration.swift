/// The declaration of one uniform type, an entry of a static table.
struct TypeDeclaration: Sendable {
    let identifier: String
    let parents: [String]
    /// The lowercase extensions without dots, the preferred one first.
    let filenameExtensions: [String]
    /// The MIME types, the preferred one first.
    let mimeTypes: [String]

    init(_ identifier: String, _ parents: [String], _ extensions: String = "", _ mimes: String = "")
    {
        self.identifier = identifier
        self.parents = parents
        filenameExtensions = extensions.split(separator: " ").map(String.init)
        mimeTypes = mimes.split(separator: " ").map(String.init)
    }

    static let byIdentifier: [String: TypeDeclaration] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.identifier, $0) }
    )

    /// The declarations by filename extension, the most common type first.
    static let byFilenameExtension: [String: [TypeDeclaration]] = grouped(\.filenameExtensions)

    static let byMIMEType: [String: [TypeDeclaration]] = grouped(\.mimeTypes)

    private static func grouped(
        _ names: (TypeDeclaration) -> [String]
    ) -> [String: [TypeDeclaration]] {
        var groups: [String: [TypeDeclaration]] = [:]
        for declaration in all {
            for name in names(declaration) {
                groups[name, default: []].append(declaration)
            }
        }
        return groups
    }

    private static let all =
        abstractTypes + images + rawImages + movies + sidecars + sounds + others

    private static let abstractTypes = [
        TypeDeclaration("public.item", []),
        TypeDeclaration("public.content", []),
        TypeDeclaration("public.data", ["public.item"]),
        TypeDeclaration("public.image", ["public.data", "public.content"]),
        TypeDeclaration("public.camera-raw-image", ["public.image"]),
        TypeDeclaration("public.audiovisual-content", ["public.data", "public.content"]),
        TypeDeclaration("public.movie", ["public.audiovisual-content"]),
        TypeDeclaration("public.video", ["public.movie"]),
        TypeDeclaration("public.audio", ["public.audiovisual-content"]),
        TypeDeclaration("public.heif-standard", ["public.image"]),
        TypeDeclaration("com.apple.live-photo", []),
        TypeDeclaration("com.apple.live-photo-bundle", ["com.apple.live-photo"], "pvt"),
    ]

    /// The still image formats that can be read.
    static var readable: [TypeDeclaration] { images + rawImages }

    private static let images = [
        TypeDeclaration(
            "public.jpeg",
            ["public.image"],
            "jpeg jpg jpe jfif",
            "image/jpeg image/jpg"
        ),
        TypeDeclaration("public.heic", ["public.heif-standard"], "heic", "image/heic"),
        TypeDeclaration("public.heics", ["public.heif-standard"], "heics", "image/heic-sequence"),
        TypeDeclaration("public.heif", ["public.heif-standard"], "heif hif", "image/heif"),
        TypeDeclaration("public.avif", ["public.heif-standard"], "avif", "image/avif"),
        TypeDeclaration("public.avis", ["public.heif-standard"], "avis", "image/avif-sequence"),
        TypeDeclaration("public.png", ["public.image"], "png apng", "image/png image/apng"),
        TypeDeclaration("com.compuserve.gif", ["public.image"], "gif", "image/gif"),
        TypeDeclaration("org.webmproject.webp", ["public.image"], "webp", "image/webp"),
        TypeDeclaration("public.tiff", ["public.image"], "tiff tif", "image/tiff"),
        TypeDeclaration("public.jpeg-xl", ["public.image"], "jxl", "image/jxl"),
        TypeDeclaration("public.jpeg-2000", ["public.image"], "jp2 j2k jpx jpf j2c", "image/jp2"),
        TypeDeclaration(
            "com.microsoft.bmp",
            ["public.image"],
            "bmp dib",
            "image/bmp image/x-ms-bmp image/x-bmp"
        ),
        TypeDeclaration(
            "com.adobe.photoshop-image",
            ["public.image"],
            "psd",
            "image/vnd.adobe.photoshop image/x-photoshop"
        ),
    ]

    private static let rawImages = [
        raw("com.adobe.raw-image", "dng", "image/x-adobe-dng"),
        raw("com.canon.cr2-raw-image", "cr2", "image/x-canon-cr2"),
        raw("com.canon.cr3-raw-image", "cr3", "image/x-canon-cr3"),
        raw("com.canon.crw-raw-image", "crw", "image/x-canon-crw"),
        raw("com.epson.raw-image", "erf", "image/x-epson-erf"),
        raw("com.fuji.raw-image", "raf", "image/x-fuji-raf"),
        raw("com.hasselblad.3fr-raw-image", "3fr", "image/x-hasselblad-3fr"),
        raw("com.hasselblad.fff-raw-image", "fff", "image/x-hasselblad-fff"),
        raw("com.kodak.raw-image", "dcr kdc", "image/x-kodak-dcr"),
        raw("com.konicaminolta.raw-image", "mrw", "image/x-minolta-mrw"),
        raw("com.leafamerica.raw-image", "mos", "image/x-leaf-mos"),
        raw("com.leica.raw-image", "raw", "image/x-leica-raw"),
        raw("com.leica.rwl-raw-image", "rwl", "image/x-leica-rwl"),
        raw("com.mamiya.raw-image", "mef", "image/x-mamiya-mef"),
        raw("com.nikon.raw-image", "nef", "image/x-nikon-nef"),
        raw("com.nikon.nrw-raw-image", "nrw", "image/x-nikon-nrw"),
        raw("com.olympus.raw-image", "orf", "image/x-olympus-orf"),
        raw("com.olympus.or-raw-image", "ori", "image/x-olympus-or"),
        raw("com.panasonic.raw-image", "raw", "image/x-panasonic-raw"),
        raw("com.panasonic.rw2-raw-image", "rw2", "image/x-panasonic-rw2"),
        raw("com.pentax.raw-image", "pef", "image/x-pentax-pef"),
        raw("com.phaseone.raw-image", "iiq cap", "image/x-phaseone-iiq"),
        raw("com.samsung.raw-image", "srw", "image/x-samsung-srw"),
        raw("com.sigma.raw-image", "x3f", "image/x-sigma-x3f"),
        raw("com.sony.raw-image", "srf", "image/x-sony-srf"),
        raw("com.sony.arw-raw-image", "arw", "image/x-sony-arw"),
        raw("com.sony.sr2-raw-image", "sr2", "image/x-sony-sr2"),
    ]

    private static let movies = [
        TypeDeclaration("com.apple.quicktime-movie", ["public.movie"], "mov qt", "video/quicktime"),
        TypeDeclaration("public.mpeg-4", ["public.movie"], "mp4 mpg4", "video/mp4"),
        TypeDeclaration("com.apple.m4v-video", ["public.movie"], "m4v", "video/x-m4v"),
        TypeDeclaration("public.3gpp", ["public.movie"], "3gp 3gpp", "video/3gpp"),
        TypeDeclaration("public.3gpp2", ["public.movie"], "3g2 3gp2", "video/3gpp2"),
        TypeDeclaration("public.avi", ["public.movie"], "avi", "video/x-msvideo video/avi"),
        TypeDeclaration("org.matroska.mkv", ["public.movie"], "mkv", "video/x-matroska"),
        TypeDeclaration("org.webmproject.webm", ["public.movie"], "webm", "video/webm"),
        TypeDeclaration("public.mpeg", ["public.movie"], "mpg mpeg vob mod", "video/mpeg"),
        TypeDeclaration(
            "public.mpeg-2-transport-stream",
            ["public.movie"],
            "ts m2t",
            "video/mp2t"
        ),
        TypeDeclaration(
            "public.avchd-mpeg-2-transport-stream",
            ["public.mpeg-2-transport-stream"],
            "mts m2ts",
            "video/avchd-stream"
        ),
        TypeDeclaration(
            "com.microsoft.windows-media-wmv",
            ["public.movie"],
            "wmv asf",
            "video/x-ms-wmv video/x-ms-asf"
        ),
    ]

    private static let sidecars = [
        TypeDeclaration("public.text", ["public.data", "public.content"]),
        TypeDeclaration("public.xml", ["public.text"], "xml", "application/xml text/xml"),
        TypeDeclaration("com.apple.property-list", ["public.data"], "plist"),
        TypeDeclaration("com.apple.photos.apple-adjustment-envelope", ["public.data"], "aae"),
        TypeDeclaration("com.adobe.xmp", ["public.xml"], "xmp", "application/rdf+xml"),
    ]

    private static let sounds = [
        TypeDeclaration("public.mp3", ["public.audio"], "mp3", "audio/mpeg audio/mp3"),
        TypeDeclaration("com.apple.m4a-audio", ["public.mpeg-4-audio"], "m4a", "audio/mp4"),
        TypeDeclaration("public.mpeg-4-audio", ["public.audio"], "mp4a m4a", "audio/mp4"),
        TypeDeclaration("com.microsoft.waveform-audio", ["public.audio"], "wav wave", "audio/wav"),
        TypeDeclaration("public.aiff-audio", ["public.audio"], "aiff aif", "audio/aiff"),
    ]

    /// The types of items that are not imported into a library, such as folders, documents and
    /// archives.
    private static let others = [
        TypeDeclaration("public.directory", ["public.item"]),
        TypeDeclaration("public.folder", ["public.directory"]),
        TypeDeclaration("public.url", ["public.data"]),
        TypeDeclaration("public.file-url", ["public.url"]),
        TypeDeclaration("public.plain-text", ["public.text"], "txt text", "text/plain"),
        TypeDeclaration("public.utf8-plain-text", ["public.plain-text"]),
        TypeDeclaration("public.html", ["public.text"], "html htm", "text/html"),
        TypeDeclaration("public.json", ["public.text"], "json", "application/json"),
        TypeDeclaration("public.comma-separated-values-text", ["public.text"], "csv", "text/csv"),
        TypeDeclaration(
            "com.adobe.pdf",
            ["public.data", "public.content"],
            "pdf",
            "application/pdf"
        ),
        TypeDeclaration(
            "public.svg-image",
            ["public.image", "public.xml"],
            "svg",
            "image/svg+xml"
        ),
        TypeDeclaration(
            "com.microsoft.ico",
            ["public.image"],
            "ico",
            "image/vnd.microsoft.icon image/x-icon"
        ),
        TypeDeclaration("public.avci", ["public.heif-standard"], "avci", "image/avci"),
        TypeDeclaration("com.apple.icns", ["public.image"], "icns", "image/x-icns"),
        TypeDeclaration("com.ilm.openexr-image", ["public.image"], "exr", "image/x-exr"),
        TypeDeclaration("public.archive", ["public.data"]),
        TypeDeclaration("public.zip-archive", ["public.archive"], "zip", "application/zip"),
        TypeDeclaration("org.gnu.gnu-zip-archive", ["public.archive"], "gz", "application/gzip"),
    ]

    private static func raw(_ identifier: String, _ ext: String, _ mime: String) -> TypeDeclaration
    {
        TypeDeclaration(identifier, ["public.camera-raw-image"], ext, mime)
    }
}
