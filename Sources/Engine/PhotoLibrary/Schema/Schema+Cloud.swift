/// Migration 10: a journal that can travel.
extension Schema {
    static let version10 = """
        -- The commit's time of the hybrid logical clock; NULL for versions before this migration.
        ALTER TABLE journalVersion ADD COLUMN hlc INTEGER;
        -- The device that made the change; NULL for changes made here.
        ALTER TABLE journalVersion ADD COLUMN origin TEXT;
        -- The time of the change at its origin, while `time` is always that of the commit here.
        ALTER TABLE journalVersion ADD COLUMN originTime REAL;
        """
}
