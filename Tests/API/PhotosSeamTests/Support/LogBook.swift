import Logging
import Synchronization

/// Records log messages.
final class LogBook: Sendable {
    private let lines = Mutex<[String]>([])

    var messages: [String] { lines.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(book: self) }
    }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            // What failed is in the metadata.
            let text = event.metadata?["photos.error"].map { "\($0)" } ?? "\(event.message)"
            book.lines.withLock { $0.append("\(event.level): \(text)") }
            Signals.send()
        }
    }
}
