import ObjectStorage
import StoreClients
import Testing

@Suite(.timeLimit(.minutes(1))) struct S3EndpointTests {
    @Test(arguments: [
        ("https://s3.example.org", "https://s3.example.org"),
        ("https://S3.Example.org/", "https://s3.example.org"),
        ("https://s3.example.org:443", "https://s3.example.org"),
        ("https://s3.example.org:8443", "https://s3.example.org:8443"),
        ("http://127.0.0.1:7480", "http://127.0.0.1:7480"),
        ("http://127.255.0.9", "http://127.255.0.9"), ("http://localhost:80", "http://localhost"),
        ("http://[::1]:7480", "http://[::1]:7480"),
    ])
    func addressesAreNormalized(_ text: String, _ normal: String) throws {
        #expect(try S3Endpoint(text).description == normal)
    }

    @Test(arguments: [
        "http://s3.example.org", "http://128.0.0.1", "http://127.0.0.1.example.org",
        "http://localhost.example.org", "http://127.0.0", "http://[::2]",
    ])
    func plainHTTPToOthersIsRefused(_ text: String) throws {
        let error = #expect(throws: ObjectStoreError.self) { try S3Endpoint(text) }
        #expect(error?.code == .insecure)
        #expect(try !S3Endpoint(text, allowsPlainHTTP: true).isEncrypted)
    }

    @Test(arguments: [
        "", "s3.example.org", "ftp://s3.example.org", "https://", "https://user@s3.example.org",
        "https://user:word@s3.example.org", "https://s3.example.org/bucket",
        "https://s3.example.org?x", "https://s3.example.org#x", "https://s3.example.org:0",
        "https://s3.example.org:99999", "https://s3 .example.org", "https://s3.example.org\r\nX: y",
        "file:///tmp",
    ])
    func otherTextIsRefused(_ text: String) {
        let error = #expect(throws: ObjectStoreError.self) { try S3Endpoint(text) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test func namesOfTheConfigurationAreChecked() throws {
        func make(
            region: String = "eu-1",
            bucket: String = "my-bucket",
            prefix: String = "",
            secret: String = "s"
        ) throws {
            _ = try S3Configuration(
                endpoint: S3Endpoint("https://s3.example.org"),
                region: region,
                bucket: bucket,
                prefix: prefix,
                credentials: S3Credentials(accessKey: "a", secretKey: secret)
            )
        }
        for prefix in ["", "a/", "My.Photos_1/b/"] { try make(prefix: prefix) }
        for prefix in ["a", "/", "/a/", "a//", "../", "a/./", "ä/", "a b/", "a?/"] {
            #expect(throws: ObjectStoreError.self, "\(prefix)") { try make(prefix: prefix) }
        }
        for bucket in ["", "ab", "a/b", "a..b", "a b", "a?b", String(repeating: "a", count: 64)] {
            #expect(throws: ObjectStoreError.self, "\(bucket)") { try make(bucket: bucket) }
        }
        for region in ["", "a b", "a\nb"] {
            #expect(throws: ObjectStoreError.self, "\(region)") { try make(region: region) }
        }
        for secret in ["", "a b", "a\r\nHost: x"] {
            let error = #expect(throws: ObjectStoreError.self) { try make(secret: secret) }
            #expect(secret.isEmpty || error?.description.contains(secret) == false)
        }
    }
}
