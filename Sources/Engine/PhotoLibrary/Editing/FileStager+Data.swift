internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

extension FileStager {
    /// Stages data that the library itself created.
    func stage(_ data: Data) throws(LibraryError) -> StagedFile {
        let message = "The file cannot be written to the library's staging folder."
        do throws(SystemError) {
            let target = try session.createFile()
            let hasher = SHA256Hasher()
            let written: Result<Void, SystemError> = data.withUnsafeBytes { bytes in
                hasher.update(bytes)
                do throws(SystemError) {
                    try files.write(bytes, to: target.descriptor.number, at: 0)
                    return .success(())
                } catch { return .failure(error) }
            }
            do throws(SystemError) {
                try written.get()
                guard let digest = hasher.finish() else {
                    throw SystemError(call: "EVP_DigestFinal_ex", number: ENOMEM, path: nil)
                }
                let file = StagedFile(
                    path: target.path,
                    descriptor: target.descriptor,
                    size: Int64(data.count),
                    digest: digest,
                    files: files
                )
                try file.sync()
                return file
            } catch {
                try? files.remove(target.path)
                throw error
            }
        } catch {
            throw error.libraryError(message)
        }
    }
}
