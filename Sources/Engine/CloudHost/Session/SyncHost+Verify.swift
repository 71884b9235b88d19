internal import CloudKeys
internal import CloudSync
internal import Crypto
internal import Foundation
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

/// Checks of the store against what this device knows of it.
extension SyncHost {
    /// Compares the names and sizes of all objects, and reads a sample of the blobs whole.
    ///
    /// - Parameter percent: The part of the blobs that is read.
    /// - Returns: The differences.
    /// - Throws: The failure of the session or of a request.
    func verify(percent: Int) async throws(LibraryError) -> [CloudReply.Finding] {
        _ = try await session()
        var findings = report.alarms.map { CloudReply.Finding(object: "", finding: $0) }
        let listed = try await CloudObjectReader.request { () throws(ObjectStoreError) in
            try await store.list(try ObjectPrefix("blob/"), timeout: CloudObjectReader.timeout)
        }
        let sizes = Dictionary(listed.map { ($0.key.text, $0.size) }) { first, _ in first }
        var sample: [(name: String, record: BlobRecord)] = []
        for (blob, state) in machine.state.blobs.sorted(by: { $0.key < $1.key })
        where state.isUsable {
            let name = ObjectName.blob(blob).description
            guard let record = try? BlobRecord(decoding: state.key, of: blob) else {
                findings.append(.init(object: name, finding: "Its key is not known."))
                continue
            }
            switch sizes[name] {
            case nil: findings.append(.init(object: name, finding: "It is missing."))
            case record.layout.sealedSize?:
                if Int.random(in: 0..<100) < percent { sample.append((name, record)) }
            case let size?:
                let expected = record.layout.sealedSize
                findings.append(
                    .init(object: name, finding: "It has \(size) bytes instead of \(expected).")
                )
            }
        }
        for (name, record) in sample where configuration.mayContinue() {
            if let finding = try await finding(name, record) {
                findings.append(.init(object: name, finding: finding))
            }
        }
        return findings
    }

    /// Reads a blob and compares its checksum.
    private func finding(
        _ name: String,
        _ record: BlobRecord
    ) async throws(LibraryError) -> String? {
        let hash = RunningHash()
        do throws(ObjectStoreError) {
            _ = try await store.get(
                try ObjectKey(name),
                range: nil,
                limit: record.layout.sealedSize,
                timeout: .seconds(60 + record.layout.sealedSize >> 16)
            ) { piece in hash.update(piece) }
        } catch  where error.code == .notFound {
            return "It is missing."
        } catch {
            throw LibraryError(error)
        }
        return hash.value == record.objectHash ? nil : "It is not the file that was stored."
    }
}

/// A SHA-256 of pieces that arrive one after the other.
private final class RunningHash: Sendable {
    private let hash = Monitor(SHA256())

    func update(_ piece: [UInt8]) { hash.update { $0.update(data: piece) } }

    var value: [UInt8] { Array(hash.withLock { $0.finalize() }) }
}
