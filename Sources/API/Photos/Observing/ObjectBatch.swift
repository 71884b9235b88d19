package import LibraryService
package import PhotoModel

/// Objects that were loaded together: which library they came from, and when.
///
/// Each of them holds on to it, and the library's register does so weakly: that is how it is known
/// which objects a program still has, at no cost per object.
package final class ObjectBatch: Sendable {
    /// The library.
    package let connection: LibraryConnection
    /// `asset`, or `album` for albums and folders alike.
    package let kind: ObjectKind
    /// The row ids of the objects.
    package let ids: RowIDBuffer
    /// The version at which they were loaded.
    package let version: Int64

    /// A batch that its library knows of.
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
