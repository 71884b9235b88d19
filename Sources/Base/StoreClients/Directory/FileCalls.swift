internal import CLinuxShim
internal import Glibc

/// The system calls of a directory store that can fail because of the volume.
///
/// Tests replace them, since it is hard to arrange a full disk or a file system without
/// `renameat2`. Each returns the result of the call and sets errno on failure.
package struct FileCalls: Sendable {
    package var write: @Sendable (_ file: Int32, UnsafeRawBufferPointer) -> Int
    package var sync: @Sendable (_ file: Int32) -> Int32
    /// Renames a file, and fails if the new name exists.
    package var renameNew:
        @Sendable (_ fromFolder: Int32, _ from: String, _ toFolder: Int32, _ to: String) -> Int32
    /// Creates a hard link to a file, and fails if the new name exists.
    package var link:
        @Sendable (_ fromFolder: Int32, _ from: String, _ toFolder: Int32, _ to: String) -> Int32

    package static let system = FileCalls(
        write: { Glibc.write($0, $1.baseAddress, $1.count) },
        sync: { fsync($0) },
        renameNew: { cphotos_rename_new_at($0, $1, $2, $3) },
        link: { linkat($0, $1, $2, $3, 0) }
    )
}
