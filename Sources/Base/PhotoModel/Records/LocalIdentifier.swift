import FoundationEssentials

/// The kinds of object that the journal, identifiers and fetches speak of.
package enum ObjectKind: Int, Codable, Hashable, Sendable, CaseIterable {
    case asset = 1
    case album = 2
    case folder = 3
    case resource = 4
    /// Assets of one place and time.
    case moment = 5
    /// Moments that belong together, or those of a year.
    case momentList = 6

    /// What follows the UUID in a local identifier, as PhotoKit prints it.
    package var identifierSuffix: String {
        switch self {
        case .asset: "/L0/001"
        case .album: "/L0/040"
        case .folder: "/L0/020"
        case .resource: ""
        case .moment: "/L0/060"
        case .momentList: "/L0/080"
        }
    }
}

/// An object's name at the edge: an upper-case UUID, a kind, and how PhotoKit prints the two.
package struct LocalIdentifier: Codable, Hashable, Sendable, CustomStringConvertible {
    package var uuid: String
    package var kind: ObjectKind

    package init(uuid: String, kind: ObjectKind) {
        self.uuid = uuid
        self.kind = kind
    }

    /// A new, random identifier.
    package init(new kind: ObjectKind) {
        self.init(uuid: UUID().uuidString, kind: kind)
    }

    /// Reads `UUID/L0/001` and its like.
    ///
    /// A bare UUID is taken as an asset's, since programs store those (behaviour 22). Nil for
    /// anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let uuid = UUID(uuidString: String(first)) else {
            return nil
        }
        if parts.count == 1 {
            self.init(uuid: uuid.uuidString, kind: .asset)
            return
        }
        let suffix = "/" + parts[1]
        for kind in ObjectKind.allCases where kind.identifierSuffix == suffix {
            self.init(uuid: uuid.uuidString, kind: kind)
            return
        }
        return nil
    }

    package var description: String { uuid + kind.identifierSuffix }
}
