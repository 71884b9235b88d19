import Foundation
import PhotosGallery
import PhotosJSON

/// A link of the gallery as it is printed.
struct ServedLink {
    private let link: URL
    private let port: Int?
    private let addresses: [URL]?

    init(_ link: URL) {
        self.link = link
        port = link.port
        addresses = nil
    }

    /// The first link, with where other machines find the gallery.
    init(_ address: GalleryServer.Address) {
        link = address.link
        port = address.port
        addresses = address.networkLinks
    }

    /// Writes the link, or an object with it and its parts, at once.
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
