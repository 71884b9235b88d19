import Foundation
import TestSupport
import Testing

/// Hidden photos in a session that did not unlock them: no route reveals them.
///
/// Two browsers use one library; the command is a third program that changes it.
@Suite(.timeLimit(.minutes(5))) struct HiddenPhotosTests {
    /// A library with one hidden photo, a locked browser and an unlocked one.
    private struct Scene {
        let world: GalleryWorld
        /// The cookies of the unlocked browser.
        let unlocked: String
        let id: String
        let filename: String

        init(photos: Int = 6) throws {
            world = try GalleryWorld(photos: photos)
            try world.enter()
            let asset = try Self.first(of: world)
            id = try #require(asset["id"] as? String)
            filename = try #require(asset["filename"] as? String)
            let session = try world.enterElsewhere()
            let answer = try world.change(
                "POST",
                "/api/hidden",
                "{\"unlock\":true}",
                cookie: session
            )
            let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
            unlocked = session + "; " + cookie
            #expect(answer.object["hiddenSeconds"] as? Int == 600)
        }

        static func first(of world: GalleryWorld) throws -> [String: Any] {
            let timeline = try world.ask("GET", "/api/timeline")
            let snapshot = try #require(timeline.object["snapshot"] as? String)
            let page = try world.ask("GET", "/api/assets?snapshot=\(snapshot)&offset=0&count=1")
            let assets = try #require(page.object["assets"] as? [[String: Any]])
            return try #require(assets.first)
        }

        /// Runs the command on the library, like another program.
        func photos(_ arguments: String...) throws {
            let output = try ProcessRunner.run(
                BuiltProducts.photos.path,
                arguments,
                environment: world.environment
            )
            try #require(output.status == 0, "\(output.errorText)")
        }

        var library: URL { world.folder.file("A.photolibrary") }

        /// Returns the result of a statement on the library's database.
        @discardableResult
        func query(_ sql: String) throws -> String {
            let database = library.path + "/database/library.sqlite"
            let output = try ProcessRunner.run(
                "sqlite3",
                ["-cmd", ".timeout 20000", database, sql]
            )
            try #require(output.status == 0, "\(output.errorText)")
            return output.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        func hide() throws { try photos("set", "--hidden", "true", id) }

        func lock() throws -> RawAnswer {
            try world.change("POST", "/api/hidden", "{\"unlock\":false}", cookie: unlocked)
        }

        func change(_ json: String, cookie: String? = nil) throws -> RawAnswer {
            try world.change("POST", "/api/changes", json, cookie: cookie)
        }
    }

    @Test func addressesOfHiddenPhotosLeadNowhere() throws {
        let scene = try Scene()
        let (world, id) = (scene.world, scene.id)
        try scene.hide()
        let ways = [
            "", "/picture?size=64", "/movie", "/resources/0", "/burst", "/edit", "/auto",
            "/preview?size=64",
        ].map { "/api/assets/\(id)\($0)" }
        for way in ways { #expect(try world.ask("GET", way).status == 404, "\(way)") }
        #expect(try world.ask("GET", "/api/timeline?source=hidden").code == "hiddenLocked")
        let edit = "/api/assets/\(id)/edit"
        #expect(try world.change("PUT", edit, "{\"exposure\":1}").status == 404)
        #expect(try world.change("DELETE", edit, "").status == 404)
        for order in [
            "{\"action\":\"title\",\"ids\":[\"\(id)\"],\"value\":\"x\"}",
            "{\"action\":\"hide\",\"ids\":[\"\(id)\"],\"value\":false}",
            "{\"action\":\"delete\",\"ids\":[\"\(id)\"]}",
        ] {
            #expect(try scene.change(order).status == 404, "\(order)")
        }
        let hidden = try world.ask("GET", "/api/timeline?source=hidden", cookie: scene.unlocked)
        #expect(hidden.object["count"] as? Int == 1)
        #expect(try world.ask("GET", ways[0], cookie: scene.unlocked).status == 200)
        _ = try scene.lock()
        for way in ways {
            #expect(try world.ask("GET", way, cookie: scene.unlocked).status == 404, "\(way)")
        }
    }

    @Test func listsFromBeforeTellNothingOfHiddenPhotos() throws {
        let scene = try Scene()
        let (world, id) = (scene.world, scene.id)
        // A state of the locked session's own list, from before the photo was hidden elsewhere.
        let timeline = try world.ask("GET", "/api/timeline")
        let old = try #require(timeline.object["snapshot"] as? String)
        let picture = "/api/assets/\(id)/picture?size=64"
        #expect(try world.ask("GET", picture).status == 200)
        let all = "/api/assets?snapshot=\(old)&offset=0&count=500"
        let every = "/api/ids?snapshot=\(old)&from=0&to=500"
        let before = try #require(try world.ask("GET", all).object["assets"] as? [[String: Any]])
        let names = before.compactMap { $0["id"] as? String }
        #expect(try world.ask("GET", every).object["ids"] as? [String] == names)
        let place = try #require(names.firstIndex(of: id))
        try scene.hide()
        let left = try world.ask("GET", all)
        #expect(!left.text.contains(id) && !left.text.contains(scene.filename))
        // The other photos keep their places, and its own has an entry without data.
        let after = try #require(left.object["assets"] as? [[String: Any]])
        var expected = names
        expected[place] = ""
        #expect(after.compactMap { $0["id"] as? String } == expected)
        #expect(Set(after[place].keys) == Set(before[place].keys))
        #expect(after[place]["date"] is NSNull && after[place]["width"] as? Int == 0)
        #expect(try world.ask("GET", every).object["ids"] as? [String] == expected)
        #expect(try world.ask("GET", picture).status == 404)
        // A list of hidden photos, after they are locked.
        let hidden = try world.ask("GET", "/api/timeline?source=hidden", cookie: scene.unlocked)
        let snapshot = try #require(hidden.object["snapshot"] as? String)
        let page = "/api/assets?snapshot=\(snapshot)&offset=0&count=10"
        #expect(try world.ask("GET", page, cookie: scene.unlocked).text.contains(id))
        _ = try scene.lock()
        for cookie in [scene.unlocked, nil] {
            let answer = try world.ask("GET", page, cookie: cookie)
            #expect(answer.code == "gone")
            #expect(!answer.text.contains(id))
            #expect(try world.ask("GET", picture, cookie: cookie).status == 404)
        }
    }

    @Test func changesOfListsFromBeforeTellNothingOfHiddenPhotos() throws {
        let scene = try Scene()
        let (world, id) = (scene.world, scene.id)
        let timeline = try world.ask("GET", "/api/timeline")
        let old = try #require(timeline.object["snapshot"] as? String)
        func missedChanges(until end: String) throws -> String {
            // A response to this request means that the list has the last change.
            _ = try world.ask("GET", "/api/timeline")
            let connection = try RawConnection(port: world.port)
            connection.send(
                Data(
                    """
                    GET /api/events?snapshot=\(old) HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n\
                    \(world.proof())Connection: close\r\n\r\n
                    """.utf8
                )
            )
            return connection.text(until: end, times: 1)
        }
        try scene.photos("set", "--favorite", "true", id)
        let before = try missedChanges(until: id)
        #expect(before.contains(id) && before.contains("event: changes"), "\(before)")
        try scene.hide()
        let after = try missedChanges(until: "\"author\":")
        #expect(after.contains("\"incremental\":false"), "\(after)")
        #expect(!after.contains(id) && !after.contains(scene.filename))
    }

    @Test func browsersKeepNothingHidden() throws {
        let scene = try Scene()
        let (world, id) = (scene.world, scene.id)
        let details = try world.ask("GET", "/api/assets/\(id)").object
        let asset = try #require(details["asset"] as? [String: Any])
        let version = try #require(asset["version"] as? Int)
        let picture = "/api/assets/\(id)/picture?size=64&v=\(version)"
        let before = try world.ask("GET", picture)
        #expect(before.headers["cache-control"] == "private, no-cache")
        let preview = "/api/assets/\(id)/preview?size=64"
        let edited = try world.ask("GET", preview)
        #expect(edited.headers["cache-control"] == "private, no-cache", "\(edited.text)")
        let hide = try scene.change("{\"action\":\"hide\",\"ids\":[\"\(id)\"],\"value\":true}")
        #expect(hide.status == 200)
        #expect(hide.headers["clear-site-data"] == "\"cache\"")
        for way in [picture, preview, "/api/assets/\(id)/resources/0"] {
            let answer = try world.ask("GET", way, cookie: scene.unlocked)
            #expect(answer.status == 200)
            #expect(answer.headers["cache-control"] == "no-store", "\(way)")
        }
        #expect(try scene.lock().headers["clear-site-data"] == "\"cache\"")
    }

    @Test func eventsStopWithTheLock() throws {
        let scene = try Scene()
        let world = scene.world
        func listen(_ cookie: String) throws -> RawConnection {
            let connection = try RawConnection(port: world.port)
            connection.send(
                Data(
                    """
                    GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(world.port)\r\n\
                    \(world.proof(cookie))\r\n
                    """.utf8
                )
            )
            try #require(connection.read(until: "welcome"))
            return connection
        }
        // Those who listen later do not hear that the photo leaves their view.
        let witness = try listen(world.cookie)
        try scene.hide()
        #expect(witness.read(until: scene.id))
        let open = try listen(scene.unlocked)
        let locked = try listen(world.cookie)
        try scene.photos("set", "--favorite", "true", scene.id)
        #expect(open.read(until: scene.id))
        _ = try scene.lock()
        // The rest of the stream is the lock event and its end.
        var rest = ""
        while let part = open.receive() {
            rest += String(decoding: part, as: UTF8.self)
            if rest.contains("0\r\n\r\n") { break }
        }
        #expect(rest.contains("\"unlocked\":false"))
        try scene.photos("set", "--favorite", "false", scene.id)
        let visible = try #require(try Scene.first(of: world)["id"] as? String)
        try scene.photos("set", "--favorite", "true", visible)
        let heard = locked.text(until: visible, times: 1)
        #expect(heard.contains(visible))
        #expect(!heard.contains(scene.id))
    }

    // MARK: - Undoing

    @Test func aLockedSessionTakesBackItsOwnLastChange() throws {
        let scene = try Scene()
        let (world, id) = (scene.world, scene.id)
        let hide = try scene.change("{\"action\":\"hide\",\"ids\":[\"\(id)\"],\"value\":true}")
        let name = try #require(hide.object["undo"] as? String)
        #expect(try world.ask("GET", "/api/assets/\(id)").status == 404)
        // Another session does not undo it for this one.
        let other = try world.enterElsewhere()
        let refused = try world.change(
            "POST",
            "/api/undo",
            "{\"undo\":\"\(name)\"}",
            cookie: other
        )
        #expect(refused.code == "hiddenLocked")
        let undone = try world.change("POST", "/api/undo", "{\"undo\":\"\(name)\"}")
        #expect(undone.status == 200, "\(undone.text)")
        #expect(try world.ask("GET", "/api/assets/\(id)").status == 200)
        let redo = try #require(undone.object["redo"] as? String)
        let redone = try world.change("POST", "/api/redo", "{\"redo\":\"\(redo)\"}")
        #expect(redone.status == 200, "\(redone.text)")
        #expect(try world.ask("GET", "/api/assets/\(id)").status == 404)
        // After a change by another program, it is no longer the last one.
        let again = try #require(redone.object["undo"] as? String)
        let visible = try #require(try Scene.first(of: world)["id"] as? String)
        try scene.photos("set", "--favorite", "true", visible)
        let late = try world.change("POST", "/api/undo", "{\"undo\":\"\(again)\"}")
        #expect(late.code == "refused")
    }

    @Test func aLockedSessionTakesNothingBackThatIsHidden() throws {
        let scene = try Scene()
        let world = scene.world
        try scene.hide()
        try scene.photos("set", "--title", "A secret title", scene.id)
        for body in ["{}", "{\"undo\":\"3\"}"] {
            let answer = try world.change("POST", "/api/undo", body)
            #expect(answer.code == "hiddenLocked" || answer.code == "refused")
            #expect(!answer.text.contains(scene.id))
            #expect(!answer.text.contains(scene.filename))
            #expect(!answer.text.contains("secret"))
        }
        let answer = try world.change("POST", "/api/undo", "{}")
        #expect(answer.code == "hiddenLocked")
        #expect(answer.text.contains("Unlock hidden photos first"))
        let undone = try world.change("POST", "/api/undo", "{}", cookie: scene.unlocked)
        #expect(undone.status == 200, "\(undone.text)")
    }

    // MARK: - Uploading

    @Test func aDuplicateOfAHiddenPhotoHasNoName() throws {
        let scene = try Scene()
        let world = scene.world
        try scene.hide()
        let samples = world.folder.file("samples")
        let names = try #require(FileManager.default.enumerator(atPath: samples.path))
        let name = try #require(
            names.compactMap { $0 as? String }.first { $0.hasSuffix(scene.filename) }
        )
        let bytes = try Data(contentsOf: samples.appendingPathComponent(name))
        let begun = try world.change("POST", "/api/imports", "{}")
        let session = try #require(begun.object["session"] as? String)
        let place = "/api/imports/\(session)/files"
        let file = "{\"path\":\"mine.jpg\",\"size\":\(bytes.count)}"
        #expect(try world.change("POST", place, file).status == 200)
        let sent = try world.ask(
            "PUT",
            place + "/0?offset=0",
            headers: ["Origin": "http://127.0.0.1:\(world.port)", "X-Photos-Gallery": "1"],
            body: bytes
        )
        #expect(sent.object["done"] as? Bool == true, "\(sent.text)")
        #expect(try world.change("POST", "/api/imports/\(session)/finish", "{}").status == 202)
        func report(_ cookie: String?) throws -> [String: Any] {
            let answer = try world.importEnd(session, cookie: cookie).object
            let files = answer["files"] as? [[String: Any]]
            return answer["state"] as? String == "done" ? files?.first ?? [:] : [:]
        }
        let locked = try report(nil)
        #expect(locked["outcome"] as? String == "duplicate")
        #expect(locked["id"] is NSNull?)
        #expect(try report(scene.unlocked)["id"] as? String == scene.id)
        // A browser knows the names that it sent; another one learns nothing of the file.
        #expect(locked["path"] as? String == "mine.jpg")
        let other = try world.enterElsewhere()
        let told = try world.ask("GET", "/api/imports/\(session)", cookie: other)
        #expect(told.status == 200 && (told.object["files"] as? [Any])?.isEmpty == true)
        #expect(!told.text.contains("mine.jpg"))
    }

    // MARK: - Concurrent changes

    /// A browser makes changes while another program commits as fast as it can: the browser can
    /// only undo its own changes, and no other change is offered as such.
    @Test func changesOfOthersInBetweenAreNotItsOwn() throws {
        let scene = try Scene()
        let world = scene.world
        // The other program changes albums, too.
        let made = try scene.change("{\"action\":\"createAlbum\",\"title\":\"Sea\"}")
        try #require(made.status == 200, "\(made.text)")
        let hammer = try ProcessRunner.start(
            BuiltProducts.folder.appendingPathComponent("change-hammer").path,
            ["changes", scene.library.path, "hammer", "100000", "\(Int64.max)", "1"],
            environment: world.environment
        )
        defer {
            hammer.kill()
            _ = hammer.wait()
        }
        var own: [Int64] = []
        let others = { () throws -> Set<Int64> in
            let text = try scene.query(
                "SELECT group_concat(version) FROM journalVersion WHERE author = 'hammer'"
            )
            return Set(text.split(separator: ",").compactMap { Int64($0) })
        }
        // Until both have written often enough to interleave.
        let deadline = ContinuousClock.now + .seconds(90)
        var round = 0
        while ContinuousClock.now < deadline {
            round += 1
            if round % 20 == 0, own.count >= 20, try others().count >= 20 { break }
            let json =
                "{\"action\":\"favorite\",\"ids\":[\"\(scene.id)\"],\"value\":\(round % 2 == 0)}"
            let answer = try scene.change(json)
            guard answer.status == 200 else { continue }
            if let name = answer.object["undo"] as? String, let version = Int64(name) {
                own.append(version)
            }
            // A later change of another program is not undone in its place.
            if let name = answer.object["undo"] as? String {
                let undo = try world.change("POST", "/api/undo", "{\"undo\":\"\(name)\"}")
                if undo.status == 200 {
                    #expect(undo.object["author"] as? String != "hammer", "\(undo.text)")
                }
                // Nor is an earlier one, at the version of the undo.
                guard let present = undo.object["redo"] as? String else { continue }
                let further = try world.change("POST", "/api/undo", "{\"undo\":\"\(present)\"}")
                #expect(further.status != 200, "\(further.text)")
                guard let former = own.dropLast().last else { continue }
                let body = "{\"undo\":\"\(former)\",\"version\":\"\(present)\"}"
                let earlier = try world.change("POST", "/api/undo", body)
                #expect(earlier.object["author"] as? String != "hammer", "\(earlier.text)")
            }
        }
        hammer.kill()
        let foreign = try others()
        #expect(own.count >= 20 && foreign.count >= 20, "\(own.count) \(foreign.count)")
        #expect(foreign.isDisjoint(with: own), "\(foreign.intersection(own).sorted())")
    }

    /// The browser revalidates each cached picture, and is refused when the photo is hidden by
    /// then.
    @Test func picturesThatAreKeptAreAskedForAgain() throws {
        let scene = try Scene()
        let world = scene.world
        let asset = try Scene.first(of: world)
        let version = try #require(asset["version"] as? Int)
        let way = "/api/assets/\(scene.id)/picture?size=64&v=\(version)"
        let picture = try world.ask("GET", way)
        #expect(picture.headers["cache-control"] == "private, no-cache")
        let tag = try #require(picture.headers["etag"])
        #expect(try world.ask("GET", way, headers: ["If-None-Match": tag]).status == 304)
        try scene.hide()
        #expect(try world.ask("GET", way, headers: ["If-None-Match": tag]).status == 404)
        let shown = try world.ask(
            "GET",
            way,
            cookie: scene.unlocked,
            headers: ["If-None-Match": tag]
        )
        #expect(shown.status == 304 || shown.headers["cache-control"] == "no-store")
    }

    @Test func figuresOfStorageLeaveOutHiddenPhotos() throws {
        let scene = try Scene()
        let world = scene.world
        func numbers(_ way: String, cookie: String? = nil) throws -> [String: Any] {
            let answer = try world.ask("GET", way, cookie: cookie)
            try #require(answer.status == 200, "\(answer.text)")
            return answer.object
        }
        let before = try numbers("/api/storage")
        let made = try numbers("/api/renditions")
        let info = try world.ask("GET", "/api/assets/\(scene.id)").object
        let resources = try #require(info["resources"] as? [[String: Any]])
        let size = resources.compactMap { $0["fileSize"] as? Int }.reduce(0, +)
        try #require(size > 0)
        try scene.hide()
        for deletes in [false, true] {
            if deletes { try scene.photos("delete", "--yes", scene.id) }
            let all = try numbers("/api/storage", cookie: scene.unlocked)
            let left = try numbers("/api/storage")
            #expect(all["originals"] as? Int == before["originals"] as? Int)
            #expect(left["originals"] as? Int == (before["originals"] as? Int).map { $0 - size })
            #expect(left["edits"] as? Int == before["edits"] as? Int)
            #expect(left["database"] is NSNull && left["renditions"] is NSNull, "\(left)")
            #expect(all["database"] as? Int ?? 0 > 0 && all["renditions"] as? Int ?? 0 > 0)
            let counts = try #require(left["counts"] as? [String: Any])
            #expect(counts["deleted"] as? Int == 0)
            let rest = try numbers("/api/renditions")
            #expect(rest["assets"] as? Int == (made["assets"] as? Int).map { $0 - 1 }, "\(rest)")
            #expect(rest["bytes"] is NSNull, "\(rest)")
        }
    }

    @Test func checksLeaveOutOnlyHiddenPhotos() throws {
        let scene = try Scene()
        let world = scene.world
        try scene.photos("album", "create", "Sea")
        try scene.query("UPDATE collection SET assetCount = 7 WHERE title = 'Sea'")
        let file = try scene.query(
            """
            SELECT path FROM resource WHERE assetId = (
                SELECT id FROM asset WHERE uuid = '\(scene.id)') AND path LIKE 'originals/%' LIMIT 1
            """
        )
        try FileManager.default.removeItem(at: scene.library.appending(path: file))
        try scene.hide()
        #expect(try world.change("POST", "/api/check", "{}").status == 202)
        let end = try world.value {
            try world.ask("GET", "/api/check").object["running"] as? Bool == true ? nil : true
        }
        #expect(end == true)
        func damages(_ cookie: String? = nil) throws -> (count: Int?, kinds: [String]) {
            let check = try world.ask("GET", "/api/check", cookie: cookie)
            let all = check.object["findings"] as? [[String: Any]]
            let findings = try #require(all, "\(check.text)")
            let damages = findings.filter { $0["severity"] as? String == "damage" }
            return (check.object["damages"] as? Int, damages.compactMap { $0["kind"] as? String })
        }
        let (count, kinds) = try damages()
        #expect(count == 1 && kinds == ["wrongTotals"], "\(kinds)")
        let (allCount, allKinds) = try damages(scene.unlocked)
        #expect(allCount == 2 && Set(allKinds) == ["wrongTotals", "missingFile"], "\(allKinds)")
    }

    @Test func makingThumbnailsCountsNoHiddenPhotos() throws {
        let scene = try Scene()
        let world = scene.world
        try scene.hide()
        _ = try world.change("POST", "/api/renditions", "{\"action\":\"drop\"}")
        _ = try world.change("POST", "/api/renditions", "{\"action\":\"build\"}")
        var (mine, all) = ([String: Any](), [String: Any]())
        let deadline = ContinuousClock.now + .seconds(60)
        repeat {
            mine = try world.ask("GET", "/api/renditions").object
            all = try world.ask("GET", "/api/renditions", cookie: scene.unlocked).object
        } while all["running"] as? Bool != false && ContinuousClock.now < deadline
        mine = try world.ask("GET", "/api/renditions").object
        let state = try world.ask("GET", "/api/state").object
        let count = try #require(state["count"] as? Int)
        #expect(mine["total"] as? Int == count * 2, "\(mine)")
        #expect(all["total"] as? Int == (count + 1) * 2, "\(all)")
        #expect(mine["done"] as? Int == count * 2, "\(mine)")
        #expect(mine["assets"] as? Int == count, "\(mine)")
    }
}
