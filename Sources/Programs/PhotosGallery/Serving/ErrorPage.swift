internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// An error as a page, for people who followed a link or sent a form, instead of JSON.
struct ErrorPage {
    /// The page, with places for the words.
    private let template: String

    init(_ page: GalleryPage) {
        template =
            page.files["refused.html"].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    /// Whether a browser shows the answer as a page.
    ///
    /// Programs that say nothing of it, as scripts and the page's own requests, get JSON.
    static func isNavigation(_ request: Request) -> Bool {
        if let mode = HTTPField.Name("Sec-Fetch-Mode").flatMap({ request.headers[$0] }) {
            return mode == "navigate"
        }
        return request.headers[.accept]?.contains("text/html") ?? false
    }

    /// The page about an error, with its status.
    func response(_ requestError: RequestError) -> Response {
        var text = template
        for (name, value) in [
            ("message", requestError.message), ("reason", requestError.reason ?? ""),
            ("recovery", requestError.recovery ?? ""),
        ] {
            text = text.replacing("{{\(name)}}", with: Self.escaped(value))
        }
        return Response(
            status: requestError.status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Text that is no markup, and no place for other words.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "{": escaped += "&#123;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
