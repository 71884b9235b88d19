package import CloudSync
internal import GRDB
internal import PhotoModel

/// The cloud library of which a library is a part.
package struct CloudMembership: Hashable, Sendable {
    /// The UUID of the cloud library.
    package var library: String
    /// The name under which this device publishes.
    package var device: CloudID
    /// The names under which it published before, the oldest first.
    package var formerDevices: [CloudID]

    /// Reads the membership; nil for a library that has not joined a cloud library.
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

/// Joining is in `LibraryStore+Cloud.swift`.
extension LibraryStore {
    /// Returns the cloud library of which this library is a part; nil for none.
    ///
    /// - Throws: `corrupt` if that cannot be read.
    package func cloudMembership() throws -> CloudMembership? {
        try read { try CloudMembership($0) }
    }

    /// Returns the UUIDs that name this library in cloud identifiers.
    ///
    /// The first is that of the cloud library of which it is a part, so that identifiers are equal
    /// on all devices. The library's own and those of cloud libraries that it left stay valid.
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

    /// Publishes under a new name from now on, as after a restore from a backup or when another
    /// computer publishes under the former name.
    ///
    /// Changes that were made under the former name and not exported keep it and are exported.
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

    /// Makes the next exports contain everything that was ever changed here, as after the state of
    /// the cloud library's host was lost.
    ///
    /// What other devices changed is not exported: it reached this library through the store.
    ///
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library.
    package func restartCloudExport() throws {
        try alone { database in
            guard try CloudMembership(database) != nil else { throw CloudExporter.notJoined }
            try LibrarySetting.cloudExported.remove(in: database)
            try LibrarySetting.cloudExporting.remove(in: database)
        }
    }

    /// Makes the library an ordinary one again, which can join any cloud library.
    ///
    /// Identifiers of photos that became one, and cloud identifiers, continue to answer.
    ///
    /// - Parameter abandoning: Whether files that are only in the cloud are given up. `verify` then
    ///   reports them as missing.
    /// - Throws: `changeNotSupported` if files are only in the cloud, or if the library has not
    ///   joined a cloud library.
    package func leaveCloud(abandoning: Bool = false) throws {
        try alone { database in
            guard let membership = try CloudMembership(database) else {
                throw CloudExporter.notJoined
            }
            let away = try AbsentFiles.count(in: database)
            guard away == 0 || abandoning else { throw Self.wouldLose(away) }
            try database.execute(
                sql: """
                    UPDATE resource SET presence = 0 WHERE presence <> 0;
                    DELETE FROM cloudStamp WHERE kind <> \(CloudStampTable.Kind.alias.rawValue);
                    DELETE FROM cloudPending;
                    """
            )
            let settings: [LibrarySetting] = [
                .cloudLibrary, .cloudDevice, .cloudFormerDevices, .cloudExported, .cloudExporting,
                .cloudRekeyed, .cloudKeepFree, .cloudKeptAlbums,
            ]
            for setting in settings { try setting.remove(in: database) }
            var former = try Self.formerLibraries(database)
            if !former.contains(membership.library) { former.append(membership.library) }
            try LibrarySetting.cloudFormerLibraries.set(former, in: database)
        }
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
