internal import Logging

/// Writes log records to systemd's journal, with a field for each metadata value.
///
/// The metadata key `duty.code`, for example, becomes the field `PHOTOS_DUTY_CODE`. The logger's
/// label is in `PHOTOS_LOGGER`.
struct JournalLogHandler: LogHandler {
    private static let identifier = "photolibraryd"

    private let label: String
    private let socket: JournalSocket
    private var fallback: StreamLogHandler

    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(label: String, socket: JournalSocket, logLevel: Logger.Level) {
        self.label = label
        self.socket = socket
        self.logLevel = logLevel
        fallback = StreamLogHandler.standardError(label: label)
        fallback.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        let fields =
            [
                (name: "MESSAGE", value: "\(event.message)"),
                (name: "PRIORITY", value: "\(Self.priority(of: event.level))"),
                (name: "SYSLOG_IDENTIFIER", value: Self.identifier),
                (name: "PHOTOS_LOGGER", value: label),
            ]
            + values.sorted { $0.key < $1.key }.map {
                (name: Self.field($0.key), value: "\($0.value)")
            }
        if !socket.send(fields) { fallback.log(event: event) }
    }

    /// Returns the syslog priority of a log level.
    private static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }

    /// Returns the name of the journal field for a metadata key, truncated to 64 characters.
    private static func field(_ key: String) -> String {
        let name = key.uppercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return String(("PHOTOS_" + name).prefix(64))
    }
}
