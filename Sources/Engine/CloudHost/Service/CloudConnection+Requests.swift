internal import CloudKeys
internal import EmbeddedLibrary
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The handling of clients' requests by a cloud connection.
extension CloudConnection {
    func answer(_ action: CloudRequest.Action) throws(LibraryError) -> CloudReply {
        switch action {
        case .status: return try reply()
        case .sync: return CloudReply(try beginSession())
        case .wait(let sessions):
            _ = monitor.wait(before: .now + .seconds(1)) { state in
                state.status.sessions > sessions ? true : nil
            }
            return try reply()
        case .devices:
            return try exclusively { lease throws(LibraryError) in
                try await self.withHost(lease) { host throws(LibraryError) in
                    var reply = try self.reply()
                    reply.devices = try await host.devices()
                    return reply
                }
            }
        case .create(let settings, let passphrase, let name):
            let passphrase = try keys { () throws(CloudKeyError) in
                try passphrase.map { text throws(CloudKeyError) in try Passphrase(text) }
            }
            return try exclusively { lease throws(LibraryError) in
                let outcome = try await self.setup(lease)
                    .create(settings, passphrase: passphrase, name: name)
                return try self.reply(to: outcome)
            }
        case .join(let settings, let secret, let name):
            return try exclusively { lease throws(LibraryError) in
                let outcome = try await self.setup(lease)
                    .join(settings, secret: secret, name: name)
                return try self.reply(to: outcome)
            }
        case .retire(let device, let passphrase):
            return try changeSecrets { host throws(LibraryError) in
                try await host.retire(device, passphrase: passphrase)
            }
        case .passphrase(let text):
            return try changeSecrets { host throws(LibraryError) in
                try await host.changePassphrase(text)
            }
        case .verify(let percent, let isRepairing):
            return try exclusively { lease throws(LibraryError) in
                try await self.withHost(lease) { host throws(LibraryError) in
                    let findings = try await host.verify(
                        percent: percent,
                        isRepairing: isRepairing
                    )
                    var reply = try self.reply()
                    reply.findings = findings
                    return reply
                }
            }
        case .download(let identifiers): return try download(identifiers)
        case .storage: return try storage()
        case .optimize(let keepFree):
            return try changeStorage { engine throws(LibraryError) in
                try engine.setOptimizedStorage(OptimizedStorage(keepFree: keepFree))
            }
        case .keepAll:
            return try changeStorage { engine throws(LibraryError) in
                try engine.setOptimizedStorage(nil)
            }
        case .keepAlbum(let album, let isKept):
            return try changeStorage { engine throws(LibraryError) in
                try engine.setAlbum(album, isKept: isKept)
            }
        case .leave(let abandoning):
            defer { downloads.resume() }
            return try exclusively { lease throws(LibraryError) in
                try lease.engine.leaveCloud(abandoning: abandoning)
                lease.engine.downloadParts.removeAll()
                try MachineJournal.remove(lease.engine.cloudStateFolder)
                let library = try lease.engine.libraryIdentifier()
                try keys { () throws(CloudKeyError) in try self.service.secrets.remove(library) }
                self.monitor.update { $0.leave() }
                return try self.reply()
            } after: { lease throws(LibraryError) in
                // Downloads go on if leaving is refused.
                try lease.engine.checkLeaving(abandoning: abandoning)
                downloads.stop()
            }
        case .credentials(let credentials):
            return try reconnect { reconnection throws(LibraryError) in
                try await reconnection.replace(credentials)
            }
        case .move(let settings):
            return try reconnect { reconnection throws(LibraryError) in
                try await reconnection.move(to: settings)
            }
        }
    }

    /// Runs `body`, which changes the cloud library's secrets by beginning a new epoch.
    private func changeSecrets(
        _ body: @escaping @Sendable (SyncHost) async throws(LibraryError) -> SyncHost.NewSecrets
    ) throws(LibraryError) -> CloudReply {
        try exclusively { lease throws(LibraryError) in
            try await self.withHost(lease) { host throws(LibraryError) in
                let secrets = try await body(host)
                // Nothing may fail from here on: the code is stored nowhere.
                var reply = CloudReply(self.monitor.withLock(\.status))
                reply.recoveryCode = secrets.recoveryCode.text
                reply.keyChange = CloudReply.KeyChange(
                    isPublished: secrets.isPublished,
                    areFormerRemoved: secrets.areFormerRemoved
                )
                return reply
            }
        }
    }

    /// Runs `body`, which probes the store and replaces its settings.
    ///
    /// The reply contains the current status and the result of the probe. The next session uses the
    /// new settings. It begins now if the daemon syncs the library in the background.
    private func reconnect(
        _ body:
            @escaping @Sendable (CloudReconnection) async throws(LibraryError) -> ProbeResult
    ) throws(LibraryError) -> CloudReply {
        let probe = try exclusively { lease throws(LibraryError) in
            let probe = try await body(
                CloudReconnection(
                    engine: lease.engine,
                    secrets: self.service.secrets,
                    opener: self.service.opener
                )
            )
            await self.disconnect()
            return probe
        }
        monitor.update { $0.isKnown = false }
        if monitor.withLock({ $0.kept != nil }) { try beginSession() }
        var reply = try reply()
        reply.probe = probe.summary
        return reply
    }

    private func reply(to outcome: CloudSetup.Outcome) throws(LibraryError) -> CloudReply {
        monitor.update { $0.isKnown = false }
        var reply = try self.reply()
        reply.recoveryCode = outcome.recoveryCode?.text
        reply.probe = outcome.probe.summary
        return reply
    }

    private func setup(_ lease: CloudLease) throws(LibraryError) -> CloudSetup {
        CloudSetup(
            engine: lease.engine,
            library: try lease.engine.libraryIdentifier(),
            path: path,
            secrets: service.secrets,
            opener: service.opener
        )
    }
}
