package import WorkerClient
package import WorkerProtocol

/// Reads untrusted archives and JSON files; implemented by a pool of workers.
package protocol ArchiveReader: Sendable {
    /// Lists a part of an archive, with the content of its JSON files.
    func archivePage(_ cursor: ArchiveCursor, of descriptor: Int32) throws(WorkerError)
        -> ArchivePage

    /// Reads a JSON file of Google Takeout.
    func takeoutReading(of descriptor: Int32) throws(WorkerError) -> TakeoutReading

    /// Writes the next bytes of an archive's entry into a file.
    func extract(_ request: ArchiveExtraction, from descriptor: Int32, to output: Int32)
        throws(WorkerError) -> WorkerPool.ExtractionAnswer
}

extension WorkerPool: ArchiveReader {}
