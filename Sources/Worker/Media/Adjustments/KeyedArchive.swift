/// An archive of Apple's `NSKeyedArchiver`: a binary property list whose objects refer to one
/// another by number.
///
/// Each call follows one reference only, so circular references do not cause an endless loop.
package struct KeyedArchive {
    private let list: BinaryPropertyList
    /// The property list's object numbers, indexed by the archive's own object numbers.
    private let objects: [Int]
    /// The root object's number in the archive.
    package let root: Int

    private static let maximumObjects = 10_000

    /// Reads an archive; returns nil for damaged data and for data of another kind.
    package init?(_ bytes: ByteView) {
        guard bytes.starts(with: "bplist"), let list = BinaryPropertyList(bytes) else { return nil }
        self.list = list
        let top = Self.members(of: list.top, in: list)
        guard let array = top["$objects"], let (kind, size, start) = list.header(of: array),
            kind == 0xA, size <= Self.maximumObjects,
            let first = top["$top"], let root = Self.members(of: first, in: list)["root"],
            let number = Self.number(of: root, in: list)
        else { return nil }
        var objects: [Int] = []
        objects.reserveCapacity(size)
        for index in 0..<size {
            guard let object = list.reference(at: start, index) else { return nil }
            objects.append(object)
        }
        self.objects = objects
        self.root = number
    }

    /// Returns the archive's number for the object that a member of `object` references; nil if the
    /// member is missing or not a reference.
    package func object(_ member: String, of object: Int) -> Int? {
        guard let value = members(of: object)[member] else { return nil }
        return Self.number(of: value, in: list)
    }

    /// Returns the archive's numbers for the objects in an archived array.
    package func elements(of object: Int) -> [Int] {
        guard let value = members(of: object)["NS.objects"],
            let (kind, size, start) = list.header(of: value), kind == 0xA,
            size <= Self.maximumObjects
        else { return [] }
        return (0..<size).compactMap { index in
            list.reference(at: start, index).flatMap { Self.number(of: $0, in: list) }
        }
    }

    /// Returns the string to which a member of an object refers; nil if it is null or not a string.
    package func text(_ member: String, of object: Int) -> String? {
        guard let text = self.object(member, of: object), objects.indices.contains(text),
            case .text(let value)? = list.read(objects[text]), value != "$null"
        else { return nil }
        return value
    }

    private func members(of object: Int) -> [String: Int] {
        objects.indices.contains(object) ? Self.members(of: objects[object], in: list) : [:]
    }

    private static func members(of object: Int, in list: BinaryPropertyList) -> [String: Int] {
        guard let (kind, size, start) = list.header(of: object), kind == 0xD, size <= 1_000 else {
            return [:]
        }
        var members: [String: Int] = [:]
        for index in 0..<size {
            guard let key = list.reference(at: start, index),
                let value = list.reference(at: start, size + index),
                case .text(let name)? = list.read(key)
            else { continue }
            members[name] = value
        }
        return members
    }

    /// Returns the number, in the archive, of the object to which a UID refers; nil if `object` is
    /// not a UID.
    ///
    /// `object` is an object number in the property list.
    private static func number(of object: Int, in list: BinaryPropertyList) -> Int? {
        guard let (kind, size, start) = list.header(of: object), kind == 0x8 else { return nil }
        return list.bytes.number(at: start, length: size + 1).flatMap(Int.init(exactly:))
    }
}

/// The place names in an archived result of a reverse geocoding.
package struct PlaceNameArchive {
    /// The names, from the most precise place to the country.
    package let names: [String]

    private static let maximumNames = 32

    /// Reads an archive; returns nil for damaged data and for data of another kind.
    package init?(_ bytes: [UInt8]) {
        let found: [String]? = bytes.withUnsafeBytes { raw in
            guard let archive = KeyedArchive(ByteView(raw)) else { return nil }
            var names: [String] = []
            if let item = archive.object("mapItem", of: archive.root),
                let places = archive.object("sortedPlaceInfos", of: item)
            {
                for place in archive.elements(of: places) {
                    guard let name = archive.text("name", of: place), !names.contains(name) else {
                        continue
                    }
                    names.append(name)
                }
            }
            return Array(names.prefix(Self.maximumNames))
        }
        guard let found else { return nil }
        names = found
    }
}

/// A reader for the model version in the metadata of a Core Data store.
package enum ModelVersionList {
    /// Returns the value of `PLModelVersion` in a binary property list.
    package static func version(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { raw in
            guard let list = BinaryPropertyList(ByteView(raw)),
                let object = list.member("PLModelVersion"),
                let (kind, size, start) = list.header(of: object), kind == 0x1, size <= 3
            else { return nil }
            return list.bytes.number(at: start, length: 1 << size).flatMap(Int.init(exactly:))
        }
    }
}
