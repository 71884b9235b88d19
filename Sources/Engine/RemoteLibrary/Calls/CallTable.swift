package import BinaryCoding
package import LibraryService
package import PhotoModel

/// The calls that can be made over a connection.
///
/// There is one for each method of `LibraryService`, `ChangeService` and `AuthorizationService`,
/// except `close`, which ends the connection, and `openSession`, which needs a new connection. A
/// new method needs a property here, which a test enforces, and a line in
/// `CallingLibrary+Methods.swift`, which the compiler enforces.
package struct CallTable: Sendable {
    package static let shared = CallTable()

    // The library and its history.
    package let status = Call("status") { $0.status }
    package let limitFetches = Call("limitFetches") { $0.limitFetches }
    package let cancel = Call("cancel") { $0.cancel }
    package let history = Call("history") { $0.history }
    package let historyHorizon = Call("historyHorizon", changesLibrary: true) { $0.historyHorizon }
    package let verify = Call("verify", changesLibrary: true) { $0.verify }
    package let stage = Call("stage") { $0.stage }
    package let releaseTokens = Call("releaseTokens") { $0.releaseTokens }
    package let commit = Call("commit", changesLibrary: true) { $0.commit }
    package let undo = Call("undo", changesLibrary: true) { $0.undo }

    // The permission of the client.
    package let authorizationStatus = Call("authorizationStatus") { $0.authorizationStatus }
    package let requestAuthorization = Call("requestAuthorization") { $0.requestAuthorization }
    package let limitedSelection = Call("limitedSelection") { $0.limitedSelection }
    package let changeSelection = Call("changeSelection") { $0.changeSelection }

    // Assets and collections.
    package let fetch = Call("fetch") { $0.fetch }
    package let loadAssets = Call("loadAssets") { $0.loadAssets }
    package let countAssets = Call("countAssets") { $0.countAssets }
    package let captureDays = Call("captureDays") { $0.captureDays }
    package let searchFacets = Call("searchFacets") { $0.searchFacets }
    package let fetchCollections = Call("fetchCollections") { $0.fetchCollections }
    package let loadCollections = Call("loadCollections") { $0.loadCollections }
    package let findContent = Call("findContent") { $0.findContent }
    package let assetDigests = Call("assetDigests") { $0.assetDigests }
    package let duplicates = Call("duplicates") { $0.duplicates }

    // Snapshots and changes.
    package let subscribe = Call("subscribe") { $0.subscribe }
    package let pin = Call("pin") { $0.pin }
    package let unpin = Call("unpin") { $0.unpin }
    package let touched = Call("touched") { $0.touched }
    package let advance = Call("advance") { $0.advance }
    package let advanceHeld = Call("advanceHeld") { $0.advanceHeld }
    package let objectChanges = Call("objectChanges") { $0.objectChanges }

    // Files and images.
    package let listResources = Call("listResources") { $0.listResources }
    package let openResource = Call("openResource") { $0.openResource }
    package let cloudStates = Call("cloudStates") { $0.cloudStates }
    package let downloadResources = Call("downloadResources") { $0.downloadResources }
    package let keptMetadata = Call("keptMetadata") { $0.keptMetadata }
    package let image = Call("image") { $0.image }
    package let readyImages = Call("readyImages") { $0.readyImages }
    package let thumbnail = Call("thumbnail") { $0.thumbnail }
    package let imageData = Call("imageData") { $0.imageData }
    package let movieData = Call("movieData") { $0.movieData }
    package let adjustments = Call("adjustments") { $0.adjustments }
    package let renditionStatus = Call("renditionStatus") { $0.renditionStatus }
    package let buildRenditions = Call("buildRenditions") { $0.buildRenditions }
    package let dropRenditions = Call("dropRenditions", changesLibrary: true) { $0.dropRenditions }

    // Imports.
    package let identify = Call("identify") { $0.identify }
    package let fileDigests = Call("fileDigests") { $0.fileDigests(of:) }
    package let beginImport = Call("beginImport") { $0.beginImport }
    package let knownFiles = Call("knownFiles") { $0.knownFiles }
    package let importFiles = Call("importFiles", changesLibrary: true) { $0.importFiles }
    package let endImport = Call("endImport") { $0.endImport }
    package let openTakeout = Call("openTakeout") { $0.openTakeout }
    package let stepTakeout = Call("stepTakeout", changesLibrary: true) { $0.stepTakeout }
    package let beginMigration = Call("beginMigration") { $0.beginMigration }
    package let continueMigration = Call("continueMigration", changesLibrary: true) {
        $0.continueMigration
    }
    package let endMigration = Call("endMigration") { $0.endMigration }
    package let readerStatus = Call("readerStatus") { $0.readerStatus }
    package let refresh = Call("refresh", changesLibrary: true) { $0.refresh }

    /// All calls of the table.
    package static let all: [any AnyCall] = Mirror(reflecting: shared).children.compactMap {
        $0.value as? any AnyCall
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Performs the call of an encoded request and encodes the reply.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - service: The library.
    ///   - coder: The coder of the connection.
    ///   - peer: The name and version of the client's software, for errors.
    /// - Returns: The reply.
    /// - Throws: The error of the call, and `invalidRequest` for a malformed request.
    package static func respond(
        to message: EncodedMessage,
        with service: any LibraryService,
        coder: any WireCoder,
        peer: String
    ) throws(LibraryError) -> EncodedMessage {
        let heading = try heading(of: message, coder: coder, peer: peer)
        let call = try call(named: heading.call, peer: peer)
        return try call.respond(to: message, with: service, coder: coder, peer: peer)
    }

    /// Decodes the name of the call and the change identifier of an encoded request.
    ///
    /// - Throws: `invalidRequest` if it is malformed.
    package static func heading(
        of message: EncodedMessage,
        coder: any WireCoder,
        peer: String
    ) throws(LibraryError) -> CallHeading {
        do {
            return try coder.decode(CallHeading.self, from: message.body)
        } catch {
            throw LibraryError(
                .invalidRequest,
                "A request from \(peer) could not be read.",
                reason: CodingFailure.reason(error)
            )
        }
    }

    /// Returns the call with a given name.
    ///
    /// - Throws: `invalidRequest` if there is none.
    package static func call(
        named name: String,
        peer: String
    ) throws(LibraryError) -> any AnyCall {
        guard let call = byName[name] else {
            throw LibraryError(
                .invalidRequest,
                "The call “\(name)” of \(peer) is unknown.",
                recovery: "Use the same version of both programs."
            )
        }
        return call
    }
}
