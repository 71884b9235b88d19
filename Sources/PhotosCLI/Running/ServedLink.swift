import Foundation
import PhotosJSON

/// A link of the gallery as it is printed.
struct ServedLink {
    private let link: URL

    init(_ link: URL) {
        self.link = link
    }

    /// Writes the link, or an object with it and its parts, at once.
    func write(isJSON: Bool) throws {
        var line = link.absoluteString
        if isJSON {
            var object = JSONObject()
            object.add("link", line)
            object.add("port", link.port)
            object.add("token", link.fragment.map { String($0.drop { $0 != "=" }.dropFirst()) })
            line = object.line
        }
        try StandardOutput.shared.write(line + "\n")
        try StandardOutput.shared.flush()
    }
}
