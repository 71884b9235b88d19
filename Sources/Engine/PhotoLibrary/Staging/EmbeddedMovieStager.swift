internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A movie that was embedded in a still, as in Android's motion photos, and is staged as a separate
/// file.
///
/// The still is kept unchanged including the movie; the separate file is used for playback.
struct EmbeddedMovie: Sendable {
    var file: StagedFile
    var facts: MediaFacts
    var record: AssetRecord
    /// The movie's file name, which is the still's name with a movie extension.
    var name: String
}

/// Extracts the embedded movie of a staged still into a staged file.
struct EmbeddedMovieStager: Sendable {
    var session: StagingSession
    var files: FileOperations
    /// Probes a file with a worker; throws an error if no worker is available.
    var probe: @Sendable (_ name: String, StagedFile) throws(LibraryError) -> ProbeAnswer
    var draft: AssetDraft

    /// Copies a still's embedded movie, which lies near the end of the file, into a staged file.
    ///
    /// - Parameters:
    ///   - length: The number of bytes according to the still.
    ///   - tail: The number of bytes after them.
    ///   - still: The staged still.
    ///   - record: Its record, for the times of the movie.
    ///   - stem: Its name without the extension.
    /// - Returns: Nil if there is no playable movie; the still is then imported as a plain photo.
    /// - Throws: An error that concerns the whole import, from the library's volume or the worker.
    func stage(
        length: Int64,
        before tail: Int64,
        of still: StagedFile,
        record: AssetRecord,
        stem: String
    ) throws(LibraryError) -> EmbeddedMovie? {
        guard length > 0, tail >= 0, tail < still.size, length < still.size - tail else {
            return nil
        }
        let start = still.size - tail - length
        guard let file = try copy(length, from: still, at: start) else { return nil }
        var isKept = false
        defer { if !isKept { file.discard() } }
        let name = stem + ".MP4"
        guard case .facts(let facts, _) = try probe(name, file), facts.format.isMovie,
            facts.movie?.videoCodec != nil
        else { return nil }
        isKept = true
        let movie = draft.record(of: facts, filename: name, fileTime: record.modificationDate)
        return EmbeddedMovie(file: file, facts: facts, record: movie, name: name)
    }

    /// Copies and hashes a range of a still's bytes; returns nil if the range extends beyond the
    /// end of the still.
    private func copy(_ length: Int64, from still: StagedFile, at start: Int64)
        throws(LibraryError) -> StagedFile?
    {
        let message = "The embedded movie cannot be copied to the staging folder."
        let target: (path: String, descriptor: Descriptor)
        do { target = try session.createFile() } catch { throw error.libraryError(message) }
        var isKept = false
        defer { if !isKept { try? files.remove(target.path) } }
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(min(length, Int64(FileCopier.chunkSize))),
            alignment: 4096
        )
        defer { buffer.deallocate() }
        var done: Int64 = 0
        while done < length {
            let wanted = Int(min(length - done, Int64(buffer.count)))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count: Int
            do {
                count = try files.read(
                    still.descriptor.number,
                    at: start + done,
                    into: part
                )
            } catch { throw error.libraryError(message) }
            guard count > 0 else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            do { try files.write(bytes, to: target.descriptor.number, at: done) } catch {
                throw error.libraryError(message)
            }
            done += Int64(count)
        }
        guard let digest = hasher.finish() else { return nil }
        isKept = true
        return StagedFile(
            path: target.path,
            descriptor: target.descriptor,
            size: length,
            digest: digest,
            files: files
        )
    }
}
