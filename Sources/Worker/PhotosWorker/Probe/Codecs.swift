internal import Imaging
internal import Media

/// The media libraries.
enum Codecs {
    /// Loads the libraries and their data files before the sandbox is entered.
    static func open() -> Bool {
        MovieReader.start()
        return PreviewDecoder.start() && HEIFPicture.start() && RawMetadata.start()
    }
}
