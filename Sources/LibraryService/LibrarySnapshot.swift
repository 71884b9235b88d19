/// What a fetch's answer belongs to: a version of the library, and what its client could see then.
package struct LibrarySnapshot: Codable, Hashable, Sendable {
    /// Of the last transaction that the answer knows.
    package var version: Int64
    /// Grows whenever what the client is permitted to see changes.
    package var epoch: Int64
    package init(version: Int64, epoch: Int64 = 0) {
        self.version = version
        self.epoch = epoch
    }
}
