internal import LibraryService
internal import PhotoModel

/// A key that predicates and sort descriptors may name, with its SQL.
struct FetchKey {
    /// What a key's values can be compared with.
    enum Kind {
        case boolean
        case integer
        case real
        case date
        case text
        /// `UUID/L0/001`, stored as the UUID.
        case identifier
        /// A list of texts, stored as a JSON array.
        case texts
        /// The names of a place, by its latitude and longitude.
        case places
        /// A place: only nil or not nil can be asked.
        case location
    }

    let kind: Kind
    /// A column, or an expression over columns of the object's row.
    let sql: String
    let isNullable: Bool

    init(_ kind: Kind, _ sql: String, isNullable: Bool = false) {
        self.kind = kind
        self.sql = sql
        self.isNullable = isNullable
    }

    /// Whether it has several values, each of which can be asked for.
    var isList: Bool { kind == .texts || kind == .places }

    /// Whether it has an order.
    var isSortable: Bool { ![.location, .texts, .places].contains(kind) }
}

/// All that fetches of one kind of object may name: a key is answered here or nowhere.
struct KeyTable {
    /// What messages call the objects.
    let noun: String
    /// Their table in the database.
    let table: String
    /// An object's whole local identifier.
    let identifierSQL: String
    /// Which identifiers can be theirs.
    let kinds: Set<ObjectKind>
    /// By name.
    let keys: [String: FetchKey]

    init(
        noun: String,
        table: String,
        identifierSQL: String,
        kinds: Set<ObjectKind>,
        keys: [String: FetchKey]
    ) {
        self.noun = noun
        self.table = table
        self.identifierSQL = identifierSQL
        self.kinds = kinds
        self.keys = keys
    }

    /// The row id.
    var idSQL: String { table + ".id" }

    /// The key's entry, or nil when it can't be answered.
    ///
    /// Case counts.
    func named(_ name: String) -> FetchKey? { keys[name] }

    /// All keys in alphabetic order, for messages.
    var names: [String] { keys.keys.sorted() }

    /// The terms of an order by sort descriptors.
    ///
    /// - Throws: `unsupportedSortKey` for a key that is not in the table or has no order.
    func order(by sort: [AssetFetchRequest.SortKey]) throws(LibraryError) -> [SortTerm] {
        var terms: [SortTerm] = []
        for descriptor in sort {
            guard let key = named(descriptor.key), key.isSortable else {
                let sortable = names.filter { named($0)?.isSortable ?? false }
                throw LibraryError(
                    .unsupportedSortKey,
                    "The sort descriptor's key \"\(descriptor.key)\" is not a property that \(noun)"
                        + " can be sorted by.",
                    recovery: "Keys are: \(sortable.joined(separator: ", "))."
                )
            }
            terms.append(SortTerm(sql: key.sql, isAscending: descriptor.ascending))
        }
        return terms
    }
}
