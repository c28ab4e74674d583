/** How the trigger reads whole lists: records per request, and pages to request ahead. */
export const WHOLE = { perPage: 500, ahead: 16 };

/**
 * The most readings of a list when watching begins: a record that is missing then would be new
 * later.
 */
export const FIRST_READINGS = 4;
/** The most time for all readings together: n8n's scheduler ends a poll after about 40 seconds. */
export const ALL_READINGS_MS = 20_000;

/** Returns how often a poll may read a whole list. */
export const limitReadings = (most: number) => ({ most, withinMs: ALL_READINGS_MS });
