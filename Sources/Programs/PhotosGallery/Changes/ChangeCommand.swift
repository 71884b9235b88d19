internal import Foundation

/// A library change that the gallery's web page requests.
struct ChangeCommand: Decodable, Sendable {
    /// Assets that are selected by ranges of positions in a snapshot of a list.
    struct Selection: Sendable {
        let snapshot: String
        let ranges: [Range<Int>]
    }

    /// The new value of a property.
    enum Value: Decodable, Sendable {
        case flag(Bool)
        case number(Double)
        case text(String)
        case texts([String])
        case place(latitude: Double, longitude: Double, altitude: Double?)
        case none

        private struct Place: Decodable {
            var latitude: Double
            var longitude: Double
            var altitude: Double?
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let texts = try? container.decode([String].self) {
                self = .texts(texts)
            } else {
                let place = try container.decode(Place.self)
                self = .place(
                    latitude: place.latitude,
                    longitude: place.longitude,
                    altitude: place.altitude
                )
            }
        }
    }

    let action: String
    let ids: [String]?
    let snapshot: String?
    let ranges: [[Int]]?
    let value: Value?
    let album: String?
    let collection: String?
    let folder: String?
    let title: String?
    let to: Int?
    let confirm: Bool?
    let burst: String?
    let id: String?
    let remove: [String]?

    private enum CodingKeys: String, CodingKey {
        case action, ids, snapshot, ranges, value, album, collection, folder, title, to, confirm
        case burst, id, remove
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        action = try container.decode(String.self, forKey: .action)
        ids = try container.decodeIfPresent([String].self, forKey: .ids)
        snapshot = try container.decodeIfPresent(String.self, forKey: .snapshot)
        ranges = try container.decodeIfPresent([[Int]].self, forKey: .ranges)
        // A null value is kept: it removes the property.
        value =
            container.contains(.value) ? try container.decode(Value.self, forKey: .value) : nil
        album = try container.decodeIfPresent(String.self, forKey: .album)
        collection = try container.decodeIfPresent(String.self, forKey: .collection)
        folder = try container.decodeIfPresent(String.self, forKey: .folder)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        to = try container.decodeIfPresent(Int.self, forKey: .to)
        confirm = try container.decodeIfPresent(Bool.self, forKey: .confirm)
        burst = try container.decodeIfPresent(String.self, forKey: .burst)
        id = try container.decodeIfPresent(String.self, forKey: .id)
        remove = try container.decodeIfPresent([String].self, forKey: .remove)
    }

    /// Returns the assets that the command selects by ranges; nil if the command lists identifiers
    /// instead.
    func selection() throws -> Selection? {
        guard let snapshot, let ranges else { return nil }
        let whole = try ranges.map { pair -> Range<Int> in
            guard pair.count == 2, pair[0] >= 0, pair[0] <= pair[1] else {
                throw RequestError.badRequest("ranges must be pairs of positions, [from, to).")
            }
            return pair[0]..<pair[1]
        }
        return Selection(snapshot: snapshot, ranges: whole)
    }

    /// Returns a required text; throws an error if it is missing or empty.
    func need(_ text: String?, _ name: String) throws -> String {
        guard let text, !text.isEmpty else {
            throw RequestError.badRequest("The action \(action) requires \(name).")
        }
        return text
    }
}
