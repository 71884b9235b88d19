/// Migration 10: the columns and tables that synchronization with a cloud library needs.
extension Schema {
    static let version10 = """
        -- The commit's time of the hybrid logical clock; NULL for versions before this migration.
        ALTER TABLE journalVersion ADD COLUMN hlc INTEGER;
        -- The device that made the change; NULL for changes made here.
        ALTER TABLE journalVersion ADD COLUMN origin TEXT;
        -- The time of the change at its origin, while `time` is always that of the commit here.
        ALTER TABLE journalVersion ADD COLUMN originTime REAL;

        -- The order of an album's or folder's contents on all devices; NULL until the library joins a
        -- cloud library. `position` is the local form of the same order.
        ALTER TABLE albumAsset ADD COLUMN orderKey BLOB;
        ALTER TABLE collection ADD COLUMN orderKey BLOB;
        CREATE INDEX albumAsset_orderKey ON albumAsset(albumId, orderKey)
            WHERE orderKey IS NOT NULL;
        -- Whether the file is here: 0 yes, 1 not yet, 2 no longer, since it was removed to free space.
        ALTER TABLE resource ADD COLUMN presence INTEGER NOT NULL DEFAULT 0;

        -- The last changes of an object's registers; empty until the library joins a cloud library.
        CREATE TABLE cloudStamp (
            kind INTEGER NOT NULL,
            uuid TEXT NOT NULL,
            stamps BLOB NOT NULL,
            PRIMARY KEY (kind, uuid)
        ) STRICT, WITHOUT ROWID;
        -- What is known of objects that are not here: not yet, or no longer.
        CREATE TABLE cloudPending (uuid TEXT NOT NULL, op BLOB NOT NULL) STRICT;
        CREATE INDEX cloudPending_uuid ON cloudPending(uuid);
        """
}
