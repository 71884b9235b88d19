package import Foundation
package import PhotoModel

/// The origin of changes that were made on another device and are applied to this library.
package struct RemoteOrigin: Hashable, Sendable {
    package var author: String
    /// The device that made the changes.
    package var device: String
    /// The time at which the changes were made on that device.
    ///
    /// It is also the time of the transaction that applies the changes.
    package var time: Date
    /// The time of the changes on the hybrid logical clock, which orders the changes of all
    /// devices.
    package var stamp: HybridTime

    package init(author: String, device: String, time: Date, stamp: HybridTime) {
        self.author = author
        self.device = device
        self.time = time
        self.stamp = stamp
    }
}
