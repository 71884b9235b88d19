/// A list that a change edits: the members of an album, the children of a folder, or an array in
/// tests.
///
/// Indexes have been resolved before; this protocol identifies objects by row id.
protocol EditedList {
    func contains(_ id: Int64) throws -> Bool

    /// Removes objects; objects not in the list are ignored.
    mutating func remove(_ ids: [Int64]) throws

    /// Appends objects; objects already in the list keep their positions.
    mutating func append(_ ids: [Int64]) throws

    /// Places objects in this order directly after another member of the list, or at the start for
    /// nil.
    ///
    /// Objects already in the list move. Nothing is written if all are already in place.
    mutating func place(_ ids: [Int64], after neighbour: Int64?) throws
}
