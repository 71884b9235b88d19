internal import PhotoModel

/// Updates the members of imported albums to match the albums' source.
extension LibraryTransaction {
    /// Adds the members that an album gained at its source.
    ///
    /// A new member is placed after the member that precedes it at the source, so that an album
    /// imported in parts has the same order as one imported at once. Members that were taken before
    /// and are not in the album were removed here and stay out. Other members keep their positions.
    ///
    /// - Parameters:
    ///   - source: The members at the source that the library has, in order.
    ///   - known: The items of members that were taken before.
    ///   - album: The album's row id.
    /// - Returns: The items that were not known.
    /// - Throws: The errors of `placeMembers`.
    func follow(
        _ source: [(item: String, id: Int64)],
        known: Set<String>,
        in album: Int64
    ) throws -> [String] {
        let fresh = source.map(\.item).filter { !known.contains($0) }
        guard !fresh.isEmpty else { return [] }
        let present = Set(try memberIDs(of: album))
        var anchor: Int64?
        // Neighbors are placed at once, so that they share the room between two members.
        var group: [Int64] = []
        func place() throws {
            guard let last = group.last else { return }
            try placeMembers(group, in: album, after: anchor)
            anchor = last
            group = []
        }
        for member in source {
            if present.contains(member.id) {
                try place()
                anchor = member.id
            } else if !known.contains(member.item) {
                group.append(member.id)
            }
        }
        try place()
        return fresh
    }
}
