import Foundation
import TestSupport
import Testing

/// A session undoes and redoes its own changes one after the other, and none of other programs.
@Suite(.timeLimit(.minutes(3))) struct UndoRouteTests {
    private let world: GalleryWorld
    /// The photo that another program changes.
    private let secret: String
    /// The photo that the session changes.
    private let plain: String

    init() throws {
        world = try GalleryWorld(photos: 6)
        try world.enter()
        let ids = try world.assets().compactMap { $0["id"] as? String }
        try #require(ids.count > 1)
        (secret, plain) = (ids[0], ids[1])
    }

    /// Changes a photo as another program does.
    private func set(_ values: String...) throws {
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set"] + values,
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// Makes a change, and returns the version by which it is undone.
    private func change(
        _ action: String,
        _ id: String,
        _ value: String,
        cookie: String? = nil
    ) throws -> String {
        let answer = try world.change(
            "POST",
            "/api/changes",
            "{\"action\":\"\(action)\",\"ids\":[\"\(id)\"],\"value\":\(value)}",
            cookie: cookie
        )
        return try #require(answer.object["undo"] as? String, "\(answer.text)")
    }

    private func step(
        _ kind: String,
        _ token: String,
        at version: String? = nil,
        cookie: String? = nil
    ) throws -> RawAnswer {
        let present = version.map { ",\"version\":\"\($0)\"" } ?? ""
        return try world.change(
            "POST",
            "/api/\(kind)",
            "{\"\(kind)\":\"\(token)\"\(present)}",
            cookie: cookie
        )
    }

    private func expectHidden(_ comment: Comment) throws {
        #expect(try world.ask("GET", "/api/assets/\(secret)").status == 404, comment)
    }

    /// The version of an undo is the library's latest one, but the change before the undone one is
    /// not the session's.
    @Test func aLockedSessionDoesNotUndoWhatWasDoneBeforeItsOwnChange() throws {
        try set("--hidden", "true", secret)
        let own = try change("favorite", plain, "true")
        let undone = try step("undo", own)
        let redo = try #require(undone.object["redo"] as? String, "\(undone.text)")
        let hiding = try #require(Int(own)) - 1
        #expect(try step("undo", redo).code == "refused")
        #expect(try step("undo", own, at: redo).code == "refused")
        #expect(try step("undo", "\(hiding)", at: redo).status != 200)
        #expect(try world.change("POST", "/api/undo", "{}").code == "hiddenLocked")
        let body = "{\"version\":\"\(redo)\"}"
        #expect(try world.change("POST", "/api/undo", body).code == "hiddenLocked")
        try expectHidden("The hiding was undone.")
        // Its own change can still be redone and undone.
        let redone = try step("redo", redo)
        let again = try #require(redone.object["undo"] as? String, "\(redone.text)")
        #expect(try step("undo", again).status == 200)
        try expectHidden("The hiding was undone.")
    }

    @Test func changesOfOtherProgramsInBetweenStay() throws {
        let first = try change("favorite", plain, "true")
        try set("--title", "Sea", secret)
        let second = try change("hide", plain, "true")
        let undone = try step("undo", second, at: second)
        let present = try #require(undone.object["redo"] as? String, "\(undone.text)")
        #expect(try step("undo", first, at: present).code == "refused")
        #expect(try world.asset(secret)["title"] as? String == "Sea")
        #expect(try world.asset(plain)["favorite"] as? Bool == true)
    }

    @Test func ownChangesAreUndoneAndRedoneOneAfterTheOther() throws {
        var tokens = [
            try change("favorite", plain, "true"), try change("hide", plain, "true"),
            try change("favorite", secret, "true"), try change("hide", secret, "true"),
        ]
        var present = try #require(tokens.last)
        for (kind, answer) in [("undo", "redo"), ("redo", "undo"), ("undo", "redo")] {
            var back: [String] = []
            for token in tokens.reversed() {
                let done = try step(kind, token, at: present)
                present = try #require(done.object[answer] as? String, "\(kind): \(done.text)")
                back.append(present)
            }
            tokens = back
            let isDone = kind == "redo"
            for id in [plain, secret] {
                let found = try world.ask("GET", "/api/assets/\(id)")
                #expect(found.status == (isDone ? 404 : 200), "\(kind)")
            }
        }
        #expect(try world.asset(plain)["favorite"] as? Bool == false)
    }

    /// What was changed while hidden photos were unlocked cannot be undone after they are locked.
    @Test func changesOfAnUnlockedSessionNeedUnlockingAgain() throws {
        let session = try world.enterElsewhere()
        let unlock = try world.change("POST", "/api/hidden", "{\"unlock\":true}", cookie: session)
        let key = try #require(unlock.headers["set-cookie"]?.split(separator: ";").first)
        let unlocked = session + "; " + key
        let hiding = try change("hide", secret, "true", cookie: unlocked)
        _ = try world.change("POST", "/api/hidden", "{\"unlock\":false}", cookie: unlocked)
        #expect(try step("undo", hiding, cookie: session).code == "hiddenLocked")
        try expectHidden("The hiding was undone.")
    }
}
