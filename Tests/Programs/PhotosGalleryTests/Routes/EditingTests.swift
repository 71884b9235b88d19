import Foundation
import TestSupport
import Testing

/// The gallery's edits of photos, through raw requests over sockets.
@Suite(.timeLimit(.minutes(2))) struct EditingTests {
    private static func recipe(_ json: String) -> String {
        Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private static func assets(_ world: GalleryWorld) throws -> [[String: Any]] {
        let timeline = try world.ask("GET", "/api/timeline")
        let snapshot = try #require(timeline.object["snapshot"] as? String, "\(timeline.text)")
        let page = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=500")
        return try #require(page.object["assets"] as? [[String: Any]], "\(page.text)")
    }

    @Test func editsAreTriedSavedTakenBackAndReverted() throws {
        let world = try GalleryWorld()
        try world.enter()
        let before = try #require(
            try Self.assets(world).first { $0["type"] as? String == "image" }
        )
        let id = try #require(before["id"] as? String)
        let width = try #require(before["width"] as? Int)
        let height = try #require(before["height"] as? Int)
        let edit = "/api/assets/\(id)/edit"
        let fresh = try world.ask("GET", edit)
        #expect(fresh.object["editable"] as? Bool == true, "\(fresh.text)")
        #expect(fresh.object["recipe"] is NSNull)

        // A preview changes nothing, and is rotated as requested.
        let turned = Self.recipe("{\"quarterTurns\":1,\"effect\":\"noir\"}")
        let picture = try world.ask("GET", "/api/assets/\(id)/preview?recipe=\(turned)&size=128")
        #expect(picture.headers["content-type"] == "image/jpeg", "\(picture.text)")
        let shown = try #require(picture.jpegSize)
        #expect((128...182).contains(max(shown.width, shown.height)))
        // As wide as the photo is high, without borders.
        let apart = abs(shown.width * width - shown.height * height)
        #expect(apart <= max(width, height), "\(shown)")
        #expect(try world.ask("GET", edit).text == fresh.text)

        let recipe = "{\"exposure\":0.5,\"quarterTurns\":1}"
        let saved = try world.change("PUT", world.edit(of: id), recipe)
        #expect(saved.status == 200, "\(saved.text)")
        let undo = try #require(saved.object["undo"] as? String)
        let after = try #require(try Self.assets(world).first { $0["id"] as? String == id })
        #expect(after["adjusted"] as? Bool == true)
        #expect(after["width"] as? Int == height)
        #expect(after["height"] as? Int == width)
        let kept = try world.ask("GET", edit).object["recipe"] as? [String: Double]
        #expect(kept == ["exposure": 0.5, "quarterTurns": 1])

        let undone = try world.change("POST", "/api/undo", "{\"undo\":\"\(undo)\"}")
        #expect(undone.status == 200, "\(undone.text)")
        #expect(try world.ask("GET", edit).object["recipe"] is NSNull)

        let again = try world.change("PUT", world.edit(of: id), "{\"contrast\":0.5}")
        #expect(again.status == 200, "\(again.text)")
        let reverted = try world.change("DELETE", world.edit(of: id), "")
        #expect(reverted.object["undo"] is String, "\(reverted.text)")
        let last = try #require(try Self.assets(world).first { $0["id"] as? String == id })
        #expect(last["adjusted"] as? Bool == false)
        // Nothing is left to revert, so nothing can be undone either.
        let none = try world.change("DELETE", world.edit(of: id), "")
        #expect(none.status == 200, "\(none.text)")
        #expect(none.object["undo"] is NSNull, "\(none.text)")
    }

    @Test func anEditReplacesOnlyTheOneThatItBeganWith() throws {
        let world = try GalleryWorld()
        try world.enter()
        let image = try Self.assets(world).first {
            $0["type"] as? String == "image" && $0["live"] as? Bool == false
        }
        let id = try #require(image?["id"] as? String)
        let edit = "/api/assets/\(id)/edit"
        // Two windows open the editor, and the photo is rotated in one of them.
        let opened = try world.edit(of: id)
        #expect(try world.ask("GET", edit).object["version"] as? Int == image?["version"] as? Int)
        let rotation = "{\"action\":\"rotate\",\"ids\":[\"\(id)\"],\"value\":1}"
        #expect(try world.change("POST", "/api/changes", rotation).status == 200)
        #expect(try world.change("PUT", opened, "{\"exposure\":1}").code == "changed")
        #expect(try world.change("DELETE", opened, "").code == "changed")
        let kept = try world.ask("GET", edit).object["recipe"] as? [String: Double]
        #expect(kept == ["quarterTurns": 1])
        // What does not change the picture does not matter.
        let present = try world.edit(of: id)
        let title = "{\"action\":\"title\",\"ids\":[\"\(id)\"],\"value\":\"Sea\"}"
        #expect(try world.change("POST", "/api/changes", title).status == 200)
        let saved = try world.change("PUT", present, "{\"exposure\":1,\"quarterTurns\":1}")
        #expect(saved.status == 200, "\(saved.text)")
        // A request without a version would replace any edit.
        #expect(try world.change("PUT", edit, "{\"exposure\":1}").code == "badRequest")
        #expect(try world.change("DELETE", edit, "").code == "badRequest")
    }

    @Test func whatIsNoRecipeIsRefusedWithItsReason() throws {
        let world = try GalleryWorld(photos: 20)
        try world.enter()
        let assets = try Self.assets(world)
        let image = try #require(assets.first { $0["type"] as? String == "image" })
        let id = try #require(image["id"] as? String)
        let edit = try world.edit(of: id)
        for text in ["{\"exposure\":99}", "{\"nonsense\":1}", "{", "[]", "{\"exposure\":\"a\"}"] {
            let saved = try world.change("PUT", edit, text)
            #expect(saved.code == "badRequest", "\(text): \(saved.text)")
            let way = "/api/assets/\(id)/preview?size=64&recipe=\(Self.recipe(text))"
            #expect(try world.ask("GET", way).code == "badRequest", "\(text)")
        }
        for recipe in ["%%%", "a", "*"] {
            let way = "/api/assets/\(id)/preview?size=64&recipe=\(recipe)"
            #expect(try world.ask("GET", way).code == "badRequest", "\(recipe)")
        }
        #expect(
            try world.change("PUT", edit, "{\"exposure\":1}", type: "text/plain").code
                == "badRequest"
        )
        let foreign = try world.ask("DELETE", edit, headers: ["Origin": "http://evil.example"])
        #expect(foreign.code == "crossSite")
        let large = "{\"x\":\"" + String(repeating: "x", count: 70_000) + "\"}"
        #expect(try world.change("PUT", edit, large).code == "tooLarge")
        #expect(try world.ask("GET", edit).object["recipe"] is NSNull)

        let movie = try #require(assets.first { $0["type"] as? String == "video" })
        let other = try #require(movie["id"] as? String)
        let state = try world.ask("GET", "/api/assets/\(other)/edit")
        #expect(state.object["editable"] as? Bool == false)
        #expect(try world.ask("GET", "/api/assets/\(other)/preview?size=64").code == "refused")
        let saved = try world.change("PUT", world.edit(of: other), "{\"exposure\":1}")
        #expect(saved.code == "refused")
    }

    @Test func placesKeepTheirAltitude() throws {
        let world = try GalleryWorld()
        try world.enter()
        let id = try #require(try Self.assets(world).first?["id"] as? String)
        let place = "{\"latitude\":47.5,\"longitude\":8.5,\"altitude\":520}"
        let order = "{\"action\":\"location\",\"ids\":[\"\(id)\"],\"value\":\(place)}"
        let done = try world.change("POST", "/api/changes", order)
        #expect(done.status == 200, "\(done.text)")
        let shown = try world.ask("GET", "/api/assets/\(id)")
        let location = try #require(shown.object["location"] as? [String: Any], "\(shown.text)")
        #expect(location["altitude"] as? Double == 520)
    }
}
