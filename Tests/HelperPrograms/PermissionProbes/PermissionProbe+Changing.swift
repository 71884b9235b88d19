internal import FoundationEssentials
internal import LibraryService
internal import PhotoModel

extension PermissionProbe {
    /// All probes, in the order in which they are made; the owner then restores the assets.
    package static let all = permission + reading + files + owners + changing

    /// The calls for the permission itself; nobody can be asked.
    private static let permission: [PermissionProbe] = [
        PermissionProbe("authorizationStatus") { service, _ in
            try AccessLevel.allCases.map { level in
                let request = AuthorizationStatusRequest(level: level)
                return try service.authorizationStatus(request).status.rawValue
            }.joined(separator: " ")
        },
        PermissionProbe("requestAuthorization") { service, _ in
            try AccessLevel.allCases.map { level in
                let request = AuthorizationRequest(level: level)
                return try service.requestAuthorization(request).status.rawValue
            }.joined(separator: " ")
        },
        .assets("limitedSelection") { service, asset in
            try service.limitedSelection().assetUUIDs?.contains(asset.uuid) ?? false
        },
        PermissionProbe("changeSelection") { service, _ in
            try service.changeSelection().added.isEmpty ? "nothing" : "added"
        },
    ]

    /// The calls for clients with access to everything.
    private static let owners: [PermissionProbe] = [
        .act("beginImport") { service, _ in
            let reply = try service.beginImport(ImportSessionRequest())
            try service.endImport(ImportEndRequest(session: reply.session))
        },
        .act("knownFiles") { service, _ in
            _ = try service.knownFiles(
                KnownFilesRequest(session: importSession(service), files: [])
            )
        },
        .act("importFiles") { service, _ in
            let request = ImportFilesRequest(session: importSession(service), files: [])
            _ = try service.importFiles(request, files: [])
        },
        .act("endImport") { service, _ in
            try service.endImport(ImportEndRequest(session: importSession(service)))
        },
        .act("openTakeout") { service, _ in
            let request = TakeoutOpenRequest(session: importSession(service), sources: [])
            _ = try service.openTakeout(request, files: [])
        },
        // Nothing was opened.
        .act("stepTakeout") { service, _ in
            _ = try service.stepTakeout(TakeoutStepRequest(session: importSession(service)))
        },
        // The folder is no library of another program.
        .act("beginMigration") { service, _ in
            let request = MigrationBeginRequest(
                path: "/",
                volumes: [],
                options: MigrationOptions()
            )
            _ = try service.beginMigration(request, files: [])
        },
        // There is no migration.
        .act("continueMigration") { service, _ in
            _ = try service.continueMigration(MigrationStepRequest(migration: -1))
        },
        .act("endMigration") { service, _ in
            try service.endMigration(MigrationEndRequest(migration: -1))
        },
        .act("verify") { service, _ in
            _ = try service.verify(VerifyRequest(isFull: false, repairs: false))
        },
        .act("verify: from another copy") { service, _ in
            _ = try service.verify(VerifyRequest(isFull: false, repairs: true, donor: "/none"))
        },
        .act("refresh") { service, _ in _ = try service.refresh(RefreshRequest(isDryRun: true)) },
        .act("historyHorizon: set") { service, _ in
            _ = try service.historyHorizon(HistoryHorizonRequest(days: 400))
        },
        .act("buildRenditions") { service, _ in
            _ = try service.buildRenditions(RenditionBuildRequest(side: 256))
        },
        .act("dropRenditions") { service, _ in try service.dropRenditions() },
    ]

    /// The calls that change the library.
    private static let changing: [PermissionProbe] = [
        .act("stage") { service, subjects in
            let reply = try service.stage(StageRequest(type: .photo), file: file(subjects.photo))
            try service.releaseTokens(ReleaseTokensRequest(tokens: [reply.token]))
        },
        // There is no such file.
        .act("releaseTokens") { service, _ in
            try service.releaseTokens(ReleaseTokensRequest(tokens: [FileToken(-1)]))
        },
        .act("commit: create an album") { service, _ in
            let creation = CollectionCreation(
                uuid: UUID().uuidString,
                kind: .album,
                title: "Probe"
            )
            try commit(.createCollection(creation), service)
        },
        .act("undo") { service, _ in _ = try service.undo(UndoRequest()) },
        .act("commit: rename an album") { service, subjects in
            try commit(.retitleCollection(uuid: subjects.album, title: "All"), service)
        },
        .act("commit: add a photo") { service, subjects in
            let creation = AssetCreation(
                uuid: UUID().uuidString,
                resources: [ResourceCreation(type: .photo, file: FileToken(0))]
            )
            try commit(.createAsset(creation), service, files: [file(subjects.photo)])
        },
        .assets("commit: make a favorite") { service, asset in
            var edit = AssetEdit()
            edit.isFavorite = true
            try commit(.editAsset(uuid: asset.uuid, edit), service)
            return true
        },
        .assets("commit: delete") { service, asset in
            try commit(.deleteAssets([asset.uuid]), service)
            return true
        },
    ]
}
