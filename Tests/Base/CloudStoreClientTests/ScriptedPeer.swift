import CLinuxShim
import CloudStoreClient
import Foundation
import ObjectStorage
import StoreProtocol
import Testing
import WorkerProtocol

/// A store whose process is a thread of the test, which answers what a script says.
struct ScriptedPeer: Sendable {
    /// What the script does with a call.
    typealias Script = @Sendable (MessageConnection, StoreRequest) throws -> Void

    let store: ProcessStore

    /// Creates a store; each of its processes runs the script for each message after the greeting.
    ///
    /// - Parameters:
    ///   - version: The version that the peer names.
    ///   - report: The protections that it names.
    ///   - hasParts: Whether the store takes uploads in parts.
    ///   - script: Answers a message; throwing ends the process.
    init(
        version: Int = StoreProtocolVersion.current,
        report: SandboxReport = SandboxReport(landlockABI: 1, hasSeccomp: true),
        hasParts: Bool = false,
        script: @escaping Script
    ) {
        let bucket = S3Place(
            endpoint: "https://localhost",
            region: "none",
            bucket: "none",
            credentials: S3Credentials(accessKey: "none", secretKey: "none")
        )
        let place = hasParts ? StorePlace.s3(bucket) : .directory(path: "/", marker: nil)
        store = ProcessStore(place) { () throws(ObjectStoreError) in
            var host: Int32 = -1
            var peer: Int32 = -1
            let result = cphotos_socket_pair(&host, &peer)
            #expect(result == 0)
            let socket = OpenFile(owning: peer)
            Thread.detachNewThread {
                // The end of the connection ends the script.
                try? Self.serve(
                    MessageConnection(socket: socket.descriptor),
                    version,
                    report,
                    script
                )
                withExtendedLifetime(socket) {}
            }
            return try StoreProcess.open(
                place,
                at: OpenFile(owning: host),
                of: nil,
                path: "/scripted",
                allowsUnconfined: false
            )
        }
    }

    private static func serve(
        _ connection: MessageConnection,
        _ version: Int,
        _ report: SandboxReport,
        _ script: Script
    ) throws {
        _ = try connection.receive(StoreRequest.self)
        connection.useBinaryForm()
        try connection.send(StoreReply.hello(version: version))
        _ = try connection.receive(StoreRequest.self)
        try connection.send(StoreReply.ready(report))
        while true {
            let (request, descriptor) = try connection.receive(StoreRequest.self)
            if let descriptor { close(descriptor) }
            try script(connection, request)
        }
    }
}
