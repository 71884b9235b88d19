package import Foundation
internal import Glibc
package import PhotoModel

/// New content for a private file, which is written in parts and then replaces the file durably.
package struct FileDraft {
    private let folder: String
    private let name: String
    private let descriptor: Descriptor

    private var file: String { folder + "/" + name }
    private var draft: String { file + ".new" }

    init(folder: String, name: String) throws(SystemError) {
        self.folder = folder
        self.name = name
        let draft = folder + "/" + name + ".new"
        do throws(SystemError) {
            descriptor = try PrivateFile.create(draft)
        } catch {
            // What is in the way is not in the way of the next attempt.
            unlink(draft)
            throw error
        }
    }

    package func append(_ data: Data) throws(SystemError) {
        try PrivateFile.append(data, to: descriptor, path: draft)
    }

    /// Makes the content durable, and replaces the file.
    package func commit() throws(SystemError) {
        guard fsync(descriptor.number) == 0 else { throw .last("fsync", path: draft) }
        guard rename(draft, file) == 0 else { throw .last("rename", path: file) }
        try PrivateFile.sync(folder: folder)
    }

    /// Removes the content, and leaves the file as it is.
    package func discard() { unlink(draft) }
}
