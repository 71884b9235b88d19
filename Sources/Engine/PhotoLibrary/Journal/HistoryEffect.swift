internal import LibraryService
internal import PhotoModel

/// What one version did to one object, all in all: the sum of its entries.
struct HistoryEffect {
    /// An object; a resource counts as its asset.
    struct Key: Hashable {
        var kind: ObjectKind
        var id: Int64
    }

    /// Nil when only resources of it had entries.
    private(set) var uuid: String?
    /// Whether it was there, and not in Recently Deleted, before and after; nil: nothing tells, so that
    /// it was as it is.
    private var wasThere: Bool?
    private var isThere: Bool?
    private var contentChanged = false
    private var old: JournalEntry.Values = [:]
    private var new: JournalEntry.Values = [:]
    private var properties: Set<String> = []

    /// Adds the next entry of the object or of its resources.
    mutating func add(_ entry: JournalEntry) {
        if entry.kind == .resource {
            properties.insert("files")
            if Self.changesContent(entry) { contentChanged = true }
            return
        }
        uuid = entry.uuid
        if let before = Self.presence(entry.old, isWhole: entry.change == .delete) {
            learn(before)
        }
        switch entry.change {
        case .insert:
            learn(false)
            isThere = Self.presence(entry.new, isWhole: true)
        case .delete: isThere = false
        case .update:
            if let after = Self.presence(entry.new, isWhole: false) { isThere = after }
            old.merge(entry.old) { first, _ in first }
            new.merge(entry.new) { $1 }
        }
        if entry.contentChanged { contentChanged = true }
        if let members = entry.members,
            members.inserted.count + members.removed.count > 0
                || !members.moved.isEmpty
        {
            properties.insert("members")
        }
    }

    /// What clients are told; nil when there is nothing that they see.
    func change(of kind: ObjectKind, uuid: String) -> HistoryChange? {
        func change(_ what: HistoryChange.Kind, content: Bool, _ names: [String]) -> HistoryChange {
            HistoryChange(
                object: kind,
                uuid: uuid,
                kind: what,
                contentChanged: content,
                properties: names
            )
        }
        switch (wasThere ?? true, isThere ?? wasThere ?? true) {
        case (false, false): return nil
        case (false, true): return change(.inserted, content: true, [])
        case (true, false): return change(.deleted, content: true, [])
        case (true, true):
            let differing = new.filter { !$1.matches(old[$0] ?? .null) }.keys
            let names = properties.union(differing.compactMap(Self.property))
            guard !names.isEmpty || contentChanged else { return nil }
            return change(.updated, content: contentChanged, names.sorted())
        }
    }

    /// Takes note of whether the object was there before an entry.
    private mutating func learn(_ before: Bool) {
        guard isThere == nil else { return }
        wasThere = wasThere ?? before
        isThere = before
    }

    /// Whether an object with some values shows; nil when they do not tell.
    private static func presence(_ values: JournalEntry.Values, isWhole: Bool) -> Bool? {
        guard let date = values["trashedDate"] else { return isWhole ? true : nil }
        return date == .null
    }

    /// Whether a resource's entry changes what is seen or heard: adjustment data and sidecars do not.
    private static func changesContent(_ entry: JournalEntry) -> Bool {
        let values = entry.new.isEmpty ? entry.old : entry.new
        guard case .integer(let raw)? = values["type"],
            let type = ResourceType(rawValue: Int(raw))
        else { return values["sha256"] != nil }
        return type != .adjustmentData && type != .sidecar
    }

    /// The name of the property that a column stands for; nil for columns that are nobody's business.
    private static func property(_ column: String) -> String? {
        switch column {
        case "isVisible", "isBurstHidden", "contentVersion", "trashedDate", "readerVersion",
            "personFacts":
            nil
        case "latitude", "longitude", "altitude": "location"
        case "captureWallTime", "captureOffset", "captureWallTimeSource", "captureInstantSource":
            "captureTime"
        case "parentId": "parent"
        default: column
        }
    }
}
