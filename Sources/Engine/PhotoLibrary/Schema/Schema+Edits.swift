/// Migration 5: the record of files of replaced or reverted edits, which an undo can restore.
extension Schema {
    static let version5 = """
        -- Files of edits that were replaced or reverted, which undo can bring back: their rows are in
        -- the journal. They go with that part of the journal, and with their asset.
        CREATE TABLE formerFile (
            path TEXT PRIMARY KEY,
            resourceId INTEGER NOT NULL,
            assetId INTEGER NOT NULL,
            -- The version that removed the row.
            version INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX formerFile_assetId ON formerFile(assetId);
        CREATE INDEX formerFile_version ON formerFile(version);
        """
}
