package import CloudSync
internal import Glibc
internal import LibraryService
internal import PhotoModel

extension LibraryStore {
    /// Copies a local file with the given content to the staging folder, for resources that have
    /// this content but no local file.
    ///
    /// Returns nil if there is no such file, or if its bytes are damaged. Two photos can have one
    /// content, such as edits that look the same. The sync downloads a content only if no local
    /// file has it.
    package func copyOfContent(
        _ content: ContentID,
        in staging: CloudStaging
    ) throws -> StagedDownload? {
        guard let source = try openContent(content) else { return nil }
        let copy = try staging.createFile()
        do {
            let status = try files.status(of: source.number)
            let digest = try FileCopier(files: files).copy(
                from: source.number,
                to: copy.descriptor.number,
                size: status.size,
                sharesVolume: try files.status(of: copy.descriptor.number).device == status.device
            )
            if digest.bytes == Array(content.data) { return copy }
            copy.discard()
            return nil
        } catch FileCopier.Failure.read, FileCopier.Failure.sizeChanged {
            // `verify` reports it.
            copy.discard()
            return nil
        } catch FileCopier.Failure.write(let error) {
            copy.discard()
            throw error.libraryError("A file cannot be copied in \(bundle.root).")
        } catch let error as SystemError {
            copy.discard()
            throw error.libraryError("A file cannot be copied in \(bundle.root).")
        } catch {
            copy.discard()
            throw error
        }
    }
}
