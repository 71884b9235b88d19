import Glibc
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct SystemErrorTests {
    @Test(
        "Each kind of error number has its code and its remedy",
        arguments: [
            (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EACCES, .noPermission),
            (EPERM, .noPermission), (EROFS, .readOnly), (EMFILE, .tooManyOpenFiles),
            (ENFILE, .tooManyOpenFiles), (EIO, .inputOutput), (ENOENT, .inputOutput),
        ] as [(Int32, LibraryError.Code)]
    )
    func codes(number: Int32, code: LibraryError.Code) {
        let failure = SystemError(call: "open", number: number, path: "/a")
        let error = failure.libraryError(doing: "read")
        #expect(error.code == code)
        #expect(error.message == "Could not read /a.")
        #expect(error.path == "/a")
        #expect(error.reason?.isEmpty == false && error.recovery?.isEmpty == false)
        #expect(failure.isNoSpace == (code == .noSpace))
        #expect(failure.isTooManyOpenFiles == (code == .tooManyOpenFiles))
    }

    @Test func theReasonHasTheNameOfTheNumber() {
        let names: [(Int32, String)] = [
            (EACCES, "EACCES"), (EBADF, "EBADF"), (EBUSY, "EBUSY"), (EDQUOT, "EDQUOT"),
            (EEXIST, "EEXIST"), (EFBIG, "EFBIG"), (EINVAL, "EINVAL"), (EIO, "EIO"),
            (EISDIR, "EISDIR"), (EMFILE, "EMFILE"), (ENAMETOOLONG, "ENAMETOOLONG"),
            (ENFILE, "ENFILE"), (ENODEV, "ENODEV"), (ENOENT, "ENOENT"), (ENOMEM, "ENOMEM"),
            (ENOSPC, "ENOSPC"), (ENOTDIR, "ENOTDIR"), (ENXIO, "ENXIO"), (EPERM, "EPERM"),
            (EROFS, "EROFS"), (ESTALE, "ESTALE"), (ETIMEDOUT, "ETIMEDOUT"), (EDOM, "errno \(EDOM)"),
        ]
        for (number, name) in names {
            let reason = SystemError(call: "read", number: number).reason
            #expect(reason.hasSuffix(" (\(name))"), "\(reason)")
        }
        #expect(SystemError(call: "read", number: EIO).reason == "Input/output error (EIO)")
    }

    @Test func theLastErrorIsTaken() {
        errno = ENOTDIR
        let failure = SystemError.last("openat", path: "/b")
        #expect(failure == SystemError(call: "openat", number: ENOTDIR, path: "/b"))
        #expect(failure.libraryError("No.").reason == "openat: \(failure.reason).")
        let error = SystemError(call: "close", number: EIO).libraryError(doing: "close")
        #expect(error.message == "Could not close it.")
    }

    @Test func anErrorIsDescribedByAllItsSentences() {
        let error = LibraryError(.busy, "It is busy.", reason: "Why.", recovery: "Wait.")
        #expect(error.description == "It is busy. Why. Wait.")
        #expect(LibraryError(.busy, "It is busy.").description == "It is busy.")
        #expect(LibraryError(.busy, "A.", identifiers: ["x"]).identifiers == ["x"])
    }
}
