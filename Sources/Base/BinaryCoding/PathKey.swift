/// A key in the coding path of an error.
struct PathKey: CodingKey {
    /// The key under which the properties of a superclass are encoded.
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
