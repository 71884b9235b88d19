#include "CExiv2Shim.h"

// Exiv2 0.27 returns std::auto_ptr, which only a later version of Exiv2 replaces.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#include <climits>
#include <cstring>
#include <exiv2/exiv2.hpp>
#include <string>
#include <vector>

namespace {

// Values longer than this are pixels or a manufacturer's private data, except for the MakerNote
// itself.
constexpr long valueLimit = 256 * 1024;
constexpr long makerNoteLimit = 4 * 1024 * 1024;
constexpr uint16_t makerNoteTag = 0x927c;
constexpr uint16_t iptcTag = 0x83bb;
// Photoshop's image resources, which include a thumbnail and paths.
constexpr uint16_t resourcesTag = 0x8649;
constexpr long resourcesLimit = 64 * 1024 * 1024;

const cphotos_metadata_visitor *current = nullptr;

// Exiv2 logs through one global function.
void logged(int level, const char *text) {
    if (level >= Exiv2::LogMsg::warn && current && current->warning) {
        current->warning(current->context, text);
    }
}

int directoryOf(const Exiv2::Exifdatum &datum) {
    const char *group = datum.ifdName();
    if (std::strcmp(group, "IFD0") == 0) return CPHOTOS_EXIF_IMAGE;
    if (std::strcmp(group, "Exif") == 0) return CPHOTOS_EXIF_PHOTO;
    if (std::strcmp(group, "GPSInfo") == 0) return CPHOTOS_EXIF_GPS;
    return 0;
}

void tellExif(const Exiv2::ExifData &data, const cphotos_metadata_visitor &visitor) {
    if (visitor.exif) {
        std::vector<Exiv2::byte> buffer;
        for (const auto &datum : data) {
            int directory = directoryOf(datum);
            if (directory == 0) continue;
            long size = datum.size();
            bool isMakerNote = directory == CPHOTOS_EXIF_PHOTO && datum.tag() == makerNoteTag;
            if (size <= 0 || size > (isMakerNote ? makerNoteLimit : valueLimit)) continue;
            buffer.resize(static_cast<size_t>(size));
            long copied = datum.copy(buffer.data(), Exiv2::littleEndian);
            if (copied < 0 || copied > size) continue;
            long count = datum.count();
            visitor.exif(
                visitor.context, directory, datum.tag(),
                static_cast<uint16_t>(datum.typeId() <= 0xffff ? datum.typeId() : 0),
                count > 0 ? static_cast<size_t>(count) : 0, buffer.data(),
                static_cast<size_t>(copied)
            );
        }
    }
    if (visitor.lens) {
        auto lens = Exiv2::lensName(data);
        if (lens != data.end() && lens->groupName() != "Photo") {
            std::string text = lens->print(&data);
            visitor.lens(visitor.context, text.c_str());
        }
    }
}

void tellXMP(const Exiv2::XmpData &data, const cphotos_metadata_visitor &visitor) {
    if (!visitor.xmp) return;
    for (const auto &datum : data) {
        if (datum.typeId() == Exiv2::langAlt) {
            const auto *alternatives
                = dynamic_cast<const Exiv2::LangAltValue *>(&datum.value());
            if (!alternatives || alternatives->value_.empty()) continue;
            auto chosen = alternatives->value_.find("x-default");
            if (chosen == alternatives->value_.end()) chosen = alternatives->value_.begin();
            visitor.xmp(visitor.context, datum.key().c_str(), chosen->second.c_str());
        } else {
            // The values of bags and sequences are reported one by one.
            long count = datum.count();
            bool isArray = datum.typeId() == Exiv2::xmpBag || datum.typeId() == Exiv2::xmpSeq
                || datum.typeId() == Exiv2::xmpAlt;
            for (long i = 0; i < (isArray ? count : 1); i++) {
                std::string text = isArray ? datum.toString(i) : datum.toString();
                visitor.xmp(visitor.context, datum.key().c_str(), text.c_str());
            }
        }
    }
}

// Exiv2's own data sets are unusable: Exiv2 adds the zone +0000 to a time without a zone.
void tellIPTC(
    const Exiv2::ExifData &data, Exiv2::ByteOrder order, const cphotos_metadata_visitor &visitor
) {
    if (!visitor.iptc) return;
    std::vector<Exiv2::byte> buffer;
    for (const auto &datum : data) {
        bool isBlock = datum.tag() == iptcTag;
        if (directoryOf(datum) != CPHOTOS_EXIF_IMAGE || !(isBlock || datum.tag() == resourcesTag)) {
            continue;
        }
        long size = datum.size();
        if (size <= 0 || size > resourcesLimit) continue;
        buffer.resize(static_cast<size_t>(size));
        // Many programs write the block as 32-bit numbers; in the file's byte order they are its
        // bytes.
        long copied = datum.copy(buffer.data(), order);
        if (copied <= 0 || copied > size) continue;
        visitor.iptc(visitor.context, !isBlock, buffer.data(), static_cast<size_t>(copied));
    }
}

// Runs `work` while the log goes to `visitor`; no exception escapes.
template <typename Work>
int guarded(const cphotos_metadata_visitor &visitor, Work work) {
    current = &visitor;
    int code = -1;
    try {
        code = work();
    } catch (const std::exception &error) {
        if (visitor.warning) visitor.warning(visitor.context, error.what());
    } catch (...) {
    }
    current = nullptr;
    return code;
}

// The namespaces that Exiv2 does not know, with the prefixes in the keys of their properties. The
// toolkit keeps the prefix of the first packet that uses a namespace, for as long as the process
// lives, so that a file would otherwise decide how those after it are read.
struct Namespace {
    const char *prefix;
    const char *uri;
};
constexpr Namespace namespaces[] = {
    {"Container", "http://ns.google.com/photos/1.0/container/"},
    {"GCamera", "http://ns.google.com/photos/1.0/camera/"},
    {"GCreations", "http://ns.google.com/photos/1.0/creations/"},
    {"GDepth", "http://ns.google.com/photos/1.0/depthmap/"},
    {"GPano", "http://ns.google.com/photos/1.0/panorama/"},
    {"HDRGainMap", "http://ns.apple.com/HDRGainMap/1.0/"},
    {"Item", "http://ns.google.com/photos/1.0/container/item/"},
    {"apdi", "http://ns.apple.com/pixeldatainfo/1.0/"},
    {"darktable", "http://darktable.sf.net/"},
    {"depthData", "http://ns.apple.com/depthData/1.0/"},
    {"hdrgm", "http://ns.adobe.com/hdr-gain-map/1.0/"},
    {"migration", "https://swift-photos.org/ns/migration/1.0/"},
    {"photos", "https://swift-photos.org/ns/1.0/"},
};

// Assigns the prefixes by reading a packet with one property of each namespace: Exiv2 and its
// toolkit have a registry each, and no function of Exiv2 fills both.
bool assignPrefixes() {
    std::string packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
                         "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
                         "<rdf:Description rdf:about=''";
    for (const auto &each : namespaces) {
        std::string prefix = each.prefix;
        packet += " xmlns:" + prefix + "='" + each.uri + "' " + prefix + ":used='1'";
    }
    packet += "/></rdf:RDF></x:xmpmeta>";
    Exiv2::XmpData data;
    if (Exiv2::XmpParser::decode(data, packet) != 0) return false;
    for (const auto &each : namespaces) {
        if (Exiv2::XmpProperties::prefix(each.uri) != each.prefix) return false;
    }
    return true;
}

}  // namespace

int cphotos_exiv2_start(void) {
    try {
        Exiv2::LogMsg::setHandler(logged);
        Exiv2::LogMsg::setLevel(Exiv2::LogMsg::warn);
#ifdef EXV_ENABLE_BMFF
        Exiv2::enableBMFF(true);
#endif
        return Exiv2::XmpParser::initialize() && assignPrefixes() ? 0 : -1;
    } catch (...) {
        return -1;
    }
}

int cphotos_exiv2_exif(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor) {
    return guarded(*visitor, [&] {
        if (length > UINT32_MAX) return -1;
        Exiv2::ExifData data;
        auto order = Exiv2::ExifParser::decode(data, bytes, static_cast<uint32_t>(length));
        tellExif(data, *visitor);
        return order == Exiv2::invalidByteOrder ? -1 : 0;
    });
}

int cphotos_exiv2_xmp(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor) {
    return guarded(*visitor, [&] {
        Exiv2::XmpData data;
        std::string packet(reinterpret_cast<const char *>(bytes), length);
        int code = Exiv2::XmpParser::decode(data, packet);
        tellXMP(data, *visitor);
        return code == 0 ? 0 : -1;
    });
}

int cphotos_exiv2_file(const uint8_t *bytes, size_t length, const cphotos_metadata_visitor *visitor) {
    return guarded(*visitor, [&] {
        if (length > LONG_MAX) return -1;
        auto image = Exiv2::ImageFactory::open(
            Exiv2::BasicIo::AutoPtr(new Exiv2::MemIo(bytes, static_cast<long>(length)))
        );
        if (!image.get()) return -1;
        image->readMetadata();
        tellExif(image->exifData(), *visitor);
        tellXMP(image->xmpData(), *visitor);
        tellIPTC(image->exifData(), image->byteOrder(), *visitor);
        return 0;
    });
}
