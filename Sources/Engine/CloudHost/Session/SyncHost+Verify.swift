internal import CloudKeys
internal import CloudSync
internal import Foundation
internal import LibraryService
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

/// The verification of the store against the state that this device knows.
extension SyncHost {
    /// Compares the names and sizes of all blobs with the expected ones, and fully reads a random
    /// sample.
    ///
    /// - Parameters:
    ///   - percent: The part of the blobs that is read.
    ///   - isRepairing: Whether to upload again what is missing or damaged, from the files here,
    ///     and to remove what no change names.
    /// - Returns: The differences, those of expected blobs first.
    /// - Throws: The failure of the session or of a request; `cancelled`.
    func verify(
        percent: Int,
        isRepairing: Bool = false
    ) async throws(LibraryError) -> [CloudReply.Finding] {
        _ = try await session()
        var findings = report.alarms.map { CloudReply.Finding(object: "", finding: $0) }
        if isRepairing {
            for index in findings.indices {
                findings[index].isRepaired = false
                findings[index].reason = Self.onlyInTheStore
            }
        }
        let listed = try await listBlobs()
        let sizes = Dictionary(listed.map { ($0.key.text, $0.size) }) { first, _ in first }
        let blobs = machine.state.blobs.filter(\.value.isUsable).sorted { $0.key < $1.key }
        for (blob, state) in blobs {
            // A part of the findings would look as if the rest of the store were intact.
            guard mayContinue else { throw .cancelled }
            let name = ObjectName.blob(blob).description
            let record = try? BlobRecord(decoding: state.key, of: blob)
            guard var finding = try await finding(blob, record, sizes[name], percent) else {
                continue
            }
            if isRepairing { await repair(&finding, blob, state.content, record) }
            findings.append(finding)
        }
        return try await findings + abandonedFindings(in: listed, isRepairing: isRepairing)
    }

    private static let onlyInTheStore =
        "Changes and keys are in the store only; bring the former versions of its objects back."

    /// Checks the size of a blob, and its checksum if the blob is in the random sample.
    private func finding(
        _ blob: BlobName,
        _ record: BlobRecord?,
        _ size: Int64?,
        _ percent: Int
    ) async throws(LibraryError) -> CloudReply.Finding? {
        let name = ObjectName.blob(blob).description
        guard let record else { return .init(object: name, finding: "Its key is not known.") }
        let text: String?
        let expected = record.layout.sealedSize
        switch size {
        case nil: text = "It is missing."
        case expected?:
            guard Int.random(in: 0..<100) < percent else { return nil }
            text = try await finding(blob, record)
        case let size?: text = "It has \(size) bytes instead of \(expected)."
        }
        return text.map { .init(object: name, finding: $0) }
    }

    /// Uploads a file again under the name of its blob, and reads the object back to check it.
    ///
    /// The object gets the same bytes as before. So two simultaneous repairs, or a repair and a
    /// late request, may take effect in any order. Blobs that other devices may remove are not
    /// usable here and so are not repaired.
    private func repair(
        _ finding: inout CloudReply.Finding,
        _ blob: BlobName,
        _ content: ContentID?,
        _ record: BlobRecord?
    ) async {
        finding.isRepaired = false
        guard let content, let record else {
            finding.reason = Self.onlyInTheStore
            return
        }
        do throws(LibraryError) {
            guard try await transfer.restore(content, as: blob, record) else {
                finding.reason =
                    "The file is not on this computer. Repair it from one that has it."
                return
            }
            finding.reason = try await self.finding(blob, record).map {
                "After the upload: " + $0
            }
            finding.isRepaired = finding.reason == nil
        } catch {
            finding.reason = error.description
        }
    }

    /// Reads a blob and compares its checksum with the expected one.
    private func finding(
        _ blob: BlobName,
        _ record: BlobRecord
    ) async throws(LibraryError) -> String? {
        switch try await transfer.isStored(blob, record) {
        case nil: "It is missing."
        case false?: "It is not the file that was stored."
        case true?: nil
        }
    }
}
