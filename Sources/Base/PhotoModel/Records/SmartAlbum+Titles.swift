internal import Glibc

extension SmartAlbum {
    /// The languages in which titles exist, by ISO 639 code.
    package enum Language: String, CaseIterable, Sendable {
        case english = "en"
        case german = "de"
        case spanish = "es"
        case italian = "it"
        case russian = "ru"
        case chinese = "zh"

        /// Creates the language of a POSIX locale such as `de_AT.UTF-8`, or English if no titles
        /// exist in that language.
        package init(locale: String) {
            let code = locale.prefix { $0.isLetter }.lowercased()
            self = Language(rawValue: code) ?? .english
        }

        /// Returns the user's language from the first non-empty variable of LC_ALL, LC_MESSAGES and
        /// LANG, as in POSIX.
        package static func ofUser(_ variable: (String) -> String? = environment) -> Language {
            let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
            let locale = names.lazy.compactMap(variable).first { !$0.isEmpty }
            return Language(locale: locale ?? "")
        }

        package static func environment(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }
        }
    }

    /// The title in the user's language.
    package var title: String { title(in: Self.userLanguage) }

    /// Returns the title in a language.
    package func title(in language: Language) -> String {
        let titles = self.titles
        return switch language {
        case .english: titles.0
        case .german: titles.1
        case .spanish: titles.2
        case .italian: titles.3
        case .russian: titles.4
        case .chinese: titles.5
        }
    }

    // Read once: programs set their locale at startup and do not change it later.
    private static let userLanguage = Language.ofUser()

    private typealias Titles = (String, String, String, String, String, String)

    private var titles: Titles {
        switch self {
        case .userLibrary: ("Recents", "Zuletzt", "Recientes", "Recenti", "Недавние", "最近项目")
        case .recentlyAdded:
            (
                "Recently Added", "Zuletzt hinzugefügt", "Añadido recientemente",
                "Aggiunti di recente", "Недавно добавленные", "最近添加"
            )
        case .favorites:
            ("Favorites", "Favoriten", "Favoritos", "Preferiti", "Избранное", "个人收藏")
        case .videos: ("Videos", "Videos", "Vídeos", "Video", "Видео", "视频")
        case .selfPortraits: ("Selfies", "Selfies", "Selfies", "Selfie", "Селфи", "自拍")
        case .livePhotos:
            ("Live Photos", "Live Photos", "Live Photos", "Live Photo", "Live Photos", "实况照片")
        case .depthEffect: ("Portrait", "Porträt", "Retrato", "Ritratti", "Портреты", "人像")
        case .panoramas:
            ("Panoramas", "Panoramen", "Panorámicas", "Panoramiche", "Панорамы", "全景照片")
        case .timelapses:
            ("Time-lapse", "Zeitraffer", "Cámara rápida", "Time-lapse", "Таймлапс", "延时摄影")
        case .slomoVideos:
            ("Slo-mo", "Slo-Mo", "Cámara lenta", "Slow motion", "Замедленная съемка", "慢动作")
        case .cinematic:
            ("Cinematic", "Kinomodus", "Modo Cine", "Cinema", "Киноэффект", "电影效果")
        case .bursts: ("Bursts", "Serien", "Ráfagas", "Sequenze", "Серии", "连拍快照")
        case .screenshots:
            (
                "Screenshots", "Bildschirmfotos", "Capturas de pantalla", "Istantanee",
                "Снимки экрана", "截屏"
            )
        case .screenRecordings:
            (
                "Screen Recordings", "Bildschirmaufnahmen", "Grabaciones de pantalla",
                "Registrazioni schermo", "Записи экрана", "录屏"
            )
        case .animated: ("Animated", "Animiert", "Animados", "Animate", "Анимированные", "动图")
        case .longExposures:
            (
                "Long Exposure", "Langzeitbelichtung", "Larga exposición", "Lunga esposizione",
                "Длинная выдержка", "长曝光"
            )
        case .raw: ("RAW", "RAW", "RAW", "RAW", "RAW", "RAW")
        case .spatial:
            ("Spatial", "Räumlich", "Espacial", "Spaziali", "Пространственные", "空间")
        case .allHidden:
            ("Hidden", "Ausgeblendet", "Oculto", "Nascosti", "Скрытые", "已隐藏")
        case .unableToUpload:
            (
                "Unable to Upload", "Upload nicht möglich", "No se pueden subir",
                "Impossibile caricare", "Не удалось выгрузить", "无法上传"
            )
        }
    }
}
