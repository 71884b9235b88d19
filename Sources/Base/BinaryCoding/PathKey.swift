/// A part of the coding path in an error.
struct PathKey: CodingKey {
    /// The key of a superclass's part.
    static let `super` = PathKey(name: "super")

    let stringValue: String
    let intValue: Int?

    init(name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = "\(index)"
        intValue = index
    }

    init?(stringValue: String) { self.init(name: stringValue) }

    init?(intValue: Int) { self.init(index: intValue) }
}
