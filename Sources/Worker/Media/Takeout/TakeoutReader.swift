internal import PhotoModel
package import WorkerProtocol

/// Reads the facts of an asset or album from a JSON file of Google Takeout.
///
/// Whether a file describes an asset or an album is determined from its content, not from its name.
/// Values of a wrong type count as missing.
package enum TakeoutReader {
    /// The maximum number of values to keep from the object that states an asset's origin.
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
        album.setTexts(of: members)
        return album
    }

    private static func asset(_ value: JSONValue) -> TakeoutFacts {
        var facts = TakeoutFacts(kind: .asset)
        facts.setTexts(of: value)
        facts.takenSeconds = value["photoTakenTime"]?["timestamp"]?.integer
        facts.location = location(value["geoData"])
        facts.fileLocation = location(value["geoDataExif"])
        facts.isFavorite = value["favorited"]?.isTrue ?? false
        facts.isArchived = value["archived"]?.isTrue ?? false
        facts.isTrashed = value["trashed"]?.isTrue ?? false
        if case .array(let people)? = value["people"] {
            let names = people.compactMap { $0["name"]?.text }
            facts.people = names.prefix(TakeoutFacts.maximumPeople).compactMap { Text.clean($0) }
            if names.count > TakeoutFacts.maximumPeople || names.contains(where: isCut) {
                facts.cutValues.append("people")
            }
        }
        if let origin = value["googlePhotosOrigin"] {
            facts.isFromPartner = origin["fromPartnerSharing"] != nil
            if !collect(origin, path: "", into: &facts.origin) { facts.cutValues.append("origin") }
        }
        return facts
    }

    fileprivate static func isCut(_ text: String) -> Bool { text.utf8.count > Text.limitInBytes }

    /// Returns a location; nil if the coordinates are out of range or both are zero.
    ///
    /// Google writes zeros if there is no location.
    private static func location(_ value: JSONValue?) -> Location? {
        guard let latitude = value?["latitude"]?.number, (-90...90).contains(latitude),
            let longitude = value?["longitude"]?.number, (-180...180).contains(longitude)
        else { return nil }
        let altitude = value?["altitude"]?.number.flatMap { $0 == 0 ? nil : $0 }
        let location = Location(latitude: latitude, longitude: longitude, altitude: altitude)
        return location.isNullIsland ? nil : location
    }

    /// Collects the values in a JSON value as lines of the form `path=value`.
    ///
    /// - Returns: Whether all values are there, without cuts.
    private static func collect(
        _ value: JSONValue,
        path: String,
        into lines: inout [String]
    ) -> Bool {
        func add(_ text: String) -> Bool {
            guard lines.count < maximumOrigin else { return false }
            let whole = path.isEmpty ? text : "\(path)=\(text)"
            if let line = Text.clean(whole) { lines.append(line) }
            return !isCut(whole)
        }
        let children: [(path: String, value: JSONValue)]
        switch value {
        case .null: return true
        case .bool(let flag): return add(flag ? "true" : "false")
        case .number(let text), .string(let text): return add(text)
        case .array(let elements):
            children = elements.enumerated().map { ("\(path)[\($0)]", $1) }
        case .object(let members):
            if members.isEmpty, !path.isEmpty { return add("{}") }
            children = members.sorted { $0.key < $1.key }
                .map { (path.isEmpty ? $0.key : "\(path).\($0.key)", $0.value) }
        }
        var isWhole = true
        for child in children {
            isWhole = collect(child.value, path: child.path, into: &lines) && isWhole
            if lines.count == maximumOrigin, !isWhole { break }
        }
        return isWhole
    }
}

extension TakeoutFacts {
    /// Sets the title and the caption of an asset or album.
    fileprivate mutating func setTexts(of value: JSONValue) {
        let (title, caption) = (value["title"]?.text, value["description"]?.text)
        self.title = title.flatMap { Text.clean($0) }
        self.caption = caption.flatMap {
            Text.clean($0, keepsLines: true, limit: Self.maximumCaption)
        }
        if title.map(TakeoutReader.isCut) ?? false { cutValues.append("title") }
        if (caption?.utf8.count ?? 0) > Self.maximumCaption { cutValues.append("description") }
    }
}
