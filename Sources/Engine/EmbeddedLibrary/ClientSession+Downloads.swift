internal import CloudSync
internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

/// The calls about files that are only in the cloud.
extension ClientSession {
    func cloudStates(_ request: CloudStatesRequest) throws(LibraryError) -> CloudStatesReply {
        try present { try resources.cloudStates(request) }
    }

    func downloadResources(_ request: DownloadRequest) throws(LibraryError) {
        try present {
            let files = try missingFiles(request.files)
            guard let first = files.first else { return }
            guard let downloader = engine.downloader else {
                throw LibraryError(
                    notHere: first.record,
                    recovery: """
                        Start photolibraryd, or run photos cloud download \(first.record.assetUUID).
                        """
                )
            }
            try calls.run(request.ticket) { cancellation in
                try download(files, downloader, cancellation)
            }
        }
    }

    /// Returns the files that are only in the cloud, one for each distinct content.
    private func missingFiles(
        _ files: [DownloadRequest.File]
    ) throws -> [ResourceFetcher.MissingFile] {
        var contents: Set<ContentID> = []
        return try files.compactMap(resourceUUID).compactMap { uuid in
            guard let file = try resources.missingFile(uuid) else { return nil }
            return contents.insert(file.content).inserted ? file : nil
        }
    }

    private func resourceUUID(of file: DownloadRequest.File) throws -> String? {
        switch file {
        case .resource(let uuid): return uuid
        case .image(let asset, let version): return try images.imageFile(asset, version)
        case .movie(let asset, let version): return try images.movieFile(asset, version)
        case .adjustments(let asset): return try adjustmentFile(of: asset)?.uuid
        }
    }

    private func download(
        _ files: [ResourceFetcher.MissingFile],
        _ downloader: any ContentDownloading,
        _ cancellation: RequestCancellation
    ) throws(LibraryError) {
        let context = CallContext.current
        let total = files.reduce(0) { $0 + $1.record.size }
        var done: Int64 = 0
        for file in files {
            try cancellation.check()
            try context?.checkCancellation()
            let (start, size) = (done, file.record.size)
            try downloader.download(file.content) { received, _ in
                if cancellation.isCancelled || context?.isCancelled == true { return false }
                context?.progress?(
                    CallProgress(completed: start + min(max(0, received), size), total: total)
                )
                return true
            }
            done += size
        }
    }
}
