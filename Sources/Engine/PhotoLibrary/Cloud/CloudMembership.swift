package import CloudSync
internal import GRDB
internal import PhotoModel

/// The membership of this library in a cloud library.
package struct CloudMembership: Hashable, Sendable {
    /// The UUID of the cloud library.
    package var library: String
    /// The identifier under which this device publishes changes.
    package var device: CloudID
    /// The device identifiers under which this device formerly published changes, oldest first.
    package var formerDevices: [CloudID]

    /// The device identifiers under which this device publishes changes, or did so.
    ///
    /// Changes that were made under a former one and not exported keep their stamps.
    var devices: Set<CloudID> { Set(formerDevices + [device]) }

    /// Reads the membership from the database; nil if the library has not joined a cloud library.
    ///
    /// - Throws: `corrupt` for names that cannot be read.
    init?(_ database: Database) throws {
        guard let library = try LibrarySetting.cloudLibrary.value(in: database),
            let notes = try LibraryTransaction.notes(database)
        else { return nil }
        self.library = library
        device = notes.device
        let names = try LibrarySetting.cloudFormerDevices.names(in: database)
        formerDevices = try names.map { name in
            guard let device = CloudID(hexadecimal: name) else {
                throw LibraryTransaction.unreadableDevice(name)
            }
            return device
        }
    }
}

/// Queries and changes of the membership, except for joining, which is in
/// `LibraryStore+Cloud.swift`.
extension LibraryStore {
    /// Returns the membership in a cloud library; nil if the library has not joined one.
    ///
    /// - Throws: `corrupt` if that cannot be read.
    package func cloudMembership() throws -> CloudMembership? {
        try read { try CloudMembership($0) }
    }

    /// Returns the UUIDs that identify this library in cloud identifiers, the preferred one first.
    ///
    /// The UUID of the joined cloud library is preferred, so that identifiers are equal on all
    /// devices. The library's own UUID and those of cloud libraries that it left remain valid.
    func libraryNames() throws -> [String] {
        let own = try libraryUUID()
        return try read { database in
            let present = try LibrarySetting.cloudLibrary.value(in: database)
            let left = try Self.formerLibraries(database)
            return [present.map(Self.name(ofCloudLibrary:)), own].compactMap(\.self)
                + left.filter { $0 != present }.map(Self.name(ofCloudLibrary:))
        }
    }

    /// Returns the UUIDs of the cloud libraries that this library left.
    private static func formerLibraries(_ database: Database) throws -> [String] {
        try LibrarySetting.cloudFormerLibraries.names(in: database)
    }

    private static func name(ofCloudLibrary library: String) -> String {
        CloudID(hexadecimal: library[...])?.uuid ?? library
    }

    /// Changes the device identifier under which future changes are published.
    ///
    /// This is needed after a restore from a backup, or when another computer publishes under the
    /// former identifier. Changes that were made under the former identifier and not exported keep
    /// it and are exported.
    ///
    /// - Parameter device: A name that no device has had; the present one changes nothing.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library, and
    ///   `invalidRequest` for a former name.
    package func continueCloud(as device: CloudID) throws {
        try alone { database in
            guard let membership = try CloudMembership(database) else {
                throw CloudExporter.notJoined
            }
            guard membership.device != device else { return }
            guard !membership.formerDevices.contains(device) else {
                throw LibraryError(
                    .invalidRequest,
                    "The library published under the name \(device.hexadecimal) before.",
                    recovery: "Choose a new name."
                )
            }
            let former = membership.formerDevices + [membership.device]
            try LibrarySetting.cloudFormerDevices.set(former.map(\.hexadecimal), in: database)
            try LibrarySetting.cloudDevice.set(device.hexadecimal, in: database)
        }
    }

    /// Resets the export, so that all changes ever made on this device are exported again.
    ///
    /// This is needed when the state of the cloud library's host was lost. Changes of other devices
    /// are not exported, since they came from the cloud library.
    ///
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library.
    package func restartCloudExport() throws {
        try alone { database in
            guard try CloudMembership(database) != nil else { throw CloudExporter.notJoined }
            try LibrarySetting.cloudExported.remove(in: database)
            try LibrarySetting.cloudExporting.remove(in: database)
        }
    }

    /// Removes the library from its cloud library, so that it can join any cloud library.
    ///
    /// Cloud identifiers, and the identifiers of assets that were united into one photo, remain
    /// valid.
    ///
    /// - Parameter abandoning: Whether files that are only in the cloud are given up. `verify` then
    ///   reports them as missing.
    /// - Throws: `changeNotSupported` if files are only in the cloud, or if the library has not
    ///   joined a cloud library.
    package func leaveCloud(abandoning: Bool = false) throws {
        try alone { database in
            let membership = try Self.endableMembership(database, abandoning: abandoning)
            try database.execute(
                sql: """
                    UPDATE resource SET presence = 0 WHERE presence <> 0;
                    DELETE FROM cloudStamp WHERE kind <> \(CloudStampTable.Kind.alias.rawValue);
                    DELETE FROM cloudPending;
                    """
            )
            let settings: [LibrarySetting] = [
                .cloudLibrary, .cloudDevice, .cloudFormerDevices, .cloudExported, .cloudExporting,
                .cloudRekeyed, .cloudRekeyedMembers, .cloudKeepFree, .cloudKeptAlbums,
            ]
            for setting in settings { try setting.remove(in: database) }
            var former = try Self.formerLibraries(database)
            if !former.contains(membership.library) { former.append(membership.library) }
            try LibrarySetting.cloudFormerLibraries.set(former, in: database)
        }
    }

    /// Checks whether the library can leave its cloud library, without changing anything.
    ///
    /// - Throws: The error that `leaveCloud(abandoning:)` would throw.
    package func checkLeaving(abandoning: Bool) throws {
        try read { database in
            _ = try Self.endableMembership(database, abandoning: abandoning)
        }
    }

    /// Returns the membership that ends if the library leaves its cloud library.
    ///
    /// - Throws: `changeNotSupported` if the library cannot leave.
    private static func endableMembership(
        _ database: Database,
        abandoning: Bool
    ) throws -> CloudMembership {
        guard let membership = try CloudMembership(database) else {
            throw CloudExporter.notJoined
        }
        let away = try AbsentFiles.count(in: database)
        guard away == 0 || abandoning else { throw wouldLose(away) }
        return membership
    }

    private static func wouldLose(_ count: Int) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            count == 1
                ? "1 file of the library is only in the cloud."
                : "\(count) files of the library are only in the cloud.",
            reason: "The library would lose them if it left the cloud library.",
            recovery: "Use photos cloud optimize off if originals were removed, and wait until all"
                + " have been downloaded, or leave without them."
        )
    }
}
