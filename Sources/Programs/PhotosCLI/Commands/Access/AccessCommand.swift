import ArgumentParser
import Photos
import PhotosJSON
import PhotosManagement

/// Shows and changes the permissions of programs.
struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Show and choose which programs may use photo libraries.",
        discussion: """
            A program that asks for your photos is known by its Flatpak id, else by the bundle \
            identifier of the Info.plist beside it, else by the real path of its executable. What is \
            chosen here takes effect at once, in programs that run, too. It is a convention between \
            well-behaved programs: those that you start can always read your files. photos itself is \
            its owner's tool and asks nobody.

            EXAMPLES
              photos access list
              photos access grant /usr/bin/frames
              photos access grant org.example.Scanner --add-only
              photos access grant org.example.Backup --hidden
              photos access limit org.example.Frames 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos access revoke org.example.Frames
            """,
        subcommands: [
            AccessListCommand.self, AccessGrantCommand.self, AccessRevokeCommand.self,
            AccessLimitCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions
}

/// The program argument of a subcommand.
struct ProgramArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The program's identifier, or the path of its executable.",
            valueName: "program"
        )
    )
    var program: String

    func validate() throws {
        if program.isEmpty { throw ValidationError("A program is needed.") }
    }
}

extension OutputOptions {
    /// Reports a program's permission after a change.
    func report(_ permission: ProgramPermission) throws {
        if json {
            try StandardOutput.shared.write(JSONObject(permission).line + "\n")
            return try StandardOutput.shared.flush()
        }
        let words = permission.words
        StandardError.shared.say("\(TerminalStyle.quoted(permission.program)) \(words).")
    }
}

extension JSONObject {
    /// Creates the JSON of a program's permission.
    init(_ permission: ProgramPermission) {
        self.init()
        add("program", permission.program)
        add("name", permission.name)
        add("readWrite", "\(permission.readWrite)")
        add("addOnly", "\(permission.addOnly)")
        add("selectedAssetCount", permission.selectedAssetCount)
        add("includesHidden", permission.includesHidden)
        add("lastUsed", permission.lastUsed)
    }
}

extension ProgramPermission {
    /// The permission in words that follow the program's name.
    var words: String { wordsOfStatus + (includesHidden ? ", hidden items too" : "") }

    private var wordsOfStatus: String {
        switch (readWrite, addOnly) {
        case (.authorized, _): "may see and change everything"
        case (.limited, _):
            "may see and change \(selectedAssetCount) selected"
                + (selectedAssetCount == 1 ? " item" : " items") + ", and add others"
        case (_, .authorized): "may add, and see nothing"
        case (.restricted, _): "may do nothing: a policy of this computer forbids it"
        case (.denied, _): "may do nothing"
        default: "may do nothing yet, and ask"
        }
    }
}
