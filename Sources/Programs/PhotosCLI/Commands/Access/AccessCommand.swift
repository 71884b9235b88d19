import ArgumentParser
import Photos
import PhotosJSON
import PhotosManagement

/// Shows and changes the permissions of programs.
struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Show and set which programs may use photo libraries.",
        discussion: """
            A program that asks for access to your photos is identified by its Flatpak ID, \
            otherwise by the bundle identifier in the Info.plist beside it, otherwise by the real \
            path of its executable. Changes take effect immediately, including in running \
            programs. Permissions are a convention between well-behaved programs, also where the \
            library daemon checks them: any program that you start can read your files. The \
            daemon enforces them for programs in a sandbox and of other users, whose identifiers \
            are such as snap.NAME and user:ID. With the daemon, a program asks by a dialog of the \
            daemon. The photos command itself always has full access and never asks.

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

/// The argument that names the program of a subcommand.
struct ProgramArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The program's identifier, or the path of its executable.",
            valueName: "program"
        )
    )
    var program: String

    func validate() throws {
        if program.isEmpty {
            throw ValidationError("Give a program's identifier, or the path of its executable.")
        }
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
    /// Creates the JSON representation of a program's permission.
    init(_ permission: ProgramPermission) {
        self.init()
        add("program", permission.program)
        add("name", permission.name)
        add("readWrite", "\(permission.readWrite)")
        add("addOnly", "\(permission.addOnly)")
        add("selectedAssetCount", permission.selectedAssetCount)
        add("includesHidden", permission.includesHidden)
        add("lastUsed", permission.lastUsed)
        add("enforcement", permission.isEnforced ? "boundary" : "convention")
    }
}

extension ProgramPermission {
    /// The description of the permission, phrased to follow the program's name.
    var words: String { wordsOfStatus + (includesHidden ? ", including hidden items" : "") }

    private var wordsOfStatus: String {
        switch (readWrite, addOnly) {
        case (.authorized, _): "may see and change everything"
        case (.limited, _):
            "may see and change \(selectedAssetCount) selected"
                + (selectedAssetCount == 1 ? " item" : " items") + ", and add more"
        case (_, .authorized): "may add items, but see none"
        case (.restricted, _): "has no access: a policy of this computer forbids it"
        case (.denied, _): "has no access"
        default: "has no access yet, and may ask"
        }
    }
}
