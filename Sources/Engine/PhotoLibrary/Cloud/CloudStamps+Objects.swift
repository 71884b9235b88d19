internal import CloudSync
internal import PhotoModel

extension CloudStamps {
    /// Creates the stamps of an object's registers, except for those of memberships and of the
    /// modification date.
    init(_ object: CloudObject) {
        created = object.created
        for (key, register) in object.registers where key.group != .member {
            entries[key] = Entry(rank: register.rank, stamp: register.stamp)
        }
        entries[RegisterKey(.modification)] = nil
    }

    /// Returns whether a person set the values of a register group before the asset was added, such
    /// as in another program.
    ///
    /// Their stamps precede that of the creation, so that they win over the values of the same file
    /// in another import (`TwinUnion`).
    static func isSetByPerson(_ group: RegisterGroup, in asset: AssetRecord) -> Bool {
        let fact: SettableFacts? =
            group == .keyword ? .keywords : CloudColumns.fact(of: group)
        return fact.map { asset.personFacts.contains($0) } ?? false
    }

    /// Returns the stamp that directly precedes another one.
    static func stamp(before stamp: ChangeStamp) -> ChangeStamp {
        ChangeStamp(
            time: HybridTime(rawValue: max(1, stamp.time.rawValue) - 1),
            device: stamp.device
        )
    }

    /// Returns the registers of a new asset that need stamps: always its facts, time and content,
    /// and any others with values that differ from the defaults.
    ///
    /// Values that its creation contains need none until they are changed.
    static func keys(of asset: AssetRecord) -> [RegisterKey] {
        var keys: [RegisterKey] = [.facts, .time, .content].map { RegisterKey($0) }
        func add(_ group: RegisterGroup, if differs: Bool) {
            if differs { keys.append(RegisterKey(group)) }
        }
        add(.place, if: asset.location != nil)
        add(.isFavorite, if: asset.isFavorite)
        add(.isHidden, if: asset.isHidden)
        add(.title, if: asset.title != nil)
        add(.caption, if: asset.caption != nil)
        add(.rating, if: asset.rating != 0)
        add(.originalChoice, if: asset.originalResourceChoice != 0)
        add(.trash, if: asset.trashedDate != nil)
        add(.burstPick, if: !asset.burstSelectionTypes.isEmpty)
        add(.burstRole, if: asset.representsBurst)
        return keys + asset.keywords.map { RegisterKey(.keyword, .word($0)) }
    }
}
