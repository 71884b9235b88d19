internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions

extension ChangeRecorder {
    /// Returns the UUIDs of objects that a client passed to a change request, in the same order.
    ///
    /// Objects, placeholders and test doubles are identified by their local identifiers. An object
    /// of any other kind makes the block fail.
    func uuids(
        _ elements: any NSFastEnumeration,
        of kinds: Set<ObjectKind>,
        in call: String
    ) -> [String] {
        var uuids: [String] = []
        for element in NSFastEnumerationIterator(elements) {
            guard let uuid = uuid(element, of: kinds, in: call) else { return [] }
            uuids.append(uuid)
        }
        return uuids
    }

    /// Returns the UUID of an object, or nil if the object cannot be part of a change.
    ///
    /// Such an object makes the block fail.
    func uuid(_ element: Any, of kinds: Set<ObjectKind>, in call: String) -> String? {
        let wanted = kinds.contains(.asset) ? "photo or video" : "album or folder"
        guard let object = element as? PHObject else {
            fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "One of the elements is of the type \(type(of: element)) instead of \(wanted).",
                    recovery: "Pass fetched objects or placeholders."
                )
            )
            return nil
        }
        guard let identifier = LocalIdentifier(object.localIdentifier) else {
            fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "\(object) belongs to no library.",
                    recovery: "Pass fetched objects or placeholders.",
                    identifiers: [object.localIdentifier].filter { !$0.isEmpty }
                )
            )
            return nil
        }
        guard kinds.contains(identifier.kind) else {
            fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "\(object) is of the kind \(identifier.kind) instead of \(wanted).",
                    recovery: "Pass objects of this kind.",
                    identifiers: [identifier.description]
                )
            )
            return nil
        }
        if let members = (object as? PHAssetCollection)?.members?.localIdentifier
            ?? (object as? PHCollectionList)?.members?.localIdentifier
        {
            fail(
                call,
                LibraryError(
                    .changeNotSupported,
                    "\(members) is a transient collection, which cannot be changed or stored.",
                    recovery: "Create an album or a folder in the library.",
                    identifiers: [members]
                )
            )
            return nil
        }
        return identifier.uuid
    }

    /// Returns the row ids of the objects in a fetch result, for a change request whose indexes
    /// refer to that fetch result.
    ///
    /// See behavior 128.
    func basis<Object: PHObject>(_ result: PHFetchResult<Object>, in call: String) -> RowIDBuffer {
        guard let track = result.objects?.track else {
            return RowIDBuffer((0..<result.count).compactMap { result[$0].rowID })
        }
        if track.connection !== connection, !isSameLibrary(track.connection) {
            fail(
                call,
                LibraryError(
                    .invalidRequest,
                    "The fetch result belongs to another library.",
                    recovery: "Fetch from the library of the change block."
                )
            )
        }
        return track.own.ids
    }

    private func isSameLibrary(_ other: LibraryConnection) -> Bool {
        let mine = try? connection.service().status().libraryUUID
        return mine != nil && mine == (try? other.service().status().libraryUUID)
    }
}
