package import PhotoModel
internal import CLinuxShim
#if canImport(Glibc)
internal import Glibc
#endif

/// Copies an open file and hashes the copied bytes, so that the stored content is the hashed
/// content.
///
/// Uses the cheapest method that the volume supports: sharing blocks (FICLONE), copying within the
/// kernel, or reading and writing. For the first two, the bytes are read back from the copy.
/// Write-back starts early, so that the sync at the end of a batch has little to do.
package struct FileCopier: Sendable {
    /// The failure of a copy.
    package enum Failure: Error, Hashable {
        /// The source could not be read.
        case read(SystemError)
        /// The copy could not be written.
        case write(SystemError)
        /// The source has fewer or more bytes than expected.
        case sizeChanged
        /// OpenSSL is out of memory.
        case hashing
    }

    /// The number of bytes per step, few enough to stay in the second-level cache between copying
    /// and hashing.
    package static let chunkSize = 512 << 10
    /// The number of dirty bytes after which write-back is started.
    package static let writeBackStep: Int64 = 8 << 20

    package var files: FileOperations

    package init(files: FileOperations) { self.files = files }

    /// Copies `size` bytes from `source` to the empty file `target`.
    ///
    /// `fingerprint` receives the same bytes in the same pass.
    package func copy(
        from source: Int32,
        to target: Int32,
        size: Int64,
        sharesVolume: Bool,
        fingerprint: SourceFingerprint? = nil
    ) throws(Failure) -> SHA256Digest {
        do { try files.check(.write, path: nil) } catch { throw .write(error) }
        let isClone = sharesVolume && cphotos_clone_file(target, source) == 0
        var copiesInKernel = sharesVolume && !isClone
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.chunkSize,
            alignment: 4096
        )
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        var written: Int64 = 0
        while true {
            if copiesInKernel {
                copiesInKernel = try copyInKernel(source, target, at: offset)
            }
            let isThere = isClone || copiesInKernel
            let count = try read(isThere ? target : source, at: offset, into: buffer)
            if count == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            fingerprint?.update(bytes)
            if !isThere {
                do { try files.write(bytes, to: target, at: offset) } catch {
                    throw .write(error)
                }
            }
            offset += Int64(count)
            if offset > size { throw .sizeChanged }
            if offset - written >= Self.writeBackStep {
                _ = cphotos_start_write_back(target, written, offset - written)
                written = offset
            }
        }
        guard offset == size else { throw .sizeChanged }
        if offset > written { _ = cphotos_start_write_back(target, written, offset - written) }
        guard let digest = hasher.finish() else { throw .hashing }
        return digest
    }

    /// Copies all bytes of `source` to the empty file `target`, by reading and writing; without a
    /// target, the bytes are only read.
    ///
    /// `limit` is the number of bytes beyond which the copy fails with `sizeChanged`, since a
    /// file system may never report an end.
    func copyToEnd(
        from source: Int32,
        to target: Int32?,
        limit: Int64,
        fingerprint: SourceFingerprint? = nil
    ) throws(Failure) -> (digest: SHA256Digest, size: Int64) {
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.chunkSize,
            alignment: 4096
        )
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        var written: Int64 = 0
        while true {
            let count = try read(source, at: offset, into: buffer)
            if count == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            fingerprint?.update(bytes)
            if let target {
                do { try files.write(bytes, to: target, at: offset) } catch { throw .write(error) }
            }
            offset += Int64(count)
            if offset > limit { throw .sizeChanged }
            if let target, offset - written >= Self.writeBackStep {
                _ = cphotos_start_write_back(target, written, offset - written)
                written = offset
            }
        }
        if let target, offset > written {
            _ = cphotos_start_write_back(target, written, offset - written)
        }
        guard let digest = hasher.finish() else { throw .hashing }
        return (digest, offset)
    }

    private func read(
        _ descriptor: Int32,
        at offset: Int64,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        do { return try files.read(descriptor, at: offset, into: buffer) } catch {
            throw .read(error)
        }
    }

    /// Copies one chunk inside the kernel.
    ///
    /// - Returns: False if the file systems do not support it, or if it failed without indicating
    ///   which side failed. Reading and writing from the same offset then determines that.
    private func copyInKernel(_ source: Int32, _ target: Int32, at offset: Int64) throws(Failure)
        -> Bool
    {
        do { try files.check(.write, path: nil) } catch { throw .write(error) }
        var done: Int64 = 0
        while done < Int64(Self.chunkSize) {
            let count = cphotos_copy_file_range(
                source,
                target,
                offset + done,
                Self.chunkSize - Int(done)
            )
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            if count == 0 { break }
            done += Int64(count)
        }
        return true
    }
}
