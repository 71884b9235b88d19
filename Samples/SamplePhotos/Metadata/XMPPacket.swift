import Foundation

/// Writes title, caption, keywords, rating and panorama as XMP, for a JPEG or a sidecar.
struct XMPPacket {
    let metadata: SampleMetadata
    /// The panorama's size in pixels; used only with a projection.
    var width = 0
    var height = 0

    var text: String {
        var body = ""
        if let title = metadata.title { body += alternative("dc:title", title) }
        if let caption = metadata.caption { body += alternative("dc:description", caption) }
        if !metadata.keywords.isEmpty {
            let items = metadata.keywords.map { "<rdf:li>\(escape($0))</rdf:li>" }.joined()
            body += "   <dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>\n"
        }
        if let rating = metadata.rating { body += "   <xmp:Rating>\(rating)</xmp:Rating>\n" }
        if let projection = metadata.projection { body += panorama(projection) }
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
                xmlns:dc="http://purl.org/dc/elements/1.1/"
                xmlns:xmp="http://ns.adobe.com/xap/1.0/"
                xmlns:GPano="http://ns.google.com/photos/1.0/panorama/">
            \(body)  </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>
            """
    }

    private func alternative(_ name: String, _ value: String) -> String {
        let item = "<rdf:li xml:lang=\"x-default\">\(escape(value))</rdf:li>"
        return "   <\(name)><rdf:Alt>\(item)</rdf:Alt></\(name)>\n"
    }

    private func panorama(_ projection: String) -> String {
        let fields: [(String, String)] = [
            ("ProjectionType", projection),
            ("UsePanoramaViewer", "True"),
            ("FullPanoWidthPixels", "\(width)"),
            ("FullPanoHeightPixels", "\(height)"),
            ("CroppedAreaImageWidthPixels", "\(width)"),
            ("CroppedAreaImageHeightPixels", "\(height)"),
            ("CroppedAreaLeftPixels", "0"),
            ("CroppedAreaTopPixels", "0"),
        ]
        return fields.map { "   <GPano:\($0.0)>\($0.1)</GPano:\($0.0)>\n" }.joined()
    }

    private func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
