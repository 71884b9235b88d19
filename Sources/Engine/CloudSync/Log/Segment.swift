/// A position in a device's log: the sequence number and the hash of a segment.
package struct LogPosition: Hashable, Comparable, Sendable {
    package var sequence: UInt64
    package var hash: CloudID

    package init(sequence: UInt64, hash: CloudID) {
        self.sequence = sequence
        self.hash = hash
    }

    package static func < (left: LogPosition, right: LogPosition) -> Bool {
        left.sequence == right.sequence
            ? left.hash < right.hash : left.sequence < right.sequence
    }
}

/// The position of the last segment that a device has read from each log; the keys are the devices
/// that write the logs.
package typealias VersionVector = [CloudID: LogPosition]

/// An immutable part of a device's log.
package struct Segment: Hashable, Sendable {
    package var device: CloudID
    /// The sequence number of the segment in its log, starting at 1.
    package var sequence: UInt64
    /// The hash of the previous segment; zero for the first.
    package var previous: CloudID
    /// For each other log, the last segment that the author acknowledges to have read.
    ///
    /// The author may have read later segments, but all changes that it made before the
    /// acknowledged reading are in this segment or earlier ones.
    package var vector: VersionVector
    package var transactions: [CloudTransaction]

    package init(
        device: CloudID,
        sequence: UInt64,
        previous: CloudID,
        vector: VersionVector,
        transactions: [CloudTransaction]
    ) {
        self.device = device
        self.sequence = sequence
        self.previous = previous
        self.vector = vector
        self.transactions = transactions
    }

    package static let origin = CloudID(0, 0)
}

/// A segment with the hash that is part of its name.
package struct SealedSegment: Hashable, Sendable {
    package var segment: Segment
    package var hash: CloudID

    package init(segment: Segment, hash: CloudID) {
        self.segment = segment
        self.hash = hash
    }

    package var position: LogPosition {
        LogPosition(sequence: segment.sequence, hash: hash)
    }
}

/// A hash function for segments.
///
/// The sync host uses a hash with a key of the current epoch (`SegmentSealer` of `CloudKeys`); the
/// simulation uses something faster.
package protocol SegmentHashing: Sendable {
    /// Returns the hash of a new segment.
    func hash(of segment: Segment) -> CloudID

    /// Returns whether a received segment has the hash that its name states.
    ///
    /// The hash may have been made with a key of an earlier epoch.
    func isHash(_ hash: CloudID, of segment: Segment) -> Bool
}

extension SegmentHashing {
    package func isHash(_ hash: CloudID, of segment: Segment) -> Bool {
        hash == self.hash(of: segment)
    }
}
