/// A folder or an archive of a Google Takeout export.
package struct TakeoutSource: Codable, Hashable, Sendable {
    /// The absolute path as bytes, for messages and names.
    package var path: [UInt8]
    /// Indicates whether the source is an archive; otherwise it is a folder.
    package var isArchive: Bool

    package init(path: [UInt8], isArchive: Bool) {
        self.path = path
        self.isArchive = isArchive
    }
}

/// A request to read the file names and the JSON descriptions of a Google Takeout export.
///
/// The descriptors are those of the sources, in their order. The sources are only read.
package struct TakeoutOpenRequest: Codable, Hashable, Sendable {
    /// The import session, which stages the files.
    package var session: Int64
    package var sources: [TakeoutSource]

    package init(session: Int64, sources: [TakeoutSource]) {
        self.session = session
        self.sources = sources
    }
}

/// The numbers of files and their total size in an opened export.
package struct TakeoutOpenReply: Codable, Hashable, Sendable {
    /// The number of files, including the JSON files.
    package var items: Int
    /// The size of all files in bytes.
    package var bytes: Int64
    /// For each source, the number of JSON files that describe a photo or movie.
    package var descriptions: [Int]

    package init(items: Int, bytes: Int64, descriptions: [Int]) {
        self.items = items
        self.bytes = bytes
        self.descriptions = descriptions
    }
}

/// A request to import the next group of files of an opened export.
package struct TakeoutStepRequest: Codable, Hashable, Sendable {
    package var session: Int64
    package init(session: Int64) { self.session = session }
}

/// A line in the report of a Takeout import: the outcome of one file.
package struct TakeoutLine: Codable, Hashable, Sendable {
    /// The index of the source that contains the file.
    package var source: Int
    package var line: MigrationLine
    /// The size of the file in bytes; 0 if the file is missing or its size is unknown.
    package var size: Int64

    package init(source: Int, line: MigrationLine, size: Int64) {
        self.source = source
        self.line = line
        self.size = size
    }
}

/// The outcomes of a group of files; the changes that the group made to the library are already
/// durable.
package struct TakeoutStepReply: Codable, Hashable, Sendable {
    package var lines: [TakeoutLine]
    package var totals: MigrationTotals
    /// Indicates whether no further files follow.
    package var isOver: Bool

    package init(lines: [TakeoutLine], totals: MigrationTotals, isOver: Bool) {
        self.lines = lines
        self.totals = totals
        self.isOver = isOver
    }
}
