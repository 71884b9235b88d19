internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        try present { try fetcher.fetch(request) }
    }

    func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply {
        try call { try fetcher.load(request) }
    }

    func countAssets(_ request: AssetCountRequest) throws(LibraryError) -> AssetCountReply {
        try call { try fetcher.count(request) }
    }

    func captureDays(_ request: CaptureDaysRequest) throws(LibraryError) -> CaptureDaysReply {
        try present { try fetcher.days(request) }
    }

    func searchFacets(_ request: SearchFacetsRequest) throws(LibraryError) -> SearchFacetsReply {
        try present {
            // Hidden assets are never counted, so a session without them is permitted.
            try requireOwner()
            return try fetcher.facets(request)
        }
    }
}
