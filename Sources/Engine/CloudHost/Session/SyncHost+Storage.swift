internal import CloudSync
internal import EmbeddedLibrary
internal import PhotoLibrary
internal import PhotoModel

/// The optimized storage of a library, which keeps disk space free by removing local originals that
/// are in the store.
///
///     too little free ──▶ least recently used ──picture made──▶ all logs read, blob read
///         ──journaled──▶ removed from the library
///
/// 1. The state machine decides which may go (`Duty.evict`), the library which must stay.
/// 2. A crash or a refusal after the machine's step leaves a file that the machine does not know;
///    the next session notes it.
/// 3. If removing them frees no space, such as on a volume with snapshots, no more are removed for
///    some hours (`RemovalYield`).
/// 4. Files that never were here are downloaded once, so that each photo has a picture.
extension SyncHost {
    private static let candidatesAtOnce = 20_000
    private static let removalsAtOnce = 256
    /// The free space in bytes that downloads must leave unused.
    private static let reserve: Int64 = 1 << 30

    /// Downloads the files that are needed, and removes originals to free space.
    func exchangeFiles(
        _ storage: OptimizedStorage,
        isShort: Bool
    ) async throws(LibraryError) {
        if !isShort || !hasNotedArrivals {
            try engine.requestLostPictures()
            let missing = Set(try engine.missingContents(limit: .max))
            try await noteArrivals(except: missing)
            hasNotedArrivals = true
        }
        try await makeRoom(storage)
        let needed = try engine.neededContents()
        var copied: Set<ContentID> = []
        _ = try await copyFiles(needed, &copied)
        var waiting = needed.filter { machine.isDownloadable($0) && !copied.contains($0) }[...]
        var tooLarge = 0
        while !waiting.isEmpty, mayContinue {
            let free = try engine.volumeSpace().free - Self.reserve
            let group = Self.nextGroup(&waiting, free: free, &tooLarge) { content in
                (try? download(of: content).remainingSize) ?? 0
            }
            try await perform(together: group.map { .perform(.download($0)) })
            try await settle()
            if !group.isEmpty { try await makeRoom(storage) }
        }
        if tooLarge > 0 {
            note([
                tooLarge == 1
                    ? "1 file is not downloaded, since the volume is full."
                    : "\(tooLarge) files are not downloaded, since the volume is full."
            ])
        }
    }

    /// Removes the next group of files from `waiting` and returns those that fit into the free
    /// space.
    ///
    /// A file that does not fit on its own is skipped and counted in `tooLarge`. A complete file
    /// that only has to be placed needs no space, even if less than the reserve is free.
    static func nextGroup(
        _ waiting: inout ArraySlice<ContentID>,
        free: Int64,
        _ tooLarge: inout Int,
        remainingSize: (ContentID) -> Int64
    ) -> [ContentID] {
        var group: [ContentID] = []
        var size: Int64 = 0
        while group.count < downloadsPerStep, let content = waiting.first {
            let file = remainingSize(content)
            if file > 0, file > free - size {
                // It may fit after others were removed.
                guard group.isEmpty else { break }
                tooLarge += 1
            } else {
                size += file
                group.append(content)
            }
            waiting = waiting.dropFirst()
        }
        return group
    }

    /// Removes originals until the required space is free or no more can be removed.
    private func makeRoom(_ storage: OptimizedStorage) async throws(LibraryError) {
        // A store that does not keep all promises is a backup: it is not relied on.
        guard canDelete, machine.mayEvict, !machine.isExporting else { return }
        let removalYield = configuration.removalYield
        while mayContinue {
            let space = try removalYield.measure(engine, false)
            // No more than the volume can be free, whatever somebody wishes.
            let required = min(storage.space(ofVolume: space.size), space.size)
            guard space.free < required else { return }
            guard !removalYield.isPaused else { return noteYield() }
            // A margin, so that the next files do not begin it again.
            let chosen = try engine.removableOriginals(
                bytes: required + required / 20 - space.free,
                limit: Self.candidatesAtOnce,
                except: unremovable.union(configuration.requested())
            )
            guard !chosen.isEmpty else { return }
            let evictable = Set(machine.evictable(chosen.map(\.content)))
            unremovable.formUnion(chosen.lazy.map(\.content).filter { !evictable.contains($0) })
            var rest = chosen.filter { evictable.contains($0.content) }[...]
            while !rest.isEmpty, mayContinue {
                let next = Array(rest.prefix(Self.removalsAtOnce))
                rest = rest.dropFirst(next.count)
                guard try await yields(next) else {
                    removalYield.beginPause()
                    return noteYield()
                }
            }
        }
    }

    /// Removes the given originals, and returns whether removals free space.
    private func yields(_ originals: [RemovableOriginal]) async throws(LibraryError) -> Bool {
        let removalYield = configuration.removalYield
        let before = try removalYield.measure(engine, false).free
        let size = try await remove(originals)
        let after = try removalYield.measure(engine, false).free
        guard removalYield.isTooSmall(after: size, freeing: after - before) else { return true }
        let settled = try removalYield.measure(engine, true).free
        return !removalYield.isTooSmall(after: 0, freeing: settled - after)
    }

    private func noteYield() {
        note([
            "Removing originals frees no space on the volume of the library, so the others stay for"
                + " now. Snapshots or copies share their bytes."
        ])
    }

    /// Removes the given originals, except those that cannot be downloaded again.
    ///
    /// An original is kept if no rendition of its photos could be made, or if its blob is not
    /// intact.
    ///
    /// - Returns: The size of the removed files in bytes.
    private func remove(_ originals: [RemovableOriginal]) async throws(LibraryError) -> Int64 {
        let assets = Set(originals.flatMap(\.assets)).sorted()
        let pictured = try await engine.makeRemainingPictures(of: assets)
        let ready = originals.filter { pictured.isSuperset(of: $0.assets) }.map(\.content)
        (removals, confirmedRemovals) = (Set(ready), [])
        defer { (removals, confirmedRemovals) = ([], []) }
        if !ready.isEmpty { try await complete(.perform(.evict(ready))) }
        let confirmed = confirmedRemovals
        var removed: Set<ContentID> = []
        if !confirmed.isEmpty { removed = Set(try engine.removeOriginals(confirmed)) }
        report.removed += removed.count
        unremovable.formUnion(Set(originals.map(\.content)).subtracting(removed))
        try await noteArrivals(Set(confirmed).subtracting(removed))
        return originals.reduce(0) { $0 + (removed.contains($1.content) ? $1.size : 0) }
    }
}
