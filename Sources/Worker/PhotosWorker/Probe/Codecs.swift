internal import Imaging
internal import Media

/// The initialization of the media libraries.
enum Codecs {
    /// Loads the libraries and their data files; must be called before the sandbox is entered.
    static func open() -> Bool {
        MovieReader.start()
        return PreviewDecoder.start() && HEIFPicture.start() && RawMetadata.start()
    }
}
