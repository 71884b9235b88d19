internal import Glibc
package import LibraryService

extension Descriptor {
    /// Appends the names of the entries of an open folder, except `.` and `..`.
    ///
    /// - Parameter names: Receives the names in no particular order, also those that were read
    ///   before a failure.
    /// - Returns: The error number if not all names could be read; nil if `names` is complete.
    package func readNames(into names: inout [[UInt8]]) -> Int32? {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return errno }
        guard let stream = fdopendir(copy) else {
            let failure = errno
            close(copy)
            return failure
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 ? nil : errno }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let bytes = UnsafeRawPointer(pointer)
                let count = strlen(bytes.assumingMemoryBound(to: CChar.self))
                return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
            }
            if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
        }
    }
}
