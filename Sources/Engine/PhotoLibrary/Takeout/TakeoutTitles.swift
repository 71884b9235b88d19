/// The photos and movies of exports that a JSON file describes, by the titles in these files.
///
/// An album may contain only the JSON file of a photo that is in another folder.
struct TakeoutTitles {
    /// The values by which the file of a description is found in another folder.
    struct Key: Hashable {
        var export: Int
        var title: String
        /// The number in the name of the JSON file, which distinguishes equal titles within one
        /// folder; nil for any number.
        var number: Int?
        /// The time of capture in seconds since 1970.
        var time: Int64?
    }

    private var files: [Key: Int] = [:]
    /// The first file of each title and time with any number, and whether it is the only one.
    private var unnumbered: [Key: (file: Int, isOnly: Bool)] = [:]

    /// Adds a described file; the first one of a key counts.
    mutating func add(_ file: Int, _ key: Key) {
        files[key] = files[key] ?? file
        guard let any = Self.unnumbered(key) else { return }
        if let first = unnumbered[any] {
            unnumbered[any] = (file: first.file, isOnly: false)
        } else {
            unnumbered[any] = (file: file, isOnly: true)
        }
    }

    /// Returns the file that a description of another folder belongs to; nil if there is none.
    ///
    /// A folder may number equal titles otherwise than the album does. So the number does not count
    /// if exactly one file has the title and time.
    func file(_ key: Key) -> Int? {
        if let file = files[key] { return file }
        guard let any = Self.unnumbered(key), let found = unnumbered[any], found.isOnly else {
            return nil
        }
        return found.file
    }

    /// Returns a key without its number; nil if it has no time, without which the title alone says
    /// too little.
    private static func unnumbered(_ key: Key) -> Key? {
        guard key.time != nil else { return nil }
        var key = key
        key.number = nil
        return key
    }
}
