/// Migration 6: the indexes for searches by camera and place.
extension Schema {
    static let version6 = """
        -- Answers which cameras there are, and what was taken with one, without looking at the rows.
        CREATE INDEX asset_camera ON asset(cameraModel, cameraMake, isVisible, creationDate)
            WHERE cameraModel IS NOT NULL;
        -- The same for places.
        CREATE INDEX asset_place ON asset(isVisible, latitude, longitude, creationDate)
            WHERE latitude IS NOT NULL;
        """
}
