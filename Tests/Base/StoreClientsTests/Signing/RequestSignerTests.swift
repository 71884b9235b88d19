import FoundationEssentials
import ObjectStorage
import StoreClients
import Testing

/// The vectors that AWS publishes: the suite for version 4, and the examples of S3's documentation.
///
/// Those of the suite that normalize paths are left out, since S3 uses paths as they are.
@Suite(.timeLimit(.minutes(1))) struct RequestSignerTests {
    /// A vector: its name, the request, and the signature.
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "GET"
        var path = "/"
        var query: [(name: String, value: String)] = []
        var headers: [(name: String, value: String)] = []
        var body = Self.nothing
        var token: String?
        var signature: String

        static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "get-vanilla",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        Vector(
            name: "get-vanilla-query-order-key-case",
            query: [("Param2", "value2"), ("Param1", "value1")],
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        Vector(
            name: "get-vanilla-empty-query-key",
            query: [("Param1", "value1")],
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"
        ),
        Vector(
            name: "get-vanilla-query-unreserved",
            query: [(unreserved, unreserved)],
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"
        ),
        Vector(
            name: "get-vanilla-utf8-query",
            query: [("ሴ", "bar")],
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"
        ),
        Vector(
            name: "get-unreserved",
            path: "/\(unreserved)",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
        ),
        Vector(
            name: "get-utf8",
            path: "/%E1%88%B4",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"
        ),
        Vector(
            name: "get-header-key-duplicate",
            headers: [
                ("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1"),
            ],
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"
        ),
        Vector(
            name: "get-header-value-order",
            headers: [
                ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"),
                ("My-Header1", "value2"),
            ],
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"
        ),
        Vector(
            name: "get-header-value-trim",
            headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
        ),
        Vector(
            name: "post-vanilla",
            method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        Vector(
            name: "post-vanilla-query",
            method: "POST",
            query: [("Param1", "value1")],
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"
        ),
        Vector(
            name: "post-header-key-sort",
            method: "POST",
            headers: [("My-Header1", "value1")],
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"
        ),
        Vector(
            name: "post-header-value-case",
            method: "POST",
            headers: [("My-Header1", "VALUE1")],
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"
        ),
        Vector(
            name: "post-x-www-form-urlencoded",
            method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        ),
        Vector(
            name: "post-sts-header-before",
            method: "POST",
            token: "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHG"
                + "BuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2"
                + "wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0"
                + "rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJ"
                + "abIQwj2ICCR/oLxBA==",
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        ),
    ]

    private static let unreserved =
        "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let access = "AKIDEXAMPLE"
    private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    @Test(arguments: vectors) func suiteOfVersion4(_ vector: Vector) throws {
        let signer = RequestSigner(
            credentials: S3Credentials(
                accessKey: Self.access,
                secretKey: Self.secret,
                sessionToken: vector.token
            ),
            region: "us-east-1",
            service: "service"
        )
        let request = SignableRequest(
            method: vector.method,
            path: vector.path,
            query: vector.query,
            headers: [("Host", "example.amazonaws.com")] + vector.headers,
            payloadHash: vector.body
        )
        let date = try #require(StoreDate.fromHTTP("Sun, 30 Aug 2015 12:36:00 GMT"))
        let headers = try signer.headers(for: request, at: date)
        let authorization = try #require(headers.first { $0.name == "authorization" }).value
        #expect(authorization.hasSuffix("Signature=\(vector.signature)"))
        #expect(
            authorization.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            )
        )
    }

    @Test func canonicalRequestOfTheFirstVector() throws {
        let request = SignableRequest(
            method: "GET",
            path: "/",
            headers: [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")],
            payloadHash: Vector.nothing
        )
        let canonical = RequestSigner.canonicalRequest(request)
        #expect(
            canonical.text == """
                GET
                /

                host:example.amazonaws.com
                x-amz-date:20150830T123600Z

                host;x-amz-date
                \(Vector.nothing)
                """
        )
        let signer = RequestSigner(
            credentials: S3Credentials(accessKey: Self.access, secretKey: Self.secret),
            region: "us-east-1",
            service: "service"
        )
        let date = try #require(StoreDate.fromHTTP("Sun, 30 Aug 2015 12:36:00 GMT"))
        #expect(
            try signer.stringToSign(canonical.text, at: date) == """
                AWS4-HMAC-SHA256
                20150830T123600Z
                20150830/us-east-1/service/aws4_request
                bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63
                """
        )
    }

    /// The examples of “Signature Calculations for the Authorization Header” in S3's documentation.
    static let examples = [
        Vector(
            name: "GET with a range",
            path: "/test.txt",
            headers: [("Range", "bytes=0-9")],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        Vector(
            name: "PUT",
            method: "PUT",
            path: "/test%24file.text",
            headers: [
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            body: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        Vector(
            name: "GET of a property",
            query: [("lifecycle", "")],
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        Vector(
            name: "LIST",
            query: [("max-keys", "2"), ("prefix", "J")],
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ]

    @Test(arguments: examples) func examplesOfS3(_ vector: Vector) throws {
        let signer = RequestSigner(
            credentials: S3Credentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE",
                secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
            ),
            region: "us-east-1"
        )
        let request = SignableRequest(
            method: vector.method,
            path: vector.path,
            query: vector.query,
            headers: [
                ("Host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", vector.body),
            ] + vector.headers,
            payloadHash: vector.body
        )
        let date = try #require(StoreDate.fromHTTP("Fri, 24 May 2013 00:00:00 GMT"))
        let headers = try signer.headers(for: request, at: date)
        let authorization = try #require(headers.first { $0.name == "authorization" }).value
        #expect(authorization.hasSuffix("Signature=\(vector.signature)"))
    }

    @Test func credentialsAreNeverPrinted() {
        let credentials = S3Credentials(
            accessKey: "public-part",
            secretKey: "secret-part",
            sessionToken: "token-part"
        )
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), "\([credentials])", dumped]
        {
            #expect(!text.contains("part"))
        }
    }
}
