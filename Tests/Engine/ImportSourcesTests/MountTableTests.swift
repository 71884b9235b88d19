import Foundation
import Glibc
import LibraryService
import TestSupport
import Testing

@testable import ImportSources

/// The table of mounts and the names in folders, whose bytes need not be text.
@Suite(.timeLimit(.minutes(1))) struct MountTableTests {
    @Test func pathsHaveEscapesAndAnyBytes() {
        let lines = [
            #"36 35 98:0 / /a\040b\011c\012d\134e rw shared:1 master:2 - ext4 /dev/ro\040ot rw"#,
            "37 35 0:52 / /phone\u{FF} ro - fuse.gvfsd-fuse gvfsd-fuse rw",
            // Neither octal digits nor a byte.
            #"38 35 0:53 / /x\049\777\04 rw - tmpfs none rw"#,
            "39 35 0:54 / /empty rw - tmpfs  rw",
            // Lines of another form.
            "", "40 35 0:55 / /short rw", "41 35 x:55 / /numbers rw - tmpfs none rw", "no mount",
        ]
        // The scalar U+00FF stands for the byte, which is no UTF-8.
        let bytes = lines.joined(separator: "\n").unicodeScalars.map { UInt8($0.value) }
        let mounts = MountTable(bytes).mounts
        #expect(mounts.map(\.major) == [98, 0, 0, 0])
        #expect(mounts.map(\.minor) == [0, 52, 53, 54])
        #expect(
            mounts.map(\.point) == [
                Array("/a b\tc\nd\\e".utf8), Array("/phone".utf8) + [0xFF],
                Array(#"/x\049\777\04"#.utf8), Array("/empty".utf8),
            ]
        )
        #expect(mounts.map(\.type.text) == ["ext4", "fuse.gvfsd-fuse", "tmpfs", "tmpfs"])
        #expect(mounts.map(\.source.text) == ["/dev/ro ot", "gvfsd-fuse", "none", ""])
    }

    @Test func theTableOfThisProcessHasTheRootAndProc() throws {
        let mounts = try MountTable.current().mounts
        #expect(mounts.contains { $0.point == Array("/".utf8) })
        let proc = try #require(mounts.last { $0.point == Array("/proc".utf8) })
        #expect(proc.type.text == "proc" && proc.major == 0)
        #expect(MountTable.isMountPoint(Array("/proc".utf8)))
        #expect(!MountTable.isMountPoint(Array("/proc/self".utf8)))
        #expect(!MountTable.isMountPoint(Array("/none".utf8)))
    }

    @Test func namesAreCompleteOrTheErrorIsReported() throws {
        let folder = try TemporaryFolder("photos-names")
        let file = try folder.write(Data(), to: "a")
        try folder.write(Data(), to: ".b")
        let odd = Array((folder.path + "/c").utf8) + [0xFF]
        close(odd.withCString { open($0, O_WRONLY | O_CREAT, 0o600) })
        var names: [[UInt8]] = []
        let opened = Descriptor(owning: open(folder.path, O_RDONLY | O_DIRECTORY))
        #expect(opened.readNames(into: &names) == nil)
        #expect(names.map(\.text).sorted() == [".b", "a", "c\u{FFFD}"])
        let other = Descriptor(owning: open(file.path, O_RDONLY))
        #expect(other.readNames(into: &names) == ENOTDIR)
        #expect(Descriptor(owning: -1).readNames(into: &names) == EBADF)
        #expect(names.count == 3)
    }
}
