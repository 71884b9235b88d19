-- A library as the version before the cloud's migration left it: albums in folders, a renumbered
-- album, a hidden member, a purged photo, an undo and a deleted album.
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1: assets, resources, journal');
INSERT INTO grdb_migrations VALUES('2: albums, folders, history');
INSERT INTO grdb_migrations VALUES('3: smart albums, bursts');
INSERT INTO grdb_migrations VALUES('4: moments');
INSERT INTO grdb_migrations VALUES('5: edits');
INSERT INTO grdb_migrations VALUES('6: search');
INSERT INTO grdb_migrations VALUES('7: readers');
INSERT INTO grdb_migrations VALUES('8: migrated items');
CREATE TABLE asset (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    mediaType INTEGER NOT NULL,
    mediaSubtypes INTEGER NOT NULL,
    playbackStyle INTEGER NOT NULL,
    sourceType INTEGER NOT NULL,
    pixelWidth INTEGER NOT NULL,
    pixelHeight INTEGER NOT NULL,
    duration REAL NOT NULL,
    frameRate REAL,
    creationDate REAL,
    captureWallTime TEXT,
    captureOffset INTEGER,
    captureWallTimeSource TEXT,
    captureInstantSource TEXT,
    modificationDate REAL NOT NULL,
    addedDate REAL NOT NULL,
    latitude REAL,
    longitude REAL,
    altitude REAL,
    isFavorite INTEGER NOT NULL,
    isHidden INTEGER NOT NULL,
    trashedDate REAL,
    burstIdentifier TEXT,
    burstSelectionTypes INTEGER NOT NULL,
    representsBurst INTEGER NOT NULL,
    isBurstHidden INTEGER NOT NULL,
    contentIdentifier TEXT,
    hasAdjustments INTEGER NOT NULL,
    adjustmentFormatIdentifier TEXT,
    adjustmentTimestamp REAL,
    originalFilename TEXT NOT NULL,
    contentType TEXT NOT NULL,
    title TEXT,
    caption TEXT,
    keywords TEXT NOT NULL,
    rating INTEGER NOT NULL,
    cameraMake TEXT,
    cameraModel TEXT,
    lensModel TEXT,
    software TEXT,
    aperture REAL,
    exposureTime REAL,
    isoSpeed INTEGER,
    focalLength REAL,
    focalLengthIn35mmFilm REAL,
    contentVersion INTEGER NOT NULL,
    -- Whether it shows in a fetch that asks for nothing special. A column, since an index
    -- that leads with it answers such a fetch without looking at the rows; no generated
    -- one, since for those SQLite looks at the rows all the same.
    isVisible INTEGER NOT NULL
, originalResourceChoice INTEGER NOT NULL DEFAULT 0, hasRAW INTEGER NOT NULL DEFAULT 0, readerVersion INTEGER NOT NULL DEFAULT 0, personFacts INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO asset VALUES(1,'4ACBD719-10E2-4BDF-A42F-99E0861E8055',1,0,1,1,128,128,0.0,NULL,602395506.0,'2020-02-03T04:05:06',NULL,'user','user',817234402.61969697477,817234401.32412230969,NULL,NULL,NULL,1,0,NULL,NULL,0,0,0,NULL,0,NULL,NULL,'p1.heif','public.heic','First',NULL,'[]',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,1,0,0,2,2);
INSERT INTO asset VALUES(2,'7D2BD13C-068A-4D8B-8ACD-6FCF6F4A293E',1,0,1,1,128,128,0.0,NULL,817234400.87130117415,'2026-11-24T17:33:20.871',NULL,'fileTime','fileTime',817234401.32412230969,817234401.32412230969,NULL,NULL,NULL,0,0,NULL,NULL,0,0,0,NULL,0,NULL,NULL,'p2.heif','public.heic',NULL,NULL,'[]',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,1,0,0,2,0);
INSERT INTO asset VALUES(3,'0397AE33-12FE-4970-BBEB-DFB2723A537D',1,0,1,1,30,20,0.0,NULL,817234400.87255787853,'2026-11-24T17:33:20.872',NULL,'fileTime','fileTime',817234402.50693666934,817234401.32412230969,NULL,NULL,NULL,0,1,NULL,NULL,0,0,0,NULL,0,NULL,NULL,'p3.heif','public.heif',NULL,NULL,'[]',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,0,0,0,2,0);
INSERT INTO asset VALUES(4,'BD14D498-FC0B-4B7B-9F9F-746A9F0126B7',1,0,1,1,64,64,0.0,NULL,817234400.87369823457,'2026-11-24T17:33:20.873',NULL,'fileTime','fileTime',817234401.32412230969,817234401.32412230969,NULL,NULL,NULL,0,0,NULL,NULL,0,0,0,NULL,0,NULL,NULL,'p4.jp2','public.jpeg-2000',NULL,NULL,'[]',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,1,0,0,2,0);
INSERT INTO asset VALUES(5,'435901BE-BF20-4E1F-9BB6-71D00F6849A8',1,0,1,1,29,100,0.0,NULL,817234400.87489414218,'2026-11-24T17:33:20.874',NULL,'fileTime','fileTime',817234401.32412230969,817234401.32412230969,NULL,NULL,NULL,0,0,NULL,NULL,0,0,0,NULL,0,NULL,NULL,'p5.heif','public.heic',NULL,NULL,'[]',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,1,0,0,2,0);
CREATE TABLE resource (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    assetId INTEGER NOT NULL REFERENCES asset(id),
    type INTEGER NOT NULL,
    originalFilename TEXT NOT NULL,
    contentType TEXT NOT NULL,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
    pixelWidth INTEGER NOT NULL,
    pixelHeight INTEGER NOT NULL
) STRICT;
INSERT INTO resource VALUES(1,'0A118BFB-28E0-4BDD-A867-0E959444B72D',1,1,'p1.heif','public.heic','originals/0a/0A118BFB-28E0-4BDD-A867-0E959444B72D.heic',2560,X'd386c35ece16c8bdcf31fb5de150ecc596a94b23d5dd9057a71d0ddfe1261d71',128,128);
INSERT INTO resource VALUES(2,'4F34750C-AE9D-4DFC-8BDD-D4CDBA68094C',2,1,'p2.heif','public.heic','originals/4f/4F34750C-AE9D-4DFC-8BDD-D4CDBA68094C.heic',3555,X'825853d55a81247b9b3b2cef57b3c1a59b172be2a86b2715de47a489e6a8db06',128,128);
INSERT INTO resource VALUES(3,'8505E6BF-87BD-4C81-AFA8-54492051F115',3,1,'p3.heif','public.heif','originals/85/8505E6BF-87BD-4C81-AFA8-54492051F115.heif',2204,X'722c37c1292a61b5dcdfb49fdf5288f61c87d9831de228f0fc63c078b06b7d19',30,20);
INSERT INTO resource VALUES(4,'93AB4070-CB72-4116-830B-BDE995EFB296',4,1,'p4.jp2','public.jpeg-2000','originals/93/93AB4070-CB72-4116-830B-BDE995EFB296.jp2',3932,X'e6c85abfbfce4d3a3332ada0859c9bce2440e117d7af3a545761befb32ffbccb',64,64);
INSERT INTO resource VALUES(5,'B03CCFD8-06A0-412E-8A72-4FEFAEB62AB8',5,1,'p5.heif','public.heic','originals/b0/B03CCFD8-06A0-412E-8A72-4FEFAEB62AB8.heic',5261,X'60417fb083ad8767bbc5bad30bac274a86d5395dc0a3d98aefab95e03408b806',29,100);
CREATE TABLE importedFile (
    path BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    modificationTime INTEGER NOT NULL,
    statusChangeTime INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    device INTEGER NOT NULL,
    stemKey BLOB NOT NULL,
    resourceId INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE journalVersion (
    version INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    author TEXT NOT NULL
, batch TEXT, undoes INTEGER) STRICT;
INSERT INTO journalVersion VALUES(1,817234401.32412230969,'photos','1B0E2155-93AC-4736-B3F1-DD8727A7482D',NULL);
INSERT INTO journalVersion VALUES(2,817234401.48029112819,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(3,817234401.58016932011,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(4,817234401.68406355377,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(5,817234401.79749274256,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(6,817234401.88970148563,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(7,817234402.00593721865,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(8,817234402.20465552808,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(9,817234402.29576516154,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(10,817234402.40631318089,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(11,817234402.50693666934,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(12,817234402.61969697477,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(13,817234402.72503268715,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(14,817234402.82492136954,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(15,817234402.9594177008,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(16,817234403.07637262346,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(17,817234403.18603324892,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(18,817234403.36943936343,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(19,817234403.50620031357,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(20,817234403.69570159915,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(21,817234403.88584256167,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(22,817234404.0264606476,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(23,817234404.19375026223,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(24,817234404.37480223182,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(25,817234404.56631195544,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(26,817234404.69793999195,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(27,817234404.84065270426,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(28,817234405.00264263154,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(29,817234405.11998689172,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(30,817234405.30632352829,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(31,817234405.53508329394,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(32,817234405.76986312866,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(33,817234405.95080268384,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(34,817234406.14488112926,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(35,817234406.32131326196,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(36,817234406.47315633298,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(37,817234406.57912123199,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(38,817234406.74587416645,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(39,817234406.85821402071,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(40,817234406.97340369223,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(41,817234407.08179140093,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(42,817234407.2078304291,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(43,817234407.35442423824,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(44,817234407.45638370515,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(45,817234407.56445610523,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(46,817234407.68817162517,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(47,817234407.80261647703,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(48,817234407.93780493737,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(49,817234408.08860003947,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(50,817234408.22898519037,'photos',NULL,NULL);
INSERT INTO journalVersion VALUES(51,817234408.32223868367,'photos',NULL,50);
INSERT INTO journalVersion VALUES(52,817234408.42215156554,'photos',NULL,NULL);
CREATE TABLE journalEntry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    version INTEGER NOT NULL REFERENCES journalVersion(version),
    kind INTEGER NOT NULL,
    objectId INTEGER NOT NULL,
    uuid TEXT NOT NULL,
    change INTEGER NOT NULL,
    contentChanged INTEGER NOT NULL,
    oldValues TEXT,
    newValues TEXT
, members TEXT) STRICT;
INSERT INTO journalEntry VALUES(1,1,1,1,'4ACBD719-10E2-4BDF-A42F-99E0861E8055',1,1,NULL,'{"uuid":"4ACBD719-10E2-4BDF-A42F-99E0861E8055","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":128,"pixelHeight":128,"duration":0.0,"creationDate":817234400.8698978,"captureWallTime":"2026-11-24T17:33:20.869","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p1.heif","contentType":"public.heic","keywords":"[]","rating":0,"contentVersion":1,"isVisible":1,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL);
INSERT INTO journalEntry VALUES(2,1,4,1,'0A118BFB-28E0-4BDD-A867-0E959444B72D',1,1,NULL,'{"uuid":"0A118BFB-28E0-4BDD-A867-0E959444B72D","assetId":1,"type":1,"originalFilename":"p1.heif","contentType":"public.heic","path":"originals/0a/0A118BFB-28E0-4BDD-A867-0E959444B72D.heic","size":2560,"sha256":"x:d386c35ece16c8bdcf31fb5de150ecc596a94b23d5dd9057a71d0ddfe1261d71","pixelWidth":128,"pixelHeight":128}',NULL);
INSERT INTO journalEntry VALUES(3,1,1,2,'7D2BD13C-068A-4D8B-8ACD-6FCF6F4A293E',1,1,NULL,'{"uuid":"7D2BD13C-068A-4D8B-8ACD-6FCF6F4A293E","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":128,"pixelHeight":128,"duration":0.0,"creationDate":817234400.8713012,"captureWallTime":"2026-11-24T17:33:20.871","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p2.heif","contentType":"public.heic","keywords":"[]","rating":0,"contentVersion":1,"isVisible":1,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL);
INSERT INTO journalEntry VALUES(4,1,4,2,'4F34750C-AE9D-4DFC-8BDD-D4CDBA68094C',1,1,NULL,'{"uuid":"4F34750C-AE9D-4DFC-8BDD-D4CDBA68094C","assetId":2,"type":1,"originalFilename":"p2.heif","contentType":"public.heic","path":"originals/4f/4F34750C-AE9D-4DFC-8BDD-D4CDBA68094C.heic","size":3555,"sha256":"x:825853d55a81247b9b3b2cef57b3c1a59b172be2a86b2715de47a489e6a8db06","pixelWidth":128,"pixelHeight":128}',NULL);
INSERT INTO journalEntry VALUES(5,1,1,3,'0397AE33-12FE-4970-BBEB-DFB2723A537D',1,1,NULL,'{"uuid":"0397AE33-12FE-4970-BBEB-DFB2723A537D","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":30,"pixelHeight":20,"duration":0.0,"creationDate":817234400.8725579,"captureWallTime":"2026-11-24T17:33:20.872","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p3.heif","contentType":"public.heif","keywords":"[]","rating":0,"contentVersion":1,"isVisible":1,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL);
INSERT INTO journalEntry VALUES(6,1,4,3,'8505E6BF-87BD-4C81-AFA8-54492051F115',1,1,NULL,'{"uuid":"8505E6BF-87BD-4C81-AFA8-54492051F115","assetId":3,"type":1,"originalFilename":"p3.heif","contentType":"public.heif","path":"originals/85/8505E6BF-87BD-4C81-AFA8-54492051F115.heif","size":2204,"sha256":"x:722c37c1292a61b5dcdfb49fdf5288f61c87d9831de228f0fc63c078b06b7d19","pixelWidth":30,"pixelHeight":20}',NULL);
INSERT INTO journalEntry VALUES(7,1,1,4,'BD14D498-FC0B-4B7B-9F9F-746A9F0126B7',1,1,NULL,'{"uuid":"BD14D498-FC0B-4B7B-9F9F-746A9F0126B7","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":64,"pixelHeight":64,"duration":0.0,"creationDate":817234400.8736982,"captureWallTime":"2026-11-24T17:33:20.873","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p4.jp2","contentType":"public.jpeg-2000","keywords":"[]","rating":0,"contentVersion":1,"isVisible":1,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL);
INSERT INTO journalEntry VALUES(8,1,4,4,'93AB4070-CB72-4116-830B-BDE995EFB296',1,1,NULL,'{"uuid":"93AB4070-CB72-4116-830B-BDE995EFB296","assetId":4,"type":1,"originalFilename":"p4.jp2","contentType":"public.jpeg-2000","path":"originals/93/93AB4070-CB72-4116-830B-BDE995EFB296.jp2","size":3932,"sha256":"x:e6c85abfbfce4d3a3332ada0859c9bce2440e117d7af3a545761befb32ffbccb","pixelWidth":64,"pixelHeight":64}',NULL);
INSERT INTO journalEntry VALUES(9,1,1,5,'435901BE-BF20-4E1F-9BB6-71D00F6849A8',1,1,NULL,'{"uuid":"435901BE-BF20-4E1F-9BB6-71D00F6849A8","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":29,"pixelHeight":100,"duration":0.0,"creationDate":817234400.8748941,"captureWallTime":"2026-11-24T17:33:20.874","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p5.heif","contentType":"public.heic","keywords":"[]","rating":0,"contentVersion":1,"isVisible":1,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL);
INSERT INTO journalEntry VALUES(10,1,4,5,'B03CCFD8-06A0-412E-8A72-4FEFAEB62AB8',1,1,NULL,'{"uuid":"B03CCFD8-06A0-412E-8A72-4FEFAEB62AB8","assetId":5,"type":1,"originalFilename":"p5.heif","contentType":"public.heic","path":"originals/b0/B03CCFD8-06A0-412E-8A72-4FEFAEB62AB8.heic","size":5261,"sha256":"x:60417fb083ad8767bbc5bad30bac274a86d5395dc0a3d98aefab95e03408b806","pixelWidth":29,"pixelHeight":100}',NULL);
INSERT INTO journalEntry VALUES(11,1,1,6,'EC353B18-0E70-4738-BCBB-99E2B32909B6',1,1,NULL,'{"uuid":"EC353B18-0E70-4738-BCBB-99E2B32909B6","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":451,"pixelHeight":461,"duration":0.0,"creationDate":817234400.8762562,"captureWallTime":"2026-11-24T17:33:20.876","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p6.heic","contentType":"public.heic","keywords":"[]","rating":0,"contentVersion":1,"isVisible":1,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL);
INSERT INTO journalEntry VALUES(12,1,4,6,'EFC343DB-71EC-49CC-9B6B-E03BB4503B17',1,1,NULL,'{"uuid":"EFC343DB-71EC-49CC-9B6B-E03BB4503B17","assetId":6,"type":1,"originalFilename":"p6.heic","contentType":"public.heic","path":"originals/ef/EFC343DB-71EC-49CC-9B6B-E03BB4503B17.heic","size":7080,"sha256":"x:4b2ce727f093944975f143ba2b39c4c64511b766d94552f8d51a755916e7f983","pixelWidth":451,"pixelHeight":461}',NULL);
INSERT INTO journalEntry VALUES(13,2,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',1,1,NULL,'{"uuid":"ABA91E39-D092-4C76-8C0A-1DEF9B684F45","kind":2,"title":"One","position":4294967296,"creationDate":817234401.4802911,"modificationDate":817234401.4802911,"assetCount":0}',NULL);
INSERT INTO journalEntry VALUES(14,3,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',1,1,NULL,'{"uuid":"D5F7709B-A058-40E7-B8A4-28A6EE6899DE","kind":2,"title":"Two","position":8589934592,"creationDate":817234401.5801693,"modificationDate":817234401.5801693,"assetCount":0}',NULL);
INSERT INTO journalEntry VALUES(15,4,3,3,'E67700BE-81BA-48FA-809B-FE9D56F07736',1,1,NULL,'{"uuid":"E67700BE-81BA-48FA-809B-FE9D56F07736","kind":3,"title":"Outer","position":12884901888,"creationDate":817234401.6840636,"modificationDate":817234401.6840636,"assetCount":0}',NULL);
INSERT INTO journalEntry VALUES(16,5,3,4,'A6C7109B-0467-483E-A8BF-1D48F3632E9E',1,1,NULL,'{"uuid":"A6C7109B-0467-483E-A8BF-1D48F3632E9E","kind":3,"title":"Inner","position":17179869184,"creationDate":817234401.7974927,"modificationDate":817234401.7974927,"assetCount":0}',NULL);
INSERT INTO journalEntry VALUES(17,5,3,4,'A6C7109B-0467-483E-A8BF-1D48F3632E9E',2,0,'{"parentId":null,"position":17179869184}','{"parentId":3,"position":4294967296}',NULL);
INSERT INTO journalEntry VALUES(18,5,3,3,'E67700BE-81BA-48FA-809B-FE9D56F07736',2,0,'{"modificationDate":817234401.6840636}','{"modificationDate":817234401.7974927}',NULL);
INSERT INTO journalEntry VALUES(19,6,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"parentId":null}','{"parentId":4}',NULL);
INSERT INTO journalEntry VALUES(20,6,3,4,'A6C7109B-0467-483E-A8BF-1D48F3632E9E',2,0,'{"modificationDate":817234401.7974927}','{"modificationDate":817234401.8897015}',NULL);
INSERT INTO journalEntry VALUES(21,7,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234401.4802911,"assetCount":0,"startDate":null,"endDate":null}','{"modificationDate":817234402.0059372,"assetCount":4,"startDate":817234400.8698978,"endDate":817234400.8736982}','{"inserted":[[1,4294967296],[2,8589934592],[3,12884901888],[4,17179869184]]}');
INSERT INTO journalEntry VALUES(22,8,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234402.0059372}','{"modificationDate":817234402.2046555}','{"moved":[[4,17179869184,0]]}');
INSERT INTO journalEntry VALUES(23,9,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234402.2046555,"assetCount":4}','{"modificationDate":817234402.2957652,"assetCount":3}','{"removed":[[2,8589934592]]}');
INSERT INTO journalEntry VALUES(24,10,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"modificationDate":817234401.5801693,"assetCount":0,"startDate":null,"endDate":null}','{"modificationDate":817234402.4063132,"assetCount":3,"startDate":817234400.8698978,"endDate":817234400.8762562}','{"inserted":[[5,4294967296],[6,8589934592],[1,12884901888]]}');
INSERT INTO journalEntry VALUES(25,11,1,3,'0397AE33-12FE-4970-BBEB-DFB2723A537D',2,0,'{"modificationDate":817234401.3241223,"isHidden":0,"isVisible":1}','{"modificationDate":817234402.5069367,"isHidden":1,"isVisible":0}',NULL);
INSERT INTO journalEntry VALUES(26,11,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"assetCount":3}','{"assetCount":2}',NULL);
INSERT INTO journalEntry VALUES(27,12,1,1,'4ACBD719-10E2-4BDF-A42F-99E0861E8055',2,0,'{"creationDate":817234400.8698978,"captureWallTime":"2026-11-24T17:33:20.869","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"isFavorite":0,"title":null,"personFacts":0}','{"creationDate":602395506.0,"captureWallTime":"2020-02-03T04:05:06","captureWallTimeSource":"user","captureInstantSource":"user","modificationDate":817234402.619697,"isFavorite":1,"title":"First","personFacts":2}',NULL);
INSERT INTO journalEntry VALUES(28,12,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"startDate":817234400.8698978}','{"startDate":602395506.0}',NULL);
INSERT INTO journalEntry VALUES(29,12,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"startDate":817234400.8698978}','{"startDate":602395506.0}',NULL);
INSERT INTO journalEntry VALUES(30,13,1,6,'EC353B18-0E70-4738-BCBB-99E2B32909B6',2,0,'{"trashedDate":null,"isVisible":1}','{"trashedDate":817234402.7250327,"isVisible":0}',NULL);
INSERT INTO journalEntry VALUES(31,13,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"assetCount":3,"endDate":817234400.8762562}','{"assetCount":2,"endDate":817234400.8748941}',NULL);
INSERT INTO journalEntry VALUES(32,14,4,6,'EFC343DB-71EC-49CC-9B6B-E03BB4503B17',3,1,'{"uuid":"EFC343DB-71EC-49CC-9B6B-E03BB4503B17","assetId":6,"type":1,"originalFilename":"p6.heic","contentType":"public.heic","path":"originals/ef/EFC343DB-71EC-49CC-9B6B-E03BB4503B17.heic","size":7080,"sha256":"x:4b2ce727f093944975f143ba2b39c4c64511b766d94552f8d51a755916e7f983","pixelWidth":451,"pixelHeight":461}',NULL,NULL);
INSERT INTO journalEntry VALUES(33,14,1,6,'EC353B18-0E70-4738-BCBB-99E2B32909B6',3,1,'{"uuid":"EC353B18-0E70-4738-BCBB-99E2B32909B6","mediaType":1,"mediaSubtypes":0,"playbackStyle":1,"sourceType":1,"pixelWidth":451,"pixelHeight":461,"duration":0.0,"creationDate":817234400.8762562,"captureWallTime":"2026-11-24T17:33:20.876","captureWallTimeSource":"fileTime","captureInstantSource":"fileTime","modificationDate":817234401.3241223,"addedDate":817234401.3241223,"isFavorite":0,"isHidden":0,"trashedDate":817234402.7250327,"burstSelectionTypes":0,"representsBurst":0,"isBurstHidden":0,"hasAdjustments":0,"originalFilename":"p6.heic","contentType":"public.heic","keywords":"[]","rating":0,"contentVersion":1,"isVisible":0,"originalResourceChoice":0,"readerVersion":2,"personFacts":0}',NULL,NULL);
INSERT INTO journalEntry VALUES(34,14,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"modificationDate":817234402.4063132}','{"modificationDate":817234402.8249214}','{"removed":[[6,8589934592]]}');
INSERT INTO journalEntry VALUES(35,15,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234402.2957652}','{"modificationDate":817234402.9594177}','{"moved":[[4,0,8589934592]]}');
INSERT INTO journalEntry VALUES(36,16,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234402.9594177}','{"modificationDate":817234403.0763726}','{"moved":[[1,4294967296,10737418240]]}');
INSERT INTO journalEntry VALUES(37,17,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234403.0763726}','{"modificationDate":817234403.1860332}','{"moved":[[4,8589934592,11811160064]]}');
INSERT INTO journalEntry VALUES(38,18,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234403.1860332}','{"modificationDate":817234403.3694394}','{"moved":[[1,10737418240,12348030976]]}');
INSERT INTO journalEntry VALUES(39,19,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234403.3694394}','{"modificationDate":817234403.5062003}','{"moved":[[4,11811160064,12616466432]]}');
INSERT INTO journalEntry VALUES(40,20,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234403.5062003}','{"modificationDate":817234403.6957016}','{"moved":[[1,12348030976,12750684160]]}');
INSERT INTO journalEntry VALUES(41,21,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234403.6957016}','{"modificationDate":817234403.8858426}','{"moved":[[4,12616466432,12817793024]]}');
INSERT INTO journalEntry VALUES(42,22,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234403.8858426}','{"modificationDate":817234404.0264606}','{"moved":[[1,12750684160,12851347456]]}');
INSERT INTO journalEntry VALUES(43,23,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234404.0264606}','{"modificationDate":817234404.1937503}','{"moved":[[4,12817793024,12868124672]]}');
INSERT INTO journalEntry VALUES(44,24,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234404.1937503}','{"modificationDate":817234404.3748022}','{"moved":[[1,12851347456,12876513280]]}');
INSERT INTO journalEntry VALUES(45,25,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234404.3748022}','{"modificationDate":817234404.566312}','{"moved":[[4,12868124672,12880707584]]}');
INSERT INTO journalEntry VALUES(46,26,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234404.566312}','{"modificationDate":817234404.69794}','{"moved":[[1,12876513280,12882804736]]}');
INSERT INTO journalEntry VALUES(47,27,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234404.69794}','{"modificationDate":817234404.8406527}','{"moved":[[4,12880707584,12883853312]]}');
INSERT INTO journalEntry VALUES(48,28,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234404.8406527}','{"modificationDate":817234405.0026426}','{"moved":[[1,12882804736,12884377600]]}');
INSERT INTO journalEntry VALUES(49,29,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234405.0026426}','{"modificationDate":817234405.1199869}','{"moved":[[4,12883853312,12884639744]]}');
INSERT INTO journalEntry VALUES(50,30,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234405.1199869}','{"modificationDate":817234405.3063235}','{"moved":[[1,12884377600,12884770816]]}');
INSERT INTO journalEntry VALUES(51,31,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234405.3063235}','{"modificationDate":817234405.5350833}','{"moved":[[4,12884639744,12884836352]]}');
INSERT INTO journalEntry VALUES(52,32,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234405.5350833}','{"modificationDate":817234405.7698631}','{"moved":[[1,12884770816,12884869120]]}');
INSERT INTO journalEntry VALUES(53,33,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234405.7698631}','{"modificationDate":817234405.9508027}','{"moved":[[4,12884836352,12884885504]]}');
INSERT INTO journalEntry VALUES(54,34,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234405.9508027}','{"modificationDate":817234406.1448811}','{"moved":[[1,12884869120,12884893696]]}');
INSERT INTO journalEntry VALUES(55,35,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.1448811}','{"modificationDate":817234406.3213133}','{"moved":[[4,12884885504,12884897792]]}');
INSERT INTO journalEntry VALUES(56,36,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.3213133}','{"modificationDate":817234406.4731563}','{"moved":[[1,12884893696,12884899840]]}');
INSERT INTO journalEntry VALUES(57,37,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.4731563}','{"modificationDate":817234406.5791212}','{"moved":[[4,12884897792,12884900864]]}');
INSERT INTO journalEntry VALUES(58,38,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.5791212}','{"modificationDate":817234406.7458742}','{"moved":[[1,12884899840,12884901376]]}');
INSERT INTO journalEntry VALUES(59,39,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.7458742}','{"modificationDate":817234406.858214}','{"moved":[[4,12884900864,12884901632]]}');
INSERT INTO journalEntry VALUES(60,40,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.858214}','{"modificationDate":817234406.9734037}','{"moved":[[1,12884901376,12884901760]]}');
INSERT INTO journalEntry VALUES(61,41,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234406.9734037}','{"modificationDate":817234407.0817914}','{"moved":[[4,12884901632,12884901824]]}');
INSERT INTO journalEntry VALUES(62,42,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.0817914}','{"modificationDate":817234407.2078304}','{"moved":[[1,12884901760,12884901856]]}');
INSERT INTO journalEntry VALUES(63,43,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.2078304}','{"modificationDate":817234407.3544242}','{"moved":[[4,12884901824,12884901872]]}');
INSERT INTO journalEntry VALUES(64,44,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.3544242}','{"modificationDate":817234407.4563837}','{"moved":[[1,12884901856,12884901880]]}');
INSERT INTO journalEntry VALUES(65,45,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.4563837}','{"modificationDate":817234407.5644561}','{"moved":[[4,12884901872,12884901884]]}');
INSERT INTO journalEntry VALUES(66,46,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.5644561}','{"modificationDate":817234407.6881716}','{"moved":[[1,12884901880,12884901886]]}');
INSERT INTO journalEntry VALUES(67,47,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.6881716}','{"modificationDate":817234407.8026165}','{"moved":[[4,12884901884,12884901887]]}');
INSERT INTO journalEntry VALUES(68,48,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,NULL,NULL,'{"renumbered":true}');
INSERT INTO journalEntry VALUES(69,48,2,1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,0,'{"modificationDate":817234407.8026165}','{"modificationDate":817234407.9378049}','{"moved":[[1,4294967296,10737418240]]}');
INSERT INTO journalEntry VALUES(70,49,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"title":"Two","modificationDate":817234402.8249214}','{"title":"Deux","modificationDate":817234408.0886}',NULL);
INSERT INTO journalEntry VALUES(71,50,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"parentId":null}','{"parentId":3}',NULL);
INSERT INTO journalEntry VALUES(72,50,3,3,'E67700BE-81BA-48FA-809B-FE9D56F07736',2,0,'{"modificationDate":817234401.7974927}','{"modificationDate":817234408.2289852}',NULL);
INSERT INTO journalEntry VALUES(73,51,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',2,0,'{"parentId":3}','{"parentId":null}',NULL);
INSERT INTO journalEntry VALUES(74,51,3,3,'E67700BE-81BA-48FA-809B-FE9D56F07736',2,0,'{"modificationDate":817234408.2289852}','{"modificationDate":817234408.3222387}',NULL);
INSERT INTO journalEntry VALUES(75,52,2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',3,1,'{"uuid":"D5F7709B-A058-40E7-B8A4-28A6EE6899DE","kind":2,"title":"Deux","position":8589934592,"creationDate":817234401.5801693,"modificationDate":817234408.0886,"assetCount":2,"startDate":602395506.0,"endDate":817234400.8748941}',NULL,'{"removed":[[5,4294967296],[1,12884901888]]}');
CREATE TABLE collection (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    kind INTEGER NOT NULL CHECK (kind IN (2, 3)),
    title TEXT NOT NULL,
    parentId INTEGER REFERENCES collection(id),
    -- The order within the folder. Neighbours are far apart, so that something can come
    -- between them.
    position INTEGER NOT NULL,
    creationDate REAL NOT NULL,
    modificationDate REAL NOT NULL,
    -- Of an album's visible assets; kept up with every change of those.
    assetCount INTEGER NOT NULL,
    startDate REAL,
    endDate REAL
) STRICT;
INSERT INTO collection VALUES(1,'ABA91E39-D092-4C76-8C0A-1DEF9B684F45',2,'One',4,4294967296,817234401.48029112819,817234407.93780493737,2,602395506.0,817234400.87369823457);
INSERT INTO collection VALUES(3,'E67700BE-81BA-48FA-809B-FE9D56F07736',3,'Outer',NULL,12884901888,817234401.68406355377,817234408.32223868367,0,NULL,NULL);
INSERT INTO collection VALUES(4,'A6C7109B-0467-483E-A8BF-1D48F3632E9E',3,'Inner',3,4294967296,817234401.79749274256,817234401.88970148563,0,NULL,NULL);
CREATE TABLE albumAsset (
    albumId INTEGER NOT NULL REFERENCES collection(id),
    assetId INTEGER NOT NULL REFERENCES asset(id),
    -- As in collection.
    position INTEGER NOT NULL,
    PRIMARY KEY (albumId, assetId)
) STRICT, WITHOUT ROWID;
INSERT INTO albumAsset VALUES(1,4,8589934592);
INSERT INTO albumAsset VALUES(1,1,10737418240);
INSERT INTO albumAsset VALUES(1,3,12884901888);
CREATE TABLE tombstone (
    kind INTEGER NOT NULL,
    objectId INTEGER NOT NULL,
    uuid TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (kind, objectId)
) STRICT, WITHOUT ROWID;
INSERT INTO tombstone VALUES(1,6,'EC353B18-0E70-4738-BCBB-99E2B32909B6',14);
INSERT INTO tombstone VALUES(2,2,'D5F7709B-A058-40E7-B8A4-28A6EE6899DE',52);
CREATE TABLE discardedFile (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('libraryUUID','6F7C610A-5BD2-4A35-9C84-C729A3920800');
INSERT INTO setting VALUES('momentRule','1');
CREATE TABLE assetFacet (
    isTrashed INTEGER NOT NULL,
    isHidden INTEGER NOT NULL,
    isBurstHidden INTEGER NOT NULL,
    sourceType INTEGER NOT NULL,
    mediaType INTEGER NOT NULL,
    mediaSubtypes INTEGER NOT NULL,
    -- 1 favorite, 2 in a burst, 4 of the front camera, 8 long exposure, 16 RAW
    traits INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes,
        traits)
) STRICT, WITHOUT ROWID;
INSERT INTO assetFacet VALUES(0,0,0,1,1,0,0,3);
INSERT INTO assetFacet VALUES(0,0,0,1,1,0,1,1);
INSERT INTO assetFacet VALUES(0,1,0,1,1,0,0,1);
INSERT INTO assetFacet VALUES(1,0,0,1,1,0,0,0);
CREATE TABLE addedDay (
    day INTEGER PRIMARY KEY,
    count INTEGER NOT NULL
) STRICT;
INSERT INTO addedDay VALUES(9458,4);
CREATE TABLE frameQuality (
    assetId INTEGER PRIMARY KEY,
    score REAL NOT NULL
) STRICT;
CREATE TABLE smartAlbum (
    subtype INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT;
INSERT INTO smartAlbum VALUES(203,12);
INSERT INTO smartAlbum VALUES(205,11);
INSERT INTO smartAlbum VALUES(206,13);
INSERT INTO smartAlbum VALUES(209,13);
CREATE TABLE timeline (
    -- Milliseconds since 2001-01-01 00:00 by that clock.
    time INTEGER NOT NULL,
    -- Both 1000 where no place is known.
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    assetId INTEGER NOT NULL,
    -- Of creation, as in asset.
    date REAL NOT NULL,
    PRIMARY KEY (time, latitude, longitude, assetId)
) STRICT, WITHOUT ROWID;
INSERT INTO timeline VALUES(602395506000,1000.0,1000.0,1,602395506.0);
INSERT INTO timeline VALUES(817234400871,1000.0,1000.0,2,817234400.87130117415);
INSERT INTO timeline VALUES(817234400873,1000.0,1000.0,4,817234400.87369823457);
INSERT INTO timeline VALUES(817234400874,1000.0,1000.0,5,817234400.87489414218);
CREATE TABLE moment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    level INTEGER NOT NULL CHECK (level IN (1, 2, 3)),
    time INTEGER NOT NULL,
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    assetCount INTEGER NOT NULL,
    startDate REAL NOT NULL,
    endDate REAL NOT NULL,
    -- Of those with a place, how many there are, and the sum of the places as vectors of the
    -- length 10⁹.
    placeCount INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    -- That last changed what is in it.
    version INTEGER NOT NULL
) STRICT;
INSERT INTO moment VALUES(1,'901B630B-7E73-4C8E-83D9-93E78F69DF8E',1,817234400871,1000.0,1000.0,3,817234400.87130117415,817234400.87489414218,0,0,0,0,13);
INSERT INTO moment VALUES(2,'AA7F73BD-7B5E-40CB-90EF-58A6518BDA48',2,817234400871,1000.0,1000.0,3,817234400.87130117415,817234400.87489414218,0,0,0,0,13);
INSERT INTO moment VALUES(3,'D4C87A7C-F8A3-452A-8621-A1BB8309F24D',3,817234400871,1000.0,1000.0,3,817234400.87130117415,817234400.87489414218,0,0,0,0,13);
INSERT INTO moment VALUES(4,'E4FCB831-EFC3-4659-AA6F-B7B6705068E2',1,602395506000,1000.0,1000.0,1,602395506.0,602395506.0,0,0,0,0,12);
INSERT INTO moment VALUES(5,'E85F1F73-C88A-44B7-AB72-ACF9DAEB7868',2,602395506000,1000.0,1000.0,1,602395506.0,602395506.0,0,0,0,0,12);
INSERT INTO moment VALUES(6,'C9AFFC09-1622-460C-AC41-A8894B9BD4A3',3,602395506000,1000.0,1000.0,1,602395506.0,602395506.0,0,0,0,0,12);
CREATE TABLE formerMoment (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT;
CREATE TABLE formerFile (
    path TEXT PRIMARY KEY,
    resourceId INTEGER NOT NULL,
    assetId INTEGER NOT NULL,
    -- The version that removed the row.
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE migrationSource (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    identifier TEXT,
    firstDate REAL NOT NULL
) STRICT;
CREATE TABLE migratedItem (
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    sourceId INTEGER NOT NULL REFERENCES migrationSource(id),
    objectKind INTEGER NOT NULL,
    objectUUID TEXT NOT NULL,
    fingerprint BLOB,
    sourceModificationDate REAL,
    importedDate REAL NOT NULL,
    isComplete INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (kind, item)
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('asset',6);
INSERT INTO sqlite_sequence VALUES('journalEntry',75);
INSERT INTO sqlite_sequence VALUES('resource',6);
INSERT INTO sqlite_sequence VALUES('moment',6);
INSERT INTO sqlite_sequence VALUES('collection',4);
CREATE INDEX asset_creationDate ON asset(isVisible, creationDate);
CREATE INDEX asset_mediaType ON asset(isVisible, mediaType, creationDate);
CREATE INDEX asset_modificationDate ON asset(isVisible, modificationDate);
CREATE INDEX asset_addedDate ON asset(isVisible, addedDate);
CREATE INDEX asset_favorite ON asset(isFavorite, isVisible, creationDate)
    WHERE isFavorite = 1;
CREATE INDEX asset_trashedDate ON asset(trashedDate) WHERE trashedDate IS NOT NULL;
CREATE INDEX asset_burstIdentifier ON asset(burstIdentifier)
    WHERE burstIdentifier IS NOT NULL;
CREATE INDEX asset_contentIdentifier ON asset(contentIdentifier)
    WHERE contentIdentifier IS NOT NULL;
CREATE INDEX resource_assetId ON resource(assetId);
CREATE INDEX resource_sha256 ON resource(sha256);
CREATE INDEX importedFile_stemKey ON importedFile(stemKey);
CREATE INDEX importedFile_resourceId ON importedFile(resourceId);
CREATE INDEX journalEntry_version ON journalEntry(version);
CREATE INDEX journalEntry_object ON journalEntry(kind, objectId, version);
CREATE INDEX collection_parentId ON collection(parentId, position);
CREATE INDEX collection_title ON collection(kind, title);
CREATE INDEX albumAsset_position ON albumAsset(albumId, position, assetId);
CREATE INDEX albumAsset_assetId ON albumAsset(assetId);
CREATE INDEX journalVersion_batch ON journalVersion(batch) WHERE batch IS NOT NULL;
CREATE INDEX journalVersion_undoes ON journalVersion(undoes) WHERE undoes IS NOT NULL;
CREATE INDEX tombstone_uuid ON tombstone(uuid);
CREATE INDEX resource_raw ON resource(assetId)
    WHERE type IN (1, 4) AND contentType LIKE '%raw-image';
CREATE TRIGGER resource_inserted AFTER INSERT ON resource
WHEN new.type IN (1, 4) AND new.contentType LIKE '%raw-image'
BEGIN
    UPDATE asset SET hasRAW = 1 WHERE id = new.assetId;
END;
CREATE TRIGGER resource_updated AFTER UPDATE OF assetId, type, contentType ON resource
WHEN new.contentType LIKE '%raw-image' OR old.contentType LIKE '%raw-image'
BEGIN
    UPDATE asset SET hasRAW = EXISTS (
        SELECT 1 FROM resource WHERE assetId = asset.id
            AND type IN (1, 4) AND contentType LIKE '%raw-image')
    WHERE id IN (new.assetId, old.assetId);
END;
CREATE TRIGGER resource_deleted AFTER DELETE ON resource
WHEN old.type IN (1, 4) AND old.contentType LIKE '%raw-image'
BEGIN
    UPDATE asset SET hasRAW = EXISTS (
        SELECT 1 FROM resource WHERE assetId = asset.id
            AND type IN (1, 4) AND contentType LIKE '%raw-image')
    WHERE id = old.assetId;
END;
CREATE TRIGGER asset_inserted AFTER INSERT ON asset BEGIN
    INSERT INTO assetFacet VALUES (new.trashedDate IS NOT NULL, new.isHidden, new.isBurstHidden,
    new.sourceType, new.mediaType, new.mediaSubtypes,
    (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
        | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(new.exposureTime >= 1, 0) << 3)
        | ((new.hasRAW <> 0) << 4), 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
    INSERT INTO addedDay SELECT CAST(new.addedDate / 86400 AS INTEGER), 1 WHERE new.isVisible = 1
        ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER asset_deleted AFTER DELETE ON asset BEGIN
    DELETE FROM frameQuality WHERE assetId = old.id;
    UPDATE assetFacet SET count = count - 1
    WHERE (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes, traits)
        = (old.trashedDate IS NOT NULL, old.isHidden, old.isBurstHidden,
    old.sourceType, old.mediaType, old.mediaSubtypes,
    (old.isFavorite <> 0) | (coalesce(length(old.burstIdentifier) > 0, 0) << 1)
        | (coalesce(old.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(old.exposureTime >= 1, 0) << 3)
        | ((old.hasRAW <> 0) << 4));
    UPDATE addedDay SET count = count - 1
    WHERE old.isVisible = 1 AND day = CAST(old.addedDate / 86400 AS INTEGER);
END;
CREATE TRIGGER asset_facetChanged AFTER UPDATE OF trashedDate, isHidden, isBurstHidden,
    sourceType, mediaType, mediaSubtypes, isFavorite, burstIdentifier, lensModel,
    exposureTime, hasRAW ON asset
WHEN (new.trashedDate IS NOT NULL, new.isHidden, new.isBurstHidden,
    new.sourceType, new.mediaType, new.mediaSubtypes,
    (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
        | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(new.exposureTime >= 1, 0) << 3)
        | ((new.hasRAW <> 0) << 4)) IS NOT (old.trashedDate IS NOT NULL, old.isHidden, old.isBurstHidden,
    old.sourceType, old.mediaType, old.mediaSubtypes,
    (old.isFavorite <> 0) | (coalesce(length(old.burstIdentifier) > 0, 0) << 1)
        | (coalesce(old.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(old.exposureTime >= 1, 0) << 3)
        | ((old.hasRAW <> 0) << 4))
BEGIN
    UPDATE assetFacet SET count = count - 1
    WHERE (isTrashed, isHidden, isBurstHidden, sourceType, mediaType, mediaSubtypes, traits)
        = (old.trashedDate IS NOT NULL, old.isHidden, old.isBurstHidden,
    old.sourceType, old.mediaType, old.mediaSubtypes,
    (old.isFavorite <> 0) | (coalesce(length(old.burstIdentifier) > 0, 0) << 1)
        | (coalesce(old.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(old.exposureTime >= 1, 0) << 3)
        | ((old.hasRAW <> 0) << 4));
    INSERT INTO assetFacet VALUES (new.trashedDate IS NOT NULL, new.isHidden, new.isBurstHidden,
    new.sourceType, new.mediaType, new.mediaSubtypes,
    (new.isFavorite <> 0) | (coalesce(length(new.burstIdentifier) > 0, 0) << 1)
        | (coalesce(new.lensModel LIKE '%front%', 0) << 2)
        | (coalesce(new.exposureTime >= 1, 0) << 3)
        | ((new.hasRAW <> 0) << 4), 1)
        ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER asset_dayChanged AFTER UPDATE OF isVisible, addedDate ON asset
WHEN (new.isVisible, CAST(new.addedDate / 86400 AS INTEGER)) IS NOT (old.isVisible, CAST(old.addedDate / 86400 AS INTEGER))
BEGIN
    UPDATE addedDay SET count = count - 1
    WHERE old.isVisible = 1 AND day = CAST(old.addedDate / 86400 AS INTEGER);
    INSERT INTO addedDay SELECT CAST(new.addedDate / 86400 AS INTEGER), 1 WHERE new.isVisible = 1
        ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE INDEX asset_subtypePanorama ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 1;
CREATE INDEX asset_subtypeScreenshot ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 4;
CREATE INDEX asset_subtypeLive ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 8;
CREATE INDEX asset_subtypeDepth ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 16;
CREATE INDEX asset_subtypeAnimation ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 64;
CREATE INDEX asset_subtypeSpatial ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 1024;
CREATE INDEX asset_subtypeHighFrameRate ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 131072;
CREATE INDEX asset_subtypeTimelapse ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 262144;
CREATE INDEX asset_subtypeScreenRecording ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 524288;
CREATE INDEX asset_subtypeCinematic ON asset(isVisible, creationDate, id,
        mediaSubtypes) WHERE mediaSubtypes & 2097152;
CREATE INDEX asset_burst ON asset(isVisible, creationDate, id, burstIdentifier)
    WHERE length(burstIdentifier) > 0;
CREATE INDEX asset_frontCamera ON asset(isVisible, creationDate, id, lensModel)
    WHERE lensModel LIKE '%front%';
CREATE INDEX asset_longExposure ON asset(isVisible, creationDate, id, exposureTime)
    WHERE exposureTime >= 1;
CREATE INDEX asset_raw ON asset(hasRAW, isVisible, creationDate) WHERE hasRAW = 1;
CREATE INDEX asset_hidden ON asset(isHidden, trashedDate, isBurstHidden, sourceType,
    creationDate) WHERE isHidden = 1;
CREATE INDEX asset_addedDay ON asset(isVisible, CAST(addedDate / 86400 AS INTEGER),
    creationDate);
CREATE INDEX timeline_place ON timeline(time, latitude, longitude) WHERE latitude < 1000.0;
CREATE TRIGGER timeline_inserted AFTER INSERT ON asset
WHEN new.isVisible = 1 AND new.creationDate IS NOT NULL
BEGIN
    INSERT INTO timeline SELECT CAST(round(1000.0 * coalesce(
            (julianday(new.captureWallTime) - 2451910.5) * 86400.0,
            new.creationDate)) AS INTEGER),
        CASE WHEN new.longitude IS NULL THEN 1000.0
            ELSE coalesce(new.latitude, 1000.0) END,
        CASE WHEN new.latitude IS NULL THEN 1000.0
            ELSE coalesce(new.longitude, 1000.0) END, new.id, new.creationDate;
END;
CREATE TRIGGER timeline_deleted AFTER DELETE ON asset
WHEN old.isVisible = 1 AND old.creationDate IS NOT NULL
BEGIN
    DELETE FROM timeline
    WHERE (time, latitude, longitude) = (CAST(round(1000.0 * coalesce(
            (julianday(old.captureWallTime) - 2451910.5) * 86400.0,
            old.creationDate)) AS INTEGER),
        CASE WHEN old.longitude IS NULL THEN 1000.0
            ELSE coalesce(old.latitude, 1000.0) END,
        CASE WHEN old.latitude IS NULL THEN 1000.0
            ELSE coalesce(old.longitude, 1000.0) END) AND assetId = old.id;
END;
CREATE TRIGGER timeline_updated
AFTER UPDATE OF isVisible, creationDate, captureWallTime, latitude, longitude ON asset
BEGIN
    DELETE FROM timeline
    WHERE (time, latitude, longitude) = (CAST(round(1000.0 * coalesce(
            (julianday(old.captureWallTime) - 2451910.5) * 86400.0,
            old.creationDate)) AS INTEGER),
        CASE WHEN old.longitude IS NULL THEN 1000.0
            ELSE coalesce(old.latitude, 1000.0) END,
        CASE WHEN old.latitude IS NULL THEN 1000.0
            ELSE coalesce(old.longitude, 1000.0) END) AND assetId = old.id
        AND old.isVisible = 1 AND old.creationDate IS NOT NULL;
    INSERT INTO timeline SELECT CAST(round(1000.0 * coalesce(
            (julianday(new.captureWallTime) - 2451910.5) * 86400.0,
            new.creationDate)) AS INTEGER),
        CASE WHEN new.longitude IS NULL THEN 1000.0
            ELSE coalesce(new.latitude, 1000.0) END,
        CASE WHEN new.latitude IS NULL THEN 1000.0
            ELSE coalesce(new.longitude, 1000.0) END, new.id, new.creationDate
    WHERE new.isVisible = 1 AND new.creationDate IS NOT NULL;
END;
CREATE INDEX moment_start ON moment(level, time, latitude, longitude);
CREATE INDEX moment_version ON moment(version);
CREATE INDEX formerMoment_version ON formerMoment(version);
CREATE INDEX formerFile_assetId ON formerFile(assetId);
CREATE INDEX formerFile_version ON formerFile(version);
CREATE INDEX asset_camera ON asset(cameraModel, cameraMake, isVisible, creationDate)
    WHERE cameraModel IS NOT NULL;
CREATE INDEX asset_place ON asset(isVisible, latitude, longitude, creationDate)
    WHERE latitude IS NOT NULL;
CREATE INDEX asset_readerVersion ON asset(readerVersion);
COMMIT;
