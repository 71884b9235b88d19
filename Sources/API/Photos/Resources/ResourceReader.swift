internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Reads the bytes of a resource once, in order, and verifies the length of the file.
struct ResourceReader {
    /// The chunk size in bytes: large enough to amortize calls, small enough to keep memory use
    /// flat.
    static let chunkSize = 1 << 20

    let record: ResourceRecord
    private let descriptor: Descriptor
    private(set) var offset = 0

    /// Opens a resource for reading, and downloads it first if necessary and permitted.
    init(_ resource: PHAssetResource, _ network: NetworkAccess) throws(LibraryError) {
        if let record = resource.record, resource.connection == nil, let file = resource.fileURL {
            self.record = record
            descriptor = try Self.open(file)
            return
        }
        guard let record = resource.record, let connection = resource.connection else {
            throw LibraryError(
                .invalidRequest,
                "The resource belongs to no library, so it has no data.",
                recovery: "Use resources from PHAssetResource.assetResources(for:)."
            )
        }
        let service = try connection.service()
        (_, descriptor) = try network.attempt([.resource(record.uuid)], of: connection) {
            () throws(LibraryError) in
            try service.openResource(ResourceOpenRequest(resourceUUID: record.uuid))
        }
        self.record = record
    }

    /// Opens a file that belongs to no library.
    private static func open(_ file: URL) throws(LibraryError) -> Descriptor {
        let number = Glibc.open(file.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else {
            throw LibraryError(
                errno == ENOENT ? .missingResource : .inputOutput,
                "The file “\(file.lastPathComponent)” cannot be opened.",
                reason: String(cString: strerror(errno)) + ".",
                recovery: "Check the path and the file's permissions.",
                path: file.path
            )
        }
        return Descriptor(owning: number)
    }

    /// The fraction that has been read, from 0 to 1.
    var progress: Double {
        record.size == 0 ? 1 : min(1, Double(offset) / Double(record.size))
    }

    /// The number of the file descriptor, for the call that clones the file.
    var number: Int32 { descriptor.number }

    /// Returns the next chunk of bytes, or nil at the end of the file.
    ///
    /// - Throws: `invalidResource` if the file is shorter or longer than expected.
    mutating func next() throws(LibraryError) -> Data? {
        var chunk = Data(count: Self.chunkSize)
        let count = chunk.withUnsafeMutableBytes { buffer in
            while true {
                let count = pread(descriptor.number, buffer.baseAddress, buffer.count, offset)
                if count >= 0 || errno != EINTR { return count }
            }
        }
        guard count >= 0 else {
            throw failure(.inputOutput, "cannot be read.", reason: String(cString: strerror(errno)))
        }
        offset += count
        if count == 0 {
            guard Int64(offset) == record.size else { throw wrongSize }
            return nil
        }
        guard Int64(offset) <= record.size else { throw wrongSize }
        return chunk.prefix(count)
    }

    private var wrongSize: LibraryError {
        failure(
            .invalidResource,
            "does not have the recorded size.",
            reason: "\(record.size) bytes were imported, but \(offset) were found."
        )
    }

    private func failure(
        _ code: LibraryError.Code,
        _ what: String,
        reason: String
    ) -> LibraryError {
        LibraryError(
            code,
            "The file of “\(record.originalFilename)” \(what)",
            reason: reason,
            recovery: record.assetUUID.isEmpty
                ? "Request the Live Photo again: the file has changed."
                : "Run “photos verify --full” to check the library.",
            path: record.path,
            identifiers: record.assetUUID.isEmpty
                ? [] : [record.assetUUID + ObjectKind.asset.identifierSuffix]
        )
    }
}
