internal import PhotoModel

extension LibraryTransaction {
    /// Makes exactly one frame stand for a burst and carry the automatic pick, as `BurstPolicy` says.
    ///
    /// For bursts that frames came to.
    func settleBurst(_ identifier: String) throws {
        // A burst may be huge, and each batch of it comes here: no records but those that change.
        let frames = try PartnerQueries(database: database).frames(burstIdentifier: identifier)
        let representative = BurstPolicy.representative(of: frames.map(\.frame))
        for (frame, represents) in frames {
            let shouldRepresent = frame.id == representative
            guard
                represents != shouldRepresent
                    || frame.picks.contains(.autoPick) != shouldRepresent,
                var frame = try asset(id: frame.id)
            else { continue }
            frame.representsBurst = shouldRepresent
            if frame.representsBurst {
                frame.burstSelectionTypes.insert(.autoPick)
            } else {
                frame.burstSelectionTypes.remove(.autoPick)
            }
            try updateAsset(frame, contentChanged: false)
        }
    }
}
