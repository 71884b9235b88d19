/// A group of database columns that is merged as a whole.
package struct RegisterGroup: Hashable, Comparable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let facts = RegisterGroup(rawValue: 1)
    package static let time = RegisterGroup(rawValue: 2)
    package static let place = RegisterGroup(rawValue: 3)
    package static let isFavorite = RegisterGroup(rawValue: 4)
    package static let isHidden = RegisterGroup(rawValue: 5)
    package static let title = RegisterGroup(rawValue: 6)
    package static let caption = RegisterGroup(rawValue: 7)
    package static let rating = RegisterGroup(rawValue: 8)
    package static let originalChoice = RegisterGroup(rawValue: 9)
    package static let livePlayback = RegisterGroup(rawValue: 10)
    package static let keyword = RegisterGroup(rawValue: 11)
    package static let trash = RegisterGroup(rawValue: 12)
    package static let content = RegisterGroup(rawValue: 13)
    package static let modification = RegisterGroup(rawValue: 14)
    package static let burstPick = RegisterGroup(rawValue: 15)
    package static let burstRole = RegisterGroup(rawValue: 16)
    package static let existence = RegisterGroup(rawValue: 17)
    package static let parent = RegisterGroup(rawValue: 18)
    package static let member = RegisterGroup(rawValue: 19)
    /// The files of an asset's original set; each file has its own register.
    package static let original = RegisterGroup(rawValue: 20)
    /// The name of an asset's main file.
    ///
    /// Like the two groups that follow, it exists only once the initial value, which is in the
    /// asset's creation, was changed.
    package static let filename = RegisterGroup(rawValue: 21)
    package static let contentIdentifier = RegisterGroup(rawValue: 22)
    package static let burstIdentifier = RegisterGroup(rawValue: 23)

    /// Indicates whether registers of the group are compared first by rank and then by stamp.
    ///
    /// The rank is the version of a reader, a source or a date. All groups after `original` are
    /// ranked, also those of later versions, so that all versions merge them alike.
    package var isRanked: Bool {
        switch self {
        case .facts, .time, .modification: true
        default: rawValue > RegisterGroup.original.rawValue
        }
    }

    package static func < (left: RegisterGroup, right: RegisterGroup) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The part of a group with its own register: an album member, a file, a keyword, or the whole
/// group.
package enum RegisterItem: Hashable, Sendable {
    case whole
    case object(CloudID)
    case word(String)
}

/// The name of a register within its object.
package struct RegisterKey: Hashable, Comparable, Sendable {
    package var group: RegisterGroup
    package var item: RegisterItem

    package init(_ group: RegisterGroup, _ item: RegisterItem = .whole) {
        self.group = group
        self.item = item
    }

    /// Returns whether the left key precedes the right key in the encoding: by group, then by
    /// encoded item.
    package static func < (left: RegisterKey, right: RegisterKey) -> Bool {
        guard left.group == right.group else { return left.group < right.group }
        switch (left.item, right.item) {
        case (.object(let first), .object(let second)): return first < second
        case (.word(let first), .word(let second)):
            // An encoded word begins with its length.
            let (first, second) = (first.utf8, second.utf8)
            guard first.count == second.count else { return first.count < second.count }
            return first.lexicographicallyPrecedes(second)
        case (.whole, .object), (.whole, .word), (.object, .word): return true
        default: return false
        }
    }
}

/// A resource in a `content` register or in an asset's original set.
package struct CloudResource: Hashable, Sendable {
    package var id: CloudID
    package var content: ContentID
    /// The encoded name, type and size of the file, which merging does not interpret.
    package var record: [UInt8]

    package init(id: CloudID, content: ContentID, record: [UInt8] = []) {
        self.id = id
        self.content = content
        self.record = record
    }
}

/// The value of a register.
package enum RegisterValue: Hashable, Sendable {
    case none
    case flag(Bool)
    case number(Int64)
    case pair(Int64, Int64)
    case text(String)
    case parent(CloudID?, order: [UInt8])
    /// The order key of a member of an album; nil for a removed member.
    case member(order: [UInt8]?)
    case resources([CloudResource])
    /// The encoded columns that merging does not interpret, including columns of later versions.
    case bytes([UInt8])
    /// The current version of an asset: its encoded columns and the files of its edit.
    case version([UInt8], [CloudResource])

    /// The files that the value refers to.
    package var resources: [CloudResource] {
        switch self {
        case .resources(let resources), .version(_, let resources): resources
        default: []
        }
    }
}

/// A last-writer-wins register: a value, with the rank and the stamp that decide which value wins.
package struct Register: Hashable, Sendable {
    /// The rank, which is compared before the stamp; 0 in groups that are not ranked.
    package var rank: UInt64
    package var stamp: ChangeStamp
    package var value: RegisterValue

    package init(rank: UInt64 = 0, stamp: ChangeStamp, value: RegisterValue) {
        self.rank = rank
        self.stamp = stamp
        self.value = value
    }

    /// Returns whether this register wins over another register.
    ///
    /// The order is total: stamps are equal only if a device was cloned, and then the encoded
    /// values decide.
    package func supersedes(_ other: Register) -> Bool {
        if rank != other.rank { return rank > other.rank }
        if stamp != other.stamp { return stamp > other.stamp }
        if value == other.value { return false }
        return other.value.encoded.lexicographicallyPrecedes(value.encoded)
    }

    /// The canonical encoding of the value.
    package var encodedValue: [UInt8] { value.encoded }
}

extension RegisterValue {
    var encoded: [UInt8] {
        var writer = SegmentWriter()
        writer.append(self)
        return writer.bytes
    }
}
