internal import Media
internal import WorkerProtocol

/// A reader for an editor's adjustments of a photo or movie.
enum AdjustmentsReader {
    private static let maximumLength = 32 << 20

    /// Reads an adjustment file and writes its adjustment data into `sink`.
    ///
    /// The reply contains the identifier and the version of the data's format.
    static func read(_ descriptor: Int32, into sink: PixelWriter) -> WorkerReply {
        guard let file = MappedFile.map(descriptor) else {
            return .failed(reason: "It is not a regular file, or it cannot be read.")
        }
        guard file.bytes.count <= maximumLength,
            case .medium(.aae, _) = Sniffer.kind(of: file.bytes)
        else { return .unsupported(reason: "It is not adjustment data of a photo.") }
        guard let envelope = AdjustmentEnvelope(file.bytes) else {
            return .failed(reason: "Its adjustments are damaged.")
        }
        let isWritten = envelope.data.withUnsafeBytes { $0.isEmpty || sink.take($0) }
        guard isWritten else { return .failed(reason: "There is not enough memory for it.") }
        return .adjustments(
            formatIdentifier: envelope.formatIdentifier,
            formatVersion: envelope.formatVersion,
            length: envelope.data.count
        )
    }
}
