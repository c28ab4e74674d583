/** How the trigger reads whole lists: records per request, and pages to request ahead. */
export const WHOLE = { perPage: 500, ahead: 16 };

/**
 * The most readings of a list when watching begins: a record that is missing then would be new
 * later.
 */
const FIRST_READINGS = 4;
/** The most time for all readings together: n8n's scheduler ends a poll after about 40 seconds. */
const ALL_READINGS_MS = 20_000;

/**
 * Returns how often the trigger reads a list at most: as when watching begins if `most` is empty.
 */
export const limitWholeListReadings = (most = FIRST_READINGS) => ({
	most,
	withinMs: ALL_READINGS_MS,
});
