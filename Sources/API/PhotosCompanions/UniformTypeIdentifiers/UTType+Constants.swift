extension UTType {
    // MARK: - Abstract types

    /// The base type of all items.
    public static let item = UTType(importedAs: "public.item")
    /// Any byte stream.
    public static let data = UTType(importedAs: "public.data")
    /// Any content that people view, read or listen to.
    public static let content = UTType(importedAs: "public.content")
    /// Any image.
    public static let image = UTType(importedAs: "public.image")
    /// A camera raw image.
    public static let rawImage = UTType(importedAs: "public.camera-raw-image")
    /// Any audiovisual content.
    public static let audiovisualContent = UTType(importedAs: "public.audiovisual-content")
    /// Video with or without audio.
    public static let movie = UTType(importedAs: "public.movie")
    /// Video without audio.
    public static let video = UTType(importedAs: "public.video")
    /// Audio.
    public static let audio = UTType(importedAs: "public.audio")
    /// A Live Photo: a still image with its movie.
    public static let livePhoto = UTType(importedAs: "com.apple.live-photo")
    /// A Live Photo bundle.
    public static let livePhotoBundle = UTType(importedAs: "com.apple.live-photo-bundle")

    // MARK: - Images

    /// JPEG.
    public static let jpeg = UTType(importedAs: "public.jpeg")
    /// HEIF with HEVC-coded images.
    public static let heic = UTType(importedAs: "public.heic")
    /// A HEIF sequence of HEVC-coded images, such as an animation.
    public static let heics = UTType(importedAs: "public.heics")
    /// HEIF with any codec.
    public static let heif = UTType(importedAs: "public.heif")
    /// AVIF.
    public static let avif = UTType(importedAs: "public.avif")
    /// PNG.
    public static let png = UTType(importedAs: "public.png")
    /// GIF.
    public static let gif = UTType(importedAs: "com.compuserve.gif")
    /// WebP.
    public static let webP = UTType(importedAs: "org.webmproject.webp")
    /// TIFF.
    public static let tiff = UTType(importedAs: "public.tiff")
    /// JPEG XL.
    public static let jpegxl = UTType(importedAs: "public.jpeg-xl")
    /// JPEG 2000.
    public static let jpeg2000 = UTType(importedAs: "public.jpeg-2000")
    /// Windows bitmap.
    public static let bmp = UTType(importedAs: "com.microsoft.bmp")
    /// Adobe Digital Negative.
    public static let dng = UTType(importedAs: "com.adobe.raw-image")

    // MARK: - Movies

    /// QuickTime.
    public static let quickTimeMovie = UTType(importedAs: "com.apple.quicktime-movie")
    /// MPEG-4.
    public static let mpeg4Movie = UTType(importedAs: "public.mpeg-4")
    /// The MPEG-4 variant with the file extension `.m4v`, for which Apple defined a separate type
    /// identifier.
    public static let appleProtectedMPEG4Video = UTType(importedAs: "com.apple.m4v-video")
    /// 3GPP.
    public static let threeGPP = UTType(importedAs: "public.3gpp")
    /// AVI.
    public static let avi = UTType(importedAs: "public.avi")
    /// Matroska.
    public static let matroska = UTType(importedAs: "org.matroska.mkv")
    /// WebM.
    public static let webM = UTType(importedAs: "org.webmproject.webm")
    /// MPEG-1 and MPEG-2 program streams.
    public static let mpeg = UTType(importedAs: "public.mpeg")
    /// MPEG-2 transport streams.
    public static let mpeg2TransportStream = UTType(importedAs: "public.mpeg-2-transport-stream")

    // MARK: - Other types

    /// Text in any encoding.
    public static let text = UTType(importedAs: "public.text")
    /// XML.
    public static let xml = UTType(importedAs: "public.xml")
    /// A property list in any encoding.
    public static let propertyList = UTType(importedAs: "com.apple.property-list")
    /// Plain text in any encoding.
    public static let plainText = UTType(importedAs: "public.plain-text")
    /// Plain text in UTF-8.
    public static let utf8PlainText = UTType(importedAs: "public.utf8-plain-text")
    /// HTML.
    public static let html = UTType(importedAs: "public.html")
    /// JSON.
    public static let json = UTType(importedAs: "public.json")
    /// Comma-separated values.
    public static let commaSeparatedText = UTType(
        importedAs: "public.comma-separated-values-text"
    )
    /// PDF.
    public static let pdf = UTType(importedAs: "com.adobe.pdf")
    /// SVG.
    public static let svg = UTType(importedAs: "public.svg-image")
    /// A Windows icon.
    public static let ico = UTType(importedAs: "com.microsoft.ico")
    /// A macOS icon.
    public static let icns = UTType(importedAs: "com.apple.icns")
    /// OpenEXR.
    public static let exr = UTType(importedAs: "com.ilm.openexr-image")
    /// MP3.
    public static let mp3 = UTType(importedAs: "public.mp3")
    /// MPEG-4 with audio only.
    public static let mpeg4Audio = UTType(importedAs: "public.mpeg-4-audio")
    /// WAVE.
    public static let wav = UTType(importedAs: "com.microsoft.waveform-audio")
    /// AIFF.
    public static let aiff = UTType(importedAs: "public.aiff-audio")
    /// A folder or a package.
    public static let directory = UTType(importedAs: "public.directory")
    /// A folder.
    public static let folder = UTType(importedAs: "public.folder")
    /// A URL.
    public static let url = UTType(importedAs: "public.url")
    /// A file URL.
    public static let fileURL = UTType(importedAs: "public.file-url")
    /// An archive.
    public static let archive = UTType(importedAs: "public.archive")
    /// ZIP.
    public static let zip = UTType(importedAs: "public.zip-archive")
    /// GZIP.
    public static let gzip = UTType(importedAs: "org.gnu.gnu-zip-archive")
}
