import Foundation
import HTTPTypes
import Testing

@testable import PhotosGallery

/// The headers in which proxies report clients, and the gallery's public address.
@Suite(.timeLimit(.minutes(2))) struct ForwardingHeadersTests {
    private func read(_ fields: [(String, String)]) throws -> ForwardingHeaders {
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return try ForwardingHeaders(headers)
    }

    @Test(
        arguments: [
            "203.0.113.9", "198.51.100.1, 203.0.113.9", " 203.0.113.9:4711 ", "x,,203.0.113.9",
            "\"1.1.1.1, 203.0.113.9", "1.1.1.1\u{600}, 203.0.113.9",
        ]
    ) func theLastClientIsTheProxys(value: String) throws {
        #expect(try read([("X-Forwarded-For", value)]).client == ClientAddress("203.0.113.9"))
    }

    @Test func aQuoteOfTheClientsHidesNobody() {
        #expect(throws: RequestError.self) {
            try read([("Forwarded", "for=\"1.1.1.1, for=203.0.113.9")])
        }
    }

    @Test(
        arguments: [
            ("for=203.0.113.9;proto=https;host=photos.example.org", "203.0.113.9"),
            (
                "for=1.1.1.1, For=\"[2001:db8::9]:4711\" ; Proto=HTTPS;HOST=\"photos.example.org\"",
                "2001:db8::9"
            ),
            ("for=\"[2001:db8::9]\";proto=https;host=photos.example.org", "2001:db8::9"),
            (
                "for=\"a,b;c\\\",for=1.1.1.1\", for=203.0.113.9;proto=https;host=photos.example.org",
                "203.0.113.9"
            ),
        ]
    ) func theStandardHeaderIsRead(value: String, client: String) throws {
        let headers = try read([("Forwarded", value)])
        #expect(headers.client == ClientAddress(client))
        #expect(headers.scheme == "https")
        #expect(headers.host == "photos.example.org")
        #expect(!headers.isEmpty)
    }

    @Test func severalFieldsAreOneList() throws {
        let headers = try read([
            ("X-Forwarded-For", "1.1.1.1"), ("X-Forwarded-For", "203.0.113.9"),
            ("X-Forwarded-Host", "evil.example, photos.example.org"),
            ("X-Forwarded-Proto", "https"),
        ])
        #expect(headers.client == ClientAddress("203.0.113.9"))
        #expect(headers.host == "photos.example.org")
        #expect(headers.scheme == "https")
        #expect(try read([]).isEmpty)
        #expect(try read([("Forwarded", "for=unknown")]).client == nil)
        #expect(try read([("Forwarded", "for=_hidden")]).client == nil)
    }

    @Test func aClientsOwnHeaderBesideTheProxysIsRefused() throws {
        #expect(throws: RequestError.self) {
            try read([("Forwarded", "for=1.1.1.1"), ("X-Forwarded-For", "203.0.113.9")])
        }
        #expect(throws: RequestError.self) {
            try read([("Forwarded", "for=unknown"), ("X-Forwarded-For", "203.0.113.9")])
        }
        let agreeing = try read([
            ("Forwarded", "for=\"203.0.113.9:1\""), ("X-Forwarded-For", "203.0.113.9"),
        ])
        #expect(agreeing.client == ClientAddress("203.0.113.9"))
    }

    @Test(
        arguments: [
            ("https://Photos.Example.org", "https://photos.example.org"),
            ("https://photos.example.org:443/", "https://photos.example.org"),
            ("http://photos.example.org:8080", "http://photos.example.org:8080"),
            ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
        ]
    ) func originsAreAsBrowsersWriteThem(text: String, origin: String) throws {
        let address = try PublicAddress(try #require(URL(string: text)))
        #expect(address.origin == origin)
        #expect(address.isNamed(by: String(origin.split(separator: "/").last ?? "")))
        #expect(!address.isNamed(by: "photos.example.org.evil.example"))
        #expect(!address.isNamed(by: "photos.example.org:1"))
    }

    @Test(
        arguments: [
            "photos.example.org", "ftp://photos.example.org", "https://photos.example.org/gallery",
            "https://me@photos.example.org", "https://photos.example.org/?a", "https://",
            "https://photos.example.org:99999", "https://photos.example.org/#a", "https://%65vil",
        ]
    ) func otherAddressesAreRefused(text: String) throws {
        guard let url = URL(string: text) else { return }
        #expect(throws: GalleryError.self) { try PublicAddress(url) }
    }
}
