/// A list that a change edits: the members of an album, the collections of a folder, or, in tests,
/// an array.
///
/// What indexes name was looked up before; here everything goes by identity.
protocol EditedList {
    func contains(_ id: Int64) throws -> Bool

    /// Takes objects out; those that are not in it are passed over.
    mutating func remove(_ ids: [Int64]) throws

    /// Puts objects at the end; those that are in it stay where they are.
    mutating func append(_ ids: [Int64]) throws

    /// Puts objects, in this order, right behind another that is in the list; nil: at the start.
    ///
    /// Those that are in it move; nothing is written when all stand there already.
    mutating func place(_ ids: [Int64], after neighbour: Int64?) throws
}
