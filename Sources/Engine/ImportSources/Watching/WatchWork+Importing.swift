internal import Foundation
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import RemoteLibrary

/// Imports the files that are ready for import from the watch folders.
extension WatchWork {
    private static let filesPerBatch = 32
    private static let bytesPerBatch: Int64 = 256 << 20

    /// Imports the files that are due, in batches.
    ///
    /// - Throws: When the library cannot be used any more.
    func importDue() throws(LibraryError) {
        if let failedUntil, failedUntil > now { return }
        failedUntil = nil
        guard let due = candidates.nextDue, due <= now else {
            isPaused = false
            return
        }
        isPaused = !runner.mayWork()
        guard !isPaused else { return }
        var batch = candidates.takeDue(at: now, limit: Self.filesPerBatch)[...]
        while let first = batch.first, !runner.isStopping {
            var bytes: Int64 = 0
            let part = batch.prefix { entry in
                defer { bytes = bytes.addingSaturated(entry.file.size) }
                return bytes == 0 || bytes.addingSaturated(entry.file.size) <= Self.bytesPerBatch
            }
            batch = batch.dropFirst(part.count)
            do throws(LibraryError) {
                try importFiles(part.map(\.file), first.folder)
            } catch {
                let time = try wait(after: error)
                for entry in part { candidates.postpone(entry.file.path, to: time) }
            }
        }
    }

    private func importFiles(_ files: [SourceFile], _ key: Int) throws(LibraryError) {
        guard let root = roots[key] else { return }
        var folder = root.folder
        let importer = WatchImporter(
            service: runner.service,
            session: try importSession(),
            root: root.path,
            openFile: openFile
        )
        let verdicts = try importer.importFiles(files)
        var assets: [String] = []
        var settled: [(file: SourceFile, outcome: WatchLedger.Outcome)] = []
        var failures: [SystemError] = []
        for (file, verdict) in zip(files, verdicts) {
            switch verdict {
            case .done(let asset, let isNew):
                if let asset, !assets.contains(asset) { assets.append(asset) }
                if isNew { folder.imported += 1 }
                settled.append((file, .done))
            case .failed(let reason):
                runner.logger.info(
                    "A file of a watch folder was not imported.",
                    metadata: [
                        "watch.path": runner.logger.hidden(file.text),
                        "watch.reason": runner.logger.hidden(reason),
                    ]
                )
                settled.append((file, .failed))
            case .mediumMissing: candidates.setAside(file, in: key)
            case .postponed:
                candidates.tryAgain(file.path, after: runner.configuration.retry, at: now)
            case .unreadable(let failure):
                // The next scan finds it again.
                candidates.forget(file.path)
                failures.append(failure)
            case .changed(let present):
                candidates.forget(file.path)
                candidates.see(present, in: key, isInPlace: false, at: now)
            case .gone: candidates.forget(file.path)
            }
        }
        note(failures, of: key)
        try WatchAlbum(service: runner.service).add(assets, of: &folder)
        if folder.imported > root.folder.imported {
            folder.lastImport = Date().timeIntervalSince1970
        }
        if settled.contains(where: { $0.outcome == .done }) {
            try roots[key]?.ledger.record(runner.service)
        }
        for (file, _) in settled { candidates.forget(file.path) }
        do {
            try roots[key]?.ledger.add(settled)
        } catch {
            throw error.libraryError("The ledger of a watch folder cannot be written.")
        }
        for (file, outcome) in settled where outcome == .done {
            candidates.recallSidecars(of: file.path, at: now)
        }
        folder.failed = roots[key]?.ledger.failedCount ?? folder.failed
        let isChanged = folder != root.folder
        roots[key]?.folder = folder
        if isChanged { roots[key]?.isChanged = true }
        runner.monitor.update { $0.lastRun = Date().timeIntervalSince1970 }
    }

    /// Schedules a retry after an error and returns its time; throws if the library can no longer
    /// be used.
    ///
    /// Each attempt writes files to the library's volume, so a full one is left alone for longer.
    private func wait(after error: LibraryError) throws(LibraryError) -> SuspendingClock.Instant {
        let isLasting = [
            .libraryMissing, .volumeMissing, .readOnly, .corrupt, .internalError, .newerFormat,
        ].contains(error.code)
        runner.logger.log(
            level: error.code == .busy ? .debug : .warning,
            "Files of a watch folder could not be imported and will be tried again.",
            metadata: [
                "watch.code": "\(error.code.rawValue)",
                "watch.error": runner.logger.hidden("\(error)"),
            ]
        )
        endSession()
        if isLasting { throw error }
        let times = runner.configuration
        let time = now + (error.code == .noSpace ? times.rescan : times.retry)
        failedUntil = max(failedUntil ?? time, time)
        return time
    }

    private func importSession() throws(LibraryError) -> Int64 {
        if let session { return session }
        let number = try runner.service.beginImport(ImportSessionRequest()).session
        session = number
        return number
    }

    /// Ends the import session.
    func endSession() {
        guard let number = session else { return }
        session = nil
        try? runner.service.endImport(ImportEndRequest(session: number))
    }
}
