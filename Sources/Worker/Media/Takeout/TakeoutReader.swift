internal import PhotoModel
package import WorkerProtocol

/// Reads a JSON file of Google Takeout.
///
/// The content alone decides what a file describes; values of a wrong type count as missing.
package enum TakeoutReader {
    /// The maximum number of values that are kept of an asset's origin.
    private static let maximumOrigin = 40

    package static func read(_ bytes: ByteView) -> TakeoutReading {
        guard bytes.count <= JSONParser.maximumLength else {
            return .failed(reason: "It is longer than 1 MB, so it is not a description by Google.")
        }
        guard let value = JSONParser.parse(bytes) else {
            return .failed(reason: "It is not valid JSON.")
        }
        return .facts(facts(value))
    }

    private static func facts(_ value: JSONValue) -> TakeoutFacts {
        guard case .object = value else { return TakeoutFacts(kind: .other) }
        if value["photoTakenTime"] != nil { return asset(value) }
        var album = TakeoutFacts(kind: .album)
        // Older exports enclose the album's values.
        let members = value["albumData"] ?? value
        guard members["title"]?.text != nil else { return TakeoutFacts(kind: .other) }
        album.title = text(members["title"])
        album.caption = text(members["description"], keepsLines: true)
        return album
    }

    private static func asset(_ value: JSONValue) -> TakeoutFacts {
        var facts = TakeoutFacts(kind: .asset)
        facts.title = text(value["title"])
        facts.caption = text(value["description"], keepsLines: true)
        facts.takenSeconds = value["photoTakenTime"]?["timestamp"]?.integer
        facts.location = location(value["geoData"])
        facts.fileLocation = location(value["geoDataExif"])
        facts.isFavorite = value["favorited"]?.isTrue ?? false
        facts.isArchived = value["archived"]?.isTrue ?? false
        facts.isTrashed = value["trashed"]?.isTrue ?? false
        if case .array(let people)? = value["people"] {
            facts.people = people.prefix(TakeoutFacts.maximumPeople).compactMap { text($0["name"]) }
        }
        if let origin = value["googlePhotosOrigin"] {
            facts.isFromPartner = origin["fromPartnerSharing"] != nil
            collect(origin, path: "", into: &facts.origin)
        }
        return facts
    }

    private static func text(_ value: JSONValue?, keepsLines: Bool = false) -> String? {
        value?.text.flatMap { Text.clean($0, keepsLines: keepsLines) }
    }

    /// Returns a location; nil for an impossible one and for zeros, which Google writes for none.
    private static func location(_ value: JSONValue?) -> Location? {
        guard let latitude = value?["latitude"]?.number, (-90...90).contains(latitude),
            let longitude = value?["longitude"]?.number, (-180...180).contains(longitude)
        else { return nil }
        let altitude = value?["altitude"]?.number.flatMap { $0 == 0 ? nil : $0 }
        let location = Location(latitude: latitude, longitude: longitude, altitude: altitude)
        return location.isNullIsland ? nil : location
    }

    /// Collects the values of an object, by the names that lead to them.
    private static func collect(_ value: JSONValue, path: String, into lines: inout [String]) {
        guard lines.count < maximumOrigin else { return }
        func add(_ text: String) {
            if let line = Text.clean(path.isEmpty ? text : "\(path)=\(text)") { lines.append(line) }
        }
        switch value {
        case .null: break
        case .bool(let flag): add(flag ? "true" : "false")
        case .number(let text), .string(let text): add(text)
        case .array(let elements):
            for (index, element) in elements.prefix(maximumOrigin).enumerated() {
                collect(element, path: "\(path)[\(index)]", into: &lines)
            }
        case .object(let members):
            if members.isEmpty, !path.isEmpty { add("{}") }
            for (name, member) in members.sorted(by: { $0.key < $1.key }).prefix(maximumOrigin) {
                collect(member, path: path.isEmpty ? name : "\(path).\(name)", into: &lines)
            }
        }
    }
}
