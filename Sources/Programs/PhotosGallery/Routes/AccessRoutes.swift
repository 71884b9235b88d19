internal import Hummingbird
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The routes for the permissions of programs.
struct AccessRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    private struct Choice: Decodable, Sendable {
        var program: String
        var readWrite: String?
        var addOnly: String?
        /// The UUIDs of the assets that a program with limited permission may see.
        var ids: [String]?
        /// Indicates whether a program that may see assets may also see hidden ones.
        var includesHidden: Bool?
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/access") { _, _ -> Response in
            .json(text: try await Blocking.run { try Self.programs() })
        }
        router.put("/api/access") { request, context -> Response in
            let choice = try await request.decoded(Choice.self)
            let view = gallery.view(for: context)
            let text = try await Blocking.run {
                try Self.choose(choice, view)
                gallery.access.notify()
                return try Self.programs()
            }
            return .json(text: text)
        }
    }

    private static func choose(_ choice: Choice, _ view: GalleryView) throws {
        let program = choice.program
        if choice.includesHidden == true { try view.requireHidden() }
        guard !program.isEmpty, program.utf8.count <= 4_096 else {
            throw RequestError.badRequest("program must be the identifier of a program.")
        }
        switch choice.readWrite {
        case nil: break
        case "authorized": try ProgramPermission.grant(program, for: .readWrite)
        case "denied": try ProgramPermission.revoke(program)
        case "notDetermined": try ProgramPermission.revoke(program, asksAgain: true)
        case "limited":
            let assets = try AssetMemory.assets(choice.ids ?? [], in: view.library)
            try ProgramPermission.limit(
                program,
                to: assets.map(\.localIdentifier),
                of: view.library
            )
        default:
            throw RequestError.badRequest(
                "readWrite must be authorized, limited, denied or notDetermined."
            )
        }
        switch choice.addOnly {
        case nil: break
        case "authorized": try ProgramPermission.grant(program, for: .addOnly)
        case "denied", "notDetermined":
            // Full permission includes adding, so this revokes both.
            let asksAgain = choice.addOnly == "notDetermined"
            try ProgramPermission.revoke(program, asksAgain: asksAgain)
        default:
            throw RequestError.badRequest("addOnly must be authorized, denied or notDetermined.")
        }
        if let includesHidden = choice.includesHidden {
            try ProgramPermission.setIncludesHidden(includesHidden, for: program)
        }
    }

    private static func programs() throws -> String {
        var object = JSONObject()
        object.add(
            "programs",
            try ProgramPermission.all().map { permission in
                var program = JSONObject()
                program.add("id", permission.program)
                program.add("name", permission.name ?? permission.program)
                program.add("readWrite", name(permission.readWrite))
                program.add("addOnly", name(permission.addOnly))
                program.add("selectedAssetCount", permission.selectedAssetCount)
                program.add("includesHidden", permission.includesHidden)
                return program
            }
        )
        return object.line
    }

    private static func name(_ status: PHAuthorizationStatus) -> String {
        switch status {
        case .authorized: "authorized"
        case .limited: "limited"
        case .denied: "denied"
        case .restricted: "restricted"
        default: "notDetermined"
        }
    }
}
