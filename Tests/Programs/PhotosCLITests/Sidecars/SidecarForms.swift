import Foundation

/// Sidecars in the true forms of the programs that write them.
///
/// Each states the same facts, as far as its program knows them, in its own way: attributes or
/// elements, one or several descriptions, bags or sequences.
enum SidecarForm: String, CaseIterable, Sendable {
    case digiKam, lightroom, darktable, immich, photoPrism, apple

    static let title = "A <title> & “more”"
    static let caption = "Line one\nLine two"
    static let latitude = 51.508_12
    static let longitude = -0.128_34

    /// The keywords that arrive.
    var keywords: Set<String> {
        switch self {
        case .digiKam, .lightroom, .darktable: ["Sea", "Rome"]
        case .immich: ["Sea", "Rome"]
        case .photoPrism, .apple: ["Sea", "Rome"]
        }
    }

    /// The rating that arrives; nil for programs that have none.
    var rating: String? {
        switch self {
        case .digiKam: "four"
        case .lightroom: "three"
        case .darktable: "rejected"
        case .immich: "five"
        case .photoPrism, .apple: nil
        }
    }

    /// The wall time and the offset that arrive.
    var clock: (wallTime: String, offset: Int?) {
        switch self {
        case .digiKam: ("2021-05-06T07:08:09", nil)
        case .lightroom: ("2021-05-06T07:08:09.25", 7200)
        case .darktable: ("2021-05-06T07:08:09.500", nil)
        case .immich: ("2021-05-06T07:08:09", 7200)
        case .photoPrism: ("2021-05-06T07:08:09", nil)
        case .apple: ("2021-05-06T07:08:09", 7200)
        }
    }

    var data: Data { Data(Self.filled(text).utf8) }

    private static func filled(_ text: String) -> String {
        text.replacing("TITLE", with: "A &lt;title&gt; &amp; “more”")
            .replacing("CAPTION", with: caption)
    }

    private static let begin = "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"

    private var text: String {
        switch self {
        case .digiKam: Self.digiKamText
        case .lightroom: Self.lightroomText
        case .darktable: Self.darktableText
        case .immich: Self.immichText
        case .photoPrism: Self.photoPrismText
        case .apple: Self.appleText
        }
    }

    /// Exiv2's compact form: attributes, and areas as descriptions within items.
    private static let digiKamText = """
        \(begin)
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:digiKam="http://www.digikam.org/ns/1.0/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/"
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            xmlns:acdsee="http://ns.acdsee.com/iptc/1.0/"
            xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
            xmlns:mediapro="http://ns.iview-multimedia.com/mediapro/1.0/"
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
            xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
            xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
            xmlns:MP="http://ns.microsoft.com/photo/1.2/"
            xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#"
            xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
           digiKam:ColorLabel="1" digiKam:PickLabel="3"
           xmp:Rating="4" xmp:Label="Red" MicrosoftPhoto:Rating="75"
           xmp:MetadataDate="2024-01-01T00:00:00+01:00"
           exif:DateTimeOriginal="2021-05-06T07:08:09"
           photoshop:DateCreated="2021-05-06T07:08:09"
           exif:GPSLatitude="51,30.48720000N" exif:GPSLongitude="0,7.70040000W"
           photoshop:City="London" photoshop:Country="United Kingdom"
           acdsee:categories="&lt;Categories&gt;&lt;Category Assigned=&quot;0&quot;&gt;Places&lt;\
        Category Assigned=&quot;1&quot;&gt;Rome&lt;/Category&gt;&lt;/Category&gt;&lt;/Categories&gt;">
           <digiKam:TagsList><rdf:Seq><rdf:li>Nature/Sea</rdf:li><rdf:li>Places/Italy/Rome</rdf:li>
            <rdf:li>People/Ada</rdf:li></rdf:Seq></digiKam:TagsList>
           <MicrosoftPhoto:LastKeywordXMP><rdf:Bag><rdf:li>Nature/Sea</rdf:li>
            <rdf:li>People/Ada</rdf:li></rdf:Bag></MicrosoftPhoto:LastKeywordXMP>
           <lr:hierarchicalSubject><rdf:Bag><rdf:li>Nature|Sea</rdf:li><rdf:li>Places|Italy|Rome</rdf:li>
            <rdf:li>People|Ada</rdf:li></rdf:Bag></lr:hierarchicalSubject>
           <mediapro:CatalogSets><rdf:Bag><rdf:li>Nature|Sea</rdf:li><rdf:li>People|Ada</rdf:li></rdf:Bag>
           </mediapro:CatalogSets>
           <dc:subject><rdf:Bag><rdf:li>Sea</rdf:li><rdf:li>Rome</rdf:li><rdf:li>Ada</rdf:li></rdf:Bag>
           </dc:subject>
           <dc:title><rdf:Alt><rdf:li xml:lang="de-DE">Anders</rdf:li>
            <rdf:li xml:lang="x-default">TITLE</rdf:li></rdf:Alt></dc:title>
           <dc:description><rdf:Alt><rdf:li xml:lang="x-default">CAPTION</rdf:li></rdf:Alt></dc:description>
           <mwg-rs:Regions rdf:parseType="Resource">
            <mwg-rs:AppliedToDimensions stDim:w="64" stDim:h="48" stDim:unit="pixel"/>
            <mwg-rs:RegionList><rdf:Bag><rdf:li>
              <rdf:Description mwg-rs:Name="Ada" mwg-rs:Type="Face">
               <mwg-rs:Area stArea:x="0.25" stArea:y="0.5" stArea:w="0.125" stArea:h="0.25"
                stArea:unit="normalized"/>
              </rdf:Description></rdf:li></rdf:Bag></mwg-rs:RegionList>
           </mwg-rs:Regions>
           <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
            <rdf:li MPReg:PersonDisplayName="Ada" MPReg:Rectangle="0.1875, 0.375, 0.125, 0.25"/>
            <rdf:li MPReg:PersonDisplayName="Bob" MPReg:Rectangle="0.5, 0.5, 0.25, 0.25"/>
           </rdf:Bag></MPRI:Regions></MP:RegionInfo>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """

    private static let lightroomText = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Adobe XMP Core 7.0-c000 1.000000, 0000/00/00">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
            xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
            xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
            xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
           xmp:CreatorTool="Adobe Photoshop Lightroom Classic 13.0" xmp:Rating="3" xmp:Label="Blue"
           xmp:CreateDate="1999-01-01T00:00:01" xmp:MetadataDate="2024-01-01T00:00:00+01:00"
           tiff:Make="Other" tiff:Model="Other" aux:Lens="Other" exif:ISOSpeedRatings="3"
           photoshop:DateCreated="2021-05-06T07:08:09.25+02:00"
           photoshop:City="London" photoshop:State="England" photoshop:Country="United Kingdom"
           Iptc4xmpCore:Location="Trafalgar Square" Iptc4xmpCore:CountryCode="GBR"
           exif:GPSLatitude="51,30.4872N" exif:GPSLongitude="0,7.7004W"
           crs:Version="15.5" crs:Exposure2012="+0.50">
           <dc:subject><rdf:Bag><rdf:li>Sea</rdf:li><rdf:li>Rome</rdf:li></rdf:Bag></dc:subject>
           <lr:hierarchicalSubject><rdf:Bag><rdf:li>Nature|Sea</rdf:li>
            <rdf:li>Places|Italy|Rome</rdf:li></rdf:Bag></lr:hierarchicalSubject>
           <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Ada</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>
           <dc:title><rdf:Alt><rdf:li xml:lang="x-default">TITLE</rdf:li></rdf:Alt></dc:title>
           <dc:description><rdf:Alt><rdf:li xml:lang="x-default">CAPTION</rdf:li></rdf:Alt></dc:description>
           <crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li></rdf:Seq></crs:ToneCurvePV2012>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """

    private static let darktableText = """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/"
            xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
            xmlns:darktable="http://darktable.sf.net/"
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
           exif:DateTimeOriginal="2021:05:06 07:08:09.500"
           exif:GPSVersionID="2.2.0.0" exif:GPSLatitude="51,30.487200N" exif:GPSLongitude="0,7.700400W"
           xmp:Rating="-1" xmpMM:DerivedFrom="IMG.JPG"
           darktable:xmp_version="5" darktable:raw_params="0" darktable:auto_presets_applied="1"
           darktable:history_end="1">
           <darktable:colorlabels><rdf:Seq><rdf:li>2</rdf:li></rdf:Seq></darktable:colorlabels>
           <darktable:history><rdf:Seq><rdf:li darktable:num="0" darktable:operation="exposure"
            darktable:enabled="1" darktable:params="00000000"/></rdf:Seq></darktable:history>
           <dc:subject><rdf:Seq><rdf:li>Sea</rdf:li><rdf:li>Rome</rdf:li></rdf:Seq></dc:subject>
           <lr:hierarchicalSubject><rdf:Seq><rdf:li>Nature|Sea</rdf:li><rdf:li>Places|Italy|Rome</rdf:li>
           </rdf:Seq></lr:hierarchicalSubject>
           <dc:title><rdf:Alt><rdf:li xml:lang="x-default">TITLE</rdf:li></rdf:Alt></dc:title>
           <dc:description><rdf:Alt><rdf:li xml:lang="x-default">CAPTION</rdf:li></rdf:Alt></dc:description>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """

    /// ExifTool's form: elements in a description per namespace, with apostrophes.
    private static let immichText = """
        \(begin.replacing("\"", with: "'"))
        <x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.76'>
        <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>

         <rdf:Description rdf:about=''
          xmlns:dc='http://purl.org/dc/elements/1.1/'>
          <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>TITLE</rdf:li></rdf:Alt></dc:title>
          <dc:description>
           <rdf:Alt>
            <rdf:li xml:lang='x-default'>CAPTION</rdf:li>
           </rdf:Alt>
          </dc:description>
         </rdf:Description>

         <rdf:Description rdf:about=''
          xmlns:digiKam='http://www.digikam.org/ns/1.0/'>
          <digiKam:TagsList>
           <rdf:Seq>
            <rdf:li>Nature/Sea</rdf:li>
            <rdf:li>Places/Italy/Rome</rdf:li>
           </rdf:Seq>
          </digiKam:TagsList>
         </rdf:Description>

         <rdf:Description rdf:about=''
          xmlns:exif='http://ns.adobe.com/exif/1.0/'>
          <exif:DateTimeOriginal>2021-05-06T07:08:09.000+02:00</exif:DateTimeOriginal>
          <exif:GPSLatitude>51,30.4872N</exif:GPSLatitude>
          <exif:GPSLongitude>0,7.7004W</exif:GPSLongitude>
         </rdf:Description>

         <rdf:Description rdf:about=''
          xmlns:tiff='http://ns.adobe.com/tiff/1.0/'>
          <tiff:ImageDescription><rdf:Alt><rdf:li xml:lang='x-default'>CAPTION</rdf:li></rdf:Alt>
          </tiff:ImageDescription>
         </rdf:Description>

         <rdf:Description rdf:about=''
          xmlns:xmp='http://ns.adobe.com/xap/1.0/'>
          <xmp:Rating>5</xmp:Rating>
         </rdf:Description>
        </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end='w'?>
        """

    private static let photoPrismText = """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 5.1.2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about=""
            xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            xmlns:fstop="http://www.fstopapp.com/xmp/" fstop:favorite="1">
           <dc:title><rdf:Alt><rdf:li xml:lang="x-default">TITLE</rdf:li></rdf:Alt></dc:title>
           <dc:description><rdf:Alt><rdf:li xml:lang="x-default">CAPTION</rdf:li></rdf:Alt></dc:description>
           <dc:subject><rdf:Bag><rdf:li>Sea</rdf:li><rdf:li>Rome</rdf:li></rdf:Bag></dc:subject>
           <photoshop:DateCreated>2021-05-06T07:08:09</photoshop:DateCreated>
           <exif:GPSLatitude>51.50812</exif:GPSLatitude><exif:GPSLatitudeRef>N</exif:GPSLatitudeRef>
           <exif:GPSLongitude>0.12834</exif:GPSLongitude><exif:GPSLongitudeRef>W</exif:GPSLongitudeRef>
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """

    /// Apple Photos' "Export IPTC as XMP": the hemispheres apart from the degrees.
    private static let appleText = """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0">
           <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
                    xmlns:exif="http://ns.adobe.com/exif/1.0/"
                    xmlns:dc="http://purl.org/dc/elements/1.1/"
                    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
                    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">
                 <exif:GPSLongitude>0.12834</exif:GPSLongitude>
                 <exif:GPSLongitudeRef>W</exif:GPSLongitudeRef>
                 <exif:GPSLatitudeRef>N</exif:GPSLatitudeRef>
                 <exif:GPSLatitude>51.50812</exif:GPSLatitude>
                 <dc:subject>
                    <rdf:Seq>
                       <rdf:li>Sea</rdf:li>
                       <rdf:li>Rome</rdf:li>
                    </rdf:Seq>
                 </dc:subject>
                 <dc:title>
                    <rdf:Alt><rdf:li xml:lang="x-default">TITLE</rdf:li></rdf:Alt>
                 </dc:title>
                 <dc:description>
                    <rdf:Alt><rdf:li xml:lang="x-default">CAPTION</rdf:li></rdf:Alt>
                 </dc:description>
                 <photoshop:DateCreated>2021-05-06T07:08:09+02:00</photoshop:DateCreated>
              </rdf:Description>
           </rdf:RDF>
        </x:xmpmeta>
        <?xpacket end="w"?>
        """
}
