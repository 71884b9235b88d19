package import CloudSync
internal import Glibc
package import LibraryService
package import PhotoModel

/// A folder on the library's volume for files that are being downloaded.
///
/// It is a session of `staging/`: if the process dies, the next writer removes it. It counts as
/// work in progress, so a host should have one only while it downloads.
///
/// Thread-safe.
package final class CloudStaging: Sendable {
    let session: StagingSession

    init(_ session: StagingSession) { self.session = session }

    /// Creates an empty file for a download.
    ///
    /// - Throws: The volume's error.
    package func createFile() throws(LibraryError) -> StagedDownload {
        do throws(SystemError) {
            let (path, descriptor) = try session.createFile()
            return StagedDownload(path: path, descriptor: descriptor, session: session)
        } catch {
            throw error.libraryError("A file cannot be downloaded to \(session.root).")
        }
    }

    /// Moves a complete part into the folder.
    ///
    /// - Parameter part: A part with all bytes of its file, which the sync host has verified.
    /// - Returns: The file, which can be placed in the library.
    /// - Throws: The volume's error; the part is then where it was.
    package func adopt(_ part: DownloadPart) throws(LibraryError) -> StagedDownload {
        do throws(SystemError) {
            // Leaving the cloud library removes parts, and then another one may have the name.
            guard part.isUsable else {
                throw SystemError(call: "rename", number: ENOENT, path: part.path)
            }
            let path = try session.adopt(part.descriptor, at: part.path)
            return StagedDownload(path: path, descriptor: part.descriptor, session: session)
        } catch {
            throw error.libraryError("A downloaded file cannot be moved within \(session.root).")
        }
    }

    /// Removes the folder, including all files that were not placed in the library.
    package func end() { session.end() }
}

/// A file that is being downloaded.
///
/// The sync host writes and verifies it.
package final class StagedDownload: Sendable {
    /// The file, open for reading and writing.
    package let descriptor: Descriptor
    let path: String
    let session: StagingSession

    init(path: String, descriptor: Descriptor, session: StagingSession) {
        self.path = path
        self.descriptor = descriptor
        self.session = session
    }

    /// Removes the file; has no effect on a file that was placed in the library.
    package func discard() { try? session.files.remove(path) }

    /// Creates a staged file from the download, with the file's current size and the SHA-256 that
    /// the sync host computed.
    func staged(_ digest: SHA256Digest) throws(SystemError) -> StagedFile {
        StagedFile(
            path: path,
            descriptor: descriptor,
            size: try session.files.status(of: descriptor.number).size,
            digest: digest,
            files: session.files
        )
    }
}

/// A completed download whose SHA-256 the host has verified.
package struct FinishedDownload: Sendable {
    let content: ContentID
    let file: StagedDownload

    package init(content: ContentID, file: StagedDownload) {
        self.content = content
        self.file = file
    }

    /// Returns whether another download is in the same folder.
    package func isBeside(_ other: FinishedDownload) -> Bool {
        file.session === other.file.session
    }
}

extension LibraryStore {
    /// Creates a folder for downloads.
    ///
    /// - Throws: `readOnly`, and the volume's error.
    package func cloudStaging() throws(LibraryError) -> CloudStaging {
        guard readOnlyReason == nil, missingVersion == nil else { throw refusalOfWriting }
        do throws(SystemError) {
            return CloudStaging(try StagingSession(staging: bundle.staging, files: files))
        } catch {
            throw error.libraryError("Files cannot be downloaded to \(bundle.root).")
        }
    }
}
