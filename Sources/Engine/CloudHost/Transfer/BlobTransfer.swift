internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// Moves originals and edits between the library and the store.
struct BlobTransfer: Sendable {
    let engine: LibraryEngine
    let store: any ObjectStore
    let uploads: StagedUploads
    let downloads: DownloadFolder

    /// The time limit of a transfer: at 64 kB/s, and a minute more.
    private static func timeout(of size: Int64) -> Duration { .seconds(60 + size >> 16) }

    /// Encrypts a file and uploads it; a file that is no longer here is `missing`.
    func upload(
        _ content: ContentID,
        as blob: BlobName
    ) async throws(LibraryError) -> StoreResult {
        let staged: (file: Descriptor, record: BlobRecord)
        if let earlier = try uploads.staged(blob) {
            staged = earlier
        } else if let original = try engine.openContent(content) {
            staged = try uploads.stage(original, content, as: blob)
        } else {
            return .missing
        }
        let size = staged.record.layout.sealedSize
        try await CloudObjectReader.request { () throws(ObjectStoreError) in
            _ = try await store.put(
                try ObjectKey(ObjectName.blob(blob).description),
                from: try ObjectSource(descriptor: staged.file.number, range: 0..<size),
                mode: .create,
                timeout: Self.timeout(of: size)
            )
        }
        return .stored(key: staged.record.encoded)
    }

    /// Downloads a file, decrypts and checks it, and places it in the library.
    ///
    /// Bytes that fail a check never reach the library.
    func download(
        _ blob: BlobName,
        _ record: BlobRecord,
        of content: ContentID
    ) async throws(LibraryError) -> StoreResult {
        let staging = try downloads.staging(of: engine)
        let sealed = try staging.createFile()
        let size = record.layout.sealedSize
        do throws(ObjectStoreError) {
            _ = try await store.get(
                try ObjectKey(ObjectName.blob(blob).description),
                range: nil,
                limit: size,
                timeout: Self.timeout(of: size)
            ) { piece in
                try PrivateFile.append(Data(piece), to: sealed.descriptor, path: "a download")
            }
        } catch  where error.code == .notFound {
            sealed.discard()
            return .missing
        } catch {
            sealed.discard()
            throw LibraryError(error)
        }
        defer { sealed.discard() }
        let plain = try staging.createFile()
        do throws(CloudKeyError) {
            try BlobOpener.open(
                sealed.descriptor.number,
                to: plain.descriptor.number,
                as: blob,
                record: record,
                content: content
            )
        } catch {
            plain.discard()
            guard error.code == .inputOutput else {
                // Another blob of the content, or the device that has the file, may help later.
                return .damaged
            }
            throw LibraryError(error)
        }
        return try place(content, plain) ? .found(.blob(content)) : .missing
    }

    /// Gives photos that lack a file a copy of one that is here.
    ///
    /// - Returns: False if none is here.
    func copy(_ content: ContentID) throws(LibraryError) -> Bool {
        let staging = try downloads.staging(of: engine)
        guard let copy = try engine.copyOfContent(content, in: staging) else { return false }
        _ = try place(content, copy)
        return true
    }

    private func place(
        _ content: ContentID,
        _ file: StagedDownload
    ) throws(LibraryError) -> Bool {
        var attempts = 0
        while true {
            do throws(LibraryError) {
                return try engine.placeContent(content, from: file)
            } catch  where error.code == .busy && attempts < 3 {
                attempts += 1
            }
        }
    }
}

/// The folder of downloads, which exists only while files arrive.
final class DownloadFolder: Sendable {
    private let folder = Monitor<CloudStaging?>(nil)

    func staging(of engine: LibraryEngine) throws(LibraryError) -> CloudStaging {
        if let staging = folder.withLock(\.self) { return staging }
        let made = try engine.cloudStaging()
        return folder.update { staging in
            if let staging { return staging }
            staging = made
            return made
        }
    }

    /// Removes the folder and what was not placed.
    func end() {
        folder.update { staging in
            staging?.end()
            staging = nil
        }
    }
}
