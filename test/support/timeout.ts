/** Milliseconds that a test may take, from jest.config.js. */
declare const TEST_TIMEOUT_MS: number;

jest.setTimeout(TEST_TIMEOUT_MS);
