import Foundation
import Photos
import PhotosManagement
import Testing

/// The loop of "Reading resources" for every kind of asset: it writes all files to one folder, byte
/// for byte, and an asset has one set of adjustments.
@Suite(.timeLimit(.minutes(5))) struct ResourceLoopTests {
    /// Writes all resources of an asset as the documentation does.
    ///
    /// - Returns: The names of the files, in the order of the resources.
    @discardableResult
    private static func write(_ asset: PHAsset) async throws -> [String] {
        let home = try Folder()
        let folder = home.url
        let resources = PHAssetResource.assetResources(for: asset)
        for resource in resources {
            let file = folder.appendingPathComponent(resource.originalFilename)
            try await PHAssetResourceManager.default().writeData(
                for: resource,
                toFile: file,
                options: nil
            )
            #expect(try Data(contentsOf: file).count == resource.dataSize)
        }
        let names = resources.map(\.originalFilename)
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(written.sorted() == names.sorted())
        // Some volumes ignore letter case.
        #expect(Set(names.map { $0.lowercased() }).count == names.count, "\(names)")
        #expect(resources.count { $0.type == .adjustmentData } <= 1, "\(resources)")
        #expect(resources.first?.originalFilename == asset.extendedMetadata.originalFilename)
        #expect(resources.map { $0.value(forKey: "originalFilename") as? String } == names)
        return names
    }

    @Test("Every imported kind: plain, RAW and JPEG, Live Photo, AAE, sidecar, burst, movie")
    func importedKinds() async throws {
        let library = try FilesLibrary.shared.get()
        var types: Set<[PHAssetResourceType]> = []
        var bursts = 0
        for asset in try library.assets() {
            try await Self.write(asset)
            types.insert(PHAssetResource.assetResources(for: asset).map(\.type))
            if asset.burstIdentifier != nil { bursts += 1 }
        }
        #expect(bursts > 1)
        #expect(types.contains([.photo]) && types.contains([.video]))
        for type in [
            PHAssetResourceType.alternatePhoto, .pairedVideo, .adjustmentData, .unnamed(1001),
        ] {
            #expect(types.contains { $0.contains(type) }, "\(type)")
        }
    }

    @Test func editedPhoto() async throws {
        let editing = try EditingWorld()
        let asset = try editing.addPhoto()
        try editing.save(EditingWorld.rendering(), of: asset)
        let edited = try editing.world.now(asset)
        let names = ["Lake 0.JPG", "Lake 0-edited.JPG", "Lake 0.AAE"]
        #expect(try await Self.write(edited) == names)
        // Another editor's result keeps it.
        try editing.save(
            EditingWorld.rendering(8),
            of: edited,
            EditingWorld.adjustments(of: "other.editor")
        )
        #expect(
            try await Self.write(edited) == [
                "Lake 0.JPG", "Lake 0-edited.JPG", "Lake 0-base.JPG", "Lake 0.AAE",
            ]
        )
    }

    @Test func editedRAWAndJPEG() async throws {
        let editing = try EditingWorld()
        let pair = try #require(try ChangeWorld.samples.get().rawPair)
        let asset = try editing.add([(.photo, pair.jpeg), (.alternatePhoto, pair.raw)])
        try editing.save(EditingWorld.rendering(), of: asset)
        let stem = pair.jpeg.deletingPathExtension().lastPathComponent
        #expect(
            try await Self.write(editing.world.now(asset)) == [
                pair.jpeg.lastPathComponent, pair.raw.lastPathComponent, "\(stem)-edited.JPG",
                "\(stem).AAE",
            ]
        )
    }

    @Test func editedLivePhoto() async throws {
        let editing = try EditingWorld()
        let files = try LiveFiles.sample()
        let asset = try editing.add(files)
        let (context, input) = try editing.context(asset)
        context.frameProcessor = { frame, _ in
            frame.image.applyingFilter("CIPhotoEffectNoir")
        }
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments()
        try await context.saveLivePhoto(to: output)
        try editing.world.change {
            PHAssetChangeRequest(for: asset).contentEditingOutput = output
        }
        let edited = try editing.world.now(asset)
        let stem = files.still.deletingPathExtension().lastPathComponent
        #expect(
            try await Self.write(edited) == [
                files.still.lastPathComponent, files.movie.lastPathComponent,
                "\(stem)-edited.JPG", "\(stem)-edited.MOV", "\(stem).AAE",
            ]
        )
        // The Live Photo itself names both files alike.
        let live = try #require(try editing.input(edited).livePhoto)
        #expect(
            PHAssetResource.assetResources(for: live).map(\.originalFilename) == [
                "\(stem)-edited.JPG", "\(stem)-edited.MOV",
            ]
        )
    }

    @Test func editedMovie() async throws {
        let editing = try EditingWorld()
        let movie = try #require(try ChangeWorld.samples.get().movies.first)
        let asset = try editing.add([(.video, movie)])
        try editing.save(movie, of: asset)
        let stem = movie.deletingPathExtension().lastPathComponent
        #expect(
            try await Self.write(editing.world.now(asset)) == [
                movie.lastPathComponent, "\(stem)-edited.MOV", "\(stem).AAE",
            ]
        )
    }

    /// Pains 4: a program's copy of an edited asset has the names that the asset declares.
    @Test func copyOfAnEditedPhotoKeepsItsNames() async throws {
        let editing = try EditingWorld()
        let photo = try editing.world.photo(0, named: "IMG_1.JPG")
        let rendering = try editing.world.photo(7, named: "FullSizeRender.jpg")
        let envelope = editing.world.folder.file("Adjustments.plist")
        let members: [String: Any] = [
            "adjustmentData": Data("noir".utf8), "adjustmentFormatIdentifier": "test.editor",
            "adjustmentFormatVersion": "1", "adjustmentBaseVersion": 0,
        ]
        try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
            .write(to: envelope)
        let asset = try editing.add([
            (.photo, photo), (.fullSizePhoto, rendering), (.adjustmentData, envelope),
        ])
        #expect(
            try await Self.write(asset) == ["IMG_1.JPG", "FullSizeRender.jpg", "Adjustments.plist"]
        )
    }

    /// A suffix does not make a name too long for a file system.
    @Test func longestNames() async throws {
        let editing = try EditingWorld()
        let name = String(repeating: "é", count: 125) + "a.JPG"
        #expect(name.utf8.count == 255)
        let asset = try editing.add([(.photo, editing.world.photo(0, named: name))])
        try editing.save(EditingWorld.rendering(), of: asset)
        let names = try await Self.write(editing.world.now(asset))
        #expect(names[0] == name && names[1].hasSuffix("é-edited.JPG"))
        #expect(names.allSatisfy { $0.utf8.count <= 255 })
    }

    @Test("Imported adjustments give way to an edit, undo brings them back, a revert does not")
    func importedAdjustments() async throws {
        let editing = try EditingWorld()
        let folder = try Folder()
        let photo = folder.file("IMG_1.JPG")
        try FileManager.default.copyItem(at: EditingWorld.rendering(3), to: photo)
        let members: [String: Any] = [
            "adjustmentData": Data("noir".utf8), "adjustmentFormatIdentifier": "com.apple.photo",
            "adjustmentFormatVersion": "1.4", "adjustmentBaseVersion": 0,
        ]
        let envelope = folder.file("IMG_1.AAE")
        try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
            .write(to: envelope)
        let bundle = editing.world.bundle
        _ = try LibraryImport(library: bundle, paths: [SourcePath(folder.url.path)]).run { _ in }
        let asset = try #require(editing.world.assets.first)
        #expect(try await Self.write(asset) == ["IMG_1.JPG", "IMG_1.AAE"])
        func adjustments() throws -> Data {
            try Data(contentsOf: editing.file(.adjustmentData, of: asset))
        }
        let imported = try Data(contentsOf: envelope)
        #expect(try adjustments() == imported)

        try editing.save(EditingWorld.rendering(), of: asset)
        let edited = ["IMG_1.JPG", "IMG_1-edited.JPG", "IMG_1.AAE"]
        #expect(try await Self.write(editing.world.now(asset)) == edited)
        let ours = try adjustments()
        #expect(ours != imported)
        // Back and forth, any number of times.
        for _ in 0..<2 {
            try bundle.undo()
            #expect(try await Self.write(editing.world.now(asset)) == ["IMG_1.JPG", "IMG_1.AAE"])
            #expect(try adjustments() == imported)
            try bundle.redo()
            #expect(try await Self.write(editing.world.now(asset)) == edited)
            #expect(try adjustments() == ours)
        }
        try editing.world.change {
            PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
        }
        #expect(try await Self.write(editing.world.now(asset)) == ["IMG_1.JPG"])
        try bundle.undo()
        #expect(try await Self.write(editing.world.now(asset)) == edited)
        #expect(try editing.findings() == [])
    }

    @Test("Behavior 159: a revert keeps what the camera applied")
    func adjustmentsOfTheCamera() async throws {
        let editing = try EditingWorld()
        let folder = try Folder()
        let photo = folder.file("IMG_1853.JPG")
        try FileManager.default.copyItem(at: EditingWorld.rendering(3), to: photo)
        let members: [String: Any] = [
            "adjustmentData": Data("depth".utf8), "adjustmentFormatIdentifier": "com.apple.photo",
            "adjustmentFormatVersion": "1.4", "adjustmentBaseVersion": 0,
        ]
        try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
            .write(to: folder.file("IMG_O1853.AAE"))
        _ = try LibraryImport(
            library: editing.world.bundle,
            paths: [SourcePath(folder.url.path)]
        ).run { _ in }
        let asset = try #require(editing.world.assets.first)
        let before = ["IMG_1853.JPG", "IMG_O1853.AAE"]
        #expect(try await Self.write(asset) == before)
        try editing.save(EditingWorld.rendering(), of: asset)
        let edited = try editing.world.now(asset)
        #expect(
            try await Self.write(edited) == ["IMG_1853.JPG", "IMG_1853-edited.JPG", "IMG_1853.AAE"]
        )
        // They remain a part of the original.
        let target = try Folder()
        let files = try AssetExport(to: target.url).export(edited)
        #expect(files.map { ($0.path as NSString).lastPathComponent } == before)
        try editing.world.change {
            PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
        }
        #expect(try await Self.write(editing.world.now(asset)) == before)
        #expect(try editing.findings() == [])
    }
}
