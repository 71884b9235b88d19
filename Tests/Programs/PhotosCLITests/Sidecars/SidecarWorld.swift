import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Photos with sidecars, and what the command shows of them.
struct SidecarWorld: Sendable {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// The metadata of a file from a camera, with what a program wrote into it later.
    static var camera: SampleMetadata {
        var metadata = SampleMetadata(
            date: SampleDate(text: "2023:07:15 12:30:45"),
            location: .init(latitude: 10, longitude: 20),
            make: "Maker",
            model: "Model",
            lens: "Lens"
        )
        (metadata.title, metadata.caption) = ("File's", "File's caption")
        (metadata.keywords, metadata.rating) = (["file"], 2)
        return metadata
    }

    /// Writes tags into a file with exiftool.
    func tag(_ name: String, _ tags: String...) throws {
        let file = world.source.appendingPathComponent(name).path
        let output = try ProcessRunner.run(
            "exiftool",
            ["-q", "-overwrite_original"] + tags + [file]
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// Returns a sidecar with some properties as attributes and others as elements.
    static func packet(_ attributes: String, _ elements: String = "") -> Data {
        let namespaces = [
            ("dc", "http://purl.org/dc/elements/1.1/"), ("xmp", "http://ns.adobe.com/xap/1.0/"),
            ("exif", "http://ns.adobe.com/exif/1.0/"), ("tiff", "http://ns.adobe.com/tiff/1.0/"),
            ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
            ("lr", "http://ns.adobe.com/lightroom/1.0/"),
            ("crs", "http://ns.adobe.com/camera-raw-settings/1.0/"),
            ("digiKam", "http://www.digikam.org/ns/1.0/"),
            ("MicrosoftPhoto", "http://ns.microsoft.com/photo/1.0/"),
            ("mediapro", "http://ns.iview-multimedia.com/mediapro/1.0/"),
            ("acdsee", "http://ns.acdsee.com/iptc/1.0/"),
            ("mwg-rs", "http://www.metadataworkinggroup.com/schemas/regions/"),
            ("stArea", "http://ns.adobe.com/xmp/sType/Area#"),
            ("darktable", "http://darktable.sf.net/"),
        ].map { " xmlns:\($0.0)=\"\($0.1)\"" }.joined()
        let text = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
            rdf:about=""\(namespaces) \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return Data(text.utf8)
    }

    static func list(_ key: String, _ items: String...) -> String {
        let items = items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        return "<\(key)><rdf:Bag>\(items)</rdf:Bag></\(key)>"
    }

    static func text(_ key: String, _ value: String) -> String {
        "<\(key)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(value)</rdf:li></rdf:Alt></\(key)>"
    }

    func write(_ packet: Data, _ name: String) throws {
        try world.folder.write(packet, to: "source/" + name)
    }

    @discardableResult
    func importAll() throws -> [JSONLine] {
        try world.objects("import", "--json", world.source.path)
    }

    /// Returns the facts of the photo with a file name.
    func asset(_ name: String = "IMG.JPG") throws -> JSONLine {
        let list = try world.objects("list", "--json")
        let line = try #require(list.first { $0["originalFilename"] == name })
        let id = try #require(line["localIdentifier"])
        return try #require(try world.objects("show", "--json", id).first)
    }

    func set(_ arguments: String...) throws {
        let id = try #require(try asset()["localIdentifier"])
        let output = try world.run(["set", id, "--json"] + arguments)
        try #require(output.status == 0, "\(output.errorText)")
    }
}

extension JSONLine {
    var words: Set<String> { Set(list("keywords") ?? []) }

    func part(_ key: String) -> [String: Any] { values[key] as? [String: Any] ?? [:] }

    /// The names of the asset's files.
    var files: [String] {
        (values["resources"] as? [[String: Any]] ?? []).compactMap {
            $0["originalFilename"] as? String
        }
    }
}
