internal import LibraryService
internal import PhotoModel

/// A key that predicates and sort descriptors may use, with its SQL.
struct FetchKey {
    /// The type of a key's values, which determines the valid comparisons.
    enum Kind {
        case boolean
        case integer
        case real
        case date
        case text
        /// A local identifier of the form `UUID/L0/001`, stored as the UUID.
        case identifier
        /// A list of texts, stored as a JSON array.
        case texts
        /// The names of the place at a latitude and longitude.
        case places
        /// A location, which can only be compared with nil.
        case location
    }

    let kind: Kind
    /// The SQL expression of the key's value, which refers to columns of the object's row.
    let sql: String
    let isNullable: Bool
    /// An indexed column that equals the key's value wherever the value is not nil; nil if `sql` is
    /// such a column or there is none.
    let indexedColumn: String?

    init(
        _ kind: Kind,
        _ sql: String,
        isNullable: Bool = false,
        indexedColumn: String? = nil
    ) {
        self.kind = kind
        self.sql = sql
        self.isNullable = isNullable
        self.indexedColumn = indexedColumn
    }

    /// Indicates whether the key has several values that can be compared individually.
    var isList: Bool { kind == .texts || kind == .places }

    /// Indicates whether the key can be used for sorting.
    var isSortable: Bool { ![.location, .texts, .places].contains(kind) }
}

/// All keys available in fetches of one kind of object.
struct KeyTable {
    /// The noun for the objects in messages.
    let noun: String
    /// The database table of the objects.
    let table: String
    /// The SQL expression for an object's full local identifier.
    let identifierSQL: String
    /// The kinds of objects whose identifiers can match.
    let kinds: Set<ObjectKind>
    /// The keys by name.
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

    /// The SQL expression for the row id.
    var idSQL: String { table + ".id" }

    /// Returns the fetch key with a given name; nil if the name is not supported.
    ///
    /// Names are case-sensitive.
    func named(_ name: String) -> FetchKey? { keys[name] }

    /// The names of all keys in alphabetical order, for messages.
    var names: [String] { keys.keys.sorted() }

    /// Converts sort descriptors to the sort terms of a fetch plan.
    ///
    /// - Throws: `unsupportedSortKey` for a key that is not in the table or cannot be sorted.
    func order(by sort: [AssetFetchRequest.SortKey]) throws(LibraryError) -> [SortTerm] {
        var terms: [SortTerm] = []
        for descriptor in sort {
            guard let key = named(descriptor.key), key.isSortable else {
                let sortable = names.filter { named($0)?.isSortable ?? false }
                throw LibraryError(
                    .unsupportedSortKey,
                    "The sort descriptor's key \"\(descriptor.key)\" is not a property by which \(noun)"
                        + " can be sorted.",
                    recovery: "Valid keys are: \(sortable.joined(separator: ", "))."
                )
            }
            terms.append(SortTerm(sql: key.sql, isAscending: descriptor.ascending))
        }
        return terms
    }
}
