internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func listResources(_ request: ResourceListRequest) throws(LibraryError) -> ResourceListReply {
        try present { try resources.list(request) }
    }

    func openResource(
        _ request: ResourceOpenRequest
    ) throws(LibraryError) -> (ResourceOpenReply, Descriptor) {
        try present { try resources.open(request) }
    }

    func keptMetadata(_ request: KeptMetadataRequest) throws(LibraryError) -> KeptMetadataReply {
        try present {
            try KeptMetadataFetcher(resources: resources, prober: engine.workers).fetch(request)
        }
    }

    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply {
        try present { try resources.find(request) }
    }

    func assetDigests(_ request: AssetDigestsRequest) throws(LibraryError) -> AssetDigestsReply {
        try present { try resources.digests(request) }
    }

    func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply {
        try call {
            // Reading takes a thread for as long as the client's files are large.
            try requireOwner()
            return FileDigestsReply(
                digests: try files.map { try FileDigester().digest(of: $0).hexadecimal }
            )
        }
    }

    func verify(_ request: VerifyRequest) throws(LibraryError) -> VerifyReply {
        try present {
            try view.access.requireEverything()
            return try engine.verifier.verify(request)
        }
    }
}
