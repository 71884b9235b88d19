package import Foundation
package import PhotoModel
import Synchronization

/// A set of related files: names and recipes, drawn only when they are written.
package struct SampleSet: Hashable, Sendable {
    /// A file that is yet to be drawn.
    package struct Entry: Hashable, Sendable {
        /// The content of the file.
        package enum Content: Hashable, Sendable {
            case jpeg(SamplePhoto)
            case png(SamplePhoto)
            case dng(SamplePhoto)
            case gif(Picture, PixelSize)
            case movie(SampleMovie)
            case adjustment
            case sidecar(SampleMetadata)
        }

        /// The path below the set's folder.
        package var name: String
        package var content: Content

        package init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }

        /// Draws the file.
        package func file() throws -> SampleFile {
            let data =
                switch content {
                case .jpeg(let photo): try SampleFile.jpeg(photo)
                case .png(let photo): SampleFile.png(photo)
                case .dng(let photo): SampleFile.dng(photo)
                case .gif(let picture, let size): SampleFile.gif(picture, size: size)
                case .movie(let movie): try SampleFile.quickTime(movie)
                case .adjustment: try SampleFile.aae()
                case .sidecar(let metadata): SampleFile.xmp(metadata)
                }
            return SampleFile(name: name, data: data)
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    /// Draws all files into a folder, as many at a time as there are processors.
    ///
    /// Existing files are overwritten. `progress` is called with each name after its file is
    /// written, on no particular thread. The first error ends the call; files written before it
    /// remain.
    package func write(
        to folder: URL,
        progress: @Sendable (String) -> Void = { _ in }
    ) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: entries.count) { index in
            guard failure.withLock({ $0 == nil }) else { return }
            do {
                try entries[index].file().write(to: folder)
                progress(entries[index].name)
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
