public import Foundation

/// What UIKit and AppKit add, for the places of cells: the first number is a section, the second a row
/// or an item of it.
extension IndexPath {
    /// The place of a row in a section.
    public init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    /// The place of an item in a section.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The section: the first number.
    ///
    /// The path has to have two, as those made by ``init(row:section:)`` have.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The row: the second number of two.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The item: the second number of two.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
