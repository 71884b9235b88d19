internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// Reads the records of an iPhoto library, and adds values that the sandboxed worker process cannot
/// provide.
///
/// These are the offsets of time zones, which workers cannot look up, and the format that the host
/// gives to edits without adjustments.
struct IPhotoRecords: ForeignReader {
    private let reader: any ForeignReader

    init(_ reader: any ForeignReader) { self.reader = reader }

    func rewind() throws(LibraryError) { try reader.rewind() }

    func next() throws(LibraryError) -> ForeignBatch {
        var batch = try reader.next()
        for index in batch.records.indices {
            guard case .asset(var asset) = batch.records[index] else { continue }
            if asset.facts.captureOffset == nil, let date = asset.facts.creationDate,
                let name = asset.timeZoneName
            {
                asset.facts.captureOffset = Self.offset(of: name, at: date)
            }
            if asset.edit != nil {
                asset.edit?.formatIdentifier = ExternalRender.formatIdentifier
                asset.edit?.formatVersion = ExternalRender.formatVersion
            }
            batch.records[index] = .asset(asset)
        }
        return batch
    }

    /// Returns the offset of a time zone at an instant in seconds since 2001; nil for a zone that
    /// the system does not know.
    static func offset(of name: String, at seconds: Double) -> Int? {
        let isName =
            (1...64).contains(name.utf8.count) && !name.contains("..")
            && name.utf8.first != UInt8(ascii: "/")
            && name.utf8.allSatisfy { byte in
                (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || (0x30...0x39).contains(byte) || Array("/_+-:".utf8).contains(byte)
            }
        guard isName, let zone = TimeZone(identifier: name) else { return nil }
        return zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds))
    }
}
