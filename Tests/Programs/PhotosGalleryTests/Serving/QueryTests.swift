import HTTPTypes
import Hummingbird
import Testing

@testable import PhotosGallery

/// Parameters in the URL of a request.
@Suite(.timeLimit(.minutes(1))) struct QueryTests {
    private func request(_ query: String) -> Request {
        Request(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: "localhost",
                path: "/api/assets" + query
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
    }

    @Test(
        arguments: [
            ("", nil), ("?", nil), ("?size=1", "1"), ("?a=2&size=1", "1"), ("?size=1&size=2", "1"),
            ("?sizes=3&size=1", "1"), ("?siz=3", nil), ("?size", ""), ("?size=", ""),
            ("?&&size=1&", "1"), ("?size=a=b", "a=b"), ("?size=a+b%2B%26", "a b+&"),
            ("?size=%FF", "%FF"), ("?size=1%", "1%"), ("?Size=1", nil), ("?a=size=1", nil),
            ("?size=\u{e4}", "\u{e4}"),
        ] as [(String, String?)]
    ) func aParameterIsReturnedDecoded(query: String, value: String?) {
        #expect(request(query).query("size") == value)
    }
}
