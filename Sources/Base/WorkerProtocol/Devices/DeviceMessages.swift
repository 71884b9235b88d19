package import FoundationEssentials

/// The protocol version, which a host and `photos-device` exchange and compare first.
package enum DeviceProtocolVersion {
    package static let current = 2
}

/// A message from the host to `photos-device`.
///
/// No message changes a device. Names are bytes, since devices need not use UTF-8.
package enum DeviceRequest: Codable, Hashable, Sendable {
    /// The first message, which opens the connection.
    ///
    /// `folder` is the folder of a `disk:` port, the only folder of the user that the process may
    /// read; nil for other ports.
    case hello(version: Int, folder: String?)
    /// Finds the connected devices.
    case devices
    /// Opens a device; a connection opens at most one.
    case open(DeviceAddress)
    /// Lists a folder from the given position on.
    case list(folder: Data, from: Int)
    /// Copies a file of at most `limit` bytes into the file whose descriptor is sent with the
    /// message.
    ///
    /// Any number of `progress` replies precede the answer.
    case read(folder: Data, name: Data, limit: Int64)
}

/// A message from `photos-device` to the host.
package enum DeviceReply: Codable, Hashable, Sendable {
    case hello(version: Int, sandbox: SandboxReport)
    case devices([DeviceAddress])
    /// The device is open; `serial` is its serial number, or nil if the device does not state it.
    case opened(serial: String?)
    case page(DevicePage)
    /// The number of bytes read so far.
    case progress(Int64)
    /// The file was read completely; the value is its number of bytes.
    case read(Int64)
    case failed(DeviceFailure)
}

/// A device and its port, with the names that libgphoto2 uses.
package struct DeviceAddress: Codable, Hashable, Sendable {
    /// The name of the model, such as `Canon EOS R6`.
    package var model: String
    /// The port, such as `usb:001,005`, or `disk:` and a folder.
    package var port: String

    package init(model: String, port: String) {
        self.model = model
        self.port = port
    }
}

/// A part of the contents of a folder.
package struct DevicePage: Codable, Hashable, Sendable {
    /// The maximum number of entries in a page.
    package static let maximumEntries = 250
    /// The maximum length of a name in bytes; entries with longer names are omitted and counted in
    /// `refused`.
    package static let maximumName = 1024

    package var folders: [Data]
    package var files: [DeviceFile]
    /// The number of entries that were omitted because their names cannot be used.
    package var refused: Int
    /// The position of the next page; nil for the last one.
    package var next: Int?

    package init(folders: [Data], files: [DeviceFile], refused: Int, next: Int?) {
        self.folders = folders
        self.files = files
        self.refused = refused
        self.next = next
    }

    /// Returns whether a name can be used as the name of an entry.
    package static func isUsable(_ name: Data) -> Bool {
        !name.isEmpty && name.count <= maximumName && !name.contains(0)
            && !name.contains(UInt8(ascii: "/")) && name != Data(".".utf8)
            && name != Data("..".utf8)
    }
}

/// A file on a device.
package struct DeviceFile: Codable, Hashable, Sendable {
    package var name: Data
    /// The size in bytes; nil if the device does not state it.
    package var size: Int64?
    /// The modification time in seconds since 1970; nil if the device does not state it.
    package var time: Int64?

    package init(name: Data, size: Int64?, time: Int64?) {
        self.name = name
        self.size = size
        self.time = time
    }
}

/// The reason why a request about a device failed.
package struct DeviceFailure: Error, Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        /// Another program uses the device, or this user lacks the permission to use it.
        case busy
        /// The device was disconnected or does not answer.
        case lost
        /// The file or folder does not exist.
        case absent
        /// The file has more bytes than the limit.
        case tooLong
        /// The process `photos-device` cannot be started or confined, or its answer is invalid.
        case process
        case other
    }

    package var kind: Kind
    /// The message of libgphoto2 or of the system.
    package var words: String

    package init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = words
    }
}
