import Foundation
import Logging
import TestSupport
import WorkerClient
import WorkerProtocol

/// A program that speaks the worker's protocol and misbehaves as instructed.
///
/// It is written in Perl, which every Debian has.
struct FakeWorker {
    /// Perl code that runs when a probe request is received.
    enum Behaviour: String {
        case crash = "kill 'SEGV', $$; sleep 60;"
        case overrun = "kill 'XCPU', $$; sleep 60;"
        case exit = "exit 3;"
        case forbiddenCall = "kill 'SYS', $$; sleep 60;"
        case killed = "kill 'KILL', $$; sleep 60;"
        /// Reports the reason for its end.
        case ended = "say_bytes('{\"ended\":{\"reason\":\"no file came\"}}'); exit 1;"
        /// Reports the reason for its end before it receives the whole request.
        case endedEarly = """
            say_bytes('{"ended":{"reason":"no file came"}}'); exit 2;
            """
        /// Closes its socket and continues.
        case deaf = "close(STDOUT_SOCKET); close(STDIN); sleep 60;"
        /// Is killed before its first answer, but only once.
        case killedOnce = """
            if (!-e "$0.once") { open(ONCE, '>', "$0.once"); kill 'KILL', $$; sleep 60; }
            say_bytes('{"unsupported":{"reason":"a fake"}}');
            """
        /// Crashes when a fresh worker reads its first file, but only once.
        case crashOnce = """
            if (!-e "$0.once") { open(ONCE, '>', "$0.once"); kill 'SEGV', $$; sleep 60; }
            say_bytes('{"unsupported":{"reason":"a fake"}}');
            """
        case hang = "sleep 60;"
        case garbage = "say_bytes('this is no JSON');"
        case endless = "syswrite(STDOUT_SOCKET, pack('N', 0x7fffffff));  sleep 60;"
        case unsupported = "say_bytes('{\"unsupported\":{\"reason\":\"a fake\"}}');"
        /// Announces pixels without writing them.
        case noMemory = """
            say_bytes('{"probed":{"_0":' . $facts . ',"firstRendition":{"size":{"width":4,'
                . '"height":4},"layout":"rgb","colors":"sRGB"}}}');
            """
        /// Crashes for files whose name contains "bad".
        case crashOnBad = """
            kill('SEGV', $$) if $body =~ /bad/; say_bytes('{"unsupported":{"reason":"a fake"}}');
            """
        /// Dies from its second file, whatever it is.
        case crashLate = """
            kill('SEGV', $$) if $count++; say_bytes('{"unsupported":{"reason":"a fake"}}');
            """
        /// Reports forever that a conversion is half done.
        case stuck = """
            message(); while (1) { say_bytes('{"progress":{"_0":0.5}}');
                select(undef, undef, undef, 0.05); }
            """
        /// Reports impossible progress of a conversion, and bytes that it did not write.
        case liar = """
            message(); say_bytes('{"progress":{"_0":' . $_ . '}}') for (0.2, 0.5, 0.3, -1, 2, 0.6);
            say_bytes('{"converted":{"_0":{"duration":{"value":1,"timescale":1},"bytes":5}}}');
            """
    }

    let path: String

    init(
        in folder: TemporaryFolder,
        behaviour: Behaviour,
        forkReply: String = "{}",
        hello: String = """
        {"hello":{"version":\(WorkerProtocolVersion.current),"sandbox":{"landlockABI":1,\
        "hasSeccomp":true}}}
        """
    ) throws {
        let facts = String(
            decoding: try JSONEncoder().encode(
                MediaFacts(format: .jpeg, contentType: "public.jpeg")
            ),
            as: UTF8.self
        )
        let script = """
            #!/usr/bin/perl
            open(STDOUT_SOCKET, '+<&=', 0);
            my ($facts, $count) = ('\(facts)', 0);
            sub take { my ($n) = @_; my $all = ''; while (length($all) < $n) {
                my $got = sysread(STDIN, my $part, $n - length($all)); exit 0 unless $got;
                $all .= $part; } return $all; }
            sub say_bytes { my ($text) = @_; syswrite(STDOUT_SOCKET, pack('N', length $text) . $text); }
            sub message { return take(unpack('N', take(4))); }
            message();
            # A fork server answers once, and fails if it is used again.
            if ($ARGV[0] eq '--fork-server') { say_bytes('\(forkReply)'); message(); exit 1; }
            say_bytes('\(hello)');
            while (1) { my $body = message();
                # Memory for the answer comes next.
                message() if '\(behaviour)' ne 'endedEarly' and $body =~ /^\\{"probe".*"renditionSide":[1-9]/;
                \(behaviour.rawValue) }
            """
        let url = folder.url.appendingPathComponent("worker-\(behaviour)")
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        path = url.path
    }

    func pool(
        timeLimit: Duration = .seconds(20),
        maximumWorkers: Int = 2,
        logger: Logger = .silentWorkers
    ) -> WorkerPool {
        WorkerPool(
            configuration: .init(
                executable: path,
                maximumWorkers: maximumWorkers,
                timeLimit: timeLimit
            ),
            logger: logger
        )
    }
}
