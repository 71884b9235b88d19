import Foundation

/// Programs that commonly create thumbnails; their start-up is not counted.
struct ThumbnailTools {
    /// The folder that they write to.
    let folder: URL

    /// The quality of the JPEGs that all of them write, including ours.
    private static let quality = 85

    /// Returns whether a program is installed.
    static func has(_ program: String) -> Bool {
        (try? Shell.run("command -v \"$1\" > /dev/null", [program])) != nil
    }

    /// A Python with Pillow; nil if there is none.
    static let python: String? = ["/usr/bin/python3", "python3"].first { program in
        (try? Shell.run("\"$1\" -c 'import PIL' 2> /dev/null", [program])) != nil
    }

    /// Returns the seconds that `vipsthumbnail` takes for files, less those for a picture of one
    /// pixel.
    ///
    /// - Parameters:
    ///   - files: The files to scale down.
    ///   - processes: The number of processes. A single one uses libvips' own threads, several have
    ///     one thread each.
    /// - Returns: The seconds for all files.
    /// - Throws: When it fails for a file.
    func vipsthumbnail(_ files: [URL], processes: Int = 1) throws -> Double {
        let script = """
            quality=$1; out=$2; count=$3; shift 3
            [ "$count" -gt 1 ] && export VIPS_CONCURRENCY=1
            printf '%s\\0' "$@" | xargs -0 -n $(( ($# + count - 1) / count )) -P "$count" \
            vipsthumbnail -s 256 -o "$out/%s.jpg[Q=$quality]"
            """
        let fixed = ["\(Self.quality)", folder.path, "\(processes)"]
        let pixels = try (0..<processes).map { try onePixel("start-\($0).ppm").path }
        var starts: [Double] = []
        for _ in 0..<3 {
            starts.append(try seconds { try Shell.run(script, fixed + pixels) })
        }
        let all = try seconds { try Shell.run(script, fixed + files.map(\.path)) }
        return max(0, all - median(starts))
    }

    /// Returns the seconds that Pillow takes for files, in its draft mode.
    func pillow(_ files: [URL], processes: Int = 1) throws -> Double {
        guard let python = Self.python else { throw BenchmarkError(description: "No Pillow.") }
        let script = folder.appendingPathComponent("thumbnails.py")
        try Data(Self.pillowScript.utf8).write(to: script)
        let answer = folder.appendingPathComponent("seconds")
        try Shell.run(
            "python=$1; answer=$2; shift 2; \"$python\" \"$@\" > \"$answer\"",
            [python, answer.path, script.path, folder.path, "\(processes)", "\(Self.quality)"]
                + files.map(\.path)
        )
        let text = try String(contentsOf: answer, encoding: .utf8)
        guard let figure = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkError(description: "Pillow's script said: \(text)")
        }
        return figure
    }

    /// Returns the seconds in which `dcraw_emu` develops RAW files and `vipsthumbnail` scales them
    /// down.
    func developed(_ files: [URL]) throws -> Double {
        let developing = try seconds {
            try Shell.run("dcraw_emu -w \"$@\" > /dev/null", files.map(\.path))
        }
        let pictures = files.map { $0.appendingPathExtension("ppm") }
        defer { for picture in pictures { try? FileManager.default.removeItem(at: picture) } }
        return developing + (try vipsthumbnail(pictures))
    }

    private func onePixel(_ name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try (Data("P6 1 1 255\n".utf8) + Data([1, 2, 3])).write(to: file)
        return file
    }

    private static let pillowScript = """
        import multiprocessing, os, sys, time
        from PIL import Image, ImageOps

        out, processes, quality, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]

        def make(path):
            image = Image.open(path)
            image.draft("RGB", (256, 256))
            image.thumbnail((256, 256))
            image = ImageOps.exif_transpose(image)
            image.save(os.path.join(out, os.path.basename(path) + ".jpg"), quality=quality)

        Image.init()
        if processes == 1:
            start = time.perf_counter()
            for path in files:
                make(path)
            print(time.perf_counter() - start)
        else:
            with multiprocessing.Pool(processes) as pool:
                pool.map(abs, range(100))
                start = time.perf_counter()
                pool.map(make, files, chunksize=1)
                print(time.perf_counter() - start)
        """
}
