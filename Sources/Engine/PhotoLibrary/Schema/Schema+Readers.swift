/// Migration 7: the version of the metadata reader that read each asset's file, and the fields that
/// people set.
extension Schema {
    static let version7 = """
        -- The version of the reader that an asset's facts come from; 0: it was imported before this
        -- was stored.
        ALTER TABLE asset ADD COLUMN readerVersion INTEGER NOT NULL DEFAULT 0;
        -- What people and programs set, so that reading the files again leaves it alone: 1 location,
        -- 2 title, 4 caption, 8 keywords, 16 rating.
        ALTER TABLE asset ADD COLUMN personFacts INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX asset_readerVersion ON asset(readerVersion);

        -- What was set before: the journal says it. What it cannot say counts as set.
        --
        -- An asset that no import made, as far as the journal knows: programs make assets with values
        -- of their own. Versions of imports have a batch.
        UPDATE asset SET personFacts = 31 WHERE id NOT IN (
            SELECT objectId FROM journalEntry JOIN journalVersion USING (version)
            WHERE kind = 1 AND change = 1 AND batch IS NOT NULL);
        -- An asset whose changes were pruned into its insertion, unless none moved its modification
        -- date.
        UPDATE asset SET personFacts = 31 WHERE modificationDate <> addedDate AND id IN (
            SELECT objectId FROM journalEntry
            WHERE kind = 1 AND change = 1 AND version <= (
                SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'historyStart'));
        -- What changes that no import made wrote. In the journal's JSON a quote inside of a text has a
        -- backslash before it, so that no text looks like a name.
        UPDATE asset SET personFacts = personFacts | change.facts FROM (
            SELECT objectId AS id,
                max(instr(newValues, '"latitude":') > 0 OR instr(newValues, '"longitude":') > 0
                    OR instr(newValues, '"altitude":') > 0)
                + 2 * max(instr(newValues, '"title":') > 0)
                + 4 * max(instr(newValues, '"caption":') > 0)
                + 8 * max(instr(newValues, '"keywords":') > 0)
                + 16 * max(instr(newValues, '"rating":') > 0) AS facts
            FROM journalEntry JOIN journalVersion USING (version)
            WHERE kind = 1 AND change = 2 AND batch IS NULL AND newValues IS NOT NULL
            GROUP BY objectId
        ) AS change WHERE asset.id = change.id AND change.facts <> 0;
        """
}
