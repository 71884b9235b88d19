import Foundation
import PhotosGallery
import PhotosJSON

/// A link to the gallery, which can be printed as text or as JSON.
struct ServedLink {
    private let link: URL
    private let port: Int?
    private let addresses: [URL]?

    init(_ link: URL) {
        self.link = link
        port = link.port
        addresses = nil
    }

    /// Creates the link that is printed at startup, with the addresses for other machines.
    init(_ address: GalleryServer.Address) {
        link = address.link
        port = address.port
        addresses = address.networkLinks
    }

    /// Prints the link or, as JSON, the link and its parts, and flushes standard output.
    func write(isJSON: Bool) throws {
        var line = link.absoluteString
        if isJSON {
            var object = JSONObject()
            object.add("link", line)
            object.add("port", port)
            object.add("token", link.fragment.map { String($0.drop { $0 != "=" }.dropFirst()) })
            if let addresses { object.add("addresses", addresses.map(\.absoluteString)) }
            line = object.line
        }
        try StandardOutput.shared.write(line + "\n")
        try StandardOutput.shared.flush()
    }
}
