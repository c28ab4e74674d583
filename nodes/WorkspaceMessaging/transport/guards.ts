/** Whether a value, such as a parsed answer, is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether Node.js or OpenSSL could not make the secure connection, by its code; nothing was sent then. */
export function isTlsFailure(code = ''): boolean {
	return /CERT|SELF_SIGNED|SSL|EPROTO|ERR_TLS|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA/.test(code);
}
