/** The metadata services of clouds that have no link-local address: AWS and Google over IPv6, Alibaba. */
const METADATA = ['[fd00:ec2::254]', '[fd20:ce::254]', '100.100.100.200'];

/** An IPv6 address that stands for an IPv4 address: mapped, translated (NAT64), or in the old compatible form. */
const IPV4_IN_IPV6 = /^\[(?:::ffff:|::ffff:0:|64:ff9b::|::)([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Says in one sentence why no file may be sent to an address that a service returned; undefined if it may. The service could
 * be anybody's, and n8n can reach hosts that the service cannot.
 *
 * Only judges what the address says. n8n itself can check what a name resolves to (`N8N_SSRF_PROTECTION_ENABLED`).
 *
 * @param baseUrl the Base URL of the credential
 */
export function uploadAddressProblem(address: string, baseUrl: string): string | undefined {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && baseUrl.startsWith('http:'));
	if (!url || !isSecure || url.username || url.password)
		return 'It must begin with https:// and have no password.';
	const host = hostOf(url);
	if (isLinkLocal(host)) return 'It must not be a link-local address or the metadata service of a cloud.';
	if (isLoopback(host) && !isLoopback(hostOf(new URL(baseUrl))))
		return 'It must not be the machine that n8n runs on, unless the Base URL is one on it, too.';
	return undefined;
}

/** Returns the host of a URL in one form. The URL itself has already read IPv4 addresses in hexadecimal, octal and as one number. */
function hostOf({ hostname }: URL): string {
	const [, high, low] = IPV4_IN_IPV6.exec(hostname) ?? [];
	if (high === undefined) return hostname.replace(/\.$/, '');
	const groups = [high, low].map((group) => parseInt(group, 16));
	return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

const isLinkLocal = (host: string) =>
	/^169\.254(\.\d+){2}$|^\[fe[89ab][\da-f]:/.test(host) || METADATA.includes(host);

/** Whether a host is this machine; an address of zeros means that, too. */
const isLoopback = (host: string) => /^(127|0)(\.\d+){3}$|^\[::1?\]$|^(.+\.)?localhost$/.test(host);
