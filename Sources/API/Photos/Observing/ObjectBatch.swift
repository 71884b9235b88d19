internal import LibraryService
package import PhotoModel

/// A batch of objects that were loaded together from one library at one version.
///
/// Each of the objects retains the batch, and the library's register references it weakly. The
/// register thereby tracks the objects that a program still holds, at no cost per object.
package final class ObjectBatch: Sendable {
    /// The library that the objects were loaded from.
    package let connection: LibraryConnection
    /// The kind of the objects: `asset`, or `album` for both albums and folders.
    package let kind: ObjectKind
    /// The row ids of the objects.
    package let ids: RowIDBuffer
    /// The library version at which the objects were loaded.
    package let version: Int64

    /// Creates a batch and registers it with its library.
    package init(
        connection: LibraryConnection,
        kind: ObjectKind,
        ids: RowIDBuffer,
        version: Int64
    ) {
        self.connection = connection
        self.kind = kind
        self.ids = ids
        self.version = version
        connection.monitor.register.add(self)
    }
}
