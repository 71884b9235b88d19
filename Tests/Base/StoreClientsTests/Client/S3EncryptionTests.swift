import Foundation
import ObjectStorage
import StoreClients
import StoreFixture
import Testing
import TestSupport

/// Requests over TLS, to a server of Python with a certificate of its own.
@Suite(.needsProgram("openssl"), .needsProgram("python3"), .timeLimit(.minutes(1)))
struct S3EncryptionTests {
    private static let server = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_PUT(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                open(sys.argv[2], "w").write(self.headers["x-amz-content-sha256"])
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    private let folder: TemporaryFolder
    private let certificate: String

    init() throws {
        folder = try TemporaryFolder("photos-tls")
        certificate = folder.path + "/certificate.pem"
        let output = try ProcessRunner.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout",
                certificate, "-out", folder.path + "/public.pem", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost",
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        let both =
            try Data(contentsOf: folder.file("certificate.pem"))
            + Data(contentsOf: folder.file("public.pem"))
        try both.write(to: folder.file("certificate.pem"))
    }

    private func put(host: String, port: Int, authorities: String?) async throws {
        var configuration = try S3Configuration(
            endpoint: S3Endpoint("https://\(host):\(port)"),
            region: "test",
            bucket: "bucket",
            credentials: S3Credentials(accessKey: "access", secretKey: "hush-hush")
        )
        configuration.authorityFile = authorities
        configuration.retry.attempts = 1
        let store = try S3Store(configuration)
        do {
            try await store.write("log/1", [1, 2, 3])
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @Test func onlyTrustedServersGetRequests() async throws {
        let used = folder.path + "/used"
        let process = try ProcessRunner.start("python3", ["-c", Self.server, certificate, used])
        defer { process.kill() }
        var port: Int?
        while port == nil, process.isRunning {
            await Task.yield()
            let text = String(decoding: process.standardOutput, as: UTF8.self)
            if text.hasSuffix("\n") { port = Int(text.dropLast()) }
        }
        let number = try #require(port)
        let authority = folder.path + "/public.pem"
        for (host, file) in [("localhost", nil), ("127.0.0.1", authority)] {
            let error = await #expect(throws: ObjectStoreError.self) {
                try await put(host: host, port: number, authorities: file)
            }
            #expect(error?.code == .insecure, "\(error?.description ?? "")")
            #expect(error?.hasUnknownOutcome == false)
        }
        #expect(!FileManager.default.fileExists(atPath: used))
        // TLS protects the body itself, so the signature leaves it out.
        try await put(host: "localhost", port: number, authorities: authority)
        #expect(try String(contentsOfFile: used, encoding: .utf8) == "UNSIGNED-PAYLOAD")
    }

    @Test func unreadableAuthoritiesAreRefused() throws {
        for path in [folder.path + "/missing", folder.path] {
            var configuration = try S3Configuration(
                endpoint: S3Endpoint("https://localhost"),
                region: "test",
                bucket: "bucket",
                credentials: S3Credentials(accessKey: "access", secretKey: "hush-hush")
            )
            configuration.authorityFile = path
            let error = #expect(throws: ObjectStoreError.self) { try S3Store(configuration) }
            #expect(error?.code == .invalidConfiguration)
        }
    }
}
