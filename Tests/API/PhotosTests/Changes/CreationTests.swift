import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct CreationTests {
    @Test func photosAreMadeOfFiles() throws {
        let world = try ChangeWorld()
        let file = try world.photo(named: "Lake.JPG")
        var placeholder: PHObjectPlaceholder?
        try world.change {
            let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
            request?.isFavorite = true
            placeholder = request?.placeholderForCreatedAsset
        }
        let asset = try #require(world.assets.first)
        #expect(asset.localIdentifier == placeholder?.localIdentifier)
        #expect(asset.isFavorite)
        #expect(asset.mediaType == .image)
        #expect(asset.pixelWidth > 0)
        // Behavior 137.
        #expect(asset.extendedMetadata.originalFilename == "Lake.JPG")
        #expect(FileManager.default.fileExists(atPath: file.path))
        let stored = try #require(world.storedFiles.first)
        let copy = world.bundle.url.appendingPathComponent("originals/" + stored)
        #expect(FileManager.default.contentsEqual(atPath: file.path, andPath: copy.path))
    }

    @Test func photosAreMadeOfData() throws {
        let world = try ChangeWorld()
        let data = try Data(contentsOf: world.photo())
        try world.change {
            let options = PHAssetResourceCreationOptions()
            options.originalFilename = "Made.jpg"
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, data: data, options: options)
            options.originalFilename = "Later.jpg"
        }
        try world.change {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: nil)
        }
        let assets = world.assets
        #expect(assets.count == 2)
        let names = assets.compactMap(\.extendedMetadata.originalFilename)
        #expect(names.contains("Made.jpg"))
        #expect(names.allSatisfy { !$0.isEmpty })
    }

    /// The change has more files than a message to a daemon may have.
    @Test func manyPhotosAreMadeAtOnce() throws {
        let world = try ChangeWorld()
        let data = try Data(contentsOf: world.photo())
        try world.change {
            for number in 0..<70 {
                // Bytes after the end of the image make each file another one.
                PHAssetCreationRequest.forAsset()
                    .addResource(with: .photo, data: data + [UInt8(number)], options: nil)
            }
        }
        #expect(world.assets.count == 70)
        #expect(Set(world.storedFiles).count == 70)
    }

    /// Behavior 132.
    @Test func whatIsNoImageGivesNoRequest() throws {
        let world = try ChangeWorld()
        let text = world.folder.file("note.txt")
        try Data("Nothing to see".utf8).write(to: text)
        // Pains 3: the name is wrong, but the bytes count.
        let disguised = try world.photo(named: "photo.dat")
        let photo = try world.photo(named: "plain.jpg")
        let misnamed = world.folder.file("note.jpg")
        try Data("Nothing to see".utf8).write(to: misnamed)
        let wrong = world.folder.file("photo.mov")
        try FileManager.default.copyItem(at: photo, to: wrong)
        let remote = try #require(URL(string: "https://example.com/photo.jpg"))
        try world.change {
            func image(_ url: URL) -> PHAssetChangeRequest? {
                PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
            }
            #expect(image(text) == nil)
            #expect(image(misnamed) == nil)
            #expect(image(remote) == nil)
            #expect(
                PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: misnamed) == nil
            )
            #expect(PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: wrong) == nil)
            #expect(image(world.folder.file("absent.jpg")) == nil)
            #expect(image(disguised) != nil)
            #expect(
                PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: photo) == nil
            )
        }
        #expect(world.assets.count == 1)
    }

    /// Behavior 142.
    @Test func failuresHaveTheirCodes() throws {
        let world = try ChangeWorld()
        let text = world.folder.file("note.jpg")
        try Data("Nothing to see".utf8).write(to: text)
        let photo = try world.photo()
        let absent = world.folder.file("absent.jpg")
        func code(_ add: @escaping (PHAssetCreationRequest) -> Void) -> PHPhotosError.Code? {
            let failure = world.failure { add(PHAssetCreationRequest.forAsset()) }
            #expect(failure?.failureReason?.isEmpty == false)
            #expect(failure?.localizedDescription.contains("PHAssetCreationRequest") == true)
            return failure?.code
        }
        #expect(
            code { $0.addResource(with: .photo, fileURL: text, options: nil) } == .invalidResource
        )
        #expect(
            code { $0.addResource(with: .photo, fileURL: absent, options: nil) }
                == .missingResource
        )
        #expect(
            code { $0.addResource(with: .photo, data: Data(), options: nil) } == .invalidResource
        )
        #expect(code { _ in } == .missingResource)
        #expect(
            code { $0.addResource(with: .pairedVideo, fileURL: photo, options: nil) }
                == .changeNotSupported
        )
        #expect(world.assets.isEmpty)
        #expect(world.storedFiles.isEmpty)
    }

    /// Behaviors 135 and 140.
    @Test func combinationsAreKnownBefore() {
        func supports(_ types: PHAssetResourceType...) -> Bool {
            PHAssetCreationRequest.supportsAssetResourceTypes(
                types.map { NSNumber(value: $0.rawValue) }
            )
        }
        #expect(supports(.photo))
        #expect(supports(.video))
        #expect(supports(.photo, .pairedVideo))
        #expect(supports(.photo, .alternatePhoto))
        #expect(!supports())
        #expect(!supports(.pairedVideo))
        #expect(!supports(.photo, .photo))
        #expect(!PHAssetCreationRequest.supportsAssetResourceTypes([1001]))
        #expect(!PHAssetCreationRequest.supportsAssetResourceTypes([-3]))
    }

    // MARK: - Moving (behavior 136)

    private func move(_ url: URL, in world: ChangeWorld) -> PHPhotosError? {
        world.failure {
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            PHAssetCreationRequest.forAsset()
                .addResource(with: .photo, fileURL: url, options: options)
        }
    }

    @Test func movedFilesGoOnlyOnSuccess() throws {
        let world = try ChangeWorld()
        let photo = try world.photo()
        #expect(move(photo, in: world) == nil)
        #expect(!FileManager.default.fileExists(atPath: photo.path))
        #expect(world.assets.count == 1)
        let text = world.folder.file("note.jpg")
        try Data("Nothing to see".utf8).write(to: text)
        #expect(move(text, in: world)?.code == .invalidResource)
        #expect(FileManager.default.fileExists(atPath: text.path))
    }

    @Test func linkedAndOpenFilesAreNotMoved() throws {
        let world = try ChangeWorld()
        let linked = try world.photo(named: "linked.jpg")
        try FileManager.default.linkItem(at: linked, to: world.folder.file("other.jpg"))
        #expect(move(linked, in: world)?.code == .changeNotSupported)

        let open = try world.photo(1, named: "open.jpg")
        let handle = try FileHandle(forReadingFrom: open)
        #expect(move(open, in: world)?.code == .changeNotSupported)
        try handle.close()

        let link = world.folder.file("symbolic.jpg")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: open)
        #expect(move(link, in: world)?.code == .changeNotSupported)

        for url in [linked, open] { #expect(FileManager.default.fileExists(atPath: url.path)) }
        #expect(world.assets.isEmpty)
        #expect(move(open, in: world) == nil)
    }

    @Test func theLibrarysOwnFilesAreNotMoved() throws {
        let world = try ChangeWorld()
        #expect(move(try world.photo(), in: world) == nil)
        let stored = world.bundle.url.appendingPathComponent(
            "originals/" + (try #require(world.storedFiles.first))
        )
        #expect(move(stored, in: world)?.code == .changeNotSupported)
        #expect(FileManager.default.fileExists(atPath: stored.path))
    }

    @Test func filesOfOtherLibrariesAreNotMoved() throws {
        let world = try ChangeWorld()
        let ours = world.folder.file("Other.photolibrary")
        try PhotoLibraryBundle.create(at: ours)
        for library in [ours, world.folder.file("Apple.photoslibrary")] {
            let folder = library.appendingPathComponent("originals/a")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let photo = folder.appendingPathComponent("photo.jpg")
            let copy = try world.photo(named: library.lastPathComponent + ".jpg")
            try FileManager.default.moveItem(at: copy, to: photo)
            #expect(move(photo, in: world)?.code == .changeNotSupported)
            #expect(FileManager.default.fileExists(atPath: photo.path))
        }
        #expect(world.assets.isEmpty)
    }

    @Test func manyFilesFitInOneBlock() throws {
        let world = try ChangeWorld()
        let data = try Data(contentsOf: world.photo())
        try world.change {
            for number in 0..<40 {
                let options = PHAssetResourceCreationOptions()
                options.originalFilename = "\(number).jpg"
                PHAssetCreationRequest.forAsset()
                    .addResource(with: .photo, data: data, options: options)
            }
        }
        #expect(world.assets.count == 40)
        #expect(try world.bundle.version == 1)
    }
}
