package import CloudSync
internal import ImagePipeline
package import LibraryService
package import PhotoLibrary
package import PhotoModel

/// The library operations that a sync host uses to synchronize the library with its cloud library.
///
/// Each function calls the function of `LibraryStore` with the same name.
extension LibraryEngine {
    // MARK: - Membership

    package func cloudMembership() throws(LibraryError) -> CloudMembership? {
        try inLibrary { () throws in try store.cloudMembership() }
    }

    package func joinCloud(library: String, device: CloudID) throws(LibraryError) {
        try inLibrary { () throws in try store.joinCloud(library: library, device: device) }
    }

    package func continueCloud(as device: CloudID) throws(LibraryError) {
        try inLibrary { () throws in try store.continueCloud(as: device) }
    }

    package func leaveCloud(abandoning: Bool = false) throws(LibraryError) {
        try inLibrary { () throws in try store.leaveCloud(abandoning: abandoning) }
    }

    package func checkLeaving(abandoning: Bool) throws(LibraryError) {
        try inLibrary { () throws in try store.checkLeaving(abandoning: abandoning) }
    }

    // MARK: - Changes

    package func exportChanges(
        limit: Int = 2_000,
        entries: Int = 20_000
    ) throws(LibraryError) -> LibraryStore.CloudExport? {
        try inLibrary { () throws in try store.exportChanges(limit: limit, entries: entries) }
    }

    package func unexportedChangeCount() throws(LibraryError) -> Int {
        try inLibrary { () throws in try store.unexportedChangeCount() }
    }

    package func markExported(_ export: LibraryStore.CloudExport) throws(LibraryError) {
        try inLibrary { () throws in try store.markExported(export) }
    }

    package func restartCloudExport() throws(LibraryError) {
        try inLibrary { () throws in try store.restartCloudExport() }
    }

    package func importChanges(
        _ transactions: [CloudTransaction],
        defersMoments: Bool = false,
        name: (CloudID) -> String? = { _ in nil }
    ) throws(LibraryError) {
        try inLibrary { () throws in
            try store.importChanges(transactions, defersMoments: defersMoments, name: name)
        }
    }

    package func groupMoments() throws(LibraryError) {
        try inLibrary { () throws in try store.groupMoments() }
    }

    // MARK: - Files

    package func openContent(_ content: ContentID) throws(LibraryError) -> Descriptor? {
        try inLibrary { () throws in try store.openContent(content) }
    }

    package func isMissing(
        _ content: ContentID,
        includingRemoved: Bool
    ) throws(LibraryError) -> Bool {
        try inLibrary { () throws in
            try store.isMissing(content, includingRemoved: includingRemoved)
        }
    }

    package func missingContents(limit: Int) throws(LibraryError) -> [ContentID] {
        try inLibrary { () throws in try store.missingContents(limit: limit) }
    }

    package func missingContents(ofAsset uuid: String) throws(LibraryError) -> [ContentID]? {
        try inLibrary { () throws in try store.missingContents(ofAsset: uuid) }
    }

    package func missingFileCounts() throws(LibraryError) -> (waiting: Int, removed: Int) {
        try inLibrary { () throws in try store.missingFileCounts() }
    }

    package func cloudStaging() throws(LibraryError) -> CloudStaging {
        try store.cloudStaging()
    }

    /// The parts of large files that interrupted downloads have left.
    package var downloadParts: DownloadParts { store.downloadParts }

    /// Places each downloaded file for all resources with its content but no local file, and queues
    /// the first renditions of their photos.
    ///
    /// See `LibraryStore.placeContents(_:)`.
    ///
    /// - Returns: For each file, whether a photo lacked it, or why it was refused.
    package func placeContents(
        _ downloads: [FinishedDownload]
    ) throws(LibraryError) -> [Result<Bool, LibraryError>] {
        let outcomes = try inLibrary { () throws in try store.placeContents(downloads) }
        background?.add(outcomes.flatMap { (try? $0.get()) ?? [] })
        return outcomes.map { $0.map { !$0.isEmpty } }
    }

    /// Places one downloaded file for all resources with its content but no local file, as
    /// `placeContents(_:)` does.
    ///
    /// - Returns: Whether a photo lacked the file.
    package func placeContent(
        _ content: ContentID,
        from download: StagedDownload
    ) throws(LibraryError) -> Bool {
        let outcomes = try placeContents([FinishedDownload(content: content, file: download)])
        return try outcomes.first?.get() ?? false
    }

    /// Copies a local file with the given content; returns nil if there is no such file or its
    /// bytes are damaged.
    ///
    /// See `LibraryStore.copyOfContent(_:in:)`.
    package func copyOfContent(
        _ content: ContentID,
        in staging: CloudStaging
    ) throws(LibraryError) -> StagedDownload? {
        try inLibrary { () throws in try store.copyOfContent(content, in: staging) }
    }

    func inLibrary<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        do {
            return try body()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }
}
