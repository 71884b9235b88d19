internal import Imaging
internal import Media

/// The libraries that read media.
enum Codecs {
    /// Loads them and what they keep in files, before the sandbox closes.
    static func open() -> Bool {
        MovieReader.start()
        return PreviewDecoder.start() && HEIFPicture.start() && RawMetadata.start()
    }
}
