package import CloudSync

/// The newest state of a store that a device has seen, with which it detects a rollback of the
/// store.
///
/// A store that shows less than before was rolled back or has lost objects. Nothing is then merged
/// or written. A store that shows the same old state to all devices is not detected.
package struct SeenState: Hashable, Sendable {
    /// The state in which a device finds a store.
    package struct Found: Hashable, Sendable {
        /// The segments that were listed in each log.
        ///
        /// The last segment of a log is never deleted.
        package var logs: [CloudID: Set<LogPosition>]
        /// The fingerprints of the accepted certificates, by device.
        package var members: [CloudID: Fingerprint]
        /// The epochs whose keys are contained in at least one key object.
        package var epochs: Set<CloudID>

        package init(
            logs: [CloudID: Set<LogPosition>],
            members: [CloudID: Fingerprint],
            epochs: Set<CloudID>
        ) {
            self.logs = logs
            self.members = members
            self.epochs = epochs
        }
    }

    /// An item that the store contained before and no longer contains.
    package enum Loss: Hashable, Sendable {
        /// A log that ends before the segment `seen`, or ends with a different segment of the same
        /// sequence number.
        case log(CloudID, seen: LogPosition)
        case member(CloudID)
        /// A device's certificate differs from the certificate that was seen before.
        case replacedMember(CloudID)
        case epoch(CloudID)
    }

    package private(set) var vector: VersionVector = [:]
    package private(set) var members: [CloudID: Fingerprint] = [:]
    package private(set) var epochs: Set<CloudID> = []
    /// The devices that a member removed, which never become members again.
    package private(set) var removed: Set<CloudID> = []

    package init() {}

    /// Marks devices as removed from the cloud library.
    package mutating func remove(_ devices: Set<CloudID>) { removed.formUnion(devices) }

    /// Returns, in a fixed order, the items lost since the recorded state; empty if nothing was
    /// lost.
    package func losses(in found: Found) -> [Loss] {
        var losses: [Loss] = []
        for (device, seen) in vector.sorted(by: { $0.key < $1.key }) {
            let positions = found.logs[device] ?? []
            let isThere =
                positions.contains(seen) || positions.contains { $0.sequence > seen.sequence }
            if !isThere { losses.append(.log(device, seen: seen)) }
        }
        for (device, fingerprint) in members.sorted(by: { $0.key < $1.key }) {
            switch found.members[device] {
            case nil: losses.append(.member(device))
            case fingerprint?: break
            case .some: losses.append(.replacedMember(device))
            }
        }
        return losses + epochs.subtracting(found.epochs).sorted().map(Loss.epoch)
    }

    /// Adds the current state of a store without removing anything that was seen before.
    ///
    /// If two segments have the same number, the one that was seen first is kept.
    package mutating func advance(to found: Found) {
        for (device, positions) in found.logs {
            let last = positions.max { ($0.sequence, $1.hash) < ($1.sequence, $0.hash) }
            guard let last, last.sequence > vector[device]?.sequence ?? 0 else { continue }
            vector[device] = last
        }
        members.merge(found.members) { seen, _ in seen }
        epochs.formUnion(found.epochs)
    }

    // MARK: - Coding

    private enum Tag {
        static let vector: UInt16 = 1
        static let members: UInt16 = 2
        static let epochs: UInt16 = 3
        static let removed: UInt16 = 4
    }

    private static let label = "with the state of the store that was seen last"

    package var encoded: [UInt8] {
        var logs = SegmentWriter()
        for (device, position) in vector.sorted(by: { $0.key < $1.key }) {
            logs.append(device)
            logs.append(position.sequence)
            logs.append(position.hash)
        }
        var fields = TaggedFields()
        fields[Tag.vector] = logs.bytes
        fields[Tag.members] = members.sorted { $0.key < $1.key }
            .flatMap { $0.key.bytes + $0.value.bytes }
        fields[Tag.epochs] = epochs.sorted().flatMap(\.bytes)
        fields[Tag.removed] = removed.sorted().flatMap(\.bytes)
        return fields.encoded
    }

    package init(decoding bytes: [UInt8]) throws(CloudKeyError) {
        let fields = try TaggedFields(decoding: bytes, of: Self.label)
        do throws(CloudFormatError) {
            var logs = SegmentReader(fields[Tag.vector] ?? [])
            while logs.remaining > 0 {
                let device = try logs.id()
                vector[device] =
                    LogPosition(sequence: try logs.uint64(), hash: try logs.id())
            }
            var list = SegmentReader(fields[Tag.members] ?? [])
            while list.remaining > 0 {
                let device = try list.id()
                members[device] = Fingerprint(bytes: try list.content().bytes)
            }
            var names = SegmentReader(fields[Tag.epochs] ?? [])
            while names.remaining > 0 { epochs.insert(try names.id()) }
            // States of earlier versions lack this field.
            var devices = SegmentReader(fields[Tag.removed] ?? [])
            while devices.remaining > 0 { removed.insert(try devices.id()) }
        } catch {
            throw .malformed(Self.label, error)
        }
    }
}
