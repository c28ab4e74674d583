/** Whether a value, such as a parsed answer, is an object and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether Node.js or OpenSSL could not make the secure connection, by its code; nothing was sent then. */
export function isTlsFailure(code = ''): boolean {
	return /CERT|SELF_SIGNED|SSL|EPROTO|ERR_TLS|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA/.test(code);
}

const PRIVATE_HOST =
	/^(localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\]|\[f[cd]|0\.0\.0\.0)|\.(local|internal|lan)$/;

/** Whether a host is inside a network by its name or number alone, so that nobody outside can open it. */
export const isPrivateHost = (hostname: string) => PRIVATE_HOST.test(hostname);
