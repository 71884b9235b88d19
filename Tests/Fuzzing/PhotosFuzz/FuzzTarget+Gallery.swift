import Foundation
import HTTPTypes
import Hummingbird
import Media
@testable import PhotosGallery

/// The gallery's own parsers of a request: of its address, its headers and its body.
///
/// HTTP itself is parsed by SwiftNIO.
extension FuzzTarget {
    static let gallery = FuzzTarget(
        "gallery",
        "addresses, headers and bodies of the gallery's requests",
        seeds: requests
    ) { bytes in
        let (line, body) = bytes.firstLine
        let text = line.text
        check(text)
        read(body)
    }

    /// Parses one line as everything that a request has in one line.
    private static func check(_ text: String) {
        if let parts = UploadName.parts(text) {
            for part in parts {
                precondition(
                    !part.isEmpty && part != "." && part != ".." && !part.contains("/")
                        && !part.utf8.contains(0),
                    "“\(text)” leaves the upload's folder by “\(part)”"
                )
            }
        }
        if let host = HostAndPort(text) {
            precondition(!host.host.isEmpty && (1...65_535).contains(host.port(standard: 80)))
        }
        if case .part(let range) = ByteRange.parse(text, of: 1000) {
            precondition(range.lowerBound >= 0 && range.upperBound <= 1000 && !range.isEmpty)
        }
        if let region = NearRegion(text) { parses(region.predicate) }
        for term in SearchWords(text).terms { parses(term.predicate) }
        _ = try? ListQuery(source: text, predicate: nil, order: nil)
        _ = LocalDay.bounds(text)
        _ = ClientAddress(text)
        for name in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"] {
            guard let name = HTTPField.Name(name) else { continue }
            _ = try? ForwardingHeaders([name: text])
        }
        let head = HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/?" + text)
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        _ = request.query("q")
        _ = try? request.number("n", in: 0...10)
    }

    /// Decodes a body as each command of the page.
    private static func read(_ bytes: ByteView) {
        let data = Data(bytes.bytes)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        _ = try? decoder.decode(ChangeCommand.self, from: data).selection()
        _ = try? EditController.recipe(from: data)
    }

    /// Requires that a predicate of the gallery's own is valid, whatever words it was made of.
    private static func parses(_ format: String) {
        precondition(normalForm(of: format) != nil, "The gallery's predicate is invalid: \(format)")
    }

    @Sendable private static func requests() throws -> [Data] {
        [
            "2024/Trip to Rome/IMG_0001.JPG\n{\"action\":\"favorite\",\"assets\":[\"A\"],\"value\":true}",
            "for=192.0.2.60;proto=https;host=\"photos.example:8443\"\n{\"effect\":\"noir\"}",
            "bytes=10-99\n{\"action\":\"setDate\",\"date\":\"2024-01-01T00:00:00Z\"}",
            "camera:\"Canon EOS\" place:Rome near:41.9,12.5,10 2024-05 favorite \"quoted words\"\n{}",
            "[2001:db8::1]:8080\n[]", "q=a+b%20c&n=7\n",
            "album/4F1A\n{\"assets\":{\"list\":\"l\"}}",
        ].map { Data($0.utf8) }
    }
}
