internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// Creates XMP sidecars for Google metadata that has no database columns.
///
/// An asset keeps its document as a resource. The name differs from those of sidecars that other
/// programs write, of which only the newest of a name counts.
enum TakeoutSidecar {
    static let name = "swift-photos-takeout.xmp"
    static let contentType = "com.adobe.xmp"

    /// Returns the XMP document; nil if there is nothing to write.
    static func data(_ facts: TakeoutFacts) -> Data? {
        guard !facts.people.isEmpty || !facts.origin.isEmpty else { return nil }
        func bag(_ name: String, _ values: [String]) -> String {
            guard !values.isEmpty else { return "" }
            let items = values.map { "     <rdf:li>\(XMLText.escaped($0))</rdf:li>\n" }.joined()
            return "   <\(name)>\n    <rdf:Bag>\n\(items)    </rdf:Bag>\n   </\(name)>\n"
        }
        let text = """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="swift-photos">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
               xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
               xmlns:photos="https://swift-photos.org/ns/1.0/">
            \(bag("Iptc4xmpExt:PersonInImage", facts.people))\
            \(bag("photos:GooglePhotosOrigin", facts.origin))\
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return Data(text.utf8)
    }
}
