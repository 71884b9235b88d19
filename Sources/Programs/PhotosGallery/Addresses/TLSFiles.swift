internal import Foundation
internal import Glibc
internal import NIOSSL

/// The PEM files of a certificate and its private key.
public struct TLSFiles: Sendable, Equatable {
    /// The path of a PEM file with the certificate, followed by its intermediate certificates.
    public var certificate: String
    /// The path of the private key's PEM file, which must be readable only by its owner.
    public var key: String

    /// Creates a reference to the files, which are read when the gallery starts.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Loads the files into a server configuration for HTTP/1.1 over TLS 1.2 or later.
    ///
    /// - Throws: ``GalleryError`` when a file cannot be read, others can read the key, or the key
    ///   does not match the certificate.
    func configuration() throws -> TLSConfiguration {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(Self.read(certificate, isSecret: false))
        } catch is NIOSSLError {
            throw GalleryError.badCertificate(certificate, reason: "it has no readable certificate")
        }
        guard !chain.isEmpty else {
            throw GalleryError.badCertificate(certificate, reason: "it has no certificate")
        }
        let secret: NIOSSLPrivateKey
        do {
            secret = try NIOSSLPrivateKey(bytes: Self.read(key, isSecret: true), format: .pem)
        } catch is NIOSSLError {
            throw GalleryError.badKey(key)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(secret)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw GalleryError.keyOfAnotherCertificate(key, certificate)
        }
        return configuration
    }

    private static func read(_ path: String, isSecret: Bool) throws -> [UInt8] {
        // Certificate paths are often symbolic links to the latest version.
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        let about: [FileAttributeKey: Any]
        let bytes: Data
        do {
            about = try FileManager.default.attributesOfItem(atPath: file)
            guard about[.type] as? FileAttributeType == .typeRegular else {
                throw GalleryError.unreadableFile(path, reason: "it is not a file")
            }
            guard !isSecret || (about[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0 else {
                throw GalleryError.openKey(path)
            }
            guard about[.size] as? Int ?? .max <= 1 << 20 else {
                throw GalleryError.unreadableFile(path, reason: "it is too large")
            }
            bytes = try Data(contentsOf: URL(filePath: file))
        } catch let error as CocoaError {
            let cause = error.underlying as? POSIXError
            throw GalleryError.unreadableFile(
                path,
                reason: cause.map { String(cString: strerror($0.code.rawValue)) }
                    ?? (error.code == .fileReadNoSuchFile
                        ? "it does not exist" : "you have no permission to read it")
            )
        }
        return Array(bytes)
    }
}
