import Foundation
import PhotosManagement

/// A progress line on the terminal, with the rate and the remaining time.
struct ProgressBar {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant?

    init() {
        start = clock.now
    }

    /// Shows the progress of an import in files and bytes, with the rate and the remaining time.
    mutating func show(_ progress: ImportProgress) {
        guard let seconds = secondsIfDue() else { return }
        var parts = [Self.files(progress)]
        let rate = Double(progress.bytes) / max(seconds, 0.001)
        parts.append(SizeText.bytes(Int64(rate)) + "/s")
        var fraction: Double?
        if progress.isTotalKnown, progress.totalFiles > 0 {
            let done =
                progress.totalBytes > 0
                ? Double(progress.bytes) / Double(progress.totalBytes)
                : Double(progress.files) / Double(progress.totalFiles)
            let share = min(1, max(0, done))
            fraction = share
            if share > 0.01, seconds > 1 {
                parts.append(Self.duration(seconds * (1 - share) / share) + " left")
            }
        }
        show(parts.joined(separator: "  "), fraction: fraction)
    }

    /// Shows the progress of importing another program's library, with the rate and the remaining
    /// time.
    mutating func show(_ summary: MigrationSummary, of total: Int) {
        guard total > 0, let seconds = secondsIfDue() else { return }
        let share = min(1, Double(summary.settled) / Double(total))
        let rate = Int64(Double(summary.bytes) / max(seconds, 0.001))
        var parts = ["\(summary.settled) of \(total) photos", SizeText.bytes(rate) + "/s"]
        if share > 0.01, seconds > 1 {
            parts.append(Self.duration(seconds * (1 - share) / share) + " left")
        }
        show(parts.joined(separator: "  "), fraction: share)
    }

    /// Shows the progress of making renditions, with the rate and the remaining time.
    mutating func show(_ progress: LibraryRenditions.Progress) {
        guard let seconds = secondsIfDue() else { return }
        let share = Double(progress.assets) / Double(max(1, progress.total))
        var parts = ["\(progress.assets) of \(progress.total) assets"]
        if seconds > 1 {
            parts.append("\(Int(Double(progress.assets) / seconds))/s")
            if share > 0.01 { parts.append(Self.duration(seconds * (1 - share) / share) + " left") }
        }
        show(parts.joined(separator: "  "), fraction: min(1, share))
    }

    /// Shows the progress of a backup in files and bytes, with the rate and the remaining time.
    mutating func show(_ progress: LibraryBackup.Progress) {
        guard let seconds = secondsIfDue() else { return }
        let share =
            progress.totalBytes > 0
            ? Double(progress.bytes) / Double(progress.totalBytes)
            : Double(progress.files) / Double(max(1, progress.totalFiles))
        var parts = ["\(progress.files) of \(progress.totalFiles) files"]
        parts.append(SizeText.bytes(Int64(Double(progress.bytes) / max(seconds, 0.001))) + "/s")
        if share > 0.01, seconds > 1 {
            parts.append(Self.duration(seconds * (1 - share) / share) + " left")
        }
        show(parts.joined(separator: "  "), fraction: min(1, share))
    }

    /// Shows the completed fraction of the work, with the remaining time.
    mutating func show(_ share: Double) {
        guard let seconds = secondsIfDue() else { return }
        let share = min(1, max(0, share))
        let left =
            share > 0.01 && seconds > 1
            ? Self.duration(seconds * (1 - share) / share) + " left" : ""
        show(left, fraction: share)
    }

    /// Clears the progress line.
    func finish() { StandardError.shared.clearStatus() }

    /// Returns the seconds since the start; nil if the line was updated less than 100 ms ago or
    /// there is no terminal.
    private mutating func secondsIfDue() -> Double? {
        guard StandardError.isTerminal else { return nil }
        let now = clock.now
        if let shown, now - shown < .milliseconds(100) { return nil }
        shown = now
        return (now - start) / .seconds(1)
    }

    private func show(_ text: String, fraction: Double?) {
        var line = text
        if let fraction {
            let percent = Columns.pad("\(Int(fraction * 100)) %", to: 5, right: true)
            let room = min(30, TerminalStyle.width - text.count - percent.count - 8)
            if room >= 5 {
                let filled = Int(fraction * Double(room))
                let bar =
                    String(repeating: "#", count: filled)
                    + String(repeating: "-", count: room - filled)
                line = "[\(bar)] \(percent)  \(text)"
            } else {
                line = "\(percent)  \(text)"
            }
        }
        StandardError.shared.show(status: String(line.prefix(TerminalStyle.width - 1)))
    }

    private static func files(_ progress: ImportProgress) -> String {
        guard progress.totalFiles > 0 else { return "\(progress.files) files" }
        let mark = progress.isTotalKnown ? "" : "+"
        return "\(progress.files) of \(max(progress.totalFiles, progress.files))\(mark) files"
    }

    private static func duration(_ seconds: Double) -> String {
        let total = Int(min(seconds.rounded(.up), 359_999))
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}
