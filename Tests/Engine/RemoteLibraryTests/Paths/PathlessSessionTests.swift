import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import RemoteLibrary

/// What a client that does not own the library receives names no place of the computer.
@Suite(.timeLimit(.minutes(2))) struct PathlessSessionTests {
    private static let library = "/home/ada/Photos.photolibrary"
    private static let file = library + "/originals/ab/cd.jpg"

    /// The texts that are content of the library, identifiers or words of the program.
    ///
    /// Each has the key above it, and is passed on whatever it says. Paths among them are below the
    /// folder of a library, an export or a volume.
    private static let content = Set(
        """
        _0.adjustmentFormatIdentifier _0.burstIdentifier _0.caption _0.contentIdentifier
        _0.contentType _0.identifiers _0.keywords _0.locationNames _0.originalFilename _0.title _0.uuid
        adjustments.formatIdentifier adjustments.formatVersion assetDigests.digests
        assetDigests.libraries assets.adjustmentFormatIdentifier assets.burstIdentifier assets.caption
        assets.contentIdentifier assets.contentType assets.keywords assets.originalFilename
        assets.title assets.uuid beginMigration.generation buildRenditions.made camera.lens
        camera.make camera.model camera.software cameras.make cameras.model captureTime.wallTime
        changeSelection.added changes.properties changes.property changes.uuid
        collections.locationNames collections.title collections.uuid collectionsSkipped.keys
        damage.identifiers error.identifiers failures.localIdentifier fileDigests.digests
        findings.kind findings.localIdentifier hiddenRefusal.identifiers keptMetadata.unreadable
        limitedSelection.assetUUIDs line.item line.localIdentifier line.path line.volume lines.item
        lines.localIdentifier lines.path lines.volume matches.localIdentifier metadata.keywordPaths
        metadata.label metadata.people metadata.placeNames missingChanges.identifiers notes.code
        outcomes.filename outcomes.localIdentifier place.city place.country place.countryCode
        place.state place.sublocation places.city places.country places.countryCode places.region
        refusal.identifiers regions.description regions.name regions.type resource.assetUUID
        resource.contentType resource.originalFilename resource.path resource.sha256 resource.uuid
        resources.assetUUID resources.contentType resources.originalFilename resources.path
        resources.sha256 resources.uuid reused.keys reused.values status.libraryUUID text._0
        texts._0 undone.author versions.author
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    private let seed = TestSeed()

    // MARK: - Replies

    /// A new text in a reply needs a line in `ConcealingPaths.swift` or in the list above.
    @Test(arguments: CallTable.all.map(\.name))
    func replyNamesThePlaceInContentOnly(_ name: String) throws {
        let row = try #require(CallTable.all.first { $0.name == name } as? any ConcealedCall)
        var generator = seed.generator
        for _ in 0..<40 {
            let fabrication = Fabrication(seed: generator.next(), text: Self.file)
            let json = try row.concealedReply(fabrication, library: Self.library)
            let object = try JSONSerialization.jsonObject(
                with: Data(json),
                options: .fragmentsAllowed
            )
            let found = Self.places(in: object, at: [name])
            #expect(found.subtracting(Self.content).isEmpty, seed.comment)
        }
    }

    /// Returns where a value contains the place of the library, as the last two keys.
    private static func places(in value: Any, at keys: [String]) -> Set<String> {
        let place = keys.suffix(2).joined(separator: ".")
        switch value {
        case let text as String: return text.contains("/home/ada") ? [place] : []
        case let list as [Any]:
            return list.reduce(into: []) { $0.formUnion(places(in: $1, at: keys)) }
        case let map as [String: Any]:
            return map.reduce(into: []) { found, entry in
                let isPlace = entry.key.contains("/home/ada")
                if isPlace { found.insert((keys + ["keys"]).suffix(2).joined(separator: ".")) }
                let next = keys + [isPlace ? "values" : entry.key]
                found.formUnion(places(in: entry.value, at: next))
            }
        default: return []
        }
    }

    @Test func filesAreNamedBelowTheLibrary() {
        let paths = ConcealedPaths(library: Self.library)
        #expect(
            paths.text("“\(Self.file)” is missing.")
                == "“Photos.photolibrary/originals/ab/cd.jpg” is missing."
        )
        #expect(paths.text("In \(Self.library).") == "In Photos.photolibrary.")
        #expect(
            paths.text("/home/ada/Other is another place.") == "/home/ada/Other is another place."
        )
        #expect(ConcealedPaths(library: "/").text("a/b") == "a/b")
        #expect(ConcealedPaths(library: nil).text("a/b") == "a/b")
    }

    @Test func linkedLibraryHasTwoNames() throws {
        let folder = try TemporaryFolder("photos-link")
        let real = folder.file("Real.photolibrary")
        let link = folder.file("Link.photolibrary")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        let paths = ConcealedPaths(library: link.path)
        let resolved = real.resolvingSymlinksInPath().path
        #expect(
            paths.text("\(link.path)/a and \(resolved)/b")
                == "Link.photolibrary/a and Real.photolibrary/b"
        )
    }

    // MARK: - Errors

    @Test func errorLosesItsPath() {
        let error = LibraryError(
            .inputOutput,
            "Could not read \(Self.file).",
            reason: "\(Self.library) is on a broken disk.",
            recovery: "Check /srv/state/access.json, or \(Self.library).",
            path: "/srv/state/access.json",
            identifiers: ["a"]
        )
        let concealed = ConcealedPaths(library: Self.library).error(error)
        let expected = LibraryError(
            .inputOutput,
            "Could not read Photos.photolibrary/originals/ab/cd.jpg.",
            reason: "Photos.photolibrary is on a broken disk.",
            recovery: "Check access.json, or Photos.photolibrary.",
            identifiers: ["a"]
        )
        #expect(concealed == expected)
    }

    @Test func errorOfACallIsConcealed() throws {
        let base = FailingLibrary(
            LibraryError(.corrupt, "\(Self.library) is damaged.", path: Self.library)
        )
        let session = try PathlessSession(base)
        for make: () throws -> Void in [
            { _ = try session.fetch(AssetFetchRequest()) },
            { _ = try session.openSession(SessionRequest()) },
        ] {
            let error = #expect(throws: LibraryError.self) { try make() }
            #expect(error == LibraryError(.corrupt, "Photos.photolibrary is damaged."))
        }
        #expect(try session.status().path == nil)
    }

    @Test func errorRepeatsThePathThatTheClientStated() throws {
        let own = "/home/ada/Desktop/new.jpg"
        let error = LibraryError(.invalidResource, "\(own) cannot be decoded.", path: own)
        let session = try PathlessSession(FailingLibrary(error))
        let file = try TestDescriptors.memory(1)
        var request = StageRequest(type: .photo)
        #expect(throws: LibraryError(.invalidResource, "new.jpg cannot be decoded.")) {
            try session.stage(request, file: file)
        }
        request.path = own
        #expect(throws: error) { try session.stage(request, file: file) }
    }

    @Test func sessionWithoutAStatusIsClosed() {
        let base = FailingLibrary(LibraryError(.corrupt, "It is damaged."), hasStatus: false)
        #expect(throws: LibraryError.self) { try PathlessSession(base) }
        #expect(base.isClosed)
    }
}

/// A library of which no call but the status succeeds.
private final class FailingLibrary: CallingLibrary {
    private let error: LibraryError
    private let hasStatus: Bool
    private let closed = Monitor(false)

    init(_ error: LibraryError, hasStatus: Bool = true) {
        self.error = error
        self.hasStatus = hasStatus
    }

    var isClosed: Bool { closed.withLock { $0 } }

    func close() { closed.update { $0 = true } }

    func status() throws(LibraryError) -> LibraryStatus {
        guard hasStatus else { throw error }
        return LibraryStatus(path: "/home/ada/Photos.photolibrary", version: 1, readOnlyReason: nil)
    }

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        throw error
    }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        throw error
    }
}

/// A row whose reply can be fabricated without knowing its type.
private protocol ConcealedCall {
    func concealedReply(_ fabrication: Fabrication, library: String) throws -> [UInt8]
}

extension Call: ConcealedCall {
    fileprivate func concealedReply(
        _ fabrication: Fabrication,
        library: String
    ) throws -> [UInt8] {
        let reply = try fabrication.value(Reply.self)
        return try JSONCoder().encode(ConcealedPaths(library: library).concealed(reply))
    }
}
