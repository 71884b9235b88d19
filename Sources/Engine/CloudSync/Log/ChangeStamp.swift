package import PhotoModel

/// The stamp of a change, ordered by time and then by the device that made the change.
package struct ChangeStamp: Hashable, Comparable, Sendable {
    package var time: HybridTime
    package var device: CloudID

    package init(time: HybridTime, device: CloudID) {
        self.time = time
        self.device = device
    }

    package static func < (left: ChangeStamp, right: ChangeStamp) -> Bool {
        left.time == right.time ? left.device < right.device : left.time < right.time
    }
}
