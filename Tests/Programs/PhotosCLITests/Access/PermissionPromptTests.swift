import Foundation
import TestSupport
import Testing

/// The prompt to a user at a terminal or a desktop.
@Suite(.timeLimit(.minutes(3))) struct PermissionPromptTests {
    @Test(arguments: [
        ("y", "status authorized authorized authorized"),
        ("No", "status denied notDetermined denied"),
    ])
    func thePersonAtTheTerminalDecides(_ typed: String, _ status: String) throws {
        let world = try AccessWorld(names: [])
        let client = try world.startOnTerminal("request", "read-write")
        #expect(client.read(until: "Allow it?"))
        #expect(client.text.contains("would like to see and change your photo library."))
        #expect(client.text.contains("(\(world.program))"))
        // There is no Info.plist next to the tests' programs.
        #expect(client.text.contains("It gives no reason."))
        client.type(typed)
        #expect(client.read(until: "status"))
        client.read()
        #expect(client.wait().status == 0)
        #expect(try world.status() == status)
        // Behavior 3: it prompts once.
        let again = try world.startOnTerminal("request", "read-write")
        again.read()
        #expect(!again.text.contains("Allow it?"))
        #expect(again.wait().status == 0)
    }

    /// The picker calls back once; the older status call keeps its result (pains 24).
    @Test func photosAreSelectedOnTheTerminal() throws {
        let world = try AccessWorld()
        let client = try world.startOnTerminal("request", "read-write")
        #expect(client.read(until: "Allow it?"))
        client.type("s")
        #expect(client.read(until: "0 selected"))
        // The newest comes first.
        client.type("1 3")
        #expect(client.read(until: "2 selected"))
        client.type("done")
        #expect(client.read(until: "answer limited"))
        client.read()
        #expect(client.wait().status == 0)
        let seen = try #require(try world.run("survey", "-").lines.first)
        #expect(seen == "all \(world.ids[0]) \(world.ids[2])")
        #expect(try world.status() == "status limited authorized authorized")

        let picker = try world.startOnTerminal("pick")
        #expect(picker.read(until: "2 selected"))
        picker.type("1 2")
        #expect(picker.read(until: "[x]    2"))
        picker.type("d")
        #expect(picker.read(until: "added \(world.ids[1])"))
        #expect(
            try world.run("survey", "-").lines.first == "all \(world.ids[0]) \(world.ids[1])"
        )
    }

    @Test func whoSaysNothingIsAskedAgainNextTime() throws {
        let world = try AccessWorld(names: [])
        let client = try world.startOnTerminal("request", "add-only")
        #expect(client.read(until: "Allow it?"))
        #expect(client.text.contains("would like to add photos to your photo library."))
        client.type("s")
        #expect(client.read(until: "Allow it?  [y] yes  [n] no: s"))
        client.type("what?")
        client.type("why?")
        #expect(client.read(until: "answer denied"))
        #expect(try world.status() == "status notDetermined notDetermined notDetermined")
    }

    /// The first use prompts without an explicit request, and the prompt does not consume piped
    /// input.
    @Test func theFirstUseAsks() throws {
        let world = try AccessWorld(names: ["a.jpg"])
        let file = try world.world.photo("b.jpg", seed: 77).path
        let client = try world.startOnTerminal("create", file)
        #expect(client.read(until: "Allow it?"))
        client.type("yes")
        #expect(client.read(until: "done"))
        #expect(try world.status() == "status authorized authorized authorized")
    }

    /// A tool without a bundle gets a status that it can handle (pains 28).
    @Test func whereNobodyIsTheWayOutIsSaid() throws {
        let world = try AccessWorld(names: [])
        let output = try world.run("request", "read-write")
        #expect(output.lines.first == "answer denied")
        #expect(output.lines.last == "status notDetermined notDetermined notDetermined")
        #expect(output.errorText.contains("photos access grant \(world.program)"))
    }

    @Test func theDesktopIsAskedWhereThereIsNoTerminal() throws {
        let world = try AccessWorld(names: [])
        let tools = try world.world.folder.folder("bin")
        _ = try world.world.program(
            "#!/bin/sh\necho 'Allow All Photos'\nexit 1\n",
            "bin/zenity"
        )
        let path = tools.path + ":" + (world.world.environment["PATH"] ?? "")
        let output = try world.run(
            "request",
            "read-write",
            variables: ["PATH": path, "DISPLAY": ":7"]
        )
        #expect(output.lines.first == "answer authorized")
    }
}
