import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Exports assets to a folder.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy photos and movies to a folder, byte for byte.",
        discussion: """
            Files that belong together are exported together or not at all: the still and the \
            movie of a Live Photo, the JPEG and the RAW, sidecars. If a name is taken, a number is \
            added; nothing is overwritten. The times of the files are set to the capture time.

            EXAMPLES
              photos export 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 -o ~/Desktop
              photos list --json | jq -r .localIdentifier | xargs photos export -o backup
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "The destination folder.",
        completion: .directory
    )
    var folder: String

    @Flag(exclusivity: .exclusive)
    var version = ExportVersion.original

    @OptionGroup var assets: AssetsArgument

    func validate() throws {
        if folder.isEmpty { throw ValidationError("-o requires the path of a folder.") }
    }

    func run() throws {
        let interruption = Interruption()
        let library = try location.open()
        let path = SourcePath(folder).absolute().description
        let target = URL(filePath: path, directoryHint: .isDirectory)
        let export = try AssetExport(
            to: target,
            version: version.version,
            control: interruption.control
        )
        var hasFailure = false
        for identifier in try assets.identifiers where !interruption.control.isStopped {
            do {
                let asset = try AssetArguments.asset(identifier, in: library)
                for file in try export.export(asset) { try report(file, of: asset) }
            } catch let error as OutputClosed {
                throw error
            } catch {
                // After an interruption, the command ends with the signal's error instead of this
                // one.
                if interruption.control.isStopped { break }
                hasFailure = true
                try report(error, of: identifier)
            }
            try StandardOutput.shared.flush()
        }
        if let error = interruption.error { throw error }
        if hasFailure { throw ExitCode(ExitStatus.failed) }
    }

    private func report(_ file: AssetExport.ExportedFile, of asset: PHAsset) throws {
        guard output.json else {
            try StandardOutput.shared.write(TerminalStyle.safe(file.path) + "\n")
            return
        }
        var object = JSONObject()
        object.add("localIdentifier", asset.localIdentifier)
        object.add("outcome", "exported")
        object.add("type", file.role.name)
        object.add("path", file.path)
        object.add("reason", nil as String?)
        try StandardOutput.shared.write(object.line + "\n")
    }

    private func report(_ error: any Error, of identifier: String) throws {
        let failure = LibraryFailure(error)
        guard output.json else {
            StandardError.shared.say("photos: " + TerminalStyle.safe(failure.description))
            return
        }
        var object = JSONObject()
        object.add("localIdentifier", identifier)
        object.add("outcome", "failed")
        object.add("type", nil as String?)
        object.add("path", nil as String?)
        object.add("reason", failure.description)
        try StandardOutput.shared.write(object.line + "\n")
    }
}

/// The values of `AssetExport.Version` as flags.
enum ExportVersion: String, EnumerableFlag {
    case original, current

    static func help(for value: ExportVersion) -> ArgumentHelp? {
        switch value {
        case .original: "Export the originals, with everything that belongs to them (default)."
        case .current: "Export what is shown: the edit if there is one, otherwise the original."
        }
    }

    var version: AssetExport.Version {
        switch self {
        case .original: .original
        case .current: .current
        }
    }
}
