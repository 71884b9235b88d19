internal import Photos

extension PhotoLibraryBundle {
    /// The version of the library that observers of ``photoLibrary`` were last notified of.
    ///
    /// While an observer runs, its notification and the change details lead to this version.
    /// ``version`` can be later, because other programs commit meanwhile.
    ///
    /// It is nil if nothing is observed, or if the library has not been available since the first
    /// observer was registered.
    public var notifiedVersion: Int64? { photoLibrary.connection.monitor.notifiedVersion }
}
