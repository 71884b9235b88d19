internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Renders errors as an HTML page instead of JSON, if the browser will display the response.
struct ErrorPage {
    /// The HTML of the page, with placeholders for the texts.
    private let template: String

    init(_ page: GalleryPage) {
        template = page.files["refused.html"]?.text ?? ""
    }

    /// Indicates whether the browser will display the response to a request as a page.
    ///
    /// Clients that do not indicate this, such as scripts and the page's own requests, receive
    /// JSON.
    static func isNavigation(_ request: Request) -> Bool {
        if let mode = HTTPField.Name("Sec-Fetch-Mode").flatMap({ request.headers[$0] }) {
            return mode == "navigate"
        }
        return request.headers[.accept]?.contains("text/html") ?? false
    }

    /// Renders an error as a page, with the error's status.
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

    /// Escapes text for HTML, including the opening brace of placeholders.
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
