public import Foundation

/// The UIKit and AppKit additions for index paths that consist of a section and a row or item.
extension IndexPath {
    /// Creates an index path for a row in a section.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// Creates an index path for an item in a section.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The section: the first index.
    ///
    /// The path must have two indexes, as those of ``init(row:section:)`` do.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The row: the second of two indexes.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The item: the second of two indexes.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
