internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// An XMP document for an asset's metadata that the library's schema cannot hold.
///
/// It contains people and their regions, place names, the name of the time zone, comments, a flag,
/// and the camera's adjustments beside those of an edit. It is kept as a resource of the asset,
/// marked as this library's own.
enum MigrationSidecar {
    static let name = "swift-photos-migration.xmp"
    static let contentType = "com.adobe.xmp"
    static let namespace = "https://swift-photos.org/ns/migration/1.0/"

    /// Returns the digest of the XMP document for an asset's metadata, made without the camera's
    /// adjustments; empty if there would be no document.
    static func digest(of asset: ForeignAsset) -> String {
        digest(ofDocument: make(for: asset, cameraAdjustments: nil)?.data)
    }

    /// Returns the digest of a document; empty if there is no document.
    static func digest(ofDocument data: Data?) -> String {
        data.flatMap { SHA256Digest(of: $0) }.map { String($0.hexadecimal.prefix(16)) } ?? ""
    }

    /// Returns the document and the names of the metadata in it; nil if there is no metadata to
    /// keep.
    static func make(for asset: ForeignAsset, cameraAdjustments: [UInt8]?) -> (
        data: Data, content: [String]
    )? {
        var content: [String] = []
        var body = ""
        func bag(_ name: String, _ tag: String, _ values: [String]) {
            guard !values.isEmpty else { return }
            content.append(name)
            body += "   <\(tag)>\n    <rdf:Seq>\n"
            for value in values { body += "     <rdf:li>\(XMLText.escaped(value))</rdf:li>\n" }
            body += "    </rdf:Seq>\n   </\(tag)>\n"
        }
        func single(_ name: String, _ tag: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            content.append(name)
            body += "   <\(tag)>\(XMLText.escaped(value))</\(tag)>\n"
        }
        if !asset.people.isEmpty {
            content.append("people")
            body += people(asset.people)
        }
        bag("place names", "migration:PlaceNames", asset.placeNames)
        bag("comments", "migration:Comments", asset.comments)
        if asset.facts.isFlagged == true { single("flag", "migration:Flagged", "True") }
        single(
            "camera adjustments",
            "migration:CameraAdjustments",
            cameraAdjustments.map { Data($0).base64EncodedString() }
        )
        // The zone's name alone is no reason for a document: the offset is kept with the date.
        guard !content.isEmpty else { return nil }
        single("time zone name", "migration:TimeZoneName", asset.timeZoneName)
        let document = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
                xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
                xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
                xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
                xmlns:migration="\(namespace)">
            \(body)  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return (Data(document.utf8), content)
    }

    private static func people(_ people: [ForeignPerson]) -> String {
        var names: [String] = []
        for person in people where !names.contains(person.name) { names.append(person.name) }
        var text = "   <Iptc4xmpExt:PersonInImage>\n    <rdf:Bag>\n"
        for name in names { text += "     <rdf:li>\(XMLText.escaped(name))</rdf:li>\n" }
        text += "    </rdf:Bag>\n   </Iptc4xmpExt:PersonInImage>\n"
        let regions = people.filter { $0.region?.count == 3 }
        guard !regions.isEmpty else { return text }
        text += "   <mwg-rs:Regions rdf:parseType=\"Resource\">\n"
        text += "    <mwg-rs:RegionList>\n     <rdf:Bag>\n"
        for person in regions {
            guard let region = person.region else { continue }
            text += """
                      <rdf:li rdf:parseType="Resource">
                       <mwg-rs:Name>\(XMLText.escaped(person.name))</mwg-rs:Name>
                       <mwg-rs:Type>Face</mwg-rs:Type>
                       <mwg-rs:Area stArea:x="\(region[0])" stArea:y="\(region[1])"
                         stArea:w="\(region[2])" stArea:h="\(region[2])" stArea:unit="normalized"/>
                      </rdf:li>

                """
        }
        text += "     </rdf:Bag>\n    </mwg-rs:RegionList>\n   </mwg-rs:Regions>\n"
        return text
    }
}
