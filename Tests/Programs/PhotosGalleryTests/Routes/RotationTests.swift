import Foundation
import TestSupport
import Testing

/// The gallery's rotation of photos.
@Suite(.timeLimit(.minutes(2))) struct RotationTests {
    private static func turn(_ world: GalleryWorld, _ ids: [String], _ value: String) throws
        -> RawAnswer
    {
        let names = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return try world.change(
            "POST",
            "/api/changes",
            "{\"action\":\"rotate\",\"ids\":[\(names)],\"value\":\(value)}"
        )
    }

    @Test func photosAreTurnedTogetherAndBack() throws {
        let world = try GalleryWorld(photos: 20)
        try world.enter()
        let assets = try world.assets()
        let photos = assets.filter {
            $0["type"] as? String == "image" && $0["live"] as? Bool == false
                && $0["playbackStyle"] as? String == "image" && $0["burst"] is NSNull
        }.prefix(2)
        let ids = photos.compactMap { $0["id"] as? String }
        let movie = try #require(assets.first { $0["type"] as? String == "video" })
        let film = try #require(movie["id"] as? String)
        let turned = try Self.turn(world, ids + [film], "1")
        #expect(turned.status == 200, "\(turned.text)")
        #expect(turned.object["count"] as? Int == 2)
        for photo in photos {
            let after = try world.asset(try #require(photo["id"] as? String))
            #expect(after["width"] as? Int == photo["height"] as? Int)
            #expect(after["height"] as? Int == photo["width"] as? Int)
            #expect(after["adjusted"] as? Bool == true)
        }
        let undo = try #require(turned.object["undo"] as? String)
        #expect(try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}").status == 200)
        #expect(try world.asset(ids[0])["adjusted"] as? Bool == false)

        // After a full turn, the photo is the original again, not an edit without effect.
        #expect(try Self.turn(world, [ids[0]], "-1").status == 200)
        let edit = "/api/assets/\(ids[0])/edit"
        var recipe = try world.ask("GET", edit).object["recipe"] as? [String: Double]
        #expect(recipe == ["quarterTurns": 3])
        #expect(try Self.turn(world, [ids[0]], "1").status == 200)
        #expect(try world.asset(ids[0])["adjusted"] as? Bool == false)

        // Earlier edits are kept, and the crop applies to the rotated picture.
        let before = "{\"exposure\":0.5,\"crop\":{\"x\":0,\"y\":0,\"width\":0.5,\"height\":0.25}}"
        #expect(try world.change("PUT", world.edit(of: ids[0]), before).status == 200)
        #expect(try Self.turn(world, [ids[0]], "1").status == 200)
        let after = try world.ask("GET", edit)
        let known = try #require(after.object["recipe"] as? [String: Any], "\(after.text)")
        #expect(known["exposure"] as? Double == 0.5)
        #expect(known["quarterTurns"] as? Double == 1)
        recipe = known["crop"] as? [String: Double]
        #expect(recipe == ["x": 0.75, "y": 0, "width": 0.25, "height": 0.5])
    }

    /// The other photo of the rotation is a Live Photo, whose frames take longer than the edit.
    @Test func anEditThatIsSavedDuringARotationIsKept() throws {
        let world = try GalleryWorld(photos: 20)
        try world.enter()
        let assets = try world.assets()
        let photo = assets.first {
            $0["type"] as? String == "image" && $0["live"] as? Bool == false
                && $0["playbackStyle"] as? String == "image" && $0["burst"] is NSNull
        }
        let id = try #require(photo?["id"] as? String)
        let live = try #require(assets.first { $0["live"] as? Bool == true }?["id"] as? String)
        let edit = try world.edit(of: id)
        let body = "{\"action\":\"rotate\",\"ids\":[\"\(id)\",\"\(live)\"],\"value\":1}"
        let head = """
            POST /api/changes HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n\(world.proof())\
            Origin: \(world.origin)\r\nX-Photos-Gallery: 1\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n
            """
        let rotation = try RawConnection(port: world.port)
        rotation.send(Data((head + body).utf8))
        let saved = try world.change("PUT", edit, "{\"exposure\":1}")
        #expect(saved.status == 200, "\(saved.text)")
        let turned = try RawAnswer(rotation.exchange(Data()))
        #expect(turned.object["count"] as? Int == 2, "\(turned.text)")
        let path = "/api/assets/\(id)/edit"
        var recipe = try world.ask("GET", path).object["recipe"] as? [String: Double]
        #expect(recipe == ["exposure": 1, "quarterTurns": 1])
        // The rotation is one change.
        let undo = try #require(turned.object["undo"] as? String)
        #expect(try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}").status == 200)
        recipe = try world.ask("GET", path).object["recipe"] as? [String: Double]
        #expect(recipe == ["exposure": 1])
        #expect(try world.asset(live)["adjusted"] as? Bool == false)
    }

    @Test func whatCannotBeTurnedIsRefused() throws {
        let world = try GalleryWorld(photos: 20)
        try world.enter()
        let assets = try world.assets()
        let movie = try #require(
            assets.first { $0["type"] as? String == "video" }?["id"] as? String
        )
        let photo = try #require(
            assets.first { $0["type"] as? String == "image" }?["id"] as? String
        )
        #expect(try Self.turn(world, [movie], "1").code == "refused")
        for value in ["0", "4", "0.5", "\"1\"", "null"] {
            #expect(try Self.turn(world, [photo], value).code == "badRequest", "\(value)")
        }
        let deleted = try world.change(
            "POST",
            "/api/changes",
            "{\"action\":\"delete\",\"ids\":[\"\(photo)\"]}"
        )
        #expect(deleted.status == 200, "\(deleted.text)")
        #expect(try Self.turn(world, [photo], "1").code == "refused")
    }
}
